import { dropRestOfName, findTypedMention } from '#contract/comments/mention-grammar.ts'

/** The name that the member is typing: its range from the @ to the caret, and the text after the @. */
export type MentionAtCaret = { start: number; end: number; term: string }

/** Finds the name that ends at the caret. Returns null if there is none. */
export function findMentionAtCaret(text: string, caret: number): MentionAtCaret | null {
  const found = findTypedMention(text.slice(0, caret))
  return found && { ...found, end: caret }
}

/** Inserts the complete username and a space. @returns the new text and the new caret position */
export function completeMention(
  text: string,
  { start, end }: MentionAtCaret,
  username: string,
): { text: string; caret: number } {
  // Also replaces the part of the name that follows the caret.
  const rest = dropRestOfName(text.slice(end))
  const before = `${text.slice(0, start)}@${username} `
  return { text: before + rest.replace(/^ /, ''), caret: before.length }
}
