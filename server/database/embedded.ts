/**
 * A private PostgreSQL for those who bring none: real, durable, reachable by this account alone, and looked after
 * from start to stop. Its whole state is in the data folder.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { CannotStart } from '#server/cannot-start.ts'
import type { Log } from '#server/log.ts'
import { accountFor } from './account.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { createCluster, handOver, programEnvironment, ROLE, readPassword } from './cluster.ts'
import { lockFolder } from './folder-lock.ts'
import { endOrphan, isAlive, readPostmaster } from './postmaster.ts'
import { openRuntime, removeLeftRuntime } from './runtime-folder.ts'
import { openServerLog } from './server-log.ts'
import { keepRunning } from './supervise.ts'

export type Embedded = {
  /** The product's database; stays the same while the server runs, also when PostgreSQL had to be started again. */
  url: string
  stop(): Promise<void>
}

const windows = process.platform === 'win32'

/**
 * Starts the PostgreSQL of `dataDir`, making it first where there is none, and keeps it running until `stop`.
 * @param options.durable false gives up syncing to disk: for tests, whose rows nobody misses.
 * @throws CannotStart when another server has the folder, or PostgreSQL refuses to start.
 */
export async function startEmbedded(options: {
  dataDir: string
  log: Log
  durable?: boolean
}): Promise<Embedded> {
  const { dataDir, log, durable = true } = options
  const found = findBinaries()
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const undo: (() => void)[] = [takeFolder(dataDir)]
  const release = () => {
    for (const step of undo.splice(0).reverse()) step()
  }
  try {
    const cluster = join(dataDir, 'postgres')
    await clearAfterCrash(cluster, log)
    const account = accountFor(cluster)
    const password = readPassword(dataDir)
    const { binaries, socketFolder, remove } = openRuntime(found, account)
    undo.push(remove)
    if (!existsSync(cluster)) createCluster({ cluster, binaries, password, account, durable })
    checkVersion(cluster, binaries)
    const port = windows ? await freePort() : 5432
    const serverLog = openServerLog(join(dataDir, 'postgres.log'))
    undo.push(serverLog.close)

    const launch = () => {
      const { path, descriptor } = handOver(cluster, account)
      const settings: Settings = {
        ...tuning,
        ...(durable ? {} : careless),
        ...reachableAt(port, socketFolder),
      }
      const child = spawn(join(binaries.folder, 'bin', 'postgres'), ['-D', path, ...asFlags(settings)], {
        ...account,
        cwd: binaries.folder,
        env: programEnvironment,
        stdio: ['ignore', serverLog.descriptor, serverLog.descriptor, descriptor ?? 'ignore'],
        // In a process group of its own, since Ctrl-C in a terminal is for the server, which drains first.
        detached: true,
      })
      if (descriptor !== null) closeSync(descriptor)
      return child
    }
    const running = await keepRunning({ cluster, log, launch, lastWords: serverLog.lastFatal })
    return {
      url: address({ password, port, socketFolder }),
      async stop() {
        await running.stop((child) => askToStop(child, binaries, cluster))
        release()
      },
    }
  } catch (error) {
    release()
    throw error
  }
}

/** The address of the database of `dataDir` if its server runs now, for a command beside it; otherwise null. */
export function findEmbedded(dataDir: string): string | null {
  const cluster = join(dataDir, 'postgres')
  const postmaster = readPostmaster(cluster)
  if (!postmaster?.ready || !isAlive(postmaster, cluster)) return null
  return address({ ...postmaster, password: readPassword(dataDir) })
}

type Settings = Record<string, string | number>

/** Settings for a small machine that also runs the server; the rest is as PostgreSQL has it. */
const tuning: Settings = {
  max_connections: 60,
  shared_buffers: '128MB',
  effective_cache_size: '1GB',
  random_page_cost: 1.1,
  max_parallel_workers_per_gather: 1,
  io_method: 'sync',
  jit: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_logical_replication_workers: 0,
  max_wal_size: '512MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Failed statements are ours to log; the words of members in them and in their details never reach a file.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}
const careless: Settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

const reachableAt = (port: number, socketFolder: string): Settings =>
  windows
    ? { port, listen_addresses: '127.0.0.1' }
    : { port, listen_addresses: '', unix_socket_directories: socketFolder, unix_socket_permissions: '0700' }

const asFlags = (settings: Settings) =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])

function takeFolder(dataDir: string): () => void {
  const letGo = lockFolder(join(dataDir, 'postgres.lock'))
  if (letGo) return letGo
  throw new CannotStart(
    `Another Juntas is running with the data folder ${dataDir}: stop it, or give this one a DATA_DIR of its own.`,
  )
}

async function clearAfterCrash(cluster: string, log: Log): Promise<void> {
  const left = readPostmaster(cluster)
  if (!left) return
  await endOrphan(cluster, log)
  if (left.socketFolder) removeLeftRuntime(left.socketFolder)
}

function checkVersion(cluster: string, binaries: Binaries): void {
  const major = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  if (major === binaries.major) return
  throw new CannotStart(
    `The database in ${cluster} was made by PostgreSQL ${major} and this is ${binaries.major}: restore a backup into a new DATA_DIR.`,
  )
}

function address(at: { password: string; port: number; socketFolder: string }): string {
  const url = new URL(`postgres://${ROLE}:${at.password}@127.0.0.1:${at.port}/${ROLE}`)
  if (!windows) url.searchParams.set('host', at.socketFolder)
  return url.href
}

/** SIGINT is PostgreSQL's "fast" stop: it ends sessions and writes a checkpoint. Windows knows no signals. */
function askToStop(child: ChildProcess, { folder }: Binaries, cluster: string): void {
  if (windows) execFile(join(folder, 'bin', 'pg_ctl'), ['stop', '-D', cluster, '-m', 'fast'])
  else child.kill('SIGINT')
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
