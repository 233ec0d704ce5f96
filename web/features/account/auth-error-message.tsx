/** Why signing in or up failed, in Spanish, for a member. Loaded when it has failed. */
import type { ReactNode } from 'react'
import { suspendedSentence } from '#contract/errors.ts'
import { ApiError } from '#web/api/client.ts'

const sentences: Partial<Record<number, string>> = {
  0: 'No llegamos a Juntas. Comprueba tu conexión y vuelve a intentarlo.',
  400: 'Revisa lo que has escrito y vuelve a intentarlo.',
  401: 'El email o la contraseña no son correctos.',
  409: 'Revisa lo que has escrito y vuelve a intentarlo.',
  429: 'Demasiados intentos seguidos. Espera un rato y vuelve a intentarlo.',
}

/** Whether the account is suspended: then the server says until when and why, to nobody but its owner. */
const isSuspensionError = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.type === 'user_blocked' && error.message.startsWith(suspendedSentence)

/** Names what the member can do about it; what is the server's own fault sounds alike. */
export const getAuthErrorMessage = (error: unknown): string =>
  (isSuspensionError(error) && error.message) ||
  (error instanceof ApiError && sentences[error.code]) ||
  'Algo ha fallado. Vuelve a intentarlo.'

/** As `getAuthErrorMessage`, for a form: of a suspended account it also lets a review be asked for. */
export async function describeAuthFailure(error: unknown): Promise<ReactNode> {
  if (!isSuspensionError(error)) return getAuthErrorMessage(error)
  const { SuspensionPanel } = await import('./suspension-panel.tsx')
  return <SuspensionPanel message={error.message} describeFailure={getAuthErrorMessage} />
}
