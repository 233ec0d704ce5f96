import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import {
  copyEmbeddedPostgresBinaries,
  type EmbeddedPostgresBinaries,
  linkEmbeddedPostgresLibraries,
} from './embedded-postgres-binaries.ts'
import { isPathReadableByEveryUnixUser, type UnixUser } from './postgres-unix-user.ts'

/** The folder exists as long as the server runs. It holds the socket, and perhaps copies of the programs. */
export type PostgresSocketFolder = {
  binaries: EmbeddedPostgresBinaries
  /** Only PostgreSQL's user and root can enter this folder. */
  socketFolder: string
  remove(): void
}

/**
 * Creates the folder in the temporary folder, because a socket path is limited to about 100 bytes. Other
 * users cannot guess the name and create it first.
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
  const inPlace =
    !found.packaged || (linked(found) && (!user || isPathReadableByEveryUnixUser(join(found.folder, 'bin'))))
  const binaries = inPlace ? found : copyEmbeddedPostgresBinaries(found, join(root, 'native'))
  if (!inPlace) linkEmbeddedPostgresLibraries(binaries.folder)
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
    linkEmbeddedPostgresLibraries(found.folder)
    return true
  } catch {
    return false
  }
}

/**
 * Removes the folder only if this process's user owns it and its place and name are those that Juntas chooses,
 * because PostgreSQL's user can write the file that names the folder.
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
