/** Members of a group: listing, leaving, removing, handing over. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { personSummarySchema } from '../people/people.ts'
import { groupSchema } from './groups.ts'

export const groupMemberSchema = z.object({
  $id: fields.publicIdSchema,
  $createdAt: fields.isoTimestampSchema,
  groupId: fields.publicIdSchema,
  userId: fields.publicIdSchema,
  user: personSummarySchema,
  role: z.enum(['admin', 'member']),
  joinedAt: fields.isoTimestampSchema,
  /** What the caller may do with this member: the admin, with everybody else. */
  can: z.object({ remove: z.boolean(), handOver: z.boolean() }),
  /** The caller blocked this member and sees the membership as the group's admin alone. */
  blocked: z.optional(z.literal(true)),
})

export type GroupMember = z.infer<typeof groupMemberSchema>

/** Who joined last comes first; empty for those who are not in the group. */
export const listGroupMembersOperation = defineOperation({
  name: 'listGroupMembers',
  method: 'GET',
  path: '/groups/:groupId/members',
  input: z.object({
    groupId: fields.publicIdSchema,
    cursor: z.optional(fields.publicIdSchema),
    limit: z.optional(fields.pageSizeSchema),
  }),
  output: z.object({
    documents: z.array(groupMemberSchema),
    next: z.nullable(fields.publicIdSchema),
    /** How many in the group the caller has blocked; with the first page, where there are any. */
    blockedCount: z.optional(z.number()),
  }),
  errors: ['group_not_found', 'general_cursor_not_found'],
  limit: 'read',
})

/**
 * The membership and the admin check: of oneself, or of somebody in a group both are in. A pending or
 * rejected request is no membership.
 */
export const getGroupMembershipOperation = defineOperation({
  name: 'getGroupMembership',
  method: 'GET',
  path: '/groups/:groupId/membership',
  input: z.object({ groupId: fields.publicIdSchema, userId: z.optional(fields.publicIdSchema) }),
  output: z.object({
    isMember: z.boolean(),
    isAdmin: z.boolean(),
    /** When asked of oneself: how many posts of the caller others see there. */
    postCount: z.optional(z.number()),
  }),
  errors: ['group_not_found'],
  limit: 'read',
})

/**
 * Ends the caller's membership. The caller's posts stay in the group, or are taken along: then nobody else sees them. Idempotent; an
 * admin hands over first.
 */
export const leaveGroupOperation = defineOperation({
  name: 'leaveGroup',
  method: 'DELETE',
  path: '/groups/:groupId/membership',
  input: z.object({
    groupId: fields.publicIdSchema,
    userId: fields.actorIdSchema,
    posts: z.optional(z.enum(['keep', 'take'])),
  }),
  output: groupSchema,
  errors: ['group_not_found', 'group_admin_cannot_leave', 'user_unauthorized'],
  limit: 'write',
})

/**
 * Takes all posts of the caller out of a group that the caller is no longer in, as `leaveGroup` does: nobody else sees them from then on.
 * Answers alike where there is none.
 */
export const takePostsOutOfGroupOperation = defineOperation({
  name: 'takePostsOutOfGroup',
  method: 'POST',
  path: '/groups/:groupId/take-along',
  input: z.object({ groupId: fields.publicIdSchema }),
  output: z.object({ taken: z.number() }),
  limit: 'write',
})

export const removeGroupMemberOperation = defineOperation({
  name: 'removeGroupMember',
  method: 'DELETE',
  path: '/groups/:groupId/members/:memberId',
  input: z.object({
    groupId: fields.publicIdSchema,
    /** The member's user id. */
    memberId: fields.publicIdSchema,
    currentUserId: fields.actorIdSchema,
  }),
  output: groupSchema,
  errors: ['group_not_found', 'group_member_not_found', 'group_admin_cannot_leave', 'user_unauthorized'],
  limit: 'write',
})

/** Makes another member the admin and the admin a member. */
export const handOverGroupOperation = defineOperation({
  name: 'handOverGroup',
  method: 'PUT',
  path: '/groups/:groupId/admin',
  input: z.object({
    groupId: fields.publicIdSchema,
    /** The new admin's user id. */
    memberId: fields.publicIdSchema,
    currentUserId: fields.actorIdSchema,
  }),
  output: groupSchema,
  errors: ['group_not_found', 'group_member_not_found', 'user_unauthorized'],
  limit: 'write',
})

/**
 * Declines a group that passed on to the caller when its admin was away. It returns to that admin if they are back, else it goes to the
 * next member who can take it over, else it is hidden until they are back.
 */
export const declineGroupOperation = defineOperation({
  name: 'declineGroup',
  method: 'DELETE',
  path: '/groups/:groupId/admin',
  status: 204,
  input: z.object({ groupId: fields.publicIdSchema }),
  output: z.void(),
  errors: ['group_not_found', 'user_unauthorized'],
  limit: 'write',
})
