import type { MembershipStatus } from '#contract/groups/groups.ts'

/** Whether the person is a member of the group. The admin is a member too. */
export const isGroupMember = (membership: MembershipStatus): boolean =>
  membership === 'admin' || membership === 'member'
