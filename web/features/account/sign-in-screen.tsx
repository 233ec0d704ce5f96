import { Link, useLocation } from 'react-router'
import { PasswordInput, TextInput } from '#web/forms/labelled-form-field.tsx'
import { useLightweightForm } from '#web/forms/use-lightweight-form.ts'
import { hasPageServerTiming } from '#web/navigation/server-timing.ts'
import { screenPaths } from '#web/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import {
  AuthField,
  AuthFormError,
  AuthFormIntro,
  AuthFormSwitchLink,
  passwordToggleLabels,
} from './auth-form.tsx'
import { createEmailSession, finishSignIn } from './session.ts'
import { useAuthFlow } from './use-auth-flow.ts'

const loadInput = async () => (await import('#contract/sign-up-and-sign-in.ts')).signInOperation.input
/** Leads to recovery, unless the operator's settings leave nothing to do there. */
const forgotten = hasPageServerTiming('no-recovery') ? undefined : (
  <Link
    to={screenPaths.recovery()}
    className="-my-2 py-2 text-label font-[640] text-brand-text hover:underline"
  >
    ¿La olvidaste?
  </Link>
)

const failed = 'Login failed. Please try again.'

/** Signs in and loads the member; the layout then leads to Home. */
export function SignInScreen() {
  const { busy, run, failure } = useAuthFlow()
  const registered = (useLocation().state as { email?: string } | null)?.email
  const { errors, form } = useLightweightForm(loadInput, (credentials) =>
    run(
      { run: () => createEmailSession(credentials), failureMessage: failed },
      { run: finishSignIn, failureMessage: failed },
    ),
  )

  return (
    <>
      <PageTitle title="Entra en Juntas" heading="Bienvenida de nuevo" display />
      <AuthFormIntro>Entra y ponte al día con tus amigas y con tus grupos.</AuthFormIntro>
      <form {...form} data-leads-to={screenPaths.home()} className="flex flex-col gap-4.5">
        <AuthField label="Email" error={errors.email}>
          {(control) => (
            <TextInput
              {...control}
              name="email"
              type="email"
              autoComplete="email"
              defaultValue={registered}
            />
          )}
        </AuthField>
        <AuthField label="Contraseña" counter={forgotten} error={errors.password}>
          {(control) => (
            <PasswordInput
              {...control}
              name="password"
              autoComplete="current-password"
              labels={passwordToggleLabels}
            />
          )}
        </AuthField>
        {registered && !failure && (
          <p role="status" className="text-label text-text-2">
            Ya tienes cuenta con este email. Entra con tu contraseña.
          </p>
        )}
        <AuthFormError text={failure} />
        <Button type="submit" size="lg" block busy={busy} busyLabel="Entrando..." className="mt-2">
          Entrar
        </Button>
        {forgotten && (
          <ButtonLink to={screenPaths.signInLink('link')} kind="ghost" block>
            Recibir un enlace por correo
          </ButtonLink>
        )}
      </form>
      <AuthFormSwitchLink question="¿Todavía no tienes cuenta?">
        <Link to={screenPaths.signUp()}>Crea tu cuenta</Link>
      </AuthFormSwitchLink>
    </>
  )
}
