import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { maxAppealLength } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength, minTextLength } from '../text-length.ts'
import { reportSubjectKinds } from './reports.ts'

export const moderationNoticeSchema = z.object({
  $id: fields.publicIdSchema,
  $createdAt: fields.isoTimestampSchema,
  kind: z.enum(['warning', 'hidden', 'upheld', 'overturned']),
  text: z.string(),
  about: z.nullable(z.enum(reportSubjectKinds)),
  /** Null if the author can no longer read the post. */
  post: z.nullable(z.object({ $id: fields.publicIdSchema, caption: z.string() })),
  /** The text of a hidden comment, from the evidence. */
  words: z.nullable(z.string()),
  caseId: z.nullable(fields.publicIdSchema),
  can: z.object({ appeal: z.boolean() }),
})
export type ModerationNotice = z.infer<typeof moderationNoticeSchema>

/** Lists unread notices, oldest first. */
export const listModerationNoticesOperation = defineOperation({
  name: 'listModerationNotices',
  method: 'GET',
  path: '/me/moderation-notices',
  input: z.object({}),
  output: z.object({ documents: z.array(moderationNoticeSchema) }),
  limit: 'read',
})

export const markModerationNoticeReadOperation = defineOperation({
  name: 'markModerationNoticeRead',
  method: 'POST',
  path: '/me/moderation-notices/:noticeId/read',
  status: 204,
  input: z.object({ noticeId: fields.publicIdSchema }),
  output: z.void(),
  errors: ['document_not_found'],
  limit: 'write',
})

const text = z
  .string()
  .check(
    z.trim(),
    minTextLength(1, 'This field is required'),
    maxTextLength(maxAppealLength, `Maximum ${maxAppealLength} characters.`),
    fields.combiningMarksCheck,
  )

/** Each decision can be appealed once. Another moderator decides the appeal, if there is one. */
export const appealDecisionOperation = defineOperation({
  name: 'appealDecision',
  method: 'POST',
  path: '/me/cases/:caseId/appeal',
  status: 201,
  input: z.object({ caseId: fields.publicIdSchema, text }),
  output: z.object({ text: z.string() }),
  errors: ['case_not_found', 'appeal_exists'],
  limit: 'write',
})

/** Requires the password. Refused if this browser needs a second factor. */
export const appealSuspensionOperation = defineOperation({
  name: 'appealSuspension',
  method: 'POST',
  path: '/appeals',
  status: 201,
  who: 'visitor',
  input: z.object({
    email: fields.emailSchema,
    password: fields.passwordSchema,
    text,
  }),
  output: z.object({ text: z.string() }),
  errors: ['user_invalid_credentials', 'appeal_exists'],
  limit: 'sign-in',
})

/** For a caller who saw the suspension only after entering the second factor. */
export const appealSuspensionAfterSecondStepOperation = defineOperation({
  name: 'appealSuspensionAfterSecondStep',
  method: 'POST',
  path: '/sessions/current/appeal',
  status: 201,
  who: 'account',
  allowsPending: true,
  input: z.object({ text }),
  output: z.object({ text: z.string() }),
  errors: ['case_not_found', 'appeal_exists'],
  limit: 'write',
})
