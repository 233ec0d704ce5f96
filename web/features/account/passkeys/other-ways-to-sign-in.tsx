import { Fingerprint } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { signInByPasskeyEndpoint } from '#contract/generated-endpoints.ts'
import { es } from '#contract/language.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { renderAuthFailure } from '#web/features/account/auth-error-message.tsx'
import { AuthFormError } from '#web/features/account/auth-form-parts.tsx'
import { pendingSignOutKey } from '#web/features/account/pending-sign-out-key.ts'
import { ProviderButtons } from '#web/features/account/providers/provider-buttons.tsx'
import { finishSignIn } from '#web/features/account/session.ts'
import { Button } from '#web/ui/button.tsx'
import { AuthDivider } from './auth-divider.tsx'
import { describePasskeyFailure } from './describe-passkey-failure.ts'
import {
  askForSignInPasskey,
  cancelPasskeyPrompt,
  challengeRenewalMs,
  isPromptGivenUp,
  offerPasskeysInField,
} from './passkey-prompts.ts'
import { isPasskeyBrowser } from './passkey-support.ts'

/** @param link requests a sign-in email; already rendered before this component loaded */
export function OtherWaysToSignIn({ link }: { link: ReactNode }) {
  const passkeys = isPasskeyBrowser()
  if (!passkeys && !link) return <ProviderButtons divided />
  return (
    <>
      <AuthDivider />
      {passkeys && <PasskeySignIn />}
      <ProviderButtons />
      {link}
    </>
  )
}

function PasskeySignIn() {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ReactNode>()
  /** The email field suggests passkeys until the member presses the button. */
  const [asked, setAsked] = useState<'inField' | 'inDialog'>('inField')
  const [round, setRound] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: each round requests a new challenge
  useEffect(() => {
    const over = new AbortController()
    const renewal = setTimeout(() => setRound(round + 1), challengeRenewalMs)
    if (asked === 'inDialog') clearTimeout(renewal)
    void signIn(over.signal)
    return () => {
      clearTimeout(renewal)
      over.abort()
      cancelPasskeyPrompt()
    }
  }, [asked, round])

  async function signIn(over: AbortSignal) {
    try {
      const assertion = await (asked === 'inDialog' ? askForSignInPasskey(over) : offerPasskeysInField(over))
      if (!assertion) return
      setBusy(true)
      setFailure(undefined)
      await callApiOperation(signInByPasskeyEndpoint, { assertion })
      localStorage.removeItem(pendingSignOutKey)
      await finishSignIn()
    } catch (error) {
      setBusy(false)
      // The member's attempt has not failed if only the suggestions are missing.
      const isShown = asked === 'inDialog' || (error instanceof ApiError && error.type.startsWith('passkey_'))
      if (isShown && !over.aborted && !isPromptGivenUp(error)) await showError(error)
      if (!over.aborted) setAsked('inField')
    }
  }

  async function showError(error: unknown) {
    setFailure(describePasskeyFailure(error) ?? (await renderAuthFailure(error)))
  }

  function press() {
    setFailure(undefined)
    setAsked('inDialog')
  }

  return (
    <>
      <Button kind="outline" size="lg" block busy={busy || asked === 'inDialog'} onClick={press}>
        <Fingerprint aria-hidden size={20} strokeWidth={2} />
        {es('Entrar con llave de acceso', 'Sign in with a passkey')}
      </Button>
      <AuthFormError text={failure} />
    </>
  )
}
