import type { MembershipStatus } from '#contract/groups/groups.ts'

/** Includes the admin. */
export const isGroupMember = (membership: MembershipStatus): boolean =>
  membership === 'admin' || membership === 'member'
