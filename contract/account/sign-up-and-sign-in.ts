/** Account: becoming a member and being recognised. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { currentMemberSchema } from '../people/people.ts'
import { maxTextLength } from '../text-length.ts'

/** Account and profile in one transaction; the caller signs in afterwards, as the sign-up form does. */
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
    /** The code of an invitation, which is used up by it. */
    invite: z.optional(z.string().check(maxTextLength(64))),
    /** Of the house rules that were read; needed where there are any. */
    rulesVersion: z.optional(z.number()),
  }),
  output: z.object({ $id: fields.publicIdSchema, accountId: fields.publicIdSchema }),
  errors: [
    'user_invite_required',
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
  /** Whether the session opens nothing before its second step (`completeSecondStep`), for which it has ten minutes. */
  secondStep: z.boolean(),
})

/** Begins a session, in place of the one the caller presents; its token travels as a cookie. */
export const signInOperation = defineOperation({
  name: 'signIn',
  method: 'POST',
  path: '/sessions',
  status: 201,
  who: 'visitor',
  input: z.object({ email: fields.emailSchema, password: fields.passwordSchema }),
  output: createdSessionSchema,
  errors: ['user_invalid_credentials', 'user_blocked'],
  limit: 'sign-in',
})

/** Whether the caller is signed in, and as whom; writes nothing. */
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
 * Makes a session whole that waits for its second step. Five wrong codes end it, and ten in an hour are taken of one account.
 * Until then every other call that needs a session answers 401 `user_more_factors_required`.
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
    /** Not to be asked in this browser for thirty days. */
    trustBrowser: z.optional(z.boolean()),
    /** With a recovery code: the app is lost, so two steps are turned off. */
    turnOff: z.optional(z.boolean()),
  }),
  output: createdSessionSchema,
  errors: ['user_invalid_token', 'user_session_not_found', 'user_blocked'],
  limit: 'sign-in',
})

/** Ends the caller's session. */
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

/** Answers the member behind the session; creates the profile when the account has none yet. */
export const getCurrentMemberOperation = defineOperation({
  name: 'getCurrentMember',
  method: 'GET',
  path: '/me',
  who: 'account',
  input: z.object({}),
  output: currentMemberSchema,
  limit: 'read',
})
