/** Opens the database of the configured instance for a command. */
import type { Config } from '#server/config.ts'
import { findEmbeddedPostgresUrl, startEmbeddedPostgres } from '#server/database/embedded-postgres.ts'
import { createServerLogger } from '#server/log.ts'

/** Connects to a running database; starts an embedded one that does not run, until `stop`. */
export async function openConfiguredDatabase(
  config: Config,
): Promise<{ url: string; stop(): Promise<void> }> {
  const url = config.databaseDirectUrl ?? config.databaseUrl ?? findEmbeddedPostgresUrl(config.dataDir)
  if (url) return { url, stop: async () => {} }
  return startEmbeddedPostgres({ dataDir: config.dataDir, log: createServerLogger('warn') })
}
