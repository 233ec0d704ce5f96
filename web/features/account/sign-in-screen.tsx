import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { en, es } from '#contract/language.ts'
import { ApiError } from '#web/api/client.ts'
import { PasswordInput, TextInput } from '#web/forms/labelled-form-field.tsx'
import { useLightweightForm } from '#web/forms/use-lightweight-form.ts'
import { useCommunityName } from '#web/navigation/community-identity.ts'
import { lazyPart } from '#web/navigation/lazy-part.tsx'
import { hasPageFlag } from '#web/navigation/page-flags.ts'
import { screenPaths } from '#web/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import {
  AuthField,
  AuthFormError,
  AuthFormIntro,
  AuthFormSwitchLink,
  ProviderButtonPlace,
  passwordToggleLabels,
} from './auth-form-parts.tsx'
import { ProviderReturn } from './providers/provider-return.tsx'
import { createEmailSession, finishSignIn } from './session.ts'
import { useAuthFlow } from './use-auth-flow.ts'

const loadInput = async () => (await import('#contract/account/sign-up-and-sign-in.ts')).signInOperation.input
const UnconfirmedApplicantHint = lazyPart(async () => {
  return (await import('#web/features/community/unconfirmed-applicant-hint.tsx')).UnconfirmedApplicantHint
})
const OtherWaysToSignIn = lazyPart<{ link: ReactNode }>(async () => {
  return (await import('./passkeys/other-ways-to-sign-in.tsx')).OtherWaysToSignIn
})

/** The operator's settings may make password reset impossible. */
const forgotten = hasPageFlag('no-recovery') ? undefined : (
  <Link
    to={screenPaths.recovery()}
    className="-my-2 py-2 text-label font-[640] text-brand-text hover:underline"
  >
    {es('¿La olvidaste?', 'Forgot it?')}
  </Link>
)

/** The link is not a separate chunk, so members who sign in by email do not wait for more code. */
const emailLink = forgotten && (
  <ButtonLink to={screenPaths.signInLink('link')} kind="ghost" block>
    {es('Recibir un enlace por correo', 'Get a link by email')}
  </ButtonLink>
)

const failed = en('Login failed. Please try again.', 'No pudimos entrar. Inténtalo de nuevo.')

export function SignInScreen() {
  const { busy, run, failure } = useAuthFlow()
  const community = useCommunityName()
  const registered = (useLocation().state as { email?: string } | null)?.email
  const { errors, form } = useLightweightForm(loadInput, (credentials) =>
    run(
      {
        run: () => createEmailSession(credentials),
        failureMessage: (error) =>
          error instanceof ApiError && error.type.startsWith('application_') ? undefined : failed,
      },
      { run: finishSignIn, failureMessage: failed },
    ),
  )

  return (
    <>
      <PageTitle
        title={es('Bienvenida de nuevo', 'Welcome back')}
        documentTitle={es(`Entra en ${community}`, `Sign in to ${community}`)}
        display
      />
      <AuthFormIntro>
        {es(
          'Entra y ponte al día con tus amigas y con tus grupos.',
          'Sign in and catch up with your friends and your groups.',
        )}
      </AuthFormIntro>
      <ProviderReturn />
      <form {...form} data-leads-to={screenPaths.home()} className="flex flex-col gap-4.5">
        <AuthField label={es('Email', 'Email')} error={errors.email}>
          {(control) => (
            <TextInput
              {...control}
              name="email"
              type="email"
              autoComplete="email webauthn"
              defaultValue={registered}
            />
          )}
        </AuthField>
        <AuthField label={es('Contraseña', 'Password')} counter={forgotten} error={errors.password}>
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
            {es(
              'Ya tienes cuenta con este email. Entra con tu contraseña.',
              'You already have an account with this email. Sign in with your password.',
            )}
          </p>
        )}
        <AuthFormError text={failure} />
        {typeof failure === 'string' && <UnconfirmedApplicantHint />}
        <Button
          type="submit"
          size="lg"
          block
          busy={busy}
          busyLabel={es('Entrando...', 'Signing in...')}
          className="mt-2"
        >
          {es('Entrar', 'Sign in')}
        </Button>
        <OtherWaysToSignIn
          link={emailLink}
          fallback={
            <>
              <div className="h-[5.875rem]" />
              <ProviderButtonPlace />
              {emailLink}
            </>
          }
        />
      </form>
      <AuthFormSwitchLink question={es('¿Todavía no tienes cuenta?', 'No account yet?')}>
        <Link to={screenPaths.signUp()}>{es('Crea tu cuenta', 'Create your account')}</Link>
      </AuthFormSwitchLink>
    </>
  )
}
