/** Reports hold files as evidence after other records have released them. */
import { type Expression, type Kysely, sql } from 'kysely'
import type { DatabaseTables } from '../database/schema.ts'

/**
 * Only attached files become evidence, under a lock that releases wait for. A file that is being deleted can
 * therefore not become evidence later.
 */
export const whereNotHeldAsEvidence = (fileKey: Expression<unknown>) =>
  sql<boolean>`not exists (select from evidence held where held.file_id = ${fileKey})`

/**
 * Afterwards, the owner of files that are held as evidence sees them as deleted. Otherwise, deleting a file or reusing
 * its id would reveal the report.
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
