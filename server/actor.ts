/** Whose permission a write needs. */

/** Acts as the effect of something a member was allowed to do: the policy is not asked. */
export const theServer = Symbol('the server')

/** A member's key, or the server's own doing. */
export type Actor = number | typeof theServer
