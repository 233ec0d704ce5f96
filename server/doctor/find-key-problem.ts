import { createInstanceKey } from '../auth/instance-key.ts'
import type { Config } from '../config.ts'
import { connectToDatabase } from '../database/open-database.ts'
import { createServerLogger } from '../log.ts'
import { StartupError } from '../startup-error.ts'

/** Returns null if the key is correct or not needed yet. */
export async function findKeyProblem(config: Config, url: string): Promise<string | null> {
  const database = connectToDatabase({ url, log: createServerLogger('silent') })
  try {
    await createInstanceKey(config, database).assertMatchesDatabase()
    return null
  } catch (error) {
    if (error instanceof StartupError) return error.message
    throw error
  } finally {
    await database.close()
  }
}
