export const skipWaitingMessage = 'take-over'
/** From a cached page once the server answers. */
export const serverAnsweredMessage = 'server-answered'
/** The page may close before it has deleted its data. Older pages still send this value. */
export const clearMemberDataMessage = 'forget-member'
