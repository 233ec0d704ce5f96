/** Whose turn it is: members in a circle, so that one who sends forty pictures does not keep the others waiting. */

export type FairQueue<T> = {
  /** @returns false when there is no room, for her or at all */
  push(member: number, item: T): boolean
  /** The next item, of the member who has waited longest for a turn. */
  shift(): T | undefined
  /** @returns false when it does not wait here any more */
  remove(member: number, item: T): boolean
  readonly size: number
}

export function createFairQueue<T>(room: { total: number; perMember: number }): FairQueue<T> {
  // A map keeps the order of insertion: who had a turn goes to its end.
  const waiting = new Map<number, T[]>()
  let total = 0
  return {
    push(member, item) {
      const own = waiting.get(member) ?? []
      if (total >= room.total || own.length >= room.perMember) return false
      own.push(item)
      waiting.set(member, own)
      total += 1
      return true
    },
    shift() {
      const [first] = waiting
      if (!first) return undefined
      const [member, own] = first
      waiting.delete(member)
      const item = own.shift()
      if (own.length > 0) waiting.set(member, own)
      total -= 1
      return item
    },
    remove(member, item) {
      const own = waiting.get(member) ?? []
      const at = own.indexOf(item)
      if (at === -1) return false
      own.splice(at, 1)
      if (own.length === 0) waiting.delete(member)
      total -= 1
      return true
    },
    get size() {
      return total
    },
  }
}
