import { useNavigate } from 'react-router'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { PasswordInput } from '#web/forms/labelled-form-field.tsx'
import { useLightweightForm } from '#web/forms/use-lightweight-form.ts'
import { screenPaths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { AuthField, AuthFormError, AuthFormIntro, passwordToggleLabels } from './auth-form.tsx'
import { EmailLinkExpired } from './email-link-expired.tsx'
import { type EmailLinkParameters, useEmailLinkAction, useEmailLinkProof } from './email-link-parts.tsx'
import { finishSignIn } from './session.ts'

/** Chooses a new password by the link of a letter, signs in with it and leads to Home. */
export function NewPasswordScreen() {
  const proof = useEmailLinkProof()
  return proof ? <NewPasswordForm proof={proof} /> : <EmailLinkExpired />
}

function NewPasswordForm({ proof }: { proof: EmailLinkParameters }) {
  const { busy, run, error, isOver, failure } = useEmailLinkAction()
  const navigate = useNavigate()
  const { errors, blame, form } = useLightweightForm(
    async () => (await import('./new-password-schema.ts')).newPasswordSchema,
    ({ password }) =>
      run(async () => {
        const { resetPasswordOperation } = await import('#contract/email-links.ts')
        try {
          await callApiOperation(resetPasswordOperation, { ...proof, password })
        } catch (refusal) {
          if (refusal instanceof ApiError && refusal.field === 'password') blame('password', refusal.message)
          throw refusal
        }
        // The password is chosen: whatever fails from here on, signing in is next.
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
      <PageTitle title="Tu contraseña nueva · Juntas" heading="Tu contraseña nueva" display />
      <AuthFormIntro>Al guardarla se cierran todas las sesiones abiertas.</AuthFormIntro>
      <form {...form} className="flex flex-col gap-4.5">
        <AuthField
          label="Contraseña"
          hint="Mínimo 8 caracteres. Tres palabras al azar van muy bien."
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
        <AuthField label="Otra vez" error={errors.passwordAgain}>
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
        <Button type="submit" size="lg" block busy={busy} busyLabel="Guardando..." className="mt-2">
          Guardar y entrar
        </Button>
      </form>
    </>
  )
}
