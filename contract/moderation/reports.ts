/** Reports: what a member says is wrong with a post, a member, a message, a group or a comment, and what came of it. */
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

export const reportDesks = ['group', 'moderators'] as const
export type ReportDesk = (typeof reportDesks)[number]

/** What its reporter is told of it: nobody who looks at it is named. */
export const reportSchema = z.object({
  $id: fields.publicIdSchema,
  $createdAt: fields.isoTimestampSchema,
  kind: z.enum(reportSubjectKinds),
  reason: z.enum(reportReasons),
  /** Who looks at it: the admin of the group, or the moderators. */
  desk: z.enum(reportDesks),
  status: z.enum(['received', 'claimed', 'decided']),
  /** Null until it is decided. */
  outcome: z.nullable(z.enum(['acted', 'no-breach'])),
})

export type Report = z.infer<typeof reportSchema>

/**
 * Reports something the caller can read, or could in the last seven days, and keeps what was there. The same thing again at the
 * same desk is answered with the first report while that is open.
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
    /** Of a reported message's conversation, further ones that may be read: no other is shown to anybody. */
    messages: z.optional(
      z
        .array(fields.publicIdSchema)
        .check(z.maxLength(maxReportedMessages, `At most ${maxReportedMessages} messages.`)),
    ),
    /** Left out, the reason decides; the moderators can always be chosen. */
    desk: z.optional(z.literal('moderators')),
  }),
  output: z.extend(reportSchema, {
    /** Whom to call in danger, by country (ISO 3166), as the operator set them. */
    helpLines: z.array(z.object({ country: z.string(), number: z.string() })),
  }),
  errors: ['report_subject_not_found', 'report_self_not_allowed'],
  limit: 'report',
})

/** Lists what the caller reported, newest first. The cursor is the last report's id. */
export const listMyReportsOperation = defineOperation({
  name: 'listMyReports',
  method: 'GET',
  path: '/me/reports',
  input: z.object({ cursor: z.optional(fields.publicIdSchema), limit: z.optional(fields.pageSizeSchema) }),
  output: z.object({ documents: z.array(reportSchema), next: z.nullable(fields.publicIdSchema) }),
  errors: ['general_cursor_not_found'],
  limit: 'read',
})
