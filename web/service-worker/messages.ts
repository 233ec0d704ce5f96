/** The messages that pages send to the worker. */

export const skipWaitingMessage = 'take-over'
/** Sent by a page of the worker's cache once the server answers. */
export const serverAnsweredMessage = 'server-answered'
/**
 * Sent at sign-out, because the page may close before it has deleted its data. The value must not change, because older
 * pages still send it.
 */
export const clearMemberDataMessage = 'forget-member'
