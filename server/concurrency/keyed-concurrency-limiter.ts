import pLimit, { type LimitFunction } from 'p-limit'

export type KeyedConcurrencyLimiter<Key> = <T>(key: Key, work: () => Promise<T>) => Promise<T>

/**
 * Limits and queues calls per key.
 * @param full called above both limits; must throw
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
