/** The database of the configured instance, for a command beside it. */
import type { Config } from '#server/config.ts'
import { findEmbedded, startEmbedded } from '#server/database/embedded.ts'
import { createLog } from '#server/log.ts'

/** A running server's database is used as it runs; an embedded one that does not run is started for as long as needed. */
export async function configuredDatabase(config: Config): Promise<{ url: string; stop(): Promise<void> }> {
  const url = config.databaseDirectUrl ?? config.databaseUrl ?? findEmbedded(config.dataDir)
  if (url) return { url, stop: async () => {} }
  return startEmbedded({ dataDir: config.dataDir, log: createLog('warn') })
}
