/**
 * Escapes only the special characters of a regular expression. Escaping every character could split a
 * surrogate pair, and half a pair is lost on the way to another process.
 */
export const escapeTestTitle = (title: string): string => title.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
