/**
 * Anybody can sign up with an unverified address.
 * Its verified owner gets the account, and the previous user loses access (decision 0029).
 */
import type { FastifyRequest } from 'fastify'
import { type Selectable, sql, type Transaction } from 'kysely'
import { recordAccountEvent } from '../../auth/account-audit-log.ts'
import { endOpenInvitations } from '../../auth/end-open-invitations.ts'
import { forgetBrowsers } from '../../auth/known-browsers.ts'
import { revokeOneTimeTokens } from '../../auth/one-time-tokens.ts'
import { removePasskeys } from '../../auth/passkeys.ts'
import { type RequestCaller, revokeSessions } from '../../auth/session.ts'
import { assertAccountOpen, findClosedAccountFailure } from '../../auth/suspended-and-closed-accounts.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import { generateId } from '../../ids.ts'
import { endModeratorAndOperatorRoles } from '../moderation/end-moderator-and-operator-roles.ts'
import { endTwoFactor } from './end-two-factor.ts'

export type AccountRow = Selectable<DatabaseTables['accounts']>
export type VerifiedAccount = AccountRow & { endedByGiving?: { twoSteps: boolean; passkeys: number } }
export type ContactKind = 'email' | 'phone'
export type InsertAdmittedAccount = <Account extends { id: number } | undefined>(
  create: () => Promise<Account>,
) => Promise<Account>

/**
 * Creates an account if no account has the address, or only a closed account that never verified it.
 * @param newPublicId public id for a new account; if it is taken, another is drawn
 * @param allowsClosed also returns a closed account that this sign-in may open or keep
 * @throws Failure `user_blocked`; errors of `admit`
 */
export async function findOrCreateVerifiedAccount(
  db: Transaction<DatabaseTables>,
  request: FastifyRequest,
  admit: InsertAdmittedAccount,
  kind: ContactKind,
  address: string,
  newPublicId: string,
  allowsClosed = false,
): Promise<VerifiedAccount> {
  for (const publicId of [newPublicId, generateId(), generateId()]) {
    const holder = await db
      .selectFrom('accounts')
      .selectAll()
      .where(kind, '=', address)
      .forUpdate()
      .executeTakeFirst()
    if (holder?.[`${kind}_verified`]) return holder
    if (holder && (await isGivenWithAddress(db, holder, kind, allowsClosed)))
      return giveAccountToVerifiedOwner(db, request, holder, kind)
    if (holder) await removeUnverifiedContact(db, holder, kind)
    const created = await admit(() => createVerifiedAccount(db, kind, address, publicId))
    if (created) return created
    // The id or the address was taken concurrently, so the next round looks again.
  }
  return throwFailure('general_service_unavailable', { retryAfter: 1 })
}

/**
 * The account passes to the verified owner, unless another contact can notify its owner or no sign-in can
 * open it.
 * @throws Failure `user_blocked` if another kind of sign-in must open it
 */
async function isGivenWithAddress(
  db: Transaction<DatabaseTables>,
  holder: AccountRow,
  kind: ContactKind,
  allowsClosed: boolean,
): Promise<boolean> {
  if (await hasOtherVerification(db, holder, kind)) return false
  if (await findClosedAccountFailure(db, holder, true)) return false
  await assertAccountOpen(db, holder, allowsClosed)
  return true
}

/**
 * If the contact is a phone, any email address of the account counts, because the owner can sign in again
 * with it.
 */
async function hasOtherVerification(
  db: Transaction<DatabaseTables>,
  holder: AccountRow,
  kind: ContactKind,
): Promise<boolean> {
  if (kind === 'phone' ? holder.email !== null : holder.phone_verified) return true
  const identity = await db
    .selectFrom('identities')
    .select('id')
    .where('account_id', '=', holder.id)
    .executeTakeFirst()
  return identity !== undefined
}

/**
 * Removes data and sign-in methods that others may have added (docs/topics/how-email-verification-works.md).
 * @param keep the session that verified the address, whose holder set the password; a phone that opened it is
 * verified too
 */
export async function giveAccountToVerifiedOwner(
  db: Transaction<DatabaseTables>,
  request: FastifyRequest,
  { id }: AccountRow,
  kind: ContactKind,
  keep: RequestCaller['session'] | null = null,
): Promise<VerifiedAccount> {
  // Secrets are revoked first, so that a session that a secret is just starting ends too.
  await revokeOneTimeTokens(db, id, { undo: true, verified: kind })
  await revokeSessions(db, id, { except: keep?.id })
  await db.deleteFrom('identities').where('account_id', '=', id).execute()
  await forgetBrowsers(db, id)
  if (kind === 'email') await removePhone(db, id, keep)
  // Two-factor authentication or passkeys that someone else set up would lock out the owner.
  const ended = { twoSteps: false, passkeys: 0 }
  if (keep === null) {
    ended.twoSteps = await endTwoFactor(db, request, id)
    ended.passkeys = await removePasskeys(db, id)
    if (ended.passkeys > 0) await recordAccountEvent(db, request, id, 'passkey.delete')
    await endOpenInvitations(db, id)
    await endModeratorAndOperatorRoles(db, id)
  }
  const given = await db
    .updateTable('accounts')
    .set({
      ...(keep === null ? { password_hash: null, password_updated_at: null } : {}),
      ...(kind === 'email'
        ? { email_verified: true, email_proven_at: beforeItsPasskeys(id) }
        : { phone_verified: true }),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...given, endedByGiving: ended }
}

/**
 * The current time, or just before the oldest remaining passkey.
 * Someone with the password may have added that passkey, so the next password change must remove it.
 */
const beforeItsPasskeys = (accountId: number) => sql<Date>`coalesce(
  (select min(p.created_at) - interval '1 millisecond' from passkeys p where p.account_id = ${accountId}), clock_timestamp())`

/**
 * Someone who knew the old password may have added these credentials (decision 0122).
 * An account without an email address keeps them, because it has no other way to sign in.
 * @param keep the caller's session: the phone or passkey that opened it stays
 */
export async function removeCredentialsAddedSinceVerification(
  db: Transaction<DatabaseTables>,
  { id, email, email_proven_at, phone_set_at }: AccountRow,
  keep: RequestCaller['session'] | null = null,
): Promise<number> {
  if (email === null) return 0
  await db
    .deleteFrom('identities')
    .where('account_id', '=', id)
    .$if(email_proven_at !== null, (query) => query.where('created_at', '>', email_proven_at))
    .execute()
  const passkeys = await removePasskeys(db, id, { since: email_proven_at, keep })
  const isNewer = email_proven_at === null || (phone_set_at !== null && phone_set_at > email_proven_at)
  if (isNewer) await removePhone(db, id, keep)
  return passkeys
}

/**
 * Keeps the phone that opened the session that stays. If a session stays, an unverified phone also stays, because it
 * signs nobody in.
 */
async function removePhone(
  db: Transaction<DatabaseTables>,
  id: number,
  keep: RequestCaller['session'] | null,
): Promise<void> {
  await sql`
    update accounts a set phone = null, phone_verified = false
    where a.id = ${id} and (${keep === null} or a.phone_verified) and not exists (
      select from sessions s where s.id = ${keep?.id ?? 0} and s.provider = 'phone' and s.provider_uid = a.phone
    )`.execute(db)
}

/** Call this for answers to confirmation emails, not to sign-in emails. */
export const recordEmailVerification = (
  db: Transaction<DatabaseTables>,
  accountId: number,
): Promise<AccountRow> =>
  db
    .updateTable('accounts')
    .set({ email_proven_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', accountId)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Nobody can sign in with an unverified number, so any other account may take it. */
export async function releaseUnverifiedAddress(
  db: Transaction<DatabaseTables>,
  kind: ContactKind,
  address: string,
): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ [kind]: null })
    .where(kind, '=', address)
    .where(`${kind}_verified`, '=', false)
    .execute()
}

const removeUnverifiedContact = (db: Transaction<DatabaseTables>, holder: AccountRow, kind: ContactKind) =>
  db
    .updateTable('accounts')
    .set({ [kind]: null })
    .where('id', '=', holder.id)
    .execute()

async function createVerifiedAccount(
  db: Transaction<DatabaseTables>,
  kind: ContactKind,
  address: string,
  publicId: string,
): Promise<AccountRow | undefined> {
  const { rows } = await sql<AccountRow>`
    insert into accounts (public_id, ${sql.ref(kind)}, ${sql.ref(`${kind}_verified`)}, email_proven_at)
    values (${publicId}, ${address}, true, case when ${kind} = 'email' then clock_timestamp() end)
    on conflict do nothing returning *`.execute(db)
  return rows[0]
}
