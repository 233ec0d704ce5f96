/**
 * Blobs in a folder: `ab/abcd…/original`. Files arrive by rename and are synced with every folder above them, so that
 * what is acknowledged survives the loss of power (architecture §14.9).
 */
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Blobs, checkedKey, checkedName, pieceName } from './blobs.ts'
import { fail } from './errors.ts'

/** What stays free for the database and its log: the smaller of the two (security reference M9). */
const reserve = { share: 0.1, bytes: 2e9 }
/** No request lives this long: such scratch was left by a process that died. */
const abandonedAfterMs = 3_600_000

/** @param root made when missing, readable by this account alone */
export async function openDiskBlobs(root: string): Promise<Blobs> {
  const scratch = join(root, 'scratch')
  await mkdir(scratch, { recursive: true, mode: 0o700 })
  let tidiedAt = 0

  const tidy = async () => {
    const now = Date.now()
    if (now - tidiedAt < abandonedAfterMs) return
    tidiedAt = now
    for (const name of await readdir(scratch)) {
      const path = join(scratch, name)
      const found = await stat(path).catch(() => null)
      if (found && now - found.mtimeMs > abandonedAfterMs) await rm(path, { recursive: true, force: true })
    }
  }

  const moveIn = async (key: string, files: Record<string, string>) => {
    const folder = folderOf(root, key)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const [name, file] of Object.entries(files)) {
      await sync(file)
      await rename(file, join(folder, checkedName(name)))
    }
    for (const each of [folder, dirname(folder), root]) await syncFolder(each)
  }

  return {
    async begin(bytes) {
      const { bavail, blocks, bsize } = await statfs(root)
      const kept = Math.min(blocks * bsize * reserve.share, reserve.bytes)
      if (bavail * bsize - bytes < kept) fail('storage_device_full')
      await tidy()
      const path = join(scratch, randomBytes(16).toString('hex'))
      await mkdir(path, { mode: 0o700 })
      return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
    },

    append: (key, piece, file) => moveIn(key, { [pieceName(piece)]: file }),
    finish: moveIn,

    async open(key, name) {
      const path = join(folderOf(root, key), checkedName(name))
      const found = await stat(path).catch(unlessMissing)
      return found && { size: found.size, read: (range) => createReadStream(path, range) }
    },

    async remove(key, names) {
      const folder = folderOf(root, key)
      if (!names) return rm(folder, { recursive: true, force: true })
      for (const name of names) await rm(join(folder, checkedName(name)), { force: true })
    },
  }
}

function folderOf(root: string, key: string): string {
  return join(root, checkedKey(key).slice(0, 2), key)
}

function unlessMissing(error: NodeJS.ErrnoException): null {
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

/** Windows has no such thing: there a rename is durable by itself. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
