/** The collections, by the names that the document door, the socket and the web call them. A new noun begins here. */
export const collectionNames = [
  'users',
  'posts',
  'saves',
  'follows',
  'groups',
  'groupMembers',
  'groupRequests',
  'conversations',
  'messages',
] as const

export type CollectionName = (typeof collectionNames)[number]
