import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const gigabyte = 2 ** 30

/**
 * Creates a temporary folder for data that need not survive a crash, in memory if enough is free. On ext4, creating a
 * file soon after others were deleted is slow, and each test database has a thousand files.
 */
export function createNonDurableFolder(prefix: string): string {
  const parent = hasSpaceInMemory() ? memory : tmpdir()
  if (parent === memory) removeFoldersOfEndedProcesses(prefix)
  return mkdtempSync(join(parent, `${prefix}${process.pid}-`))
}

function hasSpaceInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize > 2 * gigabyte && process.availableMemory() > 4 * gigabyte
  } catch {
    return false
  }
}

/** Removes the folders of killed runs, which would take up memory until the machine's next start. */
function removeFoldersOfEndedProcesses(prefix: string): void {
  for (const name of readdirSync(memory)) {
    const owner = name.startsWith(prefix) && /^(\d+)-/.exec(name.slice(prefix.length))?.[1]
    if (owner && !isRunning(Number(owner))) rmSync(join(memory, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
