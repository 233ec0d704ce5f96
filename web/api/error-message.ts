import { en, getLanguageSet } from '#contract/language.ts'
import { ApiError } from './client.ts'

/** Of what failed without a cause that the member can do something about. */
export const genericErrorMessage = en(
  'Something went wrong. Please try again.',
  'Algo salió mal. Inténtalo de nuevo.',
)

/** The error as the server answered it, if that is what it is. */
export const asApiError = (error: unknown) => (error instanceof ApiError ? error : undefined)

/** As they come, sentences of these nouns are Spanish, but for those every operation can answer. */
const isSpanish = (type: string) =>
  getLanguageSet() === 'as-it-comes' &&
  /^(group|report|case|appeal|moderation)_/.test(type) &&
  type !== 'group_not_found'

/** Picks the server's sentence in its language where it has one for members, `otherwise` where it has none. */
export function getErrorMessage(
  error: unknown,
  otherwise = genericErrorMessage,
): { text: string; textLang?: 'es' } {
  // A fault of the server says nothing, and a body that is not the server's was never meant for members.
  const refused =
    error instanceof ApiError && typeof error.response === 'object' && error.type && error.code < 500
  if (!refused || !error.message) return { text: otherwise }
  return isSpanish(error.type) ? { text: error.message, textLang: 'es' } : { text: error.message }
}
