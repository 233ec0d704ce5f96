/** A member's account id, or a visitor's IP address. */
export type FairQueueCaller = number | string

export type FairQueueLimits = { total: number; perCaller: number }

export type FairQueue<T> = {
  /** Returns false if the queue is full, either for the caller or in total. */
  push(caller: FairQueueCaller, item: T): boolean
  /**
   * Removes the newest item of the caller with the most waiting items. Removes nothing if that caller would
   * then have fewer items than the given caller.
   * @returns undefined if nothing was removed
   */
  displace(caller: FairQueueCaller): T | undefined
  /** Takes an item from the caller who was served the least. */
  shift(): T | undefined
  remove(caller: FairQueueCaller, item: T): boolean
  /** `cost` is in milliseconds. A negative cost refunds an advance charge. */
  charge(caller: FairQueueCaller, cost: number): void
  readonly size: number
}

type Waiting<T> = { items: T[]; start: number }

/**
 * Start-time fair queueing (Goyal, Vin and Cheng, 1996): slow items delay only their own caller, whose next
 * item starts where the last one ended. The clock is at the start of the item being served.
 */
export function createFairQueue<T>(limits: FairQueueLimits): FairQueue<T> {
  // A Map keeps insertion order, so a served caller is inserted again at the end.
  const waiting = new Map<FairQueueCaller, Waiting<T>>()
  /** The virtual time at which a caller's last item ended, if it is later than the clock. */
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
