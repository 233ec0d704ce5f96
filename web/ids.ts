/** Ids that the client chooses, so that what is sent twice is stored once. */
import { ApiError } from './api.ts'

const letters = 'abcdefghijklmnopqrstuvwxyz234567'

/** Twenty random characters (architecture §14.12). */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) => letters[byte % 32]).join('')

/** The id is on record already. */
export const isTaken = (error: unknown): boolean =>
  error instanceof ApiError && error.type === 'document_already_exists'
