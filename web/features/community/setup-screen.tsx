import { type FormEvent, type ReactNode, useCallback, useState } from 'react'
import { Navigate, useParams } from 'react-router'
import type { RegistrationMode } from '#contract/community/community.ts'
import { houseRuleLimits } from '#contract/community/community-limits.ts'
import { defaultCommunityName } from '#contract/community/community-name-and-logo.ts'
import { checkSetupLinkEndpoint, setUpCommunityEndpoint } from '#contract/generated-endpoints.ts'
import { en, es, getLanguageSet } from '#contract/language.ts'
import type { OperationInput } from '#contract/operation.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import {
  AuthField,
  AuthFormError,
  AuthFormIntro,
  passwordToggleLabels,
} from '#web/features/account/auth-form-parts.tsx'
import { createEmailSession, finishSignIn, useSessionStatus } from '#web/features/account/session.ts'
import { useAuthFlow } from '#web/features/account/use-auth-flow.ts'
import { PasswordInput, TextInput } from '#web/forms/labelled-form-field.tsx'
import { useLightweightForm } from '#web/forms/use-lightweight-form.ts'
import { storeLanguage } from '#web/layout/language-buttons.tsx'
import { screenPaths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import {
  ApplicationQuestionField,
  CommunityContactField,
  CommunityNameField,
  HouseRulesField,
  RegistrationChoice,
  type RegistrationWords,
  splitHouseRules,
} from './community-fields.tsx'
import { defaultApplicationQuestion } from './default-application-question.ts'
import { PublicPageLayout } from './public-page-layout.tsx'
import { useCommunity } from './use-community.ts'
import { useVisitorQuery } from './use-visitor-query.ts'

const registrationWords: RegistrationWords = {
  invite: {
    label: es('Por invitación', 'By invitation'),
    text: es(
      'Para unirse hace falta una invitación. Recomendado.',
      'New members need an invitation. Recommended.',
    ),
  },
  approval: {
    label: es('Con aprobación', 'With approval'),
    text: es(
      'Las personas envían una solicitud y tú decides. Con invitación se entra al momento.',
      'People apply, and you decide. With an invitation they join right away.',
    ),
  },
  open: {
    label: es('Abierta', 'Open'),
    text: es('Cualquiera puede crear una cuenta.', 'Anyone can sign up.'),
  },
  closed: {
    label: es('Cerrada', 'Closed'),
    text: es('No se admiten cuentas nuevas.', 'Closed to new members.'),
  },
}

/** Has three steps. The server prints this screen's link when it first starts. */
export function SetupScreen() {
  const { secret = '' } = useParams()
  const session = useSessionStatus()
  const query = useVisitorQuery(
    useCallback(
      async (signal) => {
        await callApiOperation(checkSetupLinkEndpoint, { secret }, signal)
        return true
      },
      [secret],
    ),
  )
  if (session === 'member') return <Navigate to={screenPaths.home()} replace />
  return (
    <PublicPageLayout name="juntas" narrow languageChoice>
      {query.error instanceof ApiError && query.error.code < 500 ? (
        <>
          <PageTitle
            title={es('Enlace usado', 'Link used')}
            heading={es('Este enlace ya no vale', 'This link is no longer valid')}
            display
          />
          <AuthFormIntro>
            {es(
              'La comunidad ya está configurada, o al enlace le falta una parte.',
              'The community is already set up, or a part of the link is missing.',
            )}
          </AuthFormIntro>
        </>
      ) : (
        <QueryView
          query={query}
          title={es('Prepara tu comunidad', 'Set up your community')}
          skeleton={<Skeleton className="h-80" />}
        >
          {() => <SetupSteps secret={secret} />}
        </QueryView>
      )}
    </PublicPageLayout>
  )
}

type Answers = {
  step: number
  name: string
  registration: RegistrationMode
  question: string
  rules: string
  contact: string
}

const answersKey = 'juntas-setup'
const firstAnswers: Answers = {
  step: 0,
  name: defaultCommunityName,
  registration: 'invite',
  question: '',
  rules: '',
  contact: '',
}

/** Choosing another language reloads the page, so the answers are in the storage of the tab. */
function useStoredAnswers(): [Answers, (changed: Partial<Answers>) => void] {
  const [answers, setAnswers] = useState<Answers>(() => ({
    ...firstAnswers,
    ...JSON.parse(sessionStorage.getItem(answersKey) ?? '{}'),
  }))
  const change = (changed: Partial<Answers>) => {
    const next = { ...answers, ...changed }
    sessionStorage.setItem(answersKey, JSON.stringify(next))
    setAnswers(next)
  }
  return [answers, change]
}

function SetupSteps({ secret }: { secret: string }) {
  const [place] = useCommunity()
  const [{ step, name, registration, question, rules, contact }, change] = useStoredAnswers()
  const setStep = (next: number) => change({ step: next })
  const community = {
    ...{ name, registration, contact },
    rules: splitHouseRules(rules),
    applicationQuestion: question,
  }
  const tooMany = community.rules.length > houseRuleLimits.count

  return (
    <>
      <StepBar step={step} />
      <PageTitle
        title={es('Prepara tu comunidad', 'Set up your community')}
        heading={
          [
            es('Prepara tu comunidad', 'Set up your community'),
            es('Normas de la casa', 'House rules'),
            es('Tu cuenta', 'Your account'),
          ][step] as string
        }
        display
      />
      {step === 0 && (
        <Step
          intro={es(
            'Tres pasos: la comunidad, sus normas y tu cuenta. Después podrás cambiarlo todo en Administración.',
            'Three steps: the community, its rules and your account. You can change everything later under Administration.',
          )}
          ready={name.trim() !== ''}
          onNext={() => setStep(1)}
        >
          <CommunityNameField
            label={es('Nombre de la comunidad', 'Community name')}
            value={name}
            onChange={(name) => change({ name })}
          />
          <RegistrationChoice
            legend={es('¿Quién puede unirse?', 'Who can join?')}
            words={registrationWords}
            chosen={registration}
            onChoose={(registration) => change({ registration })}
          />
          {registration === 'approval' && (
            <ApplicationQuestionField
              label={es('Pregunta para quienes envían una solicitud', 'Question for applicants')}
              hint={es(
                'Si la dejas vacía, se pregunta lo que ves aquí, en el idioma de la página.',
                'If empty, applicants get the question shown here, in the language of their page.',
              )}
              placeholder={defaultApplicationQuestion}
              value={question}
              onChange={(question) => change({ question })}
            />
          )}
        </Step>
      )}
      {step === 1 && (
        <Step
          intro={es(
            'Cada persona las acepta al unirse. Puedes escribirlas más tarde.',
            'Everyone agrees to them when they join. You can write them later.',
          )}
          ready={!tooMany}
          onBack={() => setStep(0)}
          onNext={() => setStep(2)}
        >
          <HouseRulesField
            label={es('Normas', 'Rules')}
            hint={es(
              `Una por línea, hasta ${houseRuleLimits.count}.`,
              `One per line, up to ${houseRuleLimits.count}.`,
            )}
            value={rules}
            onChange={(rules) => change({ rules })}
          />
          <CommunityContactField
            label={es('Contacto', 'Contact')}
            hint={es(
              'Por ejemplo, tu nombre y tu correo. Es público.',
              'For example, your name and email. Anyone can see it.',
            )}
            value={contact}
            onChange={(contact) => change({ contact })}
          />
        </Step>
      )}
      {step === 2 && <FirstAccountForm secret={secret} community={community} onBack={() => setStep(1)} />}
      {place && (
        <p className="mt-4 text-center text-label text-text-2">
          {es('Correo:', 'Email:')}{' '}
          {place.mail && !place.outbox ? (
            <span className="rounded-full bg-success-soft px-2.5 py-1 font-[650] text-success">
              {es('listo', 'ready')}
            </span>
          ) : (
            <span className="rounded-full bg-warning-soft px-2.5 py-1 font-[650] text-warning">
              {es('sin configurar, no se envían correos', 'not set up, so no emails are sent')}
            </span>
          )}
        </p>
      )}
    </>
  )
}

function StepBar({ step }: { step: number }) {
  return (
    <div
      role="progressbar"
      aria-label={es('Paso', 'Step')}
      aria-valuemin={1}
      aria-valuemax={3}
      aria-valuenow={step + 1}
      className="mt-8 mb-5 flex gap-2"
    >
      {[0, 1, 2].map((each) => (
        <span
          key={each}
          className={cx('h-1.5 flex-1 rounded-full', each <= step ? 'bg-brand' : 'bg-border')}
        />
      ))}
    </div>
  )
}

type StepProps = {
  intro: string
  ready: boolean
  onBack?: () => void
  onNext: () => void
  children: ReactNode
}

function Step({ intro, ready, onBack, onNext, children }: StepProps) {
  function submit(event: FormEvent) {
    event.preventDefault()
    if (ready) onNext()
  }
  return (
    <>
      <AuthFormIntro>{intro}</AuthFormIntro>
      <form onSubmit={submit} className="flex flex-col gap-4.5">
        {children}
        <Button type="submit" size="lg" block disabled={!ready}>
          {es('Continuar', 'Continue')}
        </Button>
        {onBack && (
          <Button kind="ghost" block onClick={onBack}>
            {es('Atrás', 'Back')}
          </Button>
        )}
      </form>
    </>
  )
}

type AccountProps = {
  secret: string
  community: OperationInput<typeof setUpCommunityEndpoint>['community']
  onBack: () => void
}

function FirstAccountForm({ secret, community, onBack }: AccountProps) {
  const { busy, run, failure } = useAuthFlow()
  const { errors, blame, form } = useLightweightForm(
    async () => (await import('#contract/account/sign-up-and-sign-in.ts')).signUpOperation.input,
    (account) =>
      run(
        {
          run: () => callApiOperation(setUpCommunityEndpoint, { secret, community, account }),
          failureMessage: en(
            'Sign up failed. Please try again.',
            'No pudimos crear la cuenta. Inténtalo de nuevo.',
          ),
          onFailure: (error) => {
            if (error instanceof ApiError && error.field)
              blame(error.field.replace(/^account\./, ''), error.message)
          },
        },
        {
          run: () => createEmailSession(account),
          failureMessage: en('Login failed. Please try again.', 'No pudimos entrar. Inténtalo de nuevo.'),
        },
        {
          run: () => {
            const set = getLanguageSet()
            if (set !== 'as-it-comes') storeLanguage(set)
            return finishSignIn()
          },
          failureMessage: en('Login failed. Please try again.', 'No pudimos entrar. Inténtalo de nuevo.'),
        },
      ),
  )
  return (
    <>
      <AuthFormIntro>
        {es('Con esta cuenta administras la comunidad.', 'You’ll run the community with this account.')}
      </AuthFormIntro>
      <form {...form} className="flex flex-col gap-4.5">
        <AuthField label={es('Nombre', 'Name')} error={errors.name}>
          {(control) => <TextInput {...control} name="name" autoComplete="name" />}
        </AuthField>
        <AuthField label={es('Nombre de usuaria', 'Username')} error={errors.username}>
          {(control) => (
            <TextInput
              {...control}
              name="username"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </AuthField>
        <AuthField label={es('Email', 'Email')} error={errors.email}>
          {(control) => <TextInput {...control} name="email" type="email" autoComplete="email" />}
        </AuthField>
        <AuthField label={es('Contraseña', 'Password')} error={errors.password}>
          {(control) => (
            <PasswordInput
              {...control}
              name="password"
              autoComplete="new-password"
              labels={passwordToggleLabels}
            />
          )}
        </AuthField>
        <AuthFormError text={Object.values(errors).some(Boolean) ? undefined : failure} />
        <Button
          type="submit"
          size="lg"
          block
          busy={busy}
          busyLabel={es('Creando cuenta...', 'Creating account...')}
        >
          {es('Crear cuenta', 'Create account')}
        </Button>
        <Button kind="ghost" block onClick={onBack}>
          {es('Atrás', 'Back')}
        </Button>
      </form>
    </>
  )
}
