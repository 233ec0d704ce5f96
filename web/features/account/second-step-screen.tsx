import { type FormEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { ApiError, sendApiRequest } from '#web/api/client.ts'
import { CodeInput } from '#web/forms/code-input.tsx'
import { TextInput } from '#web/forms/labelled-form-field.tsx'
import { screenPaths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { getAuthErrorMessage } from './auth-error-message.tsx'
import { AuthField, AuthFormError, AuthFormIntro } from './auth-form.tsx'
import { finishSignIn } from './session.ts'

type Factor = 'totp' | 'recoverycode'

const leads: Record<Factor, string> = {
  totp: 'Escribe los seis dígitos de tu aplicación de códigos.',
  recoverycode: 'Escribe uno de los códigos que guardaste. Cada uno vale una vez.',
}

/** Asks for the second step of signing in, by a code of an app or a recovery code, and leads to Home. */
export function SecondStepScreen() {
  const [factor, setFactor] = useState<Factor>('totp')
  const [failure, setFailure] = useState<string>()
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
      await finishSignIn()
      await navigate(screenPaths.home(), { replace: true })
    } catch (error) {
      if (isOver(error)) await navigate(screenPaths.signIn(), { replace: true })
      setFailure(describeFailure(error))
      setBusy(false)
      form.current?.querySelector('input')?.focus()
    }
  }

  function choose(other: Factor) {
    setFactor(other)
    setFailure(undefined)
  }

  return (
    <>
      <PageTitle title="Un paso más · Juntas" heading="Un paso más" display />
      <AuthFormIntro>{leads[factor]}</AuthFormIntro>
      <form ref={form} key={factor} onSubmit={submit} noValidate className="flex flex-col gap-4.5">
        {factor === 'totp' ? (
          <AuthField label="Código">{(control) => <CodeInput {...control} name="code" required />}</AuthField>
        ) : (
          <AuthField label="Código de recuperación">
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
          <input type="checkbox" name="more" className="size-5.5 flex-none accent-brand" />
          {factor === 'totp'
            ? 'No preguntar en este navegador durante 30 días'
            : 'Ya no tengo esa aplicación: quita la verificación en dos pasos'}
        </label>
        <AuthFormError text={failure} />
        <Button type="submit" size="lg" block busy={busy} busyLabel="Entrando...">
          Entrar
        </Button>
        <Button kind="ghost" block onClick={() => choose(factor === 'totp' ? 'recoverycode' : 'totp')}>
          {factor === 'totp' ? 'Usar un código de recuperación' : 'Usar la aplicación de códigos'}
        </Button>
      </form>
    </>
  )
}

/** Whether the session no longer waits: signing in begins anew. */
const isOver = (error: unknown) =>
  error instanceof ApiError && ['user_session_not_found', 'general_unauthorized_scope'].includes(error.type)

function describeFailure(error: unknown): string {
  const code = error instanceof ApiError ? error.code : 0
  if (code === 429) return 'Demasiados intentos. Prueba dentro de una hora.'
  if (code === 400 || code === 401) return 'Ese código no vale. Comprueba la hora de tu teléfono.'
  return getAuthErrorMessage(error)
}
