/** A passkey counts as both factors. It works only on the host where it was created. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { createdSessionSchema } from './sign-up-and-sign-in.ts'
import {
  passkeyAssertionSchema,
  passkeyAttestationSchema,
  passkeyCreationOptionsSchema,
  passkeyRequestOptionsSchema,
} from './webauthn-json.ts'

export const passkeySchema = z.object({
  $id: fields.publicIdSchema,
  name: z.string(),
  /** The passkey manager, such as `Google Password Manager`; null if unknown. */
  keeper: z.nullable(z.string()),
  /** `device` means a phone, computer or password manager. */
  kind: z.enum(['security-key', 'device']),
  addedAt: fields.isoTimestampSchema,
  usedAt: z.nullable(fields.isoTimestampSchema),
})

export type Passkey = z.infer<typeof passkeySchema>

/** The options name no account and list no passkeys, so they reveal nothing about an account. */
export const beginPasskeySignInOperation = defineOperation({
  name: 'beginPasskeySignIn',
  method: 'POST',
  path: '/sessions/passkey-options',
  who: 'visitor',
  input: z.object({}),
  output: passkeyRequestOptionsSchema,
  errors: ['passkeys_unavailable'],
  limit: 'passkey-offer',
})

export const signInByPasskeyOperation = defineOperation({
  name: 'signInByPasskey',
  method: 'POST',
  path: '/sessions/passkey',
  status: 201,
  who: 'visitor',
  input: z.object({ assertion: passkeyAssertionSchema }),
  output: createdSessionSchema,
  errors: ['passkeys_unavailable', 'passkey_unknown', 'passkey_invalid', 'user_blocked'],
  limit: 'sign-in',
})

export const beginPasskeyReauthenticationOperation = defineOperation({
  name: 'beginPasskeyReauthentication',
  method: 'POST',
  path: '/me/passkey-options',
  who: 'account',
  allowsPending: true,
  allowsClosing: true,
  input: z.object({}),
  output: passkeyRequestOptionsSchema,
  errors: ['passkeys_unavailable'],
  limit: 'write',
})

/** The passkey counts as both password and code. */
export const reauthenticateByPasskeyOperation = defineOperation({
  name: 'reauthenticateByPasskey',
  method: 'POST',
  path: '/me/passkey-proof',
  status: 204,
  who: 'account',
  allowsClosing: true,
  input: z.object({ assertion: passkeyAssertionSchema }),
  output: z.void(),
  errors: ['passkeys_unavailable', 'passkey_unknown', 'passkey_invalid'],
  limit: 'write',
})

export const listSecondStepFactorsOperation = defineOperation({
  name: 'listSecondStepFactors',
  method: 'GET',
  path: '/sessions/current/second-step',
  who: 'account',
  allowsPending: true,
  input: z.object({}),
  output: z.object({ factors: z.array(z.enum(['totp', 'recoverycode', 'passkey'])) }),
  limit: 'read',
})

export const completeSecondStepByPasskeyOperation = defineOperation({
  name: 'completeSecondStepByPasskey',
  method: 'PUT',
  path: '/sessions/current/passkey-step',
  who: 'account',
  allowsPending: true,
  input: z.object({
    assertion: passkeyAssertionSchema,
    /** Skips the second factor for thirty days. */
    trustBrowser: z.optional(z.boolean()),
  }),
  output: createdSessionSchema,
  errors: [
    'passkeys_unavailable',
    'passkey_unknown',
    'passkey_invalid',
    'user_session_not_found',
    'user_blocked',
  ],
  limit: 'sign-in',
})

export const listPasskeysOperation = defineOperation({
  name: 'listPasskeys',
  method: 'GET',
  path: '/me/passkeys',
  who: 'account',
  input: z.object({}),
  output: z.object({ documents: z.array(passkeySchema) }),
  limit: 'read',
})

/** Requires re-authentication, by code or passkey if two-factor authentication is on. */
export const beginPasskeyOperation = defineOperation({
  name: 'beginPasskey',
  method: 'POST',
  path: '/me/passkeys/options',
  who: 'account',
  input: z.object({}),
  output: passkeyCreationOptionsSchema,
  errors: ['passkeys_unavailable', 'user_challenge_required', 'passkey_limit'],
  limit: 'write',
})

/** Adds the passkey and emails the member about it. */
export const addPasskeyOperation = defineOperation({
  name: 'addPasskey',
  method: 'POST',
  path: '/me/passkeys',
  status: 201,
  who: 'account',
  input: z.object({ attestation: passkeyAttestationSchema, name: fields.passkeyNameSchema }),
  output: passkeySchema,
  errors: ['passkeys_unavailable', 'passkey_invalid', 'passkey_limit'],
  limit: 'write',
})

export const renamePasskeyOperation = defineOperation({
  name: 'renamePasskey',
  method: 'PATCH',
  path: '/me/passkeys/:passkeyId',
  who: 'account',
  input: z.object({ passkeyId: fields.publicIdSchema, name: fields.passkeyNameSchema }),
  output: passkeySchema,
  errors: ['passkey_not_found'],
  limit: 'write',
})

/** Refuses to remove the last way to sign in. Requires the same re-authentication as adding a passkey. */
export const removePasskeyOperation = defineOperation({
  name: 'removePasskey',
  method: 'DELETE',
  path: '/me/passkeys/:passkeyId',
  status: 204,
  who: 'account',
  input: z.object({ passkeyId: fields.publicIdSchema }),
  output: z.void(),
  errors: ['user_challenge_required', 'user_last_way_in'],
  limit: 'write',
})

/**
 * Ends every other session. Two passkeys must remain, or one passkey and a verified email address. Requires
 * the same re-authentication as adding a passkey.
 */
export const removePasswordOperation = defineOperation({
  name: 'removePassword',
  method: 'DELETE',
  path: '/me/password',
  status: 204,
  who: 'account',
  input: z.object({}),
  output: z.void(),
  errors: ['user_challenge_required', 'user_last_way_in'],
  limit: 'write',
})
