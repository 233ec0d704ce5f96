/** The place itself: its name, who may become a member, the house rules, and who answers for it. */
import * as z from 'zod/mini'
import { signUpOperation } from '../account/sign-up-and-sign-in.ts'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength, minTextLength } from '../text-length.ts'

/** `open` to everyone, to whom a member invites, or to nobody who is not here yet. */
export const registrationModeSchema = z.enum(['open', 'invite', 'closed'])
export type RegistrationMode = z.infer<typeof registrationModeSchema>

/** What of the place the operator may have set by the environment, which then wins over the screen. */
const fixedFieldSchema = z.enum(['registration', 'contact'])

const communitySchema = {
  name: z.string(),
  registration: registrationModeSchema,
  /** None: nobody is asked. */
  rules: z.array(z.string()),
  /** Counts the changes of the rules. */
  rulesVersion: z.number(),
  rulesChangedAt: z.nullable(fields.isoTimestampSchema),
  /** Where the operator is reached. */
  contact: z.nullable(z.string()),
}

/** What visitors need to know of the place. */
export const getCommunityOperation = defineOperation({
  name: 'getCommunity',
  method: 'GET',
  path: '/community',
  who: 'visitor',
  input: z.object({}),
  output: z.object({
    ...communitySchema,
    /** Whether letters can be asked for. */
    mail: z.boolean(),
    /** Whether the caller may read what would have been sent, at `/dev/outbox`. */
    outbox: z.boolean(),
  }),
  limit: 'read',
})

const communitySettingsSchema = z.object({ ...communitySchema, fixed: z.array(fixedFieldSchema) })
export type CommunitySettings = z.infer<typeof communitySettingsSchema>

/** For an operator; nobody else learns that it is here. */
export const getCommunitySettingsOperation = defineOperation({
  name: 'getCommunitySettings',
  method: 'GET',
  path: '/community/settings',
  input: z.object({}),
  output: communitySettingsSchema,
  errors: ['general_route_not_found'],
  limit: 'read',
})

const changeableSchema = {
  name: fields.communityNameSchema,
  registration: registrationModeSchema,
  /** In their order; one that says nothing is left out. */
  rules: fields.houseRulesSchema,
  contact: fields.communityContactSchema,
}

/** Changes what is given. Other rules than before are asked of every member at the next start. */
export const updateCommunityOperation = defineOperation({
  name: 'updateCommunity',
  method: 'PATCH',
  path: '/community/settings',
  input: z.partial(z.object(changeableSchema)),
  output: communitySettingsSchema,
  errors: ['general_route_not_found', 'community_set_by_operator'],
  limit: 'write',
})

/** The caller has read the rules of this version; an older one than before changes nothing. */
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

/** Whether the link that the first start printed still works: while there is no account. */
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

/** Sets the place up and makes its first account, an operator's; once. */
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
