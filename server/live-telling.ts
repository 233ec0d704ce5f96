/** Telling each change once, in order where order matters, and again where the database was too busy to say to whom. */
import { asFailure } from './errors.ts'
import type { Change } from './live-changes.ts'
import { createLanes } from './live-lanes.ts'
import type { Log } from './log.ts'

/** A change that fails more often is given up: it must not hold up the position for ever. */
const mostTries = 5

type Told = { change: Change; tries: number; failed: boolean; done: Promise<void> }

export type Telling = {
  /** @throws what the database throws; then it is to be told again */
  tell(change: Change): Promise<void>
  /** Changes before this transaction will not come again. */
  forgetBefore(xid: bigint): void
  forgetAll(): void
  /** How many are told, or being told, that may come again. */
  readonly size: number
  /** Settles when nothing is being told. */
  idle(): Promise<void>
}

/** @param deliver tells changes that follow each other, in their order */
export function createTelling(deliver: (changes: readonly Change[]) => Promise<void>, log: Log): Telling {
  const told = new Map<number, Told>()

  const work = async (entries: readonly Told[]) => {
    try {
      await deliver(entries.map(({ change }) => change))
    } catch (error) {
      const busy = asFailure(error)?.status === 503
      if (busy && entries.every(({ tries }) => tries < mostTries)) {
        for (const entry of entries) entry.failed = true
        throw error
      }
      const changes = entries.map(({ change: { collection, kind, publicId } }) => ({
        collection,
        kind,
        publicId,
      }))
      log.error({ err: error, changes }, 'changes could not be told')
    }
  }
  // A post liked by hundreds must not hold up what two people write to each other. Together they leave some of the pool's
  // connections to the requests.
  const narrow = createLanes({ atOnce: 8, together: 50, work })
  const wide = createLanes({ atOnce: 2, together: 50, work })

  return {
    tell(change) {
      const known = told.get(change.id)
      if (known && !known.failed) return known.done
      const { memberIds, groupId, accountId, collection, rowId } = change
      const lanes = groupId === null && (memberIds ?? accountId) !== null ? narrow : wide
      // What two people do to each other keeps its order, whichever collection it is in.
      const key = memberIds?.toSorted().join() ?? `${groupId ?? accountId ?? `${collection} ${rowId}`}`
      const entry: Told = { change, tries: (known?.tries ?? 0) + 1, failed: false, done: Promise.resolve() }
      entry.done = lanes(key, entry)
      entry.done.catch(() => {})
      told.set(change.id, entry)
      return entry.done
    },
    forgetBefore(xid) {
      for (const [id, { change }] of told) if (change.xid < xid) told.delete(id)
    },
    forgetAll: () => told.clear(),
    get size() {
      return told.size
    },
    async idle() {
      await Promise.allSettled([...told.values()].map(({ done }) => done))
    },
  }
}
