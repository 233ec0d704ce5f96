import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { languageSets } from '../language.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength } from '../text-length.ts'
import { signInProviderSchema } from './provider-sign-in.ts'

/** Only compared, never stored. */
const knownPassword = z.string().check(maxTextLength(256))

const clientSchema = {
  browser: z.nullable(z.string()),
  system: z.nullable(z.string()),
  kind: z.enum(['computer', 'phone', 'tablet', 'other']),
  /** ISO 3166-1 code, such as `MX`, from the network. */
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
  /** True if this browser receives push notifications. */
  rings: z.boolean(),
})

export type Device = z.infer<typeof deviceSchema>

export const getAccountSettingsOperation = defineOperation({
  name: 'getAccountSettings',
  method: 'GET',
  path: '/me/settings',
  who: 'account',
  input: z.object({}),
  output: z.object({
    email: z.nullable(z.string()),
    emailVerified: z.boolean(),
    pendingEmail: z.nullable(z.string()),
    hasPassword: z.boolean(),
    passwordUpdatedAt: z.nullable(fields.isoTimestampSchema),
    deviceCount: z.number(),
    newestDevice: z.nullable(deviceSchema),
    mail: z.boolean(),
    twoSteps: z.object({
      on: z.boolean(),
      since: z.nullable(fields.isoTimestampSchema),
      recoveryCodesLeft: z.number(),
    }),
    passkeyCount: z.nullable(z.number()),
    usernameFixedUntil: z.nullable(fields.isoTimestampSchema),
    identities: z.array(
      z.object({
        $id: fields.publicIdSchema,
        provider: z.string(),
        email: z.string(),
        /**
         * False if the operator removed the provider or changed its issuer. The member then cannot sign in
         * with it.
         */
        usable: z.boolean(),
      }),
    ),
    /** The providers that can still be connected. */
    providers: z.array(signInProviderSchema),
  }),
  limit: 'read',
})

/**
 * Re-authentication is valid for fifteen minutes in this session, as is signing in. Without it, operations
 * that could cost the member the account answer 401 `user_challenge_required`.
 */
export const reauthenticateOperation = defineOperation({
  name: 'reauthenticate',
  method: 'POST',
  path: '/me/proof',
  status: 204,
  who: 'account',
  allowsClosing: true,
  input: z.object({
    password: z.optional(knownPassword),
    code: z.optional(fields.secondStepCodeSchema),
  }),
  output: z.void(),
  errors: ['user_invalid_credentials', 'user_invalid_token'],
  limit: 'write',
})

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

/** Ends every other session. Requires the current password, or re-authentication if the account has none. */
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
 * Changes an unverified address immediately. A verified address changes when the member opens the link in the
 * new mailbox. Does not reveal whether another account has the address. Requires the password or
 * re-authentication, and a code if two-factor authentication is on.
 */
export const requestEmailChangeOperation = defineOperation({
  name: 'requestEmailChange',
  method: 'POST',
  path: '/me/email',
  who: 'account',
  input: z.object({ email: fields.emailSchema, password: z.optional(knownPassword) }),
  output: z.object({
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

export const listDevicesOperation = defineOperation({
  name: 'listDevices',
  method: 'GET',
  path: '/me/devices',
  who: 'account',
  input: z.object({}),
  output: z.object({ documents: z.array(deviceSchema) }),
  limit: 'read',
})

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

/** Requires re-authentication. */
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
 * Allowed once in two weeks. For thirty days, only the member can take the old username again. Requires re-authentication,
 * by code if two-factor authentication is on.
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
 * Hides the account until the next sign-in. The longest-standing member of each group that the caller administers
 * becomes its admin, permanently.
 * Requires re-authentication, by code if two-factor authentication is on.
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

/** Two-factor authentication stays off until the first correct code. Requires re-authentication. */
export const beginAuthenticatorOperation = defineOperation({
  name: 'beginAuthenticator',
  method: 'POST',
  path: '/me/authenticator',
  who: 'account',
  input: z.object({}),
  output: z.object({
    secret: z.string(),
    uri: z.string(),
  }),
  errors: ['user_challenge_required', 'totp_on'],
  limit: 'write',
})

/** Returns recovery codes if the account has none yet. They are shown only once. */
export const turnOnTwoFactorOperation = defineOperation({
  name: 'turnOnTwoFactor',
  method: 'PUT',
  path: '/me/authenticator',
  who: 'account',
  input: z.object({ code: fields.secondStepCodeSchema }),
  output: z.object({ recoveryCodes: z.nullable(recoveryCodesSchema) }),
  errors: ['user_challenge_required', 'user_invalid_token'],
  limit: 'write',
})

/** Also deletes the recovery codes. Requires re-authentication by code. */
export const turnOffTwoFactorOperation = defineOperation({
  name: 'turnOffTwoFactor',
  method: 'DELETE',
  path: '/me/authenticator',
  status: 204,
  who: 'account',
  input: z.object({}),
  output: z.void(),
  errors: ['user_challenge_required'],
  limit: 'write',
})

/** Requires re-authentication by code. */
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

/** PostgreSQL requires an existing day and a positive year. */
const isTimestamp = (text: string): boolean => {
  const time = new Date(text)
  return !Number.isNaN(time.getTime()) && time.toISOString() === text && time.getUTCFullYear() > 0
}

/** Lists the events of the last year, newest first, fifty per page. */
export const listSecurityEventsOperation = defineOperation({
  name: 'listSecurityEvents',
  method: 'GET',
  path: '/me/log',
  who: 'account',
  input: z.object({
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
