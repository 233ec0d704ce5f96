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

/** The socket and `catchUp` cover these by default. Only clients that show the post load comments. */
export const broadcastCollectionNames: readonly CollectionName[] = collectionNames.filter(
  (name) => name !== 'comments',
)

export type CollectionName = (typeof collectionNames)[number]
