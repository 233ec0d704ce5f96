/** Names of members in captions and comments: of those who can see the post, each leads to a profile. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { personSummarySchema } from '../people/people.ts'
import { maxTextLength } from '../text-length.ts'

export const maxMentionablePeople = 8

/**
 * Suggests whom a text may name by a part of a name or username: those in the thread, then those the caller follows, then others. Of a
 * post they are who can see it, of a group its members; without either who could see a new post of the caller's.
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
