import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { personSummarySchema } from '../people/people.ts'
import { maxTextLength } from '../text-length.ts'
import { audienceKindSchema } from './audience-kind.ts'

/** Counts from this number on are rounded down to two significant figures. */
export const audienceRoundingThreshold = 1000

/** Does not count the caller, closed accounts and people behind a block. */
export const previewAudienceOperation = defineOperation({
  name: 'previewAudience',
  method: 'GET',
  path: '/audience',
  input: z.object({
    groupId: z.optional(z.string().check(maxTextLength(36))),
    /** The id of the post being edited. If its group stays, its audience stays too. */
    postId: z.optional(fields.publicIdSchema),
  }),
  output: z.object({
    kind: audienceKindSchema,
    count: z.number(),
    rounded: z.boolean(),
    /** The newest readers, at most four. */
    faces: z.array(personSummarySchema),
    group: z.nullable(z.object({ $id: fields.publicIdSchema, name: z.string() })),
  }),
  errors: ['group_membership_required', 'document_not_found'],
  limit: 'read',
})
export type AudiencePreview = z.infer<typeof previewAudienceOperation.output>
