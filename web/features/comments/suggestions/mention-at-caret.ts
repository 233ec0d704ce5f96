import { dropRestOfName, findTypedMention } from '#contract/comments/mention-grammar.ts'

export type MentionAtCaret = { start: number; end: number; term: string }

/** Null if no name ends at the caret. */
export function findMentionAtCaret(text: string, caret: number): MentionAtCaret | null {
  const found = findTypedMention(text.slice(0, caret))
  return found && { ...found, end: caret }
}

export function completeMention(
  text: string,
  { start, end }: MentionAtCaret,
  username: string,
): { text: string; caret: number } {
  // The rest of the name after the caret is replaced too.
  const rest = dropRestOfName(text.slice(end))
  const before = `${text.slice(0, start)}@${username} `
  return { text: before + rest.replace(/^ /, ''), caret: before.length }
}
