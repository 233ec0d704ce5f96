import { type Kysely, sql } from 'kysely'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'

/**
 * A verified address is a way to sign in, also through any provider that knows it.
 * @throws Failure 409 `user_last_way_in`
 */
export async function assertSignInMethodRemains(
  db: Kysely<DatabaseTables>,
  accountId: number,
): Promise<void> {
  if (!(await hasSignInMethod(db, accountId))) throwFailure('user_last_way_in')
}

/** An anonymous account has only its session. */
export async function hasSignInMethod(db: Kysely<DatabaseTables>, accountId: number): Promise<boolean> {
  const { rows } = await sql`
    select from accounts a where a.id = ${accountId} and (
      a.email_verified or (a.password_hash is not null and a.email is not null) or (a.phone is not null and a.phone_verified)
      or exists (select from identities i where i.account_id = a.id)
      or exists (select from passkeys p where p.account_id = a.id))`.execute(db)
  return rows.length > 0
}

/**
 * Two passkeys must remain, or one passkey and a verified address: the member may lose one of them.
 * @throws Failure 409 `user_last_way_in`
 */
export async function assertEnoughSignInMethodsWithoutPassword(
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
