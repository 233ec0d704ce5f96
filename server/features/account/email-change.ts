/**
 * The account keeps the old address until the owner of the new mailbox confirms the new address. For seven
 * days the old mailbox can undo the change, because someone else may have made it (decision 0120).
 */
import { sql, type Transaction } from 'kysely'
import { recordAccountEvent } from '../../auth/account-audit-log.ts'
import { undoAccountClosureSince } from '../../auth/account-reopening.ts'
import { endOpenInvitations } from '../../auth/end-open-invitations.ts'
import { forgetBrowsers } from '../../auth/known-browsers.ts'
import {
  consumeOneTimeLink,
  issueOneTimeLink,
  type OneTimeTokenRow,
  revokeOneTimeTokens,
  revokeOneTimeTokensOfKind,
} from '../../auth/one-time-tokens.ts'
import { removePasskeys } from '../../auth/passkeys.ts'
import { verifyPassword } from '../../auth/password-hash.ts'
import { lockCallersAccount, revokeSessions } from '../../auth/session.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { renderLinkEmail } from '../../email/message-templates.ts'
import { throwFailure } from '../../errors.ts'
import { generateId } from '../../ids.ts'
import { getPublicUrlForRequest } from '../../net/public-url.ts'
import type { RequestContext } from '../../route.ts'
import { consumeAccountMessageLimit } from './account-message-limits.ts'
import { sendAccountNoticeEmail } from './account-security-notices.ts'
import type { buildWebEmailLink, EmailLinkParameters } from './email-link-urls.ts'
import { endTwoFactor } from './end-two-factor.ts'
import { type AccountRow, releaseUnverifiedAddress } from './give-account-to-verified-owner.ts'
import { assertRecentCodeIfTwoFactorOn } from './reauthentication.ts'
import { lockAccountUnlessTwoFactorTurnedOn } from './second-factor-sign-in.ts'
import { cancelTwoFactorRemovalSince } from './two-factor-removal-requests.ts'
import { type AccountUpdate, updateCallerAccount } from './update-caller-account.ts'

export type EmailLinkBuilder = typeof buildWebEmailLink

/**
 * Requires a code if two-factor authentication is on, because the owner of the new mailbox could keep the
 * account. If another account has verified the address, `options.notifiesHolder` emails it, and the caller
 * gets the same response.
 * @param before the account, whose password was just verified
 * @param change values to write immediately: the first password of an account without one
 * @throws Failure 401 `user_challenge_required`; 409 `user_email_already_exists` without `notifiesHolder`,
 * like sign-up
 */
export async function requestEmailChange(
  ctx: RequestContext,
  before: AccountRow,
  email: string,
  change: AccountUpdate,
  { linkTo, notifiesHolder = false }: { linkTo: EmailLinkBuilder; notifiesHolder?: boolean },
): Promise<AccountRow> {
  const { request, caller, emails, store, database } = ctx
  if (email === before.email) return before
  const seen = await assertRecentCodeIfTwoFactorOn(ctx)
  const holder = await database.kysely
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', email)
    .where('email_verified', '=', true)
    .executeTakeFirst()
  if (holder && !notifiesHolder) return throwFailure('user_email_already_exists')
  emails.assertAvailable()
  const mayBeSent = await consumeAccountMessageLimit(ctx, 'email-change', email)
  const { account, secret } = await store.transact(async ({ db }) => {
    await lockAccountUnlessTwoFactorTurnedOn(db, ctx, seen)
    const account = await updateCallerAccount(
      db,
      request,
      caller,
      { email_verified: true, ...change },
      { checked: before, event: 'email.request' },
    )
    await revokeOneTimeTokensOfKind(db, account.id, 'email-change')
    const about = { accountId: account.id, sentTo: email, shownUserId: account.public_id }
    return { account, ...(await issueOneTimeLink(db, 'email-change', about)) }
  })
  const link = linkTo(request, ctx, 'email-change', { userId: before.public_id, secret })
  // If the address is taken, the email does not contain the secret.
  const message = holder
    ? renderLinkEmail('email-taken', `${getPublicUrlForRequest(request, ctx)}/sign-in`)
    : renderLinkEmail('email-change', link)
  if (mayBeSent) emails.send(email, message)
  return account
}

/**
 * The caller must be signed in to the account or know its password. Otherwise an attacker could make a
 * stranger confirm an account that is not theirs. A return to an address that could undo the previous change
 * cannot itself be undone.
 * @throws Failure 401 `user_invalid_token`, `user_invalid_credentials`, `general_unauthorized_scope`; 409 if
 * another account has verified the address
 */
export async function confirmEmailChange(
  ctx: RequestContext,
  { userId, secret, password }: EmailLinkParameters & { password?: string | undefined },
  linkTo: EmailLinkBuilder,
): Promise<OneTimeTokenRow> {
  const { request, emails, store } = ctx
  await assertOwner(ctx, userId, password)
  const changed = await store.transact(async ({ db }) => {
    const token = await consumeOneTimeLink(db, ['email-change'], userId, secret)
    const before = await db
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', token.account_id)
      .where('public_id', '=', userId)
      .where('status', '=', 'active')
      .forUpdate()
      .executeTakeFirst()
    if (!before || token.sent_to === null) return throwFailure('user_invalid_token')
    const owner = request.caller?.account.id === before.id ? request.caller : null
    if (owner !== null) await lockCallersAccount(db, owner)
    await releaseUnverifiedAddress(db, 'email', token.sent_to)
    // Keeps the time of the last email verification, so that the next password change removes sign-in methods
    // that a thief of the old password has added since.
    await db
      .updateTable('accounts')
      .set({ email: token.sent_to, email_verified: true })
      .where('id', '=', before.id)
      .execute()
    // Revoking this kind also revokes the operator's link, which names no address.
    await revokeOneTimeTokensOfKind(db, before.id, 'recovery')
    await revokeSessions(db, before.id, { except: owner?.session.id })
    await recordAccountEvent(db, request, before.id, 'email.update')
    const about = { accountId: before.id, sentTo: before.email, shownUserId: before.public_id }
    const isBack = await endUndosSince(db, before.id, token.sent_to)
    const undo = before.email_verified && !isBack ? await issueOneTimeLink(db, 'email-undo', about) : null
    return { token, before, undo }
  })
  const { token, before, undo } = changed
  if (undo !== null && before.email !== null) {
    const linkParameters = { userId: before.public_id, secret: undo.secret }
    const link = linkTo(request, ctx, 'email-undo', linkParameters)
    emails.send(before.email, renderLinkEmail('email-undo', link))
  }
  return token
}

/**
 * Ends the undo link that was sent to `address` and all later ones, so that the mailboxes of later changes
 * cannot take the account back.
 * @returns whether such a link was still valid
 */
async function endUndosSince(
  db: Transaction<DatabaseTables>,
  accountId: number,
  address: string,
): Promise<boolean> {
  const { rows } = await sql`
    update tokens t set used_at = least(clock_timestamp(), t.expires_at)
    where t.account_id = ${accountId} and t.kind = 'email-undo' and t.used_at is null and t.id >= (
      select min(own.id) from tokens own
      where own.account_id = ${accountId} and own.kind = 'email-undo' and own.sent_to = ${address}
        and own.used_at is null and own.expires_at > clock_timestamp())
    returning t.id`.execute(db)
  return rows.length > 0
}

async function assertOwner(
  { request, reply, limits, database }: RequestContext,
  userId: string,
  password: string | undefined,
): Promise<void> {
  if (request.caller?.account.publicId === userId) return
  await limits.consume(request, reply, 'code', { subject: `email-change:${userId}` })
  const account = await database.kysely
    .selectFrom('accounts')
    .select('password_hash')
    .where('public_id', '=', userId)
    .executeTakeFirst()
  const right = await verifyPassword(account?.password_hash ?? null, password ?? '')
  if (!right) throwFailure('user_invalid_credentials')
}

/**
 * Requires a code, because verifying the new address passes the account on and ends two-factor
 * authentication.
 * @throws Failure 409 `user_email_already_exists`; 401 `user_challenge_required`, or if the password or
 * address changed meanwhile
 */
export async function replaceUnverifiedEmail(
  ctx: RequestContext,
  before: AccountRow,
  change: AccountUpdate,
): Promise<AccountRow> {
  const { request, caller, store } = ctx
  const seen = await assertRecentCodeIfTwoFactorOn(ctx)
  return store.transact(async ({ db }) => {
    // The account's lock must come before the tokens' locks.
    await lockAccountUnlessTwoFactorTurnedOn(db, ctx, seen)
    await revokeOneTimeTokens(db, caller.account.id)
    return updateCallerAccount(db, request, caller, change, {
      checked: before,
      taken: 'user_email_already_exists',
      event: 'email.update',
    })
  })
}

/**
 * A person who knew the password made the change. All sessions, the password, the phone and other ways to sign
 * in therefore end. A closed account opens again, and a deletion is cancelled. Two-factor authentication from
 * before the change stays, in case someone else controls the old mailbox (decision 0210).
 * @returns the secret with which the owner chooses a new password
 * @throws Failure 401 `user_invalid_token`, 404 `user_not_found`; 409 if another account has verified the
 * address, or `deletion_under_way`
 */
export async function undoEmailChange(
  ctx: RequestContext,
  linkParameters: EmailLinkParameters,
): Promise<EmailLinkParameters> {
  const { request, store } = ctx
  const { recovery, restored, twoFactorEnded } = await store.transact(async ({ db }) => {
    const { id, account_id, sent_to, created_at } = await consumeOneTimeLink(
      db,
      ['email-undo'],
      linkParameters.userId,
      linkParameters.secret,
    )
    if (account_id === null || sent_to === null) return throwFailure('user_invalid_token')
    await sql`select from accounts where id = ${account_id} for update`.execute(db)
    await releaseUnverifiedAddress(db, 'email', sent_to)
    await undoAccountClosureSince(db, request, account_id, created_at)
    await revokeSessions(db, account_id)
    await forgetBrowsers(db, account_id)
    // The email about the request went to the changed address, whose owner would not cancel the request.
    if (await cancelTwoFactorRemovalSince(db, account_id, created_at))
      await recordAccountEvent(db, request, account_id, 'mfa.unlock-stop')
    const twoFactorEnded =
      (await wasTwoFactorTurnedOnSince(db, account_id, created_at)) &&
      (await endTwoFactor(db, request, account_id))
    await removePasskeys(db, account_id)
    await endOpenInvitations(db, account_id)
    // Emails about later changes went to the person who made them, so their tokens end too.
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
    const restored = await db
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
      .returningAll()
      .executeTakeFirstOrThrow()
    await revokeOneTimeTokens(db, account_id)
    await recordAccountEvent(db, request, account_id, 'email.undo')
    const shownUserId = generateId()
    const { secret } = await issueOneTimeLink(db, 'recovery', {
      accountId: account_id,
      sentTo: sent_to,
      shownUserId,
    })
    return { recovery: { userId: shownUserId, secret }, restored, twoFactorEnded }
  })
  if (twoFactorEnded) await sendAccountNoticeEmail(ctx, restored, 'two-steps-off')
  return recovery
}

/** Turning two-factor authentication on with an older app counts, and so does setting up an app. */
async function wasTwoFactorTurnedOnSince(
  db: Transaction<DatabaseTables>,
  accountId: number,
  since: Date,
): Promise<boolean> {
  const { rows } = await sql`
    select from account_events
    where account_id = ${accountId} and event = 'mfa.create' and created_at >= ${since} limit 1`.execute(db)
  return rows.length > 0
}
