/** The bytes of the pictures in a backup: copied while members go on, listed with their hashes. */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { ClientBase } from 'pg'
import type { Blobs } from '#server/blobs.ts'
import { variantName, widthsAtUpload } from '#server/images/widths.ts'
import { listFile, type PictureEntry, pictureFolder } from './manifest.ts'

type Row = { id: string; public_id: string; storage_key: string; width: number; size: string; sha256: Buffer }

const page = 500
const mostNamed = 5

/**
 * Works through pictures, many at once: what a disk syncs together costs it hardly more than one. The first failure ends
 * it, once what is under way has ended too.
 */
export async function eachPicture<T>(
  pictures: AsyncGenerator<T>,
  work: (picture: T) => Promise<void>,
): Promise<void> {
  const worker = async () => {
    for await (const picture of pictures) await work(picture)
  }
  const ended = await Promise.allSettled(Array.from({ length: 32 }, worker))
  for (const end of ended) if (end.status === 'rejected') throw end.reason
}

/** Pictures that a record shows, asked for by the page; what is not attached is nobody's to miss. */
async function* attached(db: ClientBase): AsyncGenerator<Row> {
  for (let after = '0'; ; ) {
    const { rows } = await db.query<Row>(
      `select id, public_id, storage_key, width, size, sha256 from files
       where state = 'attached' and id > $1 order by id limit $2`,
      [after, page],
    )
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < page) return
    after = last.id
  }
}

/**
 * Brings what is missing into the backup; what is there already stays, because bytes under a key never change.
 * @param db sees the rows as they are to be
 * @returns the keys of those whose bytes are not there any more, or not as they were stored
 */
export async function copyPictures(db: ClientBase, blobs: Blobs, folder: string): Promise<string[]> {
  const gone: string[] = []
  await eachPicture(attached(db), async (row) => {
    if (!(await copyPicture(blobs, folder, row))) gone.push(row.storage_key)
  })
  return gone
}

/**
 * Looks for the bytes of every picture that a record shows, by their size: reading them all is for a backup.
 * @param blobs null where there is no place for bytes at all
 * @returns how many were looked for and are not there, and the ids of some of those
 */
export async function missingPictures(
  db: ClientBase,
  blobs: Blobs | null,
): Promise<{ pictures: number; missing: number; some: string[] }> {
  const found = { pictures: 0, missing: 0, some: [] as string[] }
  await eachPicture(attached(db), async ({ id, public_id, storage_key, size }) => {
    found.pictures += 1
    const opened = await blobs?.open(storage_key, 'original')
    if (opened?.size === Number(size)) return
    // Members go on: it may have been released meanwhile.
    const { rowCount } = await db.query(`select from files where id = $1 and state = 'attached'`, [id])
    if (rowCount === 0) return
    found.missing += 1
    if (found.some.length < mostNamed) found.some.push(public_id)
  })
  return found
}

/** @returns whether it is in the backup now */
async function copyPicture(blobs: Blobs, folder: string, row: Row): Promise<boolean> {
  const key = row.storage_key
  const target = pictureFolder(folder, key)
  if (existsSync(join(target, 'list.json'))) return true
  await rm(target, { recursive: true, force: true })
  await mkdir(target, { recursive: true })
  const original = await copyBlob(blobs, key, 'original', target)
  if (original?.sha256 !== row.sha256.toString('hex')) {
    await rm(target, { recursive: true, force: true })
    return false
  }
  const entry: PictureEntry = { key, blobs: [original] }
  // The other variants are made again when somebody asks for them.
  for (const width of widthsAtUpload(row.width)) {
    const variant = await copyBlob(blobs, key, variantName(width, 'webp'), target)
    if (variant) entry.blobs.push(variant)
  }
  await pipeline(
    Readable.from([JSON.stringify(entry)]),
    createWriteStream(join(target, 'list.json.new'), { flush: true }),
  )
  await rename(join(target, 'list.json.new'), join(target, 'list.json'))
  return true
}

async function copyBlob(blobs: Blobs, key: string, name: string, target: string) {
  const opened = await blobs.open(key, name)
  if (!opened) return null
  const hash = createHash('sha256')
  let size = 0
  try {
    await pipeline(
      opened.read(),
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk)
          size += chunk.length
          yield chunk
        }
      },
      createWriteStream(join(target, name), { flush: true }),
    )
  } catch (error) {
    // Between opening and reading it was deleted.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  return { name, size, sha256: hash.digest('hex') }
}

/**
 * Writes the list of the pictures that `db` sees, and takes out of the backup what was deleted since it was copied.
 * @param lost keys that are not in the backup
 */
export async function listPictures(
  db: ClientBase,
  folder: string,
  lost: ReadonlySet<string>,
): Promise<{ count: number; bytes: number }> {
  const told = { count: 0, bytes: 0 }
  await pipeline(
    async function* () {
      for await (const { storage_key } of attached(db)) {
        if (lost.has(storage_key)) continue
        const entry = await readList(pictureFolder(folder, storage_key))
        told.count += 1
        told.bytes += entry.blobs.reduce((sum, { size }) => sum + size, 0)
        yield `${JSON.stringify(entry)}\n`
      }
    },
    createGzip(),
    createWriteStream(listFile(folder), { flush: true }),
  )
  return told
}

async function readList(target: string): Promise<PictureEntry> {
  const chunks: Buffer[] = []
  for await (const chunk of createReadStream(join(target, 'list.json'))) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

/** The list of a backup, line by line. */
export async function* listed(folder: string): AsyncGenerator<PictureEntry> {
  const lines = createReadStream(listFile(folder)).pipe(createGunzip())
  for await (const line of createInterface({ input: lines, crlfDelay: Number.POSITIVE_INFINITY })) {
    yield JSON.parse(line) as PictureEntry
  }
}
