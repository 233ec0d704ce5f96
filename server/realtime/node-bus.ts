/**
 * Tells other nodes the ids of committed changes, by NOTIFY or Redis, and who is writing to whom. A message is only a hint: a
 * lost one costs up to a second, until the next poll of the outbox.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { TypingSignal } from '#contract/realtime/realtime.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/open-database.ts'
import { generateId } from '../ids.ts'
import type { ServerLogger } from '../log.ts'

export type NodeBus = {
  /** Announces committed changes; none asks the other nodes to poll the outbox. */
  send(changes: readonly number[]): void
  /** Announces to a member that somebody is writing. */
  sendTyping(member: number, sign: TypingSignal): void
  close(): Promise<void>
}

/** Broadcasts short messages to every node, this one included. */
export type NodeBroadcastChannel = {
  publish(message: string): Promise<void>
  close(): Promise<void>
}

export type OpenNodeBroadcastChannel = (given: {
  config: Config
  database: Database
  log: ServerLogger
  heard: (message: string) => void
  /** Called when the connection is back: messages may have been lost. */
  missed: () => void
}) => NodeBroadcastChannel

/** Commits within this time share one message. */
const batchMs = 4
/** Beyond this the message asks for a poll instead; NOTIFY payloads end at 8,000 bytes. */
const maxIdsPerMessage = 400

/** Begins the second part of a message that is not ids. A node of a version that does not know it polls the outbox instead. */
const typingMark = 'typing'

/**
 * @param heard called with ids that another node committed; none asks for a poll
 * @param heardTyping called with the member to whom somebody is writing at another node
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

  /** Leaves the request's async context: a message covers the commits of many requests. */
  const outsideRequest = AsyncLocalStorage.snapshot()

  const publish = (text: string) =>
    channel.publish(`${node} ${text}`).catch((error: unknown) => {
      given.log.debug({ err: error }, 'the other nodes could not be notified')
    })

  /** Sends one message at a time; ids that arrive meanwhile share the next. */
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

/** For a single node: there is no other to notify. */
export const openNoopBroadcastChannel: OpenNodeBroadcastChannel = () => ({
  publish: async () => {},
  close: async () => {},
})
