import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DatabaseTables } from '../database/schema.ts'

/**
 * Deletes one batch and records no changes. The store's `removeAll` deletes everything in one transaction.
 * @param which a condition on `t`
 * @returns how many rows were deleted
 */
export async function deleteRows(
  db: Kysely<DatabaseTables>,
  table: string,
  which: RawBuilder<unknown>,
  atMost: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select t.ctid from ${sql.table(table)} t where ${which} limit ${atMost}))`.execute(db)
  return Number(numAffectedRows)
}
