/**
 * A backup copies most pictures without a snapshot, then new pictures and all rows in one snapshot (decision
 * 0085).
 */
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import type { BlobStore } from '#server/blobs/blob-store.ts'
import type { AppliedMigration } from '#server/database/migrate.ts'
import { StartupError } from '#server/startup-error.ts'
import { createEncryption } from './backup-encryption.ts'
import {
  buildBackupPictureCondition,
  copyPictures,
  type PictureCopying,
  writeBackupPictureList,
} from './copy-pictures.ts'
import { dumpTables, readSequenceValues } from './copy-tables.ts'
import {
  type BackupManifest,
  backupManifestPath,
  backupPictureFolderPath,
  backupPictureListPath,
  computeFileDigest,
  writeBackupManifest,
} from './manifest.ts'

/** If a picture is deleted between snapshot and copy, the backup takes another snapshot. */
const maxSnapshots = 20

/** A database without accounts probably means wrong settings. @throws StartupError */
export async function assertHasAccounts(url: string): Promise<void> {
  const db = await connectTo(url)
  try {
    const { rows } = await db.query('select from accounts limit 1')
    if (rows.length > 0) return
    throw new StartupError(
      'This instance has no accounts, so nothing was backed up: check the settings, or add --allow-empty.',
    )
  } finally {
    await db.end()
  }
}

/**
 * Continues an unfinished backup.
 * @param from a database without a pooler, and its blob store
 * @param options.recipients public keys; without any, the backup is readable
 * @throws StartupError if the folder has other content
 */
export async function createBackup(
  from: { url: string; blobs: BlobStore },
  folder: string,
  { recipients = [], ...options }: Partial<Omit<PictureCopying, 'encrypt'>> = {},
): Promise<BackupManifest> {
  const copying = { ...options, recipients, encrypt: await createEncryption(recipients) }
  checkFolder(folder)
  // An interrupted backup may have been encrypted for other recipients.
  await rm(join(folder, 'database'), { recursive: true, force: true })
  await mkdir(join(folder, 'database'), { recursive: true, mode: 0o700 })
  await mkdir(join(folder, 'files'), { recursive: true, mode: 0o700 })
  const db = await connectTo(from.url)
  const now = await connectTo(from.url)
  try {
    await copyPictures(now, from.blobs, folder, copying)
    for (let snapshot = 1; ; snapshot += 1) {
      await db.query('begin isolation level repeatable read read only')
      const gone = await copyPictures(db, from.blobs, folder, copying)
      const lost = await stillShown(now, gone)
      if (gone.length > lost.length && snapshot < maxSnapshots) {
        await db.query('rollback')
        continue
      }
      const manifest = await writeRows(db, folder, new Set(gone), copying)
      await db.query('commit')
      await writeBackupManifest(folder, manifest)
      return manifest
    }
  } finally {
    await db.end()
    await now.end()
  }
}

function checkFolder(folder: string): void {
  if (existsSync(backupManifestPath(folder))) {
    throw new StartupError(`${folder} already contains a backup: give another folder.`)
  }
  const ours = new Set(['database', 'files', 'files.jsonl.gz'])
  if (existsSync(folder) && readdirSync(folder).some((name) => !ours.has(name))) {
    throw new StartupError(`${folder} contains other files: give an empty folder.`)
  }
}

async function connectTo(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: 'juntas backup' })
  await client.connect()
  // Overrides the time limits of the database role.
  await client.query(
    'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0',
  )
  return client
}

/** Returns which of these pictures a row still uses. If their bytes are missing, they are lost. */
async function stillShown(db: Client, keys: string[]): Promise<string[]> {
  if (keys.length === 0) return []
  const { rows } = await db.query<{ storage_key: string }>(
    `select storage_key from files where storage_key = any ($1) and ${await buildBackupPictureCondition(db)}`,
    [keys],
  )
  return rows.map(({ storage_key }) => storage_key)
}

async function writeRows(
  db: Client,
  folder: string,
  lost: ReadonlySet<string>,
  { recipients, encrypt, assertSpace }: PictureCopying,
): Promise<BackupManifest> {
  await assertSpace?.()
  const { rows } = await db.query<{ taken: string; postgres: string }>(
    `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as taken,
       current_setting('server_version') as postgres`,
  )
  const [{ taken, postgres }] = rows as [(typeof rows)[number]]
  const { rows: migrations } = await db.query<AppliedMigration>(
    'select number, name, checksum from migrations order by number',
  )
  const tables = await dumpTables(db, folder, encrypt)
  const listed = await writeBackupPictureList(db, folder, lost)
  await removeUnlisted(db, folder)
  const list = await computeFileDigest(backupPictureListPath(folder))
  return {
    format: recipients.length > 0 ? 2 : 1,
    ...(recipients.length > 0 && { recipients: [...recipients] }),
    taken,
    postgres,
    migrations,
    tables,
    sequences: await readSequenceValues(db),
    pictures: { ...listed, sha256: list?.sha256 ?? '' },
    lost: [...lost],
  }
}

/** Removes pictures that were deleted after the backup had copied them. */
async function removeUnlisted(db: Client, folder: string): Promise<void> {
  for (const beginning of await readdir(join(folder, 'files'))) {
    const keys = await readdir(join(folder, 'files', beginning))
    const shown = new Set(await stillShown(db, keys))
    for (const key of keys) {
      if (!shown.has(key)) await rm(backupPictureFolderPath(folder, key), { recursive: true, force: true })
    }
  }
}
