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
  /** Only the admin may take these actions, and only on other members. */
  can: z.object({ remove: z.boolean(), handOver: z.boolean() }),
  /** Present if the caller blocked this member, whom only the group's admin still sees. */
  blocked: z.optional(z.literal(true)),
})

export type GroupMember = z.infer<typeof groupMemberSchema>

/** Newest members first. Empty for callers outside the group. */
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
    /** Only on the first page, if the caller blocked members of the group. */
    blockedCount: z.optional(z.number()),
  }),
  errors: ['group_not_found', 'general_cursor_not_found'],
  limit: 'read',
})

/** Of the caller, or of another member in a shared group. Pending and rejected requests do not count. */
export const getGroupMembershipOperation = defineOperation({
  name: 'getGroupMembership',
  method: 'GET',
  path: '/groups/:groupId/membership',
  input: z.object({ groupId: fields.publicIdSchema, userId: z.optional(fields.publicIdSchema) }),
  output: z.object({
    isMember: z.boolean(),
    isAdmin: z.boolean(),
    /** The caller's own posts that others see in the group. Absent for other members. */
    postCount: z.optional(z.number()),
  }),
  errors: ['group_not_found'],
  limit: 'read',
})

/**
 * The caller's posts stay, or are taken out and hidden from others. Idempotent. An admin must first hand over
 * the group.
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

/** For a group that the caller left. Idempotent. */
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
    /** A user id. */
    memberId: fields.publicIdSchema,
    currentUserId: fields.actorIdSchema,
  }),
  output: groupSchema,
  errors: ['group_not_found', 'group_member_not_found', 'group_admin_cannot_leave', 'user_unauthorized'],
  limit: 'write',
})

/** The old admin stays a member. */
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
 * Declines a group that passed to the caller when its admin's account was closed. The group returns to that
 * admin if they are back, or passes to the next eligible member. Without one, it is hidden until the admin
 * returns.
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
