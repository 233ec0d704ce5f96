/** A mention links to a profile only if that member can see the post. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { personSummarySchema } from '../people/people.ts'
import { maxTextLength } from '../text-length.ts'

export const maxMentionablePeople = 8

/**
 * Lists members from the thread first, then followed members. Includes only people who can see the post, the
 * group's posts or, without either, the caller's new posts.
 */
export const listMentionablePeopleOperation = defineOperation({
  name: 'listMentionablePeople',
  method: 'GET',
  path: '/mentionable',
  input: z.object({
    term: z.string().check(z.trim(), maxTextLength(30)),
    postId: z.optional(fields.publicIdSchema),
    groupId: z.optional(fields.publicIdSchema),
  }),
  output: z.object({ documents: z.array(personSummarySchema) }),
  errors: ['document_not_found'],
  limit: 'search',
})
