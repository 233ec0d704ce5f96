import { en, getLanguageSet } from '#contract/language.ts'
import { ApiError } from './client.ts'

export const genericErrorMessage = en(
  'Something went wrong. Please try again.',
  'Algo salió mal. Inténtalo de nuevo.',
)

export const getErrorMessageOrOffline = (): string =>
  navigator.onLine
    ? genericErrorMessage
    : en(
        'You’re offline. Please try again when you’re back online.',
        'Estás sin conexión. Inténtalo cuando vuelvas a tenerla.',
      )

export const asApiError = (error: unknown) => (error instanceof ApiError ? error : undefined)

/** True only in the default language set. Errors that any operation can return are not Spanish. */
const isSpanish = (type: string) =>
  getLanguageSet() === 'as-it-comes' &&
  /^(group|report|case|appeal|moderation)_/.test(type) &&
  type !== 'group_not_found'

/** Returns the server's message, or `otherwise` if the server has none for members. */
export function getErrorMessage(
  error: unknown,
  otherwise = genericErrorMessage,
): { text: string; textLang?: 'es' } {
  // A server fault or a body from another server has no message for members.
  const refused =
    error instanceof ApiError && typeof error.response === 'object' && error.type && error.code < 500
  if (!refused || !error.message) return { text: otherwise }
  return isSpanish(error.type) ? { text: error.message, textLang: 'es' } : { text: error.message }
}
