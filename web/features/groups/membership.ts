/** Tells what a membership status means. */
import type { MembershipStatus } from '#contract/groups.ts'

export const isGroupMember = (membership: MembershipStatus): boolean =>
  membership === 'admin' || membership === 'member'
