/** Proving that an address in one's account is one's own (platform reference §5.3). */
import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { noteEvent } from '../account-record.ts'
import { fail } from '../errors.ts'
import { codeMessage, linkLetter } from '../letters.ts'
import { issueCode, issueLink, spendCode, spendLink, type TokenRow } from '../one-time-secrets.ts'
import type { Parts } from '../parts.ts'
import {
  type AccountAsking,
  allowedUrl,
  nothing,
  redirectUrl,
  secret,
  serveAccountCall,
  userId,
  withQuery,
} from './account-calls.ts'
import { tokenModel } from './models.ts'

const proof = z.object({ userId, secret })
type Proof = z.output<typeof proof>

export function verificationCalls(app: FastifyInstance, parts: Parts): void {
  const accountOf = ({ caller, database }: AccountAsking) =>
    database.kysely
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', caller.account.id)
      .executeTakeFirstOrThrow()

  serveAccountCall(app, parts, {
    method: 'POST',
    paths: ['/verification', '/verifications/email'],
    who: 'signed-in',
    limit: 'letter-request',
    status: 201,
    input: z.object({ url: redirectUrl }),
    async answer({ url }, asking) {
      const { request, reply, limits, mail, store } = asking
      const page = allowedUrl(request, asking, 'url', url)
      const account = await accountOf(asking)
      const { email } = account
      if (email === null) return fail('user_email_not_found')
      if (account.email_verified) return fail('user_email_already_verified')
      mail.mustWork()
      await limits.count(request, reply, 'letter', { subject: email })
      const about = { accountId: account.id, sentTo: email, askedAs: account.public_id }
      const { token, secret } = await store.transact(async ({ db }) => {
        await noteEvent(db, request, account.id, 'verification.create')
        return issueLink(db, 'verification', about)
      })
      const model = tokenModel(token)
      const link = withQuery(page, { userId: account.public_id, secret, expire: model.expire })
      mail.send(email, linkLetter('verification', link))
      return model
    },
  })

  serveAccountCall(app, parts, {
    method: 'PUT',
    paths: ['/verification', '/verifications/email'],
    who: 'anyone',
    limit: 'sign-in',
    status: 200,
    input: proof,
    answer: async (proof, asking) => tokenModel(await verifyEmail(asking, proof)),
  })

  serveAccountCall(app, parts, {
    method: 'POST',
    paths: ['/verification/phone', '/verifications/phone'],
    who: 'signed-in',
    limit: 'letter-request',
    status: 201,
    input: nothing,
    async answer(_input, asking) {
      const { request, reply, limits, sms, store } = asking
      const account = await accountOf(asking)
      const { phone } = account
      if (phone === null) return fail('user_phone_not_found')
      if (account.phone_verified) return fail('user_phone_already_verified')
      sms.mustWork()
      await limits.count(request, reply, 'letter', { subject: phone })
      const about = { accountId: account.id, sentTo: phone, askedAs: account.public_id }
      const { token, secret } = await store.transact(async ({ db }) => {
        await noteEvent(db, request, account.id, 'verification.create')
        return issueCode(db, 'phone-verification', about)
      })
      sms.send(phone, codeMessage('phone-verification', secret))
      return tokenModel(token)
    },
  })

  serveAccountCall(app, parts, {
    method: 'PUT',
    paths: ['/verification/phone', '/verifications/phone'],
    who: 'anyone',
    limit: 'sign-in',
    status: 200,
    input: proof,
    async answer({ userId, secret }, asking) {
      const { request, reply, limits, database, store } = asking
      await limits.count(request, reply, 'code', { subject: userId })
      const token = await spendCode(database.kysely, ['phone-verification'], userId, secret)
      await store.transact(async ({ db }) => {
        const verified = await db
          .updateTable('accounts')
          .set({ phone_verified: true })
          .where('id', '=', token.account_id)
          .where('phone', '=', token.sent_to)
          .executeTakeFirst()
        if (verified.numUpdatedRows === 0n || token.account_id === null) fail('user_invalid_token')
        else await noteEvent(db, request, token.account_id, 'verification.update')
      })
      return tokenModel(token)
    },
  })
}

/**
 * @throws Failure 401 `user_invalid_token`, also when the account's address has changed since; 404 `user_not_found`
 */
export async function verifyEmail(
  { request, reply, limits, store }: Omit<AccountAsking, 'caller'>,
  { userId, secret }: Proof,
): Promise<TokenRow> {
  await limits.count(request, reply, 'code', { subject: userId })
  return store.transact(async ({ db }) => {
    const token = await spendLink(db, ['verification'], userId, secret)
    const account = await db
      .updateTable('accounts')
      .set({ email_verified: true })
      .where('id', '=', token.account_id)
      .where('email', '=', token.sent_to)
      .returning('id')
      .executeTakeFirst()
    if (!account) return fail('user_invalid_token')
    await noteEvent(db, request, account.id, 'verification.update')
    return token
  })
}
