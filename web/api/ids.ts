/**
 * Generating ids on the client makes requests idempotent. They are not in client.ts, because the first page
 * loads that module.
 */
import { customAlphabet } from 'nanoid'
import { ApiError } from './client.ts'

/** Twenty random characters (100 bits). */
export const generateDocumentId: () => string = customAlphabet('abcdefghijklmnopqrstuvwxyz234567', 20)

export const isDocumentAlreadyExistsError = (error: unknown): boolean =>
  error instanceof ApiError && error.type === 'document_already_exists'
