/** Links to the post form pass it in the history. */

export type CreatePostNavigationState = {
  /** The preselected group. */
  groupId?: string
  /** The path of the previous page. */
  from?: string
} | null

export type EditPostNavigationState = {
  /** Whether Back leads to the post's page. */
  fromPost?: boolean
} | null
