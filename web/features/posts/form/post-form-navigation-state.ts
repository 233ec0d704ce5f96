export type CreatePostNavigationState = {
  groupId?: string
  from?: string
} | null

export type EditPostNavigationState = {
  /** Whether Back leads to the post's page. */
  fromPost?: boolean
} | null
