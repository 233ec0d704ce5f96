import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { link, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { ClientBase } from 'pg'
import { type BlobStore, isBlobGone } from '#server/blobs/blob-store.ts'
import { getUploadVariantWidths, imageVariantName } from '#server/images/variant-widths.ts'
import { type ByteTransform, unchanged } from './backup-encryption.ts'
import {
  type BackupPictureEntry,
  backupPictureFolderPath,
  backupPictureListPath,
  encryptedSuffix,
} from './manifest.ts'

type Row = { id: string; public_id: string; storage_key: string; width: number; size: string; sha256: Buffer }

const pageSize = 500
const maxNamed = 5
/** A disk syncs many pictures together almost as fast as one. */
const defaultConcurrency = 32

export type PictureCopying = {
  recipients: readonly string[]
  encrypt: ByteTransform
  /** Files that this earlier backup already has are linked instead of copied. */
  previous?: string | null
  concurrency?: number
  assertSpace?(): Promise<void>
}

/** If the work on one picture fails, waits for the running calls and then rejects. */
export async function forEachPictureConcurrently<T>(
  pictures: AsyncGenerator<T>,
  work: (picture: T) => Promise<void>,
  concurrency = defaultConcurrency,
): Promise<void> {
  const worker = async () => {
    for await (const picture of pictures) await work(picture)
  }
  const ended = await Promise.allSettled(Array.from({ length: concurrency }, worker))
  for (const end of ended) if (end.status === 'rejected') throw end.reason
}

/** Matches attached files and evidence. Databases of older versions have no evidence. */
export async function buildBackupPictureCondition(db: ClientBase): Promise<string> {
  const { rows } = await db.query<{ evidence: boolean }>(
    `select to_regclass('evidence') is not null as evidence`,
  )
  const held = rows[0]?.evidence ? ' or exists (select from evidence held where held.file_id = files.id)' : ''
  return `(files.state = 'attached'${held})`
}

async function* attached(db: ClientBase): AsyncGenerator<Row> {
  const kept = await buildBackupPictureCondition(db)
  for (let after = '0'; ; ) {
    const { rows } = await db.query<Row>(
      `select id, public_id, storage_key, width, size, sha256 from files
       where ${kept} and id > $1 order by id limit $2`,
      [after, pageSize],
    )
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return
    after = last.id
  }
}

/**
 * Copies pictures, except those that an interrupted run has copied: the bytes of a key never change.
 * @param db its snapshot determines the pictures
 * @returns the keys of missing or damaged pictures
 */
export async function copyPictures(
  db: ClientBase,
  blobs: BlobStore,
  folder: string,
  copying: PictureCopying,
): Promise<string[]> {
  const gone: string[] = []
  const copy = async (row: Row) => {
    if (!(await copyPicture(blobs, folder, row, copying))) gone.push(row.storage_key)
  }
  await forEachPictureConcurrently(attached(db), copy, copying.concurrency)
  return gone
}

/**
 * Looks for every picture in the store and compares its size, but not its bytes.
 * @param blobs null without a store
 * @returns how many pictures, how many missing, and some of their public ids
 */
export async function findMissingPictures(
  db: ClientBase,
  blobs: BlobStore | null,
): Promise<{ pictures: number; missing: number; some: string[] }> {
  const kept = await buildBackupPictureCondition(db)
  const found = { pictures: 0, missing: 0, some: [] as string[] }
  await forEachPictureConcurrently(attached(db), async ({ id, public_id, storage_key, size }) => {
    found.pictures += 1
    const opened = await blobs?.open(storage_key, 'original')
    if (opened?.size === Number(size)) return
    // A record may have released the picture meanwhile.
    const { rowCount } = await db.query(`select from files where id = $1 and ${kept}`, [id])
    if (rowCount === 0) return
    found.missing += 1
    if (found.some.length < maxNamed) found.some.push(public_id)
  })
  return found
}

async function copyPicture(
  blobs: BlobStore,
  folder: string,
  row: Row,
  { recipients, encrypt, previous, assertSpace }: PictureCopying,
): Promise<boolean> {
  const key = row.storage_key
  const target = backupPictureFolderPath(folder, key)
  if (await findList(target, recipients)) return true
  await rm(target, { recursive: true, force: true })
  await mkdir(target, { recursive: true })
  if (previous && (await linkPicture(backupPictureFolderPath(previous, key), target, recipients))) return true
  await assertSpace?.()
  const original = await copyBlob(blobs, key, 'original', target, encrypt)
  if (original?.digest !== row.sha256.toString('hex')) {
    await rm(target, { recursive: true, force: true })
    return false
  }
  const entry: BackupPictureEntry = {
    key,
    blobs: [original.stored],
    ...(recipients.length > 0 && { recipients: [...recipients] }),
  }
  // Other widths are rendered on demand.
  for (const width of getUploadVariantWidths(row.width)) {
    const variant = await copyBlob(blobs, key, imageVariantName(width, 'webp'), target, encrypt)
    if (variant) entry.blobs.push(variant.stored)
  }
  await writeList(target, entry)
  return true
}

async function writeList(target: string, entry: BackupPictureEntry): Promise<void> {
  await pipeline(
    Readable.from([JSON.stringify(entry)]),
    createWriteStream(join(target, 'list.json.new'), { flush: true }),
  )
  await rename(join(target, 'list.json.new'), join(target, 'list.json'))
}

/** Returns null unless the list is complete and encrypted for these recipients. */
async function findList(target: string, recipients: readonly string[]): Promise<BackupPictureEntry | null> {
  if (!existsSync(join(target, 'list.json'))) return null
  const entry = await readList(target)
  return (entry.recipients ?? []).join() === recipients.join() ? entry : null
}

/** Linking is safe, because the bytes of a key never change. @returns whether linking was possible */
async function linkPicture(from: string, target: string, recipients: readonly string[]): Promise<boolean> {
  const entry = await findList(from, recipients)
  if (!entry) return false
  try {
    for (const { name } of entry.blobs) await link(join(from, name), join(target, name))
  } catch {
    // Linking failed: the earlier backup is on another disk, or the picture was deleted from it.
    await rm(target, { recursive: true, force: true })
    await mkdir(target, { recursive: true })
    return false
  }
  await writeList(target, entry)
  return true
}

/** Digests of the blob, and of the file as it is stored. */
async function copyBlob(blobs: BlobStore, key: string, name: string, target: string, encrypt: ByteTransform) {
  const opened = await blobs.open(key, name)
  if (!opened) return null
  const stored = { name: encrypt === unchanged ? name : `${name}${encryptedSuffix}`, size: 0, sha256: '' }
  const [read, written] = [createHash('sha256'), createHash('sha256')]
  try {
    await pipeline(
      opened.read(),
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          read.update(chunk)
          yield chunk
        }
      },
      encrypt,
      async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          written.update(chunk)
          stored.size += chunk.length
          yield chunk
        }
      },
      createWriteStream(join(target, stored.name), { flush: true }),
    )
  } catch (error) {
    // The blob was deleted between opening and reading.
    if (isBlobGone(error)) return null
    throw error
  }
  stored.sha256 = written.digest('hex')
  return { digest: read.digest('hex'), stored }
}

export async function writeBackupPictureList(
  db: ClientBase,
  folder: string,
  lost: ReadonlySet<string>,
): Promise<{ count: number; bytes: number }> {
  const total = { count: 0, bytes: 0 }
  await pipeline(
    async function* () {
      for await (const { storage_key } of attached(db)) {
        if (lost.has(storage_key)) continue
        const entry = await readList(backupPictureFolderPath(folder, storage_key))
        total.count += 1
        total.bytes += entry.blobs.reduce((sum, { size }) => sum + size, 0)
        yield `${JSON.stringify(entry)}\n`
      }
    },
    createGzip(),
    createWriteStream(backupPictureListPath(folder), { flush: true }),
  )
  return total
}

async function readList(target: string): Promise<BackupPictureEntry> {
  const chunks: Buffer[] = []
  for await (const chunk of createReadStream(join(target, 'list.json'))) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

export async function* readPictureList(folder: string): AsyncGenerator<BackupPictureEntry> {
  const lines = createReadStream(backupPictureListPath(folder)).pipe(createGunzip())
  for await (const line of createInterface({ input: lines, crlfDelay: Number.POSITIVE_INFINITY })) {
    yield JSON.parse(line) as BackupPictureEntry
  }
}
