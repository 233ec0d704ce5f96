/** Recovery: what a member does without being signed in, by a letter to the account's mailbox. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength, minTextLength } from '../text-length.ts'
import { createdSessionSchema } from './sign-up-and-sign-in.ts'

/** What the link of a letter carries. */
const letterProof = {
  userId: fields.publicIdSchema,
  secret: z.string().check(minTextLength(1), maxTextLength(256)),
}

/**
 * Sends a link by which a new password is chosen, where an account has the address; answers the same after the same work for
 * one that nobody has.
 */
export const requestPasswordResetOperation = defineOperation({
  name: 'requestPasswordReset',
  method: 'POST',
  path: '/recovery',
  status: 204,
  who: 'visitor',
  input: z.object({ email: fields.emailSchema }),
  output: z.void(),
  errors: ['general_smtp_disabled'],
  limit: 'email-request',
})

/**
 * Chooses a new password by the link of a letter: ends every session of the account and begins one here. A refused password
 * leaves the link usable.
 */
export const resetPasswordOperation = defineOperation({
  name: 'resetPassword',
  method: 'PUT',
  path: '/recovery',
  who: 'visitor',
  input: z.object({ ...letterProof, password: fields.passwordSchema }),
  output: createdSessionSchema,
  errors: ['user_invalid_token', 'user_not_found', 'password_too_common', 'password_personal_data'],
  limit: 'sign-in',
})

/** Sends a link to sign in with; answers the same for an address that no account has. */
export const requestSignInLinkOperation = defineOperation({
  name: 'requestSignInLink',
  method: 'POST',
  path: '/sign-in-link',
  status: 204,
  who: 'visitor',
  input: z.object({ email: fields.emailSchema }),
  output: z.void(),
  errors: ['general_smtp_disabled'],
  limit: 'email-request',
})

/**
 * Begins a session by the link of a letter. An address that no account has confirmed before gets its account now, without what
 * others put into one that only claimed it.
 */
export const signInByLinkOperation = defineOperation({
  name: 'signInByLink',
  method: 'PUT',
  path: '/sign-in-link',
  who: 'visitor',
  input: z.object(letterProof),
  output: createdSessionSchema,
  errors: ['user_invalid_token', 'user_not_found'],
  limit: 'sign-in',
})

/**
 * Confirms an e-mail address by the link of a letter: an account's first one, or the one it changes to. For a change the
 * caller must be signed in to the account or send its password.
 */
export const confirmEmailOperation = defineOperation({
  name: 'confirmEmail',
  method: 'PUT',
  path: '/email-confirmation',
  who: 'visitor',
  input: z.object({
    ...letterProof,
    password: z.optional(z.string().check(maxTextLength(256))),
  }),
  output: z.object({
    /** With which to choose a password, where the account has none now. */
    recovery: z.nullable(z.object(letterProof)),
  }),
  errors: ['user_invalid_token', 'user_not_found', 'user_invalid_credentials', 'user_already_exists'],
  limit: 'sign-in',
})

/**
 * Gives an account its former e-mail address back, by the letter that went there when it was changed: ends every session, and
 * answers with what a new password is chosen by.
 */
export const undoEmailChangeOperation = defineOperation({
  name: 'undoEmailChange',
  method: 'PUT',
  path: '/email-undo',
  who: 'visitor',
  input: z.object(letterProof),
  output: z.object(letterProof),
  errors: ['user_invalid_token', 'user_not_found', 'user_already_exists', 'deletion_under_way'],
  limit: 'sign-in',
})

/** Stops the end of two steps that the operator was asked for, by the letter that told of it. */
export const keepTwoStepsOperation = defineOperation({
  name: 'keepTwoSteps',
  method: 'PUT',
  path: '/two-steps',
  status: 204,
  who: 'visitor',
  input: z.object({ secret: letterProof.secret }),
  output: z.void(),
  errors: ['user_invalid_token'],
  limit: 'sign-in',
})
