import { type Kysely, sql } from 'kysely'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { DatabaseTables } from '../database/schema.ts'
import type { ServerLogger } from '../log.ts'

const asked = 5

/**
 * A wrong bucket or data folder looks like an empty one. The server still starts, because members can do
 * everything else.
 */
export async function warnAboutMissingPictures(
  db: Kysely<DatabaseTables>,
  blobs: BlobStore,
  log: ServerLogger,
): Promise<void> {
  try {
    const { rows } = await sql<{ storage_key: string }>`
      select storage_key from files where state = 'attached' order by id desc limit ${asked}`.execute(db)
    const opened = await Promise.all(rows.map(({ storage_key }) => blobs.open(storage_key, 'original')))
    if (rows.length > 0 && opened.every((picture) => picture === null))
      log.error(
        { pictures: rows.length },
        'none of the newest pictures is where the settings say: check S3_BUCKET, S3_ENDPOINT and DATA_DIR, then npm run doctor',
      )
  } catch (error) {
    log.warn({ err: error }, 'the newest pictures could not be looked for')
  }
}
