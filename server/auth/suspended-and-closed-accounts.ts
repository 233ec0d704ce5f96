import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import { es } from '#contract/language.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { Failure } from '../errors.ts'
import { whereAccountMaySignIn } from './account-reopening.ts'

type AccountRow = Selectable<DatabaseTables['accounts']>

/**
 * Explains why an account may not sign in, and lifts its suspension if that has ended. An account without an
 * email address can be reopened only by signing in, so a temporary closure does not count.
 * @param allowsClosed other accounts that a sign-in may reopen or keep also count as open
 * @returns `user_blocked`, with the suspension's end and reason for the owner; null if the account is open
 */
export async function findClosedAccountFailure(
  db: Kysely<DatabaseTables>,
  account: AccountRow,
  allowsClosed = false,
): Promise<Failure | null> {
  if (account.status === 'active') return null
  if (await liftEndedSuspensions(db, sql`account_id = ${account.id}`)) return null
  if ((allowsClosed || canReopenOnlyThroughAppwrite(account)) && (await maySignIn(db, account.id)))
    return null
  const suspension = await findSuspension(db, account.id)
  return new Failure('user_blocked', suspension && { message: describeSuspension(suspension) })
}

export async function assertAccountOpen(
  db: Kysely<DatabaseTables>,
  account: AccountRow,
  allowsClosed = false,
): Promise<void> {
  const failure = await findClosedAccountFailure(db, account, allowsClosed)
  if (failure) throw failure
}

/** Only the Appwrite API has sign-ins by phone or provider. */
const canReopenOnlyThroughAppwrite = ({ email, reopens_on_sign_in }: AccountRow) =>
  email === null && reopens_on_sign_in

async function maySignIn(db: Kysely<DatabaseTables>, account: number): Promise<boolean> {
  const { rows } =
    await sql`select from accounts a where a.id = ${account} and ${whereAccountMaySignIn('a')}`.execute(db)
  return rows.length > 0
}

export const findSuspension = (db: Kysely<DatabaseTables>, account: number) =>
  db
    .selectFrom('suspensions')
    .select(['case_id', 'reason', 'ends_at'])
    .where('account_id', '=', account)
    .where('lifted_at', 'is', null)
    .executeTakeFirst()

const dateFormat = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const
const spanishDate = new Intl.DateTimeFormat('es', dateFormat)
const englishDate = new Intl.DateTimeFormat('en-GB', dateFormat)

const describeSuspension = ({ ends_at, reason }: { ends_at: Date | null; reason: string }) =>
  es(
    `Tu cuenta está suspendida ${ends_at ? `hasta el ${spanishDate.format(ends_at)}` : 'para siempre'}.\nMotivo: ${reason}`,
    `Your account is suspended ${ends_at ? `until ${englishDate.format(ends_at)}` : 'for good'}.\nReason: ${reason}`,
  )

/**
 * Returns the number of opened accounts.
 * @param which a condition on suspensions
 */
export const liftEndedSuspensions = (
  db: Kysely<DatabaseTables>,
  which: RawBuilder<unknown>,
): Promise<number> => liftSuspensions(db, sql`${which} and ends_at <= clock_timestamp()`)

/**
 * Lifts suspensions, but does not open accounts that a member closed or that wait for erasure.
 * @param which a condition on suspensions
 */
export async function liftSuspensions(
  db: Kysely<DatabaseTables>,
  which: RawBuilder<unknown>,
): Promise<number> {
  const opened = await db
    .with('lifted', (db) =>
      db
        .updateTable('suspensions')
        .set({ lifted_at: sql<Date>`clock_timestamp()` })
        .where(sql<boolean>`lifted_at is null and ${which}`)
        .returning(['account_id', 'reopens']),
    )
    .updateTable('accounts')
    .from('lifted')
    .set({ status: 'active' })
    .whereRef('accounts.id', '=', 'lifted.account_id')
    .where('lifted.reopens', '=', true)
    .where(
      sql<boolean>`not exists (select from deletions d where d.account_id = accounts.id and d.state <> 'done')`,
    )
    .returning('accounts.id')
    .execute()
  return opened.length
}
