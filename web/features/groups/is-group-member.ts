import type { MembershipStatus } from '#contract/groups/groups.ts'

/** Tells whether a membership status is that of a member, the admin included. */
export const isGroupMember = (membership: MembershipStatus): boolean =>
  membership === 'admin' || membership === 'member'
