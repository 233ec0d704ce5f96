/**
 * The story of an upload: its pieces arrive in any order, more than once, at any node; the last one to arrive turns them
 * into a picture. A crash on the way leaves an upload that its last piece, sent again, finishes (architecture §6 flow 1,
 * §14.9).
 */
import { createWriteStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { pieceName } from './blobs.ts'
import { Failure, fail } from './errors.ts'
import { discard, type FileParts, type FileRow } from './files.ts'
import { checkMagic, magicBytes } from './images/intake.ts'
import { createSharedWork } from './shared-work.ts'
import { claimUpload, recordPiece } from './uploads-ledger.ts'

/** One piece that has arrived, and the whole it is a part of. */
export type Piece = {
  fileId: string
  /** It continues an upload that must be there, rather than beginning one. */
  continues: boolean
  name: string
  /** Bytes of the whole upload, as announced. */
  total: number
  /** From 0. */
  number: number
  size: number
  /** A scratch file with its bytes. */
  path: string
}

/**
 * Takes in one piece and, when none is missing any more, the picture.
 * @returns the file as it stands
 * @throws Failure storage_file_already_exists, storage_file_not_found, storage_invalid_content_range,
 * general_rate_limit_exceeded with too many open uploads, and whatever `Images.take` refuses
 */
export async function receivePiece(
  parts: FileParts,
  me: number,
  piece: Piece,
): Promise<FileRow & { pieces_kept: number }> {
  const upload = await claimUpload(parts, me, piece)
  try {
    if (piece.number === 0) checkMagic(await beginningOf(piece.path))
    await parts.blobs.append(upload.storage_key, piece.number, piece.path)
    const { arrived, pieces_kept } = await recordPiece(parts, upload, piece).catch(async (thrown) => {
      // It was finished or taken back meanwhile, and nobody would ever clear this piece away.
      if (thrown instanceof Failure) await parts.blobs.remove(upload.storage_key, [pieceName(piece.number)])
      throw thrown
    })
    if (arrived < upload.chunks_total) return { ...upload, pieces_kept }
    const file = await finishing(upload.storage_key, () => finish(parts, upload))
    return { ...file, pieces_kept: file.chunks_total }
  } catch (thrown) {
    // A refused picture leaves nothing stored; nor does one that was sent whole, because nobody continues it.
    if (isItsFault(thrown) || upload.chunks_total === 1) {
      await discard(parts, upload, ['uploading']).catch((error) =>
        parts.log.warn({ err: error }, 'a refused upload is left to the sweep'),
      )
    }
    throw thrown
  }
}

const isItsFault = (thrown: unknown) =>
  thrown instanceof Failure && thrown.status === 400 && thrown.type.startsWith('storage_')

async function beginningOf(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(magicBytes), 0, magicBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Two last pieces at once finish together. On two nodes they do the same twice, to the same result. */
const finishing = createSharedWork<FileRow>()

async function finish(parts: FileParts, upload: FileRow): Promise<FileRow> {
  const { blobs, images, database } = parts
  const key = upload.storage_key
  const pieces = Array.from({ length: upload.chunks_total }, (_, number) => pieceName(number))
  await using scratch = await blobs.begin(upload.announced_size * 3)
  const input = join(scratch.path, 'upload')
  const folder = join(scratch.path, 'picture')
  await mkdir(folder)
  try {
    await pipeline(async function* () {
      for (const name of pieces) yield* await openPiece(parts, key, name)
    }, createWriteStream(input))
  } catch (thrown) {
    return (await finishedElsewhere(parts, upload)) ?? fail('general_service_unavailable', { cause: thrown })
  }

  const { mime, size, md5, sha256, width, height, thumbhash, files } = await images.take(
    upload.owner_id,
    input,
    folder,
  )
  await blobs.finish(key, files)
  const ready = await database.kysely
    .updateTable('files')
    .set({ state: 'ready', mime_type: mime, size, signature: md5, sha256, width, height, thumbhash })
    .where('id', '=', upload.id)
    .where('state', '=', 'uploading')
    .returningAll()
    .executeTakeFirst()
  if (ready) {
    await blobs.remove(key, pieces)
    await database.kysely.deleteFrom('file_chunks').where('file_id', '=', upload.id).execute()
    return ready
  }
  const other = await finishedElsewhere(parts, upload)
  if (other) return other
  // It was taken back meanwhile, and its bytes may have gone before these came.
  await blobs.remove(key)
  return fail('storage_file_not_found')
}

async function openPiece({ blobs }: FileParts, key: string, name: string) {
  const piece = await blobs.open(key, name)
  if (!piece) throw new Error(`A piece of an upload is missing: ${name}`)
  return piece.read()
}

async function finishedElsewhere({ database }: FileParts, upload: FileRow): Promise<FileRow | undefined> {
  return database.kysely
    .selectFrom('files')
    .selectAll()
    .where('id', '=', upload.id)
    .where('state', 'in', ['ready', 'attached'])
    .executeTakeFirst()
}
