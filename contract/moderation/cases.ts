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
  /** Severity 3 is the highest, and 1 the lowest. */
  severity: z.number(),
  reportCount: z.number(),
  status: z.enum(['open', 'decided']),
  claimed: z.nullable(z.enum(['me', 'other'])),
  decision: z.nullable(z.string()),
  reason: z.enum(reportReasons),
  about: z.nullable(z.object({ $id: fields.publicIdSchema, name: z.string(), username: z.string() })),
  /** The group's name, or the text at the time of the first report. */
  excerpt: z.nullable(z.string()),
  group: z.nullable(z.string()),
  furtherMessages: z.number(),
  deletedAt: z.nullable(z.string()),
  /** A proposed suspension, which a second moderator must confirm. */
  proposal: z.nullable(
    z.object({
      $id: fields.publicIdSchema,
      by: z.enum(['me', 'other']),
      /** Null means permanent. */
      days: z.nullable(z.number()),
      text: z.string(),
      proposedAt: fields.isoTimestampSchema,
      can: z.object({ confirm: z.boolean() }),
    }),
  ),
}

export const moderationCaseSummarySchema = z.object(caseSummary)
export type ModerationCaseSummary = z.infer<typeof moderationCaseSummarySchema>

export const evidenceSchema = z.object({
  place: z.string(),
  kind: z.enum(reportSubjectKinds),
  /** The content at the time of the report. */
  snapshot: z.record(z.string(), z.unknown()),
  sealedAt: z.string(),
  keptUntil: z.nullable(z.string()),
  hasPicture: z.boolean(),
})

export const moderationCaseSchema = z.object({
  ...caseSummary,
  /** False if the member concerned is a moderator or operator. */
  can: z.object({ suspendAlone: z.boolean() }),
  claimedUntil: z.nullable(z.string()),
  reports: z.array(
    z.object({
      /** The number stands for the anonymous reporter. */
      number: z.number(),
      $createdAt: z.string(),
      reason: z.enum(reportReasons),
      note: z.string(),
      evidence: z.array(evidenceSchema),
      /** All reports by this reporter, and how many were upheld. */
      reporter: z.object({ reports: z.number(), upheld: z.number() }),
    }),
  ),
  review: z.nullable(
    z.object({
      text: z.string(),
      askedAt: z.string(),
      outcome: z.nullable(z.enum(['upheld', 'overturned'])),
      can: z.object({ decide: z.boolean() }),
    }),
  ),
  text: z.nullable(z.string()),
  /** Earlier decisions about this member, newest first. */
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

/** The unlock lasts half an hour in this session. Requires the password. */
export const unlockModerationOperation = defineOperation({
  name: 'unlockModeration',
  method: 'POST',
  path: '/moderation/entry',
  /** An account without a password needs any recent re-authentication instead. */
  input: z.object({ password: z.optional(fields.passwordSchema) }),
  output: z.object({ until: z.string() }),
  errors: ['case_not_found', 'user_invalid_credentials', 'user_challenge_required'],
  limit: 'write',
})

/**
 * Lists open and claimed cases by severity and age. Lists decided cases and appeals by the time of the
 * decision, newest first.
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
    counts: z.object({ open: z.number(), reviews: z.number() }),
    /** After this time, the moderator must re-authenticate. */
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

/** Returns the picture at the time of the report. Clients must not cache it. */
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

/** A claim lasts half an hour. */
export const claimCaseOperation = defineOperation({
  name: 'claimCase',
  method: 'POST',
  path: '/moderation/cases/:caseId/claim',
  input: oneCase,
  output: moderationCaseSchema,
  errors: ['case_not_found', 'moderation_password_required', 'case_claimed', 'case_decided'],
  limit: 'write',
})

/** Idempotent. */
export const releaseCaseOperation = defineOperation({
  name: 'releaseCase',
  method: 'POST',
  path: '/moderation/cases/:caseId/release',
  input: oneCase,
  output: moderationCaseSchema,
  errors: ['case_not_found', 'moderation_password_required'],
  limit: 'write',
})

/** Decides a case. A suspension of a moderator or operator is only proposed. */
export const decideCaseOperation = defineOperation({
  name: 'decideCase',
  method: 'POST',
  path: '/moderation/cases/:caseId/decision',
  input: z.object({
    caseId: fields.publicIdSchema,
    decision: z.enum(moderationDecisions),
    text: reasonText,
    /** Null for a permanent suspension. */
    days: z.optional(z.nullable(z.union([z.literal(1), z.literal(3), z.literal(7), z.literal(30)]))),
  }),
  output: moderationCaseSchema,
  errors: [
    'case_not_found',
    'moderation_password_required',
    'case_not_claimed',
    'case_decided',
    'admin_case_interest',
    'general_argument_invalid',
  ],
  limit: 'write',
})

/** The proposer cannot confirm the suspension. */
export const confirmSuspensionOperation = defineOperation({
  name: 'confirmSuspension',
  method: 'POST',
  path: '/moderation/cases/:caseId/suspension',
  input: z.object({ caseId: fields.publicIdSchema, proposalId: fields.publicIdSchema }),
  output: moderationCaseSchema,
  errors: [
    'case_not_found',
    'moderation_password_required',
    'case_not_claimed',
    'case_decided',
    'suspension_not_proposed',
    'suspension_own_proposal',
  ],
  limit: 'write',
})

/** Declines the proposal. The case stays open. */
export const declineSuspensionOperation = defineOperation({
  name: 'declineSuspension',
  method: 'POST',
  path: '/moderation/cases/:caseId/suspension/refusal',
  input: z.object({ caseId: fields.publicIdSchema, proposalId: fields.publicIdSchema }),
  output: moderationCaseSchema,
  errors: [
    'case_not_found',
    'moderation_password_required',
    'case_not_claimed',
    'case_decided',
    'suspension_not_proposed',
  ],
  limit: 'write',
})

/** The moderator who decided the case cannot decide its appeal, unless there is no other. */
export const decideAppealOperation = defineOperation({
  name: 'decideAppeal',
  method: 'POST',
  path: '/moderation/cases/:caseId/review',
  input: z.object({
    caseId: fields.publicIdSchema,
    outcome: z.enum(['upheld', 'overturned']),
    text: reasonText,
  }),
  output: moderationCaseSchema,
  errors: ['case_not_found', 'moderation_password_required', 'appeal_own_decision', 'case_decided'],
  limit: 'write',
})
