import { sql, type Transaction } from 'kysely'
import { recordAccountEvent } from '../../auth/account-audit-log.ts'
import { whereAccountMaySignIn } from '../../auth/account-reopening.ts'
import { endOpenInvitations } from '../../auth/end-open-invitations.ts'
import {
  forgetBrowsers,
  isKnownBrowser,
  type RememberedBrowser,
  readBrowserCookie,
  rememberBrowser,
  setBrowserCookie,
} from '../../auth/known-browsers.ts'
import {
  consumeOneTimeLink,
  issueOneTimeLink,
  type OneTimeTokenRow,
  revokeOneTimeTokens,
} from '../../auth/one-time-tokens.ts'
import { checkAndHashNewPassword } from '../../auth/password-hash.ts'
import { refusePersonalPassword } from '../../auth/password-policy.ts'
import { recordTokenChange } from '../../auth/record-token-and-file-changes.ts'
import { revokeSessions } from '../../auth/session.ts'
import { findClosedAccountFailure } from '../../auth/suspended-and-closed-accounts.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { renderLinkEmail } from '../../email/message-templates.ts'
import { throwFailure } from '../../errors.ts'
import { generateId } from '../../ids.ts'
import type { RequestContext } from '../../route.ts'
import { admitNewAccount, type RegistrationContext } from '../community/admit-new-account.ts'
import { consumeAccountMessageLimit } from './account-message-limits.ts'
import { sendAccountNoticeEmail, sendNoticesOfGivenAccount } from './account-security-notices.ts'
import type { EmailLinkParameters } from './email-link-urls.ts'
import {
  type AccountRow,
  findOrCreateVerifiedAccount,
  giveAccountToVerifiedOwner,
  type InsertAdmittedAccount,
  recordEmailVerification,
  removeCredentialsAddedSinceVerification,
  type VerifiedAccount,
} from './give-account-to-verified-owner.ts'

/**
 * For an unknown address, the server does the same work, but nobody receives the secret. The user id in the
 * link belongs to the token, because the caller has not proven who they are.
 * @throws Failure 429; 503 if emails cannot be sent
 */
export async function sendPasswordResetEmail(
  ctx: RequestContext,
  email: string,
  linkTo: (linkParameters: EmailLinkParameters, token: OneTimeTokenRow) => string,
): Promise<OneTimeTokenRow> {
  const { request, emails, store } = ctx
  emails.assertAvailable()
  const mayBeSent = await consumeAccountMessageLimit(ctx, 'recovery', email)
  const shownUserId = generateId()
  const { accountId, token, secret } = await store.transact(async ({ db }) => {
    const account = await db
      .selectFrom('accounts')
      .select(['id', 'email_verified', whereAccountMaySignIn('accounts').as('may_sign_in')])
      .where('email', '=', email)
      .executeTakeFirst()
    // The owner of an address that a closed account never verified still receives an email.
    const accountId = account && (account.may_sign_in || !account.email_verified) ? account.id : null
    const link = await issueOneTimeLink(db, 'recovery', { accountId, sentTo: email, shownUserId })
    await recordAccountEvent(db, request, accountId, 'recovery.create')
    await recordTokenChange(db, 'create', 'recovery', link.token)
    return { accountId, ...link }
  })
  const link = linkTo({ userId: shownUserId, secret }, token)
  if (accountId !== null && mayBeSent) emails.send(email, renderLinkEmail('recovery', link))
  return token
}

/**
 * Sets the new password. Ends every session, JWT, email link and invitation, and ways to sign in that others
 * may have added (decision 0122). An emailed link verifies the address; an operator's link, which was sent
 * nowhere, verifies none. The account remembers the browser, so that wrong passwords from others do not lock
 * the owner out.
 * @throws Failure 400 for a password that is easily guessed, 401 `user_invalid_token`, 404 `user_not_found`
 */
export async function resetPassword(
  ctx: RequestContext,
  { userId, secret, password }: EmailLinkParameters & { password: string },
): Promise<{ token: OneTimeTokenRow; account: AccountRow; remembered: RememberedBrowser }> {
  const { request, reply, config, store } = ctx
  const password_hash = await checkAndHashNewPassword(password, null)
  const { token, account, given, remembered, passkeys } = await store.transact(async ({ db }) => {
    const token = await consumeOneTimeLink(db, ['recovery'], userId, secret)
    const verifiesMailbox = token.sent_to !== null
    let account = await findRecoveredAccount(db, ctx, token)
    const profile = await db
      .selectFrom('users')
      .select('username')
      .where('account_id', '=', account.id)
      .executeTakeFirst()
    // If this check refuses the password, nothing has been written and the link still works.
    refusePersonalPassword(password, { ...account, ...profile })
    let passkeys = 0
    const known = await isKnownBrowser(db, readBrowserCookie(request, config), account.id)
    if (verifiesMailbox && !account.email_verified)
      account = await giveAccountToVerifiedOwner(db, request, account, 'email')
    else {
      // Secrets are revoked first, so that a session that a secret is just starting ends with the others.
      await revokeOneTimeTokens(db, account.id)
      await revokeSessions(db, account.id)
      if (account.email_verified) passkeys = await removeCredentialsAddedSinceVerification(db, account)
      if (passkeys > 0) await recordAccountEvent(db, request, account.id, 'passkey.delete')
      await forgetBrowsers(db, account.id)
    }
    await endOpenInvitations(db, account.id)
    if (verifiesMailbox) await recordEmailVerification(db, account.id)
    const changed = await setPassword(db, account.id, password_hash)
    await recordAccountEvent(db, request, account.id, 'recovery.update')
    const browser = await rememberBrowser(db, request, config, account.id)
    return { token, account: changed, given: account, passkeys, remembered: { browser, known } }
  })
  if (passkeys > 0) await sendAccountNoticeEmail(ctx, account, 'passkey-removed')
  await sendNoticesOfGivenAccount(ctx, given)
  setBrowserCookie(reply, config, remembered.browser)
  return { token, account, remembered }
}

/**
 * A new account replaces one that is closed and never verified the address.
 * docs/topics/how-email-verification-works.md explains this.
 */
async function findRecoveredAccount(
  db: Transaction<DatabaseTables>,
  registration: RegistrationContext,
  { account_id, sent_to }: OneTimeTokenRow,
): Promise<VerifiedAccount> {
  const holder = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', account_id)
    .where('email', 'is not', null)
    .$if(sent_to !== null, (query) => query.where('email', '=', sent_to))
    .forUpdate()
    .executeTakeFirst()
  if (!holder) return throwFailure('user_invalid_token')
  if (!(await findClosedAccountFailure(db, holder, true))) return holder
  if (holder.email_verified || sent_to === null) return throwFailure('user_invalid_token')
  const admit: InsertAdmittedAccount = (create) => admitNewAccount(db, registration, create)
  return findOrCreateVerifiedAccount(db, registration.request, admit, 'email', sent_to, generateId(), true)
}

const setPassword = (db: Transaction<DatabaseTables>, accountId: number, password_hash: string) =>
  db
    .updateTable('accounts')
    .set({ password_hash, password_updated_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', accountId)
    .returningAll()
    .executeTakeFirstOrThrow()
