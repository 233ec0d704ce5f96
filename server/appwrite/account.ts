/**
 * `/v1/account` as existing clients speak it (platform reference §5): here what an account is; its credentials, sessions,
 * letters and identities are in the files beside this one.
 */
import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import * as fields from '#contract/fields.ts'
import { createAccount } from '../features/account.ts'
import type { Parts } from '../parts.ts'
import { hashPassword } from '../passwords.ts'
import { customId, nothing, serveAccountCall } from './account-calls.ts'
import { accountRow, changeAccount } from './account-changes.ts'
import { credentialCalls } from './account-credentials.ts'
import { accountEventCalls } from './account-events.ts'
import { identityCalls } from './account-identities.ts'
import { jwtCalls } from './account-jwts.ts'
import { oauthCalls } from './account-oauth.ts'
import { recoveryCalls } from './account-recovery.ts'
import { sessionCalls } from './account-sessions.ts'
import { signInTokenCalls } from './account-tokens.ts'
import { verificationCalls } from './account-verification.ts'
import { landingPages } from './landing.ts'
import { accountModel } from './models.ts'

const accountName = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Value must be a valid string and at least 1 chars and no longer than 128 chars'),
    z.maxLength(128, 'Value must be a valid string and at least 1 chars and no longer than 128 chars'),
  )

/** Bytes of JSON: what the dialect's validator takes. */
const prefsLimit = 65_535

const prefs = z
  .record(z.string(), z.unknown(), 'Value must be a valid object.')
  .check(z.refine((value) => JSON.stringify(value).length <= prefsLimit, 'Value must be a valid object.'))

export function dialectAccount(app: FastifyInstance, parts: Parts): void {
  accountCalls(app, parts)
  credentialCalls(app, parts)
  sessionCalls(app, parts)
  signInTokenCalls(app, parts)
  recoveryCalls(app, parts)
  verificationCalls(app, parts)
  jwtCalls(app, parts)
  oauthCalls(app, parts)
  identityCalls(app, parts)
  accountEventCalls(app, parts)
  landingPages(app, parts)
}

function accountCalls(app: FastifyInstance, parts: Parts): void {
  const db = parts.database.kysely

  serveAccountCall(app, parts, {
    method: 'POST',
    paths: [''],
    who: 'anyone',
    limit: 'sign-up',
    status: 201,
    input: z.object({
      userId: customId,
      email: fields.email,
      password: fields.password,
      name: z.optional(z.string().check(z.trim(), z.maxLength(128))),
    }),
    async answer({ userId, email, password, name = '' }, { request, store }) {
      const passwordHash = await hashPassword(password, { name, email })
      return store.transact(async ({ db }) => {
        const given = { publicId: userId, name, email, passwordHash }
        return accountModel(await createAccount(db, request, given))
      })
    },
  })

  serveAccountCall(app, parts, {
    method: 'GET',
    paths: [''],
    who: 'signed-in',
    limit: 'read',
    status: 200,
    input: nothing,
    answer: async (_input, { caller }) => accountModel(await accountRow(db, caller)),
  })

  serveAccountCall(app, parts, {
    method: 'GET',
    paths: ['/prefs'],
    who: 'signed-in',
    limit: 'read',
    status: 200,
    input: nothing,
    answer: async (_input, { caller }) => (await accountRow(db, caller)).prefs,
  })

  serveAccountCall(app, parts, {
    method: 'PATCH',
    paths: ['/prefs'],
    who: 'signed-in',
    limit: 'write',
    status: 200,
    input: z.object({ prefs }),
    answer: ({ prefs }, { request, caller, store }) =>
      store.transact(async ({ db }) =>
        accountModel(await changeAccount(db, request, caller, { prefs: JSON.stringify(prefs) })),
      ),
  })

  serveAccountCall(app, parts, {
    method: 'PATCH',
    paths: ['/name'],
    who: 'signed-in',
    limit: 'write',
    status: 200,
    input: z.object({ name: accountName }),
    /** The profile bears the same name. */
    answer: ({ name }, { request, caller, store }) =>
      store.transact(async (writing) => {
        const { member } = caller
        if (member) await writing.update(member.id, 'users', member.publicId, { name })
        return accountModel(await changeAccount(writing.db, request, caller, { name }))
      }),
  })
}
