/**
 * What an account is opened with: address, phone, password; and closing it (platform reference §5.1). Whatever could take
 * the account away from her asks for her password again.
 */
import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import * as fields from '#contract/fields.ts'
import { fail } from '../errors.ts'
import { linkLetter } from '../letters.ts'
import { endSecrets, issueLink } from '../one-time-secrets.ts'
import type { Parts } from '../parts.ts'
import { hashPassword, passwordMatches } from '../passwords.ts'
import type { AccountRow } from '../proven-address.ts'
import { type Caller, endSessions, takeToken } from '../session.ts'
import { type AccountAsking, nothing, ownUrl, phone, serveAccountCall, withQuery } from './account-calls.ts'
import { accountRow, type Change, changeAccount, databaseNow } from './account-changes.ts'
import { accountModel } from './models.ts'

export function credentialCalls(app: FastifyInstance, parts: Parts): void {
  const db = parts.database.kysely

  serveAccountCall(app, parts, {
    method: 'PATCH',
    paths: ['/email'],
    who: 'signed-in',
    limit: 'letter-request',
    status: 200,
    input: z.object({ email: fields.email, password: fields.password }),
    /** Takes effect at once; the old address can undo it (reading D-16). */
    async answer({ email, password }, asking) {
      const { request, reply, caller, limits, mail, store } = asking
      const before = await accountRow(db, caller)
      if (before.email !== null) await limits.count(request, reply, 'letter', { subject: before.email })
      const proven = await reenter(asking, before, password)
      const undo = await store.transact(async ({ db }) => {
        const change = { email, email_verified: false, ...proven }
        const account = await changeAccount(db, request, caller, change, {
          checked: before,
          taken: 'user_email_already_exists',
        })
        const told = before.email !== null && before.email !== email
        const about = { accountId: caller.account.id, sentTo: before.email, askedAs: before.public_id }
        return { account, secret: told ? (await issueLink(db, 'email-undo', about)).secret : null }
      })
      if (undo.secret !== null && before.email !== null) {
        const link = withQuery(`${ownUrl(request, asking)}/v1/auth/email-undo`, {
          userId: before.public_id,
          secret: undo.secret,
        })
        mail.send(before.email, linkLetter('email-undo', link))
      }
      return accountModel(undo.account)
    },
  })

  serveAccountCall(app, parts, {
    method: 'PATCH',
    paths: ['/phone'],
    who: 'signed-in',
    limit: 'write',
    status: 200,
    input: z.object({ phone, password: fields.password }),
    async answer({ phone, password }, asking) {
      const { request, caller, store } = asking
      const before = await accountRow(db, caller)
      const change = { phone, phone_verified: false, ...(await reenter(asking, before, password)) }
      return store.transact(async ({ db }) =>
        accountModel(
          await changeAccount(db, request, caller, change, {
            checked: before,
            taken: 'user_phone_already_exists',
          }),
        ),
      )
    },
  })

  serveAccountCall(app, parts, {
    method: 'PATCH',
    paths: ['/password'],
    who: 'signed-in',
    limit: 'write',
    status: 200,
    input: z.object({
      password: fields.password,
      oldPassword: z.optional(z.string().check(z.maxLength(256))),
    }),
    /** Ends every other session, every JWT and what was sent to open the account (reading D-16). */
    async answer({ password, oldPassword = '' }, asking) {
      const { request, caller, store } = asking
      const account = await accountRow(db, caller)
      await parts.limits.count(request, asking.reply, 'password')
      if (account.password_hash !== null && !(await passwordMatches(account.password_hash, oldPassword))) {
        return fail('user_invalid_credentials')
      }
      const password_hash = await hashPassword(password, knownOf(caller, account))
      return store.transact(async ({ db }) => {
        await endSecrets(db, caller.account.id)
        await endSessions(db, caller.account.id, { but: caller.session.id })
        const change = { password_hash, password_updated_at: databaseNow }
        return accountModel(await changeAccount(db, request, caller, change, { checked: account }))
      })
    },
  })

  serveAccountCall(app, parts, {
    method: 'PATCH',
    paths: ['/status'],
    who: 'signed-in',
    limit: 'write',
    status: 200,
    input: nothing,
    /** She closes her own account; an operator opens it again. */
    async answer(_input, { request, reply, caller, config, store }) {
      const account = await store.transact(async ({ db }) => {
        await endSessions(db, caller.account.id)
        return changeAccount(db, request, caller, { status: 'blocked' })
      })
      takeToken(reply, config, request.foreignOrigin)
      return accountModel(account)
    },
  })
}

const knownOf = ({ member }: Caller, { name, email }: AccountRow) => ({
  name: member?.name ?? name,
  username: member?.username,
  email,
})

/**
 * The password again, before what could take the account away from her.
 * @returns what to write beside: an account that never had a password gets this one, which is how an anonymous one
 * becomes a member's (reading D-09)
 */
async function reenter(
  { request, reply, limits, caller }: AccountAsking,
  account: AccountRow,
  password: string,
): Promise<Change> {
  await limits.count(request, reply, 'password')
  if (account.password_hash === null) {
    const password_hash = await hashPassword(password, knownOf(caller, account))
    return { password_hash, password_updated_at: databaseNow }
  }
  if (await passwordMatches(account.password_hash, password)) return {}
  return fail('user_invalid_credentials')
}
