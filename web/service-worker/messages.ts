export const skipWaitingMessage = 'take-over'
/** A cached page sends it once the server answers. */
export const serverAnsweredMessage = 'server-answered'
/**
 * The page sends this because it may close before it has deleted its data. Older pages still send this value.
 */
export const clearMemberDataMessage = 'forget-member'
