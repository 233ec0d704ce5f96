/** Keeps an account from being left with nothing that opens it. */
import { type Kysely, sql } from 'kysely'
import type { DatabaseTables } from '../database/schema.ts'
import { throwFailure } from '../errors.ts'

/** Locks the account, so that of two last ways in that are removed at once one stays. */
const lockAccount = (db: Kysely<DatabaseTables>, accountId: number) =>
  sql`select from accounts where id = ${accountId} for no key update`.execute(db)

/**
 * Locks the caller's account as long as the session that asks still stands: whoever ends it under the same lock, with another
 * password, lets nothing of it happen after.
 * @throws Failure 401 `general_unauthorized_scope`
 */
export async function lockCallersAccount(
  db: Kysely<DatabaseTables>,
  { account, session }: { account: { id: number }; session: { id: number } },
): Promise<void> {
  await lockAccount(db, account.id)
  const { rows } = await sql`
    select from sessions where id = ${session.id} and pending_until is null for key share`.execute(db)
  if (rows.length === 0) throwFailure('general_unauthorized_scope')
}

/**
 * Refuses what would leave an account that nothing opens. A proven address does: by letter, and by any provider that knows it.
 * @throws Failure 409 `user_last_way_in`
 */
export async function assertWayIn(db: Kysely<DatabaseTables>, accountId: number): Promise<void> {
  const { rows } = await sql`
    select from accounts a where a.id = ${accountId} and (
      a.email_verified or (a.password_hash is not null and a.email is not null) or (a.phone is not null and a.phone_verified)
      or exists (select from identities i where i.account_id = a.id)
      or exists (select from passkeys p where p.account_id = a.id))`.execute(db)
  if (rows.length === 0) throwFailure('user_last_way_in')
}

/**
 * Refuses to do without a password unless two passkeys are left, or one and a proven e-mail address: one that is lost must not
 * be the only one.
 * @throws Failure 409 `user_last_way_in`
 */
export async function assertWayInWithoutPassword(
  db: Kysely<DatabaseTables>,
  accountId: number,
): Promise<void> {
  const { rows } = await sql`
    select from accounts a where a.id = ${accountId}
      and (select count(*) from passkeys p where p.account_id = a.id) >= case when a.email_verified then 1 else 2 end`.execute(
    db,
  )
  if (rows.length === 0) throwFailure('user_last_way_in')
}
