/** What pages say to the worker. */

/** The member wants the new version now. */
export const skipWaitingMessage = 'take-over'
/** The member has left and signed out; the page may be gone before it has cleared what it kept. Its text stays: pages of an older version send it. */
export const clearMemberDataMessage = 'forget-member'
