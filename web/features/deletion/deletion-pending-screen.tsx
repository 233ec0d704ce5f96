import { CalendarClock } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { eraseNowEndpoint, getDeletionEndpoint, keepAccountEndpoint } from '#contract/generated-endpoints.ts'
import { es } from '#contract/language.ts'
import type { OperationOutput } from '#contract/operation.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { getAuthErrorMessage } from '#web/features/account/auth-error-message.tsx'
import {
  AuthField,
  AuthFormError,
  AuthFormIntro,
  passwordToggleLabels,
} from '#web/features/account/auth-form-parts.tsx'
import { EmailLinkStatus, useEmailLinkAction } from '#web/features/account/email-link-parts.tsx'
import { finishSignIn, signOut } from '#web/features/account/session.ts'
import { useVisitorQuery } from '#web/features/community/use-visitor-query.ts'
import { formatDay } from '#web/format-day.ts'
import { PasswordInput, TextInput } from '#web/forms/labelled-form-field.tsx'
import { lazyPart } from '#web/navigation/lazy-part.tsx'
import { screenPaths } from '#web/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type Deletion = OperationOutput<typeof getDeletionEndpoint>

const DownloadBeforeDeletion = lazyPart<Pick<Deletion, 'asksForPassword' | 'asksForCode'>>(
  async () => (await import('./download-before-deletion.tsx')).DownloadBeforeDeletion,
)

const loadDeletion = (signal?: AbortSignal) => callApiOperation(getDeletionEndpoint, {}, signal)

/** Until the member decides, no other screen is available. */
export function DeletionPendingScreen() {
  const query = useVisitorQuery(loadDeletion)
  return (
    <QueryView
      query={query}
      title={isSignedOut(query.error) ? undefined : es('Tu cuenta se borra', 'Your account is being deleted')}
      skeleton={<Skeleton className="h-80" />}
      failure={isSignedOut(query.error) ? <SignedOut /> : undefined}
    >
      {(deletion) => <Closing {...deletion} />}
    </QueryView>
  )
}

/** The session ended or the account was already kept. */
const isSignedOut = (error: unknown) => error instanceof ApiError && [401, 404].includes(error.code)

function SignedOut() {
  return (
    <>
      <PageTitle title={es('Entra otra vez', 'Sign in again')} display />
      <AuthFormIntro>{es('Aquí no hay nada que decidir.', 'There is nothing to decide here.')}</AuthFormIntro>
      <ButtonLink to={screenPaths.signIn()} size="lg" block>
        {es('Entrar', 'Sign in')}
      </ButtonLink>
    </>
  )
}

function Closing(deletion: Deletion) {
  const { name, askedAt, eraseAfter } = deletion
  const [downloading, setDownloading] = useState(false)
  const [erasing, setErasing] = useState(false)
  const { busy, run, failure } = useEmailLinkAction()
  const navigate = useNavigate()

  const keep = () =>
    run(async () => {
      await callApiOperation(keepAccountEndpoint, {})
      await finishSignIn()
      await navigate(screenPaths.home(), { replace: true })
    })

  const leave = () =>
    run(async () => {
      await signOut()
      await navigate(screenPaths.signIn(), { replace: true })
    })

  return (
    <EmailLinkStatus
      icon={CalendarClock}
      color="warning"
      title={es(
        `Tu cuenta se borra el ${formatDay(eraseAfter, 'es')}`,
        `Your account is deleted on ${formatDay(eraseAfter, 'en')}`,
      )}
      lead={es(
        `${name}, nadie te ve desde el ${formatDay(askedAt, 'es')}. Todavía puedes volver y encontrarlo todo como estaba. Si no haces nada, ese día se borra para siempre.`,
        `${name}, nobody has seen you since ${formatDay(askedAt, 'en')}. You can still come back and find everything as it was. If you do nothing, it is deleted for good that day.`,
      )}
    >
      <div className="flex flex-col gap-3">
        <AuthFormError text={failure} />
        <Button size="lg" block busy={busy} onClick={keep}>
          {es('Quiero quedarme', 'I want to stay')}
        </Button>
        <Button kind="ghost" block busy={busy} onClick={leave}>
          {es('Salir sin cambiar nada', 'Leave without changing anything')}
        </Button>
        <Disclosure
          question={es('¿Quieres quedarte con tus datos?', 'Want to keep your data?')}
          open={downloading}
          onChange={setDownloading}
        >
          {es('Descárgalos', 'Download it')}
        </Disclosure>
        {downloading && <DownloadBeforeDeletion {...deletion} />}
        <Disclosure
          question={es('¿No quieres esperar?', 'Don’t want to wait?')}
          open={erasing}
          onChange={setErasing}
        >
          {es('Bórrala ya', 'Delete it now')}
        </Disclosure>
        {erasing && <EraseNowForm {...deletion} />}
      </div>
    </EmailLinkStatus>
  )
}

type DisclosureProps = {
  question: string
  open: boolean
  onChange: (open: boolean) => void
  children: ReactNode
}

const Disclosure = ({ question, open, onChange, children }: DisclosureProps) => (
  <p className="mt-3 text-label text-text-2">
    {question}{' '}
    <button
      type="button"
      aria-expanded={open}
      onClick={() => onChange(!open)}
      className="font-[650] text-brand-text underline underline-offset-4 hit-44"
    >
      {children}
    </button>
  </p>
)

function EraseNowForm({ username, asksForPassword, asksForCode }: Deletion) {
  const { busy, run, error } = useEmailLinkAction()
  const navigate = useNavigate()

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const text = (name: string) => String(given.get(name) ?? '').trim() || undefined
    run(async () => {
      const { receiptId } = await callApiOperation(eraseNowEndpoint, {
        username: text('username') ?? '',
        password: String(given.get('password') ?? '') || undefined,
        code: text('code'),
      })
      await navigate(screenPaths.receipt(receiptId), { replace: true })
      await signOut()
    })
  }

  const type = error instanceof ApiError ? error.type : ''
  const byField = {
    username:
      type === 'username_mismatch'
        ? es('Ese no es tu nombre de usuaria.', 'That is not your username.')
        : undefined,
    password:
      type === 'user_invalid_credentials'
        ? es('Esa no es tu contraseña.', 'That is not your password.')
        : undefined,
    code:
      type === 'user_invalid_token'
        ? es(
            'Ese código no vale. Comprueba la hora de tu teléfono.',
            'That code doesn’t work. Check your phone’s clock.',
          )
        : undefined,
  }
  const isNamed = Object.values(byField).some(Boolean)
  return (
    <form
      onSubmit={submit}
      noValidate
      aria-label={es('Borrar ya', 'Delete now')}
      className="mt-2 flex flex-col gap-4.5"
    >
      {asksForPassword && (
        <AuthField label={es('Contraseña', 'Password')} error={byField.password}>
          {(control) => (
            <PasswordInput
              {...control}
              labels={passwordToggleLabels}
              name="password"
              autoComplete="current-password"
            />
          )}
        </AuthField>
      )}
      {asksForCode && (
        <AuthField
          label={es('Código', 'Code')}
          hint={es('De tu aplicación, o de recuperación.', 'From your code app, or a recovery code.')}
          error={byField.code}
        >
          {(control) => <TextInput {...control} name="code" autoComplete="one-time-code" />}
        </AuthField>
      )}
      <AuthField
        label={es(`Escribe tu nombre de usuaria: ${username}`, `Type your username: ${username}`)}
        error={byField.username}
      >
        {(control) => (
          <TextInput
            {...control}
            name="username"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </AuthField>
      <AuthFormError text={error === undefined || isNamed ? undefined : describeFailure(error)} />
      <Button
        type="submit"
        kind="danger"
        size="lg"
        block
        busy={busy}
        busyLabel={es('Borrando...', 'Deleting...')}
      >
        {es('Borrarla para siempre', 'Delete it for good')}
      </Button>
    </form>
  )
}

function describeFailure(error: unknown): string {
  const type = error instanceof ApiError ? error.type : ''
  if (type === 'user_challenge_required')
    return es(
      'Confirma que eres tú: cierra sesión y entra otra vez.',
      'Please confirm it’s you: log out and sign in again.',
    )
  return getAuthErrorMessage(error)
}
