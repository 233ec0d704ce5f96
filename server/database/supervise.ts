import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { CannotStart } from '#server/cannot-start.ts'
import type { Log } from '#server/log.ts'
import { endOrphan, readPostmaster } from './postmaster.ts'

const FIRST_DELAY_MS = 100
const LONGEST_DELAY_MS = 5_000
/** How long the memory of a PostgreSQL killed at once may outlive it: its children notice within this. */
const LINGERING_MS = 10_000

/**
 * Keeps a cluster's PostgreSQL running: returns once it takes connections, starts it again whenever it ends by
 * itself, more patiently each time in a row, until told to stop.
 * @param launch starts the program once. @param lastWords why it ended, in its own words.
 * @throws CannotStart when the first start fails.
 */
export async function keepRunning(options: {
  cluster: string
  log: Log
  launch: () => ChildProcess
  lastWords: () => string
}): Promise<{ stop(ask: (child: ChildProcess) => void): Promise<void> }> {
  const { cluster, log, launch, lastWords } = options
  let stopping = false
  let reviving = Promise.resolve()

  async function start(): Promise<ChildProcess> {
    const child = launch()
    await untilReady(child, cluster, lastWords)
    child.once('exit', (code, signal) => {
      if (stopping) return
      log.error({ code, signal }, 'PostgreSQL ended; starting it again')
      reviving = revive()
    })
    return child
  }

  async function revive(): Promise<void> {
    for (let delay = FIRST_DELAY_MS; !stopping; delay = Math.min(delay * 2, LONGEST_DELAY_MS)) {
      await pause(delay)
      try {
        await endOrphan(cluster, log)
        current = await start()
        log.warn('PostgreSQL is back')
        return
      } catch (error) {
        log.error({ err: error }, 'PostgreSQL does not start yet')
      }
    }
  }

  async function startAfterCrash(): Promise<ChildProcess> {
    for (const deadline = Date.now() + LINGERING_MS; ; await pause(FIRST_DELAY_MS)) {
      try {
        return await start()
      } catch (error) {
        const lingering = /still in use|lock file .* already exists/.test(String(error))
        if (!lingering || Date.now() > deadline) throw error
      }
    }
  }

  let current = await startAfterCrash()
  // The last word of a process that ends without draining: PostgreSQL stops by itself instead of staying behind.
  const endWithUs = () => void current.kill('SIGINT')
  process.once('exit', endWithUs)
  return {
    async stop(ask) {
      stopping = true
      process.off('exit', endWithUs)
      await reviving
      if (hasEnded(current)) return
      const ended = once(current, 'exit')
      ask(current)
      const impatient = setTimeout(() => current.kill('SIGQUIT'), 20_000)
      await ended
      clearTimeout(impatient)
    },
  }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

/** Waits for the line in postmaster.pid that says "ready", as pg_ctl does: no connection is spent on asking. */
async function untilReady(child: ChildProcess, cluster: string, lastWords: () => string): Promise<void> {
  let broken: Error | undefined
  child.once('error', (error) => {
    broken = error
  })
  for (;;) {
    const postmaster = readPostmaster(cluster)
    if (postmaster?.ready && postmaster.pid === child.pid) return
    if (broken) throw new CannotStart(`The private PostgreSQL could not be run: ${broken.message}`)
    if (hasEnded(child)) {
      throw new CannotStart(
        `The private PostgreSQL in ${cluster} did not start: ${lastWords() || 'it gave no reason'}`,
      )
    }
    await pause(10)
  }
}
