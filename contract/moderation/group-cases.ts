/** Cases that a group's admin decides: posts of the group reported as spam or out of place. Nobody who reported is named. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { maxModerationReasonLength } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength } from '../text-length.ts'
import { evidenceSchema } from './cases.ts'
import { reportReasons } from './reports.ts'

/** What an admin decides, and handing the case to the moderators. */
export const groupCaseDecisions = ['dismiss', 'take-out', 'remove-member', 'pass-on'] as const
export type GroupCaseDecision = (typeof groupCaseDecisions)[number]

const groupCaseSummary = {
  $id: fields.publicIdSchema,
  $createdAt: fields.isoTimestampSchema,
  /** What was given as wrong by most. */
  reason: z.enum(reportReasons),
  reportCount: z.number(),
  /** Whose post it is. */
  about: z.object({ $id: fields.publicIdSchema, name: z.string(), username: z.string() }),
  /** The post's caption as it was first reported. */
  excerpt: z.string(),
  /** Null when the post is not in the group any more. */
  postId: z.nullable(fields.publicIdSchema),
  deletedAt: z.nullable(z.string()),
}

export const groupCaseSummarySchema = z.object(groupCaseSummary)
export type GroupCaseSummary = z.infer<typeof groupCaseSummarySchema>

export const groupCaseSchema = z.object({
  ...groupCaseSummary,
  /** Null until it is decided. */
  decision: z.nullable(z.enum(['dismiss', 'take-out', 'remove-member'])),
  /** Why, as the post's author reads it. */
  text: z.nullable(z.string()),
  evidence: z.array(evidenceSchema),
  /** What was said beside the reasons, in no order that tells who said it. */
  notes: z.array(z.string()),
  can: z.object({
    decide: z.boolean(),
    /** Not when the post's author is no member any more. */
    removeMember: z.boolean(),
  }),
})
export type GroupCase = z.infer<typeof groupCaseSchema>

const group = { groupId: fields.publicIdSchema }

/** Lists the open cases at the group's desk, oldest first. The cursor is the last case's id. */
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

/** Serves a picture as it was when it was reported; no cache keeps it. */
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

/**
 * Decides a case at the group's desk: dismisses it, takes the post out of the group, removes its author together with the post, or
 * passes the case on to the moderators. What is gone by then stays gone, and the decision holds all the same.
 */
export const decideGroupCaseOperation = defineOperation({
  name: 'decideGroupCase',
  method: 'POST',
  path: '/groups/:groupId/reports/:caseId',
  status: 204,
  input: z.object({
    ...group,
    caseId: fields.publicIdSchema,
    decision: z.enum(groupCaseDecisions),
    /** Why, as the post's author reads it. */
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
