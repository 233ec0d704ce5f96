/**
 * Stores messages that the server does not have yet in IndexedDB, so that a reload or a crash loses none. Signing out
 * deletes the database.
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { PendingPhoto } from '#web/api/upload-photos-and-send.ts'

/** A message that is answered: enough to show it. */
export type QuotedMessage = { $id: string; senderId: string; content: string }

/** `sending`: written with a connection. `waiting`: written without. `failed`: refused, or unanswered. */
export type PendingMessage = {
  /** Becomes the message's `$id`. */
  id: string
  conversationId: string
  content: string
  /** What it answers, as it was when this was written. */
  replyTo?: QuotedMessage
  photos?: readonly PendingPhoto[]
  /** Time of writing in milliseconds; also the order. */
  at: number
  state: 'sending' | 'waiting' | 'failed'
  /** Whether a failed one was refused (4xx), which the same message would be again. Those behind it do not wait. */
  refused?: boolean
}

export type PendingMessageStore = {
  /** In order. */
  all(): Promise<PendingMessage[]>
  put(message: PendingMessage): Promise<void>
  remove(id: string): Promise<void>
}

type StoredMessage = PendingMessage & { account: string }

interface Schema extends DBSchema {
  messages: { key: string; value: StoredMessage }
}

const database = 'juntas-outgoing'

/**
 * Opens the store of one account. What the database refuses (some private windows have none, a full disk) lives in
 * memory, as long as the page.
 */
export function openPendingMessageStore(account: string): PendingMessageStore {
  const unkept = new Map<string, PendingMessage>()
  return {
    async all() {
      const kept = (await withDatabase((db) => db.getAll('messages'))) ?? []
      const mine = kept.filter((message) => message.account === account && !unkept.has(message.id))
      return [...mine, ...unkept.values()].toSorted((one, other) => one.at - other.at)
    },
    async put(message) {
      unkept.set(message.id, message)
      const key = await withDatabase((db) => db.put('messages', { ...message, account }))
      if (key !== null && unkept.get(message.id) === message) unkept.delete(message.id)
    },
    async remove(id) {
      unkept.delete(id)
      await withDatabase((db) => db.delete('messages', id))
    },
  }
}

/**
 * Opens the database for each use and closes it again: an open one could not be deleted.
 * @returns null where there is no database, or it refuses what `work` does
 */
async function withDatabase<Answer>(
  work: (db: IDBPDatabase<Schema>) => Promise<Answer>,
): Promise<Answer | null> {
  let db: IDBPDatabase<Schema> | undefined
  try {
    db = await openDB<Schema>(database, 1, {
      upgrade: (created) => void created.createObjectStore('messages', { keyPath: 'id' }),
    })
    return await work(db)
  } catch {
    return null
  } finally {
    db?.close()
  }
}
