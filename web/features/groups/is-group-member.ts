import type { MembershipStatus } from '#contract/groups/groups.ts'

/** The admin is a member too. */
export const isGroupMember = (membership: MembershipStatus): boolean =>
  membership === 'admin' || membership === 'member'
