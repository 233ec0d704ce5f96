import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { ClientBase } from 'pg'
import { type BackupManifest, backupPictureListPath, backupTablePath, isEncryptedBackup } from './manifest.ts'

export async function recordBackup(
  db: ClientBase,
  folder: string,
  manifest: BackupManifest,
  { scheduled, verified }: { scheduled: boolean; verified: boolean },
): Promise<void> {
  const { rows: there } = await db.query<{ is: boolean }>(`select to_regclass('backups') is not null as is`)
  // The database may have an older schema than this program.
  if (!there[0]?.is) return
  const { tables, pictures } = manifest
  const isEncrypted = isEncryptedBackup(manifest)
  let bytes = pictures.bytes
  const paths = Object.keys(tables).map((table) => backupTablePath(folder, table, isEncrypted))
  for (const path of [backupPictureListPath(folder), ...paths])
    if (existsSync(path)) bytes += (await stat(path)).size
  await db.query(
    `insert into backups (name, scheduled, rows, files, bytes, encrypted, verified) values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      basename(folder).slice(0, 255) || '/',
      scheduled,
      Object.values(tables).reduce((sum, { rows }) => sum + rows, 0),
      pictures.count,
      bytes,
      isEncrypted,
      verified,
    ],
  )
}

export type BackupState = {
  /** Seconds since the newest backup; null if there is none. */
  age: number | null
  failedAt: Date | null
  error: string | null
}

export async function readBackupState(db: Pick<ClientBase, 'query'>): Promise<BackupState> {
  const { rows } = await db.query<BackupState>(
    `select (select extract(epoch from clock_timestamp() - max(finished_at))::float8 from backups) as age,
       s.failed_at as "failedAt", s.error
     from (select 1) one left join backup_schedule s on true`,
  )
  return rows[0] as BackupState
}
