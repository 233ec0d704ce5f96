/**
 * Makes ids on the client, so that a request sent twice stores once, and recognises the answer that an id is stored
 * already. It stands here and not in client.ts because the first page loads that one.
 */
import { customAlphabet } from 'nanoid'
import { ApiError } from './client.ts'

/** Twenty random characters, which carry 100 bits. */
export const generateDocumentId: () => string = customAlphabet('abcdefghijklmnopqrstuvwxyz234567', 20)

/** Says whether the server refused an id because it is stored already. */
export const isDocumentAlreadyExistsError = (error: unknown): boolean =>
  error instanceof ApiError && error.type === 'document_already_exists'
