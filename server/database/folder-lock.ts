import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartupError } from '../startup-error.ts'

/**
 * The kernel holds the lock (SQLite's exclusive lock on an empty file), so it ends with this process. A stale
 * process id therefore cannot hold it.
 * @returns a function that releases the lock; null if another process holds it
 */
export function acquireFolderLock(path: string): (() => void) | null {
  const file = openLockFile(path)
  try {
    file.exec('pragma journal_mode = off; begin exclusive')
    return () => file.close()
  } catch (error) {
    file.close()
    if (hasSqliteCode(error, SQLITE_BUSY)) return null
    throw error
  }
}

function openLockFile(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path)
  } catch (error) {
    if (!hasSqliteCode(error, SQLITE_CANTOPEN)) throw error
    const folder = dirname(path)
    throw new StartupError(
      `The current user cannot write to ${folder}: run as the account that owns it, or give it to this account.`,
    )
  }
}

const SQLITE_BUSY = 5
const SQLITE_CANTOPEN = 14
const hasSqliteCode = (error: unknown, code: number) =>
  error instanceof Error && 'errcode' in error && error.errcode === code
