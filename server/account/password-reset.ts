/** Gives accounts back to their owners: a forgotten password, and an e-mail address that somebody else changed. */
import { sql, type Transaction } from 'kysely'
import { recordAccountEvent } from '../auth/account-audit-log.ts'
import { recordTokenChange } from '../auth/account-changes.ts'
import { forgetDevices, rememberDevice, setDeviceCookie } from '../auth/known-browsers.ts'
import {
  consumeOneTimeLink,
  issueOneTimeLink,
  type OneTimeTokenRow,
  revokeOneTimeTokens,
} from '../auth/one-time-tokens.ts'
import { hashPassword } from '../auth/password-hash.ts'
import { refusePersonalPassword } from '../auth/password-policy.ts'
import { removeSecondFactors } from '../auth/second-factors.ts'
import { revokeSessions } from '../auth/session.ts'
import {
  type AccountRow,
  giveAccountToVerifiedOwner,
  recordEmailProof,
  removeCredentialsAddedSinceProof,
} from '../auth/verified-contact.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { throwFailure } from '../errors.ts'
import { generateId } from '../ids.ts'
import { renderLinkEmail } from '../messaging/message-templates.ts'
import type { RequestContext } from '../route.ts'
import { consumeAccountEmailLimit } from './account-email-limits.ts'
import type { EmailLinkProof } from './email-links.ts'

/**
 * Sends the link that a new password is chosen by. It does the same work for an address nobody has: its secret is made and
 * told to nobody. The user id in the link is the token's own, because whoever asks has proven nothing.
 * @param linkTo where the letter leads
 * @throws Failure 429; 503 when no letter can be sent
 */
export async function sendPasswordResetEmail(
  ctx: RequestContext,
  email: string,
  linkTo: (proof: EmailLinkProof, token: OneTimeTokenRow) => string,
): Promise<OneTimeTokenRow> {
  const { request, mail, store } = ctx
  mail.assertAvailable()
  const mayBeSent = await consumeAccountEmailLimit(ctx, 'recovery', email)
  const shownUserId = generateId()
  const { accountId, token, secret } = await store.transact(async ({ db }) => {
    const account = await db
      .selectFrom('accounts')
      .select(['id', 'status'])
      .where('email', '=', email)
      .executeTakeFirst()
    const accountId = account?.status === 'active' ? account.id : null
    const link = await issueOneTimeLink(db, 'recovery', { accountId, sentTo: email, shownUserId })
    await recordAccountEvent(db, request, accountId, 'recovery.create')
    await recordTokenChange(db, 'create', 'recovery', link.token)
    return { accountId, ...link }
  })
  const link = linkTo({ userId: shownUserId, secret }, token)
  if (accountId !== null && mayBeSent) mail.send(email, renderLinkEmail('recovery', link))
  return token
}

/**
 * Sets a new password by the secret of a letter: it proves the address, ends every session, JWT and letter of whoever knew
 * the old password, and removes the phone and identities added since the address was proven (decisions 0121, 0122). The
 * browser is known from then on, so that guesses by others do not lock the owner out.
 * @throws Failure 400 for a password that is easily guessed, 401 `user_invalid_token`, 404 `user_not_found`
 */
export async function resetPassword(
  { request, reply, config, store }: RequestContext,
  { userId, secret, password }: EmailLinkProof & { password: string },
): Promise<{ token: OneTimeTokenRow; account: AccountRow }> {
  const password_hash = await hashPassword(password, null)
  const { token, account, device } = await store.transact(async ({ db }) => {
    const token = await consumeOneTimeLink(db, ['recovery'], userId, secret)
    const account = await db
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', token.account_id)
      .where('email', '=', token.sent_to)
      .where('status', '=', 'active')
      .forUpdate()
      .executeTakeFirst()
    if (!account) return throwFailure('user_invalid_token')
    const profile = await db
      .selectFrom('users')
      .select('username')
      .where('account_id', '=', account.id)
      .executeTakeFirst()
    // Refused, nothing of this has happened, and the letter works once more.
    refusePersonalPassword(password, { ...account, ...profile })
    if (account.email_verified) {
      // The secrets first: a session that one of them is just beginning ends with the others.
      await revokeOneTimeTokens(db, account.id)
      await revokeSessions(db, account.id)
      await removeCredentialsAddedSinceProof(db, account)
      await forgetDevices(db, account.id)
    } else await giveAccountToVerifiedOwner(db, account, 'email')
    if ((await wasIssuedByOperator(db, token)) && (await removeSecondFactors(db, account.id)))
      await recordAccountEvent(db, request, account.id, 'mfa.delete')
    await recordEmailProof(db, account.id)
    await setPassword(db, account.id, password_hash)
    await recordAccountEvent(db, request, account.id, 'recovery.update')
    return { token, account, device: await rememberDevice(db, request, config, account.id) }
  })
  setDeviceCookie(reply, config, device)
  return { token, account }
}

/**
 * Whether the operator made the link, who has made sure of its owner: two steps that somebody else turned on end with it. Other
 * letters end no two steps, because a mailbox may be read by others.
 */
async function wasIssuedByOperator(
  db: Transaction<DatabaseTables>,
  { account_id, created_at }: OneTimeTokenRow,
): Promise<boolean> {
  const { rows } = await sql`
    select from account_events e where e.account_id = ${account_id} and e.event = 'recovery.operator'
      and abs(extract(epoch from e.created_at - ${created_at}::timestamptz)) < 1`.execute(db)
  return rows.length > 0
}

const setPassword = (db: Transaction<DatabaseTables>, accountId: number, password_hash: string) =>
  db
    .updateTable('accounts')
    .set({ password_hash, password_updated_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', accountId)
    .execute()

/**
 * Gives an account its former address back, by the letter that went there when it was changed. Whoever changed it knew
 * the password, so nothing of theirs stays: no session, no password, no phone, no other way in.
 * @returns the secret with which the owner chooses a new password
 * @throws Failure 401 `user_invalid_token`, 404 `user_not_found`; 409 when the address has become another account's
 */
export async function undoEmailChange(
  { request, store }: Pick<RequestContext, 'request' | 'store'>,
  proof: EmailLinkProof,
): Promise<EmailLinkProof> {
  return store.transact(async ({ db }) => {
    const { id, account_id, sent_to, created_at } = await consumeOneTimeLink(
      db,
      ['email-undo'],
      proof.userId,
      proof.secret,
    )
    if (account_id === null || sent_to === null) return throwFailure('user_invalid_token')
    await sql`select from accounts where id = ${account_id} for update`.execute(db)
    await revokeSessions(db, account_id)
    await forgetDevices(db, account_id)
    // Two steps that were turned on since are theirs too; the owner's own, from before, stay.
    const { rows } = await sql`
      select from totp_secrets where account_id = ${account_id} and verified_at > ${created_at}`.execute(db)
    if (rows.length > 0) await removeSecondFactors(db, account_id)
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
        email_proven_at: sql<Date>`clock_timestamp()`,
        phone: null,
        phone_verified: false,
        password_hash: null,
        password_updated_at: null,
      })
      .where('id', '=', account_id)
      .execute()
    await revokeOneTimeTokens(db, account_id)
    await recordAccountEvent(db, request, account_id, 'email.undo')
    const shownUserId = generateId()
    const { secret } = await issueOneTimeLink(db, 'recovery', {
      accountId: account_id,
      sentTo: sent_to,
      shownUserId,
    })
    return { userId: shownUserId, secret }
  })
}
