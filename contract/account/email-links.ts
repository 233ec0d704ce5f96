import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength, minTextLength } from '../text-length.ts'
import { createdSessionSchema } from './sign-up-and-sign-in.ts'

export const emailLinkParameters = {
  userId: fields.publicIdSchema,
  secret: z.string().check(minTextLength(1), maxTextLength(256)),
}

/** Neither the response nor its time reveals whether an account has the address. */
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

/** Ends every session and starts a new one. If the password is refused, the link still works. */
export const resetPasswordOperation = defineOperation({
  name: 'resetPassword',
  method: 'PUT',
  path: '/recovery',
  who: 'visitor',
  input: z.object({ ...emailLinkParameters, password: fields.passwordSchema }),
  output: createdSessionSchema,
  errors: ['user_invalid_token', 'user_not_found', 'password_too_common', 'password_personal_data'],
  limit: 'sign-in',
})

/** The response does not reveal whether an account has the address. */
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
 * If no account has verified the address, creates one, without data from accounts that left it unverified.
 */
export const signInByLinkOperation = defineOperation({
  name: 'signInByLink',
  method: 'PUT',
  path: '/sign-in-link',
  who: 'visitor',
  input: z.object(emailLinkParameters),
  output: createdSessionSchema,
  errors: ['user_invalid_token', 'user_not_found'],
  limit: 'sign-in',
})

/** If the link changes the address, the caller must be signed in or send the password. */
export const confirmEmailOperation = defineOperation({
  name: 'confirmEmail',
  method: 'PUT',
  path: '/email-confirmation',
  who: 'visitor',
  input: z.object({
    ...emailLinkParameters,
    password: z.optional(z.string().check(maxTextLength(256))),
  }),
  output: z.object({
    recovery: z.nullable(z.object(emailLinkParameters)),
  }),
  errors: ['user_invalid_token', 'user_not_found', 'user_invalid_credentials', 'user_already_exists'],
  limit: 'sign-in',
})

/** Restores the previous address and ends every session. */
export const undoEmailChangeOperation = defineOperation({
  name: 'undoEmailChange',
  method: 'PUT',
  path: '/email-undo',
  who: 'visitor',
  input: z.object(emailLinkParameters),
  output: z.object(emailLinkParameters),
  errors: ['user_invalid_token', 'user_not_found', 'user_already_exists', 'deletion_under_way'],
  limit: 'sign-in',
})

/** Cancels the removal of two-factor authentication that the operator scheduled. */
export const keepTwoFactorOperation = defineOperation({
  name: 'keepTwoFactor',
  method: 'PUT',
  path: '/two-steps',
  status: 204,
  who: 'visitor',
  input: z.object({ secret: emailLinkParameters.secret }),
  output: z.void(),
  errors: ['user_invalid_token'],
  limit: 'sign-in',
})
