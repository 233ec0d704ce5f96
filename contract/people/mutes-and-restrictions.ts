/**
 * A mute hides posts and message notifications. A restriction moves messages to the message requests. The
 * muted or restricted member learns of neither.
 */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { personSummarySchema } from './people.ts'

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
 * Hides the member's posts from home, Explore, search and the merged list of group posts. The conversation no
 * longer counts as unread.
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

export const unmuteMemberOperation = defineOperation({
  name: 'unmuteMember',
  method: 'DELETE',
  path: '/people/:personId/mute',
  input: personInput,
  output: z.object({ muted: z.literal(false) }),
  limit: 'write',
})

/** Lists visible muted members, newest first. */
export const listMutedMembersOperation = defineOperation({
  name: 'listMutedMembers',
  method: 'GET',
  path: '/me/mutes',
  input: pageInput,
  output: memberListPageSchema,
  errors: ['general_cursor_not_found'],
  limit: 'read',
})

export const getRestrictionOperation = defineOperation({
  name: 'getRestriction',
  method: 'GET',
  path: '/people/:personId/restriction',
  input: personInput,
  output: z.object({ restricted: z.boolean() }),
  errors: ['user_not_found'],
  limit: 'read',
})

/** Afterwards, the conversation changes no badge and no read mark. */
export const restrictMemberOperation = defineOperation({
  name: 'restrictMember',
  method: 'PUT',
  path: '/people/:personId/restriction',
  input: personInput,
  output: z.object({ restricted: z.literal(true) }),
  errors: ['user_not_found', 'restrict_self_not_allowed'],
  limit: 'write',
})

export const unrestrictMemberOperation = defineOperation({
  name: 'unrestrictMember',
  method: 'DELETE',
  path: '/people/:personId/restriction',
  input: personInput,
  output: z.object({ restricted: z.literal(false) }),
  limit: 'write',
})

/** Lists visible restricted members, newest first. */
export const listRestrictedMembersOperation = defineOperation({
  name: 'listRestrictedMembers',
  method: 'GET',
  path: '/me/restrictions',
  input: pageInput,
  output: memberListPageSchema,
  errors: ['general_cursor_not_found'],
  limit: 'read',
})
