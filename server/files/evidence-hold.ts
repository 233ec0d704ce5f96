/** Files held as evidence of reports after their record released them. */
import { type Expression, type Kysely, sql } from 'kysely'
import type { DatabaseTables } from '../database/schema.ts'

/**
 * Matches files without an evidence hold. Evidence only takes attached files, under a lock that releases wait
 * for: an unheld file being deleted cannot be held later.
 */
export const whereNotHeldAsEvidence = (fileKey: Expression<unknown>) =>
  sql<boolean>`not exists (select from evidence held where held.file_id = ${fileKey})`

/**
 * Frees the ids of released files held as evidence. Their owner sees them as deleted; otherwise deleting or
 * reusing an id would reveal the report.
 * @param which a condition over `files`
 */
export async function releasePublicIdsOfHeldFiles(
  db: Kysely<DatabaseTables>,
  which: Expression<unknown>,
): Promise<void> {
  await sql`
    update files set public_id = storage_key
    where state = 'deleting' and public_id <> storage_key and ${which} and not ${whereNotHeldAsEvidence(sql.ref('files.id'))}`.execute(
    db,
  )
}
