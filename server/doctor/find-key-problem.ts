import { createInstanceKey, type KeyComparison } from '../auth/instance-key.ts'
import type { Config } from '../config.ts'
import { connectToDatabase } from '../database/open-database.ts'
import { createServerLogger } from '../log.ts'
import { StartupError } from '../startup-error.ts'

/** Returns null if the key is correct or not needed yet, or if the database does not answer. */
export async function findKeyProblem(config: Config, url: string): Promise<string | null> {
  const compared = await compareInstanceKey(config, url)
  return typeof compared === 'string' ? null : compared.problem
}

export async function compareInstanceKey(
  config: Config,
  url: string,
): Promise<KeyComparison | { problem: string }> {
  const database = connectToDatabase({ url, log: createServerLogger('silent') })
  try {
    return await createInstanceKey(config, database).assertMatchesDatabase()
  } catch (error) {
    if (error instanceof StartupError) return { problem: error.message }
    throw error
  } finally {
    await database.close()
  }
}
