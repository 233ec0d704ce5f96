/** `npm run invariants` exits with 1 if an invariant is broken. */
import { Client } from 'pg'
import { findBrokenInvariants } from '#server/database/invariants.ts'
import { openConfiguredDatabase } from './open-configured-database.ts'
import { readInstanceConfig, runOperatorCommand, UsageError } from './operator-command.ts'

async function examine(url: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const broken = await findBrokenInvariants(client)
    for (const { invariant, concerns } of broken) console.log(`✗ ${invariant}: ${concerns}`)
    return broken.length
  } finally {
    await client.end()
  }
}

await runOperatorCommand({
  usage: ['npm run invariants'],
  async work({ words }) {
    if (words.length > 0) throw new UsageError('This command takes no arguments.')
    const database = await openConfiguredDatabase(readInstanceConfig())
    const broken = await examine(database.url).finally(database.stop)
    console.log(broken === 0 ? 'All invariants hold.' : `${broken} rows break an invariant.`)
    return broken === 0 ? 0 : 1
  },
})
