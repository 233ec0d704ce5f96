/** Audience: who will see a post, before it is shared and as it was when it was. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { removedMetadataSchema } from '../files.ts'
import { defineOperation } from '../operation.ts'
import { personSummarySchema } from '../people.ts'

/** With whom a post is shared: every member, the author's followers alone, or the members of its group. */
export const audienceKindSchema = z.enum(['everyone', 'followers', 'group'])

/** Of everyone this many are counted one by one; from here on two figures of the number are known. */
export const roundedAudienceFrom = 1000

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
    groupId: z.optional(z.string().check(z.maxLength(36))),
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

/** What a post's author alone is told of having shared it. Who has seen it nobody is told. */
export const shareReceiptSchema = z.object({
  with: audienceKindSchema,
  /** How many members could read it then; null for everyone, and where it was not counted. */
  count: z.nullable(z.number()),
  /** When it was shared with them: at its making, or when it came to its group or out of one. */
  at: fields.isoTimestampSchema,
  /** What its picture has lost on the way in. */
  removed: z.array(removedMetadataSchema),
})
export type ShareReceipt = z.infer<typeof shareReceiptSchema>
