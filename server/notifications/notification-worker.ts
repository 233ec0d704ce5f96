/**
 * Runs the rounds that write notifications: soon after a commit of this node, and every few seconds for what another node
 * committed before it stopped.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { coalesceCalls } from '../concurrency/coalesce.ts'
import type { Database } from '../database/open-database.ts'
import type { ServerLogger } from '../log.ts'
import type { LoggedChange } from '../store/change-log-reader.ts'
import { writeNotifications } from './write-notifications.ts'

/** Between a commit and its round, so that what many do at once becomes one row; at most one round in this time. */
const roundDelayMs = 300
const pollMs = 4000

export type NotificationWorker = {
  /** Asks for a round after a commit of this node. */
  wake(): void
  close(): Promise<void>
}

/** @param given.notify gets the changes to tell sockets of, after each commit */
export function startNotificationWorker(given: {
  database: Database
  log: ServerLogger
  notify: (changes: readonly LoggedChange[]) => void
}): NotificationWorker {
  const closing = new AbortController()
  const run = coalesceCalls(async () => {
    await pause(roundDelayMs, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    if (closing.signal.aborted) return
    try {
      // A node at work may have begun before this node's commit: it is asked again.
      if ((await writeNotifications(given.database, given.notify)) !== 'done') void run()
    } catch (error) {
      given.log.warn({ err: error }, 'notifications wait for the database')
    }
  })
  const timer = setInterval(() => void run(), pollMs)
  timer.unref()
  return {
    wake: () => void run(),
    async close() {
      clearInterval(timer)
      closing.abort()
      await run()
    },
  }
}
