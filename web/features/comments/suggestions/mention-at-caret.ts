/** A name that is being typed: its place in the text, from its @ to the caret, and what stands after the @. */
export type MentionAtCaret = { start: number; end: number; term: string }

/** A name and as much as the server searches for; not within an e-mail address. */
const typedName = /(?<![\p{L}\p{N}._@-])@([\p{L}\p{N}._-]{1,30})$/u

/** Finds the name that ends at the caret; null where none is being typed. */
export function findMentionAtCaret(text: string, caret: number): MentionAtCaret | null {
  const found = typedName.exec(text.slice(0, caret))
  return found ? { start: found.index, end: caret, term: found[1] ?? '' } : null
}

/** Writes the whole name in its place, with a space after it. @returns the text, and where the caret goes */
export function completeMention(
  text: string,
  { start, end }: MentionAtCaret,
  username: string,
): { text: string; caret: number } {
  // What of the name stood after the caret goes too.
  const rest = text.slice(end).replace(/^[\p{L}\p{N}._-]+/u, '')
  const before = `${text.slice(0, start)}@${username} `
  return { text: before + rest.replace(/^ /, ''), caret: before.length }
}
