/** Passkey limits, separate from the other limits because those load with the first page. */

/** The schema enforces it too. */
export const passkeyNameLengthLimits = { min: 1, max: 60 }
/** Per account. */
export const maxPasskeys = 10
