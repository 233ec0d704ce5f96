import { es } from '#contract/language.ts'
import { ApiError } from '#web/api/client.ts'
import { getCommunityName } from '#web/navigation/community-identity.ts'

/** @returns undefined if the passkey is not the cause of the error */
export function describePasskeyFailure(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.type === 'passkey_unknown') {
    const community = getCommunityName()
    return es(
      `${community} no reconoce esa llave. Entra de otra manera y añádela otra vez.`,
      `${community} does not know that passkey. Sign in another way and add it again.`,
    )
  }
  return error.type === 'passkey_invalid'
    ? es('Esa llave no ha funcionado. Vuelve a intentarlo.', 'That passkey did not work. Try again.')
    : undefined
}
