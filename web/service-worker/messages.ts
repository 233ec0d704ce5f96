export const skipWaitingMessage = 'take-over'
/** A page opened from the cache sends this message once the server responds. */
export const serverAnsweredMessage = 'server-answered'
/**
 * The page sends this because it may close before it has deleted its data. Older pages still send this value.
 */
export const clearMemberDataMessage = 'forget-member'
