import { sql } from 'kysely'
import { recordAccountEvent } from '../../auth/account-audit-log.ts'
import { hashSecretSha256 } from '../../auth/hash-secret.ts'
import { consumeOneTimeLink, issueOneTimeLink, type OneTimeTokenRow } from '../../auth/one-time-tokens.ts'
import { recordTokenChange } from '../../auth/record-token-and-file-changes.ts'
import { findClosedAccountFailure } from '../../auth/suspended-and-closed-accounts.ts'
import { renderLinkEmail } from '../../email/message-templates.ts'
import { throwFailure } from '../../errors.ts'
import { generateId } from '../../ids.ts'
import type { RequestContext } from '../../route.ts'
import { consumeAccountMessageLimit, spendSignUpEmail } from './account-message-limits.ts'
import { sendNoticesOfGivenAccount } from './account-security-notices.ts'
import { confirmEmailChange, type EmailLinkBuilder } from './email-change.ts'
import { buildWebEmailLink, type EmailLinkParameters } from './email-link-urls.ts'
import {
  type AccountRow,
  giveAccountToVerifiedOwner,
  recordEmailVerification,
} from './give-account-to-verified-owner.ts'
import { selectCallerAccount } from './update-caller-account.ts'

/**
 * @throws Failure 400 `user_email_not_found`, 409 `user_email_already_verified`, 429; 503 if emails cannot be
 * sent
 */
export async function sendVerificationEmail(
  ctx: RequestContext,
  linkTo: (linkParameters: EmailLinkParameters, token: OneTimeTokenRow) => string,
): Promise<OneTimeTokenRow> {
  const { request, caller, emails, store, database } = ctx
  const account = await selectCallerAccount(database.kysely, caller)
  const { email } = account
  if (email === null) return throwFailure('user_email_not_found')
  if (account.email_verified) return throwFailure('user_email_already_verified')
  emails.assertAvailable()
  await consumeAccountMessageLimit(ctx, 'verification', email)
  const about = { accountId: account.id, sentTo: email, shownUserId: account.public_id }
  const { token, secret } = await store.transact(async ({ db }) => {
    await recordAccountEvent(db, request, account.id, 'verification.create')
    const issued = await issueOneTimeLink(db, 'verification', about)
    await recordTokenChange(db, 'create', 'verification', issued.token)
    return issued
  })
  emails.send(email, renderLinkEmail('verification', linkTo({ userId: account.public_id, secret }, token)))
  return token
}

/**
 * Sends nothing if emails are unavailable or the quota is used up. The member can then request the link in
 * the settings.
 */
export async function sendSignUpEmail(
  ctx: RequestContext,
  account: Pick<AccountRow, 'id' | 'public_id'> & { email: string },
): Promise<void> {
  const { request, emails, database } = ctx
  const { email } = account
  if (!emails.isAvailable() || !(await spendSignUpEmail(ctx, email))) return
  const about = { accountId: account.id, sentTo: email, shownUserId: account.public_id }
  const { secret } = await issueOneTimeLink(database.kysely, 'verification', about)
  const link = buildWebEmailLink(request, ctx, 'verification', { userId: account.public_id, secret })
  emails.send(email, renderLinkEmail('sign-up', link))
}

/**
 * Accepts confirmation links for the account's first address and for a new address.
 * @param linkTo builds the link that undoes a change
 */
export async function confirmCurrentOrNewEmail(
  ctx: RequestContext,
  linkParameters: EmailLinkParameters & { password?: string | undefined },
  linkTo: EmailLinkBuilder,
): Promise<{ token: OneTimeTokenRow; recovery: EmailLinkParameters | null }> {
  const { rows } = await sql<{ kind: string }>`
    select kind from tokens where secret_hash = ${hashSecretSha256(linkParameters.secret)}`.execute(
    ctx.database.kysely,
  )
  if (rows[0]?.kind !== 'email-change') return verifyEmail(ctx, linkParameters)
  return { token: await confirmEmailChange(ctx, linkParameters, linkTo), recovery: null }
}

/**
 * On the first verification, a caller signed in to the account keeps that session and the password. Otherwise
 * all sessions and the password are removed.
 * @returns the token, and the secret to choose a password if the account has none
 * @throws Failure 401 `user_invalid_token`, also if the address changed or the account was closed after the
 * email
 */
export async function verifyEmail(
  ctx: RequestContext,
  { userId, secret }: EmailLinkParameters,
): Promise<{ token: OneTimeTokenRow; recovery: EmailLinkParameters | null }> {
  const { request, store } = ctx
  const { given, ...verified } = await store.transact(async ({ db }) => {
    const token = await consumeOneTimeLink(db, ['verification'], userId, secret)
    const account = await db
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', token.account_id)
      .where('email', '=', token.sent_to)
      .forUpdate()
      .executeTakeFirst()
    if (!account) return throwFailure('user_invalid_token')
    // Verifying the address of an account that nobody can open would make the address unusable for its owner.
    if (!account.email_verified && (await findClosedAccountFailure(db, account, true)))
      return throwFailure('user_invalid_token')
    await recordAccountEvent(db, request, account.id, 'verification.update')
    await recordTokenChange(db, 'update', 'verification', token)
    if (account.email_verified) {
      await recordEmailVerification(db, account.id)
      return { token, recovery: null, given: null }
    }
    const own = request.caller?.account.id === account.id ? request.caller.session : null
    const given = await giveAccountToVerifiedOwner(db, request, account, 'email', own)
    if (own !== null) return { token, recovery: null, given }
    const shownUserId = generateId()
    const recovery = await issueOneTimeLink(db, 'recovery', {
      accountId: account.id,
      sentTo: account.email,
      shownUserId,
    })
    return { token, recovery: { userId: shownUserId, secret: recovery.secret }, given }
  })
  if (given) await sendNoticesOfGivenAccount(ctx, given)
  return verified
}
