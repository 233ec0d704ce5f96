/**
 * Reasons for closing a live socket, separate from the socket's schemas so that pages can read them alone.
 */
export const socketCloseCodes = {
  /** Do not reconnect: unknown project, blocked account, no session, or misuse. */
  goAway: 1008,
  restarting: 1012,
  /** Too many connections, or the database is unreachable. */
  tryLater: 1013,
  /** The socket is half an hour old, or the server lost its position. */
  refresh: 4000,
  /** The session ended: signed out, expired, or a new password. */
  sessionOver: 4001,
} as const
