/** IndexedDB keeps unsent messages across reloads and crashes. Signing out deletes the database. */
import type { DBSchema, IDBPDatabase } from 'idb'
import { withIndexedDatabase } from '#web/api/indexed-database.ts'
import type { PendingPhoto } from '#web/api/upload-photos-and-send.ts'

export type QuotedMessage = { $id: string; senderId: string; content: string }

/**
 * `sending` messages were written online, `waiting` ones offline. `failed` ones were refused or received no answer.
 */
export type PendingMessage = {
  /** The message's `$id` on the server, once stored. */
  id: string
  conversationId: string
  content: string
  replyTo?: QuotedMessage
  photos?: readonly PendingPhoto[]
  /** Milliseconds since 1970. Also defines the order. */
  at: number
  state: 'sending' | 'waiting' | 'failed'
  /** The server refused it for good (4xx). Later messages do not wait for it. */
  refused?: boolean
}

export type PendingMessageStore = {
  all(): Promise<PendingMessage[]>
  put(message: PendingMessage): Promise<void>
  remove(id: string): Promise<void>
}

type StoredMessage = PendingMessage & { account: string }

interface Schema extends DBSchema {
  messages: { key: string; value: StoredMessage }
}

/** Keeps messages in memory if the database is unusable, as in private windows. */
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

const withDatabase = <Answer>(work: (db: IDBPDatabase<Schema>) => Promise<Answer>): Promise<Answer | null> =>
  withIndexedDatabase<Schema, Answer>(
    'juntas-outgoing',
    (db) => void db.createObjectStore('messages', { keyPath: 'id' }),
    work,
  )
