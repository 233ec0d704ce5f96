/**
 * Chunks arrive in any order, at any node, perhaps repeatedly. The last chunk to arrive ingests the image.
 * After a crash, sending the last chunk again finishes the upload.
 */
import { createWriteStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { sql, type Transaction } from 'kysely'
import pLimit, { type LimitFunction } from 'p-limit'
import { uploadChunkBytes } from '#contract/limits.ts'
import { recordFileChange } from '../auth/record-token-and-file-changes.ts'
import { chunkBlobName } from '../blobs/blob-store.ts'
import { createInFlightQuota } from '../concurrency/in-flight-quota.ts'
import { createSingleFlight } from '../concurrency/single-flight.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { Failure, throwFailure } from '../errors.ts'
import { generateId } from '../ids.ts'
import { assertSupportedImageSignature, imageSignatureBytes } from '../images/sanitize-image.ts'
import { memberKeyParameter, whereAccessRuleAllows } from '../policy/index.ts'
import { removeReleasedFileBytes } from './file-cleanup.ts'
import {
  countUploadedChunksExpression,
  deleteFileInStates,
  type FileContext,
  type FileRow,
} from './stored-files.ts'

export type ReceivedChunk = {
  fileId: string
  continues: boolean
  name: string
  total: number
  number: number
  size: number
  path: string
}

/** The newest SDK sends eight chunks at once, and a member may use two devices. */
const maxRequestsPerMember = 16

/** Each request in the quota may store a chunk on disk. */
export const createUploadQuota = () =>
  createInFlightQuota({
    perMember: maxRequestsPerMember,
    full: () =>
      throwFailure('general_rate_limit_exceeded', {
        message: 'Too many uploads are on their way at once. Wait until one of them has arrived.',
        retryAfter: 10,
      }),
  })

/**
 * Stores a chunk. The last one ingests the image.
 * @throws Failure storage_file_already_exists, storage_file_not_found, storage_invalid_content_range,
 * general_rate_limit_exceeded for too many open uploads, and errors of `Images.ingest`
 */
export async function receiveUploadChunk(
  context: FileContext,
  me: number,
  chunk: ReceivedChunk,
): Promise<FileRow & { chunks_uploaded: number }> {
  const upload = await waitForTurn(me, () => findOrCreateUpload(context, me, chunk))
  using _receiving = trackReceiving(me)
  try {
    if (chunk.number === 0) assertSupportedImageSignature(await readStart(chunk.path))
    await context.blobs.append(upload.storage_key, chunk.number, chunk.path)
    const { arrived, chunks_uploaded } = await recordUploadChunk(context, upload, chunk).catch(
      async (thrown) => {
        // If the upload was finished or deleted, nothing else removes this chunk.
        if (thrown instanceof Failure)
          await context.blobs.remove(upload.storage_key, [chunkBlobName(chunk.number)])
        throw thrown
      },
    )
    if (arrived < upload.chunks_total) return { ...upload, chunks_uploaded }
    const file = await finishesInFlight(upload.storage_key, () => finish(context, upload))
    return { ...file, chunks_uploaded: file.chunks_total }
  } catch (thrown) {
    // An upload of a single chunk is deleted, because no client resumes it.
    if (isRejectedImage(thrown) || upload.chunks_total === 1) {
      await deleteFileInStates(context, upload, ['uploading']).catch((error) =>
        context.log.warn({ err: error }, 'the sweep will delete a refused upload'),
      )
    }
    throw thrown
  }
}

type Receiving = { chunks: Set<Promise<void>>; inTurn: LimitFunction }

const receivingByMember = new Map<number, Receiving>()

/** The longest pause between two chunks of an active client. */
const chunkPauseMs = 1000

/**
 * If the member has too many active uploads, waits for one to end.
 * @throws Failure general_rate_limit_exceeded if the uploads stall, and errors of `begin`
 */
async function waitForTurn<T>(me: number, begin: () => Promise<T>): Promise<T> {
  try {
    return await begin()
  } catch (thrown) {
    if (!isTooManyUploads(thrown)) throw thrown
  }
  const member = receivingOf(me)
  const turn = member.inTurn(async () => {
    for (let standsStill = false; ; ) {
      try {
        return await begin()
      } catch (thrown) {
        if (standsStill || !isTooManyUploads(thrown)) throw thrown
      }
      if (member.chunks.size === 0) await pause(chunkPauseMs, undefined, { ref: false })
      standsStill = member.chunks.size === 0
      if (!standsStill) await Promise.race(member.chunks)
    }
  })
  return turn.finally(() => forgetIdle(me, member))
}

function trackReceiving(me: number): Disposable {
  const member = receivingOf(me)
  const { promise, resolve } = Promise.withResolvers<void>()
  member.chunks.add(promise)
  return {
    [Symbol.dispose]() {
      member.chunks.delete(promise)
      resolve()
      forgetIdle(me, member)
    },
  }
}

function receivingOf(me: number): Receiving {
  const member = receivingByMember.get(me) ?? { chunks: new Set(), inTurn: pLimit(1) }
  receivingByMember.set(me, member)
  return member
}

function forgetIdle(me: number, { chunks, inTurn }: Receiving): void {
  if (chunks.size + inTurn.activeCount + inTurn.pendingCount === 0) receivingByMember.delete(me)
}

const isTooManyUploads = (thrown: unknown) =>
  thrown instanceof Failure && thrown.type === 'general_rate_limit_exceeded'

/** Each upload reserves disk space. */
const maxOpenUploads = 3
/** After this pause, a new upload may replace an unfinished one. */
const idleAfterMinutes = 5

/**
 * @throws Failure storage_file_already_exists, storage_file_not_found, storage_invalid_content_range,
 * general_rate_limit_exceeded
 */
async function findOrCreateUpload(context: FileContext, me: number, chunk: ReceivedChunk): Promise<FileRow> {
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
 * @returns `arrived`: the number of received chunks; `chunks_uploaded`: the number that the client can skip
 * (`countUploadedChunksExpression`)
 * @throws Failure if the upload was finished or deleted
 */
async function recordUploadChunk(
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

const isRejectedImage = (thrown: unknown) =>
  thrown instanceof Failure && thrown.status === 400 && thrown.type.startsWith('storage_')

async function readStart(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(imageSignatureBytes),
      0,
      imageSignatureBytes,
      0,
    )
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** If the last chunks arrive concurrently, the server finishes the upload only once. */
const finishesInFlight = createSingleFlight<FileRow>()

async function finish(context: FileContext, upload: FileRow): Promise<FileRow> {
  const { blobs, images, database } = context
  const key = upload.storage_key
  const chunkNames = Array.from({ length: upload.chunks_total }, (_, number) => chunkBlobName(number))
  await using scratch = await blobs.begin(upload.announced_size * 3)
  const input = join(scratch.path, 'upload')
  const folder = join(scratch.path, 'picture')
  await mkdir(folder)
  try {
    await pipeline(async function* () {
      for (const name of chunkNames) yield* await openChunk(context, key, name)
    }, createWriteStream(input))
  } catch (thrown) {
    return (
      (await finishedElsewhere(context, upload)) ??
      throwFailure('general_service_unavailable', { cause: thrown })
    )
  }

  const { mime, size, md5, sha256, crc32, width, height, thumbhash, files, removed } = await images.ingest(
    upload.owner_id,
    input,
    folder,
  )
  await blobs.finish(key, files)
  const ready = await database.kysely.transaction().execute(async (db) => {
    const finished = await db
      .updateTable('files')
      .set({
        state: 'ready',
        mime_type: mime,
        size,
        signature: md5,
        sha256,
        crc32,
        width,
        height,
        thumbhash,
        removed,
      })
      .where('id', '=', upload.id)
      .where('state', '=', 'uploading')
      .returningAll()
      .executeTakeFirst()
    if (finished) await recordFileChange(db, 'create', finished.id)
    return finished
  })
  if (ready) {
    await blobs.remove(key, chunkNames)
    await database.kysely.deleteFrom('file_chunks').where('file_id', '=', upload.id).execute()
    return ready
  }
  const other = await finishedElsewhere(context, upload)
  if (other) return other
  // The upload was deleted, perhaps before these bytes were stored.
  await blobs.remove(key)
  return throwFailure('storage_file_not_found')
}

async function openChunk({ blobs }: FileContext, key: string, name: string) {
  const chunk = await blobs.open(key, name)
  if (!chunk) throw new Error(`A chunk of an upload is missing: ${name}`)
  return chunk.read()
}

async function finishedElsewhere({ database }: FileContext, upload: FileRow): Promise<FileRow | undefined> {
  return database.kysely
    .selectFrom('files')
    .selectAll()
    .where('id', '=', upload.id)
    .where('state', 'in', ['ready', 'attached'])
    .executeTakeFirst()
}
