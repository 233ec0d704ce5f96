/** Cases: what was reported, for the moderators who look at it and decide. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { maxModerationReasonLength } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength, minTextLength } from '../text-length.ts'
import { reportReasons, reportSubjectKinds } from './reports.ts'

export const moderationCaseTabs = ['open', 'mine', 'decided', 'reviews'] as const
export const moderationDecisions = ['dismiss', 'hide', 'warn', 'suspend'] as const
export type ModerationDecision = (typeof moderationDecisions)[number]

const caseSummary = {
  $id: fields.publicIdSchema,
  $createdAt: fields.isoTimestampSchema,
  kind: z.enum(reportSubjectKinds),
  /** From 1 to 3: what is looked at first. */
  severity: z.number(),
  reportCount: z.number(),
  status: z.enum(['open', 'decided']),
  /** Who has claimed it, while that holds. */
  claimed: z.nullable(z.enum(['me', 'other'])),
  decision: z.nullable(z.string()),
  /** The gravest of what was given as wrong. */
  reason: z.enum(reportReasons),
  about: z.nullable(z.object({ $id: fields.publicIdSchema, name: z.string(), username: z.string() })),
  /** The group's name, or what was written, as it was first reported. */
  excerpt: z.nullable(z.string()),
  group: z.nullable(z.string()),
  /** Messages that were shown beside the reported one. */
  furtherMessages: z.number(),
  deletedAt: z.nullable(z.string()),
}

export const moderationCaseSummarySchema = z.object(caseSummary)
export type ModerationCaseSummary = z.infer<typeof moderationCaseSummarySchema>

export const evidenceSchema = z.object({
  /** Which report it came with, and its place there. */
  place: z.string(),
  kind: z.enum(reportSubjectKinds),
  /** Texts, names and times as they stood. */
  snapshot: z.record(z.string(), z.unknown()),
  sealedAt: z.string(),
  /** Null while the case is open. */
  keptUntil: z.nullable(z.string()),
  hasPicture: z.boolean(),
})

export const moderationCaseSchema = z.object({
  ...caseSummary,
  /** Until when the caller's claim holds. */
  claimedUntil: z.nullable(z.string()),
  reports: z.array(
    z.object({
      /** Stands for its reporter, whom nobody is told. */
      number: z.number(),
      $createdAt: z.string(),
      reason: z.enum(reportReasons),
      note: z.string(),
      evidence: z.array(evidenceSchema),
      /** How many reports of the reporter's there are, and how many of them led to something. */
      reporter: z.object({ reports: z.number(), upheld: z.number() }),
    }),
  ),
  /** That whom it is about asked for a review, and what came of it. */
  review: z.nullable(
    z.object({
      text: z.string(),
      askedAt: z.string(),
      outcome: z.nullable(z.enum(['upheld', 'overturned'])),
      can: z.object({ decide: z.boolean() }),
    }),
  ),
  /** Why it was decided so, as whom it is about reads it. */
  text: z.nullable(z.string()),
  /** Earlier decisions about the same member, newest first. */
  earlier: z.array(z.object({ decision: z.string(), decidedAt: z.string() })),
  log: z.array(z.object({ act: z.string(), at: z.string(), by: z.nullable(z.enum(['me', 'other'])) })),
})
export type ModerationCase = z.infer<typeof moderationCaseSchema>

const reasonText = z
  .string()
  .check(
    z.trim(),
    minTextLength(1, 'This field is required'),
    maxTextLength(maxModerationReasonLength, `Maximum ${maxModerationReasonLength} characters.`),
    fields.combiningMarksCheck,
  )

const oneCase = z.object({ caseId: fields.publicIdSchema })

/** Takes the moderator's password; what follows holds for half an hour, in this session. */
export const unlockModerationOperation = defineOperation({
  name: 'unlockModeration',
  method: 'POST',
  path: '/moderation/entry',
  input: z.object({ password: fields.passwordSchema }),
  output: z.object({ until: z.string() }),
  errors: ['case_not_found', 'user_invalid_credentials'],
  limit: 'write',
})

/**
 * Lists the cases of one tab: all that are open, or those that the caller has claimed, by severity and age; those decided, or those whose
 * review is asked for, newest decision first.
 */
export const listCasesOperation = defineOperation({
  name: 'listCases',
  method: 'GET',
  path: '/moderation/cases',
  input: z.object({
    tab: z.optional(z.enum(moderationCaseTabs)),
    cursor: z.optional(fields.publicIdSchema),
    limit: z.optional(fields.pageSizeSchema),
  }),
  output: z.object({
    documents: z.array(moderationCaseSummarySchema),
    /** How many are open, and how many wait for a review. */
    counts: z.object({ open: z.number(), reviews: z.number() }),
    /** Until when the caller is on duty. */
    until: z.string(),
    next: z.nullable(fields.publicIdSchema),
  }),
  errors: ['case_not_found', 'moderation_password_required', 'general_cursor_not_found'],
  limit: 'read',
})

export const getCaseOperation = defineOperation({
  name: 'getCase',
  method: 'GET',
  path: '/moderation/cases/:caseId',
  input: oneCase,
  output: moderationCaseSchema,
  errors: ['case_not_found', 'moderation_password_required'],
  limit: 'read',
})

/** Serves a picture as it was when it was reported; no cache keeps it. */
export const getEvidencePictureOperation = defineOperation({
  name: 'getEvidencePicture',
  method: 'GET',
  path: '/moderation/cases/:caseId/evidence/:place/picture',
  input: z.object({
    caseId: fields.publicIdSchema,
    place: z.string().check(z.regex(/^\d{1,5}-\d{1,3}$/, 'Must be a place of the case')),
  }),
  output: z.void(),
  errors: ['case_not_found', 'moderation_password_required'],
  limit: 'image',
  responseBody: 'image',
})

/** Claims a case for half an hour, or anew. */
export const claimCaseOperation = defineOperation({
  name: 'claimCase',
  method: 'POST',
  path: '/moderation/cases/:caseId/claim',
  input: oneCase,
  output: moderationCaseSchema,
  errors: ['case_not_found', 'moderation_password_required', 'case_claimed', 'case_decided'],
  limit: 'write',
})

/** Gives a case back. Answers alike where the caller has not claimed it. */
export const releaseCaseOperation = defineOperation({
  name: 'releaseCase',
  method: 'POST',
  path: '/moderation/cases/:caseId/release',
  input: oneCase,
  output: moderationCaseSchema,
  errors: ['case_not_found', 'moderation_password_required'],
  limit: 'write',
})

/** Decides a case that the caller has claimed. */
export const decideCaseOperation = defineOperation({
  name: 'decideCase',
  method: 'POST',
  path: '/moderation/cases/:caseId/decision',
  input: z.object({
    caseId: fields.publicIdSchema,
    decision: z.enum(moderationDecisions),
    /** Why, as whom it is about reads it. */
    text: reasonText,
    /** How long a suspension lasts; null is for good. */
    days: z.optional(z.nullable(z.union([z.literal(1), z.literal(3), z.literal(7), z.literal(30)]))),
  }),
  output: moderationCaseSchema,
  errors: [
    'case_not_found',
    'moderation_password_required',
    'case_not_claimed',
    'case_decided',
    'general_argument_invalid',
  ],
  limit: 'write',
})

/** Decides a review that whom the case is about asked for; not by who decided the case, where there is another moderator. */
export const decideAppealOperation = defineOperation({
  name: 'decideAppeal',
  method: 'POST',
  path: '/moderation/cases/:caseId/review',
  input: z.object({
    caseId: fields.publicIdSchema,
    outcome: z.enum(['upheld', 'overturned']),
    /** Why, as whom it is about reads it. */
    text: reasonText,
  }),
  output: moderationCaseSchema,
  errors: ['case_not_found', 'moderation_password_required', 'appeal_own_decision', 'case_decided'],
  limit: 'write',
})
