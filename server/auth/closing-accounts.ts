/**
 * Tells which closed accounts their owners may sign in to: one that is being deleted and can still be kept, where the sign-in meets that
 * choice and nothing else, and one that was closed for a while, which the sign-in opens. Neither where the account is suspended.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DatabaseTables } from '../database/schema.ts'

const isNotSuspended = (account: string): RawBuilder<boolean> =>
  sql<boolean>`not exists (select from suspensions su where su.account_id = ${sql.ref(`${account}.id`)} and su.lifted_at is null)`

/** The condition that the account waits to be erased. A suspended one is not asked: keeping it would not open it. @param account an alias */
export const whereAccountIsClosing = (account: string): RawBuilder<boolean> =>
  sql<boolean>`(exists (select from deletions d where d.account_id = ${sql.ref(`${account}.id`)} and d.state = 'waiting')
    and ${isNotSuspended(account)})`

/** The condition that the account was closed for a while, and opens with the next sign-in. @param account an alias */
export const whereAccountReopensOnSignIn = (account: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${account}.reopens_on_sign_in`)} and ${isNotSuspended(account)})`

/** The condition that a session of the account may begin in the web. @param account an alias */
export const whereAccountMaySignIn = (account: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${account}.status`)} = 'active' or ${whereAccountIsClosing(account)} or ${whereAccountReopensOnSignIn(account)})`

/** Opens an account that was closed for a while. @returns whether it was */
export async function reopenAccount(db: Kysely<DatabaseTables>, accountId: number): Promise<boolean> {
  const opened = await db
    .updateTable('accounts')
    .set({ status: 'active' })
    .where('id', '=', accountId)
    .where(whereAccountReopensOnSignIn('accounts'))
    .returning('id')
    .executeTakeFirst()
  return opened !== undefined
}
