import { CircleUserRound } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { isProviderProblem, providerProblems } from '#contract/account/provider-problems.ts'
import { beginProviderSignInEndpoint, listSignInProvidersEndpoint } from '#contract/generated-endpoints.ts'
import { es } from '#contract/language.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { renderAuthFailure } from '#web/features/account/auth-error-message.tsx'
import { AuthFormError, ProviderButtonPlace } from '#web/features/account/auth-form-parts.tsx'
import { AuthDivider } from '#web/features/account/passkeys/auth-divider.tsx'
import { endPendingSignOut } from '#web/features/account/session.ts'
import { useVisitorQuery } from '#web/features/community/use-visitor-query.ts'
import { countProvidersByPageFlag } from '#web/navigation/page-flags.ts'
import { Button } from '#web/ui/button.tsx'
import { rememberPageBeforeProvider } from './page-before-provider.ts'

type Props = {
  invite?: string | undefined
  signsUp?: boolean
  divided?: boolean
}

export function ProviderButtons({ invite, signsUp = false, divided = false }: Props) {
  const { data, isPending, refetch } = useVisitorQuery(
    useCallback((signal?: AbortSignal) => callApiOperation(listSignInProvidersEndpoint, {}, signal), []),
  )
  const [busy, setBusy] = useState<string>()
  const [failure, setFailure] = useState<ReactNode>()

  // After Back from the provider, the browser may restore this page with busy buttons.
  useEffect(() => {
    const free = () => setBusy(undefined)
    addEventListener('pageshow', free)
    return () => removeEventListener('pageshow', free)
  }, [])

  async function leaveFor(provider: string) {
    if (busy !== undefined) return
    setBusy(provider)
    setFailure(undefined)
    try {
      await endPendingSignOut()
      const { url } = await callApiOperation(beginProviderSignInEndpoint, { provider, invite })
      rememberPageBeforeProvider()
      location.assign(url)
    } catch (error) {
      setFailure(describeProviderFailure(error) ?? (await renderAuthFailure(error)))
      setBusy(undefined)
    }
  }

  if (isPending) return <ProviderButtonPlace divided={divided} />
  const providers = data?.documents ?? []
  const isMissing = data === undefined && countProvidersByPageFlag() > 0
  if (providers.length === 0 && !isMissing) return null
  return (
    <>
      {divided && <AuthDivider />}
      {providers.map(({ name, label }) => (
        <Button key={name} kind="outline" size="lg" block busy={busy === name} onClick={() => leaveFor(name)}>
          <CircleUserRound aria-hidden size={20} strokeWidth={2} />
          {signsUp
            ? es(`Crear cuenta con ${label}`, `Create account with ${label}`)
            : es(`Entrar con ${label}`, `Sign in with ${label}`)}
        </Button>
      ))}
      {isMissing && (
        <Button kind="ghost" block onClick={refetch}>
          {es('Volver a cargar las otras formas de entrar', 'Reload the other ways to sign in')}
        </Button>
      )}
      <AuthFormError text={failure} />
    </>
  )
}

const describeProviderFailure = (error: unknown): string | undefined =>
  error instanceof ApiError && [412, 424].includes(error.code) && isProviderProblem(error.type)
    ? providerProblems[error.type]
    : undefined
