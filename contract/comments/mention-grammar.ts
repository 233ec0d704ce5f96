/**
 * The grammar of mentions, for the web and, as the test of `mentioned_members` proves over all of Unicode, for the database: an @ that
 * no letter, digit, mark, `@`, `/` or `.` precedes, then a username. The sign that makes a character an emoji is no such mark.
 */
import { usernameLengthLimits } from '../limits.ts'

const notAfter = String.raw`(?<![\p{L}\p{N}@/.]|(?![\uFE0E\uFE0F\u20E3])\p{M})`
const nameCharacter = String.raw`[\p{L}\p{M}\p{Nd}._-]`
const mention = new RegExp(`${notAfter}@(${nameCharacter}+)(?!${nameCharacter}|@)`, 'gu')
const typedMention = new RegExp(`${notAfter}@(${nameCharacter}{1,${usernameLengthLimits.max}})$`, 'u')
const restOfName = new RegExp(`^${nameCharacter}+`, 'u')

/**
 * Splits a text in NFC at its mentions.
 * @param isName says whether a username in lower case is somebody's: a name may end in a full stop, as a sentence does
 * @returns parts of text, and between each two of them a mention with its @
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

/** Finds the mention that is being typed at the end of a text: where its @ stands, and what follows it. */
export function findTypedMention(text: string): { start: number; term: string } | null {
  const found = typedMention.exec(text)
  return found ? { start: found.index, term: found[1] ?? '' } : null
}

/** Removes what belongs to a name at the beginning of a text. */
export const dropRestOfName = (text: string): string => text.replace(restOfName, '')
