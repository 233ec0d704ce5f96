import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { currentMemberSchema } from '../people/people.ts'
import { maxTextLength } from '../text-length.ts'

/** Creates the account. The client signs in afterwards. */
export const signUpOperation = defineOperation({
  name: 'signUp',
  method: 'POST',
  path: '/members',
  status: 201,
  who: 'visitor',
  input: z.object({
    name: fields.personNameSchema,
    username: fields.usernameSchema,
    email: fields.emailSchema,
    password: fields.passwordSchema,
    invite: z.optional(z.string().check(maxTextLength(64))),
    /** The version of the rules that the member read. Required if the community has house rules. */
    rulesVersion: z.optional(z.number()),
    /** Whether the client shows the welcome sheet (`contract/community/welcome.ts`). */
    welcome: z.optional(z.boolean()),
  }),
  output: z.object({ $id: fields.publicIdSchema, accountId: fields.publicIdSchema }),
  errors: [
    'user_invite_required',
    'application_required',
    'registration_closed',
    'invitation_over',
    'rules_unseen',
    'user_already_exists',
    'user_username_already_exists',
    'user_name_reserved',
    'password_too_common',
    'password_personal_data',
  ],
  limit: 'sign-up',
})

const session = { $id: fields.publicIdSchema, accountId: fields.publicIdSchema }

export const createdSessionSchema = z.object({
  ...session,
  /** If true, `completeSecondStep` must follow within ten minutes. */
  secondStep: z.boolean(),
})

/** Replaces the caller's session. The token is sent as a cookie. */
export const signInOperation = defineOperation({
  name: 'signIn',
  method: 'POST',
  path: '/sessions',
  status: 201,
  who: 'visitor',
  input: z.object({ email: fields.emailSchema, password: fields.passwordSchema }),
  output: createdSessionSchema,
  errors: ['user_invalid_credentials', 'user_blocked', 'application_waiting', 'application_declined'],
  limit: 'sign-in',
})

export const getCurrentSessionOperation = defineOperation({
  name: 'getCurrentSession',
  method: 'GET',
  path: '/me/session',
  who: 'account',
  input: z.object({}),
  output: z.object(session),
  limit: 'read',
})

/**
 * Until the caller enters the second factor, other calls answer 401 `user_more_factors_required`. Five wrong
 * codes end the session, and an account allows ten attempts per hour.
 */
export const completeSecondStepOperation = defineOperation({
  name: 'completeSecondStep',
  method: 'PUT',
  path: '/sessions/current/second-step',
  who: 'account',
  allowsPending: true,
  input: z.object({
    factor: z.enum(['totp', 'recoverycode']),
    code: fields.secondStepCodeSchema,
    /** Skips the second factor for thirty days. */
    trustBrowser: z.optional(z.boolean()),
    /** Turns two-factor authentication off, with a recovery code for a lost app. */
    turnOff: z.optional(z.boolean()),
  }),
  output: createdSessionSchema,
  errors: ['user_invalid_token', 'user_session_not_found', 'user_blocked'],
  limit: 'sign-in',
})

export const signOutOperation = defineOperation({
  name: 'signOut',
  method: 'DELETE',
  path: '/sessions/current',
  status: 204,
  who: 'account',
  allowsPending: true,
  allowsClosing: true,
  input: z.object({}),
  output: z.void(),
  errors: ['user_session_not_found'],
  limit: 'write',
})

/** Returns the caller, and creates their profile if it is missing. */
export const getCurrentMemberOperation = defineOperation({
  name: 'getCurrentMember',
  method: 'GET',
  path: '/me',
  who: 'account',
  input: z.object({}),
  output: currentMemberSchema,
  limit: 'read',
})
