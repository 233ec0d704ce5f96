import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { personSummarySchema } from '../people/people.ts'
import { maxTextLength } from '../text-length.ts'

export const maxListedShareTargets = 20

/**
 * Lists people whose names match `term`, or recent contacts if it is empty. `inGroup` is null unless the post
 * belongs to one of the caller's groups. Other reasons why someone cannot see the post stay private.
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
