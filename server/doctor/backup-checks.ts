import { accessSync, constants, statSync } from 'node:fs'
import { Client } from 'pg'
import { type BackupState, readBackupState } from '../backup/backup-records.ts'
import { findLastRuns } from '../backup/scheduled-backup.ts'
import type { Config } from '../config.ts'
import { findEmbeddedPostgresUrl } from '../database/embedded-postgres.ts'
import { answerTimeoutMs, type DoctorFinding, failure, ok, warning } from './doctor-finding.ts'
import { nearestExistingFolder } from './machine-checks.ts'

export async function checkBackups(config: Config): Promise<DoctorFinding[]> {
  const { backupSchedule: pattern, backupFolder: folder, backupRecipients, dataDir } = config
  if (!pattern || !folder) return []
  const found: DoctorFinding[] = []
  if (backupRecipients.length === 0)
    found.push(warning('Scheduled backups are not encrypted: set a public key in BACKUP_RECIPIENT.'))
  const standing = nearestExistingFolder(folder)
  try {
    accessSync(standing, constants.W_OK | constants.X_OK)
  } catch {
    found.push(failure(`The current user cannot write to ${standing}, which contains BACKUP_FOLDER.`))
  }
  if (statSync(standing).dev === statSync(nearestExistingFolder(dataDir)).dev)
    found.push(warning('BACKUP_FOLDER is on the same disk as DATA_DIR: if the disk fails, you lose both.'))
  const url = config.databaseDirectUrl ?? config.databaseUrl ?? findEmbeddedPostgresUrl(dataDir)
  if (!url) return found
  const client = new Client({ connectionString: url, connectionTimeoutMillis: answerTimeoutMs })
  try {
    await client.connect()
    return [...found, ...describeBackupState(await readBackupState(client), pattern)]
  } catch {
    // A separate check reports an unreachable service.
    return found
  } finally {
    await client.end().catch(() => {})
  }
}

function describeBackupState({ age, failedAt, error }: BackupState, pattern: string): DoctorFinding[] {
  const found: DoctorFinding[] = []
  if (failedAt) found.push(failure(`The scheduled backup failed at ${failedAt.toISOString()}: ${error}`))
  const [last, before] = findLastRuns(pattern, new Date())
  // A backup that is running now may still be missing.
  if (age === null) found.push(warning('There is no backup yet.'))
  else if (before && last && age * 1000 > Date.now() - before.getTime())
    found.push(failure(`The newest backup is ${Math.round(age / 3600)} hours old, older than the schedule.`))
  else if (!failedAt) found.push(ok(`The newest backup is ${Math.round(age / 3600)} hours old.`))
  return found
}
