import { sql, type Transaction } from 'kysely'
import { uploadChunkBytes } from '#contract/limits.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { throwFailure } from '../errors.ts'
import { generateId } from '../ids.ts'
import { memberKeyParameter, whereAccessRuleAllows } from '../policy/index.ts'
import { removeReleasedFileBytes } from './file-cleanup.ts'
import { countUploadedChunksExpression, type FileContext, type FileRow } from './stored-files.ts'

export type ReceivedChunk = {
  fileId: string
  continues: boolean
  name: string
  total: number
  number: number
  size: number
  path: string
}

/** Each upload reserves disk space. */
const maxOpenUploads = 3
/** After this pause, a new upload may replace an unfinished one. */
const idleAfterMinutes = 5

/**
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
    // Two concurrent requests must not both open the last allowed upload.
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
  // Other members only learn that the id is taken.
  const isOwn = permitted && file.state !== 'deleting'
  return throwFailure(isOwn || !chunk.continues ? 'storage_file_already_exists' : 'storage_file_not_found')
}

/**
 * Counts the member's uploads, whatever their permissions.
 * @returns storage keys of ended uploads
 * @throws Failure general_rate_limit_exceeded if too few are idle
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
      message: 'Three uploads are already in progress. Finish or delete one of them first.',
      retryAfter: 10,
    })
  }
  if (idle.length === 0) return []
  const ids = idle.map(({ id }) => id)
  await db.updateTable('files').set({ state: 'deleting' }).where('id', 'in', ids).execute()
  return idle.map(({ storage_key }) => storage_key)
}

/**
 * Records the chunk under the row's lock, so that one of two concurrent last chunks sees that all have
 * arrived.
 * @returns received chunks, and those that the client need not send again
 * @throws Failure if the upload was finished or deleted
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
