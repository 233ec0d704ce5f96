/** The signed-in sockets of this node, found by whom a change may concern. */
import type { Change } from './live-changes.ts'

/** Why a listener is sent away. */
export type Ending = 'session over' | 'blocked' | 'fell behind' | 'database lost'

export type Listener = {
  /** Keys; `accountId` alone is what others call it. */
  readonly account: number
  readonly accountId: string
  readonly session: number
  /** Null for an account without a profile, which hears of itself alone. */
  member: number | null
  /** Whether she subscribed to it. */
  wants(change: Change): boolean
  /** @param document frozen, and shared with other listeners */
  tell(change: Change, document: Readonly<Record<string, unknown>>): void
  /** Called at most once; nothing is told afterwards. */
  end(why: Ending): void
}

export type Listeners = {
  add(listener: Listener): void
  remove(listener: Listener): void
  /** Gives the sockets of an account the profile it did not have. */
  adopt(account: number, member: number): void
  /** Those who may be told, by what the change itself says; the database decides among them. */
  candidates(change: Change): Listener[]
  all(): Listener[]
  readonly size: number
}

export function createListeners(): Listeners {
  const everyone = new Set<Listener>()
  const byMember = new Map<number, Set<Listener>>()
  const byAccount = new Map<number, Set<Listener>>()

  return {
    add(listener) {
      everyone.add(listener)
      put(byAccount, listener.account, listener)
      if (listener.member !== null) put(byMember, listener.member, listener)
    },
    remove(listener) {
      everyone.delete(listener)
      take(byAccount, listener.account, listener)
      if (listener.member !== null) take(byMember, listener.member, listener)
    },
    adopt(account, member) {
      for (const listener of byAccount.get(account) ?? []) {
        if (listener.member !== null) continue
        listener.member = member
        put(byMember, member, listener)
      }
    },
    candidates(change) {
      // An account's sockets hear of it whatever they subscribed to: their session may have ended.
      if (change.accountId !== null) return [...(byAccount.get(change.accountId) ?? [])]
      if (change.memberIds === null || change.groupId !== null) {
        return [...everyone].filter((listener) => listener.member !== null && listener.wants(change))
      }
      const members = new Set(change.memberIds)
      return [...members].flatMap((member) =>
        [...(byMember.get(member) ?? [])].filter((listener) => listener.wants(change)),
      )
    },
    all: () => [...everyone],
    get size() {
      return everyone.size
    },
  }
}

function put(index: Map<number, Set<Listener>>, key: number, listener: Listener): void {
  const there = index.get(key)
  if (there) there.add(listener)
  else index.set(key, new Set([listener]))
}

function take(index: Map<number, Set<Listener>>, key: number, listener: Listener): void {
  const there = index.get(key)
  there?.delete(listener)
  if (there?.size === 0) index.delete(key)
}
