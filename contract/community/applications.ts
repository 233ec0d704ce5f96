import * as z from 'zod/mini'
import { emailLinkParameters } from '../account/email-links.ts'
import { signUpOperation } from '../account/sign-up-and-sign-in.ts'
import * as fields from '../field-schemas.ts'
import { usernameLengthLimits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength } from '../text-length.ts'

const { name, username, email, password, rulesVersion } = signUpOperation.input.shape

/**
 * The response does not reveal whether the address, username or `voucher` exists. A taken username is
 * replaced by a similar one, and the owner of a taken address gets an email. If the server can send email,
 * nobody else sees the application before the applicant confirms the address.
 */
export const applyOperation = defineOperation({
  name: 'apply',
  method: 'POST',
  path: '/applications',
  status: 204,
  who: 'visitor',
  input: z.object({
    name,
    username,
    email,
    password,
    rulesVersion,
    answer: fields.applicationAnswerSchema,
    /**
     * A member who knows the applicant. Members are not asked if unlisted, or if three applicants already
     * wait for them.
     */
    voucher: z.optional(z.string().check(z.trim(), maxTextLength(usernameLengthLimits.max + 1))),
  }),
  output: z.void(),
  errors: [
    'applications_closed',
    'rules_unseen',
    'user_name_reserved',
    'password_too_common',
    'password_personal_data',
  ],
  limit: 'application',
})

/** The link alone is not enough, because anyone can apply with any address. */
export const confirmApplicationOperation = defineOperation({
  name: 'confirmApplication',
  method: 'PUT',
  path: '/applications/confirmation',
  status: 204,
  who: 'visitor',
  input: z.object({ ...emailLinkParameters, password: fields.passwordSchema }),
  output: z.void(),
  errors: ['user_invalid_token', 'user_invalid_credentials'],
  limit: 'sign-in',
})

/** The owner of the mailbox needs no password. */
export const removeApplicationByEmailLinkOperation = defineOperation({
  name: 'removeApplicationByEmailLink',
  method: 'POST',
  path: '/applications/removal',
  status: 204,
  who: 'visitor',
  input: z.object(emailLinkParameters),
  output: z.void(),
  errors: ['user_invalid_token'],
  limit: 'sign-in',
})

export const withdrawApplicationOperation = defineOperation({
  name: 'withdrawApplication',
  method: 'POST',
  path: '/applications/withdrawal',
  status: 204,
  who: 'visitor',
  input: z.object({ email: fields.emailSchema, password: fields.passwordSchema }),
  output: z.void(),
  errors: ['user_invalid_credentials'],
  limit: 'sign-in',
})

const applicationSchema = z.object({
  $id: fields.publicIdSchema,
  $createdAt: fields.isoTimestampSchema,
  name: z.string(),
  username: z.string(),
  answer: z.string(),
  /** False if the applicant did not confirm the address, because the server could not send email. */
  emailConfirmed: z.boolean(),
  /** `vouched` is null until the member answers. */
  voucher: z.nullable(
    z.object({
      username: z.string(),
      name: z.nullable(z.string()),
      vouched: z.nullable(z.boolean()),
    }),
  ),
})
export type Application = z.infer<typeof applicationSchema>

/** Lists applications, oldest first. A cursor stays valid after its application is decided. */
export const listApplicationsOperation = defineOperation({
  name: 'listApplications',
  method: 'GET',
  path: '/admin/applications',
  who: 'operator',
  input: z.object({
    cursor: z.optional(z.string().check(maxTextLength(64))),
    limit: z.optional(fields.pageSizeSchema),
  }),
  output: z.object({
    documents: z.array(applicationSchema),
    total: z.number(),
    next: z.nullable(z.string()),
  }),
  errors: ['general_cursor_not_found'],
  limit: 'read',
})

const decisionInput = z.object({
  applicationId: fields.publicIdSchema,
  sentence: z.optional(fields.decisionSentenceSchema),
})

export const approveApplicationOperation = defineOperation({
  name: 'approveApplication',
  method: 'POST',
  path: '/admin/applications/:applicationId/approval',
  status: 204,
  who: 'operator',
  input: decisionInput,
  output: z.void(),
  errors: ['application_not_found', 'application_decided', 'user_already_exists'],
  limit: 'write',
})

export const declineApplicationOperation = defineOperation({
  name: 'declineApplication',
  method: 'POST',
  path: '/admin/applications/:applicationId/refusal',
  status: 204,
  who: 'operator',
  input: decisionInput,
  output: z.void(),
  errors: ['application_not_found', 'application_decided'],
  limit: 'write',
})

/** The request omits the applicant's name, so that strangers cannot send text to a member. */
const vouchRequestSchema = z.object({
  $id: fields.publicIdSchema,
  $createdAt: fields.isoTimestampSchema,
  username: z.string(),
  emailConfirmed: z.boolean(),
})
export type VouchRequest = z.infer<typeof vouchRequestSchema>

/** Lists at most three requests, oldest first. */
export const listVouchRequestsOperation = defineOperation({
  name: 'listVouchRequests',
  method: 'GET',
  path: '/me/vouch-requests',
  input: z.object({}),
  output: z.object({ documents: z.array(vouchRequestSchema) }),
  limit: 'read',
})

/** The caller can answer only once. */
export const answerVouchRequestOperation = defineOperation({
  name: 'answerVouchRequest',
  method: 'PUT',
  path: '/me/vouch-requests/:applicationId',
  status: 204,
  input: z.object({ applicationId: fields.publicIdSchema, vouched: z.boolean() }),
  output: z.void(),
  errors: ['application_not_found'],
  limit: 'write',
})
