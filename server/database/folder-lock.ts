import { DatabaseSync } from 'node:sqlite'

/**
 * Locks `path` for this process's lifetime. The kernel holds the lock (SQLite's exclusive lock on an empty
 * file), so it ends with the process and no stale process id can fake an owner.
 * @returns releases the lock; null if another process holds it
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
