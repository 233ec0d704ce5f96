import { useRef } from 'react'
import { Link, useNavigate } from 'react-router'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { PasswordInput, TextInput } from '#web/forms/labelled-form-field.tsx'
import { useLightweightForm } from '#web/forms/use-lightweight-form.ts'
import { screenPaths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
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

/**
 * Refusals that a retry cannot mend, with the field they are about and a sentence for it. The server's own messages
 * for them are English and meant for programs.
 */
const taken: Partial<Record<string, { field: string; message: string }>> = {
  user_username_already_exists: {
    field: 'username',
    message: 'Este nombre de usuaria ya lo tiene otra. Elige otro.',
  },
  user_already_exists: { field: 'email', message: 'Este email ya tiene una cuenta. Entra con ella.' },
}

const loadOperation = async () => (await import('#contract/sign-up-and-sign-in.ts')).signUpOperation

/** Registers, signs in and loads the member; the layout then leads to Home. */
export function SignUpScreen() {
  const { busy, run, failure } = useAuthFlow()
  const navigate = useNavigate()
  const registering = useRef('')
  const { errors, blame, form } = useLightweightForm(
    async () => (await loadOperation()).input,
    (member) =>
      run(
        {
          run: async () => {
            registering.current = member.email
            return callApiOperation(await loadOperation(), member)
          },
          failureMessage: 'Sign up failed. Please try again.',
          onFailure: (error) => {
            if (!(error instanceof ApiError)) return
            const { field, message } = taken[error.type] ?? error
            if (field) blame(field, message)
          },
        },
        {
          run: () => createEmailSession(member),
          failureMessage: 'Something went wrong. Please login your new account',
          onFailure: () => navigate(screenPaths.signIn(), { state: { email: member.email } }),
        },
        { run: finishSignIn, failureMessage: 'Login failed. Please try again.' },
      ),
  )

  return (
    <>
      <PageTitle title="Crea tu cuenta en Juntas" heading="Únete a nosotras" display />
      <AuthFormIntro>Crea tu cuenta y empieza a compartir lo que haces.</AuthFormIntro>
      <form {...form} data-leads-to={screenPaths.home()} className="flex flex-col gap-4.5">
        <AuthField label="Nombre" hint="Así te verán las demás." error={errors.name}>
          {(control) => <TextInput {...control} name="name" autoComplete="name" />}
        </AuthField>
        <AuthField
          label="Nombre de usuaria"
          hint={errors.username ? undefined : 'Será tu @. Al menos 2 caracteres.'}
          error={errors.username}
        >
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
        {errors.email === taken.user_already_exists?.message && (
          <Link
            to={screenPaths.signIn()}
            state={{ email: registering.current }}
            className="-mt-3 inline-flex min-h-11 items-center self-start font-[680] text-brand-text underline underline-offset-4"
          >
            Entra con este email
          </Link>
        )}
        <AuthField
          label="Contraseña"
          hint={errors.password ? undefined : 'Mínimo 8 caracteres.'}
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
        {/* What is wrong with a field stands under it. */}
        <AuthFormError text={Object.values(errors).some(Boolean) ? undefined : failure} />
        <Button type="submit" size="lg" block busy={busy} busyLabel="Creando cuenta..." className="mt-2">
          Crear cuenta
        </Button>
      </form>
      <AuthFormSwitchLink question="¿Ya eres de las nuestras?">
        <Link to={screenPaths.signIn()}>Entra</Link>
      </AuthFormSwitchLink>
    </>
  )
}
