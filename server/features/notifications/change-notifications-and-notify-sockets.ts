import { sql, type Transaction } from 'kysely'
import type { AppContext } from '../../app-context.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { type ChangeLogRow, parseChangeLogRow } from '../../store/change-log-reader.ts'
import { recordNotificationChange } from './write-notifications.ts'

/**
 * The member's mark is locked first, as in the jobs, to prevent deadlocks.
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

/** A member without a mark has no notifications. */
const lockNotificationMark = (db: Transaction<DatabaseTables>, me: number) =>
  sql`select from notification_marks where user_id = ${me} for no key update`.execute(db)
