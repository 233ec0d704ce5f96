/** Collection names for the documents API, the socket and the web. Adding a noun starts here. */
export const collectionNames = [
  'users',
  'posts',
  'comments',
  'saves',
  'follows',
  'groups',
  'groupMembers',
  'groupRequests',
  'conversations',
  'messages',
] as const

/**
 * Collections that the socket and `catchUp` cover by default. Comments are left out: only clients showing the
 * post load them, and others see its comment count change.
 */
export const broadcastCollectionNames: readonly CollectionName[] = collectionNames.filter(
  (name) => name !== 'comments',
)

export type CollectionName = (typeof collectionNames)[number]
