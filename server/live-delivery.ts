/** Bringing changes to those who may hear of them, and sending away those whose session is over. */
import type { CollectionName } from './collections.ts'
import type { Database } from './database/open.ts'
import { judge, type Verdict } from './live-audience.ts'
import { type Change, lastUpdates } from './live-changes.ts'
import type { Ending, Listener, Listeners } from './live-listeners.ts'

export type Document = Readonly<Record<string, unknown> & { $id: string }>

/** Who hears: a member, or an account without a profile, which hears of itself alone. */
export type Reader = { member: number | null; accountId: string }

export type Documents = {
  /**
   * What is told of a change, read as seldom as its readers allow.
   * @returns for each reader: frozen; null when it is gone, or not for her
   */
  of(change: Change): (reader: Reader) => Promise<Document | null>
  /** Those of the rows that a member can read, by public id. */
  readable(
    collection: CollectionName,
    keys: readonly number[],
    reader: number,
  ): Promise<Map<string, Document>>
}

export type Delivery = {
  /**
   * Tells changes that follow each other, in their order.
   * @throws what the database throws: nobody heard anything then, or not everybody
   */
  deliver(changes: readonly Change[]): Promise<void>
  /** Sends away everybody whose session has ended, though nothing changed for her. */
  checkSessions(): Promise<void>
  dismiss(listeners: readonly Listener[], why: Ending): void
}

const fewReaders = 2
/** A message and the conversation it changes. More would make ever other statements, which nothing prepares. */
const together = 2

export function createDelivery(
  { kysely: db }: Database,
  listeners: Listeners,
  documents: Documents,
): Delivery {
  const dismiss = (some: readonly Listener[], why: Ending) => {
    for (const listener of some) {
      listeners.remove(listener)
      listener.end(why)
    }
  }

  /** @returns whether she is still there to hear anything */
  const staysAfter = (listener: Listener, verdict: Verdict): boolean => {
    if (verdict !== 'session over' && verdict !== 'blocked') return true
    dismiss([listener], verdict)
    return false
  }

  const adoptProfile = async (member: number) => {
    const user = await db.selectFrom('users').select('account_id').where('id', '=', member).executeTakeFirst()
    if (user) listeners.adopt(user.account_id, member)
  }

  const deliverTogether = async (changes: readonly Change[]) => {
    const audiences = changes
      .map((change) => ({
        change,
        candidates: listeners.candidates(change),
        document: documents.of(change),
      }))
      .filter(({ candidates }) => candidates.length > 0)
    if (audiences.length === 0) return
    // What two people say is read while the database decides, and thrown away where it says no.
    for (const { candidates, document } of audiences) {
      const readers = new Map(candidates.map((listener) => [listener.member, listener]))
      if (readers.size <= fewReaders) for (const reader of readers.values()) document(reader).catch(() => {})
    }
    const everybody = new Set(audiences.flatMap(({ candidates }) => candidates))
    const verdictOf = await judge(
      db,
      audiences.map(({ change }) => change),
      [...everybody],
    )
    for (const [index, { change, candidates, document }] of audiences.entries()) {
      for (const listener of candidates) {
        const verdict = verdictOf(listener, index)
        if (!staysAfter(listener, verdict) || verdict !== 'hears' || !listener.wants(change)) continue
        const told = await document(listener)
        if (told) listener.tell(change, told)
      }
    }
  }

  return {
    async deliver(changes) {
      const news = lastUpdates(changes)
      for (const { collection, kind, rowId } of news) {
        if (collection === 'users' && kind === 'create') await adoptProfile(rowId)
      }
      for (let from = 0; from < news.length; from += together) {
        await deliverTogether(news.slice(from, from + together))
      }
    },

    async checkSessions() {
      const all = listeners.all()
      if (all.length === 0) return
      const verdictOf = await judge(db, [], all)
      for (const listener of all) staysAfter(listener, verdictOf(listener))
    },

    dismiss,
  }
}
