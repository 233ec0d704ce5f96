import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { personSummarySchema } from '../people/people.ts'
import { maxTextLength } from '../text-length.ts'
import { audienceKindSchema } from './audience-kind.ts'

/** Below this, everyone is counted exactly; from here on to two significant figures. */
export const audienceRoundingThreshold = 1000

/** Counts who could read a post of the caller's now. Leaves out the caller, closed accounts and blocks. */
export const previewAudienceOperation = defineOperation({
  name: 'previewAudience',
  method: 'GET',
  path: '/audience',
  input: z.object({
    /** The target group; omitted or empty for none. */
    groupId: z.optional(z.string().check(maxTextLength(36))),
    /** The edited post, which keeps its openness if its group stays. */
    postId: z.optional(fields.publicIdSchema),
  }),
  output: z.object({
    kind: audienceKindSchema,
    count: z.number(),
    /** Whether the count is rounded down to two figures. */
    rounded: z.boolean(),
    /** Up to four of the newest readers. */
    faces: z.array(personSummarySchema),
    group: z.nullable(z.object({ $id: fields.publicIdSchema, name: z.string() })),
  }),
  errors: ['group_membership_required', 'document_not_found'],
  limit: 'read',
})
export type AudiencePreview = z.infer<typeof previewAudienceOperation.output>
