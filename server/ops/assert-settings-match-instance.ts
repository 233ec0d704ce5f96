import { createInstanceKey } from '../auth/instance-key.ts'
import { assertPasskeyHostUnchanged } from '../auth/passkey-host.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/open-database.ts'

/**
 * Call this before the migrations, so that a refused start changes nothing.
 * @throws StartupError if the instance key or the host of the passkeys differs
 */
export async function assertSettingsMatchInstance(config: Config, database: Database): Promise<void> {
  await createInstanceKey(config, database).assertMatchesDatabase()
  await assertPasskeyHostUnchanged(config, database.kysely)
}
