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
  /** The caller's abilities as the group's admin. */
  can: z.object({ remove: z.boolean(), handOver: z.boolean() }),
  /** True if the caller blocked this member. Only the group's admin still sees such members. */
  blocked: z.optional(z.literal(true)),
})

export type GroupMember = z.infer<typeof groupMemberSchema>

/** Newest first. Empty for callers outside the group. */
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
    /** Present only on the first page. */
    blockedCount: z.optional(z.number()),
  }),
  errors: ['group_not_found', 'general_cursor_not_found'],
  limit: 'read',
})

/**
 * Callers can ask about other members only in a shared group. Pending and rejected requests do not count as
 * membership.
 */
export const getGroupMembershipOperation = defineOperation({
  name: 'getGroupMembership',
  method: 'GET',
  path: '/groups/:groupId/membership',
  input: z.object({ groupId: fields.publicIdSchema, userId: z.optional(fields.publicIdSchema) }),
  output: z.object({
    isMember: z.boolean(),
    isAdmin: z.boolean(),
    /** The number of the caller's posts that others see. Absent for other members. */
    postCount: z.optional(z.number()),
  }),
  errors: ['group_not_found'],
  limit: 'read',
})

/** The caller's posts stay, or are hidden from others. An admin must hand over the group before leaving. */
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

/** The caller must have left the group. Idempotent. */
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
    memberId: fields.publicIdSchema,
    currentUserId: fields.actorIdSchema,
  }),
  output: groupSchema,
  errors: ['group_not_found', 'group_member_not_found', 'group_admin_cannot_leave', 'user_unauthorized'],
  limit: 'write',
})

export const handOverGroupOperation = defineOperation({
  name: 'handOverGroup',
  method: 'PUT',
  path: '/groups/:groupId/admin',
  input: z.object({
    groupId: fields.publicIdSchema,
    memberId: fields.publicIdSchema,
    currentUserId: fields.actorIdSchema,
  }),
  output: groupSchema,
  errors: ['group_not_found', 'group_member_not_found', 'user_unauthorized'],
  limit: 'write',
})

/**
 * Declines a group that the server passed to the caller. The group goes to its previous admin if they are eligible and
 * have not left it since, otherwise to the next eligible member. If no member is eligible, the server refuses the call.
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
