/** The collections, by the names that the document door, the socket and the web call them. A new noun begins here. */
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
 * What the product's socket tells of, and catching up returns, where a client names no collections: of a comment everybody hears by its
 * post, whose number of comments changes, and only who looks at the post loads it.
 */
export const broadcastCollectionNames: readonly CollectionName[] = collectionNames.filter(
  (name) => name !== 'comments',
)

export type CollectionName = (typeof collectionNames)[number]
