/** `npm run invariants`: proves on the configured database what must always be true of it; exit code 1 if it is not. */
import { Client } from 'pg'
import { lastWords } from '#server/cannot-start.ts'
import { readConfig } from '#server/config.ts'
import { brokenInvariants } from '#server/database/invariants.ts'
import { configuredDatabase } from './configured-database.ts'

/** @returns how many rows break one. */
async function examine(url: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const broken = await brokenInvariants(client)
    for (const { invariant, concerns } of broken) console.log(`✗ ${invariant}: ${concerns}`)
    return broken.length
  } finally {
    await client.end()
  }
}

try {
  const database = await configuredDatabase(readConfig(process.env))
  const broken = await examine(database.url).finally(database.stop)
  console.log(broken === 0 ? 'All invariants hold.' : `${broken} rows break an invariant.`)
  process.exitCode = broken === 0 ? 0 : 1
} catch (error) {
  console.error(lastWords(error))
  process.exitCode = 1
}
