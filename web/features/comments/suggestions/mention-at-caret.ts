import { dropRestOfName, findTypedMention } from '#contract/comments/mention-grammar.ts'

/** The name being typed: its range from the @ to the caret, and the text after the @. */
export type MentionAtCaret = { start: number; end: number; term: string }

/** Finds the name ending at the caret; null if none. */
export function findMentionAtCaret(text: string, caret: number): MentionAtCaret | null {
  const found = findTypedMention(text.slice(0, caret))
  return found && { ...found, end: caret }
}

/** Inserts the whole name and a space. @returns the text and new caret */
export function completeMention(
  text: string,
  { start, end }: MentionAtCaret,
  username: string,
): { text: string; caret: number } {
  // Replaces the name's part after the caret too.
  const rest = dropRestOfName(text.slice(end))
  const before = `${text.slice(0, start)}@${username} `
  return { text: before + rest.replace(/^ /, ''), caret: before.length }
}
