import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength, minTextLength } from '../text-length.ts'

/** The provider's name in `OAUTH_<NAME>_ID`, in lower case. */
const providerNameSchema = z.string().check(minTextLength(1), maxTextLength(64))

export const signInProviderSchema = z.object({ name: z.string(), label: z.string() })
export type SignInProvider = z.infer<typeof signInProviderSchema>

export const listSignInProvidersOperation = defineOperation({
  name: 'listSignInProviders',
  method: 'GET',
  path: '/sign-in-providers',
  who: 'visitor',
  input: z.object({}),
  output: z.object({ documents: z.array(signInProviderSchema) }),
  limit: 'read',
})

const providerAddressSchema = z.object({ url: z.string() })

/**
 * Begins a sign-in. `/v1/sign-in-providers/:provider/callback` later opens `/` or, on failure,
 * `/sign-in?problem=` with an error type. Only this browser can complete the attempt, once, within ten
 * minutes.
 */
export const beginProviderSignInOperation = defineOperation({
  name: 'beginProviderSignIn',
  method: 'POST',
  path: '/sign-in-providers/:provider/attempts',
  who: 'visitor',
  input: z.object({
    provider: providerNameSchema,
    invite: z.optional(z.string().check(maxTextLength(64))),
  }),
  output: providerAddressSchema,
  errors: ['project_provider_disabled', 'user_oauth2_provider_error'],
  limit: 'sign-in',
})

/**
 * The callback opens `/settings/account` with `?connected=` and the provider, or `?problem=` and an error
 * type. Requires re-authentication, by code if two-factor authentication is on.
 */
export const connectIdentityOperation = defineOperation({
  name: 'connectIdentity',
  method: 'POST',
  path: '/me/identities',
  who: 'account',
  input: z.object({ provider: providerNameSchema }),
  output: providerAddressSchema,
  errors: ['user_challenge_required', 'project_provider_disabled', 'user_oauth2_provider_error'],
  limit: 'sign-in',
})

/**
 * Refuses to remove the last way to sign in. Requires re-authentication, by code if two-factor authentication
 * is on.
 */
export const disconnectIdentityOperation = defineOperation({
  name: 'disconnectIdentity',
  method: 'DELETE',
  path: '/me/identities/:identityId',
  status: 204,
  who: 'account',
  input: z.object({ identityId: fields.publicIdSchema }),
  output: z.void(),
  errors: ['user_challenge_required', 'user_last_way_in'],
  limit: 'write',
})
