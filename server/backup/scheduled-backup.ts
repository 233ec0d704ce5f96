/**
 * A scheduled backup runs on one node, in its own process, so that members are not slowed down. Older backups
 * are deleted only after it is complete.
 */
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { Cron } from 'croner'
import { Client } from 'pg'
import { openBlobStore } from '#server/blobs/open-blob-store.ts'
import type { Config } from '#server/config.ts'
import { findEmbeddedPostgresUrl } from '#server/database/embedded-postgres.ts'
import type { ServerLogger } from '#server/log.ts'
import { StartupError } from '#server/startup-error.ts'
import { recordBackup } from './backup-records.ts'
import { createBackup } from './create-backup.ts'
import { type BackupManifest, backupManifestPath, readBackupManifest } from './manifest.ts'
import { verifyBackup } from './verify-backup.ts'

export type ScheduledBackupResult = 'made' | 'failed' | 'not due' | 'elsewhere'

/** Attempts per scheduled time. */
const maxAttempts = 4
const retryMinutes = 10
/** The concurrency is low, because members' requests also need the disk. */
const concurrency = 4
/** Uploads keep the same reserve (server/blobs/disk-blob-store.ts). */
const freeSpaceReserve = { share: 0.1, bytes: 2e9 }
const maxErrorLength = 500

const finishedName = /^juntas-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/
const unfinishedSuffix = '.unfinished'
const nameOf = (dueAt: Date) => `juntas-${dueAt.toISOString().slice(0, 19).replaceAll(':', '-')}Z`

export function findLastRuns(pattern: string, now: Date): Date[] {
  // A time in the current second counts as due.
  return new Cron(pattern, { paused: true }).previousRuns(2, new Date(now.getTime() + 1000))
}

type ScheduleRow = { due_at: Date; attempts: number; next_attempt_at: Date | null }

/** A new schedule only records its first time, so that starting the server makes no backup. */
export async function isBackupDue(db: Pick<Client, 'query'>, pattern: string, now: Date): Promise<boolean> {
  const [due] = findLastRuns(pattern, now)
  if (!due) return false
  const { rowCount } = await db.query(
    'insert into backup_schedule (due_at) values ($1) on conflict do nothing',
    [due],
  )
  if (rowCount === 1) return false
  const { rows } = await db.query<ScheduleRow>(
    'select due_at, attempts, next_attempt_at from backup_schedule',
  )
  const [row] = rows
  if (!row) return false
  if (due > row.due_at) return true
  return row.next_attempt_at !== null && row.next_attempt_at <= now && row.attempts < maxAttempts
}

export async function runScheduledBackup(
  config: Config,
  log: ServerLogger,
  now = new Date(),
): Promise<ScheduledBackupResult> {
  const { backupSchedule: pattern, backupFolder: folder } = config
  if (!pattern || !folder) throw new StartupError('BACKUP_SCHEDULE and BACKUP_FOLDER are not set.')
  const url = config.databaseDirectUrl ?? config.databaseUrl ?? findEmbeddedPostgresUrl(config.dataDir)
  if (!url) throw new StartupError('The database does not run.')
  const db = new Client({ connectionString: url, application_name: 'juntas scheduled backup' })
  db.on('error', () => {})
  await db.connect()
  try {
    await db.query('set idle_session_timeout = 0')
    const { rows } = await db.query<{ mine: boolean }>(
      `select pg_try_advisory_lock(hashtext('scheduled backup')) as mine`,
    )
    if (!rows[0]?.mine) return 'elsewhere'
    if (!(await isBackupDue(db, pattern, now))) return 'not due'
    const [dueAt] = findLastRuns(pattern, now) as [Date]
    await db.query(
      `update backup_schedule set attempts = case when due_at = $1 then attempts + 1 else 1 end, due_at = $1,
         next_attempt_at = $2`,
      [dueAt, new Date(now.getTime() + retryMinutes * 60_000)],
    )
    try {
      await makeBackup(config, log, db, { url, folder, pattern, dueAt })
      return 'made'
    } catch (error) {
      log.error({ err: error }, 'the scheduled backup failed')
      await db.query('update backup_schedule set failed_at = clock_timestamp(), error = $1', [
        ((error as Error).message || 'unknown').slice(0, maxErrorLength),
      ])
      return 'failed'
    }
  } finally {
    await db.end().catch(() => {})
  }
}

async function makeBackup(
  config: Config,
  log: ServerLogger,
  db: Client,
  { url, folder, pattern, dueAt }: { url: string; folder: string; pattern: string; dueAt: Date },
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const finished = join(folder, nameOf(dueAt))
  // A node may have been killed after the rename.
  if (!existsSync(backupManifestPath(finished))) {
    const unfinished = `${finished}${unfinishedSuffix}`
    if (!existsSync(backupManifestPath(unfinished))) {
      const [previous] = await listFinishedBackups(folder)
      const { lost } = await createBackup({ url, blobs: await openBlobStore(config) }, unfinished, {
        recipients: config.backupRecipients,
        previous: previous ? join(folder, previous) : null,
        concurrency,
        assertSpace: () => assertSpace(folder),
      })
      if (lost.length > 0)
        log.error({ lost }, 'the bytes of pictures were missing or damaged before the backup')
    }
    await verifyBackup(unfinished, { concurrency }).catch(async (error) => {
      // A damaged backup would fail again.
      await rm(unfinished, { recursive: true, force: true })
      throw error
    })
    await rename(unfinished, finished)
  }
  await recordBackup(db, finished, await readBackupManifest(finished), { scheduled: true, verified: true })
  await db.query('update backup_schedule set next_attempt_at = null, failed_at = null, error = null')
  const next = new Cron(pattern, { paused: true }).nextRun(dueAt) ?? dueAt
  await deleteOldBackups(folder, nameOf(dueAt), { config, next })
  log.info({ folder: finished }, 'backed up')
}

async function assertSpace(folder: string): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(folder)
  const reserved = Math.min(blocks * bsize * freeSpaceReserve.share, freeSpaceReserve.bytes)
  if (bavail * bsize < reserved) throw new StartupError('BACKUP_FOLDER has too little free space.')
}

export async function listFinishedBackups(folder: string): Promise<string[]> {
  const names = existsSync(folder) ? await readdir(folder) : []
  return names
    .filter((name) => finishedName.test(name) && existsSync(backupManifestPath(join(folder, name))))
    .sort()
    .reverse()
}

/**
 * Deletes backups beyond BACKUP_KEEP, or older than BACKUP_KEEP_DAYS before the next run. The newest backup
 * always stays.
 */
async function deleteOldBackups(
  folder: string,
  newest: string,
  { config, next }: { config: Config; next: Date },
): Promise<void> {
  const keptSince = next.getTime() - config.backupKeepDays * 86_400_000
  for (const [index, name] of (await listFinishedBackups(folder)).entries()) {
    if (name === newest || (index < config.backupKeep && (await takenAt(join(folder, name))) >= keptSince))
      continue
    await deleteBackup(join(folder, name))
  }
  for (const name of await readdir(folder)) {
    const isLeft =
      name.endsWith(unfinishedSuffix) && finishedName.test(name.slice(0, -unfinishedSuffix.length))
    if (isLeft) await rm(join(folder, name), { recursive: true, force: true })
  }
}

/** Deletes the manifest first, so that a partly deleted backup does not count. */
async function deleteBackup(folder: string): Promise<void> {
  await rm(backupManifestPath(folder), { force: true })
  await rename(folder, `${folder}${unfinishedSuffix}`)
  await rm(`${folder}${unfinishedSuffix}`, { recursive: true, force: true })
}

async function takenAt(folder: string): Promise<number> {
  const manifest: BackupManifest | null = await readBackupManifest(folder).catch(() => null)
  return manifest ? Date.parse(manifest.taken) : Number.POSITIVE_INFINITY
}
