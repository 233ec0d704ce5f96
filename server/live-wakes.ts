/**
 * How a node hears that another one committed: ids of changes, by NOTIFY or by Redis (architecture §14.2). A wake-up is a
 * hint and carries nothing else; one that is lost costs a second, until the outbox is read anyway.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from './config.ts'
import type { Database } from './database/open.ts'
import { newId } from './ids.ts'
import type { Log } from './log.ts'

export type Wakes = {
  /** After a commit; none means: look for yourselves. */
  send(changes: readonly number[]): void
  close(): Promise<void>
}

/** A way to say short things to every node, this one included. */
export type Channel = {
  publish(message: string): Promise<void>
  close(): Promise<void>
}

export type OpenChannel = (given: {
  config: Config
  database: Database
  log: Log
  heard: (message: string) => void
  /** The way was broken, and is whole again. */
  missed: () => void
}) => Channel

/** Commits within this share one message. */
const gatherMs = 4
/** More than this many, and the others had better read the outbox; NOTIFY ends at 8,000 bytes. */
const mostNamed = 400

/** @param heard ids of changes that another node committed; none means that something happened */
export function openWakes(
  open: OpenChannel,
  given: { config: Config; database: Database; log: Log },
  heard: (changes: readonly number[]) => void,
): Wakes {
  const node = newId(8)
  const channel = open({
    ...given,
    missed: () => heard([]),
    heard(message) {
      const [sender, ids = ''] = message.split(' ')
      if (sender !== node) heard(ids === '' ? [] : ids.split(',').map(Number).filter(Number.isSafeInteger))
    },
  })
  let gathered: number[] = []
  let sending: Promise<void> | null = null

  /** A message is about the commits of many requests, so it is sent in the name of none. */
  const apart = AsyncLocalStorage.snapshot()

  /** One message at a time; what comes meanwhile goes together in the next. */
  const sendGathered = async () => {
    await pause(gatherMs)
    const named = gathered.length > mostNamed ? '' : gathered.join(',')
    gathered = []
    await channel.publish(`${node} ${named}`).catch((error: unknown) => {
      given.log.debug({ err: error }, 'the other nodes could not be woken')
    })
    sending = gathered.length > 0 ? sendGathered() : null
  }
  return {
    send(changes) {
      gathered.push(...changes)
      sending ??= apart(sendGathered)
    },
    async close() {
      while (sending) await sending
      await channel.close()
    },
  }
}

/** One node alone has nobody to wake. */
export const noChannel: OpenChannel = () => ({ publish: async () => {}, close: async () => {} })
