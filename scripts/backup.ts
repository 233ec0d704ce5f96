/**
 * `npm run backup -- <folder>` backs up the running instance (docs/self-hosting.md), encrypted for BACKUP_RECIPIENT.
 * `--new-key <file>` creates a key pair.
 */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { Client } from 'pg'
import { generateBackupIdentity } from '#server/backup/backup-encryption.ts'
import { recordBackup } from '#server/backup/backup-records.ts'
import { assertHasAccounts, createBackup } from '#server/backup/create-backup.ts'
import type { BackupManifest } from '#server/backup/manifest.ts'
import { openBlobStore } from '#server/blobs/open-blob-store.ts'
import { findKeyProblem } from '#server/doctor/find-key-problem.ts'
import { openConfiguredDatabase } from './open-configured-database.ts'
import { readInstanceConfig, runOperatorCommand, UsageError } from './operator-command.ts'

await runOperatorCommand({
  usage: [
    'npm run backup -- <folder>',
    'npm run backup -- --allow-empty <folder>',
    'npm run backup -- --new-key <file>',
  ],
  flags: ['allow-empty'],
  options: ['new-key'],
  async work({ words: [folder, ...more], flags, options }) {
    if (options['new-key'] !== undefined) return makeKey(options['new-key'], folder)
    if (!folder || more.length > 0) throw new UsageError('Name one folder for the backup.')
    const config = readInstanceConfig()
    const began = Date.now()
    const database = await openConfiguredDatabase(config)
    try {
      if (!flags.has('allow-empty')) await assertHasAccounts(database.url)
      const blobs = await openBlobStore(config)
      const manifest = await createBackup({ url: database.url, blobs }, folder, {
        recipients: config.backupRecipients,
      })
      await record(database.url, folder, manifest)
      const { tables, pictures, lost, taken } = manifest
      const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
      console.log(
        `${rows} rows and ${pictures.count} pictures (${(pictures.bytes / 1e6).toFixed(1)} MB) as of ${taken} are in ${folder}${manifest.recipients ? ', encrypted' : ''}, after ${((Date.now() - began) / 1000).toFixed(1)} s.`,
      )
      for (const key of lost) console.log(`✗ The file of picture ${key} was already missing or damaged.`)
      const problem = await findKeyProblem(config, database.url)
      if (problem) console.log(`✗ Restoring this backup needs a different key. ${problem}`)
      return lost.length === 0 && !problem ? 0 : 1
    } finally {
      await database.stop()
    }
  },
})

async function makeKey(file: string, folder: string | undefined): Promise<number> {
  if (folder) throw new UsageError('Name the one file of the key.')
  if (existsSync(file)) throw new UsageError(`${file} exists already.`)
  const { identity, recipient } = await generateBackupIdentity()
  await writeFile(file, identity, { mode: 0o600, flag: 'wx' })
  console.log(`BACKUP_RECIPIENT=${recipient}`)
  console.log(
    `Keep ${file} away from the server. You need it to restore a backup, and anyone who has it can read every backup.`,
  )
  return 0
}

async function record(url: string, folder: string, manifest: BackupManifest): Promise<void> {
  const db = new Client({ connectionString: url })
  await db.connect()
  try {
    await recordBackup(db, folder, manifest, { scheduled: false, verified: false })
  } finally {
    await db.end()
  }
}
