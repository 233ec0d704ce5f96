import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { maxReportedMessages, maxReportNoteLength } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength } from '../text-length.ts'

export const reportSubjectKinds = ['post', 'member', 'message', 'group', 'comment'] as const
export type ReportSubjectKind = (typeof reportSubjectKinds)[number]

export const reportReasons = [
  'harassment',
  'intimate',
  'threat',
  'hate',
  'minor',
  'self-harm',
  'impersonation',
  'spam',
  'off-topic',
  'other',
] as const
export type ReportReason = (typeof reportReasons)[number]

export const reviewQueues = ['group', 'moderators'] as const
export type ReviewQueue = (typeof reviewQueues)[number]

/** The reporter sees this report. Reviewers stay anonymous. */
export const reportSchema = z.object({
  $id: fields.publicIdSchema,
  $createdAt: fields.isoTimestampSchema,
  kind: z.enum(reportSubjectKinds),
  reason: z.enum(reportReasons),
  desk: z.enum(reviewQueues),
  status: z.enum(['received', 'claimed', 'decided']),
  outcome: z.nullable(z.enum(['acted', 'no-breach'])),
})

export type Report = z.infer<typeof reportSchema>

/**
 * The caller must be able to read the content, or have been able to in the last seven days. The content
 * becomes evidence. While a report is open, another report to the same queue returns the first.
 */
export const createReportOperation = defineOperation({
  name: 'createReport',
  method: 'POST',
  path: '/reports',
  status: 201,
  input: z.object({
    subject: z.object({ kind: z.enum(reportSubjectKinds), id: fields.publicIdSchema }),
    reason: z.enum(reportReasons),
    note: z.optional(
      z
        .string()
        .check(
          z.trim(),
          maxTextLength(maxReportNoteLength, `Maximum ${maxReportNoteLength} characters.`),
          fields.combiningMarksCheck,
        ),
    ),
    /** The ids of further messages. Moderators see no other messages. */
    messages: z.optional(
      z
        .array(fields.publicIdSchema)
        .check(z.maxLength(maxReportedMessages, `At most ${maxReportedMessages} messages.`)),
    ),
    /** The reason determines the queue, unless the reporter chooses the moderators. */
    desk: z.optional(z.literal('moderators')),
  }),
  output: z.extend(reportSchema, {
    /** The operator's emergency numbers, by country (ISO 3166-1). */
    helpLines: z.array(z.object({ country: z.string(), number: z.string() })),
  }),
  errors: ['report_subject_not_found', 'report_self_not_allowed'],
  limit: 'report',
})

/** Lists reports newest first. */
export const listMyReportsOperation = defineOperation({
  name: 'listMyReports',
  method: 'GET',
  path: '/me/reports',
  input: z.object({ cursor: z.optional(fields.publicIdSchema), limit: z.optional(fields.pageSizeSchema) }),
  output: z.object({ documents: z.array(reportSchema), next: z.nullable(fields.publicIdSchema) }),
  errors: ['general_cursor_not_found'],
  limit: 'read',
})
