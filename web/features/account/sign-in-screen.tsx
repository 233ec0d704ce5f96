import { Link, useLocation } from 'react-router'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordInput, TextInput } from '#web/ui/field.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { useCheckedForm } from '#web/ui/use-checked-form.ts'
import { AuthField, Lead, OtherWay, passwordLabels } from './auth-form.tsx'
import { enter, openSession } from './session.ts'
import { useSteps } from './use-steps.ts'

const loadInput = async () => (await import('#contract/account.ts')).signInInput
const failed = 'Login failed. Please try again.'

/** Logs in and checks who that is; the layout leads a member on to Home (spec §4 Sign-in flow). */
export function SignInScreen() {
  const { busy, run } = useSteps()
  const registered = (useLocation().state as { email?: string } | null)?.email
  const { errors, form } = useCheckedForm(loadInput, (credentials) =>
    run({ take: () => openSession(credentials), otherwise: failed }, { take: enter, otherwise: failed }),
  )

  return (
    <>
      <PageTitle title="Entra en Juntas" heading="Bienvenida de nuevo" display />
      <Lead>Entra y ponte al día con tus amigas y con tus grupos.</Lead>
      <form {...form} className="flex flex-col gap-4.5">
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
        <AuthField label="Contraseña" error={errors.password}>
          {(control) => (
            <PasswordInput
              {...control}
              name="password"
              autoComplete="current-password"
              labels={passwordLabels}
            />
          )}
        </AuthField>
        <Button type="submit" size="lg" block busy={busy} busyLabel="Entrando..." className="mt-2">
          Entrar
        </Button>
      </form>
      <OtherWay question="¿Todavía no tienes cuenta?">
        <Link to={paths.signUp()}>Crea tu cuenta</Link>
      </OtherWay>
    </>
  )
}
