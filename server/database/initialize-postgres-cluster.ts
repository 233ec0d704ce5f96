import { execFileSync, type StdioOptions } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  lchownSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '#server/startup-error.ts'
import type { EmbeddedPostgresBinaries } from './embedded-postgres-binaries.ts'
import { findUnprivilegedUnixUser, type UnixUser } from './postgres-unix-user.ts'

/**
 * The name of the only role that can log in, and of its database. The superuser can log in only in
 * single-user mode.
 */
export const postgresRole = 'juntas'

/** Excludes the server's secrets, and makes messages English. */
export const postgresEnvironment: NodeJS.ProcessEnv = {
  ...(process.platform === 'win32' ? process.env : {}),
  LC_ALL: 'C',
  TZ: 'UTC',
}

/**
 * A child process of another user inherits the folder as descriptor 3, and needs no access to parent folders.
 */
export function openClusterFolderDescriptor(
  cluster: string,
  user: UnixUser | null,
): { path: string; descriptor: number | null } {
  if (!user || process.platform !== 'linux') return { path: cluster, descriptor: null }
  return { path: '/proc/self/fd/3', descriptor: openSync(cluster, 'r') }
}

/** Only the server's user can read the password's file. */
export function readOrCreatePostgresPassword(dataDir: string): string {
  const path = join(dataDir, 'postgres-password')
  if (!existsSync(path)) {
    const draft = `${path}.new`
    writeFileSync(draft, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true })
    renameSync(draft, path)
  }
  return readFileSync(path, 'utf8').trim()
}

/**
 * Creates the cluster under a temporary name, so that an interrupted run leaves no partial cluster.
 * @param options.user owns the cluster; null for this process's user
 * @throws StartupError with initdb's message
 */
export function initializePostgresCluster(options: {
  cluster: string
  binaries: EmbeddedPostgresBinaries
  password: string
  user: UnixUser | null
  durable: boolean
}): void {
  const { cluster, binaries, password, user, durable } = options
  const draft = `${cluster}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  const initUser = user && findUnprivilegedUnixUser()
  if (initUser) lchownSync(draft, initUser.uid, initUser.gid)
  const { path, descriptor } = openClusterFolderDescriptor(draft, initUser)

  const run = (program: string, args: string[], input?: string) =>
    execFileSync(join(binaries.folder, 'bin', program), args, {
      ...initUser,
      cwd: binaries.folder,
      env: postgresEnvironment,
      input,
      stdio: ['pipe', 'pipe', 'pipe', descriptor ?? 'ignore'] satisfies StdioOptions,
    })
  try {
    run('initdb', [
      ...['-D', path, '-U', 'postgres', '--auth=reject', '--no-instructions'],
      // The builtin provider works identically on every machine. Plain C handles only ASCII letters.
      ...['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
      ...['--lc-collate=C', '--lc-ctype=C.UTF-8', '--text-search-config=simple'],
      ...(durable ? [] : ['--no-sync']),
    ])
    run(
      'postgres',
      ['--single', '-D', path, 'postgres'],
      [
        `create role ${postgresRole} login createdb password '${password}'`,
        `create database ${postgresRole} owner ${postgresRole}`,
        '',
      ].join('\n'),
    )
  } catch (error) {
    const stderr = (error as { stderr?: Buffer }).stderr?.toString().trim()
    throw new StartupError(`The embedded PostgreSQL could not be created in ${cluster}: ${stderr || error}`)
  } finally {
    if (descriptor !== null) closeSync(descriptor)
  }
  writeFileSync(join(draft, 'pg_hba.conf'), hbaRules, { flush: true })
  if (user) changeOwner(draft, user)
  chmodSync(draft, 0o700)
  renameSync(draft, cluster)
  if (durable && process.platform !== 'win32') syncFolder(join(cluster, '..'))
}

const hbaRules =
  process.platform === 'win32'
    ? `host all ${postgresRole} 127.0.0.1/32 scram-sha-256\n`
    : `local all ${postgresRole} scram-sha-256\n`

function changeOwner(path: string, { uid, gid }: UnixUser): void {
  for (const entry of readdirSync(path, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(path, entry), uid, gid)
  }
  lchownSync(path, uid, gid)
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  fsyncSync(folder)
  closeSync(folder)
}
