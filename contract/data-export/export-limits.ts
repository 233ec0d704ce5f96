/** For how long a copy of everything is there, and how many a member may ask for. */

/** How long a copy can be downloaded. */
export const exportLifetimeDays = 7
/** Copies that a member may ask for within a day. */
export const exportsPerDay = 2
/** Earlier copies that a member is told of. */
export const maxEarlierExports = 5
