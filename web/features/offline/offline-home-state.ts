/** What a page shows that was opened without a connection: apart, because every member's page asks. */
export const offlineHomeState: {
  /** Says when that was loaded; undefined while the page shows what the server answered. */
  sentence?: string
  /** Whether posts of groups stood there, which are not kept. */
  leavesOutGroups?: boolean
} = {}
