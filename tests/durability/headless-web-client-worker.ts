/** Writes each message after the previous one was sent, and resends failed messages. */
import 'fake-indexeddb/auto'
import { parentPort, workerData } from 'node:worker_threads'
import { QueryObserver } from '@tanstack/react-query'

export type HeadlessWebClientOptions = {
  origin: string
  cookie: string
  me: { $id: string; accountId: string }
  name: string
  conversation: string
  messages: number
  reloadEvery: number
  offlineEvery: number
}

export type HeadlessWebClientMessage =
  | { type: 'wrote all' }
  | { type: 'thread'; ids: string[]; more: boolean }
  | { type: 'fault'; what: string }

const { origin, cookie, me, name, conversation, messages, reloadEvery, offlineEvery } =
  workerData as HeadlessWebClientOptions
const port = parentPort
if (!port) throw new Error('not in a thread of its own')
const say = (message: HeadlessWebClientMessage) => port.postMessage(message)

const network = new EventTarget()
let online = true
const kept = new Map<string, string>()
const { fetch, WebSocket } = globalThis
Object.defineProperty(navigator, 'onLine', { get: () => online })
Object.assign(globalThis, {
  addEventListener: network.addEventListener.bind(network),
  removeEventListener: network.removeEventListener.bind(network),
  document: Object.assign(new EventTarget(), { visibilityState: 'visible' }),
  location: { origin },
  localStorage: {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  },
  fetch: (path: string, init: RequestInit) =>
    online
      ? fetch(origin + path, { ...init, headers: { ...init.headers, cookie } })
      : Promise.reject(new TypeError('offline')),
  WebSocket: class extends WebSocket {
    constructor(url: string) {
      // The worker needs this to send the cookie, although browsers do not support it.
      super(url, { headers: { cookie } } as unknown as string[])
    }
  },
})

function connectNetwork(next: boolean) {
  online = next
  network.dispatchEvent(new Event(next ? 'online' : 'offline'))
}

const { createQueryClient } = await import('#web/api/query-client.ts')
const { signedInMemberQuery } = await import('#web/features/account/signed-in-member.ts')
const { loadOlderMessages, messageListQuery } = await import(
  '#web/features/chat/messages/message-list-query.ts'
)
const { getMessageOutbox } = await import('#web/features/chat/messages/use-message-outbox.ts')
const { startLiveUpdatesAndOutbox: follow } = await import('#web/layout/live-updates.ts')

function openPage() {
  const queryClient = createQueryClient(() => say({ type: 'fault', what: 'the session ended' }))
  queryClient.setQueryData(signedInMemberQuery.queryKey, me as never)
  const outbox = getMessageOutbox(queryClient, me.accountId)
  const stop = follow(queryClient, me.accountId)
  const observer = new QueryObserver(queryClient, messageListQuery(conversation))
  const leave = observer.subscribe(({ data }) => {
    const ids = data?.messages.map(({ $id }) => $id) ?? []
    if (new Set(ids).size < ids.length) say({ type: 'fault', what: 'a message stands there twice' })
  })
  return {
    queryClient,
    outbox,
    thread: () => observer.getCurrentResult().data,
    close() {
      leave()
      stop()
      queryClient.clear()
    },
  }
}

let page = openPage()

function off(): Promise<void> {
  const { outbox } = page
  return new Promise((resolve) => {
    const look = () => {
      const failed = outbox.all().find(({ state }) => state === 'failed')
      if (failed) return outbox.send(conversation, failed.content, failed.id)
      if (outbox.all().some(({ state }) => state === 'sending')) return
      stop()
      resolve()
    }
    const stop = outbox.onChange(() => queueMicrotask(look))
    look()
  })
}

const nothingWaits = () =>
  new Promise<void>((resolve) => {
    const look = setInterval(async () => {
      await off()
      if (page.outbox.all().length > 0) return
      clearInterval(look)
      resolve()
    }, 50)
  })

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

async function writeAll() {
  for (let number = 1; number <= messages; number++) {
    await off()
    if (number % reloadEvery === 0) {
      page.close()
      page = openPage()
      await off()
    }
    if (number % offlineEvery === 0) connectNetwork(false)
    if (number % offlineEvery === 4) {
      await pause(100)
      connectNetwork(true)
    }
    page.outbox.send(conversation, `${name} ${number}`)
  }
  connectNetwork(true)
  await nothingWaits()
  say({ type: 'wrote all' })
}

port.on('message', async (asked: 'thread' | 'the whole thread') => {
  while (asked === 'the whole thread' && page.thread()?.hasOlder) {
    const oldest = page.thread()?.messages[0]?.$id ?? ''
    await loadOlderMessages(page.queryClient, conversation, oldest).catch(() => pause(100))
  }
  const { messages: shown = [], hasOlder = true } = page.thread() ?? {}
  say({ type: 'thread', ids: shown.map(({ $id }) => $id), more: hasOlder })
})

void writeAll()
