/** Public ids: what leaves the server instead of our bigint keys (architecture §14.12). */
import { randomBytes } from 'node:crypto'

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** `length` characters of `a-z0-9`, uniformly random; 20 carry 103 bits. */
export function newId(length = 20): string {
  let id = ''
  while (id.length < length) {
    for (const byte of randomBytes(length)) {
      // 252 is the largest multiple of 36 in a byte: above it the modulo would favour some characters.
      if (byte < 252 && id.length < length) id += alphabet[byte % 36]
    }
  }
  return id
}

/** What `ID.unique()` of the older SDKs sends: the server is to choose. */
export const chosenByServer = 'unique()'

const form = /^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/

export const isId = (text: unknown): text is string => typeof text === 'string' && form.test(text)
