/** Ids from the client make requests idempotent. Not in client.ts, which loads with the first page. */
import { customAlphabet } from 'nanoid'
import { ApiError } from './client.ts'

/** Twenty random characters (100 bits). */
export const generateDocumentId: () => string = customAlphabet('abcdefghijklmnopqrstuvwxyz234567', 20)

export const isDocumentAlreadyExistsError = (error: unknown): boolean =>
  error instanceof ApiError && error.type === 'document_already_exists'
