/** Queues items per caller and shares the service among callers by what their items cost. */

/** Account id, or a visitor's IP address. */
export type FairQueueCaller = number | string

/** Items that may wait, in total and per caller. */
export type FairQueueLimits = { total: number; perCaller: number }

export type FairQueue<T> = {
  /** @returns false when the queue is full, for the caller or in total */
  push(caller: FairQueueCaller, item: T): boolean
  /**
   * Makes room for an item of a caller, when the queue is full in total: takes out the newest item of the caller who has most
   * waiting, and more than this one would have.
   * @returns the item that is not served any more; undefined where nobody has more
   */
  displace(caller: FairQueueCaller): T | undefined
  /** Takes the next item, of the caller who has been served least. */
  shift(): T | undefined
  /** Removes a waiting item. @returns false when it is not waiting */
  remove(caller: FairQueueCaller, item: T): boolean
  /** Records what an item cost that the caller was served, in milliseconds; less than 0 gives back what was charged in advance. */
  charge(caller: FairQueueCaller, cost: number): void
  readonly size: number
}

type Waiting<T> = { items: T[]; start: number }

/**
 * Queues items per caller and shares the service by what it costs, so that one with slow images or lists does not hold up the
 * others: start-time fair queueing (Goyal, Vin and Cheng, 1996). A caller's next item starts where the last one ended, on a
 * clock that stands where the item being served started; callers who start at the same time are served round-robin.
 */
export function createFairQueue<T>(limits: FairQueueLimits): FairQueue<T> {
  // A Map iterates in insertion order: a caller just served is inserted again at the end.
  const waiting = new Map<FairQueueCaller, Waiting<T>>()
  /** Where the last charged item of a caller ended, if that is later than the clock. */
  const ends = new Map<FairQueueCaller, number>()
  let clock = 0
  let total = 0

  const startOf = (caller: FairQueueCaller) => Math.max(clock, ends.get(caller) ?? 0)
  const dropPastEnds = () => {
    for (const [caller, end] of ends) if (end <= clock) ends.delete(caller)
  }

  return {
    push(caller, item) {
      const own = waiting.get(caller) ?? { items: [], start: startOf(caller) }
      if (total >= limits.total || own.items.length >= limits.perCaller) return false
      own.items.push(item)
      waiting.set(caller, own)
      total += 1
      return true
    },
    displace(caller) {
      const own = waiting.get(caller)?.items.length ?? 0
      if (total < limits.total || own >= limits.perCaller) return undefined
      let most: T[] = []
      for (const { items } of waiting.values()) if (items.length > most.length) most = items
      if (most.length <= own + 1) return undefined
      total -= 1
      return most.pop()
    },
    shift() {
      let next: [FairQueueCaller, Waiting<T>] | undefined
      for (const entry of waiting) if (!next || entry[1].start < next[1].start) next = entry
      if (!next) return undefined
      const [caller, own] = next
      clock = Math.max(clock, own.start)
      dropPastEnds()
      waiting.delete(caller)
      const item = own.items.shift()
      if (own.items.length > 0) waiting.set(caller, own)
      total -= 1
      return item
    },
    remove(caller, item) {
      const own = waiting.get(caller)
      const at = own?.items.indexOf(item) ?? -1
      if (!own || at === -1) return false
      own.items.splice(at, 1)
      if (own.items.length === 0) waiting.delete(caller)
      total -= 1
      return true
    },
    charge(caller, cost) {
      ends.set(caller, startOf(caller) + cost)
      const own = waiting.get(caller)
      if (own) own.start = startOf(caller)
    },
    get size() {
      return total
    },
  }
}
