/** Generates and validates public ids, which clients see instead of bigint keys. */
import { customAlphabet } from 'nanoid'

/** By default twenty random characters: 103 bits. */
export const generateId: (length?: number) => string = customAlphabet(
  'abcdefghijklmnopqrstuvwxyz0123456789',
  20,
)

/** Older SDKs' `ID.unique()`: the server chooses. */
export const serverGeneratedIdPlaceholder = 'unique()'

const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/

export const isValidPublicId = (text: unknown): text is string =>
  typeof text === 'string' && idPattern.test(text)
