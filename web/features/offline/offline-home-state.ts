/** State of a page opened offline; separate, because every member page reads it. */
export const offlineHomeState: {
  /** How old the data is; undefined once the server answered. */
  sentence?: string
  /** Whether group posts were omitted. */
  leavesOutGroups?: boolean
} = {}
