/** The actor of the server's own writes; the store checks no policy for them. */
export const systemActor = Symbol('the server')

/** The key of the member whose permission a write needs, or the server. */
export type WriteActor = number | typeof systemActor
