import { useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { applyOperation } from '#contract/community/applications.ts'
import { en, es } from '#contract/language.ts'
import type { OperationInput } from '#contract/operation.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { type Community, useCommunity } from '#web/features/community/use-community.ts'
import { PasswordInput, TextInput } from '#web/forms/labelled-form-field.tsx'
import { toastFailureUnlessFieldError } from '#web/forms/toast-failure-unless-field-error.ts'
import { useLightweightForm } from '#web/forms/use-lightweight-form.ts'
import { useCommunityName } from '#web/navigation/community-identity.ts'
import { lazyPart } from '#web/navigation/lazy-part.tsx'
import { screenPaths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { dismissToast } from '#web/ui/toast/toast-store.ts'
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

/** Replaces the server's messages, which are English and written for programs. */
const taken: Partial<Record<string, { field: string; message: string }>> = {
  user_username_already_exists: {
    field: 'username',
    message: es(
      'Este nombre de usuaria ya lo tiene otra. Elige otro.',
      'Someone else has this username. Choose another.',
    ),
  },
  user_already_exists: {
    field: 'email',
    message: es(
      'Este email ya tiene una cuenta. Entra con ella.',
      'This email already has an account. Sign in with it.',
    ),
  },
}

const signUpFailedMessage = en(
  'Sign up failed. Please try again.',
  'No pudimos crear la cuenta. Inténtalo de nuevo.',
)

const applicationFailedMessage = en(
  'Your application was not sent. Please try again.',
  'No pudimos enviar tu solicitud. Inténtalo de nuevo.',
)

const loadSignUp = async () => (await import('#contract/account/sign-up-and-sign-in.ts')).signUpOperation
const loadApply = async () => (await import('#contract/community/applications.ts')).applyOperation

const loadRegistrationParts = () => import('#web/features/community/deferred-sign-up-parts.ts')
const RegistrationNotice = lazyPart(async () => (await loadRegistrationParts()).RegistrationNotice)
const HouseRulesCheckbox = lazyPart(async () => (await loadRegistrationParts()).HouseRulesCheckbox)
const ApplicationFields = lazyPart(async () => (await loadRegistrationParts()).ApplicationFields)
const ApplicationSent = lazyPart(async () => (await loadRegistrationParts()).ApplicationSent)

const ProviderButtons = lazyPart<{ invite: string | undefined; signsUp: boolean; divided: boolean }>(
  async () => (await import('./providers/provider-buttons.tsx')).ProviderButtons,
)

export function SignUpScreen() {
  const [community, reload] = useCommunity()
  const applies = community?.registration === 'approval'
  const form = (
    <SignUpForm
      community={community}
      onRulesChanged={reload}
      applies={applies}
      intro={
        applies
          ? es(
              'Alguien de aquí lee cada solicitud y te responde.',
              'Someone here reads every application and replies to you.',
            )
          : es(
              'Crea tu cuenta y empieza a compartir lo que haces.',
              'Create your account and start sharing what you do.',
            )
      }
    />
  )
  if (community === undefined || applies || community.registration === 'open') return form
  return <RegistrationNotice community={community} fallback={form} />
}

type SentApplication = OperationInput<typeof applyOperation>

type FormProps = {
  community: Community | undefined
  onRulesChanged: () => void
  intro: string
  invite?: string
  applies?: boolean
}

export function SignUpForm({ community, onRulesChanged, intro, invite, applies = false }: FormProps) {
  const [application, setApplication] = useState<SentApplication>()
  /** Whether the form shows a sent application again. */
  const [corrects, setCorrects] = useState(false)
  const { busy, run, failure } = useAuthFlow()
  const communityName = useCommunityName()
  const [rules, setRules] = useState({ read: false, missing: false })
  const hasRules = community !== undefined && community.rules.length > 0
  const navigate = useNavigate()
  const registering = useRef('')
  const refusalToast = useRef<number>(undefined)
  const { errors, blame, form } = useLightweightForm(
    async () => (applies ? await loadApply() : await loadSignUp()).input,
    (member) => {
      if (hasRules && !rules.read) return setRules({ read: false, missing: true })
      const rulesVersion = hasRules ? community.rulesVersion : undefined
      const register: Parameters<typeof run>[0] = {
        run: async () => {
          registering.current = member.email
          if (applies) {
            const given = { answer: '', ...member, rulesVersion }
            await callApiOperation(await loadApply(), given)
            setCorrects(false)
            return setApplication(given)
          }
          return callApiOperation(await loadSignUp(), { ...member, invite, rulesVersion, welcome: true })
        },
        onFailure: (error) => {
          const { field, message = '' } = error instanceof ApiError ? (taken[error.type] ?? error) : {}
          refusalToast.current = toastFailureUnlessFieldError(
            { title: applies ? applicationFailedMessage : signUpFailedMessage },
            field !== undefined,
          )
          if (error instanceof ApiError && error.type === 'rules_unseen') {
            setRules({ read: false, missing: true })
            return onRulesChanged()
          }
          if (field) blame(field, message)
        },
      }
      if (applies) return run(register)
      run(
        register,
        {
          run: () => createEmailSession(member),
          failureMessage: en(
            'Something went wrong. Please login your new account',
            'Algo salió mal. Entra con tu cuenta nueva',
          ),
          onFailure: () => navigate(screenPaths.signIn(), { state: { email: member.email } }),
        },
        {
          run: finishSignIn,
          failureMessage: en('Login failed. Please try again.', 'No pudimos entrar. Inténtalo de nuevo.'),
        },
      )
    },
  )

  if (application && community && !corrects)
    return (
      <ApplicationSent
        key={application.email}
        email={application.email}
        password={application.password}
        community={community}
        onAgain={async () => callApiOperation(await loadApply(), application)}
        onOther={() => setCorrects(true)}
      />
    )
  return (
    <>
      <PageTitle
        title={es('Únete a nosotras', 'Join us')}
        documentTitle={es(`Crea tu cuenta en ${communityName}`, `Create your ${communityName} account`)}
        display
      />
      <AuthFormIntro>{intro}</AuthFormIntro>
      <ProviderReturn />
      <form
        {...form}
        onChange={(event) => {
          form.onChange(event)
          if (refusalToast.current !== undefined) dismissToast(refusalToast.current)
        }}
        data-leads-to={applies ? undefined : screenPaths.home()}
        className="flex flex-col gap-4.5"
      >
        <AuthField
          label={es('Nombre', 'Name')}
          hint={es('Así te verán las demás.', 'This is how the others see you.')}
          error={errors.name}
        >
          {(control) => (
            <TextInput {...control} name="name" autoComplete="name" defaultValue={application?.name} />
          )}
        </AuthField>
        <AuthField
          label={es('Nombre de usuaria', 'Username')}
          hint={
            errors.username
              ? undefined
              : es('Será tu @. Al menos 2 caracteres.', 'It will be your @. At least 2 characters.')
          }
          error={errors.username}
        >
          {(control) => (
            <TextInput
              {...control}
              name="username"
              autoComplete="username"
              defaultValue={application?.username}
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
            />
          )}
        </AuthField>
        <AuthField label={es('Email', 'Email')} error={errors.email}>
          {(control) => (
            <TextInput
              {...control}
              name="email"
              type="email"
              autoComplete="email"
              defaultValue={application?.email}
              autoFocus={corrects}
            />
          )}
        </AuthField>
        {errors.email === taken.user_already_exists?.message && (
          <Link
            to={screenPaths.signIn()}
            state={{ email: registering.current }}
            className="-mt-3 inline-flex min-h-11 items-center self-start font-[680] text-brand-text underline underline-offset-4"
          >
            {es('Entra con este email', 'Sign in with this email')}
          </Link>
        )}
        <AuthField
          label={es('Contraseña', 'Password')}
          hint={errors.password ? undefined : es('Mínimo 8 caracteres.', 'At least 8 characters.')}
          error={errors.password}
        >
          {(control) => (
            <PasswordInput
              {...control}
              name="password"
              autoComplete="new-password"
              defaultValue={application?.password}
              labels={passwordToggleLabels}
            />
          )}
        </AuthField>
        {applies && (
          <ApplicationFields
            question={community?.applicationQuestion}
            errors={errors}
            answer={application?.answer}
            voucher={application?.voucher}
          />
        )}
        {hasRules && (
          <HouseRulesCheckbox
            checked={rules.read}
            missing={rules.missing}
            onChange={(read) => setRules({ read, missing: false })}
          />
        )}
        {/* Field errors appear below their fields. */}
        <AuthFormError text={Object.values(errors).some(Boolean) ? undefined : failure} />
        <Button
          type="submit"
          size="lg"
          block
          busy={busy}
          busyLabel={
            applies ? es('Enviando...', 'Sending...') : es('Creando cuenta...', 'Creating account...')
          }
          className="mt-2"
        >
          {applies ? es('Enviar solicitud', 'Send application') : es('Crear cuenta', 'Create account')}
        </Button>
        {!applies && (
          <ProviderButtons invite={invite} signsUp divided fallback={<ProviderButtonPlace divided />} />
        )}
      </form>
      <AuthFormSwitchLink question={es('¿Ya eres de las nuestras?', 'Already one of us?')}>
        <Link to={screenPaths.signIn()}>{es('Entra', 'Sign in')}</Link>
      </AuthFormSwitchLink>
    </>
  )
}
