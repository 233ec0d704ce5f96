import type { ComponentProps, ReactNode } from 'react'
import { suspendedSentence } from '#contract/errors.ts'
import { appealSuspensionEndpoint } from '#contract/generated-endpoints.ts'
import { es } from '#contract/language.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { readRetryAfter } from '#web/api/rate-limit-message.ts'
import { getCommunityName } from '#web/navigation/community-identity.ts'
import type { SuspensionPanel } from './suspension-panel.tsx'

const sentences: Partial<Record<number, string>> = {
  400: es('Revisa lo que has escrito y vuelve a intentarlo.', 'Check what you entered and try again.'),
  401: es('El email o la contraseña no son correctos.', 'The email or password is incorrect.'),
  409: es('Revisa lo que has escrito y vuelve a intentarlo.', 'Check what you entered and try again.'),
  429: es(
    'Demasiados intentos seguidos. Espera un rato y vuelve a intentarlo.',
    'Too many attempts in a row. Wait a while and try again.',
  ),
}

/** For these errors, the server's Spanish message suits visitors. */
const spoken: ReadonlySet<string> = new Set([
  'invitation_over',
  'user_invite_required',
  'application_required',
  'applications_closed',
  'application_waiting',
  'application_declined',
  'registration_closed',
  'rules_unseen',
])

/** Only callers who know the password receive this error. */
const isApplicationError = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.type === 'application_waiting' || error.type === 'application_declined')

/** Only the owner receives the end date and the reason. */
const isSuspensionError = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.type === 'user_blocked' && error.message.startsWith(suspendedSentence)

function describeTooMany(error: unknown): string | undefined {
  const wait = error instanceof ApiError && error.code === 429 ? readRetryAfter(error) : undefined
  return (
    wait &&
    es(
      `Demasiados intentos seguidos. Vuelve a intentarlo dentro de ${wait.spanish}.`,
      `Too many attempts in a row. Try again in ${wait.english}.`,
    )
  )
}

function describeUnreachable(): string {
  const community = getCommunityName()
  return es(
    `No llegamos a ${community}. Comprueba tu conexión y vuelve a intentarlo.`,
    `We can’t reach ${community}. Check your connection and try again.`,
  )
}

/** All server faults share one message. */
export const getAuthErrorMessage = (error: unknown): string =>
  describeTooMany(error) ||
  ((isSuspensionError(error) || (error instanceof ApiError && spoken.has(error.type))) && error.message) ||
  (error instanceof ApiError && (error.code === 0 ? describeUnreachable() : sentences[error.code])) ||
  es('Algo ha fallado. Vuelve a intentarlo.', 'Something went wrong. Try again.')

function askForReviewByPassword(text: string, form: HTMLFormElement | null): Promise<unknown> {
  const given = new FormData(form ?? undefined)
  const [email, password] = [String(given.get('email')), String(given.get('password'))]
  return callApiOperation(appealSuspensionEndpoint, { email, password, text })
}

/** @param askForReview how a suspended member appeals; by default with the form's email address and password */
export async function renderAuthFailure(
  error: unknown,
  askForReview: ComponentProps<typeof SuspensionPanel>['ask'] = askForReviewByPassword,
): Promise<ReactNode> {
  if (isApplicationError(error)) {
    const { ApplicationPanel } = await import('#web/features/community/application-panel.tsx')
    return (
      <ApplicationPanel
        message={error.message}
        declined={error.type === 'application_declined'}
        describeFailure={getAuthErrorMessage}
      />
    )
  }
  if (!isSuspensionError(error)) return getAuthErrorMessage(error)
  const { SuspensionPanel } = await import('./suspension-panel.tsx')
  return <SuspensionPanel message={error.message} ask={askForReview} describeFailure={getAuthErrorMessage} />
}
