import { type Kysely, sql } from 'kysely'
import type { DatabaseTables } from '../database/schema.ts'

/** This lock orders opening, closing and suspending an account, and starting and ending its sessions. */
export async function lockAccountRow(db: Kysely<DatabaseTables>, accountId: number): Promise<void> {
  await sql`select from accounts where id = ${accountId} for no key update`.execute(db)
}
