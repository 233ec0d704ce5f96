/** Limits of passkeys, apart from the product's others: those load with the first page. */

/** The schema holds it too. */
export const passkeyNameLengthLimits = { min: 1, max: 60 }
/** Of one account. */
export const maxPasskeys = 10
