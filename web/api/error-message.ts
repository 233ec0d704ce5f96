import { en, getLanguageSet } from '#contract/language.ts'
import { ApiError } from './client.ts'

/** For failures that the member can do nothing about. */
export const genericErrorMessage = en(
  'Something went wrong. Please try again.',
  'Algo salió mal. Inténtalo de nuevo.',
)

export const asApiError = (error: unknown) => (error instanceof ApiError ? error : undefined)

/** In the default set, errors of these nouns are Spanish, except those any operation can return. */
const isSpanish = (type: string) =>
  getLanguageSet() === 'as-it-comes' &&
  /^(group|report|case|appeal|moderation)_/.test(type) &&
  type !== 'group_not_found'

/** Returns the server's message in its language, or `otherwise` if it has none for members. */
export function getErrorMessage(
  error: unknown,
  otherwise = genericErrorMessage,
): { text: string; textLang?: 'es' } {
  // A server fault has no message for members, and neither does a foreign body.
  const refused =
    error instanceof ApiError && typeof error.response === 'object' && error.type && error.code < 500
  if (!refused || !error.message) return { text: otherwise }
  return isSpanish(error.type) ? { text: error.message, textLang: 'es' } : { text: error.message }
}
