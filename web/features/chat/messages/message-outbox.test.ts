import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Message } from '#contract/chat/messages.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { ApiError } from '#web/api/client.ts'
import {
  createMessageOutbox,
  type MessageOutbox,
  openPendingMessageStore,
  type PendingMessage,
} from './message-outbox.ts'

const network = new EventTarget()
let opened: MessageOutbox[]
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
function account() {
  accounts += 1
  const name = `account-${accounts}`
  const server = {
    stored: [] as string[],
    treat: async (_message: PendingMessage): Promise<void> => {},
    online: true,
  }
  const tab = () => {
    const failed: string[] = []
    const recovered: string[] = []
    const outbox = createMessageOutbox({
      store: openPendingMessageStore(name),
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

test('messages written offline wait, survive a reload, and are sent once in order', async () => {
  const { server, tab, texts } = account()
  server.online = false
  const before = tab()
  for (const text of ['uno', 'dos', 'tres']) before.outbox.send('c', text)
  expect(before.states()).toEqual(['uno waiting', 'dos waiting', 'tres waiting'])
  await waitFor(async () =>
    expect(await openPendingMessageStore(`account-${accounts}`).all()).toHaveLength(3),
  )
  before.outbox.close()

  const after = tab()
  await waitFor(() => expect(after.states()).toEqual(['uno waiting', 'dos waiting', 'tres waiting']))
  server.online = true
  network.dispatchEvent(new Event('online'))
  await waitFor(() => expect(after.states()).toEqual([]))
  expect(texts()).toEqual(['uno', 'dos', 'tres'])
})

test('a message written right after a reload is sent after the waiting messages, even if the clock was set back', async () => {
  const { server, tab, texts, name } = account()
  server.online = false
  const before = tab()
  for (const text of ['uno', 'dos']) before.outbox.send('c', text)
  await waitFor(async () => expect(await openPendingMessageStore(name).all()).toHaveLength(2))
  before.outbox.close()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 })
  const after = tab()
  after.outbox.send('c', 'tres')
  expect(after.states()).toEqual(['tres waiting'])
  await waitFor(() => expect(after.states()).toEqual(['uno waiting', 'dos waiting', 'tres waiting']))
  server.online = true
  network.dispatchEvent(new Event('online'))
  await waitFor(() => expect(after.states()).toEqual([]))
  expect(texts()).toEqual(['uno', 'dos', 'tres'])
  vi.useRealTimers()
})

test('two tabs that come online at once send each message once', async () => {
  const { server, tab, texts } = account()
  server.online = false
  const [one, other] = [tab(), tab()]
  one.outbox.send('c', 'uno')
  one.outbox.send('c', 'dos')
  await waitFor(() => expect(other.states()).toEqual(['uno waiting', 'dos waiting']))
  let sent = 0
  server.treat = async () => {
    sent += 1
  }
  server.online = true
  network.dispatchEvent(new Event('online'))
  await waitFor(() => expect([...one.states(), ...other.states()]).toEqual([]))
  expect(texts()).toEqual(['uno', 'dos'])
  expect(sent).toBe(2)
})

test('CMSG-11 a message that gets no response while online fails, and keeps its id for the next attempt', async () => {
  const { server, tab, texts } = account()
  const { outbox, failed, states } = tab()
  server.treat = unanswered
  outbox.send('c', 'uno')
  await waitFor(() => expect(states()).toEqual(['uno failed']))
  expect(failed).toEqual(['uno'])
  const [{ id } = { id: '' }] = outbox.all()
  server.treat = async () => {}
  outbox.send('c', 'uno', id)
  await waitFor(() => expect(states()).toEqual([]))
  expect(server.stored).toEqual([`${id} uno`])
  expect(texts()).toEqual(['uno'])
})

test.each([
  ['no answer', () => new ApiError('Network request failed')],
  ['a broken server', () => new ApiError('Server Error', 503)],
  ['too much for now', () => new ApiError('Rate limit', 429)],
])(
  'CMSG-11 later messages wait after %s, and are sent in order once the failed message is sent',
  async (_, error) => {
    const { server, tab, texts } = account()
    const { outbox, failed, states } = tab()
    const asked: string[] = []
    server.treat = async ({ content }) => {
      asked.push(content)
      throw error()
    }
    for (const text of ['uno', 'dos', 'tres']) outbox.send('c', text)
    await waitFor(() => expect(states()).toEqual(['uno failed', 'dos waiting', 'tres waiting']))
    expect(failed).toEqual(['uno'])
    network.dispatchEvent(new Event('online'))
    outbox.send('c', 'cuatro')
    await waitFor(() => expect(states().at(-1)).toBe('cuatro waiting'))
    expect(asked).toEqual(['uno'])

    const [{ id } = { id: '' }] = outbox.all()
    server.treat = async () => {}
    outbox.send('c', 'uno, otra vez', id)
    expect(states()[0]).toBe('uno, otra vez sending')
    await waitFor(() => expect(states()).toEqual([]))
    expect(texts()).toEqual(['uno, otra vez', 'dos', 'tres', 'cuatro'])
  },
)

test.each(['is discarded', 'did arrive after all'])(
  'CMSG-11 later messages are sent when the failed message %s',
  async (end) => {
    const { server, tab, texts } = account()
    const { outbox, states } = tab()
    server.treat = unanswered
    for (const text of ['uno', 'dos']) outbox.send('c', text)
    await waitFor(() => expect(states()).toEqual(['uno failed', 'dos waiting']))
    server.treat = async () => {}
    const [{ id } = { id: '' }] = outbox.all()
    if (end === 'is discarded') outbox.discard(id)
    else outbox.arrived({ $id: id, content: 'uno' })
    await waitFor(() => expect(states()).toEqual([]))
    expect(texts()).toEqual(['dos'])
  },
)

test('CMSG-11 after a message is refused, later messages are still sent', async () => {
  const { server, tab, texts } = account()
  const { outbox, failed, states } = tab()
  server.treat = async ({ content }) => {
    if (content === 'uno') throw new ApiError('Too long', 400)
  }
  for (const text of ['uno', 'dos', 'tres']) outbox.send('c', text)
  await waitFor(() => expect(states()).toEqual(['uno failed']))
  expect(failed).toEqual(['uno'])
  expect(texts()).toEqual(['dos', 'tres'])
  network.dispatchEvent(new Event('online'))
  outbox.send('c', 'cuatro')
  await waitFor(() => expect(texts()).toEqual(['dos', 'tres', 'cuatro']))
})

test('CMSG-11 a message refused by the rate limit fails like others, and can be sent again', async () => {
  const { server, tab, texts } = account()
  const { outbox, failed, states } = tab()
  server.treat = () => Promise.reject(new ApiError('Rate limit', 429))
  outbox.send('c', 'uno')
  await waitFor(() => expect(states()).toEqual(['uno failed']))
  expect(failed).toEqual(['uno'])
  const [{ id } = { id: '' }] = outbox.all()
  server.treat = async () => {}
  outbox.send('c', 'uno', id)
  await waitFor(() => expect(states()).toEqual([]))
  expect(texts()).toEqual(['uno'])
})

test('a message written while the page loads stays visible and is sent', async () => {
  const { server, tab, texts, name } = account()
  server.online = false
  const before = tab()
  before.outbox.send('c', 'uno')
  await vi.waitFor(async () => expect(await openPendingMessageStore(name).all()).toHaveLength(1))
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

test('if the connection drops right after ana presses Send, the message waits and ana can write another', async () => {
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

test('a message interrupted by closing the page is shown as waiting when the page reopens offline', async () => {
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

test('if a message gets no response, a live event with the same content marks the message as sent', async () => {
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

test('a message without a response counts as sent if its live event arrives', async () => {
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

test('if the first response is lost and ana edits the text before resending, both texts become messages', async () => {
  const { server, tab, texts } = account()
  const { outbox, states } = tab()
  server.treat = async (message) => {
    server.stored.push(`${message.id} ${message.content}`)
    await unanswered()
  }
  outbox.send('c', 'uno')
  await waitFor(() => expect(states()).toEqual(['uno failed']))
  const [{ id } = { id: '' }] = outbox.all()
  server.treat = async (message) => {
    if (message.id === id) throw new ApiError('', 409, 'document_already_exists')
  }
  outbox.send('c', 'uno, mejor', id)
  await waitFor(() => expect(states()).toEqual([]))
  expect(texts()).toEqual(['uno', 'uno, mejor'])
})

test('a conversation whose message is stuck does not delay other conversations', async () => {
  const { server, tab, texts } = account()
  const { outbox, states } = tab()
  server.treat = async ({ conversationId }) => {
    if (conversationId === 'stuck') await new Promise(() => {})
  }
  outbox.send('stuck', 'aquí no')
  outbox.send('c', 'aquí sí')
  await waitFor(() => expect(states()).toEqual(['aquí no sending']))
  expect(texts()).toEqual(['aquí sí'])
})

test("a message that the browser's database refuses is still sent", async () => {
  const { tab, texts } = account()
  vi.stubGlobal('indexedDB', {
    open() {
      throw new DOMException('not here', 'SecurityError')
    },
  })
  const { outbox, states } = tab()
  outbox.send('c', 'uno')
  outbox.send('c', 'dos')
  await waitFor(() => expect(states()).toEqual([]))
  expect(texts()).toEqual(['uno', 'dos'])
})

test('the pending messages of one account are not visible to another account', async () => {
  const [ana, bea] = [account(), account()]
  ana.server.online = false
  bea.server.online = false
  const hers = ana.tab()
  hers.outbox.send('c', 'de ana')
  await waitFor(async () => expect(await openPendingMessageStore(ana.name).all()).toHaveLength(1))
  expect(await openPendingMessageStore(bea.name).all()).toEqual([])
  expect(bea.tab().states()).toEqual([])
})
