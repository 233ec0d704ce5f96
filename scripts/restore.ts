/**
 * `npm run restore -- <folder>`: brings a backup into the configured instance, whose database must be empty.
 * `--keep-sign-ins` lets members stay signed in; `--check` only says whether the backup is whole.
 */

import { type RestoredBackup, restoreBackup } from '#server/backup/restore-backup.ts'
import { verifyBackup } from '#server/backup/verify-backup.ts'
import { openBlobStore } from '#server/blobs/open-blob-store.ts'
import { readConfig } from '#server/config.ts'
import { startEmbeddedPostgres } from '#server/database/embedded-postgres.ts'
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
  const to = { url: database.url, blobs: await openBlobStore(config), log }
  return restoreBackup(from, to, { keepSignIns: given.includes('--keep-sign-ins') }).finally(database.stop)
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
