/**
 * A sign-in opens a temporarily closed account. For an account that awaits erasure, it only offers to keep
 * the account. A suspended account gets neither.
 */
import type { FastifyRequest } from 'fastify'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DatabaseTables } from '../database/schema.ts'
import { throwFailure } from '../errors.ts'
import { recordAccountEvent } from './account-audit-log.ts'
import { lockAccountRow } from './lock-account-row.ts'

const isNotSuspended = (account: string): RawBuilder<boolean> =>
  sql<boolean>`not exists (select from suspensions su where su.account_id = ${sql.ref(`${account}.id`)} and su.lifted_at is null)`

export const whereAccountAwaitsErasure = (account: string): RawBuilder<boolean> =>
  sql<boolean>`(exists (select from deletions d where d.account_id = ${sql.ref(`${account}.id`)} and d.state = 'waiting')
    and ${isNotSuspended(account)})`

const whereAccountReopensOnSignIn = (account: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${account}.reopens_on_sign_in`)} and ${isNotSuspended(account)})`

export const whereAccountMaySignIn = (account: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${account}.status`)} = 'active' or ${whereAccountAwaitsErasure(account)} or ${whereAccountReopensOnSignIn(account)})`

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

async function openOrLetReopen(db: Kysely<DatabaseTables>, accountId: number): Promise<void> {
  if (await letSuspensionReopen(db, accountId)) return
  // A concurrent suspension holds this lock, or waits and then finds the account open.
  await lockAccountRow(db, accountId)
  if (await letSuspensionReopen(db, accountId)) return
  await db.updateTable('accounts').set({ status: 'active' }).where('id', '=', accountId).execute()
}

async function letSuspensionReopen(db: Kysely<DatabaseTables>, accountId: number): Promise<boolean> {
  const suspended = await db
    .updateTable('suspensions')
    .set({ reopens: true })
    .where('account_id', '=', accountId)
    .where('lifted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return suspended !== undefined
}

/**
 * Restores everything except groups. A concurrent erasure competes for the row's lock.
 * @param which a condition on deletions
 * @returns whether such a deletion existed
 */
export async function cancelPendingDeletion(
  db: Kysely<DatabaseTables>,
  request: FastifyRequest,
  which: RawBuilder<boolean>,
): Promise<boolean> {
  const taken = await db
    .deleteFrom('deletions')
    .where(which)
    .where('state', '=', 'waiting')
    .returning('account_id')
    .executeTakeFirst()
  if (!taken || taken.account_id === null) return false
  await openOrLetReopen(db, taken.account_id)
  await recordAccountEvent(db, request, taken.account_id, 'deletion.delete')
  return true
}

/**
 * Undoes an intruder's closure or deletion, but not an operator's. The caller holds the account's lock.
 * @throws Failure 409 `deletion_under_way` if it is too late
 */
export async function undoAccountClosureSince(
  db: Kysely<DatabaseTables>,
  request: FastifyRequest,
  accountId: number,
  since: Date,
): Promise<void> {
  const deletion = sql<boolean>`account_id = ${accountId} and asked_at > ${since}`
  if (await cancelPendingDeletion(db, request, deletion)) return
  if (await db.selectFrom('deletions').select('id').where('account_id', '=', accountId).executeTakeFirst())
    throwFailure('deletion_under_way')
  // Only an open account can be closed, so an event as recent as the closure is the closure's.
  const { rows } = await sql`
    select from accounts a join account_events e on e.account_id = a.id and e.event = 'user.close'
    where a.id = ${accountId} and e.created_at > ${since} and e.created_at >= a.closed_at`.execute(db)
  if (rows.length === 0) return
  await openOrLetReopen(db, accountId)
  await recordAccountEvent(db, request, accountId, 'user.reopen')
}
