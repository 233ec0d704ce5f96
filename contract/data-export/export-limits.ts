/** The lifetime and the limits of data exports. */

export const exportLifetimeDays = 7
export const exportsPerDay = 2
/** The number of earlier exports that the member sees. */
export const maxEarlierExports = 5
