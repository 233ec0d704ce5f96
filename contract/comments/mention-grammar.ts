/**
 * A mention is an @ and a username, not preceded by a letter, digit, mark, `@`, `/` or `.`. The emoji
 * variation selector does not count as a mark. A test compares this grammar with the database function
 * `mentioned_members`.
 */
import { usernameLengthLimits } from '../limits.ts'

const notAfter = String.raw`(?<![\p{L}\p{N}@/.]|(?![\uFE0E\uFE0F\u20E3])\p{M})`
const nameCharacter = String.raw`[\p{L}\p{M}\p{Nd}._-]`
const mention = new RegExp(`${notAfter}@(${nameCharacter}+)(?!${nameCharacter}|@)`, 'gu')
const typedMention = new RegExp(`${notAfter}@(${nameCharacter}{1,${usernameLengthLimits.max}})$`, 'u')
const restOfName = new RegExp(`^${nameCharacter}+`, 'u')

/**
 * Splits a text. Parts of NFC text alternate with mentions, which include their @.
 * @param isName whether a lower-case username exists, because a final full stop may belong to it or end the
 * sentence
 */
export function splitAtMentions(text: string, isName: (username: string) => boolean): string[] {
  const whole = text.normalize('NFC')
  const parts: string[] = []
  let end = 0
  for (const { index, 1: run = '' } of whole.matchAll(mention)) {
    const shortest = run.replace(/[._-]+$/, '').length
    for (let length = run.length; length >= Math.max(1, shortest); length -= 1) {
      if (!isName(run.slice(0, length).toLowerCase())) continue
      parts.push(whole.slice(end, index), whole.slice(index, index + 1 + length))
      end = index + 1 + length
      break
    }
  }
  return [...parts, whole.slice(end)]
}

/** Finds a mention at the end of a text: the index of its @, and the name so far. */
export function findTypedMention(text: string): { start: number; term: string } | null {
  const found = typedMention.exec(text)
  return found ? { start: found.index, term: found[1] ?? '' } : null
}

export const dropRestOfName = (text: string): string => text.replace(restOfName, '')
