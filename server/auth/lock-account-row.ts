/** Locks an account's row until the transaction ends. */
import { type Kysely, sql } from 'kysely'
import type { DatabaseTables } from '../database/schema.ts'

/** Whoever opens, closes or suspends the account, or ends or begins its sessions, at the same moment waits or has done so. */
export async function lockAccountRow(db: Kysely<DatabaseTables>, accountId: number): Promise<void> {
  await sql`select from accounts where id = ${accountId} for no key update`.execute(db)
}
