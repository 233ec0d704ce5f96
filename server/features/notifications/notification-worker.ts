/**
 * Runs the rounds that write notifications: soon after a commit of this node, and every few seconds for what another node
 * committed before it stopped.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { coalesceCalls } from '../../concurrency/coalesce.ts'
import type { Database } from '../../database/open-database.ts'
import type { ServerLogger } from '../../log.ts'
import type { LoggedChange } from '../../store/change-log-reader.ts'
import { createNotificationWriter } from './write-notifications.ts'

/** Between a commit and its round, so that what many do at once becomes one row; at most one round in this time. */
const roundDelayMs = 300
const pollMs = 4000

export type NotificationWorker = {
  /** Asks for a round after a commit of this node. */
  wake(): void
  /** For metrics: seconds since the begin of the last round that left no change behind, of this node or another. */
  behind(): number
  close(): Promise<void>
}

/** @param given.notify gets the changes to tell sockets of, after each commit */
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
      // A node at work may have begun before this node's commit: it is asked again.
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
