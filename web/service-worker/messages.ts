/** What pages say to the worker. */

/** The member wants the new version now. */
export const takeOverMessage = 'take-over'
/** The member has left and signed out; the page may be gone before it has forgotten what it kept. */
export const forgetMemberMessage = 'forget-member'
