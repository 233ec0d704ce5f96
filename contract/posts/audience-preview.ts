/** Who would see a post, before it is shared. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { personSummarySchema } from '../people/people.ts'
import { maxTextLength } from '../text-length.ts'
import { audienceKindSchema } from './audience-kind.ts'

/** Of everyone this many are counted one by one; from here on two figures of the number are known. */
export const audienceRoundingThreshold = 1000

/**
 * Counts who could read a post of the caller's now, had it been written: the caller, closed accounts and whoever is behind a block
 * left out.
 */
export const previewAudienceOperation = defineOperation({
  name: 'previewAudience',
  method: 'GET',
  path: '/audience',
  input: z.object({
    /** The group the post goes to; none or empty, none. */
    groupId: z.optional(z.string().check(maxTextLength(36))),
    /** A post of the caller's that is edited: where it stays, it stays as open or as hidden as it is. */
    postId: z.optional(fields.publicIdSchema),
  }),
  output: z.object({
    kind: audienceKindSchema,
    count: z.number(),
    /** Whether the count is rounded down to two figures. */
    rounded: z.boolean(),
    /** Up to four of them, who came last. */
    faces: z.array(personSummarySchema),
    group: z.nullable(z.object({ $id: fields.publicIdSchema, name: z.string() })),
  }),
  errors: ['group_membership_required', 'document_not_found'],
  limit: 'read',
})
export type AudiencePreview = z.infer<typeof previewAudienceOperation.output>
