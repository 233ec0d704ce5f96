/** Escapes a test title for Vitest and Playwright. */

/**
 * Escapes only special characters, because an escaped surrogate half does not survive into another process.
 */
export const escapeTestTitle = (title: string): string => title.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
