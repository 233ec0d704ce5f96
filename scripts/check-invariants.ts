/** `npm run invariants`: checks the configured database's invariants; exits with 1 if one is broken. */
import { Client } from 'pg'
import { readConfig } from '#server/config.ts'
import { findBrokenInvariants } from '#server/database/invariants.ts'
import { describeStartupError } from '#server/startup-error.ts'
import { openConfiguredDatabase } from './open-configured-database.ts'

/** @returns how many rows break one. */
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

try {
  const database = await openConfiguredDatabase(readConfig(process.env))
  const broken = await examine(database.url).finally(database.stop)
  console.log(broken === 0 ? 'All invariants hold.' : `${broken} rows break an invariant.`)
  process.exitCode = broken === 0 ? 0 : 1
} catch (error) {
  console.error(describeStartupError(error))
  process.exitCode = 1
}
