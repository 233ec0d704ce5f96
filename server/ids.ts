/** Generates and validates public ids, which clients see instead of bigint keys. */
import { customAlphabet } from 'nanoid'

/** Generates an id. By default it has twenty random characters, which is 103 bits. */
export const generateId: (length?: number) => string = customAlphabet(
  'abcdefghijklmnopqrstuvwxyz0123456789',
  20,
)

/** The value of `ID.unique()` in older SDKs. It makes the server choose the id. */
export const serverGeneratedIdPlaceholder = 'unique()'

const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/

export const isValidPublicId = (text: unknown): text is string =>
  typeof text === 'string' && idPattern.test(text)
