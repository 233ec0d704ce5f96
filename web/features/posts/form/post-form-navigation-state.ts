/** The history state that links to the post form pass on. */

export type CreatePostNavigationState = {
  /** The id of the preselected group. */
  groupId?: string
  /** The path of the previous page. */
  from?: string
} | null

export type EditPostNavigationState = {
  /** Whether going back one step leads to the post's page. */
  fromPost?: boolean
} | null
