/**
 * Live updates: a change → those who may read it → their sockets (architecture §8, §14.1–§14.5). The outbox is the truth:
 * it is read on from this node's position every second and whenever somebody wakes us, and a change that was read twice is
 * told once. The database decides at that moment who may hear; while it is out of reach nobody hears anything.
 */
import type { Config } from './config.ts'
import type { Database } from './database/open.ts'
import { fail } from './errors.ts'
import { type CatchUp, createCatchUp } from './live-catch-up.ts'
import {
  type Beginning,
  beginning,
  type Change,
  changesById,
  changesSince,
  type Position,
  writePosition,
} from './live-changes.ts'
import { createDelivery, type Documents } from './live-delivery.ts'
import { createListeners, type Listener } from './live-listeners.ts'
import { notifyChannel } from './live-notify.ts'
import { createRounds } from './live-rounds.ts'
import { createTelling } from './live-telling.ts'
import { noChannel, openWakes } from './live-wakes.ts'
import type { Log } from './log.ts'

/** Milliseconds: the net under wake-ups that were lost, and under sessions that expired without a word. */
const lookEvery = 1000
const checkSessionsEvery = 10_000
/** So long without the database, and the sockets had better try another node. */
const patience = 15_000
/** A node that is further behind than this sends its listeners to catch up by themselves. */
const mostBehind = 5000
const mostUnderWay = 20_000

export type Live = {
  /** This node committed these changes; none means that something was written past the store. */
  wake(changes: readonly Change[]): void
  /**
   * Once it settles, the listener hears of every later commit that she may read.
   * @returns ends it
   * @throws Failure general_service_unavailable when the database does not say where the outbox stands
   */
  listen(listener: Listener): Promise<() => void>
  /** What a member missed; see contract/live.ts. */
  catchUp: CatchUp
  /** How far this node's listeners have heard everything, as contract/live.ts has it; null while nobody listens. */
  position(): string | null
  /** For the operator; `behind` is the age of the position in seconds. */
  state(): { listeners: number; telling: number; behind: number }
  close(): Promise<void>
}

export async function createLive(given: {
  config: Config
  database: Database
  log: Log
  documents: Documents
}): Promise<Live> {
  const { database, log } = given
  const db = database.kysely
  const listeners = createListeners()
  const { deliver, checkSessions, dismiss } = createDelivery(database, listeners, given.documents)
  const telling = createTelling(deliver, log)
  /** Null while nobody listens: there is nothing to keep up with then. */
  let position: Position | null = null
  /** What was committed before that is no news. */
  let begun: Beginning | null = null
  let answeredAt = Date.now()
  let named: number[] = []

  /** What was read before the position moved past it is told already. */
  const tell = async (change: Change) => {
    if (position !== null && change.xid >= position.xid && begun?.isLater(change)) await telling.tell(change)
  }

  /** With nobody to tell, what happens is not kept up with: the next listener begins anew. */
  const forget = () => {
    position = null
    telling.forgetAll()
  }

  const advance = (to: Position) => {
    if (position === null || to.xid < position.xid) return
    position = to
    telling.forgetBefore(to.xid)
  }

  /** Reads on from the position. What fails is read again by the next look, because the position stays. */
  const look = createRounds(async () => {
    if (listeners.size === 0) return forget()
    try {
      if (position === null || begun === null) {
        begun = await beginning(db)
        position = begun.position
      } else {
        // What is being told comes again until the position moves past it: it is not what we are behind with.
        const most = Math.min(telling.size, mostUnderWay) + mostBehind
        const { changes, position: to } = await changesSince(db, position.xid, [begun.later], most)
        if (changes.length > most) {
          log.warn('live updates fell behind')
          dismiss(listeners.all(), 'fell behind')
        } else {
          Promise.all(changes.map(tell)).then(() => advance(to), complain)
        }
      }
      answeredAt = Date.now()
    } catch (error) {
      complain(error)
      if (Date.now() - answeredAt > patience) dismiss(listeners.all(), 'database lost')
    }
  })

  /** Reads the changes somebody named, without waiting for the next look. */
  const readNamed = createRounds(async () => {
    const ids = named
    named = []
    if (position === null || begun === null || ids.length === 0) return
    const changes = await changesById(db, ids, position.xid, begun.later).catch(complain)
    for (const change of changes ?? []) tell(change).catch(complain)
  })

  const complain = (error: unknown) => log.debug({ err: error }, 'live updates wait for the database')

  const hear = (changes: readonly number[]) => {
    if (listeners.size === 0) return
    named.push(...changes)
    void (changes.length > 0 ? readNamed() : look())
  }

  const wakes = openWakes(await channelOf(given.config, database), given, hear)
  const timers = [
    setInterval(look, lookEvery),
    setInterval(() => checkSessions().catch(complain), checkSessionsEvery),
  ]
  for (const timer of timers) timer.unref()

  return {
    wake(changes) {
      if (listeners.size > 0) {
        for (const change of changes) tell(change).catch(complain)
        if (changes.length === 0) void look()
      }
      wakes.send(changes.map(({ id }) => id))
    },
    async listen(listener) {
      if (listeners.size === 0) {
        forget()
        answeredAt = Date.now()
      }
      listeners.add(listener)
      if (position === null) await look()
      if (position === null) {
        listeners.remove(listener)
        fail('general_service_unavailable')
      }
      return () => listeners.remove(listener)
    },
    catchUp: createCatchUp(database, given.documents),
    position: () => position && writePosition(position),
    state: () => ({
      listeners: listeners.size,
      telling: telling.size,
      behind: position ? Math.max(0, Date.now() - position.at) / 1000 : 0,
    }),
    async close() {
      for (const timer of timers) clearInterval(timer)
      await wakes.close()
      await Promise.allSettled([look(), readNamed()])
      await telling.idle()
    },
  }
}

async function channelOf(config: Config, database: Database) {
  if (config.redisUrl) return (await import('./live-redis.ts')).redisChannel
  return database.embedded ? noChannel : notifyChannel
}
