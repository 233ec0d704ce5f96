import { MailCheck } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { es } from '#contract/language.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { PasswordInput } from '#web/forms/labelled-form-field.tsx'
import { getCommunityName, useCommunityName } from '#web/navigation/community-identity.ts'
import { screenPaths } from '#web/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { announceAccountChange } from './account-change-broadcast.ts'
import { AuthField, AuthFormError, AuthFormIntro, passwordToggleLabels } from './auth-form-parts.tsx'
import { EmailLinkExpired } from './email-link-expired.tsx'
import {
  type EmailLinkParameters,
  EmailLinkStatus,
  useEmailLinkAction,
  useEmailLinkParameters,
} from './email-link-parts.tsx'

/** `recovery` lets a member without a password choose one. */
type Confirmed = { recovery: EmailLinkParameters | null }

/** The member must press a button, because mail scanners open links. */
export function VerifyEmailScreen() {
  const linkParameters = useEmailLinkParameters()
  const [confirmed, setConfirmed] = useState<Confirmed>()
  if (confirmed) return <Done {...confirmed} />
  return linkParameters ? (
    <ConfirmForm linkParameters={linkParameters} onConfirmed={setConfirmed} />
  ) : (
    <EmailLinkExpired to={screenPaths.settingsPage('account')} />
  )
}

type FormProps = { linkParameters: EmailLinkParameters; onConfirmed: (confirmed: Confirmed) => void }

function ConfirmForm({ linkParameters, onConfirmed }: FormProps) {
  const { busy, run, error, isOver, failure } = useEmailLinkAction()
  /** Verifying a changed address requires a session or the password. */
  const [asksPassword, setAsksPassword] = useState(false)
  if (isOver) return <EmailLinkExpired to={screenPaths.settingsPage('account')} />
  const type = error instanceof ApiError ? error.type : ''
  const reason =
    type === 'user_already_exists'
      ? es('Este correo es ahora de otra cuenta.', 'This email belongs to another account now.')
      : failure

  function confirm(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const password = new FormData(event.currentTarget).get('password')
    run(async () => {
      const { confirmEmailOperation } = await import('#contract/account/email-links.ts')
      try {
        const given = password ? { ...linkParameters, password: `${password}` } : linkParameters
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
      <PageTitle title={es('Confirma tu correo', 'Confirm your email')} display />
      <AuthFormIntro>
        {asksPassword
          ? es(
              'Aquí no has entrado en la cuenta. Escribe también su contraseña.',
              'You are not signed in here. Enter the account’s password too.',
            )
          : es('Así sabemos que este correo es tuyo.', 'So we know that this email is yours.')}
      </AuthFormIntro>
      <form onSubmit={confirm} className="flex flex-col gap-4.5">
        {asksPassword && (
          <AuthField label={es('Contraseña de la cuenta', 'The account’s password')}>
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
        <AuthFormError text={type === 'user_invalid_credentials' ? describeWrongPassword() : reason} />
        <Button type="submit" size="lg" block busy={busy} busyLabel={es('Confirmando...', 'Confirming...')}>
          {es('Confirmar mi correo', 'Confirm my email')}
        </Button>
      </form>
    </>
  )
}

function describeWrongPassword(): string {
  const community = getCommunityName()
  return es(
    `Hace falta la contraseña de la cuenta. Si no tienes cuenta en ${community}, ignora el correo.`,
    `You need the account’s password. If you have no account on ${community}, ignore the email.`,
  )
}

function Done({ recovery }: Confirmed) {
  const community = useCommunityName()
  return (
    <EmailLinkStatus
      icon={MailCheck}
      color="success"
      title={es('Correo confirmado', 'Email confirmed')}
      lead={
        recovery
          ? es(
              'Gracias. Ahora elige una contraseña, porque no habías entrado en tu cuenta.',
              'Thank you. Now choose a password, because you weren’t signed in here.',
            )
          : es(
              'Gracias. Ya puedes recuperar tu cuenta con este correo.',
              'Thank you. You can now recover your account with this email.',
            )
      }
    >
      {recovery ? (
        <ButtonLink to={screenPaths.newPassword()} state={recovery} replace size="lg" block>
          {es('Elegir contraseña', 'Choose a password')}
        </ButtonLink>
      ) : (
        <ButtonLink to={screenPaths.home()} replace size="lg" block>
          {es(`Ir a ${community}`, `Go to ${community}`)}
        </ButtonLink>
      )}
    </EmailLinkStatus>
  )
}
