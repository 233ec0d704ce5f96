/** Starting what is measured, loading it, and reading what it used. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import autocannon from 'autocannon'
import { Client } from 'pg'
import { startServer } from '#tests/server.ts'

export type Running = { url: string; pid: number; stop(): Promise<void> }

const running = new Set<number>()
// Whatever goes wrong, nothing that was started for a bench outlives it.
process.on('exit', () => {
  for (const pid of running) {
    try {
      process.kill(pid)
    } catch {
      // It has ended by itself.
    }
  }
})

/** Ends with the bench at the latest. */
function watched(program: Running): Running {
  running.add(program.pid)
  return {
    ...program,
    async stop() {
      await program.stop()
      running.delete(program.pid)
    },
  }
}

/** The product as `npm start` runs it, on a database, or on the embedded one of the DATA_DIR among `env`. */
export async function startProduct(
  databaseUrl: string | null,
  { DATA_DIR: dataDir, ...env }: Record<string, string> = {},
): Promise<Running> {
  const server = await startServer({
    by: 'built',
    dataDir,
    env: { LIMITS: 'off', ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }), ...env },
  })
  return watched({ url: server.url, pid: server.pid, stop: async () => void (await server.stop()) })
}

/** One of the bench's own programs, which says its address when it listens. */
export const startProgram = (script: string, env: Record<string, string>): Promise<Running> =>
  startScript(['--disable-warning=ExperimentalWarning', script], env)

/** @param args of a Node that says its address when it listens */
export async function startScript(args: string[], env: Record<string, string> = {}): Promise<Running> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await Promise.race([
    once(child.stdout, 'data') as Promise<[Buffer]>,
    once(child, 'exit').then(([code]) => {
      throw new Error(`${args.at(-1)} ended with ${code}`)
    }),
  ])
  return watched({
    url: String(line).trim(),
    pid: child.pid as number,
    async stop() {
      if (child.exitCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  })
}

export type Load = {
  /** Origin of a server. */
  url: string
  connections: number
  seconds: number
  method?: 'GET' | 'POST' | 'PUT'
  /** The requests, in turn. */
  next: () => { path: string; cookie: string; body?: string }
}

/** @throws when one request was refused or broke */
export async function load({ url, connections, seconds, method = 'GET', next }: Load) {
  const type: Record<string, string> = method === 'POST' ? { 'content-type': 'application/json' } : {}
  const setupRequest = (request: autocannon.Request): autocannon.Request => {
    const { cookie, ...asked } = next()
    return { ...request, ...asked, headers: { cookie, ...type } }
  }
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    method,
    requests: [{ setupRequest }],
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.errors} errors, answers ${JSON.stringify(result.statusCodeStats)}`)
  return result
}

/** Milliseconds of CPU that a process has used; NaN where there is no /proc. */
export function cpuOf(pid: number): number {
  const fields = statOf(pid)
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** The same of a whole PostgreSQL: its main process with its children that ended, and those that live. */
export function cpuOfDatabase(main: number): number {
  const ended = statOf(main)
  const living = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && Number(statOf(pid)[1]) === main)
  const total = living.reduce((sum, pid) => sum + (cpuOf(pid) || 0), cpuOf(main))
  return total + (Number(ended[13]) + Number(ended[14])) * 10
}

/** The main process of a PostgreSQL on this machine: the parent of any connection. */
export async function mainProcessOf(url: string): Promise<number> {
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

/** Resident bytes of a process, now or at its largest. */
export function memoryOf(pid: number, which: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const kilobytes = new RegExp(`${which}:\\s+(\\d+) kB`).exec(
    readFileSync(`/proc/${pid}/status`, 'utf8'),
  )?.[1]
  return Number(kilobytes) * 1024
}
