/** Limits how many works of one key run at a time; a few more wait in turn, and the rest are refused. */
import pLimit, { type LimitFunction } from 'p-limit'

/** Runs work of a key, at once or in its turn. Rejects with what the work threw. */
export type KeyedConcurrencyLimiter<Key> = <T>(key: Key, work: () => Promise<T>) => Promise<T>

/**
 * Runs at most `concurrency` works of one key at a time; up to `waiting` more wait in turn, and what exceeds these is refused.
 * @param full called when as many wait already; must throw
 */
export function createKeyedConcurrencyLimiter<Key>({
  concurrency,
  waiting,
  full,
}: {
  concurrency: number
  waiting: number
  full: () => never
}): KeyedConcurrencyLimiter<Key> {
  const limits = new Map<Key, { limit: LimitFunction; works: number }>()
  return async (key, work) => {
    const own = limits.get(key) ?? { limit: pLimit(concurrency), works: 0 }
    if (own.works >= concurrency + waiting) full()
    limits.set(key, own)
    own.works += 1
    try {
      return await own.limit(work)
    } finally {
      own.works -= 1
      if (own.works === 0) limits.delete(key)
    }
  }
}
