/**
 * `npm run restore -- <folder>` restores a backup into the configured instance, which must be empty.
 * `--keep-sign-ins` keeps the sessions, `--check` only verifies, and `--identity <file>` decrypts.
 */

import { type ByteTransform, openBackupIdentity } from '#server/backup/backup-encryption.ts'
import { type RestoredBackup, restoreBackup } from '#server/backup/restore-backup.ts'
import { verifyBackup } from '#server/backup/verify-backup.ts'
import type { BlobStore } from '#server/blobs/blob-store.ts'
import { openBlobStore } from '#server/blobs/open-blob-store.ts'
import type { Config } from '#server/config.ts'
import { choosePostgres } from '#server/database/choose-postgres-binaries.ts'
import { startEmbeddedPostgres } from '#server/database/embedded-postgres.ts'
import { connectToDatabase } from '#server/database/open-database.ts'
import { findKeyProblem } from '#server/doctor/find-key-problem.ts'
import { getCommandOperator, recordOperatorAct } from '#server/features/admin/operator-acts.ts'
import { eraseRestoredAccounts } from '#server/features/deletion/erase-restored-accounts.ts'
import { createServerLogger } from '#server/log.ts'
import { readInstanceConfig, runOperatorCommand, UsageError } from './operator-command.ts'

const log = createServerLogger('warn')

async function restore(
  from: string,
  options: { keepSignIns: boolean; decrypt?: ByteTransform },
): Promise<RestoredBackup & { keyProblem: string | null }> {
  const config = readInstanceConfig()
  const url = config.databaseDirectUrl ?? config.databaseUrl
  // Fails while a server runs, because the server has locked the folder or its database is not empty.
  const database = url
    ? { url, stop: async () => {} }
    : await startEmbeddedPostgres({
        dataDir: config.dataDir,
        log,
        found: choosePostgres({ dataDir: config.dataDir, setting: config.postgresBin }),
      })
  const blobs = await openBlobStore(config)
  const to = { url: database.url, blobs, log }
  try {
    const restored = await restoreBackup(from, to, options)
    const keyProblem = await findKeyProblem(config, database.url)
    await eraseDeletedAgain(config, { url: database.url, blobs })
    return { ...restored, keyProblem }
  } finally {
    await database.stop()
  }
}

/** Accounts deleted after the backup must not return. Prints their number. */
async function eraseDeletedAgain(config: Config, { url, blobs }: { url: string; blobs: BlobStore }) {
  const database = connectToDatabase({ url, log })
  try {
    await recordOperatorAct(database.kysely, 'instance.restore', { by: getCommandOperator() })
    const erased = await eraseRestoredAccounts({ config, log, database, blobs })
    if (erased === 1) console.log('1 account that was deleted after the backup has been deleted again.')
    if (erased > 1)
      console.log(`${erased} accounts that were deleted after the backup have been deleted again.`)
  } finally {
    await database.close()
  }
}

await runOperatorCommand({
  usage: [
    'npm run restore -- <folder>',
    'npm run restore -- --keep-sign-ins <folder>',
    'npm run restore -- --check <folder>',
    'npm run restore -- --identity <file> …',
  ],
  flags: ['check', 'keep-sign-ins'],
  options: ['identity'],
  async work({ words: [folder, ...more], flags, options }) {
    if (!folder || more.length > 0) throw new UsageError('Name the one folder of the backup.')
    const began = Date.now()
    const decrypt = options.identity === undefined ? undefined : await openBackupIdentity(options.identity)
    const restored = flags.has('check')
      ? null
      : await restore(folder, { keepSignIns: flags.has('keep-sign-ins'), decrypt })
    const { tables, pictures, taken, recipients } = restored ?? (await verifyBackup(folder, { decrypt }))
    if (recipients && !decrypt)
      console.log(
        '! It is encrypted, so only its files were compared with its manifest: --identity opens it.',
      )
    for (const { invariant, concerns } of restored?.broken ?? []) console.log(`✗ ${invariant}: ${concerns}`)
    if (restored?.broken.length === 0) console.log('All invariants hold.')
    const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
    console.log(
      `The backup of ${taken} is complete: ${rows} rows, ${pictures.count} pictures (${(pictures.bytes / 1e6).toFixed(1)} MB); ${((Date.now() - began) / 1000).toFixed(1)} s.`,
    )
    if (restored?.keyProblem) console.log(`✗ Before Juntas starts: ${restored.keyProblem}`)
    return restored && (restored.broken.length > 0 || restored.keyProblem) ? 1 : 0
  },
})
