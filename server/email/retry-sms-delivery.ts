/** The response time must not reveal whether a message was sent, and so whether an account exists. */
import { setTimeout as pause } from 'node:timers/promises'
import type { ServerLogger } from '../log.ts'

export type RetryingSender<Message> = {
  send(message: Message): void
  drain(): Promise<void>
}

const retryDelaysSeconds = [1, 5]

/**
 * Tries three times, then logs. The member can request another message.
 * @param what for logs
 */
export function createRetryingSender<Message>(
  what: string,
  log: ServerLogger,
  deliver: (message: Message) => Promise<unknown>,
): RetryingSender<Message> {
  const inFlight = new Set<Promise<void>>()
  const deliverWithRetries = async (message: Message) => {
    for (const delay of [...retryDelaysSeconds, null]) {
      try {
        await deliver(message)
        return
      } catch (error) {
        log.warn({ reason: describeDeliveryError(error), last: delay === null }, `${what} was not delivered`)
        if (delay !== null) await pause(delay * 1000)
      }
    }
  }
  return {
    send(message) {
      const delivery = new Promise((later) => setImmediate(later)).then(() => deliverWithRetries(message))
      inFlight.add(delivery)
      delivery.finally(() => inFlight.delete(delivery))
    },
    async drain() {
      await Promise.all(inFlight)
    },
  }
}

/** Omits the error's message, which may contain a member's address. */
export function describeDeliveryError(error: unknown): string {
  const { code, responseCode, name } = error as { code?: unknown; responseCode?: unknown; name?: unknown }
  return [name, code, responseCode].filter((part) => part !== undefined).join(' ')
}
