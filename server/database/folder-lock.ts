import { DatabaseSync } from 'node:sqlite'

/**
 * Takes the lock at `path` for the life of this process. The kernel holds it (SQLite's exclusive lock on an empty file), so
 * it ends with the process however that dies, and no stale process id can be mistaken for an owner.
 * @returns the function that releases it; null when another process has it
 */
export function acquireFolderLock(path: string): (() => void) | null {
  const file = new DatabaseSync(path)
  try {
    file.exec('pragma journal_mode = off; begin exclusive')
    return () => file.close()
  } catch (error) {
    file.close()
    if (isBusy(error)) return null
    throw error
  }
}

const SQLITE_BUSY = 5
const isBusy = (error: unknown) =>
  error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
