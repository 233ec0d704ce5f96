/** To add a collection, start here. */
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
 * The collections that the socket and `catchUp` cover by default. Comments are left out, because only clients
 * that show the post load them.
 */
export const broadcastCollectionNames: readonly CollectionName[] = collectionNames.filter(
  (name) => name !== 'comments',
)

export type CollectionName = (typeof collectionNames)[number]
