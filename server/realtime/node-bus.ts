/** Uses NOTIFY or Redis. A lost announcement delays a change until the next poll, up to a second. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { TypingSignal } from '#contract/realtime/realtime.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/open-database.ts'
import { generateId } from '../ids.ts'
import type { ServerLogger } from '../log.ts'

export type NodeBus = {
  /** An empty list makes the other nodes poll. */
  send(changes: readonly number[]): void
  sendTyping(member: number, sign: TypingSignal): void
  close(): Promise<void>
}

/** Broadcasts messages to every node, including this one. */
export type NodeBroadcastChannel = {
  publish(message: string): Promise<void>
  close(): Promise<void>
}

export type OpenNodeBroadcastChannel = (given: {
  config: Config
  database: Database
  log: ServerLogger
  received: (message: string) => void
  /** Called after reconnecting, because messages may have been lost. */
  missed: () => void
}) => NodeBroadcastChannel

/** Commits within this time share one message. */
const batchMs = 4
/** If there are more ids, other nodes poll. NOTIFY payloads are limited to 8,000 bytes. */
const maxIdsPerMessage = 400

/** A message about typing contains no ids, so an older node polls. */
const typingMark = 'typing'

/**
 * @param heard receives ids that another node committed; an empty list means poll
 * @param heardTyping receives the recipient of an indicator
 */
export function openNodeBus(
  open: OpenNodeBroadcastChannel,
  given: { config: Config; database: Database; log: ServerLogger },
  received: (changes: readonly number[]) => void,
  receivedTyping: (member: number, sign: TypingSignal) => void,
): NodeBus {
  const node = generateId(8)
  const channel = open({
    ...given,
    missed: () => received([]),
    received(message) {
      const [sender, ids = '', member, conversationId, personId] = message.split(' ')
      if (sender === node) return
      if (ids === typingMark) {
        if (conversationId && personId) receivedTyping(Number(member), { conversationId, personId })
      } else received(ids === '' ? [] : ids.split(',').map(Number).filter(Number.isSafeInteger))
    },
  })
  let gathered: number[] = []
  let sending: Promise<void> | null = null

  const outsideRequest = AsyncLocalStorage.snapshot()

  const publish = (text: string) =>
    channel.publish(`${node} ${text}`).catch((error: unknown) => {
      given.log.debug({ err: error }, 'the other nodes could not be notified')
    })

  /** Waits before sending, so that ids that arrive meanwhile share the message. */
  const sendGathered = async () => {
    await pause(batchMs)
    const named = gathered.length > maxIdsPerMessage ? '' : gathered.join(',')
    gathered = []
    await publish(named)
    sending = gathered.length > 0 ? sendGathered() : null
  }
  return {
    send(changes) {
      gathered.push(...changes)
      sending ??= outsideRequest(sendGathered)
    },
    sendTyping(member, { conversationId, personId }) {
      void outsideRequest(() => publish(`${typingMark} ${member} ${conversationId} ${personId}`))
    },
    async close() {
      while (sending) await sending
      await channel.close()
    },
  }
}

export const openNoopBroadcastChannel: OpenNodeBroadcastChannel = () => ({
  publish: async () => {},
  close: async () => {},
})
