import { dropRestOfName, findTypedMention } from '#contract/comments/mention-grammar.ts'

/** A name that is being typed: its place in the text, from its @ to the caret, and what stands after the @. */
export type MentionAtCaret = { start: number; end: number; term: string }

/** Finds the name that ends at the caret; null where none is being typed. */
export function findMentionAtCaret(text: string, caret: number): MentionAtCaret | null {
  const found = findTypedMention(text.slice(0, caret))
  return found && { ...found, end: caret }
}

/** Writes the whole name in its place, with a space after it. @returns the text, and where the caret goes */
export function completeMention(
  text: string,
  { start, end }: MentionAtCaret,
  username: string,
): { text: string; caret: number } {
  // What of the name stood after the caret goes too.
  const rest = dropRestOfName(text.slice(end))
  const before = `${text.slice(0, start)}@${username} `
  return { text: before + rest.replace(/^ /, ''), caret: before.length }
}
