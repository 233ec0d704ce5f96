/** Tells which files keep their bytes after the record that showed them let go of them: what somebody reported is evidence. */
import { type Expression, sql } from 'kysely'

/**
 * The condition that no evidence holds the file. Evidence takes attached files alone, under a lock that a release waits for: one
 * that is being deleted and is not held will not be held later.
 */
export const whereNotHeldAsEvidence = (fileKey: Expression<unknown>) =>
  sql<boolean>`not exists (select from evidence held where held.file_id = ${fileKey})`
