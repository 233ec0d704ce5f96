/** Lifetime and quotas of data exports. */

export const exportLifetimeDays = 7
export const exportsPerDay = 2
/** Earlier exports shown to the member. */
export const maxEarlierExports = 5
