/** A separate file, because the first page loads the other limits. */

/** The schema enforces these limits too. */
export const passkeyNameLengthLimits = { min: 1, max: 60 }
export const maxPasskeys = 10
