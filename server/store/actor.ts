/** The actor of the server's own writes. The store checks no policy for them. */
export const systemActor = Symbol('the server')

/** The key of the member whose permission the write needs, or `systemActor` for the server. */
export type WriteActor = number | typeof systemActor
