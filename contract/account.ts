/** Account: becoming a member and being recognised (spec §4 Auth, Sign-up flow; readings S-03, S-04). */
import * as z from 'zod/mini'
import * as fields from './fields.ts'
import { operation } from './operation.ts'
import { me } from './people.ts'

/** Account and profile in one transaction; the caller signs in afterwards, as the spec's flow does. */
export const signUp = operation({
  name: 'signUp',
  method: 'POST',
  path: '/members',
  status: 201,
  who: 'visitor',
  input: z.object({
    name: fields.name,
    username: fields.username,
    email: fields.email,
    password: fields.password,
  }),
  output: z.object({ $id: fields.id, accountId: fields.id }),
  errors: [
    'user_already_exists',
    'user_username_already_exists',
    'password_too_common',
    'password_personal_data',
  ],
  limit: 'sign-up',
})

/** The payload of the dialect's `POST /account/sessions/email`; the sign-in form validates with it. */
export const signInInput = z.object({ email: fields.email, password: fields.password })

/** The member behind the session; makes her profile when the account has none yet. */
export const currentMember = operation({
  name: 'currentMember',
  method: 'GET',
  path: '/me',
  who: 'account',
  input: z.object({}),
  output: me,
  limit: 'read',
})
