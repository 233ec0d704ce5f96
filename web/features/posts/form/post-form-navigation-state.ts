/** State that links to the post form carry in the history entry. */

export type CreatePostNavigationState = {
  /** The group to preselect; set by the group's page. */
  groupId?: string
  /** The page one step back in the history. */
  from?: string
} | null

export type EditPostNavigationState = {
  /** The post's own page is one step back in the history. */
  fromPost?: boolean
} | null
