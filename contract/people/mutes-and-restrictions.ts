/**
 * Mutes, of members whose posts and messages come less to another's notice, and restrictions, of members whose messages another
 * reads unnoticed, among the message requests. That other alone knows of either.
 */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { personSummarySchema } from './people.ts'

/** A person on the caller's list, since when. */
const memberListEntrySchema = z.object({
  $id: fields.publicIdSchema,
  $createdAt: fields.isoTimestampSchema,
  person: personSummarySchema,
})

export type MemberListEntry = z.infer<typeof memberListEntrySchema>

const personInput = z.object({ personId: fields.publicIdSchema })
const pageInput = z.object({
  cursor: z.optional(fields.publicIdSchema),
  limit: z.optional(fields.pageSizeSchema),
})
const memberListPageSchema = z.object({
  documents: z.array(memberListEntrySchema),
  next: z.nullable(fields.publicIdSchema),
})

/** Whether the caller has muted this person. */
export const getMuteOperation = defineOperation({
  name: 'getMute',
  method: 'GET',
  path: '/people/:personId/mute',
  input: personInput,
  output: z.object({ muted: z.boolean() }),
  errors: ['user_not_found'],
  limit: 'read',
})

/**
 * Leaves a person's posts out of the caller's home, Explore, search and the merged posts of groups, and the conversation of
 * the two out of the unread count. Nothing changes for that person. Repeating it changes nothing.
 */
export const muteMemberOperation = defineOperation({
  name: 'muteMember',
  method: 'PUT',
  path: '/people/:personId/mute',
  input: personInput,
  output: z.object({ muted: z.literal(true) }),
  errors: ['user_not_found', 'mute_self_not_allowed'],
  limit: 'write',
})

/** Answers alike where there was no mute. */
export const unmuteMemberOperation = defineOperation({
  name: 'unmuteMember',
  method: 'DELETE',
  path: '/people/:personId/mute',
  input: personInput,
  output: z.object({ muted: z.literal(false) }),
  limit: 'write',
})

/** Lists whom the caller has muted, newest first, without whoever is out of sight. The cursor is the last mute's id. */
export const listMutedMembersOperation = defineOperation({
  name: 'listMutedMembers',
  method: 'GET',
  path: '/me/mutes',
  input: pageInput,
  output: memberListPageSchema,
  errors: ['general_cursor_not_found'],
  limit: 'read',
})

/** Whether the caller has restricted this person. */
export const getRestrictionOperation = defineOperation({
  name: 'getRestriction',
  method: 'GET',
  path: '/people/:personId/restriction',
  input: personInput,
  output: z.object({ restricted: z.boolean() }),
  errors: ['user_not_found'],
  limit: 'read',
})

/**
 * Moves the conversation with a person among the caller's message requests, without dot, count or read mark, whatever was
 * written before. Nothing changes for that person. Repeating it changes nothing.
 */
export const restrictMemberOperation = defineOperation({
  name: 'restrictMember',
  method: 'PUT',
  path: '/people/:personId/restriction',
  input: personInput,
  output: z.object({ restricted: z.literal(true) }),
  errors: ['user_not_found', 'restrict_self_not_allowed'],
  limit: 'write',
})

/** Moves the conversation back. Answers alike where there was no restriction. */
export const unrestrictMemberOperation = defineOperation({
  name: 'unrestrictMember',
  method: 'DELETE',
  path: '/people/:personId/restriction',
  input: personInput,
  output: z.object({ restricted: z.literal(false) }),
  limit: 'write',
})

/** Lists whom the caller has restricted, newest first, without whoever is out of sight. The cursor is the last restriction's id. */
export const listRestrictedMembersOperation = defineOperation({
  name: 'listRestrictedMembers',
  method: 'GET',
  path: '/me/restrictions',
  input: pageInput,
  output: memberListPageSchema,
  errors: ['general_cursor_not_found'],
  limit: 'read',
})
