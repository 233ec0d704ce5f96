/** Keeps the rows of unfinished uploads: their owners, their number per member, and the chunks that arrived. */
import { sql, type Transaction } from 'kysely'
import { uploadChunkBytes } from '#contract/limits.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { throwFailure } from '../errors.ts'
import { generateId } from '../ids.ts'
import { memberKeyParameter, whereAccessRuleAllows } from '../policy/index.ts'
import { removeReleasedFileBytes } from './file-cleanup.ts'
import { countUploadedChunksExpression, type FileContext, type FileRow } from './stored-files.ts'

/** A chunk that has arrived, and the upload it is part of. */
export type ReceivedChunk = {
  fileId: string
  /** The upload must exist already; otherwise the chunk may begin it. */
  continues: boolean
  name: string
  /** Bytes of the whole upload, as the client announced. */
  total: number
  /** From 0. */
  number: number
  size: number
  /** A scratch file with its bytes. */
  path: string
}

/** Unfinished uploads of one member at a time: each reserves disk space. */
const maxOpenUploads = 3
/** An upload that got no chunk for so long is ended in favour of a new one. */
const idleAfterMinutes = 5

/**
 * Finds the member's unfinished upload that a chunk belongs to, or creates it.
 * @throws Failure storage_file_already_exists, storage_file_not_found, storage_invalid_content_range,
 * general_rate_limit_exceeded
 */
export async function findOrCreateUpload(
  context: FileContext,
  me: number,
  chunk: ReceivedChunk,
): Promise<FileRow> {
  const endedKeys: string[] = []
  const upload = await context.database.kysely.transaction().execute(async (db) => {
    // Serialised per member: two concurrent uploads could both be the third otherwise.
    await sql`select pg_advisory_xact_lock(hashtextextended('uploads', ${me}))`.execute(db)
    const found = await db
      .selectFrom('files')
      .selectAll()
      .select(whereAccessRuleAllows(memberKeyParameter(me), 'update', 'files', 'files').as('permitted'))
      .where('public_id', '=', chunk.fileId)
      .executeTakeFirst()
    if (found) return continueUpload(found, chunk)
    if (chunk.continues) return throwFailure('storage_file_not_found')
    endedKeys.push(...(await endIdleUploads(db, me)))
    return db
      .insertInto('files')
      .values({
        public_id: chunk.fileId,
        owner_id: me,
        name: chunk.name,
        storage_key: generateId(32),
        announced_size: chunk.total,
        chunks_total: Math.ceil(chunk.total / uploadChunkBytes),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  await removeReleasedFileBytes(context, endedKeys)
  return upload
}

function continueUpload(
  { permitted, ...file }: FileRow & { permitted: boolean },
  chunk: ReceivedChunk,
): FileRow {
  if (permitted && file.state === 'uploading') {
    if (file.announced_size === chunk.total) return file
    return throwFailure('storage_invalid_content_range', {
      message: 'The content range names another size than before.',
    })
  }
  // Of another member's upload a caller may learn only that the id is taken.
  const isOwn = permitted && file.state !== 'deleting'
  return throwFailure(isOwn || !chunk.continues ? 'storage_file_already_exists' : 'storage_file_not_found')
}

/**
 * Ends idle uploads of the member, if a new one would exceed the limit. Counts by owner, not by write permission.
 * @returns the storage keys of the ended uploads
 * @throws Failure general_rate_limit_exceeded when too few are idle
 */
async function endIdleUploads(db: Transaction<DatabaseTables>, me: number): Promise<string[]> {
  const unfinished = await db
    .selectFrom('files')
    .select(['id', 'storage_key'])
    .select(
      sql<boolean>`updated_at < clock_timestamp() - ${`${idleAfterMinutes} minutes`}::interval`.as('idle'),
    )
    .where('owner_id', '=', me)
    .where('state', '=', 'uploading')
    .orderBy('updated_at')
    .execute()
  const tooMany = Math.max(0, unfinished.length - maxOpenUploads + 1)
  const idle = unfinished.filter((upload) => upload.idle).slice(0, tooMany)
  if (idle.length < tooMany) {
    throwFailure('general_rate_limit_exceeded', {
      message: 'Three uploads are under way already. Finish or delete one of them first.',
      retryAfter: 10,
    })
  }
  if (idle.length === 0) return []
  const ids = idle.map(({ id }) => id)
  await db.updateTable('files').set({ state: 'deleting' }).where('id', 'in', ids).execute()
  return idle.map(({ storage_key }) => storage_key)
}

/**
 * Records that a chunk arrived, which also marks the upload as not idle. The lock on the row serialises chunks, so that
 * one of two concurrent last ones counts them all.
 * @returns how many chunks have arrived, and how many of them need not be sent again
 * @throws Failure when it is no longer an unfinished upload
 */
export async function recordUploadChunk(
  { database }: FileContext,
  upload: FileRow,
  { number, size }: ReceivedChunk,
): Promise<{ arrived: number; chunks_uploaded: number }> {
  return database.kysely.transaction().execute(async (db) => {
    const { state } = await db
      .updateTable('files')
      .set({ state: sql`state` })
      .where('id', '=', upload.id)
      .returning('state')
      .executeTakeFirstOrThrow(() => throwFailure('storage_file_not_found'))
    if (state === 'deleting') throwFailure('storage_file_not_found')
    if (state !== 'uploading') throwFailure('storage_file_already_exists')
    await db
      .insertInto('file_chunks')
      .values({ file_id: upload.id, number, size })
      .onConflict((conflict) => conflict.columns(['file_id', 'number']).doUpdateSet({ size }))
      .execute()
    return db
      .selectFrom('files')
      .select(countUploadedChunksExpression('files').as('chunks_uploaded'))
      .select(sql<number>`(select count(*) from file_chunks c where c.file_id = files.id)`.as('arrived'))
      .where('id', '=', upload.id)
      .executeTakeFirstOrThrow()
  })
}
