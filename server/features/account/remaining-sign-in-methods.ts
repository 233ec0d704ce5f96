import { type Kysely, sql } from 'kysely'
import type { AppContext } from '../../app-context.ts'
import { isIdentityUsable } from '../../auth/identity-issuers.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'

/** The settings that decide which sign-in methods work on this server. */
type Reach = Pick<AppContext, 'config' | 'emails' | 'sms'>

/** @throws Failure 409 `user_last_way_in` */
export async function assertSignInMethodRemains(
  db: Kysely<DatabaseTables>,
  reach: Reach,
  accountId: number,
): Promise<void> {
  if (!(await hasSignInMethod(db, reach, accountId))) throwFailure('user_last_way_in')
}

/**
 * Counts only sign-in methods that work now: a verified address if the server can send to it, and a connected
 * account of a configured provider. An anonymous account has only its session.
 */
export async function hasSignInMethod(
  db: Kysely<DatabaseTables>,
  { config, emails, sms }: Reach,
  accountId: number,
): Promise<boolean> {
  const { rows } = await sql`
    select from accounts a where a.id = ${accountId} and (
      (a.email_verified and ${emails.isAvailable()}::boolean) or (a.password_hash is not null and a.email is not null)
      or (a.phone is not null and a.phone_verified and ${sms.isAvailable()}::boolean)
      or exists (select from identities i where i.account_id = a.id and ${isIdentityUsable(config)})
      or exists (select from passkeys p where p.account_id = a.id))`.execute(db)
  return rows.length > 0
}

/**
 * Two passkeys must remain, or one passkey and a verified address: the member may lose one of them.
 * @throws Failure 409 `user_last_way_in`
 */
export async function assertEnoughSignInMethodsWithoutPassword(
  db: Kysely<DatabaseTables>,
  { emails }: Reach,
  accountId: number,
): Promise<void> {
  const { rows } = await sql`
    select from accounts a where a.id = ${accountId}
      and (select count(*) from passkeys p where p.account_id = a.id) >= case when a.email_verified and ${emails.isAvailable()}::boolean then 1 else 2 end`.execute(
    db,
  )
  if (rows.length === 0) throwFailure('user_last_way_in')
}
