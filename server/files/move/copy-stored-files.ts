/** Members upload and delete files during the move. If a key loses its row, its copy is removed again. */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import {
  type BlobStore,
  isChunkBlobName,
  type ListableBlobStore,
  type StoredKey,
} from '#server/blobs/blob-store.ts'

export type FileMoveContext = {
  /** Connected without a pooler, because the move's lock belongs to the session. */
  db: Client
  source: ListableBlobStore
  target: ListableBlobStore
  /** Keys without a row that must stay, such as the register of erased accounts. */
  permanentKeys: readonly string[]
  pace: Pace
}

/**
 * `unfinished`: a node is still writing the files, and finishes them in the preferred store. `unused`: no row
 * needs them.
 */
export type KeyUse = { use: 'kept' | 'unfinished' | 'unused'; sha256: Buffer | null }

/** An export that is about to expire is unused: its bytes are removed before its row. */
export async function findKeyUses(
  { db, permanentKeys }: Pick<FileMoveContext, 'db' | 'permanentKeys'>,
  keys: readonly string[],
): Promise<Map<string, KeyUse>> {
  const { rows } = await db.query<KeyUse & { key: string }>(
    `select storage_key as key, sha256, case
       when state = 'uploading' then 'unfinished'
       when state <> 'deleting' or exists (select from evidence held where held.file_id = files.id) then 'kept'
       else 'unused' end as use
     from files where storage_key = any ($1)
     union all
     select storage_key, null, case
       when exists (select from deletions d where d.account_id = exports.account_id and d.state = 'erasing') then 'unused'
       when state = 'gathering' then 'unfinished'
       when state = 'ready' and dies_at > clock_timestamp() then 'kept'
       else 'unused' end
     from exports where storage_key = any ($1)`,
    [keys],
  )
  const uses = new Map<string, KeyUse>(rows.map(({ key, use, sha256 }) => [key, { use, sha256 }]))
  for (const key of keys) {
    if (uses.has(key)) continue
    uses.set(key, { use: permanentKeys.includes(key) ? 'kept' : 'unused', sha256: null })
  }
  return uses
}

export type CopiedBytes = { files: number; bytes: number }

/** The number of keys per transaction, and of keys copied at once. */
export const keysPerBatch = 64
const concurrency = 4

/** If the work on one item fails, waits for the running calls and then rejects. */
export async function forEachConcurrently<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values()
  const worker = async () => {
    for (const item of left) await work(item)
  }
  const ended = await Promise.allSettled(Array.from({ length: concurrency }, worker))
  for (const end of ended) if (end.status === 'rejected') throw end.reason
}

/**
 * Copies only files that the target lacks. Record the keys as in flight before, and call `removeUnused`
 * after.
 * @param uses with the database's hashes
 */
export async function copyFilesOfKeys(
  context: FileMoveContext,
  keys: readonly StoredKey[],
  uses: ReadonlyMap<string, KeyUse>,
): Promise<CopiedBytes> {
  const copied = { files: 0, bytes: 0 }
  await forEachConcurrently(keys, async (stored) => {
    try {
      const { files, bytes } = await copyKey(context, stored, uses.get(stored.key)?.sha256 ?? null)
      copied.files += files
      copied.bytes += bytes
    } catch (error) {
      // The error is expected if the key was deleted meanwhile.
      const now = await findKeyUses(context, [stored.key])
      if (now.get(stored.key)?.use === 'kept') throw error
    }
  })
  return copied
}

async function copyKey(
  { source, target, pace }: FileMoveContext,
  { key, names }: StoredKey,
  sha256: Buffer | null,
): Promise<CopiedBytes> {
  const missing: { name: string; size: number; read(): Readable }[] = []
  for (const name of names) {
    // Chunks of a finished upload are being removed.
    if (isChunkBlobName(name) || (await target.open(key, name))) continue
    const opened = await source.open(key, name)
    if (opened) missing.push({ name, ...opened })
  }
  if (missing.length === 0) return { files: 0, bytes: 0 }
  await using scratch = await target.begin(missing.reduce((sum, { size }) => sum + size, 0))
  const files: Record<string, string> = {}
  const digests: Record<string, Buffer> = {}
  let bytes = 0
  for (const { name, size, read } of missing) {
    await pace(size)
    const file = join(scratch.path, name)
    const digest = await hashWhile(read(), (chunks) => pipeline(chunks, createWriteStream(file)))
    // Damaged bytes are not copied. The verification reports them.
    if (name === 'original' && sha256 && !sha256.equals(digest)) continue
    files[name] = file
    digests[name] = digest
    bytes += size
  }
  await target.finish(key, files)
  for (const [name, digest] of Object.entries(digests)) {
    if (!(await hashBlob(target, key, name))?.equals(digest))
      throw new Error(`${key}/${name} is not in the target as it was copied.`)
  }
  return { files: Object.keys(files).length, bytes }
}

/** Removes copies. Call this for keys whose rows were deleted during the copy. */
export async function removeUnused(context: FileMoveContext, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  const uses = await findKeyUses(context, keys)
  for (const key of keys) {
    if (uses.get(key)?.use !== 'unused') continue
    await context.target.remove(key)
    await context.source.remove(key)
  }
}

export async function hashBlob(store: BlobStore, key: string, name: string): Promise<Buffer | null> {
  const opened = await store.open(key, name)
  return opened && hashWhile(opened.read(), (chunks) => pipeline(chunks, consume))
}

async function consume(chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of chunks);
}

async function hashWhile(
  from: Readable,
  write: (chunks: AsyncIterable<Buffer>) => Promise<void>,
): Promise<Buffer> {
  const hash = createHash('sha256')
  await write(
    (async function* () {
      for await (const chunk of from as AsyncIterable<Buffer>) {
        hash.update(chunk)
        yield chunk
      }
    })(),
  )
  return hash.digest()
}

/** Waits before reading this number of bytes, so that members' requests have priority. */
export type Pace = (bytes: number) => Promise<void>

export function createPace(bytesPerSecond: number): Pace {
  let next = 0
  return async (bytes) => {
    const now = Date.now()
    next = Math.max(next, now)
    const wait = next - now
    next += (bytes / bytesPerSecond) * 1000
    if (wait > 0) await pause(wait)
  }
}
