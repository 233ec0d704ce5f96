/** `npm run backup -- <folder>`: the whole instance in a folder, taken while members go on (docs/self-hosting.md). */

import { takeBackup } from '#server/backup/take.ts'
import { openBlobs } from '#server/blobs-open.ts'
import { CannotStart, lastWords } from '#server/cannot-start.ts'
import { readConfig } from '#server/config.ts'
import { configuredDatabase } from './configured-database.ts'

try {
  const folder = process.argv[2]
  if (!folder) throw new CannotStart('Say where the backup is to be: npm run backup -- <folder>')
  const config = readConfig(process.env)
  const began = Date.now()
  const database = await configuredDatabase(config)
  const blobs = await openBlobs(config)
  const { tables, pictures, lost, taken } = await takeBackup({ url: database.url, blobs }, folder).finally(
    database.stop,
  )
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
  console.log(
    `${rows} rows and ${pictures.count} pictures (${(pictures.bytes / 1e6).toFixed(1)} MB) as of ${taken} are in ${folder}, after ${((Date.now() - began) / 1000).toFixed(1)} s.`,
  )
  for (const key of lost) console.log(`✗ The bytes of picture ${key} were missing or damaged here already.`)
  process.exitCode = lost.length === 0 ? 0 : 1
} catch (error) {
  console.error(lastWords(error))
  process.exitCode = 1
}
