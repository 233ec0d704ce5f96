/** The community: its name, registration, house rules and contact. */
import * as z from 'zod/mini'
import { signUpOperation } from '../account/sign-up-and-sign-in.ts'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength, minTextLength } from '../text-length.ts'

/**
 * The rule for joining. `open`: everyone. `invite`: people with an invitation. `approval`: also people whom an operator
 * approves. `closed`: nobody.
 */
export const registrationModeSchema = z.enum(['open', 'invite', 'approval', 'closed'])
export type RegistrationMode = z.infer<typeof registrationModeSchema>

/** The settings that the operator's environment can set. It overrides the settings screen. */
const fixedFieldSchema = z.enum(['registration', 'contact'])

const communitySchema = {
  name: z.string(),
  registration: registrationModeSchema,
  /** The house rules. If there are none, members need not accept any. */
  rules: z.array(z.string()),
  /** A number that increases with each change of the rules. */
  rulesVersion: z.number(),
  rulesChangedAt: z.nullable(fields.isoTimestampSchema),
  /** How members reach the operator. */
  contact: z.nullable(z.string()),
  /** The question that applicants answer. Null means the default question. */
  applicationQuestion: z.nullable(z.string()),
}

/** Returns what visitors need to know about the community. */
export const getCommunityOperation = defineOperation({
  name: 'getCommunity',
  method: 'GET',
  path: '/community',
  who: 'visitor',
  input: z.object({}),
  output: z.object({
    ...communitySchema,
    /** Whether this instance can send email. */
    mail: z.boolean(),
    /** Whether the caller may read emails that were not sent, at `/dev/outbox`. */
    outbox: z.boolean(),
  }),
  limit: 'read',
})

const communitySettingsSchema = z.object({ ...communitySchema, fixed: z.array(fixedFieldSchema) })
export type CommunitySettings = z.infer<typeof communitySettingsSchema>

/** Only for operators. Others get 404, because the screen's existence is private. */
export const getCommunitySettingsOperation = defineOperation({
  name: 'getCommunitySettings',
  method: 'GET',
  path: '/community/settings',
  who: 'operator',
  input: z.object({}),
  output: communitySettingsSchema,
  limit: 'read',
})

const changeableSchema = {
  name: fields.communityNameSchema,
  registration: registrationModeSchema,
  /** The rules in order. Empty rules are dropped. */
  rules: fields.houseRulesSchema,
  contact: fields.communityContactSchema,
  /** An empty text restores the default question. */
  applicationQuestion: z.optional(fields.applicationQuestionSchema),
}

/** Changes the given fields. Changed rules are shown to every member when they next open the app. */
export const updateCommunityOperation = defineOperation({
  name: 'updateCommunity',
  method: 'PATCH',
  path: '/community/settings',
  who: 'operator',
  input: z.partial(z.object(changeableSchema)),
  output: communitySettingsSchema,
  errors: ['community_set_by_operator'],
  limit: 'write',
})

/** Records that the caller read this version of the rules. If the version is old, nothing changes. */
export const acceptHouseRulesOperation = defineOperation({
  name: 'acceptHouseRules',
  method: 'PUT',
  path: '/me/house-rules',
  status: 204,
  input: z.object({ version: z.number().check(z.int(), z.minimum(1), z.maximum(2_147_483_647)) }),
  output: z.void(),
  limit: 'write',
})

const setupSecretSchema = z.string().check(minTextLength(1), maxTextLength(256))

/** Checks the link that the server prints at its first start. It works only while no account exists. */
export const checkSetupLinkOperation = defineOperation({
  name: 'checkSetupLink',
  method: 'POST',
  path: '/setup/check',
  status: 204,
  who: 'visitor',
  input: z.object({ secret: setupSecretSchema }),
  output: z.void(),
  errors: ['general_route_not_found'],
  limit: 'sign-in',
})

/** Sets up the community and creates its first account, which is an operator. Works once. */
export const setUpCommunityOperation = defineOperation({
  name: 'setUpCommunity',
  method: 'POST',
  path: '/setup',
  status: 201,
  who: 'visitor',
  input: z.object({
    secret: setupSecretSchema,
    community: z.object(changeableSchema),
    account: z.object(signUpOperation.input.shape),
  }),
  output: signUpOperation.output,
  errors: [
    'general_route_not_found',
    'user_already_exists',
    'user_username_already_exists',
    'user_name_reserved',
    'password_too_common',
    'password_personal_data',
  ],
  limit: 'sign-up',
})
