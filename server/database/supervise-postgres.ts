import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { ServerLogger } from '#server/log.ts'
import { StartupError } from '#server/startup-error.ts'
import { endOrphanedPostgres, readPostmaster } from './orphaned-postgres.ts'

/** Milliseconds that a fast shutdown may take before an immediate one follows. */
const STOP_TIMEOUT_MS = 20_000
const FIRST_DELAY_MS = 100
const MAX_DELAY_MS = 5_000
/** During this time, the children of a killed PostgreSQL may hold its shared memory. */
const SHARED_MEMORY_TIMEOUT_MS = 10_000

/**
 * Starts PostgreSQL, and returns when it accepts connections. Restarts it with exponential backoff until
 * `stop`.
 * @param options.lastWords why PostgreSQL ended
 * @throws StartupError if the first start fails
 */
export async function supervisePostgresProcess(options: {
  cluster: string
  log: ServerLogger
  launch: () => ChildProcess
  lastWords: () => string
}): Promise<{ stop(ask: (child: ChildProcess) => void): Promise<void> }> {
  const { cluster, log, launch, lastWords } = options
  let stopping = false
  let restarting = Promise.resolve()

  async function start(): Promise<ChildProcess> {
    const child = launch()
    await untilReady(child, cluster, lastWords)
    child.once('exit', (code, signal) => {
      if (stopping) return
      log.error({ code, signal }, 'PostgreSQL ended; starting it again')
      restarting = restart()
    })
    return child
  }

  async function restart(): Promise<void> {
    for (let delay = FIRST_DELAY_MS; !stopping; delay = Math.min(delay * 2, MAX_DELAY_MS)) {
      await pause(delay)
      try {
        await endOrphanedPostgres(cluster, log)
        current = await start()
        log.warn('PostgreSQL is back')
        return
      } catch (error) {
        log.error({ err: error }, 'PostgreSQL does not start yet')
      }
    }
  }

  async function startAfterCrash(): Promise<ChildProcess> {
    for (const deadline = Date.now() + SHARED_MEMORY_TIMEOUT_MS; ; await pause(FIRST_DELAY_MS)) {
      try {
        return await start()
      } catch (error) {
        const stillHeld = /still in use|lock file .* already exists/.test(String(error))
        if (!stillHeld || Date.now() > deadline) throw error
      }
    }
  }

  let current = await startAfterCrash()
  const stopAtExit = () => void current.kill('SIGINT')
  process.once('exit', stopAtExit)
  return {
    async stop(ask) {
      stopping = true
      process.off('exit', stopAtExit)
      await restarting
      if (hasEnded(current)) return
      const ended = once(current, 'exit')
      ask(current)
      const forced = setTimeout(() => current.kill('SIGQUIT'), STOP_TIMEOUT_MS)
      await ended
      clearTimeout(forced)
    },
  }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

/** Reads postmaster.pid, like pg_ctl. */
async function untilReady(child: ChildProcess, cluster: string, lastWords: () => string): Promise<void> {
  let broken: Error | undefined
  child.once('error', (error) => {
    broken = error
  })
  for (;;) {
    const postmaster = readPostmaster(cluster)
    if (postmaster?.ready && postmaster.pid === child.pid) return
    if (broken) throw new StartupError(`The embedded PostgreSQL could not be started: ${broken.message}`)
    if (hasEnded(child)) {
      throw new StartupError(
        `The embedded PostgreSQL in ${cluster} did not start: ${lastWords() || 'it gave no reason'}`,
      )
    }
    await pause(10)
  }
}
