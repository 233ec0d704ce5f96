/** Half of a surrogate pair does not survive the way to another process, so only special characters are escaped. */
export const escapeTestTitle = (title: string): string => title.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
