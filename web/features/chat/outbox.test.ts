import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Message } from '#contract/chat.ts'
import { until } from '#tests/until.ts'
import { ApiError } from '#web/api.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { type Outgoing, outgoingStore } from './outgoing.ts'

const network = new EventTarget()
let opened: Outbox[]
beforeEach(() => {
  opened = []
  vi.stubGlobal('addEventListener', network.addEventListener.bind(network))
  vi.stubGlobal('removeEventListener', network.removeEventListener.bind(network))
})
afterEach(() => {
  for (const outbox of opened) outbox.close()
  vi.unstubAllGlobals()
})

let accounts = 0
/** One account's server: what it has stored, and how it treats what comes. */
function account() {
  accounts += 1
  const name = `account-${accounts}`
  const server = {
    stored: [] as string[],
    treat: async (_message: Outgoing): Promise<void> => {},
    online: true,
  }
  const tab = () => {
    const failed: string[] = []
    const recovered: string[] = []
    const outbox = createOutbox({
      store: outgoingStore(name),
      name,
      isOnline: () => server.online,
      async deliver(message) {
        await server.treat(message)
        const line = `${message.id} ${message.content}`
        if (!server.stored.includes(line)) server.stored.push(line)
        return { $id: message.id, conversationId: message.conversationId } as Message
      },
      stored: () => {},
      failed: ({ content }) => failed.push(content),
      recovered: ({ content }) => recovered.push(content),
    })
    opened.push(outbox)
    return {
      outbox,
      failed,
      recovered,
      states: () => outbox.all().map(({ content, state }) => `${content} ${state}`),
    }
  }
  const texts = () => server.stored.map((line) => line.split(' ').slice(1).join(' '))
  return { server, tab, texts, name }
}

const unanswered = () => Promise.reject(new ApiError('Network request failed'))

test('W-07 what is written offline waits, is there after a reload, and goes out once in its order', async () => {
  const { server, tab, texts } = account()
  server.online = false
  const before = tab()
  for (const text of ['uno', 'dos', 'tres']) before.outbox.send('c', text)
  expect(before.states()).toEqual(['uno waiting', 'dos waiting', 'tres waiting'])
  await until(async () => expect(await outgoingStore(`account-${accounts}`).all()).toHaveLength(3))
  before.outbox.close()

  const after = tab()
  await until(() => expect(after.states()).toEqual(['uno waiting', 'dos waiting', 'tres waiting']))
  server.online = true
  network.dispatchEvent(new Event('online'))
  await until(() => expect(after.states()).toEqual([]))
  expect(texts()).toEqual(['uno', 'dos', 'tres'])
})

test('W-07 what is written right after a reload comes after what waited, also where the clock was put back', async () => {
  const { server, tab, texts, name } = account()
  server.online = false
  const before = tab()
  for (const text of ['uno', 'dos']) before.outbox.send('c', text)
  await until(async () => expect(await outgoingStore(name).all()).toHaveLength(2))
  before.outbox.close()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 })
  const after = tab()
  after.outbox.send('c', 'tres')
  expect(after.states()).toEqual(['tres waiting'])
  await until(() => expect(after.states()).toEqual(['uno waiting', 'dos waiting', 'tres waiting']))
  server.online = true
  network.dispatchEvent(new Event('online'))
  await until(() => expect(after.states()).toEqual([]))
  expect(texts()).toEqual(['uno', 'dos', 'tres'])
  vi.useRealTimers()
})

test('W-07 two tabs that come back at once send each message once', async () => {
  const { server, tab, texts } = account()
  server.online = false
  const [one, other] = [tab(), tab()]
  one.outbox.send('c', 'uno')
  one.outbox.send('c', 'dos')
  await until(() => expect(other.states()).toEqual(['uno waiting', 'dos waiting']))
  let sent = 0
  server.treat = async () => {
    sent += 1
  }
  server.online = true
  network.dispatchEvent(new Event('online'))
  await until(() => expect([...one.states(), ...other.states()]).toEqual([]))
  expect(texts()).toEqual(['uno', 'dos'])
  expect(sent).toBe(2)
})

test('CMSG-11 online and unanswered it fails, keeps its id for the next try, and the ones behind it wait', async () => {
  const { server, tab, texts } = account()
  const { outbox, failed, states } = tab()
  server.treat = unanswered
  outbox.send('c', 'uno')
  await until(() => expect(states()).toEqual(['uno failed']))
  expect(failed).toEqual(['uno'])
  const [{ id } = { id: '' }] = outbox.all()
  server.treat = async () => {}
  outbox.send('c', 'uno', id)
  await until(() => expect(states()).toEqual([]))
  expect(server.stored).toEqual([`${id} uno`])
  expect(texts()).toEqual(['uno'])
})

test('CMSG-11 one that is too much for now fails as others do, and is there to be sent again', async () => {
  const { server, tab, texts } = account()
  const { outbox, failed, states } = tab()
  server.treat = () => Promise.reject(new ApiError('Rate limit', 429))
  outbox.send('c', 'uno')
  await until(() => expect(states()).toEqual(['uno failed']))
  expect(failed).toEqual(['uno'])
  const [{ id } = { id: '' }] = outbox.all()
  server.treat = async () => {}
  outbox.send('c', 'uno', id)
  await until(() => expect(states()).toEqual([]))
  expect(texts()).toEqual(['uno'])
})

test('W-07 what she writes while the page is still loading stays in sight and is sent', async () => {
  const { server, tab, texts, name } = account()
  server.online = false
  const before = tab()
  before.outbox.send('c', 'uno')
  await vi.waitFor(async () => expect(await outgoingStore(name).all()).toHaveLength(1))
  before.outbox.close()
  const after = tab()
  const seen: string[][] = []
  after.outbox.onChange(() => seen.push(after.states()))
  after.outbox.send('c', 'dos')
  await vi.waitFor(() => expect(after.states()).toEqual(['uno waiting', 'dos waiting']))
  expect(seen.filter((states) => !states.includes('dos waiting'))).toEqual([])
  server.online = true
  network.dispatchEvent(new Event('online'))
  await vi.waitFor(() => expect(after.states()).toEqual([]))
  expect(texts()).toEqual(['uno', 'dos'])
})

test('W-07 the connection goes right after she pressed Send: the message waits, and she can go on', async () => {
  const { server, tab, texts } = account()
  const { outbox, states } = tab()
  outbox.send('c', 'uno')
  server.online = false
  outbox.send('c', 'dos')
  await vi.waitFor(() => expect(states()).toEqual(['uno waiting', 'dos waiting']))
  server.online = true
  network.dispatchEvent(new Event('online'))
  await vi.waitFor(() => expect(states()).toEqual([]))
  expect(texts()).toEqual(['uno', 'dos'])
})

test('W-07 a page that was closed while it sent, and opened without a connection, shows that its message waits', async () => {
  const { server, tab, texts } = account()
  const answer = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  server.treat = () => {
    asked.resolve()
    return answer.promise
  }
  const before = tab()
  before.outbox.send('c', 'uno')
  await asked.promise
  before.outbox.close()
  answer.reject(new ApiError('Network request failed'))
  server.online = false
  server.treat = async () => {}
  const after = tab()
  await vi.waitFor(() => expect(after.states()).toEqual(['uno waiting']))
  server.online = true
  network.dispatchEvent(new Event('online'))
  await vi.waitFor(() => expect(after.states()).toEqual([]))
  expect(texts()).toEqual(['uno'])
})

test('C-18 no answer came, and then it is told that the message did arrive: nothing is left to send again', async () => {
  const { server, tab, texts } = account()
  const { outbox, states, recovered } = tab()
  server.treat = async (message) => {
    server.stored.push(`${message.id} ${message.content}`)
    await unanswered()
  }
  outbox.send('c', 'uno')
  await vi.waitFor(() => expect(states()).toEqual(['uno failed']))
  const [{ id: $id } = { id: '' }] = outbox.all()
  outbox.arrived({ $id, content: 'otra cosa' })
  expect(states()).toEqual(['uno failed'])
  outbox.arrived({ $id, content: 'uno' })
  expect(states()).toEqual([])
  expect(recovered).toEqual(['uno'])
  expect(texts()).toEqual(['uno'])
})

test('C-18 it is told that the message arrived, and its own answer never comes: it has not failed', async () => {
  const { server, tab, texts } = account()
  const { outbox, failed, states } = tab()
  const answer = Promise.withResolvers<void>()
  server.treat = async (message) => {
    if (message.content !== 'uno') return
    server.stored.push(`${message.id} ${message.content}`)
    await answer.promise
  }
  outbox.send('c', 'uno')
  await vi.waitFor(() => expect(texts()).toEqual(['uno']))
  const [{ id: $id } = { id: '' }] = outbox.all()
  outbox.arrived({ $id, content: 'uno' })
  outbox.send('c', 'dos')
  answer.reject(new ApiError('Network request failed'))
  await vi.waitFor(() => expect(texts()).toEqual(['uno', 'dos']))
  await vi.waitFor(() => expect(states()).toEqual([]))
  expect(failed).toEqual([])
})

test('C-18 the answer of a first try was lost and she changed the text: both are messages', async () => {
  const { server, tab, texts } = account()
  const { outbox, states } = tab()
  server.treat = async (message) => {
    server.stored.push(`${message.id} ${message.content}`)
    await unanswered()
  }
  outbox.send('c', 'uno')
  await until(() => expect(states()).toEqual(['uno failed']))
  const [{ id } = { id: '' }] = outbox.all()
  server.treat = async (message) => {
    if (message.id === id) throw new ApiError('', 409, 'document_already_exists')
  }
  outbox.send('c', 'uno, mejor', id)
  await until(() => expect(states()).toEqual([]))
  expect(texts()).toEqual(['uno', 'uno, mejor'])
})

test('one conversation that does not get through holds up no other', async () => {
  const { server, tab, texts } = account()
  const { outbox, states } = tab()
  server.treat = async ({ conversationId }) => {
    if (conversationId === 'stuck') await new Promise(() => {})
  }
  outbox.send('stuck', 'aquí no')
  outbox.send('c', 'aquí sí')
  await until(() => expect(states()).toEqual(['aquí no sending']))
  expect(texts()).toEqual(['aquí sí'])
})

test('what the browser’s database does not take is sent all the same', async () => {
  const { tab, texts } = account()
  vi.stubGlobal('indexedDB', {
    open() {
      throw new DOMException('not here', 'SecurityError')
    },
  })
  const { outbox, states } = tab()
  outbox.send('c', 'uno')
  outbox.send('c', 'dos')
  await until(() => expect(states()).toEqual([]))
  expect(texts()).toEqual(['uno', 'dos'])
})

test('one account’s messages are not another’s', async () => {
  const [ana, bea] = [account(), account()]
  ana.server.online = false
  bea.server.online = false
  const hers = ana.tab()
  hers.outbox.send('c', 'de ana')
  await until(async () => expect(await outgoingStore(ana.name).all()).toHaveLength(1))
  expect(await outgoingStore(bea.name).all()).toEqual([])
  expect(bea.tab().states()).toEqual([])
})
