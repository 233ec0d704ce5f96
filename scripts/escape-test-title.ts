/** For Vitest and Playwright. */

/** Only special characters, because half of a surrogate pair does not survive the way to another process. */
export const escapeTestTitle = (title: string): string => title.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
