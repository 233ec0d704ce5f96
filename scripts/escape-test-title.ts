/** Writes a part of a test's title as the pattern that Vitest and Playwright take. */

/**
 * Escapes what has a meaning in a regular expression, and nothing else: an escaped half of a letter beyond the 16 bits of
 * JavaScript's characters does not survive the way into another process.
 */
export const escapeTestTitle = (title: string): string => title.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
