import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ServerLogger } from '#server/log.ts'

export type Postmaster = { pid: number; startedAt: Date; port: number; socketFolder: string; ready: boolean }

/**
 * Reads postmaster.pid, which PostgreSQL's `src/include/utils/pidfile.h` documents. Returns null if the file
 * is missing.
 */
export function readPostmaster(cluster: string): Postmaster | null {
  let lines: string[]
  try {
    lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  const [pid, , startedAt, port, socketFolder, , , status] = lines
  return {
    pid: Number(pid),
    startedAt: new Date(Number(startedAt) * 1000),
    port: Number(port),
    socketFolder: socketFolder ?? '',
    ready: status?.trim() === 'ready',
  }
}

/** Another program may have reused the process id. */
export function isPostmasterAlive(postmaster: Postmaster, cluster: string): boolean {
  switch (process.platform) {
    case 'linux':
      return !isZombie(postmaster.pid) && workingFolder(postmaster.pid) === realpathSync(cluster)
    case 'win32':
      return listed('tasklist', ['/FI', `PID eq ${postmaster.pid}`, '/NH']).includes('postgres.exe')
    default: {
      const started = Date.parse(listed('ps', ['-p', String(postmaster.pid), '-o', 'lstart=']))
      return Math.abs(started - postmaster.startedAt.getTime()) < 5_000
    }
  }
}

function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat[stat.lastIndexOf(')') + 2] === 'Z'
  } catch {
    return true
  }
}

function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

function listed(command: string, args: string[]): string {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return ''
  }
}

/**
 * Ends a PostgreSQL that a killed server left behind, with escalating signals. The caller must hold the
 * folder's lock.
 */
export async function endOrphanedPostgres(cluster: string, log: ServerLogger): Promise<void> {
  const orphan = readPostmaster(cluster)
  if (!orphan) return
  const steps = [
    { signal: 'SIGINT', timeoutMs: 20_000 },
    { signal: 'SIGQUIT', timeoutMs: 5_000 },
    { signal: 'SIGKILL', timeoutMs: 5_000 },
  ] as const
  for (const { signal, timeoutMs } of steps) {
    if (!isPostmasterAlive(orphan, cluster)) break
    log.warn({ pid: orphan.pid, signal }, 'stopping the PostgreSQL of an earlier server')
    process.kill(orphan.pid, signal)
    const deadline = Date.now() + timeoutMs
    while (isPostmasterAlive(orphan, cluster) && Date.now() < deadline) await pause(20)
  }
  rmSync(join(cluster, 'postmaster.pid'), { force: true })
}
