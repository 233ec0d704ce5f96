/**
 * Messages on their way: shown at once, stored once however often they are sent, each conversation's in the order written
 * (conflict C-18, reading W-07). All tabs of a browser share them; one tab at a time sends those of a conversation.
 */
import type { Message } from '#contract/chat.ts'
import { ApiError } from '#web/api.ts'
import { isTaken, newId } from '#web/ids.ts'
import { reconnectDelay } from '#web/live-delay.ts'
import type { Outgoing, OutgoingStore } from './outgoing.ts'

export type Outbox = {
  /** Everything that is not stored yet, in order; the same array until something changes. */
  all(): readonly Outgoing[]
  onChange(listener: () => void): () => void
  /** @param id of the failed message that this one takes the place of */
  send(conversationId: string, content: string, id?: string): void
  discard(id: string): void
  /** There is a connection again: what waits goes out. */
  flush(): void
  /** The server has it, whatever became of its answer to us. */
  arrived(message: Pick<Message, '$id' | 'content'>): void
  close(): void
}

type Options = {
  store: OutgoingStore
  /** Names what tabs share: the lock of each conversation, and the news that something changed. */
  name: string
  deliver(message: Outgoing): Promise<Message>
  isOnline(): boolean
  stored(message: Message): void
  /** She wrote it with a connection and it did not arrive. */
  failed(message: Outgoing): void
  /** One of those did arrive. */
  recovered(message: Outgoing): void
}

export function createOutbox(options: Options): Outbox {
  const { store, name, deliver, isOnline, stored, failed, recovered } = options
  const channel = new BroadcastChannel(name)
  const listeners = new Set<() => void>()
  const retries = new Map<string, { tries: number; timer?: ReturnType<typeof setTimeout> }>()
  let messages: readonly Outgoing[] = []
  /** Written while the store was still being read: what is read does not have them. */
  const coming = new Map<string, Outgoing>()
  /** How often this tab changed something, and when the store has all of it. */
  let edits = 0
  let written: Promise<unknown> = Promise.resolve()
  let closed = false

  function show(next: readonly Outgoing[]) {
    messages = next
    for (const listener of listeners) listener()
  }

  const without = (id: string) => messages.filter((message) => message.id !== id)

  async function keep(message: Outgoing) {
    coming.delete(message.id)
    const known = messages.some(({ id }) => id === message.id)
    show(known ? messages.map((one) => (one.id === message.id ? message : one)) : [...messages, message])
    await write(store.put(message))
  }

  async function forget(id: string) {
    show(without(id))
    await write(store.remove(id))
  }

  async function write(writing: Promise<void>) {
    edits += 1
    written = Promise.all([written, writing])
    await writing
    if (!closed) channel.postMessage('changed')
  }

  /** What this tab changes while the store is read would be taken back by what was read. */
  async function reload(): Promise<Outgoing[]> {
    const before = edits
    await written
    const kept = await store.all()
    if (edits !== before) return reload()
    if (!closed) show([...kept.filter(({ id }) => !coming.has(id)), ...coming.values()])
    return kept
  }

  /** Sends what a conversation has, the oldest first, until something does not go through. */
  const drain = (conversationId: string) =>
    exclusively(`${name}:${conversationId}`, async () => {
      for (;;) {
        const pending = (await store.all()).filter(
          (message) => message.conversationId === conversationId && message.state !== 'failed',
        )
        const [next] = pending
        if (closed || !next) return
        if (!isOnline()) return wait(pending)
        if (!(await attempt(next))) return
      }
    })

  /** The connection went between her pressing Send and its turn, or was gone when the page was loaded. */
  async function wait(pending: readonly Outgoing[]) {
    for (const message of pending)
      if (message.state === 'sending') await keep({ ...message, state: 'waiting' })
  }

  /** @returns whether to go on with the next */
  async function attempt(message: Outgoing): Promise<boolean> {
    try {
      const answer = await deliver(message)
      retries.delete(message.conversationId)
      stored(answer)
      await forget(message.id)
      return true
    } catch (error) {
      if (closed) return false
      await written
      const arrivedMeanwhile = !(await store.all()).some(({ id }) => id === message.id)
      if (arrivedMeanwhile) return true
      if (isTaken(error)) {
        // An earlier try did arrive, and she has changed the text since: this is another message.
        await forget(message.id)
        await keep({ ...message, id: newId() })
        return true
      }
      const passing = isPassing(error)
      if (passing && (message.state === 'waiting' || !isOnline())) {
        if (message.state !== 'waiting') await keep({ ...message, state: 'waiting' })
        retryLater(message.conversationId)
        return false
      }
      await keep({ ...message, state: 'failed' })
      failed(message)
      return !passing
    }
  }

  function retryLater(conversationId: string) {
    const { tries, timer: before } = retries.get(conversationId) ?? { tries: 0 }
    clearTimeout(before)
    const timer = setTimeout(() => isOnline() && void drain(conversationId), reconnectDelay(tries + 1))
    retries.set(conversationId, { tries: tries + 1, timer })
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
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    send(conversationId, content, id = newId()) {
      const state = isOnline() ? 'sending' : 'waiting'
      const after = (others: readonly Outgoing[]) => Math.max(Date.now(), (others.at(-1)?.at ?? 0) + 1)
      const message: Outgoing = { id, conversationId, content, at: after(messages), state }
      coming.set(id, message)
      show([...without(id), message])
      // After what was written before a reload, also where the clock was put back since.
      const before = () => messages.filter((one) => !coming.has(one.id))
      void loaded.then(() => keep({ ...message, at: after(before()) })).then(() => drain(conversationId))
    },
    discard: (id) => void forget(id),
    flush: flushNow,
    arrived({ $id, content }) {
      // The same id with another text is what she wrote instead, and still to be sent.
      const message = messages.find(({ id }) => id === $id)
      if (message?.content !== content) return
      void forget($id)
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

/** No answer, a broken server, or too much at once: later it may go through. */
const isPassing = (error: unknown) =>
  error instanceof ApiError && (error.code === 0 || error.code >= 500 || error.code === 429)

/** Without a secure context there are no locks; the ids still keep a message from being stored twice. */
const exclusively = (name: string, work: () => Promise<void>): Promise<unknown> =>
  navigator.locks ? navigator.locks.request(name, work) : work()
