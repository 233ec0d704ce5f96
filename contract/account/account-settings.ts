/** Settings of an account: what its owner sees and changes of it, signed in. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { languageSets } from '../language.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength } from '../text-length.ts'

/** A password that is only compared. */
const knownPassword = z.string().check(maxTextLength(256))

/** The browser and system a session was begun or an event was caused with, as far as they say so, and the country where that is known. */
const clientSchema = {
  browser: z.nullable(z.string()),
  system: z.nullable(z.string()),
  kind: z.enum(['computer', 'phone', 'tablet', 'other']),
  /** As ISO 3166-1 names it: `MX`. A guess by the network. */
  country: z.nullable(z.string()),
}

export const deviceSchema = z.object({
  $id: fields.publicIdSchema,
  ...clientSchema,
  /** How the session began. */
  signedInWith: z.enum(['password', 'link', 'phone', 'passkey', 'provider', 'other']),
  signedInAt: fields.isoTimestampSchema,
  /** To the hour. */
  lastSeenAt: fields.isoTimestampSchema,
  /** The caller's own session. */
  current: z.boolean(),
  /** Whether its browser is rung. */
  rings: z.boolean(),
})

export type Device = z.infer<typeof deviceSchema>

/** What the caller's account is like, for the overview and the forms of the settings. */
export const getAccountSettingsOperation = defineOperation({
  name: 'getAccountSettings',
  method: 'GET',
  path: '/me/settings',
  who: 'account',
  input: z.object({}),
  output: z.object({
    email: z.nullable(z.string()),
    emailVerified: z.boolean(),
    /** The address that the account changes to once its mailbox has answered. */
    pendingEmail: z.nullable(z.string()),
    /** Whether the account can be opened by a password. */
    hasPassword: z.boolean(),
    passwordUpdatedAt: z.nullable(fields.isoTimestampSchema),
    deviceCount: z.number(),
    newestDevice: z.nullable(deviceSchema),
    /** Whether letters can be sent here. */
    mail: z.boolean(),
    /** Whether the account is opened by two steps, since when, and how many recovery codes are left. */
    twoSteps: z.object({
      on: z.boolean(),
      since: z.nullable(fields.isoTimestampSchema),
      recoveryCodesLeft: z.number(),
    }),
    /** How many passkeys the account has; null where this address allows none. */
    passkeyCount: z.nullable(z.number()),
    /** Until when the username cannot be changed again. */
    usernameFixedUntil: z.nullable(fields.isoTimestampSchema),
    /** Who the caller is at providers that open the account. */
    identities: z.array(z.object({ $id: fields.publicIdSchema, provider: z.string(), email: z.string() })),
  }),
  limit: 'read',
})

/**
 * Proves by the password, or by a code of the second step, that the caller is the account's owner, for fifteen minutes of this session: without a proof,
 * operations that could take the account away answer 401 `user_challenge_required`. Signing in is a proof too.
 */
export const proveIdentityOperation = defineOperation({
  name: 'proveIdentity',
  method: 'POST',
  path: '/me/proof',
  status: 204,
  who: 'account',
  input: z.object({
    password: z.optional(knownPassword),
    code: z.optional(fields.secondStepCodeSchema),
  }),
  output: z.void(),
  errors: ['user_invalid_credentials', 'user_invalid_token'],
  limit: 'write',
})

/** Chooses the set of texts in which the account reads the web, on every device; letters follow it where they come in two languages. */
export const setLanguageOperation = defineOperation({
  name: 'setLanguage',
  method: 'PUT',
  path: '/me/language',
  status: 204,
  who: 'account',
  input: z.object({ language: z.enum(languageSets) }),
  output: z.void(),
  limit: 'write',
})

/**
 * Changes the caller's password and ends every other session. The present password is asked for where there is one, else a
 * proof.
 */
export const changePasswordOperation = defineOperation({
  name: 'changePassword',
  method: 'PUT',
  path: '/me/password',
  status: 204,
  who: 'account',
  input: z.object({ currentPassword: z.optional(knownPassword), password: fields.passwordSchema }),
  output: z.void(),
  errors: [
    'user_invalid_credentials',
    'user_challenge_required',
    'password_too_common',
    'password_personal_data',
  ],
  limit: 'write',
})

/**
 * Changes the caller's e-mail address: one that nobody has confirmed at once, a confirmed one when the letter to the new
 * address is opened. For the latter an address that is another account's answers alike. Needs the password or a proof.
 */
export const requestEmailChangeOperation = defineOperation({
  name: 'requestEmailChange',
  method: 'POST',
  path: '/me/email',
  who: 'account',
  input: z.object({ email: fields.emailSchema, password: z.optional(knownPassword) }),
  output: z.object({
    /** The address the account has now. */
    email: z.string(),
    pendingEmail: z.nullable(z.string()),
  }),
  errors: [
    'user_invalid_credentials',
    'user_challenge_required',
    'user_email_already_exists',
    'general_smtp_disabled',
  ],
  limit: 'sign-up',
})

/** Gives a requested change of the e-mail address up: its letter opens nothing any more. */
export const cancelEmailChangeOperation = defineOperation({
  name: 'cancelEmailChange',
  method: 'DELETE',
  path: '/me/email',
  status: 204,
  who: 'account',
  input: z.object({}),
  output: z.void(),
  limit: 'write',
})

/** Sends the letter by which the caller's e-mail address is confirmed. */
export const requestEmailConfirmationOperation = defineOperation({
  name: 'requestEmailConfirmation',
  method: 'POST',
  path: '/me/email-confirmation',
  status: 204,
  who: 'account',
  input: z.object({}),
  output: z.void(),
  errors: ['user_email_not_found', 'user_email_already_verified', 'general_smtp_disabled'],
  limit: 'email-request',
})

/** Lists where the caller is signed in: this session first, then the last seen. */
export const listDevicesOperation = defineOperation({
  name: 'listDevices',
  method: 'GET',
  path: '/me/devices',
  who: 'account',
  input: z.object({}),
  output: z.object({ documents: z.array(deviceSchema) }),
  limit: 'read',
})

/** Ends one session of the caller's. Answers alike where there is none. */
export const signOutDeviceOperation = defineOperation({
  name: 'signOutDevice',
  method: 'DELETE',
  path: '/me/devices/:deviceId',
  status: 204,
  who: 'account',
  input: z.object({ deviceId: fields.publicIdSchema }),
  output: z.void(),
  limit: 'write',
})

/** Ends every session of the caller's but this one. Needs a proof. */
export const signOutOtherDevicesOperation = defineOperation({
  name: 'signOutOtherDevices',
  method: 'DELETE',
  path: '/me/devices',
  status: 204,
  who: 'account',
  input: z.object({}),
  output: z.void(),
  errors: ['user_challenge_required'],
  limit: 'write',
})

/**
 * Changes the caller's username, once in two weeks; the one that was left is nobody else's for thirty days, and its own member's
 * at once. Needs a proof.
 */
export const changeUsernameOperation = defineOperation({
  name: 'changeUsername',
  method: 'PATCH',
  path: '/me/username',
  input: z.object({ username: fields.usernameSchema }),
  output: z.object({ username: z.string() }),
  errors: [
    'user_challenge_required',
    'user_username_already_exists',
    'user_name_reserved',
    'username_too_soon',
  ],
  limit: 'edit',
})

/** Disconnects a provider from the caller's account. Answers alike where there is none; the last way in stays. */
export const disconnectIdentityOperation = defineOperation({
  name: 'disconnectIdentity',
  method: 'DELETE',
  path: '/me/identities/:identityId',
  status: 204,
  who: 'account',
  input: z.object({ identityId: fields.publicIdSchema }),
  output: z.void(),
  errors: ['user_last_way_in'],
  limit: 'write',
})

/**
 * Closes the caller's account for a while: out of everybody's sight at once, signed out everywhere, and as it was with the next sign-in,
 * but for the groups, which go to their oldest members. Needs a proof, by code where two steps are on.
 */
export const closeAccountOperation = defineOperation({
  name: 'closeAccount',
  method: 'POST',
  path: '/me/closing',
  status: 204,
  input: z.object({}),
  output: z.void(),
  errors: ['user_challenge_required'],
  limit: 'write',
})

const recoveryCodesSchema = z.array(z.string())

/** Begins an authenticator app; nothing is on before a code of it was right. Needs a proof. */
export const beginAuthenticatorOperation = defineOperation({
  name: 'beginAuthenticator',
  method: 'POST',
  path: '/me/authenticator',
  who: 'account',
  input: z.object({}),
  output: z.object({
    /** Base32. */
    secret: z.string(),
    /** `otpauth://`, as apps read it. */
    uri: z.string(),
  }),
  errors: ['user_challenge_required', 'totp_on'],
  limit: 'write',
})

/**
 * Turns two steps on by the first code of the app.
 * @returns recovery codes, which are shown this one time, where the account has none
 */
export const turnOnTwoStepsOperation = defineOperation({
  name: 'turnOnTwoSteps',
  method: 'PUT',
  path: '/me/authenticator',
  who: 'account',
  input: z.object({ code: fields.secondStepCodeSchema }),
  output: z.object({ recoveryCodes: z.nullable(recoveryCodesSchema) }),
  errors: ['user_challenge_required', 'user_invalid_token'],
  limit: 'write',
})

/** Turns two steps off and forgets the app and the recovery codes. Needs a proof by code. */
export const turnOffTwoStepsOperation = defineOperation({
  name: 'turnOffTwoSteps',
  method: 'DELETE',
  path: '/me/authenticator',
  status: 204,
  who: 'account',
  input: z.object({}),
  output: z.void(),
  errors: ['user_challenge_required'],
  limit: 'write',
})

/** Makes new recovery codes, which end the ones before. Needs a proof by code. */
export const renewRecoveryCodesOperation = defineOperation({
  name: 'renewRecoveryCodes',
  method: 'PUT',
  path: '/me/recovery-codes',
  who: 'account',
  input: z.object({}),
  output: z.object({ recoveryCodes: recoveryCodesSchema }),
  errors: ['user_challenge_required', 'user_authenticator_not_found'],
  limit: 'write',
})

/** What the account's log tells of; the web has a sentence for each. */
export const securityEventKinds = [
  'user.create',
  'user.update',
  'user.close',
  'user.reopen',
  'username.update',
  'password.update',
  'password.delete',
  'email.request',
  'email.update',
  'email.undo',
  'session.create',
  'session.update',
  'session.delete',
  'recovery.create',
  'recovery.update',
  'recovery.operator',
  'verification.create',
  'verification.update',
  'identity.delete',
  'mfa.create',
  'mfa.delete',
  'mfa.codes',
  'mfa.recovery',
  'mfa.unlock',
  'mfa.unlock-stop',
  'passkey.create',
  'passkey.delete',
  'passkey.refused',
  'session.refused',
  'export.create',
  'export.open',
  'export.delete',
  'deletion.create',
  'deletion.delete',
  'group.create',
  'group.handover',
  'group.delete',
  'member.leave',
  'member.remove',
  'request.accept',
  'request.reject',
] as const

export type SecurityEventKind = (typeof securityEventKinds)[number]

/** Whether the database reads it as it is written: a day that there is, in a year that it counts. */
const isTimestamp = (text: string): boolean => {
  const time = new Date(text)
  return !Number.isNaN(time.getTime()) && time.toISOString() === text && time.getUTCFullYear() > 0
}

/** Lists what was done with the caller's account in the last year, newest first, fifty at a time. */
export const listSecurityEventsOperation = defineOperation({
  name: 'listSecurityEvents',
  method: 'GET',
  path: '/me/log',
  who: 'account',
  input: z.object({
    /** The `next` of the page before. */
    cursor: z.optional(
      z.string().check(
        z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z~\d{1,4}$/),
        z.refine((cursor) => isTimestamp(cursor.split('~')[0] ?? '')),
      ),
    ),
  }),
  output: z.object({
    documents: z.array(
      z.object({ event: z.enum(securityEventKinds), at: fields.isoTimestampSchema, ...clientSchema }),
    ),
    next: z.nullable(z.string()),
  }),
  limit: 'read',
})
