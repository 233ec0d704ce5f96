import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { type Account, openToAll } from './account.ts'
import { type Binaries, copyBinaries, linkLibraries } from './binaries.ts'

/** What lives as long as one server process: the socket, and the programs when the account cannot reach them. */
export type Runtime = {
  binaries: Binaries
  /** Folder of the Unix socket, which only PostgreSQL's account and root can enter. */
  socketFolder: string
  remove(): void
}

/** A socket's path has about 100 bytes, so it cannot live in the data folder. The name is random: nobody can be there first. */
export function openRuntime(found: Binaries, account: Account | null): Runtime {
  const root = mkdtempSync(join(shortTemporaryFolder(), 'juntas-'))
  const socketFolder = join(root, 'socket')
  mkdirSync(socketFolder, { mode: 0o700 })
  if (account) {
    chmodSync(root, 0o711)
    chownSync(socketFolder, account.uid, account.gid)
  }
  const inPlace = linked(found) && (!account || openToAll(join(found.folder, 'bin')))
  const binaries = inPlace ? found : copyBinaries(found, join(root, 'native'))
  if (!inPlace) linkLibraries(binaries)
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

function linked(found: Binaries): boolean {
  try {
    linkLibraries(found)
    return true
  } catch {
    return false
  }
}

/**
 * Removes the folder that a killed server left behind. Its name comes from a file that PostgreSQL's account can write,
 * so only what this account made, where and how it makes such folders, is believed.
 */
export function removeLeftRuntime(socketFolder: string): void {
  const root = dirname(socketFolder)
  const made = lstatSync(root, { throwIfNoEntry: false })
  const ours =
    made?.isDirectory() &&
    made.uid === process.getuid?.() &&
    dirname(root) === shortTemporaryFolder() &&
    /^juntas-\w{6}$/.test(basename(root))
  if (ours) rmSync(root, { recursive: true, force: true })
}
