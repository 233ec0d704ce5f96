/**
 * Sending what another machine has to take, after the answer was given: how long a mail server takes, or that it is away,
 * must not show in the answer (reading D-15).
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from './log.ts'

export type Delivery<Message> = {
  send(message: Message): void
  /** When everything under way was delivered or given up. */
  settled(): Promise<void>
}

const secondsBetweenTries = [1, 5]

/**
 * Tries three times, then logs and gives up: whoever waits for it asks again.
 * @param what the log's word for it
 */
export function createDelivery<Message>(
  what: string,
  log: Log,
  deliver: (message: Message) => Promise<unknown>,
): Delivery<Message> {
  const underWay = new Set<Promise<void>>()
  const tryToDeliver = async (message: Message) => {
    for (const wait of [...secondsBetweenTries, null]) {
      try {
        await deliver(message)
        return
      } catch (error) {
        log.warn({ reason: reasonOf(error), last: wait === null }, `${what} was not delivered`)
        if (wait !== null) await pause(wait * 1000)
      }
    }
  }
  return {
    send(message) {
      const delivering = new Promise((later) => setImmediate(later)).then(() => tryToDeliver(message))
      underWay.add(delivering)
      delivering.finally(() => underWay.delete(delivering))
    },
    async settled() {
      await Promise.all(underWay)
    },
  }
}

/** Only what kind of failure: its sentence may hold the address (security reference S09). */
export function reasonOf(error: unknown): string {
  const { code, responseCode, name } = error as { code?: unknown; responseCode?: unknown; name?: unknown }
  return [name, code, responseCode].filter((part) => part !== undefined).join(' ')
}
