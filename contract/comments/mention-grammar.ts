/**
 * The grammar of mentions. A mention is an @ and a username. No letter, digit, mark, `@`, `/` or `.` may precede the @.
 * The emoji variation selector does not count as a mark. The database function `mentioned_members` must follow the same
 * rules. Its test compares both over all of Unicode.
 */
import { usernameLengthLimits } from '../limits.ts'

const notAfter = String.raw`(?<![\p{L}\p{N}@/.]|(?![\uFE0E\uFE0F\u20E3])\p{M})`
const nameCharacter = String.raw`[\p{L}\p{M}\p{Nd}._-]`
const mention = new RegExp(`${notAfter}@(${nameCharacter}+)(?!${nameCharacter}|@)`, 'gu')
const typedMention = new RegExp(`${notAfter}@(${nameCharacter}{1,${usernameLengthLimits.max}})$`, 'u')
const restOfName = new RegExp(`^${nameCharacter}+`, 'u')

/**
 * Splits NFC text at its mentions.
 * @param isName whether a lower-case username exists. A full stop at the end may belong to the name or end the
 * sentence.
 * @returns text parts, alternating with mentions that include their @
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

/** Finds the mention that is being typed at the end of a text. @returns the index of its @, and the name so far */
export function findTypedMention(text: string): { start: number; term: string } | null {
  const found = typedMention.exec(text)
  return found ? { start: found.index, term: found[1] ?? '' } : null
}

/** Removes the leading characters that continue a name. */
export const dropRestOfName = (text: string): string => text.replace(restOfName, '')
