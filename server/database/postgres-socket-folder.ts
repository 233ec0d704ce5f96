import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import {
  copyEmbeddedPostgresBinaries,
  type EmbeddedPostgresBinaries,
  linkEmbeddedPostgresLibraries,
} from './embedded-postgres-binaries.ts'
import { isPathReadableByEveryUnixUser, type UnixUser } from './postgres-unix-user.ts'

/** What lives as long as one server process: the socket, and a copy of the programs where PostgreSQL's user cannot reach them. */
export type PostgresSocketFolder = {
  binaries: EmbeddedPostgresBinaries
  /** Folder of the Unix socket, which only PostgreSQL's user and root can enter. */
  socketFolder: string
  remove(): void
}

/**
 * Makes the folder of the socket, below the temporary folder: a socket's path may be about 100 bytes long, and the data folder's
 * may be longer. The name is random, so that no other user can make it first.
 */
export function openPostgresSocketFolder(
  found: EmbeddedPostgresBinaries,
  user: UnixUser | null,
): PostgresSocketFolder {
  const root = mkdtempSync(join(shortTemporaryFolder(), 'juntas-'))
  const socketFolder = join(root, 'socket')
  mkdirSync(socketFolder, { mode: 0o700 })
  if (user) {
    chmodSync(root, 0o711)
    chownSync(socketFolder, user.uid, user.gid)
  }
  const inPlace = linked(found) && (!user || isPathReadableByEveryUnixUser(join(found.folder, 'bin')))
  const binaries = inPlace ? found : copyEmbeddedPostgresBinaries(found, join(root, 'native'))
  if (!inPlace) linkEmbeddedPostgresLibraries(binaries)
  const removeAtExit = () => rmSync(root, { recursive: true, force: true })
  process.once('exit', removeAtExit)
  return {
    binaries,
    socketFolder,
    remove() {
      process.off('exit', removeAtExit)
      removeAtExit()
    },
  }
}

function shortTemporaryFolder(): string {
  return process.platform !== 'win32' && tmpdir().length > 60 ? '/tmp' : tmpdir()
}

function linked(found: EmbeddedPostgresBinaries): boolean {
  try {
    linkEmbeddedPostgresLibraries(found)
    return true
  } catch {
    return false
  }
}

/**
 * Removes the folder that a killed server left behind. Its name comes from a file that PostgreSQL's user can write, so it is
 * removed only where this user made it, in the place and under the kind of name that such folders have.
 */
export function removeStaleSocketFolder(socketFolder: string): void {
  const root = dirname(socketFolder)
  const made = lstatSync(root, { throwIfNoEntry: false })
  const ours =
    made?.isDirectory() &&
    made.uid === process.getuid?.() &&
    dirname(root) === shortTemporaryFolder() &&
    /^juntas-\w{6}$/.test(basename(root))
  if (ours) rmSync(root, { recursive: true, force: true })
}
