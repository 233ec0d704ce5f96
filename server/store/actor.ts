/** The actor of the server's own writes, for which the store checks no policy. */
export const systemActor = Symbol('the server')

export type WriteActor = number | typeof systemActor
