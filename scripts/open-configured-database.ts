/** Opens the configured instance's database for commands, which never create a missing one. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Config } from '#server/config.ts'
import { choosePostgres } from '#server/database/choose-postgres-binaries.ts'
import { findEmbeddedPostgresUrl, startEmbeddedPostgres } from '#server/database/embedded-postgres.ts'
import { createServerLogger } from '#server/log.ts'
import { StartupError } from '#server/startup-error.ts'

const advice =
  'Start Juntas first, or name the settings of the instance: JUNTAS_ENV_FILE=/etc/juntas/settings npm run …'

/**
 * Without a running database, runs the embedded one until `stop`.
 * @throws StartupError if there is no instance
 */
export async function openConfiguredDatabase(
  config: Config,
): Promise<{ url: string; stop(): Promise<void> }> {
  const opened = await open(config)
  try {
    await assertHoldsInstance(opened.url)
    return opened
  } catch (error) {
    await opened.stop()
    throw error
  }
}

async function open(config: Config): Promise<{ url: string; stop(): Promise<void> }> {
  const url = config.databaseDirectUrl ?? config.databaseUrl ?? findEmbeddedPostgresUrl(config.dataDir)
  if (url) return { url, stop: async () => {} }
  if (!existsSync(join(config.dataDir, 'postgres', 'PG_VERSION')))
    throw new StartupError(`No instance exists in ${config.dataDir}. ${advice}`)
  return startEmbeddedPostgres({
    dataDir: config.dataDir,
    log: createServerLogger('warn'),
    found: choosePostgres({ dataDir: config.dataDir, setting: config.postgresBin }),
  })
}

async function assertHoldsInstance(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect().catch((error: Error) => {
      throw new StartupError(`The database does not answer: ${error.message}`)
    })
    const { rows } = await client.query<{ exists: boolean }>(
      `select to_regclass('public.migrations') is not null as exists`,
    )
    if (!rows[0]?.exists) throw new StartupError(`The database holds no instance of Juntas. ${advice}`)
  } finally {
    await client.end().catch(() => {})
  }
}
