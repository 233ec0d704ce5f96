/** Cases: reported content for moderators to decide. */
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
  /** From 1 to 3; the highest first. */
  severity: z.number(),
  reportCount: z.number(),
  status: z.enum(['open', 'decided']),
  /** The moderator who holds the current claim. */
  claimed: z.nullable(z.enum(['me', 'other'])),
  decision: z.nullable(z.string()),
  /** The most severe reported reason. */
  reason: z.enum(reportReasons),
  about: z.nullable(z.object({ $id: fields.publicIdSchema, name: z.string(), username: z.string() })),
  /** The group's name or the content's text when first reported. */
  excerpt: z.nullable(z.string()),
  group: z.nullable(z.string()),
  /** Messages shown beside the reported one. */
  furtherMessages: z.number(),
  deletedAt: z.nullable(z.string()),
  /** A suspension of a moderator or operator that waits for a second moderator. */
  proposal: z.nullable(
    z.object({
      $id: fields.publicIdSchema,
      by: z.enum(['me', 'other']),
      /** Null means permanent. */
      days: z.nullable(z.number()),
      /** Why, as the suspended member will read it. */
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
  /** Texts, names and times when reported. */
  snapshot: z.record(z.string(), z.unknown()),
  sealedAt: z.string(),
  /** Null while the case is open. */
  keptUntil: z.nullable(z.string()),
  hasPicture: z.boolean(),
})

export const moderationCaseSchema = z.object({
  ...caseSummary,
  /** False for a moderator or operator: a suspension is then a proposal. */
  can: z.object({ suspendAlone: z.boolean() }),
  claimedUntil: z.nullable(z.string()),
  reports: z.array(
    z.object({
      /** Identifies the reporter anonymously. */
      number: z.number(),
      $createdAt: z.string(),
      reason: z.enum(reportReasons),
      note: z.string(),
      evidence: z.array(evidenceSchema),
      /** The reporter's reports, and how many were upheld. */
      reporter: z.object({ reports: z.number(), upheld: z.number() }),
    }),
  ),
  /** The review that the affected member asked for, and its outcome. */
  review: z.nullable(
    z.object({
      text: z.string(),
      askedAt: z.string(),
      outcome: z.nullable(z.enum(['upheld', 'overturned'])),
      can: z.object({ decide: z.boolean() }),
    }),
  ),
  /** The reason as the affected member reads it. */
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

/** Unlocks moderation by password, for half an hour of this session. */
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
 * Lists cases of one tab. Open and claimed ones come by severity and age; decided ones and reviews by newest
 * decision.
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
    /** The end of the moderator's unlocked time. */
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

/** Serves a picture as it was when reported; never cached. */
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

/** Claims a case for half an hour, or renews the claim. */
export const claimCaseOperation = defineOperation({
  name: 'claimCase',
  method: 'POST',
  path: '/moderation/cases/:caseId/claim',
  input: oneCase,
  output: moderationCaseSchema,
  errors: ['case_not_found', 'moderation_password_required', 'case_claimed', 'case_decided'],
  limit: 'write',
})

/** Releases the caller's claim. Idempotent. */
export const releaseCaseOperation = defineOperation({
  name: 'releaseCase',
  method: 'POST',
  path: '/moderation/cases/:caseId/release',
  input: oneCase,
  output: moderationCaseSchema,
  errors: ['case_not_found', 'moderation_password_required'],
  limit: 'write',
})

/** Decides a case. Suspending a moderator or operator is a proposal that another moderator confirms. */
export const decideCaseOperation = defineOperation({
  name: 'decideCase',
  method: 'POST',
  path: '/moderation/cases/:caseId/decision',
  input: z.object({
    caseId: fields.publicIdSchema,
    decision: z.enum(moderationDecisions),
    /** The reason as the affected member reads it. */
    text: reasonText,
    /** Days of suspension; null is permanent. */
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

/** Confirms the suspension that another moderator proposed. */
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

/** Drops the proposal; the case stays open. */
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

/** Decides a review. If there is another moderator, the one who decided the case cannot. */
export const decideAppealOperation = defineOperation({
  name: 'decideAppeal',
  method: 'POST',
  path: '/moderation/cases/:caseId/review',
  input: z.object({
    caseId: fields.publicIdSchema,
    outcome: z.enum(['upheld', 'overturned']),
    /** The reason as the affected member reads it. */
    text: reasonText,
  }),
  output: moderationCaseSchema,
  errors: ['case_not_found', 'moderation_password_required', 'appeal_own_decision', 'case_decided'],
  limit: 'write',
})
