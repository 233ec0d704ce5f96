/**
 * Chunks arrive in any order, at any node, perhaps repeatedly. The last chunk to arrive ingests the image.
 * After a crash, sending the last chunk again finishes the upload.
 */
import { createWriteStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import pLimit, { type LimitFunction } from 'p-limit'
import { recordFileChange } from '../auth/record-token-and-file-changes.ts'
import { chunkBlobName } from '../blobs/blob-store.ts'
import { createInFlightQuota } from '../concurrency/in-flight-quota.ts'
import { createSingleFlight } from '../concurrency/single-flight.ts'
import { Failure, throwFailure } from '../errors.ts'
import { assertSupportedImageSignature, imageSignatureBytes } from '../images/sanitize-image.ts'
import { deleteFileInStates, type FileContext, type FileRow } from './stored-files.ts'
import { findOrCreateUpload, type ReceivedChunk, recordUploadChunk } from './upload-sessions.ts'

/** The newest SDK sends eight chunks at once, and a member may use two devices. */
const maxRequestsPerMember = 16

/** Each may store a chunk on disk. */
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

/** If last chunks arrive concurrently, the upload is finished once. */
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
