/** The process at the head of a cluster, as its own postmaster.pid tells of it. */
import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '#server/log.ts'

export type Postmaster = { pid: number; startedAt: Date; port: number; socketFolder: string; ready: boolean }

/** What postmaster.pid of the cluster says; null when there is none (PostgreSQL's storage documentation, "pidfile"). */
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

/** Whether that process runs and is the postmaster of this cluster: its id may have passed to somebody else. */
export function isAlive(postmaster: Postmaster, cluster: string): boolean {
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
 * Clears what a server killed at once has left behind: a PostgreSQL that nobody looks after any more is ended, and
 * files that name a process long gone are removed. Only for the holder of the folder's lock.
 */
export async function endOrphan(cluster: string, log: Log): Promise<void> {
  const orphan = readPostmaster(cluster)
  if (!orphan) return
  const steps = [
    { signal: 'SIGINT', patience: 20_000 },
    { signal: 'SIGQUIT', patience: 5_000 },
    { signal: 'SIGKILL', patience: 5_000 },
  ] as const
  for (const { signal, patience } of steps) {
    if (!isAlive(orphan, cluster)) break
    log.warn({ pid: orphan.pid, signal }, 'ending the PostgreSQL that an earlier server left running')
    process.kill(orphan.pid, signal)
    const deadline = Date.now() + patience
    while (isAlive(orphan, cluster) && Date.now() < deadline) await pause(20)
  }
  rmSync(join(cluster, 'postmaster.pid'), { force: true })
}
