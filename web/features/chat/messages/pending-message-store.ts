/** Stores unsent messages in IndexedDB, so that they survive reloads and crashes. Signing out deletes the database. */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { PendingPhoto } from '#web/api/upload-photos-and-send.ts'

/** A message that another message quotes. */
export type QuotedMessage = { $id: string; senderId: string; content: string }

/**
 * `sending` messages were written online, `waiting` messages were written offline, and `failed` messages were refused
 * or received no answer.
 */
export type PendingMessage = {
  /** The `$id` that the message will have on the server. */
  id: string
  conversationId: string
  content: string
  /** The quoted message, as it was when the member wrote this message. */
  replyTo?: QuotedMessage
  photos?: readonly PendingPhoto[]
  /** The time of writing in milliseconds since 1970, which also defines the order. */
  at: number
  state: 'sending' | 'waiting' | 'failed'
  /** Whether the server refused the message for good (4xx). Later messages do not wait for it. */
  refused?: boolean
}

export type PendingMessageStore = {
  /** Lists the messages in order. */
  all(): Promise<PendingMessage[]>
  put(message: PendingMessage): Promise<void>
  remove(id: string): Promise<void>
}

type StoredMessage = PendingMessage & { account: string }

interface Schema extends DBSchema {
  messages: { key: string; value: StoredMessage }
}

const database = 'juntas-outgoing'

/** Opens an account's store. If the database cannot be used, as in private windows, keeps the messages in memory. */
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
 * Opens the database for each use, because an open database cannot be deleted.
 * @returns null if there is no database or it refuses `work`
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
