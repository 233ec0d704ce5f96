/** Messages from pages to the worker. */

export const skipWaitingMessage = 'take-over'
/**
 * Sent at sign-out, because the page may close before clearing its data. The text must stay: older pages send
 * it.
 */
export const clearMemberDataMessage = 'forget-member'
