/**
 * What members were told of their writes, kept on disk before and after each, and what the database must therefore say
 * afterwards (security reference §3.2): what was acknowledged is there, what was refused is not, and of what got no answer
 * either is right.
 */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'

export type State = string | boolean
type Fate = 'acknowledged' | 'refused' | 'unknown'

export type Ledger = {
  /**
   * @param key of a thing that one member alone changes, one change after the other. @param to what it becomes.
   * @param write its status, or a rejection where no answer came
   */
  record(key: string, to: State, write: () => Promise<number>): Promise<Fate>
  /** Something else took this thing with it, perhaps. */
  mayBeGone(key: string): void
  /** The last write got no answer. */
  readonly isDown: boolean
  counts: Record<Fate, number>
  statuses: Map<number, number>
  /** Thing → the states it may be in. */
  allowed: ReadonlyMap<string, ReadonlySet<State>>
  close(): void
}

export function openLedger(path: string): Ledger {
  const file = openSync(path, 'a')
  const put = (line: unknown[]) => {
    writeSync(file, `${JSON.stringify(line)}\n`)
    fsyncSync(file)
  }
  const allowed = new Map<string, Set<State>>()
  const counts = { acknowledged: 0, refused: 0, unknown: 0 }
  const statuses = new Map<number, number>()
  let number = 0
  let isDown = false

  return {
    allowed,
    counts,
    statuses,
    get isDown() {
      return isDown
    },
    async record(key, to, write) {
      number += 1
      const line = number
      put([line, 'asks', key, to])
      const status = await write().catch(() => 0)
      // 5xx promises nothing: the transaction may have been committed before it was said.
      const fate = status === 0 || status >= 500 ? 'unknown' : status >= 400 ? 'refused' : 'acknowledged'
      put([line, fate, status])
      isDown = status === 0
      counts[fate] += 1
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const before = allowed.get(key) ?? new Set<State>([false])
      if (fate === 'acknowledged') allowed.set(key, new Set([to]))
      else allowed.set(key, fate === 'unknown' ? new Set([...before, to]) : before)
      return fate
    },
    mayBeGone: (key) => void allowed.get(key)?.add(false),
    close: () => closeSync(file),
  }
}

/** @returns each thing that is in a state it may not be in */
export function broken(ledger: Ledger, found: ReadonlyMap<string, State>): string[] {
  return [...ledger.allowed].flatMap(([key, states]) => {
    const is = found.get(key) ?? false
    return states.has(is) ? [] : [`${key} is ${is} and must be ${[...states].join(' or ')}`]
  })
}
