/** The folder of the private PostgreSQL: made once, whole or not at all. */
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
import { CannotStart } from '#server/cannot-start.ts'
import { type Account, namedAccount } from './account.ts'
import type { Binaries } from './binaries.ts'

/** The one role that can log in, and its database. The superuser cannot, by any way but the single-user mode below. */
export const ROLE = 'juntas'

/** All that PostgreSQL's programs see of our environment: no setting of ours, and messages in English. */
export const programEnvironment: NodeJS.ProcessEnv = {
  ...(process.platform === 'win32' ? process.env : {}),
  LC_ALL: 'C',
  TZ: 'UTC',
}

/**
 * How a process that runs under another account is told of the folder: root opens it and passes the open folder on,
 * so none of the folders above has to let that account through.
 */
export function handOver(
  cluster: string,
  account: Account | null,
): { path: string; descriptor: number | null } {
  if (!account || process.platform !== 'linux') return { path: cluster, descriptor: null }
  return { path: '/proc/self/fd/3', descriptor: openSync(cluster, 'r') }
}

/** The role's password, made on first use and kept beside the cluster, for this account's eyes only. */
export function readPassword(dataDir: string): string {
  const path = join(dataDir, 'postgres-password')
  if (!existsSync(path)) {
    const draft = `${path}.new`
    writeFileSync(draft, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true })
    renameSync(draft, path)
  }
  return readFileSync(path, 'utf8').trim()
}

/**
 * Makes the cluster in a folder beside its own and renames it when it is complete: a start killed half-way leaves
 * nothing that the next one would trust.
 * @param account who is to own it; null means ourselves.
 */
export function createCluster(options: {
  cluster: string
  binaries: Binaries
  password: string
  account: Account | null
  durable: boolean
}): void {
  const { cluster, binaries, password, account, durable } = options
  const draft = `${cluster}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  const maker = account && namedAccount()
  if (maker) lchownSync(draft, maker.uid, maker.gid)
  const { path, descriptor } = handOver(draft, maker)

  const run = (program: string, args: string[], input?: string) =>
    execFileSync(join(binaries.folder, 'bin', program), args, {
      ...maker,
      cwd: binaries.folder,
      env: programEnvironment,
      input,
      stdio: ['pipe', 'pipe', 'pipe', descriptor ?? 'ignore'] satisfies StdioOptions,
    })
  try {
    run('initdb', [
      ...['-D', path, '-U', 'postgres', '--auth=reject', '--no-instructions'],
      // The builtin provider sorts and folds the same on every machine; plain C knows no letters outside ASCII.
      ...['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
      ...['--lc-collate=C', '--lc-ctype=C.UTF-8', '--text-search-config=simple'],
      ...(durable ? [] : ['--no-sync']),
    ])
    run(
      'postgres',
      ['--single', '-D', path, 'postgres'],
      [
        `create role ${ROLE} login createdb password '${password}'`,
        `create database ${ROLE} owner ${ROLE}`,
        '',
      ].join('\n'),
    )
  } catch (error) {
    const said = (error as { stderr?: Buffer }).stderr?.toString().trim()
    throw new CannotStart(`The private PostgreSQL could not be made in ${cluster}: ${said || error}`)
  } finally {
    if (descriptor !== null) closeSync(descriptor)
  }
  writeFileSync(join(draft, 'pg_hba.conf'), whoMayConnect, { flush: true })
  if (account) giveTo(draft, account)
  chmodSync(draft, 0o700)
  renameSync(draft, cluster)
  if (durable && process.platform !== 'win32') syncFolder(join(cluster, '..'))
}

const whoMayConnect =
  process.platform === 'win32'
    ? `host all ${ROLE} 127.0.0.1/32 scram-sha-256\n`
    : `local all ${ROLE} scram-sha-256\n`

function giveTo(path: string, { uid, gid }: Account): void {
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
