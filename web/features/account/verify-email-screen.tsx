import { MailCheck } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { PasswordInput } from '#web/forms/labelled-form-field.tsx'
import { screenPaths } from '#web/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { announceAccountChange } from './account-channel.ts'
import { AuthField, AuthFormError, AuthFormIntro, passwordToggleLabels } from './auth-form.tsx'
import { EmailLinkExpired } from './email-link-expired.tsx'
import {
  type EmailLinkParameters,
  EmailLinkStatus,
  useEmailLinkAction,
  useEmailLinkProof,
} from './email-link-parts.tsx'

/** What a confirmed address leaves to do: nothing, or choosing a password. */
type Confirmed = { recovery: EmailLinkParameters | null }

/** Confirms an e-mail address: the link of the letter shows a button, because mail scanners open links too. */
export function VerifyEmailScreen() {
  const proof = useEmailLinkProof()
  const [confirmed, setConfirmed] = useState<Confirmed>()
  if (confirmed) return <Done {...confirmed} />
  return proof ? (
    <ConfirmForm proof={proof} onConfirmed={setConfirmed} />
  ) : (
    <EmailLinkExpired to={screenPaths.settingsPage('account')} />
  )
}

type FormProps = { proof: EmailLinkParameters; onConfirmed: (confirmed: Confirmed) => void }

function ConfirmForm({ proof, onConfirmed }: FormProps) {
  const { busy, run, error, isOver, failure } = useEmailLinkAction()
  /** A changed address is confirmed by somebody who is signed in to the account or knows its password. */
  const [asksPassword, setAsksPassword] = useState(false)
  if (isOver) return <EmailLinkExpired to={screenPaths.settingsPage('account')} />
  const type = error instanceof ApiError ? error.type : ''
  const reason = type === 'user_already_exists' ? 'Este correo es ahora de otra cuenta.' : failure

  function confirm(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const password = new FormData(event.currentTarget).get('password')
    run(async () => {
      const { confirmEmailOperation } = await import('#contract/email-links.ts')
      try {
        const given = password ? { ...proof, password: `${password}` } : proof
        onConfirmed(await callApiOperation(confirmEmailOperation, given))
        announceAccountChange()
      } catch (refusal) {
        if (refusal instanceof ApiError && refusal.type === 'user_invalid_credentials') setAsksPassword(true)
        throw refusal
      }
    })
  }

  return (
    <>
      <PageTitle title="Confirma tu correo · Juntas" heading="Confirma tu correo" display />
      <AuthFormIntro>
        {asksPassword
          ? 'Aquí no has entrado en la cuenta. Escribe también su contraseña.'
          : 'Así sabemos que este correo es tuyo.'}
      </AuthFormIntro>
      <form onSubmit={confirm} className="flex flex-col gap-4.5">
        {asksPassword && (
          <AuthField label="Contraseña de la cuenta">
            {(control) => (
              <PasswordInput
                {...control}
                name="password"
                autoComplete="current-password"
                labels={passwordToggleLabels}
              />
            )}
          </AuthField>
        )}
        <AuthFormError text={type === 'user_invalid_credentials' ? wrongPassword : reason} />
        <Button type="submit" size="lg" block busy={busy} busyLabel="Confirmando...">
          Confirmar mi correo
        </Button>
      </form>
    </>
  )
}

const wrongPassword = 'Hace falta la contraseña de la cuenta. Si no tienes una en Juntas, ignora el mensaje.'

function Done({ recovery }: Confirmed) {
  return (
    <EmailLinkStatus
      icon={MailCheck}
      color="success"
      title="Correo confirmado"
      lead={
        recovery
          ? 'Gracias. Elige ahora la contraseña: aquí no habías entrado en tu cuenta.'
          : 'Gracias. Desde ahora puedes recuperar tu cuenta con este correo.'
      }
    >
      {recovery ? (
        <ButtonLink to={screenPaths.newPassword()} state={recovery} replace size="lg" block>
          Elegir contraseña
        </ButtonLink>
      ) : (
        <ButtonLink to={screenPaths.home()} replace size="lg" block>
          Ir a Juntas
        </ButtonLink>
      )}
    </EmailLinkStatus>
  )
}
