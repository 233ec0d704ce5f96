import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { openBlobStore } from './blobs/open-blob-store.ts'
import { type Config, readConfig } from './config.ts'
import { migrate } from './database/migrate.ts'
import { openDatabase } from './database/open-database.ts'
import { issueCommunitySetupPath } from './features/community/setup-link.ts'
import { warnAboutMissingPictures } from './files/warn-about-missing-pictures.ts'
import { listen } from './http/listen.ts'
import { createServerLogger, type ServerLogger } from './log.ts'
import { assertBuiltFromSources } from './ops/assert-built-from-sources.ts'
import { assertSettingsMatchInstance } from './ops/assert-settings-match-instance.ts'
import { readSettings } from './ops/settings-file.ts'
import { describeStartupError } from './startup-error.ts'
import { runningVersion } from './version.ts'

const drainTimeoutMs = 30_000
/** A terminal and npm both forward Ctrl-C, so these signals count as one. */
const samePressMs = 1_000

async function main(): Promise<void> {
  assertBuiltFromSources()
  const config = readConfig(readSettings(process.env).values)
  const log = createServerLogger(config.logLevel)
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, (error) => {
      log.fatal({ err: error }, event)
      process.exit(1)
    })
  }
  const stopRequested = waitForStopSignal()
  const { url, setupPath, stop } = await start(config, log)
  // This link works until the first account exists.
  if (setupPath) console.log(`Set your community up at ${url}${setupPath}`)
  if (config.production) log.info({ url, ...runningVersion }, 'ready')
  else console.log(`Juntas ${runningVersion.version} is ready at ${url}`)
  await stopRequested
  log.info('stopping')
  await stop()
}

async function start(
  config: Config,
  log: ServerLogger,
): Promise<{ url: string; setupPath: string | null; stop(): Promise<void> }> {
  // The program loads while PostgreSQL starts.
  const [database, { buildApp }] = await Promise.all([openDatabase(config, log), import('./app.ts')])
  const stopping = new AbortController()
  try {
    await assertSettingsMatchInstance(config, database)
    await migrate(database.directUrl, log)
    const app = await buildApp({ config, log, database, stopping: stopping.signal })
    const { port, close } = await listen(app, config)
    void openBlobStore(config).then((blobs) => warnAboutMissingPictures(database.kysely, blobs, log))
    return {
      setupPath: await issueCommunitySetupPath(database.kysely),
      url: config.publicUrl ?? `http://localhost:${port}`,
      async stop() {
        stopping.abort()
        await pause(config.drainSeconds * 1000)
        const drained = await Promise.race([
          close().then(() => true),
          pause(drainTimeoutMs, false, { ref: false }),
        ])
        if (!drained) log.error('some requests did not finish in time')
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** A second signal ends the process at once. */
async function waitForStopSignal(): Promise<void> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  await Promise.race(signals.map((signal) => once(process, signal)))
  const asked = Date.now()
  for (const signal of signals) {
    process.on(signal, () => {
      if (Date.now() - asked > samePressMs) process.exit(1)
    })
  }
}

try {
  await main()
  process.exit(0)
} catch (error) {
  console.error(describeStartupError(error))
  process.exit(1)
}
