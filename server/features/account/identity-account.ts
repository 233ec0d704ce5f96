import { sql, type Transaction } from 'kysely'
import { recordAccountEvent } from '../../auth/account-audit-log.ts'
import type { OidcProfile } from '../../auth/oidc-client.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import { generateId } from '../../ids.ts'
import { admitNewAccount, type RegistrationContext } from '../community/admit-new-account.ts'
import {
  type AccountRow,
  findOrCreateVerifiedAccount,
  recordEmailVerification,
} from './give-account-to-verified-owner.ts'

/**
 * Finds the account by issuer and subject, then by verified address. Never returns an account whose address
 * is unverified.
 * @returns whether an existing account gained the identity
 * @throws Failure 403 if the provider verified no address, 409 if an unverified account has the address,
 * `user_blocked`
 */
export async function findOrCreateIdentityAccount(
  db: Transaction<DatabaseTables>,
  registration: RegistrationContext,
  provider: string,
  { issuer, subject, email, name }: OidcProfile,
): Promise<{ account: AccountRow; linked: boolean }> {
  await lockIdentity(db, provider, subject)
  const known = await lockKnownAccount(db, provider, issuer, subject)
  if (known) return { account: known, linked: false }
  if (email === null) {
    return throwFailure('user_oauth2_email_missing')
  }
  const claimed = await db
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', email)
    .where('email_verified', '=', false)
    .forUpdate()
    .executeTakeFirst()
  if (claimed) return throwFailure('user_email_already_exists')
  const account = await findOrCreateVerifiedAccount(
    db,
    registration.request,
    (create) => admitNewAccount(db, registration, create),
    'email',
    email,
    generateId(),
  )
  await db
    .insertInto('identities')
    .values({
      public_id: generateId(),
      account_id: account.id,
      provider,
      issuer,
      provider_uid: subject,
      provider_email: email,
    })
    .execute()
  const { rows } = await sql<{ made: boolean }>`select ${account.created_at} >= now() as made`.execute(db)
  // The verification must be later than the first identity of a new account, so that a password change keeps the
  // identity.
  const verified = rows[0]?.made ? await recordEmailVerification(db, account.id) : account
  const linked = !rows[0]?.made
  if (linked) await recordAccountEvent(db, registration.request, account.id, 'identity.create')
  if (verified.name !== '' || name === '') return { account: verified, linked }
  const named = await db
    .updateTable('accounts')
    .set({ name })
    .where('id', '=', account.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return { account: named, linked }
}

/**
 * The lock lasts until the session starts, because a concurrent password change removes identities.
 * That change either waits and then ends the session, or has already removed the identity here.
 */
async function lockKnownAccount(
  db: Transaction<DatabaseTables>,
  provider: string,
  issuer: string,
  subject: string,
): Promise<AccountRow | null> {
  const identity = db
    .selectFrom('identities')
    .select('account_id')
    .where('provider', '=', provider)
    .where('issuer', '=', issuer)
    .where('provider_uid', '=', subject)
  const found = await identity.executeTakeFirst()
  if (!found) return null
  const account = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', found.account_id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return account && (await identity.executeTakeFirst()) ? account : null
}

/** Only one request at a time decides which account a provider's user belongs to. */
export const lockIdentity = (db: Transaction<DatabaseTables>, provider: string, subject: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`${provider}:${subject}`}, 0))`.execute(db)
