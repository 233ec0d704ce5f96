/**
 * Where messages wait that are not stored yet: in the browser's database, so that a reload or a crash loses none
 * (reading W-07). Logging out deletes it whole.
 */

/** `sending`: written with a connection. `waiting`: written without. `failed`: refused, or unanswered (conflict C-18). */
export type Outgoing = {
  /** Becomes the message's `$id`. */
  id: string
  conversationId: string
  content: string
  /** Milliseconds; also the order. */
  at: number
  state: 'sending' | 'waiting' | 'failed'
}

export type OutgoingStore = {
  /** In order. */
  all(): Promise<Outgoing[]>
  put(message: Outgoing): Promise<void>
  remove(id: string): Promise<void>
}

type Kept = Outgoing & { account: string }

const database = 'juntas-outgoing'
const table = 'messages'

/**
 * The messages of one account in this browser. What its database does not take (some private windows have none, a full disk)
 * lives as long as the page.
 */
export function outgoingStore(account: string): OutgoingStore {
  const unkept = new Map<string, Outgoing>()
  return {
    async all() {
      const kept: Kept[] = (await withTable('readonly', (messages) => messages.getAll())) ?? []
      const mine = kept.filter((message) => message.account === account && !unkept.has(message.id))
      return [...mine, ...unkept.values()].toSorted((one, other) => one.at - other.at)
    },
    async put(message) {
      unkept.set(message.id, message)
      const key = await withTable('readwrite', (messages) => messages.put({ ...message, account }))
      if (key !== null && unkept.get(message.id) === message) unkept.delete(message.id)
    },
    async remove(id) {
      unkept.delete(id)
      await withTable('readwrite', (messages) => messages.delete(id))
    },
  }
}

/** Opened for each use and closed again: a database that is open could not be deleted. */
async function withTable<Answer>(
  mode: IDBTransactionMode,
  ask: (messages: IDBObjectStore) => IDBRequest<Answer>,
): Promise<Answer | null> {
  const db = await open().catch(() => null)
  if (!db) return null
  try {
    return await answerOf(ask(db.transaction(table, mode).objectStore(table)))
  } catch {
    return null
  } finally {
    db.close()
  }
}

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(database, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(table, { keyPath: 'id' })
  return answerOf(request)
}

const answerOf = <Answer>(request: IDBRequest<Answer>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
