/** Private groups: what they show of themselves, and their posts (spec §2 Groups, §3 Group, §7 Groups). */
import * as z from 'zod/mini'
import * as fields from './fields.ts'
import { operation } from './operation.ts'
import { postList, postPage } from './posts.ts'

/** What the one who asks is to the group; the latest request decides between the last three (row GRP-26). */
export const membership = z.enum(['admin', 'member', 'pending', 'rejected', 'none'])

export const group = z.object({
  $id: fields.id,
  $createdAt: fields.instant,
  $updatedAt: fields.instant,
  name: z.string(),
  description: z.string(),
  /** Empty without a picture (reading D-11). */
  imageUrl: z.string(),
  imageId: z.nullable(fields.id),
  adminId: fields.id,
  isPrivate: z.boolean(),
  memberCount: z.number(),
  membership,
  /** Her own pending request, which she may withdraw. */
  requestId: z.nullable(fields.id),
  /** Requests waiting for her decision; 0 for everybody but the admin (conflict C-31). */
  pendingCount: z.number(),
  /** What the one who asks may do; decided by the server's policy, never derived by the client. */
  can: z.object({
    edit: z.boolean(),
    delete: z.boolean(),
    /** Approve and reject requests, remove members, hand the group over. */
    decide: z.boolean(),
    leave: z.boolean(),
  }),
})

export type Membership = z.infer<typeof membership>
export type Group = z.infer<typeof group>

const groupList = z.object({ documents: z.array(group) })

/** A page of groups; `next` is the following request's `cursor`, null when this was the last. */
const groupPage = z.object({ documents: z.array(group), next: z.nullable(fields.id) })

const page = { cursor: z.optional(fields.id), limit: z.optional(fields.pageSize) }

export const createGroup = operation({
  name: 'createGroup',
  method: 'POST',
  path: '/groups',
  status: 201,
  input: z.object({
    name: fields.groupName,
    description: z._default(fields.groupDescription, ''),
    /** A finished upload of the caller that no record uses yet. */
    imageId: z.optional(z.nullable(fields.id)),
    /** Chosen by the client, so that what is sent again is not stored again; it becomes the group's `$id`. */
    groupId: z.optional(fields.id),
    adminId: fields.actor,
    /** Every group is private (conflict C-28). */
    isPrivate: z.optional(z.literal(true)),
  }),
  output: group,
  errors: ['user_unauthorized', 'storage_file_not_found', 'document_already_exists'],
  limit: 'group',
})

/** Newest first. */
export const listGroups = operation({
  name: 'listGroups',
  method: 'GET',
  path: '/groups',
  input: z.object(page),
  output: groupPage,
  errors: ['general_cursor_not_found'],
  limit: 'read',
})

/** By name or description, accent- and case-insensitive, at most twenty, newest first; blank finds nothing. */
export const searchGroups = operation({
  name: 'searchGroups',
  method: 'GET',
  path: '/search/groups',
  input: z.object({ term: z.string().check(z.trim(), z.maxLength(200)) }),
  output: groupList,
  limit: 'search',
})

export const getGroup = operation({
  name: 'getGroup',
  method: 'GET',
  path: '/groups/:groupId',
  input: z.object({ groupId: fields.id }),
  output: group,
  errors: ['group_not_found'],
  limit: 'read',
})

/** What is left out stays as it is. */
export const updateGroup = operation({
  name: 'updateGroup',
  method: 'PATCH',
  path: '/groups/:groupId',
  input: z.object({
    groupId: fields.id,
    name: z.optional(fields.groupName),
    description: z.optional(fields.groupDescription),
    /** A finished upload; null takes the picture away. */
    imageId: z.optional(z.nullable(fields.id)),
    adminId: fields.actor,
  }),
  output: group,
  errors: ['group_not_found', 'user_unauthorized', 'storage_file_not_found'],
  limit: 'write',
})

/** Its posts, members and requests go with it. */
export const deleteGroup = operation({
  name: 'deleteGroup',
  method: 'DELETE',
  path: '/groups/:groupId',
  status: 204,
  input: z.object({
    groupId: fields.id,
    /** The group's name as the admin typed it, so that nobody deletes one by a slip. */
    name: z.string().check(z.trim()),
    currentUserId: fields.actor,
  }),
  output: z.void(),
  errors: ['group_not_found', 'user_unauthorized', 'group_name_mismatch'],
  limit: 'write',
})

/** The groups she is in, the one she joined last first. */
export const myGroups = operation({
  name: 'myGroups',
  method: 'GET',
  path: '/me/groups',
  input: z.object({ ...page, userId: fields.actor }),
  output: z.object({ documents: z.array(group), next: z.nullable(z.string()) }),
  errors: ['user_unauthorized', 'general_cursor_not_found'],
  limit: 'read',
})

/** Members alone read a group's posts, newest first, twenty at a time (row GPAGE-04). */
export const groupPosts = operation({
  name: 'groupPosts',
  method: 'GET',
  path: '/groups/:groupId/posts',
  input: z.object({
    groupId: fields.id,
    userId: fields.actor,
    cursor: z.optional(fields.id),
  }),
  output: postPage,
  errors: ['group_not_found', 'group_membership_required', 'user_unauthorized', 'general_cursor_not_found'],
  limit: 'read',
})

/** The newest twenty over all her groups. */
export const myGroupsPosts = operation({
  name: 'myGroupsPosts',
  method: 'GET',
  path: '/me/groups/posts',
  input: z.object({ userId: fields.actor }),
  output: postList,
  errors: ['user_unauthorized'],
  limit: 'read',
})
