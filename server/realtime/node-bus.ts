/**
 * Reaches other nodes by NOTIFY or Redis. A lost announcement only delays a change until the next outbox
 * poll, up to a second.
 */
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
  /** To a member. */
  sendTyping(member: number, sign: TypingSignal): void
  close(): Promise<void>
}

/** Broadcasts to every node, including this one. */
export type NodeBroadcastChannel = {
  publish(message: string): Promise<void>
  close(): Promise<void>
}

export type OpenNodeBroadcastChannel = (given: {
  config: Config
  database: Database
  log: ServerLogger
  heard: (message: string) => void
  /** Called after a reconnection, because messages may have been lost. */
  missed: () => void
}) => NodeBroadcastChannel

/** Commits within this time share one message. */
const batchMs = 4
/** With more ids, the other nodes poll. NOTIFY payloads are limited to 8,000 bytes. */
const maxIdsPerMessage = 400

/** Begins a part without ids, for which an older node polls the outbox. */
const typingMark = 'typing'

/**
 * @param heard receives the ids of changes that another node committed; an empty list means that this node
 * must poll
 * @param heardTyping receives the member to whom someone is typing at another node
 */
export function openNodeBus(
  open: OpenNodeBroadcastChannel,
  given: { config: Config; database: Database; log: ServerLogger },
  heard: (changes: readonly number[]) => void,
  heardTyping: (member: number, sign: TypingSignal) => void,
): NodeBus {
  const node = generateId(8)
  const channel = open({
    ...given,
    missed: () => heard([]),
    heard(message) {
      const [sender, ids = '', member, conversationId, personId] = message.split(' ')
      if (sender === node) return
      if (ids === typingMark) {
        if (conversationId && personId) heardTyping(Number(member), { conversationId, personId })
      } else heard(ids === '' ? [] : ids.split(',').map(Number).filter(Number.isSafeInteger))
    },
  })
  let gathered: number[] = []
  let sending: Promise<void> | null = null

  /** One message covers many requests. */
  const outsideRequest = AsyncLocalStorage.snapshot()

  const publish = (text: string) =>
    channel.publish(`${node} ${text}`).catch((error: unknown) => {
      given.log.debug({ err: error }, 'the other nodes could not be notified')
    })

  /** Ids that arrive while a message is sent share the next one. */
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

/** For a single node. */
export const openNoopBroadcastChannel: OpenNodeBroadcastChannel = () => ({
  publish: async () => {},
  close: async () => {},
})
