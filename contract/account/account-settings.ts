/** Account settings: data and changes for the signed-in owner. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { languageSets } from '../language.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength } from '../text-length.ts'
import { signInProviderSchema } from './provider-sign-in.ts'

/** Only compared, never stored. */
const knownPassword = z.string().check(maxTextLength(256))

/** Browser and system as the client reports them, and the country if known. */
const clientSchema = {
  browser: z.nullable(z.string()),
  system: z.nullable(z.string()),
  kind: z.enum(['computer', 'phone', 'tablet', 'other']),
  /** ISO 3166-1, such as `MX`, guessed from the network. */
  country: z.nullable(z.string()),
}

export const deviceSchema = z.object({
  $id: fields.publicIdSchema,
  ...clientSchema,
  signedInWith: z.enum(['password', 'link', 'phone', 'passkey', 'provider', 'other']),
  signedInAt: fields.isoTimestampSchema,
  /** Rounded to the hour. */
  lastSeenAt: fields.isoTimestampSchema,
  current: z.boolean(),
  /** Whether this browser receives push notifications. */
  rings: z.boolean(),
})

export type Device = z.infer<typeof deviceSchema>

/** Returns the overview that the settings screens and forms need. */
export const getAccountSettingsOperation = defineOperation({
  name: 'getAccountSettings',
  method: 'GET',
  path: '/me/settings',
  who: 'account',
  input: z.object({}),
  output: z.object({
    email: z.nullable(z.string()),
    emailVerified: z.boolean(),
    /** The requested new address, until the member confirms it. */
    pendingEmail: z.nullable(z.string()),
    hasPassword: z.boolean(),
    passwordUpdatedAt: z.nullable(fields.isoTimestampSchema),
    deviceCount: z.number(),
    newestDevice: z.nullable(deviceSchema),
    /** Whether this instance can send email. */
    mail: z.boolean(),
    /** Two-factor authentication: whether it is on, since when, and the recovery codes left. */
    twoSteps: z.object({
      on: z.boolean(),
      since: z.nullable(fields.isoTimestampSchema),
      recoveryCodesLeft: z.number(),
    }),
    /** Null if this host does not allow passkeys. */
    passkeyCount: z.nullable(z.number()),
    /** The earliest time of the next username change. */
    usernameFixedUntil: z.nullable(fields.isoTimestampSchema),
    /** The OAuth providers that can sign in to this account. */
    identities: z.array(z.object({ $id: fields.publicIdSchema, provider: z.string(), email: z.string() })),
    /** The providers that the operator configured, which the caller can connect. */
    providers: z.array(signInProviderSchema),
  }),
  limit: 'read',
})

/**
 * Re-authenticates the caller by password or second-factor code, for fifteen minutes of this session.
 * Without it, operations that could take the account away answer 401 `user_challenge_required`. Signing in
 * counts too.
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

/** Sets the account's language for the web on every device, and for its emails. */
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
 * Changes the caller's password and ends every other session. Needs the present password, or
 * re-authentication if there is none.
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
 * Changes the caller's email address. An unverified address changes at once; a verified one when the link in
 * the new mailbox is opened. In the second case, an address that another account has gets the same answer.
 * Needs the password or re-authentication.
 */
export const requestEmailChangeOperation = defineOperation({
  name: 'requestEmailChange',
  method: 'POST',
  path: '/me/email',
  who: 'account',
  input: z.object({ email: fields.emailSchema, password: z.optional(knownPassword) }),
  output: z.object({
    /** The account's current address. */
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

/** Cancels a requested email change; its link stops working. */
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

/** Sends the email that verifies the caller's address. */
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

/** Lists the caller's sessions: this one first, then by last activity. */
export const listDevicesOperation = defineOperation({
  name: 'listDevices',
  method: 'GET',
  path: '/me/devices',
  who: 'account',
  input: z.object({}),
  output: z.object({ documents: z.array(deviceSchema) }),
  limit: 'read',
})

/** Ends one of the caller's sessions. Idempotent. */
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

/** Ends every other session of the caller. Needs re-authentication. */
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
 * Changes the caller's username, at most once in two weeks. The old name stays reserved for thirty days; its
 * former owner can take it back at once. Needs re-authentication.
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

/**
 * Closes the caller's account until the next sign-in: it is hidden and every session ends. Groups pass to
 * their oldest members and do not come back. Needs re-authentication, by code if two-factor authentication is
 * on.
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

/**
 * Starts setting up an authenticator app. Nothing is enabled before its first correct code. Needs
 * re-authentication.
 */
export const beginAuthenticatorOperation = defineOperation({
  name: 'beginAuthenticator',
  method: 'POST',
  path: '/me/authenticator',
  who: 'account',
  input: z.object({}),
  output: z.object({
    secret: z.string(),
    /** `otpauth://` URI that apps read. */
    uri: z.string(),
  }),
  errors: ['user_challenge_required', 'totp_on'],
  limit: 'write',
})

/**
 * Enables two-factor authentication with the app's first code.
 * @returns recovery codes, shown only once, if the account has none yet
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

/**
 * Disables two-factor authentication and deletes the app's secret and the recovery codes. Needs
 * re-authentication by code.
 */
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

/** Replaces the recovery codes. Needs re-authentication by code. */
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

/** The events in the security log; the web has a sentence for each. */
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
  'identity.create',
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

/** Whether PostgreSQL accepts the timestamp: an existing day in a supported year. */
const isTimestamp = (text: string): boolean => {
  const time = new Date(text)
  return !Number.isNaN(time.getTime()) && time.toISOString() === text && time.getUTCFullYear() > 0
}

/** Lists the account's security events of the last year, newest first, fifty per page. */
export const listSecurityEventsOperation = defineOperation({
  name: 'listSecurityEvents',
  method: 'GET',
  path: '/me/log',
  who: 'account',
  input: z.object({
    /** `next` of the previous page. */
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
