/**
 * `npm run restore -- <folder>`: brings a backup into the configured instance, whose database must be empty.
 * `--keep-sign-ins` lets members stay signed in; `--check` only says whether the backup is whole.
 */

import { type RestoredBackup, restoreBackup } from '#server/backup/restore-backup.ts'
import { verifyBackup } from '#server/backup/verify-backup.ts'
import type { BlobStore } from '#server/blobs/blob-store.ts'
import { openBlobStore } from '#server/blobs/open-blob-store.ts'
import { type Config, readConfig } from '#server/config.ts'
import { startEmbeddedPostgres } from '#server/database/embedded-postgres.ts'
import { connectToDatabase } from '#server/database/open-database.ts'
import { eraseRestoredAccounts } from '#server/deletion/erase-restored-accounts.ts'
import { createServerLogger } from '#server/log.ts'
import { describeStartupError, StartupError } from '#server/startup-error.ts'

const given = process.argv.slice(2)
const folder = given.find((argument) => !argument.startsWith('--'))
const log = createServerLogger('warn')

async function restore(from: string): Promise<RestoredBackup> {
  const config = readConfig(process.env)
  const url = config.databaseDirectUrl ?? config.databaseUrl
  // A server that runs on this instance holds the folder's lock, and its database is not empty.
  const database = url
    ? { url, stop: async () => {} }
    : await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  const blobs = await openBlobStore(config)
  const to = { url: database.url, blobs, log }
  try {
    const restored = await restoreBackup(from, to, { keepSignIns: given.includes('--keep-sign-ins') })
    await eraseDeletedAgain(config, { url: database.url, blobs })
    return restored
  } finally {
    await database.stop()
  }
}

/** Erases the accounts that were deleted since the backup was taken, and says how many. */
async function eraseDeletedAgain(config: Config, { url, blobs }: { url: string; blobs: BlobStore }) {
  const database = connectToDatabase({ url, log })
  try {
    const erased = await eraseRestoredAccounts({ config, log, database, blobs })
    if (erased === 1) console.log('1 account that was deleted later is deleted again.')
    if (erased > 1) console.log(`${erased} accounts that were deleted later are deleted again.`)
  } finally {
    await database.close()
  }
}

try {
  if (!folder) throw new StartupError('Say where the backup is: npm run restore -- <folder>')
  const began = Date.now()
  const { tables, pictures, taken } = given.includes('--check')
    ? await verifyBackup(folder)
    : await restore(folder).then((restored) => {
        for (const { invariant, concerns } of restored.broken) console.log(`✗ ${invariant}: ${concerns}`)
        if (restored.broken.length > 0) process.exitCode = 1
        else console.log('All invariants hold.')
        return restored
      })
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
  console.log(
    `The backup of ${taken} is whole: ${rows} rows, ${pictures.count} pictures (${(pictures.bytes / 1e6).toFixed(1)} MB); ${((Date.now() - began) / 1000).toFixed(1)} s.`,
  )
} catch (error) {
  console.error(describeStartupError(error))
  process.exitCode = 1
}
