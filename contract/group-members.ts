/** Who is in a group, and how she leaves it (spec §3 Group member, §7 Groups; the rest beyond the spec). */
import * as z from 'zod/mini'
import * as fields from './fields.ts'
import { group } from './groups.ts'
import { operation } from './operation.ts'
import { creator } from './people.ts'

export const groupMember = z.object({
  $id: fields.id,
  $createdAt: fields.instant,
  groupId: fields.id,
  userId: fields.id,
  user: creator,
  role: z.enum(['admin', 'member']),
  joinedAt: fields.instant,
  /** What the one who asks may do with this member: the admin, with everybody but herself. */
  can: z.object({ remove: z.boolean(), handOver: z.boolean() }),
})

export type GroupMember = z.infer<typeof groupMember>

/** Who joined last comes first; empty for those who are not in the group. */
export const listMembers = operation({
  name: 'listMembers',
  method: 'GET',
  path: '/groups/:groupId/members',
  input: z.object({
    groupId: fields.id,
    cursor: z.optional(fields.id),
    limit: z.optional(fields.pageSize),
  }),
  output: z.object({ documents: z.array(groupMember), next: z.nullable(fields.id) }),
  errors: ['group_not_found', 'general_cursor_not_found'],
  limit: 'read',
})

/**
 * The membership and the admin check (row GPAGE-16): of oneself, or of somebody in a group both are in. A pending or
 * rejected request is no membership.
 */
export const checkMembership = operation({
  name: 'checkMembership',
  method: 'GET',
  path: '/groups/:groupId/membership',
  input: z.object({ groupId: fields.id, userId: z.optional(fields.id) }),
  output: z.object({ isMember: z.boolean(), isAdmin: z.boolean() }),
  errors: ['group_not_found'],
  limit: 'read',
})

/** Her posts stay hers (reading R-16). Leaving twice is leaving once; the admin hands over first. */
export const leaveGroup = operation({
  name: 'leaveGroup',
  method: 'DELETE',
  path: '/groups/:groupId/membership',
  input: z.object({ groupId: fields.id, userId: fields.actor }),
  output: group,
  errors: ['group_not_found', 'group_admin_cannot_leave', 'user_unauthorized'],
  limit: 'write',
})

export const removeMember = operation({
  name: 'removeMember',
  method: 'DELETE',
  path: '/groups/:groupId/members/:memberId',
  input: z.object({
    groupId: fields.id,
    /** The member's user id. */
    memberId: fields.id,
    currentUserId: fields.actor,
  }),
  output: group,
  errors: ['group_not_found', 'group_member_not_found', 'group_admin_cannot_leave', 'user_unauthorized'],
  limit: 'write',
})

/** Makes another member the admin and the admin a member. */
export const handOverGroup = operation({
  name: 'handOverGroup',
  method: 'PUT',
  path: '/groups/:groupId/admin',
  input: z.object({
    groupId: fields.id,
    /** The new admin's user id. */
    memberId: fields.id,
    currentUserId: fields.actor,
  }),
  output: group,
  errors: ['group_not_found', 'group_member_not_found', 'user_unauthorized'],
  limit: 'write',
})
