/** The whole life of a server: settings → database → schema → app → listen; a signal drains it. */
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { lastWords } from './cannot-start.ts'
import { type Config, readConfig } from './config.ts'
import { migrate } from './database/migrate.ts'
import { openDatabase } from './database/open.ts'
import { listen } from './listen.ts'
import { createLog, type Log } from './log.ts'

/** How long requests under way may take after a stop was asked for. */
const DRAIN_MS = 30_000
/** A terminal and npm both pass Ctrl-C on: what comes within this is the same press. */
const SAME_PRESS_MS = 1_000

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, (error) => {
      log.fatal({ err: error }, event)
      process.exit(1)
    })
  }
  const stopAsked = whenStopAsked()
  const { url, stop } = await start(config, log)
  // Outside production the log is quiet by default, and she who started it reads this.
  if (config.production) log.info({ url }, 'ready')
  else console.log(`Juntas is ready at ${url}`)
  await stopAsked
  log.info('stopping')
  await stop()
}

async function start(config: Config, log: Log): Promise<{ url: string; stop(): Promise<void> }> {
  // Most of the program loads while PostgreSQL starts.
  const [database, { buildApp }] = await Promise.all([openDatabase(config, log), import('./app.ts')])
  const stopping = new AbortController()
  try {
    await migrate(database.directUrl, log)
    const app = await buildApp({ config, log, database, stopping: stopping.signal })
    const { port, close } = await listen(app, config)
    return {
      url: config.publicUrl ?? `http://localhost:${port}`,
      async stop() {
        stopping.abort()
        await pause(config.drainSeconds * 1000)
        const drained = await Promise.race([close().then(() => true), pause(DRAIN_MS, false, { ref: false })])
        if (!drained) log.error('some requests did not finish in time')
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Settles at the first signal; a later one ends the process at once. */
async function whenStopAsked(): Promise<void> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  await Promise.race(signals.map((signal) => once(process, signal)))
  const asked = Date.now()
  for (const signal of signals) {
    process.on(signal, () => {
      if (Date.now() - asked > SAME_PRESS_MS) process.exit(1)
    })
  }
}

try {
  await main()
  process.exit(0)
} catch (error) {
  console.error(lastWords(error))
  process.exit(1)
}
