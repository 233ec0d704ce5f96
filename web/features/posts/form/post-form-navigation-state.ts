/** History state of links to the post form. */

export type CreatePostNavigationState = {
  /** The preselected group. */
  groupId?: string
  /** The previous page's path. */
  from?: string
} | null

export type EditPostNavigationState = {
  /** The post's page is one step back. */
  fromPost?: boolean
} | null
