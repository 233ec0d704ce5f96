/** A separate file, because the first page loads the other limits. */

/** The database schema enforces the same limits. */
export const passkeyNameLengthLimits = { min: 1, max: 60 }
/** Per account. */
export const maxPasskeys = 10
