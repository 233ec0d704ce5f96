import { type Kysely, sql } from 'kysely'
import type { DatabaseTables } from '../database/schema.ts'

/** Waits for concurrent opening, closing or suspension of the account, and for sessions that start or end. */
export async function lockAccountRow(db: Kysely<DatabaseTables>, accountId: number): Promise<void> {
  await sql`select from accounts where id = ${accountId} for no key update`.execute(db)
}
