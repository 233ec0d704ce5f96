/** What pages say to the worker. */

/** The member wants the new version now. */
export const takeOverMessage = 'take-over'
