import * as z from 'zod/mini'
import { signUpOperation } from '../account/sign-up-and-sign-in.ts'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength, minTextLength } from '../text-length.ts'

/** In mode `approval`, people can join with an invitation or with an operator's approval. */
export const registrationModeSchema = z.enum(['open', 'invite', 'approval', 'closed'])
export type RegistrationMode = z.infer<typeof registrationModeSchema>

/** Environment variables can fix these settings and override the settings screen. */
const fixedFieldSchema = z.enum(['registration', 'contact'])

const communitySchema = {
  name: z.string(),
  registration: registrationModeSchema,
  rules: z.array(z.string()),
  /** The version increases with each change. */
  rulesVersion: z.number(),
  rulesChangedAt: z.nullable(fields.isoTimestampSchema),
  contact: z.nullable(z.string()),
  applicationQuestion: z.nullable(z.string()),
}

export const getCommunityOperation = defineOperation({
  name: 'getCommunity',
  method: 'GET',
  path: '/community',
  who: 'visitor',
  input: z.object({}),
  output: z.object({
    ...communitySchema,
    mail: z.boolean(),
    /** True if the caller may read unsent emails at `/dev/outbox`. */
    outbox: z.boolean(),
  }),
  limit: 'read',
})

const communitySettingsSchema = z.object({ ...communitySchema, fixed: z.array(fixedFieldSchema) })
export type CommunitySettings = z.infer<typeof communitySettingsSchema>

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
  rules: fields.houseRulesSchema,
  contact: fields.communityContactSchema,
  applicationQuestion: z.optional(fields.applicationQuestionSchema),
}

/** Members see changed rules when they next open the app. */
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

/** Accepting an old version changes nothing. */
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

/** The server prints this link at its first start. It works only while no account exists. */
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

/** The first account is an operator. */
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
