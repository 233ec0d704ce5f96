import { setTimeout as pause } from 'node:timers/promises'
import { coalesceCalls } from '../../concurrency/coalesce.ts'
import type { Database } from '../../database/open-database.ts'
import type { ServerLogger } from '../../log.ts'
import type { LoggedChange } from '../../store/change-log-reader.ts'
import { createNotificationWriter } from './write-notifications.ts'

/** A run waits this long, because many actions then share a row. At most one run starts in this time. */
const roundDelayMs = 300
const pollMs = 4000

export type NotificationWorker = {
  wake(): void
  /** Returns the seconds since the last run, on any node, that processed every change. */
  behind(): number
  close(): Promise<void>
}

/** @param given.notify receives the changes of a transaction after its commit */
export function startNotificationWorker(given: {
  database: Database
  log: ServerLogger
  notify: (changes: readonly LoggedChange[]) => void
}): NotificationWorker {
  const closing = new AbortController()
  const writeNotifications = createNotificationWriter(given.database, given.notify)
  let caughtUpAt = Date.now()
  const run = coalesceCalls(async () => {
    await pause(roundDelayMs, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    if (closing.signal.aborted) return
    try {
      const begunAt = Date.now()
      const result = await writeNotifications()
      if (result !== 'behind') caughtUpAt = begunAt
      // Another node's run may have started before this commit.
      if (result !== 'done') void run()
    } catch (error) {
      given.log.warn({ err: error }, 'notifications wait for the database')
    }
  })
  const timer = setInterval(() => void run(), pollMs)
  timer.unref()
  return {
    wake: () => void run(),
    behind: () => (Date.now() - caughtUpAt) / 1000,
    async close() {
      clearInterval(timer)
      closing.abort()
      await run()
    },
  }
}
