/** Acknowledged writes must exist, refused ones must not, and unanswered ones may. */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'

export type JournalledState = string | boolean
type Outcome = 'acknowledged' | 'refused' | 'unknown'

export type WriteJournal = {
  /**
   * @param key data that one member changes, one change after another
   * @param write resolves with the response's status, or rejects without a response
   */
  record(key: string, to: JournalledState, write: () => Promise<number>): Promise<Outcome>
  /** The data may be deleted together with other data. */
  mayBeGone(key: string): void
  readonly isDown: boolean
  counts: Record<Outcome, number>
  statuses: Map<number, number>
  allowed: ReadonlyMap<string, ReadonlySet<JournalledState>>
  close(): void
}

export function openWriteJournal(path: string): WriteJournal {
  const file = openSync(path, 'a')
  const put = (line: unknown[]) => {
    writeSync(file, `${JSON.stringify(line)}\n`)
    fsyncSync(file)
  }
  const allowed = new Map<string, Set<JournalledState>>()
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
      // After a 5xx response, the transaction may still have committed.
      const fate = status === 0 || status >= 500 ? 'unknown' : status >= 400 ? 'refused' : 'acknowledged'
      put([line, fate, status])
      isDown = status === 0
      counts[fate] += 1
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const before = allowed.get(key) ?? new Set<JournalledState>([false])
      if (fate === 'acknowledged') allowed.set(key, new Set([to]))
      else allowed.set(key, fate === 'unknown' ? new Set([...before, to]) : before)
      return fate
    },
    mayBeGone: (key) => void allowed.get(key)?.add(false),
    close: () => closeSync(file),
  }
}

export function findJournalContradictions(
  journal: WriteJournal,
  found: ReadonlyMap<string, JournalledState>,
): string[] {
  return [...journal.allowed].flatMap(([key, states]) => {
    const is = found.get(key) ?? false
    return states.has(is) ? [] : [`${key} is ${is} and must be ${[...states].join(' or ')}`]
  })
}
