import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { personSummarySchema } from '../people/people.ts'
import { maxTextLength } from '../text-length.ts'
import { audienceKindSchema } from './audience-kind.ts'

/** Below this number, the count is exact. From this number on, it is rounded down to two significant figures. */
export const audienceRoundingThreshold = 1000

/**
 * Counts who could read a post by the caller now. The caller, people with closed accounts, and people behind a block do
 * not count.
 */
export const previewAudienceOperation = defineOperation({
  name: 'previewAudience',
  method: 'GET',
  path: '/audience',
  input: z.object({
    /** The group for the post. Omitted or empty if there is none. */
    groupId: z.optional(z.string().check(maxTextLength(36))),
    /** The post being edited. If its group stays, its audience stays too. */
    postId: z.optional(fields.publicIdSchema),
  }),
  output: z.object({
    kind: audienceKindSchema,
    count: z.number(),
    /** Whether the count is rounded down to two significant figures. */
    rounded: z.boolean(),
    /** Up to four of the newest readers. */
    faces: z.array(personSummarySchema),
    group: z.nullable(z.object({ $id: fields.publicIdSchema, name: z.string() })),
  }),
  errors: ['group_membership_required', 'document_not_found'],
  limit: 'read',
})
export type AudiencePreview = z.infer<typeof previewAudienceOperation.output>
