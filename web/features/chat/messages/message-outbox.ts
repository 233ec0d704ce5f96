/** Stores each message once, in order. All tabs share the outbox, and one tab sends a conversation's messages. */
import type { DBSchema, IDBPDatabase } from 'idb'
import type { Message } from '#contract/chat/messages.ts'
import { withBrowserLock } from '#web/api/browser-lock.ts'
import { generateDocumentId, isDocumentAlreadyExistsError } from '#web/api/ids.ts'
import { withIndexedDatabase } from '#web/api/indexed-database.ts'
import { isTransientError } from '#web/api/transient-error.ts'
import type { PendingPhoto } from '#web/api/upload-photos-and-send.ts'
import { getReconnectDelayMs } from '#web/realtime/reconnect-delay.ts'

export type QuotedMessage = { $id: string; senderId: string; content: string }

/**
 * `sending` messages were written online, `waiting` ones offline. `failed` ones were refused or got no response.
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

export type MessageOutbox = {
  /** The messages that the server has not stored yet, in order. The array is the same until a message changes. */
  all(): readonly PendingMessage[]
  onChange(listener: () => void): () => void
  /** Resolves when `all` includes the messages saved in the browser. */
  ready: Promise<void>
  send(
    conversationId: string,
    content: string,
    id?: string,
    replyTo?: QuotedMessage,
    photos?: readonly PendingPhoto[],
  ): void
  discard(id: string): void
  /** Must be called after the device reconnects. */
  flush(): void
  /** The server stored the message although its response was lost. */
  arrived(message: Pick<Message, '$id' | 'content'>): void
  close(): void
}

type Options = {
  store: PendingMessageStore
  /** Locks and channel have this prefix. All tabs share both. */
  name: string
  /** @param keep saves which photos are already uploaded */
  deliver(message: PendingMessage, keep: (photos: readonly PendingPhoto[]) => Promise<void>): Promise<Message>
  isOnline(): boolean
  stored(message: Message): void
  /** A message written online could not be sent. */
  failed(message: PendingMessage): void
  /** The server had stored a message that seemed to have failed. */
  recovered(message: PendingMessage): void
}

export function createMessageOutbox(options: Options): MessageOutbox {
  const { store, name, deliver, isOnline, stored, failed, recovered } = options
  const channel = new BroadcastChannel(name)
  const listeners = new Set<() => void>()
  const retries = new Map<string, { attempts: number; timer?: ReturnType<typeof setTimeout> }>()
  let messages: readonly PendingMessage[] = []
  /** These messages are not in the store yet, so a running read would miss them. */
  const unwritten = new Map<string, PendingMessage>()
  /** Counts this tab's writes. `written` resolves when all are stored. */
  let writes = 0
  let written: Promise<unknown> = Promise.resolve()
  let closed = false

  function show(next: readonly PendingMessage[]) {
    messages = next
    for (const listener of listeners) listener()
  }

  const without = (id: string) => messages.filter((message) => message.id !== id)

  async function save(message: PendingMessage) {
    unwritten.delete(message.id)
    const known = messages.some(({ id }) => id === message.id)
    show(known ? messages.map((one) => (one.id === message.id ? message : one)) : [...messages, message])
    await write(store.put(message))
  }

  async function remove(id: string) {
    show(without(id))
    await write(store.remove(id))
  }

  async function take(id: string) {
    const message = messages.find((one) => one.id === id)
    await remove(id)
    if (message && !closed) await drain(message.conversationId)
  }

  async function write(writing: Promise<void>) {
    writes += 1
    written = Promise.all([written, writing])
    await writing
    if (!closed) channel.postMessage('changed')
  }

  /** Reads again if a write happened meanwhile, because the older result would undo it. */
  async function reload(): Promise<PendingMessage[]> {
    const before = writes
    await written
    const kept = await store.all()
    if (writes !== before) return reload()
    const added = [...unwritten.values()].filter(({ id }) => !kept.some((one) => one.id === id))
    if (!closed) show([...kept.map((one) => unwritten.get(one.id) ?? one), ...added])
    return kept
  }

  /**
   * If a message gets no response, later messages wait to keep the order. A refused message does not hold up
   * others.
   */
  const drain = (conversationId: string) =>
    withBrowserLock(`${name}:${conversationId}`, async () => {
      for (;;) {
        const unsent = (await store.all()).filter(
          (message) =>
            message.conversationId === conversationId && !(message.state === 'failed' && message.refused),
        )
        const [next] = unsent
        if (closed || !next) return
        if (!isOnline() || next.state === 'failed') return wait(unsent)
        if (!(await attempt(next))) return
      }
    })

  async function wait(pending: readonly PendingMessage[]) {
    for (const message of pending)
      if (message.state === 'sending') await save({ ...message, state: 'waiting' })
  }

  /** @returns whether to send the next message; false if this one will be retried */
  async function attempt(oldest: PendingMessage): Promise<boolean> {
    let message = oldest
    try {
      const answer = await deliver(message, async (photos) => {
        message = { ...message, photos }
        await save(message)
      })
      retries.delete(message.conversationId)
      stored(answer)
      await remove(message.id)
      return true
    } catch (error) {
      if (closed) return false
      await written
      const arrivedMeanwhile = !(await store.all()).some(({ id }) => id === message.id)
      if (arrivedMeanwhile) return true
      if (isDocumentAlreadyExistsError(error)) {
        // The server stored an earlier version before the edit, so the edit becomes a new message.
        await remove(message.id)
        await save({ ...message, id: generateDocumentId() })
        return true
      }
      const passing = isTransientError(error)
      if (passing && (message.state === 'waiting' || !isOnline())) {
        if (message.state !== 'waiting') await save({ ...message, state: 'waiting' })
        retryLater(message.conversationId)
        return false
      }
      await save({ ...message, state: 'failed', refused: !passing })
      failed(message)
      return true
    }
  }

  function retryLater(conversationId: string) {
    const { attempts, timer: before } = retries.get(conversationId) ?? { attempts: 0 }
    clearTimeout(before)
    const timer = setTimeout(
      () => isOnline() && void drain(conversationId),
      getReconnectDelayMs(attempts + 1),
    )
    retries.set(conversationId, { attempts: attempts + 1, timer })
  }

  async function flush() {
    const kept = await reload()
    const pending = kept.filter(({ state }) => state !== 'failed')
    for (const conversationId of new Set(pending.map((message) => message.conversationId)))
      void drain(conversationId)
  }

  channel.onmessage = () => void reload()
  const flushNow = () => void flush()
  addEventListener('online', flushNow)
  const loaded = flush()

  return {
    all: () => messages,
    ready: loaded,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    send(conversationId, content, id = generateDocumentId(), replyTo, photos) {
      const state = isOnline() ? 'sending' : 'waiting'
      // A resent message keeps its position, because others may wait for it.
      const replaced = messages.find((one) => one.id === id)
      const after = (others: readonly PendingMessage[]) =>
        replaced?.at ?? Math.max(Date.now(), (others.at(-1)?.at ?? 0) + 1)
      const answering = replyTo && { replyTo }
      const message: PendingMessage = {
        id,
        conversationId,
        content,
        at: after(messages),
        state,
        ...answering,
        ...(photos?.length && { photos }),
      }
      unwritten.set(id, message)
      show(replaced ? messages.map((one) => (one.id === id ? message : one)) : [...messages, message])
      // The message follows those from before a reload, even if the device's clock was set back.
      const before = () => messages.filter((one) => !unwritten.has(one.id))
      void loaded.then(() => save({ ...message, at: after(before()) })).then(() => drain(conversationId))
    },
    discard: (id) => void take(id),
    flush: flushNow,
    arrived({ $id, content }) {
      // The same id with different text is an edit that still has to be sent.
      const message = messages.find(({ id }) => id === $id)
      if (message?.content !== content) return
      void take($id)
      if (message.state === 'failed') recovered(message)
    },
    close() {
      closed = true
      removeEventListener('online', flushNow)
      for (const { timer } of retries.values()) clearTimeout(timer)
      channel.close()
    },
  }
}

type StoredMessage = PendingMessage & { account: string }

interface Schema extends DBSchema {
  messages: { key: string; value: StoredMessage }
}

/**
 * IndexedDB keeps unsent messages across reloads and crashes. Signing out deletes the database. Without a usable
 * database, as in private windows, messages stay in memory.
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

const withDatabase = <Answer>(work: (db: IDBPDatabase<Schema>) => Promise<Answer>): Promise<Answer | null> =>
  withIndexedDatabase<Schema, Answer>(
    'juntas-outgoing',
    (db) => void db.createObjectStore('messages', { keyPath: 'id' }),
    work,
  )
