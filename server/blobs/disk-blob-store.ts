/**
 * Paths have the form `ab/abcd…/original`. Files are renamed and synced with their parent folders, so that
 * confirmed data survives a power failure.
 */
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { throwFailure } from '../errors.ts'
import {
  assertBlobKey,
  assertBlobName,
  chunkBlobName,
  isBlobKey,
  isBlobName,
  type ListableBlobStore,
} from './blob-store.ts'

/** Space for the database and its log. The smaller value applies. */
const freeSpaceReserve = { share: 0.1, bytes: 2e9 }
/** No request takes this long, so older folders belong to dead processes. */
const abandonedAfterMs = 3_600_000

/** @param root a folder that only the server's user can read */
export async function openDiskBlobStore(root: string): Promise<ListableBlobStore> {
  const scratch = join(root, 'scratch')
  await mkdir(scratch, { recursive: true, mode: 0o700 })
  let lastCleanup = 0

  const removeAbandonedScratch = async () => {
    const now = Date.now()
    if (now - lastCleanup < abandonedAfterMs) return
    lastCleanup = now
    for (const name of await readdir(scratch)) {
      const path = join(scratch, name)
      const found = await stat(path).catch(() => null)
      if (found && now - found.mtimeMs > abandonedAfterMs) await rm(path, { recursive: true, force: true })
    }
  }

  const moveIntoPlace = async (key: string, files: Record<string, string>) => {
    const folder = folderOf(root, key)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const [name, file] of Object.entries(files)) {
      await sync(file)
      await rename(file, join(folder, assertBlobName(name)))
    }
    for (const each of [folder, dirname(folder), root]) await syncFolder(each)
  }

  const blobNames = async (key: string) => (await sortedNames(folderOf(root, key))).filter(isBlobName)

  return {
    async begin(bytes) {
      const { bavail, blocks, bsize } = await statfs(root)
      const reservedBytes = Math.min(blocks * bsize * freeSpaceReserve.share, freeSpaceReserve.bytes)
      if (bavail * bsize - bytes < reservedBytes) throwFailure('storage_device_full')
      await removeAbandonedScratch()
      const path = join(scratch, randomBytes(16).toString('hex'))
      await mkdir(path, { mode: 0o700 })
      return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
    },

    append: (key, chunk, file) => moveIntoPlace(key, { [chunkBlobName(chunk)]: file }),
    finish: moveIntoPlace,

    async open(key, name) {
      const path = join(folderOf(root, key), assertBlobName(name))
      const found = await stat(path).catch(nullIfMissing)
      return found && { size: found.size, read: (range) => createReadStream(path, range) }
    },

    async remove(key, names) {
      const folder = folderOf(root, key)
      if (!names) return rm(folder, { recursive: true, force: true })
      for (const name of names) await rm(join(folder, assertBlobName(name)), { force: true })
    },

    async *list(after = '') {
      for (const start of await sortedNames(root)) {
        if (start.length !== 2 || start < after.slice(0, 2)) continue
        for (const key of await sortedNames(join(root, start))) {
          if (key <= after || !isBlobKey(key)) continue
          const names = await blobNames(key)
          if (names.length > 0) yield { key, names }
        }
      }
    },
    names: blobNames,
  }
}

/** Returns an empty list if the folder was deleted. */
async function sortedNames(folder: string): Promise<string[]> {
  return ((await readdir(folder).catch(nullIfMissing)) ?? []).sort()
}

function folderOf(root: string, key: string): string {
  return join(root, assertBlobKey(key).slice(0, 2), key)
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Windows cannot sync folders, but its renames are durable. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
