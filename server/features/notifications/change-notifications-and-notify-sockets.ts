/** Changes what a member's devices show of notifications, and tells their sockets. */
import { sql, type Transaction } from 'kysely'
import type { AppContext } from '../../app-context.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { type ChangeLogRow, parseChangeLogRow } from '../../store/change-log-reader.ts'
import { recordNotificationChange } from './write-notifications.ts'

/**
 * Makes a change to what the member's devices show, in one transaction, and tells their sockets. Begins with the lock of the
 * member's mark, as rounds do, so that neither waits for the other in a circle.
 * @param change whether it changed anything
 */
export async function changeNotificationsAndNotifySockets(
  { store, live }: Pick<AppContext, 'store' | 'live'>,
  me: number,
  change: (db: Transaction<DatabaseTables>) => Promise<boolean>,
): Promise<void> {
  const told = await store.transact(async ({ db }) => {
    await lockNotificationMark(db, me)
    if (!(await change(db))) return []
    const { rows } = await sql<ChangeLogRow>`${recordNotificationChange(sql`select ${me}::bigint`)}`.execute(
      db,
    )
    return rows.map(parseChangeLogRow)
  })
  if (told.length > 0) live.notify(told)
}

/** Locks the mark of a member, if there is one: without any there are no rows. */
const lockNotificationMark = (db: Transaction<DatabaseTables>, me: number) =>
  sql`select from notification_marks where user_id = ${me} for no key update`.execute(db)
