import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { appealSuspensionAfterSecondStepEndpoint } from '#contract/generated-endpoints.ts'
import { es } from '#contract/language.ts'
import { ApiError, callApiOperation, sendApiRequest } from '#web/api/client.ts'
import { AuthDivider } from '#web/features/account/passkeys/auth-divider.tsx'
import { SecondStepByPasskey } from '#web/features/account/passkeys/second-step-by-passkey.tsx'
import { Checkbox } from '#web/forms/checkbox.tsx'
import { CodeInput } from '#web/forms/code-input.tsx'
import { TextInput } from '#web/forms/labelled-form-field.tsx'
import { screenPaths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { renderAuthFailure } from './auth-error-message.tsx'
import { AuthField, AuthFormError, AuthFormIntro } from './auth-form-parts.tsx'
import { finishSignIn } from './session.ts'

type Factor = 'totp' | 'recoverycode'

const leads: Record<Factor, string> = {
  totp: es(
    'Escribe el código de seis dígitos de tu aplicación de autenticación.',
    'Enter the six-digit code from your authenticator app.',
  ),
  recoverycode: es(
    'Escribe uno de tus códigos de recuperación. Cada uno vale una vez.',
    'Enter one of your recovery codes. Each works once.',
  ),
}

export function SecondStepScreen() {
  const [factor, setFactor] = useState<Factor>('totp')
  const [failure, setFailure] = useState<ReactNode>()
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const navigate = useNavigate()

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    const given = new FormData(event.currentTarget)
    const body = {
      factor,
      code: String(given.get('code')),
      ...(factor === 'totp' ? { trustBrowser: given.has('more') } : { turnOff: given.has('more') }),
    }
    setBusy(true)
    setFailure(undefined)
    try {
      await sendApiRequest('PUT', '/sessions/current/second-step', body)
      await enter()
    } catch (error) {
      await refuse(error)
      setBusy(false)
      form.current?.querySelector('input')?.focus()
    }
  }

  /** With a recovery code, the checkbox has a different meaning. */
  const trustsBrowser = () =>
    factor === 'totp' && form.current !== null && new FormData(form.current).has('more')

  async function enter() {
    await finishSignIn()
    await navigate(screenPaths.home(), { replace: true })
  }

  async function refuse(why: unknown) {
    if (isOver(why)) await navigate(screenPaths.signIn(), { replace: true })
    setFailure(typeof why === 'string' ? why : await describeFailure(why))
  }

  function choose(other: Factor) {
    setFactor(other)
    setFailure(undefined)
  }

  return (
    <>
      <PageTitle title={es('Un paso más', 'One more step')} display />
      <AuthFormIntro>{leads[factor]}</AuthFormIntro>
      <form ref={form} key={factor} onSubmit={submit} noValidate className="flex flex-col gap-4.5">
        {factor === 'totp' ? (
          <AuthField label={es('Código', 'Code')}>
            {(control) => <CodeInput {...control} name="code" required />}
          </AuthField>
        ) : (
          <AuthField label={es('Código de recuperación', 'Recovery code')}>
            {(control) => (
              <TextInput
                {...control}
                name="code"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
              />
            )}
          </AuthField>
        )}
        <label className="flex min-h-11 items-center gap-3 font-[620]">
          <Checkbox name="more" />
          {factor === 'totp'
            ? es('No preguntar en este navegador durante 30 días', 'Don’t ask in this browser for 30 days')
            : es(
                'Ya no tengo esa aplicación: desactivar la verificación en dos pasos',
                'I no longer have that app: turn off two-step verification',
              )}
        </label>
        <AuthFormError text={failure} />
        <Button type="submit" size="lg" block busy={busy} busyLabel={es('Entrando...', 'Signing in...')}>
          {es('Entrar', 'Sign in')}
        </Button>
        <AuthDivider />
        <SecondStepByPasskey trustsBrowser={trustsBrowser} onDone={enter} onFailure={refuse} />
        <Button kind="ghost" block onClick={() => choose(factor === 'totp' ? 'recoverycode' : 'totp')}>
          {factor === 'totp'
            ? es('Usar un código de recuperación', 'Use a recovery code')
            : es('Usar la aplicación de autenticación', 'Use the authenticator app')}
        </Button>
      </form>
    </>
  )
}

const isOver = (error: unknown) =>
  error instanceof ApiError && ['user_session_not_found', 'general_unauthorized_scope'].includes(error.type)

const askForReview = (text: string) => callApiOperation(appealSuspensionAfterSecondStepEndpoint, { text })

/** Only a correct code reveals the state of the account. */
async function describeFailure(error: unknown): Promise<ReactNode> {
  const { code, type } = error instanceof ApiError ? error : { code: 0, type: '' }
  if ((code === 400 || code === 401) && type !== 'user_blocked')
    return es(
      'Ese código no vale. Comprueba la hora de tu teléfono.',
      'That code doesn’t work. Check your phone’s clock.',
    )
  return renderAuthFailure(error, askForReview)
}
