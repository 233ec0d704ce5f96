/** A group's admin decides reports of spam and off-topic posts. Reporters stay anonymous. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { maxModerationReasonLength } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength } from '../text-length.ts'
import { evidenceSchema } from './cases.ts'
import { reportReasons } from './reports.ts'

/** `pass-on` hands the case over to the moderators. */
export const groupCaseDecisions = ['dismiss', 'take-out', 'remove-member', 'pass-on'] as const
export type GroupCaseDecision = (typeof groupCaseDecisions)[number]

const groupCaseSummary = {
  $id: fields.publicIdSchema,
  $createdAt: fields.isoTimestampSchema,
  reason: z.enum(reportReasons),
  reportCount: z.number(),
  about: z.object({ $id: fields.publicIdSchema, name: z.string(), username: z.string() }),
  /** The caption at the time of the first report. */
  excerpt: z.string(),
  /** Null after the post has left the group. */
  postId: z.nullable(fields.publicIdSchema),
  deletedAt: z.nullable(z.string()),
}

export const groupCaseSummarySchema = z.object(groupCaseSummary)
export type GroupCaseSummary = z.infer<typeof groupCaseSummarySchema>

export const groupCaseSchema = z.object({
  ...groupCaseSummary,
  decision: z.nullable(z.enum(['dismiss', 'take-out', 'remove-member'])),
  text: z.nullable(z.string()),
  evidence: z.array(evidenceSchema),
  /** The order of the notes does not reveal their authors. */
  notes: z.array(z.string()),
  can: z.object({
    decide: z.boolean(),
    /** False if the author already left. */
    removeMember: z.boolean(),
  }),
})
export type GroupCase = z.infer<typeof groupCaseSchema>

const group = { groupId: fields.publicIdSchema }

/** Lists cases oldest first. */
export const listGroupCasesOperation = defineOperation({
  name: 'listGroupCases',
  method: 'GET',
  path: '/groups/:groupId/reports',
  input: z.object({
    ...group,
    cursor: z.optional(fields.publicIdSchema),
    limit: z.optional(fields.pageSizeSchema),
  }),
  output: z.object({
    documents: z.array(groupCaseSummarySchema),
    next: z.nullable(fields.publicIdSchema),
  }),
  errors: ['case_not_found', 'general_cursor_not_found'],
  limit: 'read',
})

export const getGroupCaseOperation = defineOperation({
  name: 'getGroupCase',
  method: 'GET',
  path: '/groups/:groupId/reports/:caseId',
  input: z.object({ ...group, caseId: fields.publicIdSchema }),
  output: groupCaseSchema,
  errors: ['case_not_found'],
  limit: 'read',
})

/** Returns the picture at the time of the report. Clients must not cache it. */
export const getGroupCasePictureOperation = defineOperation({
  name: 'getGroupCasePicture',
  method: 'GET',
  path: '/groups/:groupId/reports/:caseId/evidence/:place/picture',
  input: z.object({
    ...group,
    caseId: fields.publicIdSchema,
    place: z.string().check(z.regex(/^\d{1,5}-\d{1,3}$/, 'Must be a place of the case')),
  }),
  output: z.void(),
  errors: ['case_not_found'],
  limit: 'image',
  responseBody: 'image',
})

/** `take-out` and `remove-member` both take the post out, even if it was deleted meanwhile. */
export const decideGroupCaseOperation = defineOperation({
  name: 'decideGroupCase',
  method: 'POST',
  path: '/groups/:groupId/reports/:caseId',
  status: 204,
  input: z.object({
    ...group,
    caseId: fields.publicIdSchema,
    decision: z.enum(groupCaseDecisions),
    text: z.optional(
      z
        .string()
        .check(
          z.trim(),
          maxTextLength(maxModerationReasonLength, `Maximum ${maxModerationReasonLength} characters.`),
          fields.combiningMarksCheck,
        ),
    ),
  }),
  output: z.void(),
  errors: ['case_not_found', 'case_decided'],
  limit: 'write',
})
