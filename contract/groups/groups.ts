/** Private groups: what they show of themselves, and their posts. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { postListSchema, postPageSchema } from '../posts/posts.ts'
import { maxTextLength } from '../text-length.ts'

/** What the one who asks is to the group; the latest request decides between the last three. */
export const membershipStatusSchema = z.enum(['admin', 'member', 'pending', 'rejected', 'none'])

export const groupSchema = z.object({
  $id: fields.publicIdSchema,
  $createdAt: fields.isoTimestampSchema,
  $updatedAt: fields.isoTimestampSchema,
  name: z.string(),
  description: z.string(),
  /** Empty without a picture. */
  imageUrl: z.string(),
  imageId: z.nullable(fields.publicIdSchema),
  adminId: fields.publicIdSchema,
  isPrivate: z.boolean(),
  memberCount: z.number(),
  membership: membershipStatusSchema,
  /** The caller's own pending request, which may be withdrawn. */
  requestId: z.nullable(fields.publicIdSchema),
  /** Requests waiting for the caller's decision; 0 for everybody but the admin. */
  pendingCount: z.number(),
  /** What the one who asks may do; decided by the server's policy, never derived by the client. */
  can: z.object({
    edit: z.boolean(),
    delete: z.boolean(),
    /** Approve and reject requests, remove members, hand the group over. */
    decide: z.boolean(),
    leave: z.boolean(),
    /** Decline a group that passed on to the caller when its admin was away. */
    decline: z.boolean(),
  }),
})

export type MembershipStatus = z.infer<typeof membershipStatusSchema>
export type Group = z.infer<typeof groupSchema>

const groupList = z.object({ documents: z.array(groupSchema) })

/** A page of groups; `next` is the following request's `cursor`, null when this was the last. */
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
    /** A finished upload of the caller that no record uses yet. */
    imageId: z.optional(z.nullable(fields.publicIdSchema)),
    /** Chosen by the client, so that what is sent again is not stored again; it becomes the group's `$id`. */
    groupId: z.optional(fields.publicIdSchema),
    adminId: fields.actorIdSchema,
    /** Every group is private. */
    isPrivate: z.optional(z.literal(true)),
  }),
  output: groupSchema,
  errors: ['user_unauthorized', 'storage_file_not_found', 'document_already_exists'],
  limit: 'group',
})

/** Newest first. */
export const listGroupsOperation = defineOperation({
  name: 'listGroups',
  method: 'GET',
  path: '/groups',
  input: z.object(page),
  output: groupPage,
  errors: ['general_cursor_not_found'],
  limit: 'read',
})

/** By name or description, accent- and case-insensitive, at most twenty, newest first; blank finds nothing. */
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

/** What is left out stays as it is. */
export const updateGroupOperation = defineOperation({
  name: 'updateGroup',
  method: 'PATCH',
  path: '/groups/:groupId',
  input: z.object({
    groupId: fields.publicIdSchema,
    name: z.optional(fields.groupNameSchema),
    description: z.optional(fields.groupDescriptionSchema),
    /** A finished upload; null takes the picture away. */
    imageId: z.optional(z.nullable(fields.publicIdSchema)),
    adminId: fields.actorIdSchema,
  }),
  output: groupSchema,
  errors: ['group_not_found', 'user_unauthorized', 'storage_file_not_found'],
  limit: 'edit',
})

/** Its posts, members and requests go with it. */
export const deleteGroupOperation = defineOperation({
  name: 'deleteGroup',
  method: 'DELETE',
  path: '/groups/:groupId',
  status: 204,
  input: z.object({
    groupId: fields.publicIdSchema,
    /** The group's name as the admin typed it, so that nobody deletes one by a slip. */
    name: z.string().check(z.trim()),
    currentUserId: fields.actorIdSchema,
  }),
  output: z.void(),
  errors: ['group_not_found', 'user_unauthorized', 'group_name_mismatch'],
  limit: 'write',
})

/** Lists the caller's groups, last joined first. */
export const listMyGroupsOperation = defineOperation({
  name: 'listMyGroups',
  method: 'GET',
  path: '/me/groups',
  input: z.object({ ...page, userId: fields.actorIdSchema }),
  output: z.object({ documents: z.array(groupSchema), next: z.nullable(z.string()) }),
  errors: ['user_unauthorized', 'general_cursor_not_found'],
  limit: 'read',
})

/** Members alone read a group's posts, newest first, twenty at a time. */
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

/** Lists the newest twenty posts over all groups of the caller. */
export const listMyGroupsPostsOperation = defineOperation({
  name: 'listMyGroupsPosts',
  method: 'GET',
  path: '/me/groups/posts',
  input: z.object({ userId: fields.actorIdSchema }),
  output: postListSchema,
  errors: ['user_unauthorized'],
  limit: 'read',
})
