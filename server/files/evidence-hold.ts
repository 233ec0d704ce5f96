/** Tells which files keep their bytes after the record that showed them let go of them: what somebody reported is evidence. */
import { type Expression, type Kysely, sql } from 'kysely'
import type { DatabaseTables } from '../database/schema.ts'

/**
 * The condition that no evidence holds the file. Evidence takes attached files alone, under a lock that a release waits for: one
 * that is being deleted and is not held will not be held later.
 */
export const whereNotHeldAsEvidence = (fileKey: Expression<unknown>) =>
  sql<boolean>`not exists (select from evidence held where held.file_id = ${fileKey})`

/**
 * Gives the ids of released files back that evidence holds: to their owner a file whose bytes stay looks like one that is gone, or
 * deleting it, or uploading under its id, would tell that somebody reported it.
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
