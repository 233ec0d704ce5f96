/** Passkey limits. They are separate from the other limits, because the first page loads those. */

/** The database schema enforces the same limits. */
export const passkeyNameLengthLimits = { min: 1, max: 60 }
/** The limit per account. */
export const maxPasskeys = 10
