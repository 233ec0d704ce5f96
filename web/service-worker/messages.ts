export const skipWaitingMessage = 'take-over'
/** A cached page sends it once the server answers. */
export const serverAnsweredMessage = 'server-answered'
/** Sent because the page may close before it has deleted its data. Older pages still send this value. */
export const clearMemberDataMessage = 'forget-member'
