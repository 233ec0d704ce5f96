/** Generates and validates public ids, which clients see instead of the bigint keys. */
import { customAlphabet } from 'nanoid'

/** Twenty random characters unless told otherwise, which carry 103 bits. */
export const generateId: (length?: number) => string = customAlphabet(
  'abcdefghijklmnopqrstuvwxyz0123456789',
  20,
)

/** What `ID.unique()` of the older SDKs sends: the server is to choose. */
export const serverGeneratedIdPlaceholder = 'unique()'

const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/

export const isValidPublicId = (text: unknown): text is string =>
  typeof text === 'string' && idPattern.test(text)
