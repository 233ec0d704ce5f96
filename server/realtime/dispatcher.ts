import { createKeyedBatchQueue } from '../concurrency/keyed-batch-queue.ts'
import { toFailure } from '../errors.ts'
import type { ServerLogger } from '../log.ts'
import type { LoggedChange } from '../store/change-log-reader.ts'

/** After the last attempt, the change is dropped, so that the position can advance. */
const maxAttempts = 5

type Dispatch = { change: LoggedChange; attempts: number; failed: boolean; done: Promise<void> }

export type ChangeDispatcher = {
  /** @throws database errors; dispatch the change again */
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
  // A popular post must not delay conversations. Ten batches leave connections for requests.
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
