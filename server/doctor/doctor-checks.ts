/** The checks of `npm run doctor` and the operator's screen, each with a sentence. They change nothing and remove test writes. */
import { randomUUID } from 'node:crypto'
import { accessSync, constants, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { readFile, statfs, writeFile } from 'node:fs/promises'
import { tmpdir, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import proxyAddr from '@fastify/proxy-addr'
import { Client } from 'pg'
import { findMissingPictures } from '../backup/copy-pictures.ts'
import { type BackupState, readBackupState } from '../backup/record-backup.ts'
import { findLastRuns } from '../backup/scheduled-backup.ts'
import type { ListableBlobStore } from '../blobs/blob-store.ts'
import { openBlobPlaces, openBlobStore } from '../blobs/open-blob-store.ts'
import type { Config } from '../config.ts'
import { choosePostgres } from '../database/choose-postgres.ts'
import { findEmbeddedPostgresUrl } from '../database/embedded-postgres.ts'
import { findBrokenInvariants } from '../database/invariants.ts'
import {
  type AppliedMigration,
  countMatchingMigrations,
  countShippedMigrations,
} from '../database/migrate.ts'
import { buildMissingDatabaseSettingStatements } from '../database/open-database.ts'
import { maskSmtpSecrets } from '../email/mail.ts'
import { createImageProcessor, type ImageProcessor } from '../files/image-processor.ts'
import { readFileMove } from '../files/move/file-move-state.ts'
import { generateId } from '../ids.ts'
import { describeStartupError } from '../startup-error.ts'
import { describeVersion, findOtherVersionOnDisk, readInstalledVersion, runningVersion } from '../version.ts'
import { findKeyProblem } from './find-key-problem.ts'

export type DoctorVerdict = 'ok' | 'warning' | 'failure'
export type DoctorFinding = { verdict: DoctorVerdict; sentence: string }

const ok = (sentence: string): DoctorFinding => ({ verdict: 'ok', sentence })
const warning = (sentence: string): DoctorFinding => ({ verdict: 'warning', sentence })
const failure = (sentence: string): DoctorFinding => ({ verdict: 'failure', sentence })

export type DoctorCheck = {
  /** @param images of the running server; the command starts its own */
  examine(config: Config, images?: ImageProcessor): Promise<DoctorFinding | DoctorFinding[]>
  /** Reads every row or file, so that only the command does it. */
  thorough?: true
}

/** Milliseconds per service. */
const answerTimeoutMs = 5000
const GB = 1e9
/** Space kept free by uploads (server/blobs/disk-blob-store.ts), and when to warn (fault T10). */
const reserve = { share: 0.1, bytes: 2 * GB }
const earlyShare = 0.2

async function checkVersion(): Promise<DoctorFinding> {
  const other = findOtherVersionOnDisk()
  return other
    ? warning(
        `Juntas ${describeVersion(runningVersion)} runs, and ${describeVersion(other)} is on disk: restart it.`,
      )
    : ok(`This is Juntas ${describeVersion(readInstalledVersion())}.`)
}

async function checkMachine(): Promise<DoctorFinding[]> {
  const major = Number(process.versions.node.split('.')[0])
  const memory = totalmem() / GB
  return [
    major >= 26
      ? ok(`Node is ${process.versions.node}.`)
      : failure(`Node is ${process.versions.node}, and Juntas needs 26: npm run doctor brings its own.`),
    memory >= 1
      ? ok(`There are ${memory.toFixed(1)} GB of memory.`)
      : warning(
          `There are ${memory.toFixed(1)} GB of memory; a large picture being read needs 0.6 GB by itself.`,
        ),
  ]
}

async function checkDataFolder({ dataDir }: Config): Promise<DoctorFinding[]> {
  const standing = nearestExistingFolder(dataDir)
  try {
    accessSync(standing, constants.W_OK | constants.X_OK)
  } catch {
    return [failure(`This account may not write to ${standing}, where DATA_DIR is: give it to this account.`)]
  }
  const found: DoctorFinding[] = []
  const { bavail, blocks, bsize } = await statfs(standing)
  const [free, share] = [bavail * bsize, bavail / blocks]
  const kept = Math.min(blocks * bsize * reserve.share, reserve.bytes)
  const told = `${(free / GB).toFixed(1)} GB are free where DATA_DIR is (${Math.round(share * 100)} %)`
  if (free < kept) found.push(failure(`${told}: uploads are refused below ${(kept / GB).toFixed(1)} GB.`))
  else found.push(share < earlyShare ? warning(`${told}: make room soon.`) : ok(`${told}.`))
  const open = existsSync(dataDir) && process.platform !== 'win32' && (statSync(dataDir).mode & 0o007) !== 0
  if (open) found.push(warning(`Everybody on this machine may look into ${dataDir}: chmod o-rwx ${dataDir}.`))
  return found
}

function nearestExistingFolder(path: string): string {
  return existsSync(path) ? path : nearestExistingFolder(dirname(path))
}

async function checkDatabase(config: Config): Promise<DoctorFinding[]> {
  const url = config.databaseDirectUrl ?? config.databaseUrl ?? findEmbeddedPostgresUrl(config.dataDir)
  if (!url) return [describeStoppedEmbeddedDatabase(config)]
  const where = config.databaseUrl ? 'The database at DATABASE_URL' : 'The embedded database'
  const client = new Client({ connectionString: url, connectionTimeoutMillis: answerTimeoutMs })
  try {
    await client.connect()
    return [await checkDatabaseServer(client, where), ...(await checkSchema(client, where))]
  } catch (error) {
    return [failure(`${where} does not answer: ${(error as Error).message}.`)]
  } finally {
    await client.end().catch(() => {})
  }
}

/** The packaged PostgreSQL gets security fixes later than a system's, and with old libraries. */
async function checkPostgresPrograms(config: Config): Promise<DoctorFinding[]> {
  if (config.databaseUrl || !config.production) return []
  try {
    const { packaged, folder } = choosePostgres({ dataDir: config.dataDir, setting: config.postgresBin })
    if (!packaged) return [ok(`The database runs on the system's PostgreSQL in ${folder}.`)]
    return [
      warning(
        'The database runs on the packaged PostgreSQL, whose fixes come later than a system’s: install PostgreSQL of the same major version with its contrib extensions, or set DATABASE_URL.',
      ),
    ]
  } catch (error) {
    return [failure(String(describeStartupError(error)))]
  }
}

async function checkPooler({ databaseUrl, databaseDirectUrl }: Config): Promise<DoctorFinding[]> {
  if (!databaseDirectUrl) return []
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: answerTimeoutMs })
  try {
    await client.connect()
    const missing = await buildMissingDatabaseSettingStatements(client)
    if (missing.length === 0)
      return [ok('The pooler at DATABASE_URL answers, and the database has our settings.')]
    return [warning(`Behind the pooler the database lacks settings of ours: ${missing.join('; ')}.`)]
  } catch (error) {
    return [failure(`The pooler at DATABASE_URL does not answer: ${(error as Error).message}.`)]
  } finally {
    await client.end().catch(() => {})
  }
}

function describeStoppedEmbeddedDatabase({ dataDir, postgresBin }: Config): DoctorFinding {
  const versionFile = join(dataDir, 'postgres', 'PG_VERSION')
  try {
    const { major } = choosePostgres({ dataDir, setting: postgresBin })
    if (!existsSync(versionFile))
      return ok(`There is no database yet; the first start makes one (PostgreSQL ${major}).`)
    return warning(
      'The embedded database does not run, so nothing was asked of it: start Juntas, then ask again.',
    )
  } catch (error) {
    return failure(String(describeStartupError(error)))
  }
}

async function checkDatabaseServer(client: Client, where: string): Promise<DoctorFinding> {
  const { rows } = await client.query<{
    version: string
    number: number
    encoding: string
    apart: number
    may: boolean
  }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
       current_setting('server_encoding') as encoding,
       extract(epoch from clock_timestamp())::float8 - $1::float8 as apart,
       has_database_privilege(current_database(), 'create') as may`,
    [Date.now() / 1000],
  )
  const [{ version, number, encoding, apart, may }] = rows as [(typeof rows)[number]]
  if (number < 150_000) return failure(`${where} is PostgreSQL ${version}; Juntas needs 15 or newer.`)
  if (encoding !== 'UTF8') return failure(`${where} stores text as ${encoding}; Juntas needs UTF8.`)
  if (!may) return failure(`${where} does not let our user create anything: make it the database's owner.`)
  if (Math.abs(apart) > 5) {
    return warning(
      `${where} and this machine disagree about the time by ${apart.toFixed(0)} s: keep both on NTP.`,
    )
  }
  return ok(`${where} answers: PostgreSQL ${version}, clocks agree.`)
}

async function checkSchema(client: Client, where: string): Promise<DoctorFinding[]> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('public.migrations') is not null as there`,
  )
  if (!rows[0]?.there) return [ok(`${where} is empty; the first start fills it.`)]
  const { rows: applied } = await client.query<AppliedMigration>(
    'select number, name, checksum from migrations order by number',
  )
  let known: number
  try {
    known = countMatchingMigrations(applied)
  } catch (error) {
    return [failure(String(describeStartupError(error)))]
  }
  const missing = countShippedMigrations() - known
  return [
    missing > 0
      ? warning(`${missing} migrations are not applied yet; the next start does it.`)
      : ok(`All ${known} migrations are applied.`),
  ]
}

/** Only on this version's schema, which the invariants describe. */
async function checkInvariants(config: Config): Promise<DoctorFinding[]> {
  const url = config.databaseDirectUrl ?? config.databaseUrl ?? findEmbeddedPostgresUrl(config.dataDir)
  if (!url) return []
  const client = new Client({ connectionString: url, connectionTimeoutMillis: answerTimeoutMs })
  try {
    await client.connect()
    const { rows } = await client.query<AppliedMigration>(
      'select number, name, checksum from migrations order by number',
    )
    if (countMatchingMigrations(rows) < countShippedMigrations()) return []
    const broken = await findBrokenInvariants(client)
    const [first] = broken
    return [
      first
        ? failure(
            `${broken.length} rows break an invariant, e.g. ${first.invariant} (${first.concerns}): npm run invariants.`,
          )
        : ok('All invariants hold.'),
    ]
  } catch {
    // Another check reports an unreachable service or another schema.
    return []
  } finally {
    await client.end().catch(() => {})
  }
}

/** Whether attached files' bytes exist. */
async function checkPictureFiles(config: Config): Promise<DoctorFinding[]> {
  const url = config.databaseDirectUrl ?? config.databaseUrl ?? findEmbeddedPostgresUrl(config.dataDir)
  if (!url) return []
  const client = new Client({ connectionString: url, connectionTimeoutMillis: answerTimeoutMs })
  try {
    await client.connect()
    const { rows } = await client.query<{ there: boolean }>(
      `select to_regclass('public.files') is not null as there`,
    )
    if (!rows[0]?.there) return []
    // Opening the store would create its folder.
    const folder = join(config.dataDir, 'files')
    const blobs = config.s3 || existsSync(folder) ? await openBlobStore(config) : null
    const { pictures, missing, some } = await findMissingPictures(client, blobs)
    if (pictures === 0) return []
    if (missing === 0) return [ok(`All ${pictures} pictures that members show have their bytes.`)]
    return [
      failure(
        `${missing} of ${pictures} pictures that members show have lost their bytes, e.g. ${some.join(', ')}: bring them back from a backup.`,
      ),
    ]
  } catch {
    // Another check reports an unreachable service.
    return []
  } finally {
    await client.end().catch(() => {})
  }
}

/** Whether files are on their way between the disk and S3. */
async function checkFileMove(config: Config): Promise<DoctorFinding[]> {
  const url = config.databaseDirectUrl ?? config.databaseUrl ?? findEmbeddedPostgresUrl(config.dataDir)
  if (!url) return []
  const client = new Client({ connectionString: url, connectionTimeoutMillis: answerTimeoutMs })
  try {
    await client.connect()
    const { rows } = await client.query<{ there: boolean }>(
      `select to_regclass('public.file_move') is not null as there`,
    )
    const move = rows[0]?.there ? await readFileMove(client) : null
    if (move && !move.verified_at)
      return [
        warning(`A move of files is unfinished: npm run files -- move --to ${move.target} goes on with it.`),
      ]
    if (config.s3) return await checkBothPlaces(config)
    return move && (move.target === 's3' || !move.ended_at)
      ? [failure('Files were moved and S3 may still hold some, but the settings S3_* are missing.')]
      : []
  } catch {
    // Another check reports an unreachable service.
    return []
  } finally {
    await client.end().catch(() => {})
  }
}

async function checkBothPlaces(config: Config): Promise<DoctorFinding[]> {
  if (!existsSync(join(config.dataDir, 'files'))) return []
  const { disk, s3 } = await openBlobPlaces(config)
  const [onDisk, inBucket] = await Promise.all([holdsFiles(disk), s3 && holdsFiles(s3)])
  if (onDisk && inBucket)
    return [
      warning(
        `Both the disk and the bucket hold files: npm run files -- move --to ${config.filesStore}, then clean-up.`,
      ),
    ]
  if (config.filesStore === 'disk' && !inBucket)
    return [warning('The bucket holds no files any more: remove S3_* and FILES_STORE from the settings.')]
  return []
}

async function holdsFiles(store: ListableBlobStore): Promise<boolean> {
  for await (const _ of store.list()) return true
  return false
}

/** Whether scheduled backups succeed, and where they are. */
async function checkBackups(config: Config): Promise<DoctorFinding[]> {
  const { backupSchedule: pattern, backupFolder: folder, backupRecipients, dataDir } = config
  if (!pattern || !folder) return []
  const found: DoctorFinding[] = []
  if (backupRecipients.length === 0)
    found.push(warning('Scheduled backups are not encrypted: name a public key in BACKUP_RECIPIENT.'))
  const standing = nearestExistingFolder(folder)
  try {
    accessSync(standing, constants.W_OK | constants.X_OK)
  } catch {
    found.push(failure(`This account may not write to ${standing}, where BACKUP_FOLDER is.`))
  }
  if (statSync(standing).dev === statSync(nearestExistingFolder(dataDir)).dev)
    found.push(warning('BACKUP_FOLDER is on the disk of DATA_DIR: a broken disk takes both.'))
  const url = config.databaseDirectUrl ?? config.databaseUrl ?? findEmbeddedPostgresUrl(dataDir)
  if (!url) return found
  const client = new Client({ connectionString: url, connectionTimeoutMillis: answerTimeoutMs })
  try {
    await client.connect()
    return [...found, ...describeBackupState(await readBackupState(client), pattern)]
  } catch {
    // Another check reports an unreachable service.
    return found
  } finally {
    await client.end().catch(() => {})
  }
}

function describeBackupState({ age, failedAt, error }: BackupState, pattern: string): DoctorFinding[] {
  const found: DoctorFinding[] = []
  if (failedAt) found.push(failure(`The scheduled backup failed at ${failedAt.toISOString()}: ${error}`))
  const [last, before] = findLastRuns(pattern, new Date())
  // One that is being made now may still be missing.
  if (age === null) found.push(warning('There is no backup yet.'))
  else if (before && last && age * 1000 > Date.now() - before.getTime())
    found.push(failure(`The newest backup is ${Math.round(age / 3600)} hours old, older than the schedule.`))
  else if (!failedAt) found.push(ok(`The newest backup is ${Math.round(age / 3600)} hours old.`))
  return found
}

async function checkImageDecoding(_config: Config, running?: ImageProcessor): Promise<DoctorFinding> {
  const folder = mkdtempSync(join(tmpdir(), 'juntas-doctor-'))
  const images = running ?? createImageProcessor()
  try {
    const input = join(folder, 'input')
    await writeFile(input, Buffer.from(onePixel, 'base64'))
    await images.ingest(0, input, folder)
    return ok('Pictures can be read and drawn.')
  } catch (error) {
    return failure(`Pictures cannot be read on this machine: ${(error as Error).message}.`)
  } finally {
    if (!running) images.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Writes, reads and deletes a test object to check permissions. */
async function checkBucket(config: Config): Promise<DoctorFinding[]> {
  if (!config.s3) return []
  const { endpoint, bucket } = config.s3
  const where = `The bucket ${bucket} at ${endpoint}`
  const dataDir = mkdtempSync(join(tmpdir(), 'juntas-doctor-'))
  const key = generateId(32)
  try {
    const blobs = await openBlobStore({ s3: config.s3, dataDir })
    await using scratch = await blobs.begin(100)
    const said = randomUUID()
    await writeFile(join(scratch.path, 'try'), said)
    await blobs.finish(key, { original: join(scratch.path, 'try') })
    const opened = await blobs.open(key, 'original')
    const heard = opened && String(await buffer(opened.read()))
    await blobs.remove(key)
    return [
      heard === said
        ? ok(`${where} takes, gives and removes.`)
        : failure(`${where} gave back something else.`),
    ]
  } catch (error) {
    const cause = (error as Error).cause
    return [
      failure(
        `${where} cannot be used: ${cause instanceof Error ? cause.message : (error as Error).message}`,
      ),
    ]
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function checkRedis({ redisUrl }: Config): Promise<DoctorFinding[]> {
  if (!redisUrl) return []
  const { createClient } = await import('redis')
  const client = createClient({
    url: redisUrl,
    socket: { connectTimeout: answerTimeoutMs, reconnectStrategy: false },
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.ping()
    return [ok('Redis answers.')]
  } catch (error) {
    return [
      warning(
        `Redis at REDIS_URL does not answer (${(error as Error).message}); until it does, PostgreSQL stands in.`,
      ),
    ]
  } finally {
    client.destroy()
  }
}

async function checkMailAndSms({ smtpUrl, smsUrl, production }: Config): Promise<DoctorFinding[]> {
  const found: DoctorFinding[] = []
  if (smtpUrl) {
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({
      url: smtpUrl,
      connectionTimeout: answerTimeoutMs,
      greetingTimeout: answerTimeoutMs,
    })
    const refusal = await transport.verify().then(
      () => null,
      (error: Error) => error.message,
    )
    transport.close()
    found.push(
      refusal
        ? failure(`The mail server at SMTP_URL refuses us: ${maskSmtpSecrets(refusal, smtpUrl)}`)
        : ok('The mail server lets us in.'),
    )
  } else if (production) found.push(warning('There is no SMTP_URL: nobody can recover a password.'))
  if (smsUrl) {
    const answers = await fetch(smsUrl, {
      method: 'HEAD',
      signal: AbortSignal.timeout(answerTimeoutMs),
    }).then(
      () => true,
      () => false,
    )
    found.push(
      answers ? ok('The gateway at SMS_URL answers.') : failure('The gateway at SMS_URL does not answer.'),
    )
  }
  return found
}

async function checkPublicUrl({ publicUrl, production, trustedProxies }: Config): Promise<DoctorFinding[]> {
  if (!publicUrl) return []
  const found: DoctorFinding[] = []
  if (production && trustedProxies.length === 0) {
    found.push(
      warning(
        'TRUSTED_PROXIES names no proxy: behind one, all members share its address in the rate limits.',
      ),
    )
  }
  const status = await fetch(`${publicUrl}/health/live`, {
    signal: AbortSignal.timeout(answerTimeoutMs),
  }).then(
    (answer) => answer.status,
    (error: Error) => describeCertificateProblem(error.cause),
  )
  if (typeof status === 'string')
    found.push(failure(`Browsers refuse the certificate at ${publicUrl}: ${status}. Renew it at the proxy.`))
  else if (status === 200) found.push(ok(`Juntas answers at ${publicUrl}.`))
  else if (status === null)
    found.push(warning(`Nothing answers at ${publicUrl}; while Juntas runs, this must.`))
  else
    found.push(failure(`Something else than Juntas answers at ${publicUrl} (${status}): look at the proxy.`))
  return found
}

/** Of a failed TLS handshake; null for other errors. */
export function describeCertificateProblem(cause: unknown): string | null {
  if (!(cause instanceof Error) || !('code' in cause)) return null
  const isAboutCertificate = /CERT|VERIFY|ISSUER|SIGNATURE/.test(String(cause.code))
  return isAboutCertificate ? cause.message.replace(/[.;].*$/, '') : null
}

const comparedSessions = 50

/**
 * Whether clients' addresses reach the server. Docker's userland proxy hides them: all of its clients have the
 * gateway's, which lies in the range of the proxy.
 */
async function checkClientAddresses(config: Config): Promise<DoctorFinding[]> {
  const url = config.databaseDirectUrl ?? config.databaseUrl ?? findEmbeddedPostgresUrl(config.dataDir)
  if (!url || config.trustedProxies.length === 0) return []
  const client = new Client({ connectionString: url, connectionTimeoutMillis: answerTimeoutMs })
  try {
    await client.connect()
    const { rows } = await client.query<{ address: string }>(
      `select host(ip::inet) as address from sessions where ip is not null order by id desc limit ${comparedSessions}`,
    )
    const isTrusted = proxyAddr.compile(config.trustedProxies)
    const [first] = rows
    if (!first || !rows.every(({ address }) => isTrusted(address, 0))) return []
    return [
      warning(
        `The last ${rows.length} sessions have addresses of proxies, e.g. ${first.address}: members share one rate limit. See docs/self-hosting.md on containers.`,
      ),
    ]
  } catch {
    // Another check reports an unreachable service.
    return []
  } finally {
    await client.end().catch(() => {})
  }
}

async function checkInstanceKey(config: Config): Promise<DoctorFinding[]> {
  const url = config.databaseDirectUrl ?? config.databaseUrl ?? findEmbeddedPostgresUrl(config.dataDir)
  if (!url) return []
  try {
    const problem = await findKeyProblem(config, url)
    return [problem ? failure(problem) : ok('The instance’s key is the one that secrets are sealed with.')]
  } catch {
    // Another check reports an unreachable service.
    return []
  }
}

async function checkDatabasePasswordFile({ dataDir }: Config): Promise<DoctorFinding[]> {
  const path = join(dataDir, 'postgres-password')
  if (!existsSync(path) || process.platform === 'win32') return []
  const mode = statSync(path).mode & 0o077
  const readable = await readFile(path).then(
    () => true,
    () => false,
  )
  if (!readable)
    return [failure(`This account may not read ${path}: run as the account that owns ${dataDir}.`)]
  return mode === 0 ? [] : [failure(`Others may read the database's password: chmod 600 ${path}.`)]
}

/** Hundreds of old upload folders indicate crashes. */
async function checkUnfinishedUploads({ dataDir }: Config): Promise<DoctorFinding[]> {
  const folder = join(dataDir, 'files', 'scratch')
  if (!existsSync(folder)) return []
  const left = readdirSync(folder).length
  return left > 200
    ? [warning(`${left} unfinished uploads lie in ${folder}; what is older than an hour goes by itself.`)]
    : []
}

const checks: readonly DoctorCheck[] = [
  { examine: checkVersion },
  { examine: checkMachine },
  { examine: checkDataFolder },
  { examine: checkDatabasePasswordFile },
  { examine: checkUnfinishedUploads },
  { examine: checkPostgresPrograms },
  { examine: checkDatabase },
  { examine: checkInvariants, thorough: true },
  { examine: checkInstanceKey },
  { examine: checkPooler },
  { examine: checkPictureFiles, thorough: true },
  { examine: checkFileMove },
  { examine: checkBackups },
  { examine: checkImageDecoding },
  { examine: checkBucket },
  { examine: checkRedis },
  { examine: checkMailAndSms },
  { examine: checkPublicUrl },
  { examine: checkClientAddresses },
]

/** A check that cannot read what it examines reports that, and the others go on. */
export const doctorChecks: readonly DoctorCheck[] = checks.map((check) => ({
  ...check,
  examine: async (config, images) => {
    try {
      return await check.examine(config, images)
    } catch (error) {
      const said = describeStartupError(error)
      if (typeof said !== 'string') throw error
      return failure(said)
    }
  },
}))

/** Runs the checks that a running server can afford, at once. */
export async function examineQuickly(config: Config, images: ImageProcessor): Promise<DoctorFinding[]> {
  const quick = doctorChecks.filter(({ thorough }) => !thorough)
  return (await Promise.all(quick.map(({ examine }) => examine(config, images)))).flat()
}
