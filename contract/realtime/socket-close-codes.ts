/** A separate file, so that pages need not load the socket's schemas. */
export const socketCloseCodes = {
  /** The client must not reconnect: unknown project, blocked account, no session, or misuse. */
  goAway: 1008,
  restarting: 1012,
  /** There are too many connections, or the database is unreachable. */
  tryLater: 1013,
  /** The socket is half an hour old, or the server lost its position. */
  refresh: 4000,
  /** The member signed out or changed the password, or the session expired. */
  sessionOver: 4001,
} as const
