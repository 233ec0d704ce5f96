import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findEmbeddedPostgresUrl, startEmbeddedPostgres } from '#server/database/embedded-postgres.ts'
import { readPostmaster } from '#server/database/orphaned-postgres.ts'
import { createServerLogger } from '#server/log.ts'
import { createNonDurableFolder } from './non-durable-folder.ts'

const root = join(import.meta.dirname, '..', '..')
const node = process.execPath

/** `npm start` also builds outdated parts. */
const commands = {
  sources: [node, 'server/main.ts'],
  built: [node, '--max-semi-space-size=16', 'dist/server/main.js'],
  'npm start': ['npm', 'start'],
  product: [node, 'scripts/harness/server-without-appwrite.ts'],
}

/** Planning statements several times would take a large part of the short tests' processor time. */
const cheapPostgresSettings =
  '\nfsync = off\nsynchronous_commit = off\nfull_page_writes = off\nplan_cache_mode = force_generic_plan\n'

export const clusterSecretKey = Buffer.alloc(32, 7).toString('base64')

/** Disposal stops the server. */
export type RunningServer = AsyncDisposable & {
  url: string
  /** The id of the server's process, not npm's. */
  pid: number
  dataDir: string
  printed(): string
  databaseUrl(): string
  /** Sends SIGTERM and waits for running requests. Removes a temporary data folder. @returns the exit code */
  stop(): Promise<number | null>
  /** Sends SIGKILL. The data folder and PostgreSQL remain. */
  kill9(): Promise<void>
}

/**
 * @param options.by `sources` by default; `product` lacks the Appwrite API
 * @param options.durable syncs a new folder's database to disk @throws with the server's output if it exits first
 */
export async function startServer(
  options: {
    by?: keyof typeof commands
    env?: Record<string, string>
    dataDir?: string
    durable?: boolean
  } = {},
): Promise<RunningServer> {
  const dataDir =
    options.dataDir ??
    (options.durable === false
      ? createNonDurableFolder('juntas-server-')
      : mkdtempSync(join(tmpdir(), 'juntas-server-')))
  if (!options.dataDir && !options.env?.DATABASE_URL) {
    await initializeDatabaseWithoutFsync(dataDir)
    if (options.durable === false)
      appendFileSync(join(dataDir, 'postgres', 'postgresql.conf'), cheapPostgresSettings)
  }
  const env = {
    ...ownEnvironment(),
    PORT: String(await findFreePort()),
    DATA_DIR: dataDir,
    ...(options.env?.DATABASE_URL ? { SECRET_KEY: clusterSecretKey } : {}),
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
  const sendSignal = (name: NodeJS.Signals) => {
    // Another process may have the id of an ended one.
    if (child.exitCode === null && child.signalCode === null) signalProcesses(name, [pid])
  }
  const stop = async () => {
    sendSignal('SIGTERM')
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
      sendSignal('SIGKILL')
      await ended
    },
  }
}

function ownerOfDatabase(dataDir: string): number {
  const postmaster = readPostmaster(join(dataDir, 'postgres'))
  if (!postmaster) throw new Error(`no PostgreSQL runs in ${dataDir}`)
  const of = String(postmaster.pid)
  return process.platform === 'linux'
    ? Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${of}/status`, 'utf8'))?.[1])
    : Number(execFileSync('ps', ['-o', 'ppid=', '-p', of], { encoding: 'utf8' }))
}

export function signalProcesses(name: NodeJS.Signals, pids: number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

/** Initialises the database without fsync, because initdb is slow on busy disks. */
export async function initializeDatabaseWithoutFsync(dataDir: string): Promise<void> {
  const made = await startEmbeddedPostgres({ dataDir, log: createServerLogger('silent'), durable: false })
  await made.stop()
}

/** Omits the developer's own settings. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, TEMP, SystemRoot, NODE_COMPILE_CACHE } = process.env
  const common = { PATH, HOME, TMPDIR, TEMP, SystemRoot, NODE_COMPILE_CACHE }
  return { ...common, LOG_LEVEL: 'error', JUNTAS_ENV_FILE: 'off' }
}

function readyLine(child: ChildProcess, said: { text: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      said.text += chunk
      const url = /^Juntas \S+ is ready at (\S+)$/m.exec(said.text)?.[1]
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

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
