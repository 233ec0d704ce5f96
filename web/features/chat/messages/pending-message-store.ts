/** Stores unsent messages in IndexedDB against reloads and crashes. Signing out deletes the database. */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { PendingPhoto } from '#web/api/upload-photos-and-send.ts'

/** The quoted message. */
export type QuotedMessage = { $id: string; senderId: string; content: string }

/** `sending`: written online. `waiting`: written offline. `failed`: refused or unanswered. */
export type PendingMessage = {
  /** The message's future `$id`. */
  id: string
  conversationId: string
  content: string
  /** The quoted message when writing. */
  replyTo?: QuotedMessage
  photos?: readonly PendingPhoto[]
  /** Milliseconds when written; also the order. */
  at: number
  state: 'sending' | 'waiting' | 'failed'
  /** Whether it was refused (4xx) for good; later ones do not wait. */
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

/** Opens an account's store. Falls back to memory if the database refuses, as in private windows. */
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
 * Opens the database per use, because an open one cannot be deleted.
 * @returns null without a database or if it refuses `work`
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
