/**
 * The outbox table is the source of truth. This node polls it every second and after each notification, and
 * removes duplicates. The database authorises recipients, so nothing is delivered while it is unreachable.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { TypingSignal } from '#contract/realtime/realtime.ts'
import { coalesceCalls } from '../concurrency/coalesce.ts'
import { createKeyedBatchQueue } from '../concurrency/keyed-batch-queue.ts'
import type { Config } from '../config.ts'
import { readInstanceId } from '../database/instance-id.ts'
import type { Database } from '../database/open-database.ts'
import { throwFailure, toFailure } from '../errors.ts'
import type { ServerLogger } from '../log.ts'
import {
  type ChangeLogPosition,
  type ChangeLogStart,
  type LoggedChange,
  readChangeLogStart,
  selectChangesById,
  selectChangesSince,
} from '../store/change-log-reader.ts'
import { type ChangeSubscriber, createChangeFanOut } from './fan-out.ts'
import { openNodeBus, openNoopBroadcastChannel } from './node-bus.ts'
import type { PositionSeal } from './position-seal.ts'
import { openPostgresNotifyChannel } from './postgres-notify-channel.ts'

/**
 * Polling finds changes whose notification was lost. The session check finds sessions that expire without a
 * change.
 */
const pollIntervalMs = 1000
const sessionCheckIntervalMs = 10_000
/** After this time without the database, sockets close so that clients try another node. */
const drainTimeoutMs = 15_000
/** With a longer backlog, sockets close so that clients catch up by request. */
const maxBehind = 5000
const maxInFlight = 20_000

export type ChangeDelivery = {
  /** Delivers changes of this node. An empty list means that rows were written outside the store. */
  notify(changes: readonly LoggedChange[]): void
  /** Sends an indicator to every node, without storing it. */
  signalTyping(member: number, sign: TypingSignal): void
  /**
   * Afterwards, every readable commit is delivered.
   * @returns a function that unsubscribes
   * @throws Failure general_service_unavailable without an outbox position
   */
  subscribe(subscriber: ChangeSubscriber): Promise<() => void>
  /**
   * The position up to which changes were delivered. Each call encrypts it differently; null without
   * subscribers.
   */
  position(): string | null
  /** `behind` is the position's age in seconds. */
  state(): { subscribers: number; delivering: number; behind: number }
  close(): Promise<void>
}

export async function createChangeDelivery(given: {
  config: Config
  database: Database
  log: ServerLogger
  positions: PositionSeal
}): Promise<ChangeDelivery> {
  const { database, log, positions } = given
  const db = database.kysely
  /** Delivery runs outside the async context of the request that wrote the change. */
  const outsideRequests = AsyncLocalStorage.snapshot()
  const fanOut = createChangeFanOut(database)
  const dispatcher = createChangeDispatcher(fanOut.deliver, log)
  /** Null without subscribers, because the node then does not follow the outbox. */
  let position: ChangeLogPosition | null = null
  let start: ChangeLogStart | null = null
  let answeredAt = Date.now()
  let pendingIds: number[] = []

  const dispatchIfNew = async (change: LoggedChange) => {
    if (position !== null && change.xid >= position.xid && start?.isLater(change))
      await dispatcher.dispatch(change)
  }

  /** Stops following the outbox. The next subscriber starts again. */
  const reset = () => {
    position = null
    dispatcher.forgetAll()
  }

  const advance = (to: ChangeLogPosition) => {
    if (position === null || to.xid < position.xid) return
    position = to
    dispatcher.forgetBefore(to.xid)
  }

  /** If a read fails, the next poll repeats it. */
  const poll = coalesceCalls(async () => {
    if (fanOut.size === 0) return reset()
    try {
      if (position === null || start === null) {
        start = await readChangeLogStart(db)
        position = start.position
      } else {
        // Changes in flight do not count as backlog, because the outbox returns them until the position
        // passes them.
        const most = Math.min(dispatcher.size, maxInFlight) + maxBehind
        const { changes, position: to } = await selectChangesSince(
          db,
          position.xid,
          [{ where: start.later }],
          most,
        )
        if (changes.length > most) {
          log.warn('live updates fell behind')
          fanOut.dismissAll('fell_behind')
        } else {
          Promise.all(changes.map(dispatchIfNew)).then(() => advance(to), logUnavailable)
        }
      }
      answeredAt = Date.now()
    } catch (error) {
      logUnavailable(error)
      if (Date.now() - answeredAt > drainTimeoutMs) fanOut.dismissAll('database_lost')
    }
  })

  const readAnnounced = coalesceCalls(async () => {
    const ids = pendingIds
    pendingIds = []
    if (position === null || start === null || ids.length === 0) return
    const changes = await selectChangesById(db, ids, position.xid, start.later).catch(logUnavailable)
    for (const change of changes ?? []) dispatchIfNew(change).catch(logUnavailable)
  })

  const logUnavailable = (error: unknown) => log.debug({ err: error }, 'live updates wait for the database')

  const onOtherNode = (changes: readonly number[]) => {
    if (fanOut.size === 0) return
    pendingIds.push(...changes)
    void (changes.length > 0 ? readAnnounced() : poll())
  }

  const deliverTyping = (member: number, sign: TypingSignal) =>
    void fanOut.deliverTyping(member, sign).catch(logUnavailable)

  const bus = openNodeBus(await channelOf(given.config, database), given, onOtherNode, deliverTyping)
  const timers = [
    setInterval(poll, pollIntervalMs),
    setInterval(() => fanOut.checkSessions().catch(logUnavailable), sessionCheckIntervalMs),
  ]
  for (const timer of timers) timer.unref()

  return {
    notify: (changes) =>
      outsideRequests(() => {
        if (fanOut.size > 0) {
          for (const change of changes) dispatchIfNew(change).catch(logUnavailable)
          if (changes.length === 0) void poll()
        }
        bus.send(changes.map(({ id }) => id))
      }),
    signalTyping(member, sign) {
      outsideRequests(() => deliverTyping(member, sign))
      bus.sendTyping(member, sign)
    },
    async subscribe(subscriber) {
      if (fanOut.size === 0) {
        reset()
        answeredAt = Date.now()
      }
      fanOut.add(subscriber)
      if (position === null) await poll()
      if (position === null) {
        fanOut.remove(subscriber)
        throwFailure('general_service_unavailable')
      }
      return () => fanOut.remove(subscriber)
    },
    position: () => position && positions.seal(position),
    state: () => ({
      subscribers: fanOut.size,
      delivering: dispatcher.size,
      behind: position ? Math.max(0, Date.now() - position.at) / 1000 : 0,
    }),
    async close() {
      for (const timer of timers) clearInterval(timer)
      await bus.close()
      await Promise.allSettled([poll(), readAnnounced()])
      await dispatcher.idle()
    },
  }
}

async function channelOf(config: Config, database: Database) {
  if (config.redisUrl) {
    const { redisChannelOf } = await import('./redis-channel.ts')
    return redisChannelOf(await readInstanceId(database))
  }
  return database.embedded ? openNoopBroadcastChannel : openPostgresNotifyChannel
}

/** After the last attempt, the change is dropped, so that the position can advance. */
const maxAttempts = 5

type Dispatch = { change: LoggedChange; attempts: number; failed: boolean; done: Promise<void> }

type ChangeDispatcher = {
  /** @throws database errors; the caller must dispatch the change again */
  dispatch(change: LoggedChange): Promise<void>
  /** Forgets changes that the outbox will not return again. */
  forgetBefore(xid: bigint): void
  forgetAll(): void
  readonly size: number
  idle(): Promise<void>
}

/**
 * Dispatches a change once, in order per audience, with retries while the database is too busy.
 * @param deliver sends consecutive changes in order
 */
export function createChangeDispatcher(
  deliver: (changes: readonly LoggedChange[]) => Promise<void>,
  log: ServerLogger,
): ChangeDispatcher {
  const dispatched = new Map<number, Dispatch>()

  const work = async (entries: readonly Dispatch[]) => {
    try {
      await deliver(entries.map(({ change }) => change))
    } catch (error) {
      const busy = toFailure(error)?.status === 503
      if (busy && entries.every(({ attempts }) => attempts < maxAttempts)) {
        for (const entry of entries) entry.failed = true
        throw error
      }
      const changes = entries.map(({ change: { collection, kind, publicId } }) => ({
        collection,
        kind,
        publicId,
      }))
      log.error({ err: error, changes }, 'changes could not be delivered')
    }
  }
  // Separate queues, so that a popular post does not delay conversations. At most ten batches run at once, which
  // leaves database connections for requests.
  const narrow = createKeyedBatchQueue({ concurrency: 8, batchSize: 50, work })
  const wide = createKeyedBatchQueue({ concurrency: 2, batchSize: 50, work })

  return {
    dispatch(change) {
      const known = dispatched.get(change.id)
      if (known && !known.failed) return known.done
      const { memberIds, groupId, accountId, collection, rowId } = change
      const enqueue = groupId === null && (memberIds ?? accountId) !== null ? narrow : wide
      // Keeps changes in order across collections.
      const key = memberIds?.toSorted().join() ?? `${groupId ?? accountId ?? `${collection} ${rowId}`}`
      const entry: Dispatch = {
        change,
        attempts: (known?.attempts ?? 0) + 1,
        failed: false,
        done: Promise.resolve(),
      }
      entry.done = enqueue(key, entry)
      entry.done.catch(() => {})
      dispatched.set(change.id, entry)
      return entry.done
    },
    forgetBefore(xid) {
      for (const [id, { change }] of dispatched) if (change.xid < xid) dispatched.delete(id)
    },
    forgetAll: () => dispatched.clear(),
    get size() {
      return dispatched.size
    },
    async idle() {
      await Promise.allSettled([...dispatched.values()].map(({ done }) => done))
    },
  }
}
