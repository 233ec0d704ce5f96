import { Link, useNavigate } from 'react-router'
import { ApiError, call } from '#web/api.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordInput, TextInput } from '#web/ui/field.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { useCheckedForm } from '#web/ui/use-checked-form.ts'
import { AuthField, Lead, OtherWay, passwordLabels } from './auth-form.tsx'
import { enter, openSession } from './session.ts'
import { useSteps } from './use-steps.ts'

/** Trying again, as the toast says, helps against neither of these; the catalogue tells programs of them, in English. */
const taken: Partial<Record<string, { field: string; message: string }>> = {
  user_username_already_exists: {
    field: 'username',
    message: 'Este nombre de usuaria ya lo tiene otra. Elige otro.',
  },
  user_already_exists: { field: 'email', message: 'Este email ya tiene una cuenta. Entra con ella.' },
}

const loadOperation = async () => (await import('#contract/account.ts')).signUp

/** Registers, logs in, checks who that is; the layout leads a member on to Home (spec §4 Sign-up flow). */
export function SignUpScreen() {
  const { busy, run } = useSteps()
  const navigate = useNavigate()
  const { errors, blame, form } = useCheckedForm(
    async () => (await loadOperation()).input,
    (member) =>
      run(
        {
          take: async () => call(await loadOperation(), member),
          otherwise: 'Sign up failed. Please try again.',
          besides: (error) => {
            if (!(error instanceof ApiError)) return
            const { field, message } = taken[error.type] ?? error
            if (field) blame(field, message)
          },
        },
        {
          take: () => openSession(member),
          otherwise: 'Something went wrong. Please login your new account',
          besides: () => navigate(paths.signIn(), { state: { email: member.email } }),
        },
        { take: enter, otherwise: 'Login failed. Please try again.' },
      ),
  )

  return (
    <>
      <PageTitle title="Crea tu cuenta en Juntas" heading="Únete a nosotras" display />
      <Lead>Crea tu cuenta y empieza a compartir lo que haces.</Lead>
      <form {...form} className="flex flex-col gap-4.5">
        <AuthField label="Nombre" hint="Así te verán las demás." error={errors.name}>
          {(control) => <TextInput {...control} name="name" autoComplete="name" />}
        </AuthField>
        <AuthField label="Nombre de usuaria" hint="Será tu @. Al menos 2 caracteres." error={errors.username}>
          {(control) => (
            <TextInput
              {...control}
              name="username"
              autoComplete="username"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
            />
          )}
        </AuthField>
        <AuthField label="Email" error={errors.email}>
          {(control) => <TextInput {...control} name="email" type="email" autoComplete="email" />}
        </AuthField>
        <AuthField label="Contraseña" hint="Mínimo 8 caracteres." error={errors.password}>
          {(control) => (
            <PasswordInput {...control} name="password" autoComplete="new-password" labels={passwordLabels} />
          )}
        </AuthField>
        <Button type="submit" size="lg" block busy={busy} busyLabel="Creando cuenta..." className="mt-2">
          Crear cuenta
        </Button>
      </form>
      <OtherWay question="¿Ya eres de las nuestras?">
        <Link to={paths.signIn()}>Entra</Link>
      </OtherWay>
    </>
  )
}
