import { sql, type Transaction } from 'kysely'
import type { AppContext } from '../../app-context.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { type ChangeLogRow, parseChangeLogRow } from '../../store/change-log-reader.ts'
import { recordNotificationChange } from './write-notifications.ts'

/**
 * Locks the member's mark first, as the jobs do, to prevent deadlocks.
 * @param change returns whether anything changed
 */
export async function changeNotificationsAndNotifySockets(
  { store, live }: Pick<AppContext, 'store' | 'live'>,
  me: number,
  change: (db: Transaction<DatabaseTables>) => Promise<boolean>,
): Promise<void> {
  const changes = await store.transact(async ({ db }) => {
    await lockNotificationMark(db, me)
    if (!(await change(db))) return []
    const { rows } = await sql<ChangeLogRow>`${recordNotificationChange(sql`select ${me}::bigint`)}`.execute(
      db,
    )
    return rows.map(parseChangeLogRow)
  })
  if (changes.length > 0) live.notify(changes)
}

/** If there is no mark to lock, the member has no notifications. */
const lockNotificationMark = (db: Transaction<DatabaseTables>, me: number) =>
  sql`select from notification_marks where user_id = ${me} for no key update`.execute(db)
