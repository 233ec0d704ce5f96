/** Runs a real server as a process of its own, for journeys, benchmarks and tests that kill it. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findEmbeddedPostgresUrl, startEmbeddedPostgres } from '#server/database/embedded-postgres.ts'
import { readPostmaster } from '#server/database/orphaned-postgres.ts'
import { createServerLogger } from '#server/log.ts'

const root = join(import.meta.dirname, '..', '..')
const node = process.execPath

/** How a server is started; `npm start` also builds what is missing or old. */
const commands = {
  sources: [node, 'server/main.ts'],
  built: [node, '--max-semi-space-size=16', 'dist/server/main.js'],
  'npm start': ['npm', 'start'],
  product: [node, 'scripts/harness/server-without-appwrite.ts'],
}

/** What the server does not set itself. */
const nonDurable = '\nfsync = off\nsynchronous_commit = off\nfull_page_writes = off\n'

/** Key of all servers on an external database: nodes of one instance share it. */
export const sharedKey = Buffer.alloc(32, 7).toString('base64')

/** Disposed of, it is stopped. */
export type RunningServer = AsyncDisposable & {
  /** Origin, e.g. `http://localhost:40213`. */
  url: string
  /** Process id of the server itself, whatever started it. */
  pid: number
  dataDir: string
  /** Returns what it has printed so far. */
  printed(): string
  /** Returns the URL of the embedded database, while it runs. */
  databaseUrl(): string
  /** Sends SIGTERM, waits for the drain and returns the exit code. Removes the data folder unless it was given. */
  stop(): Promise<number | null>
  /** Sends SIGKILL and waits until what started it is gone too. The data folder stays, and its PostgreSQL runs on. */
  kill9(): Promise<void>
}

/**
 * Starts the server on a free port and waits until it says that it is ready.
 * @param options.by `sources` unless said; `product` is one without the Appwrite dialect. @param options.env settings on top of the tests' own.
 * @param options.dataDir continues with that folder. @param options.durable false lets the database of a new folder wait for no
 * disk, where nothing is asked about what outlives a crash.
 * @throws with all that it printed when it ends before that.
 */
export async function startServer(
  options: {
    by?: keyof typeof commands
    env?: Record<string, string>
    dataDir?: string
    durable?: boolean
  } = {},
): Promise<RunningServer> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'juntas-server-'))
  if (!options.dataDir && !options.env?.DATABASE_URL) {
    await initializeDatabaseWithoutFsync(dataDir)
    if (options.durable === false) appendFileSync(join(dataDir, 'postgres', 'postgresql.conf'), nonDurable)
  }
  const env = {
    ...ownEnvironment(),
    PORT: String(await findFreePort()),
    DATA_DIR: dataDir,
    ...(options.env?.DATABASE_URL ? { SECRET_KEY: sharedKey } : {}),
    ...options.env,
  }
  const { by = 'sources' } = options
  const [program = '', ...args] = commands[by]
  const child = spawn(program, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32' && program === 'npm',
  })
  const ended = once(child, 'exit')
  const said = { text: '' }
  const url = await readyLine(child, said).catch((error) => {
    if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true })
    throw error
  })
  const pid = by === 'npm start' ? ownerOfDatabase(dataDir) : (child.pid as number)
  const tell = (name: NodeJS.Signals) => {
    // Never signals an ended process: its id may have been reused.
    if (child.exitCode === null && child.signalCode === null) signalProcesses(name, [pid])
  }
  const stop = async () => {
    tell('SIGTERM')
    const [code] = await ended
    if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true })
    return code
  }
  return {
    url,
    pid,
    dataDir,
    printed: () => said.text,
    databaseUrl() {
      const found = findEmbeddedPostgresUrl(dataDir)
      if (!found) throw new Error(`no PostgreSQL runs in ${dataDir}`)
      return found
    },
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
    async kill9() {
      tell('SIGKILL')
      await ended
    },
  }
}

/** Finds the server of a data folder: it is the parent of its PostgreSQL. */
function ownerOfDatabase(dataDir: string): number {
  const postmaster = readPostmaster(join(dataDir, 'postgres'))
  if (!postmaster) throw new Error(`no PostgreSQL runs in ${dataDir}`)
  const of = String(postmaster.pid)
  return process.platform === 'linux'
    ? Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${of}/status`, 'utf8'))?.[1])
    : Number(execFileSync('ps', ['-o', 'ppid=', '-p', of], { encoding: 'utf8' }))
}

/** Signals processes, some of which may have ended by themselves. */
export function signalProcesses(name: NodeJS.Signals, pids: number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

/** Makes the database without fsync, because initdb is slow on a busy disk; the server then runs it as usual. */
export async function initializeDatabaseWithoutFsync(dataDir: string): Promise<void> {
  const made = await startEmbeddedPostgres({ dataDir, log: createServerLogger('silent'), durable: false })
  await made.stop()
}

/** Takes the environment without the settings of whoever runs the tests. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, TEMP, SystemRoot, NODE_COMPILE_CACHE } = process.env
  const common = { PATH, HOME, TMPDIR, TEMP, SystemRoot, NODE_COMPILE_CACHE }
  return { ...common, LOG_LEVEL: 'error', JUNTAS_ENV_FILE: 'off' }
}

function readyLine(child: ChildProcess, said: { text: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      said.text += chunk
      const url = /^Juntas is ready at (\S+)$/m.exec(said.text)?.[1]
      if (url) resolve(url)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (code) =>
      reject(new Error(`The server ended with ${code} before it was ready:\n${said.text}`)),
    )
    child.once('error', reject)
  })
}

/** Finds a port of the loopback address that nothing listens on right now. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
