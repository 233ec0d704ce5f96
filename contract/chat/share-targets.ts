/** Whom a post can be shared with. What is shared is sent as a message. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { personSummarySchema } from '../people/people.ts'
import { maxTextLength } from '../text-length.ts'

export const maxShareTargets = 20

/**
 * Lists whom a post can be sent to: with a term whom a search finds, without one the others of the newest conversations. `inGroup` is
 * asked of a group's post by its members alone, and null otherwise; of other reasons why somebody may not see the post nothing is told.
 */
export const listShareTargetsOperation = defineOperation({
  name: 'listShareTargets',
  method: 'GET',
  path: '/posts/:postId/share-targets',
  input: z.object({
    postId: fields.publicIdSchema,
    term: z.optional(z.string().check(z.trim(), maxTextLength(100))),
  }),
  output: z.object({
    documents: z.array(z.object({ person: personSummarySchema, inGroup: z.nullable(z.boolean()) })),
  }),
  errors: ['document_not_found'],
  limit: 'search',
})
