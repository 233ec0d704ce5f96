/** Tells a member's devices that the notifications are others now. */
import { sql, type Transaction } from 'kysely'
import type { AppContext } from '../app-context.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { type ChangeRow, parseChangeLogRow } from '../store/change-log-reader.ts'
import { recordNotificationChange } from './write-notifications.ts'

/** Makes a change to what the member's devices show, in one transaction, and tells their sockets. @param change whether it changed anything */
export async function changeAndTell(
  { database, live }: Pick<AppContext, 'database' | 'live'>,
  me: number,
  change: (db: Transaction<DatabaseTables>) => Promise<boolean>,
): Promise<void> {
  const told = await database.kysely.transaction().execute(async (db) => {
    if (!(await change(db))) return []
    const { rows } = await sql<ChangeRow>`${recordNotificationChange(sql`select ${me}::bigint`)}`.execute(db)
    return rows.map(parseChangeLogRow)
  })
  if (told.length > 0) live.notify(told)
}
