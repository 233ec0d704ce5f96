/** The embedded PostgreSQL runs if the operator configures no other. All its state is in the data folder. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { ServerLogger } from '#server/log.ts'
import { StartupError } from '#server/startup-error.ts'
import { type EmbeddedPostgresBinaries, findEmbeddedPostgresBinaries } from './embedded-postgres-binaries.ts'
import { openPostgresLog } from './embedded-postgres-log-file.ts'
import { acquireFolderLock } from './folder-lock.ts'
import {
  initializePostgresCluster,
  openClusterFolderDescriptor,
  postgresEnvironment,
  postgresRole,
  readOrCreatePostgresPassword,
} from './initialize-postgres-cluster.ts'
import { endOrphanedPostgres, isPostmasterAlive, readPostmaster } from './orphaned-postgres.ts'
import { openPostgresSocketFolder, removeStaleSocketFolder } from './postgres-socket-folder.ts'
import { choosePostgresUser } from './postgres-unix-user.ts'
import { supervisePostgresProcess } from './supervise-postgres.ts'

export type EmbeddedPostgres = {
  /** The URL stays the same after PostgreSQL restarts. */
  url: string
  stop(): Promise<void>
}

const windows = process.platform === 'win32'

/**
 * Keeps PostgreSQL running until `stop`.
 * @param options.durable false skips disk syncs, for tests
 * @param options.found by default the packaged programs
 * @throws StartupError if another server uses the folder or PostgreSQL refuses to start
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string
  log: ServerLogger
  durable?: boolean
  found?: EmbeddedPostgresBinaries
}): Promise<EmbeddedPostgres> {
  const { dataDir, log, durable = true, found = findEmbeddedPostgresBinaries() } = options
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const releases: (() => void)[] = [acquireFolder(dataDir)]
  const releaseAll = () => {
    for (const step of releases.splice(0).reverse()) step()
  }
  try {
    const cluster = join(dataDir, 'postgres')
    await cleanUpAfterCrash(cluster, log)
    const user = choosePostgresUser(cluster)
    const password = readOrCreatePostgresPassword(dataDir)
    const { binaries, socketFolder, remove } = openPostgresSocketFolder(found, user)
    releases.push(remove)
    if (!existsSync(cluster)) initializePostgresCluster({ cluster, binaries, password, user, durable })
    checkVersion(cluster, binaries)
    const port = windows ? await freePort() : 5432
    const serverLog = openPostgresLog(join(dataDir, 'postgres.log'))
    releases.push(serverLog.close)

    const launch = () => {
      const { path, descriptor } = openClusterFolderDescriptor(cluster, user)
      const settings: Settings = {
        ...tuning,
        ...(Number(binaries.major) >= 18 ? { io_method: 'sync' } : {}),
        ...(durable ? {} : nonDurable),
        ...reachableAt(port, socketFolder),
      }
      const child = spawn(join(binaries.folder, 'bin', 'postgres'), ['-D', path, ...asFlags(settings)], {
        ...user,
        cwd: binaries.folder,
        env: postgresEnvironment,
        stdio: ['ignore', serverLog.descriptor, serverLog.descriptor, descriptor ?? 'ignore'],
        // PostgreSQL gets its own process group, so that Ctrl-C reaches only the server, which drains first.
        detached: true,
      })
      if (descriptor !== null) closeSync(descriptor)
      return child
    }
    const running = await supervisePostgresProcess({ cluster, log, launch, lastWords: serverLog.lastFatal })
    return {
      url: address({ password, port, socketFolder }),
      async stop() {
        await running.stop((child) => requestStop(child, binaries, cluster))
        releaseAll()
      },
    }
  } catch (error) {
    releaseAll()
    throw error
  }
}

export function findEmbeddedPostgresUrl(dataDir: string): string | null {
  const cluster = join(dataDir, 'postgres')
  const postmaster = readPostmaster(cluster)
  if (!postmaster?.ready || !isPostmasterAlive(postmaster, cluster)) return null
  return address({ ...postmaster, password: readOrCreatePostgresPassword(dataDir) })
}

type Settings = Record<string, string | number>

/** These settings suit a small machine that PostgreSQL shares with the server. */
const tuning: Settings = {
  max_connections: 60,
  shared_buffers: '128MB',
  effective_cache_size: '1GB',
  random_page_cost: 1.1,
  max_parallel_workers_per_gather: 1,
  jit: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_logical_replication_workers: 0,
  max_wal_size: '512MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The server logs failed statements itself, without texts of members.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}
const nonDurable: Settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

const reachableAt = (port: number, socketFolder: string): Settings =>
  windows
    ? { port, listen_addresses: '127.0.0.1' }
    : { port, listen_addresses: '', unix_socket_directories: socketFolder, unix_socket_permissions: '0700' }

const asFlags = (settings: Settings) =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])

function acquireFolder(dataDir: string): () => void {
  const unlock = acquireFolderLock(join(dataDir, 'postgres.lock'))
  if (unlock) return unlock
  throw new StartupError(
    `Another Juntas is running with the data folder ${dataDir}: stop it, or give this one a DATA_DIR of its own.`,
  )
}

async function cleanUpAfterCrash(cluster: string, log: ServerLogger): Promise<void> {
  const left = readPostmaster(cluster)
  if (!left) return
  await endOrphanedPostgres(cluster, log)
  if (left.socketFolder) removeStaleSocketFolder(left.socketFolder)
}

function checkVersion(cluster: string, binaries: EmbeddedPostgresBinaries): void {
  const major = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  if (major === binaries.major) return
  throw new StartupError(
    `The database in ${cluster} was made by PostgreSQL ${major} and this is ${binaries.major}: restore a backup into a new DATA_DIR.`,
  )
}

function address(at: { password: string; port: number; socketFolder: string }): string {
  const url = new URL(`postgres://${postgresRole}:${at.password}@127.0.0.1:${at.port}/${postgresRole}`)
  if (!windows) url.searchParams.set('host', at.socketFolder)
  return url.href
}

/** A stop ends database sessions and writes a checkpoint. Windows has no SIGINT. */
function requestStop(child: ChildProcess, { folder }: EmbeddedPostgresBinaries, cluster: string): void {
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
