import { customAlphabet } from 'nanoid'

/** 103 bits by default. */
export const generateId: (length?: number) => string = customAlphabet(
  'abcdefghijklmnopqrstuvwxyz0123456789',
  20,
)

/** Older SDKs send this for `ID.unique()`, which makes the server choose the id. */
export const serverGeneratedIdPlaceholder = 'unique()'

const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/

export const isValidPublicId = (text: unknown): text is string =>
  typeof text === 'string' && idPattern.test(text)
