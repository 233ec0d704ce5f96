/** Passkeys: each opens its account alone, as both steps. They work on the host alone on which they were made. */
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
  /** Who keeps it: `Google Password Manager`; null where it does not say, or is not known here. */
  keeper: z.nullable(z.string()),
  /** Whether it lies in a security key, or in a phone, computer or password manager. */
  kind: z.enum(['security-key', 'device']),
  addedAt: fields.isoTimestampSchema,
  usedAt: z.nullable(fields.isoTimestampSchema),
})

export type Passkey = z.infer<typeof passkeySchema>

/** Begins signing in by a passkey. It names no account and lists no passkey, so it answers everybody alike. */
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

/** Begins a whole session, in place of the one the caller presents, for whoever holds a passkey of the account. */
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

/** Begins a proof by passkey, or the second step by one. */
export const beginPasskeyProofOperation = defineOperation({
  name: 'beginPasskeyProof',
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

/** Takes a passkey of the caller's as a proof, as `proveIdentity` takes a password or a code; it counts as both. */
export const proveIdentityByPasskeyOperation = defineOperation({
  name: 'proveIdentityByPasskey',
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

/** Says by what a session that waits for its second step can be made whole. */
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

/** Makes a session whole by a passkey that waits for its second step. */
export const completeSecondStepByPasskeyOperation = defineOperation({
  name: 'completeSecondStepByPasskey',
  method: 'PUT',
  path: '/sessions/current/passkey-step',
  who: 'account',
  allowsPending: true,
  input: z.object({
    assertion: passkeyAssertionSchema,
    /** Not to be asked in this browser for thirty days. */
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

/** Lists the caller's passkeys, oldest first: ten at most. */
export const listPasskeysOperation = defineOperation({
  name: 'listPasskeys',
  method: 'GET',
  path: '/me/passkeys',
  who: 'account',
  input: z.object({}),
  output: z.object({ documents: z.array(passkeySchema) }),
  limit: 'read',
})

/** Begins a passkey. Needs a proof, by code or passkey where two steps are on. */
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

/** Adds the passkey that was begun: from now on it opens the account. The member is e-mailed. */
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

/** Renames a passkey of the caller's. */
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

/** Removes a passkey of the caller's. Answers alike where there is none; the last way in stays. Needs a proof as adding one. */
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
 * Removes the caller's password and ends every other session. Two passkeys must be left, or one and a confirmed e-mail address.
 * Needs a proof as adding a passkey.
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
