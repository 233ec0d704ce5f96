import { es } from '#contract/language.ts'
import { ApiError } from '#web/api/client.ts'

/** @returns undefined if the passkey is not the cause of the error */
export function describePasskeyFailure(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.type === 'passkey_unknown')
    return es(
      'Juntas no conoce esa llave. Entra de otra manera y añádela otra vez.',
      'Juntas does not know that passkey. Sign in another way and add it again.',
    )
  return error.type === 'passkey_invalid'
    ? es('Esa llave no ha funcionado. Vuelve a intentarlo.', 'That passkey did not work. Try again.')
    : undefined
}
