/** `npm run backup -- <folder>`: backs up the running instance (docs/self-hosting.md). */

import { assertHasAccounts, createBackup } from '#server/backup/create-backup.ts'
import { openBlobStore } from '#server/blobs/open-blob-store.ts'
import { findKeyProblem } from '#server/doctor/find-key-problem.ts'
import { openConfiguredDatabase } from './open-configured-database.ts'
import { readInstanceConfig, runOperatorCommand, UsageError } from './operator-command.ts'

await runOperatorCommand({
  usage: ['npm run backup -- <folder>', 'npm run backup -- --allow-empty <folder>'],
  flags: ['allow-empty'],
  async work({ words: [folder, ...more], flags }) {
    if (!folder || more.length > 0) throw new UsageError('Name one folder for the backup.')
    const config = readInstanceConfig()
    const began = Date.now()
    const database = await openConfiguredDatabase(config)
    try {
      if (!flags.has('allow-empty')) await assertHasAccounts(database.url)
      const blobs = await openBlobStore(config)
      const { tables, pictures, lost, taken } = await createBackup({ url: database.url, blobs }, folder)
      const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
      console.log(
        `${rows} rows and ${pictures.count} pictures (${(pictures.bytes / 1e6).toFixed(1)} MB) as of ${taken} are in ${folder}, after ${((Date.now() - began) / 1000).toFixed(1)} s.`,
      )
      for (const key of lost)
        console.log(`✗ The bytes of picture ${key} were missing or damaged here already.`)
      const problem = await findKeyProblem(config, database.url)
      if (problem)
        console.log(`✗ Whoever restores this backup needs another key than the one here. ${problem}`)
      return lost.length === 0 && !problem ? 0 : 1
    } finally {
      await database.stop()
    }
  },
})
