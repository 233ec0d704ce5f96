/**
 * A restore verifies the backup, copies all rows in one transaction, and checks invariants. It works between
 * embedded and external databases and PostgreSQL major versions (decision 0085).
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Client } from 'pg'
import type { BlobStore } from '#server/blobs/blob-store.ts'
import { type BrokenInvariant, findBrokenInvariants } from '#server/database/invariants.ts'
import { countMatchingMigrations, migrate } from '#server/database/migrate.ts'
import type { ServerLogger } from '#server/log.ts'
import { StartupError } from '#server/startup-error.ts'
import { type ByteTransform, unchanged } from './backup-encryption.ts'
import { forEachPictureConcurrently, readPictureList } from './copy-pictures.ts'
import { restoreTables, signInTables, tablesExcludedFromBackup } from './copy-tables.ts'
import {
  type BackupManifest,
  backupPictureFilePath,
  encryptedSuffix,
  InvalidBackupError,
  isEncryptedBackup,
  readBackupManifest,
} from './manifest.ts'
import { verifyBackup } from './verify-backup.ts'

export type RestoredBackup = BackupManifest & { broken: BrokenInvariant[] }

/** Some invitations were ended after the backup and must not work again. */
const endOpenInvitations = `update invitations set ended_at = clock_timestamp()
  where used_at is null and ended_at is null and expires_at > clock_timestamp()`

/**
 * @param options.keepSignIns keeps sessions, tokens and open invitations, for a move to another machine. By
 * default, sessions and secrets that ended after the backup must not work again.
 * @throws InvalidBackupError before anything is changed
 * @throws StartupError if the database is not empty
 */
export async function restoreBackup(
  folder: string,
  to: { url: string; blobs: BlobStore; log: ServerLogger },
  { keepSignIns = false, decrypt = unchanged }: { keepSignIns?: boolean; decrypt?: ByteTransform } = {},
): Promise<RestoredBackup> {
  if (decrypt === unchanged && isEncryptedBackup(await readBackupManifest(folder)))
    throw new InvalidBackupError('The backup is encrypted: give its key with --identity <file>.')
  const manifest = await verifyBackup(folder, { decrypt })
  const decryptNow = isEncryptedBackup(manifest) ? decrypt : unchanged
  const migrations = countMatchingMigrations(manifest.migrations)
  const db = new Client({ connectionString: to.url, application_name: 'juntas restore' })
  await db.connect()
  try {
    await db.query(
      'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0',
    )
    await checkEmpty(db, migrations)
    await migrate(to.url, to.log, undefined, migrations)
    await copyPicturesIn(folder, to.blobs, decryptNow)
    await db.query(`begin; set local maintenance_work_mem = '256MB'`)
    try {
      await restoreTables(db, folder, manifest, keepSignIns ? [] : signInTables, decryptNow)
      if (!keepSignIns) await db.query(endOpenInvitations)
      // The new times make clients reload (server/realtime/catch-up.ts).
      await db.query('update migrations set applied_at = clock_timestamp()')
      await db.query('commit')
    } catch (error) {
      await db.query('rollback')
      throw error
    }
    await migrate(to.url, to.log)
    await db.query('analyze')
    return { ...manifest, broken: await findBrokenInvariants(db) }
  } finally {
    await db.end()
  }
}

/** Accepts empty tables, which a failed restore leaves behind. */
async function checkEmpty(db: Client, migrations: number): Promise<void> {
  const { rows } = await db.query<{ name: string }>(
    `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  const names = rows.map(({ name }) => name)
  if (names.length === 0) return
  const filled = []
  for (const name of names) {
    if (tablesExcludedFromBackup.includes(name)) continue
    const { rowCount } = await db.query(`select from "${name.replaceAll('"', '""')}" limit 1`)
    if (rowCount) filled.push(name)
  }
  const { rows: applied } = names.includes('migrations')
    ? await db.query('select from migrations')
    : { rows: [] }
  if (!names.includes('migrations') || filled.length > 0 || applied.length > migrations) {
    throw new StartupError(
      `The database is not empty (${filled[0] ?? names[0]}). A backup can only be restored into an empty one. Nothing was changed.`,
    )
  }
}

const copyPicturesIn = (folder: string, to: BlobStore, decrypt: ByteTransform): Promise<void> =>
  forEachPictureConcurrently(readPictureList(folder), async ({ key, blobs }) => {
    await using scratch = await to.begin(blobs.reduce((sum, { size }) => sum + size, 0))
    const files: Record<string, string> = {}
    for (const { name } of blobs) {
      const plainName = decrypt === unchanged ? name : name.slice(0, -encryptedSuffix.length)
      const file = join(scratch.path, plainName)
      await pipeline(
        createReadStream(backupPictureFilePath(folder, key, name)),
        decrypt,
        createWriteStream(file),
      )
      files[plainName] = file
    }
    await to.finish(key, files)
  })
