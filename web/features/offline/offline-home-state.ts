/** The state of a page that was opened offline. This module is separate, because every member page reads it. */
export const offlineHomeState: {
  /** Says how old the data is. Undefined once the server has answered. */
  sentence?: string
  /** Whether group posts are missing. */
  leavesOutGroups?: boolean
} = {}
