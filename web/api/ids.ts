/**
 * Generates ids on the client, so that requests are idempotent, and recognises the error for an id that is already
 * stored. This module is separate from client.ts, because client.ts loads with the first page.
 */
import { customAlphabet } from 'nanoid'
import { ApiError } from './client.ts'

/** Generates an id of twenty random characters (100 bits). */
export const generateDocumentId: () => string = customAlphabet('abcdefghijklmnopqrstuvwxyz234567', 20)

export const isDocumentAlreadyExistsError = (error: unknown): boolean =>
  error instanceof ApiError && error.type === 'document_already_exists'
