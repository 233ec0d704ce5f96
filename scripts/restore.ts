/**
 * `npm run restore -- <folder>`: brings a backup into the configured instance, whose database must be empty.
 * `--keep-sign-ins` lets members stay signed in; `--check` only says whether the backup is whole.
 */

import { type Restored, restoreBackup } from '#server/backup/restore.ts'
import { verifyBackup } from '#server/backup/verify.ts'
import { openBlobs } from '#server/blobs-open.ts'
import { CannotStart, lastWords } from '#server/cannot-start.ts'
import { readConfig } from '#server/config.ts'
import { startEmbedded } from '#server/database/embedded.ts'
import { createLog } from '#server/log.ts'

const given = process.argv.slice(2)
const folder = given.find((argument) => !argument.startsWith('--'))
const log = createLog('warn')

async function restore(from: string): Promise<Restored> {
  const config = readConfig(process.env)
  const url = config.databaseDirectUrl ?? config.databaseUrl
  // One that a server uses is not empty, and its folder is locked.
  const database = url ? { url, stop: async () => {} } : await startEmbedded({ dataDir: config.dataDir, log })
  const to = { url: database.url, blobs: await openBlobs(config), log }
  return restoreBackup(from, to, { keepSignIns: given.includes('--keep-sign-ins') }).finally(database.stop)
}

try {
  if (!folder) throw new CannotStart('Say where the backup is: npm run restore -- <folder>')
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
  console.error(lastWords(error))
  process.exitCode = 1
}
