/** Tells which accounts are being deleted and can still be kept: who signs in to one meets that choice, and nothing else. */
import { type RawBuilder, sql } from 'kysely'

/** The condition that the account waits to be erased. A suspended one is not asked: keeping it would not open it. @param account an alias */
export const whereAccountIsClosing = (account: string): RawBuilder<boolean> =>
  sql<boolean>`(exists (select from deletions d where d.account_id = ${sql.ref(`${account}.id`)} and d.state = 'waiting')
    and not exists (select from suspensions su where su.account_id = ${sql.ref(`${account}.id`)} and su.lifted_at is null))`

/** The condition that a session of the account may begin in the web. @param account an alias */
export const whereAccountMaySignIn = (account: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${account}.status`)} = 'active' or ${whereAccountIsClosing(account)})`
