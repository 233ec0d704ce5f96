/** `npm run backup -- <folder>`: writes the whole instance into a folder while the server runs (docs/self-hosting.md). */

import { createBackup } from '#server/backup/create-backup.ts'
import { openBlobStore } from '#server/blobs/open-blob-store.ts'
import { readConfig } from '#server/config.ts'
import { describeStartupError, StartupError } from '#server/startup-error.ts'
import { openConfiguredDatabase } from './open-configured-database.ts'

try {
  const folder = process.argv[2]
  if (!folder) throw new StartupError('Say where the backup is to be: npm run backup -- <folder>')
  const config = readConfig(process.env)
  const began = Date.now()
  const database = await openConfiguredDatabase(config)
  const blobs = await openBlobStore(config)
  const { tables, pictures, lost, taken } = await createBackup({ url: database.url, blobs }, folder).finally(
    database.stop,
  )
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
  console.log(
    `${rows} rows and ${pictures.count} pictures (${(pictures.bytes / 1e6).toFixed(1)} MB) as of ${taken} are in ${folder}, after ${((Date.now() - began) / 1000).toFixed(1)} s.`,
  )
  for (const key of lost) console.log(`✗ The bytes of picture ${key} were missing or damaged here already.`)
  process.exitCode = lost.length === 0 ? 0 : 1
} catch (error) {
  console.error(describeStartupError(error))
  process.exitCode = 1
}
