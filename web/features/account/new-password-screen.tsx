import { useNavigate } from 'react-router'
import { es } from '#contract/language.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { PasswordInput } from '#web/forms/labelled-form-field.tsx'
import { useLightweightForm } from '#web/forms/use-lightweight-form.ts'
import { screenPaths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { AuthField, AuthFormError, AuthFormIntro, passwordToggleLabels } from './auth-form-parts.tsx'
import { EmailLinkExpired } from './email-link-expired.tsx'
import { type EmailLinkParameters, useEmailLinkAction, useEmailLinkParameters } from './email-link-parts.tsx'
import { finishSignIn } from './session.ts'

export function NewPasswordScreen() {
  const linkParameters = useEmailLinkParameters()
  return linkParameters ? <NewPasswordForm linkParameters={linkParameters} /> : <EmailLinkExpired />
}

function NewPasswordForm({ linkParameters }: { linkParameters: EmailLinkParameters }) {
  const { busy, run, error, isOver, failure } = useEmailLinkAction()
  const navigate = useNavigate()
  const { errors, blame, form } = useLightweightForm(
    async () => (await import('./new-password-schema.ts')).newPasswordSchema,
    ({ password }) =>
      run(async () => {
        const { resetPasswordOperation } = await import('#contract/account/email-links.ts')
        try {
          await callApiOperation(resetPasswordOperation, { ...linkParameters, password })
        } catch (refusal) {
          if (refusal instanceof ApiError && refusal.field === 'password') blame('password', refusal.message)
          throw refusal
        }
        // The password is set. If a later step fails, the member signs in with it.
        const signedIn = await finishSignIn().then(
          () => true,
          () => false,
        )
        await navigate(signedIn ? screenPaths.home() : screenPaths.signIn(), { replace: true })
      }),
  )
  if (isOver) return <EmailLinkExpired />
  const isAboutField = error instanceof ApiError && error.field === 'password'
  return (
    <>
      <PageTitle title={es('Tu contraseña nueva', 'Your new password')} display />
      <AuthFormIntro>
        {es('Al guardarla se cierran todas las sesiones abiertas.', 'Saving it ends all open sessions.')}
      </AuthFormIntro>
      <form {...form} className="flex flex-col gap-4.5">
        <AuthField
          label={es('Contraseña', 'Password')}
          hint={es(
            'Mínimo 8 caracteres. Tres palabras al azar van muy bien.',
            'At least 8 characters. Three random words make a good one.',
          )}
          error={errors.password}
        >
          {(control) => (
            <PasswordInput
              {...control}
              name="password"
              autoComplete="new-password"
              labels={passwordToggleLabels}
            />
          )}
        </AuthField>
        <AuthField label={es('Repite la contraseña', 'Repeat the password')} error={errors.passwordAgain}>
          {(control) => (
            <PasswordInput
              {...control}
              name="passwordAgain"
              autoComplete="new-password"
              labels={passwordToggleLabels}
            />
          )}
        </AuthField>
        <AuthFormError text={isAboutField ? undefined : failure} />
        <Button
          type="submit"
          size="lg"
          block
          busy={busy}
          busyLabel={es('Guardando...', 'Saving...')}
          className="mt-2"
        >
          {es('Guardar y entrar', 'Save and sign in')}
        </Button>
      </form>
    </>
  )
}
