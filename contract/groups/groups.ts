import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { postListSchema, postPageSchema } from '../posts/posts.ts'
import { maxTextLength } from '../text-length.ts'

/** A non-member's status follows from their latest request. */
export const membershipStatusSchema = z.enum(['admin', 'member', 'pending', 'rejected', 'none'])

export const groupSchema = z.object({
  $id: fields.publicIdSchema,
  $createdAt: fields.isoTimestampSchema,
  $updatedAt: fields.isoTimestampSchema,
  name: z.string(),
  description: z.string(),
  imageUrl: z.string(),
  imageId: z.nullable(fields.publicIdSchema),
  adminId: fields.publicIdSchema,
  isPrivate: z.boolean(),
  memberCount: z.number(),
  membership: membershipStatusSchema,
  /** The id of the pending request, while the caller can withdraw it. */
  requestId: z.nullable(fields.publicIdSchema),
  pendingCount: z.number(),
  can: z.object({
    edit: z.boolean(),
    delete: z.boolean(),
    /** The caller can also remove members and hand the group over. */
    decide: z.boolean(),
    leave: z.boolean(),
    /** True if the group passed to the caller when its admin's account was closed. */
    decline: z.boolean(),
  }),
})

export type MembershipStatus = z.infer<typeof membershipStatusSchema>
export type Group = z.infer<typeof groupSchema>

const groupList = z.object({ documents: z.array(groupSchema) })

const groupPage = z.object({ documents: z.array(groupSchema), next: z.nullable(fields.publicIdSchema) })

const page = { cursor: z.optional(fields.publicIdSchema), limit: z.optional(fields.pageSizeSchema) }

export const createGroupOperation = defineOperation({
  name: 'createGroup',
  method: 'POST',
  path: '/groups',
  status: 201,
  input: z.object({
    name: fields.groupNameSchema,
    description: z._default(fields.groupDescriptionSchema, ''),
    imageId: z.optional(z.nullable(fields.publicIdSchema)),
    /** This id becomes the group's `$id`, so that the client can repeat the call. */
    groupId: z.optional(fields.publicIdSchema),
    adminId: fields.actorIdSchema,
    /** Every group is private. */
    isPrivate: z.optional(z.literal(true)),
  }),
  output: groupSchema,
  errors: ['user_unauthorized', 'storage_file_not_found', 'document_already_exists'],
  limit: 'group',
})

export const listGroupsOperation = defineOperation({
  name: 'listGroups',
  method: 'GET',
  path: '/groups',
  input: z.object(page),
  output: groupPage,
  errors: ['general_cursor_not_found'],
  limit: 'read',
})

/**
 * Searches names and descriptions, ignoring case and accents. Returns at most twenty groups, newest first. A
 * blank term finds nothing.
 */
export const searchGroupsOperation = defineOperation({
  name: 'searchGroups',
  method: 'GET',
  path: '/search/groups',
  input: z.object({ term: z.string().check(z.trim(), maxTextLength(200)) }),
  output: groupList,
  limit: 'search',
  errors: ['database_timeout'],
})

export const getGroupOperation = defineOperation({
  name: 'getGroup',
  method: 'GET',
  path: '/groups/:groupId',
  input: z.object({ groupId: fields.publicIdSchema }),
  output: groupSchema,
  errors: ['group_not_found'],
  limit: 'read',
})

export const updateGroupOperation = defineOperation({
  name: 'updateGroup',
  method: 'PATCH',
  path: '/groups/:groupId',
  input: z.object({
    groupId: fields.publicIdSchema,
    name: z.optional(fields.groupNameSchema),
    description: z.optional(fields.groupDescriptionSchema),
    /** An unused upload; null removes the picture. */
    imageId: z.optional(z.nullable(fields.publicIdSchema)),
    adminId: fields.actorIdSchema,
  }),
  output: groupSchema,
  errors: ['group_not_found', 'user_unauthorized', 'storage_file_not_found'],
  limit: 'edit',
})

export const deleteGroupOperation = defineOperation({
  name: 'deleteGroup',
  method: 'DELETE',
  path: '/groups/:groupId',
  status: 204,
  input: z.object({
    groupId: fields.publicIdSchema,
    /** The caller types the group's name, to prevent accidental deletion. */
    name: z.string().check(z.trim()),
    currentUserId: fields.actorIdSchema,
  }),
  output: z.void(),
  errors: ['group_not_found', 'user_unauthorized', 'group_name_mismatch'],
  limit: 'write',
})

/** Lists the most recently joined group first. */
export const listMyGroupsOperation = defineOperation({
  name: 'listMyGroups',
  method: 'GET',
  path: '/me/groups',
  input: z.object({ ...page, userId: fields.actorIdSchema }),
  output: z.object({ documents: z.array(groupSchema), next: z.nullable(z.string()) }),
  errors: ['user_unauthorized', 'general_cursor_not_found'],
  limit: 'read',
})

/** Lists posts newest first, twenty per page. */
export const listGroupPostsOperation = defineOperation({
  name: 'listGroupPosts',
  method: 'GET',
  path: '/groups/:groupId/posts',
  input: z.object({
    groupId: fields.publicIdSchema,
    userId: fields.actorIdSchema,
    cursor: z.optional(fields.publicIdSchema),
  }),
  output: postPageSchema,
  errors: ['group_not_found', 'group_membership_required', 'user_unauthorized', 'general_cursor_not_found'],
  limit: 'read',
})

/** Lists the newest twenty posts. */
export const listMyGroupsPostsOperation = defineOperation({
  name: 'listMyGroupsPosts',
  method: 'GET',
  path: '/me/groups/posts',
  input: z.object({ userId: fields.actorIdSchema }),
  output: postListSchema,
  errors: ['user_unauthorized'],
  limit: 'read',
})
