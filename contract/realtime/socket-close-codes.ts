/** Why the server closes a live socket; apart from the schemas of what the socket sends, so that a page can read them without those. */
export const socketCloseCodes = {
  /** Do not come back: no such project, a blocked account, nobody signed in, or a misuse of the socket. */
  goAway: 1008,
  /** The server restarts. */
  restarting: 1012,
  /** Too many connections, or a database out of reach. */
  tryLater: 1013,
  /** The socket is half an hour old, or the server lost track of what it sent. */
  refresh: 4000,
  /** The session ended: signed out, expired, or the password changed. */
  sessionOver: 4001,
} as const
