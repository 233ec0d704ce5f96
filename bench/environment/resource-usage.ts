import { readdirSync, readFileSync } from 'node:fs'
import { Client } from 'pg'

/** User and system time in milliseconds, in ticks of 10 ms. NaN without /proc. */
export function processCpuMs(pid: number): number {
  const fields = statOf(pid)
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/**
 * Includes ended and running child processes.
 * @param main the id of PostgreSQL's main process
 */
export function processTreeCpuMs(main: number): number {
  const ended = statOf(main)
  const living = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && Number(statOf(pid)[1]) === main)
  const total = living.reduce((sum, pid) => sum + (processCpuMs(pid) || 0), processCpuMs(main))
  return total + (Number(ended[13]) + Number(ended[14])) * 10
}

/** The main process is the parent of every connection's process. */
export async function postgresMainPid(url: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return Number(statOf(rows[0]?.pid ?? 0)[1])
  } finally {
    await client.end()
  }
}

function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  } catch {
    return []
  }
}

/** Current or highest resident memory in bytes. */
export function processMemoryBytes(pid: number, which: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const kilobytes = new RegExp(`${which}:\\s+(\\d+) kB`).exec(
    readFileSync(`/proc/${pid}/status`, 'utf8'),
  )?.[1]
  return Number(kilobytes) * 1024
}
