/** The actor of writes that follow from what a caller was permitted to do: the store checks no policy for them. */
export const systemActor = Symbol('the server')

/** Whose permission a write needs: that of the member with this key, or none. */
export type WriteActor = number | typeof systemActor
