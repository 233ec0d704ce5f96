/** A forgotten password (platform reference §5.3), and an e-mail address that was changed by somebody else. */
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import * as fields from '#contract/fields.ts'
import { noteEvent } from '../account-record.ts'
import { fail } from '../errors.ts'
import { refusePersonal } from '../guessable-passwords.ts'
import { newId } from '../ids.ts'
import { keepDevice, rememberDevice } from '../known-devices.ts'
import { linkLetter } from '../letters.ts'
import { endSecrets, issueLink, spendLink, type TokenRow } from '../one-time-secrets.ts'
import type { Parts } from '../parts.ts'
import { hashPassword } from '../passwords.ts'
import { endSessions } from '../session.ts'
import {
  type AccountAsking,
  allowedUrl,
  redirectUrl,
  secret,
  serveAccountCall,
  userId,
  withQuery,
} from './account-calls.ts'
import { tokenModel } from './models.ts'

export const newPassword = z.object({
  userId,
  secret,
  password: fields.password,
  passwordAgain: z.optional(z.string()),
})

export function recoveryCalls(app: FastifyInstance, parts: Parts): void {
  serveAccountCall(app, parts, {
    method: 'POST',
    paths: ['/recovery'],
    who: 'anyone',
    limit: 'letter-request',
    status: 201,
    input: z.object({ email: fields.email, url: redirectUrl }),
    /**
     * The same answer after the same work for an address nobody has (reading D-15): its secret is made and told to
     * nobody. The user id in it is the token's own, because whoever asks has proven nothing.
     */
    async answer({ email, url }, asking) {
      const { request, reply, limits, mail, store } = asking
      const page = allowedUrl(request, asking, 'url', url)
      mail.mustWork()
      await limits.count(request, reply, 'letter', { subject: email })
      const issued = await store.transact(async ({ db }) => {
        const account = await db
          .selectFrom('accounts')
          .select(['id', 'status'])
          .where('email', '=', email)
          .executeTakeFirst()
        const accountId = account?.status === 'active' ? account.id : null
        const link = await issueLink(db, 'recovery', { accountId, sentTo: email, askedAs: newId() })
        await noteEvent(db, request, accountId, 'recovery.create')
        return { accountId, ...link }
      })
      const model = tokenModel(issued.token)
      const link = withQuery(page, { userId: model.userId, secret: issued.secret, expire: model.expire })
      if (issued.accountId !== null) mail.send(email, linkLetter('recovery', link))
      return model
    },
  })

  serveAccountCall(app, parts, {
    method: 'PUT',
    paths: ['/recovery'],
    who: 'anyone',
    limit: 'sign-in',
    status: 200,
    input: newPassword,
    answer: async (input, asking) => tokenModel(await recover(asking, input)),
  })
}

/**
 * Sets a new password by the secret of a letter: it proves the address, and ends every session, JWT and letter of whoever
 * knew the old password (reading D-16). The browser is known from then on, so that nobody who guesses keeps her out of it.
 * @throws Failure 400 `user_password_mismatch`, 401 `user_invalid_token`, 404 `user_not_found`
 */
export async function recover(
  { request, reply, config, limits, store }: Omit<AccountAsking, 'caller'>,
  { userId, secret, password, passwordAgain = password }: z.output<typeof newPassword>,
): Promise<TokenRow> {
  if (password !== passwordAgain) fail('user_password_mismatch')
  await limits.count(request, reply, 'code', { subject: userId })
  const password_hash = await hashPassword(password, null)
  const { token, device } = await store.transact(async ({ db }) => {
    const token = await spendLink(db, ['recovery'], userId, secret)
    const account = await db
      .updateTable('accounts')
      .set({ password_hash, password_updated_at: sql`clock_timestamp()`, email_verified: true })
      .where('id', '=', token.account_id)
      .where('email', '=', token.sent_to)
      .where('status', '=', 'active')
      .returning(['id', 'name', 'email'])
      .executeTakeFirst()
    if (!account) return fail('user_invalid_token')
    const profile = await db
      .selectFrom('users')
      .select('username')
      .where('account_id', '=', account.id)
      .executeTakeFirst()
    // Refused, nothing of this has happened, and the letter works once more.
    refusePersonal(password, { ...account, ...profile })
    // The secrets first: a session that one of them is just beginning ends with the others.
    await endSecrets(db, account.id)
    await endSessions(db, account.id)
    await noteEvent(db, request, account.id, 'recovery.update')
    return { token, device: await rememberDevice(db, request, config, account.id) }
  })
  keepDevice(reply, config, device)
  return token
}

/**
 * Gives an account its former address back, by the letter that went there when it was changed. Whoever changed it knew
 * the password, so nothing of hers stays: no session, no password, no phone, no other way in.
 * @returns the secret with which the owner chooses a new password
 * @throws Failure 401 `user_invalid_token`, 404 `user_not_found`; 409 when the address has become another account's
 */
export async function undoEmailChange(
  { request, store }: Pick<AccountAsking, 'request' | 'store'>,
  proof: { userId: string; secret: string },
): Promise<{ userId: string; secret: string }> {
  return store.transact(async ({ db }) => {
    const { id, account_id, sent_to } = await spendLink(db, ['email-undo'], proof.userId, proof.secret)
    if (account_id === null || sent_to === null) return fail('user_invalid_token')
    await endSessions(db, account_id)
    // Also the letters that later changes sent to addresses of whoever made them.
    await db
      .deleteFrom('tokens')
      .where('account_id', '=', account_id)
      .where(({ eb, or }) => or([eb('kind', '!=', 'email-undo'), eb('id', '>', id)]))
      .execute()
    await db
      .deleteFrom('identities')
      .where('account_id', '=', account_id)
      .where('provider_email', '!=', sent_to)
      .execute()
    await db
      .updateTable('accounts')
      .set({
        email: sent_to,
        email_verified: true,
        phone: null,
        phone_verified: false,
        password_hash: null,
        password_updated_at: null,
      })
      .where('id', '=', account_id)
      .execute()
    await endSecrets(db, account_id)
    await noteEvent(db, request, account_id, 'user.update')
    const askedAs = newId()
    const { secret } = await issueLink(db, 'recovery', { accountId: account_id, sentTo: sent_to, askedAs })
    return { userId: askedAs, secret }
  })
}
