import { once } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type FakeRealtimeServer, startFakeRealtimeServer } from '#tests/doubles/realtime-server.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { type SharedSocket, subscribeToSharedSocket } from './live-connection.ts'
import type { LiveSocketMessage } from './socket.ts'

let server: FakeRealtimeServer
let account: string
let tabs: (SharedSocket & { messages: LiveSocketMessage[] })[]
beforeEach(async () => {
  account = `ana-${Math.random()}`
  tabs = []
  server = await startFakeRealtimeServer(account)
  const page = new EventTarget()
  const fetchAbsolute = globalThis.fetch
  vi.stubGlobal('location', { origin: server.origin })
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetchAbsolute(server.origin + path, init))
})
afterEach(async () => {
  for (const { close } of tabs) close()
  await server.close()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function openTab() {
  const messages: LiveSocketMessage[] = []
  const tab = { messages, ...subscribeToSharedSocket(account, (one) => messages.push(one)) }
  tabs.push(tab)
  return tab
}
const opened = (count: number) => waitFor(() => expect(server.sockets).toHaveLength(count))
const at = (index: number) => server.sockets[index] as FakeRealtimeServer['sockets'][number]
const received = ({ messages }: { messages: LiveSocketMessage[] }) =>
  messages.flatMap((one) => (one.type === 'changes' ? one.changes.map(({ document }) => document.$id) : []))
const isConnected = ({ messages }: { messages: LiveSocketMessage[] }) =>
  waitFor(() => expect(messages.at(-1)).toMatchObject({ type: 'state', state: 'connected' }))

test('two tabs share one socket, and both receive changes', async () => {
  const [first, second] = [openTab(), openTab()]
  await opened(1)
  at(0).greet('p1')
  await isConnected(first)
  await isConnected(second)
  at(0).event('m1', 'p2')
  await waitFor(() => expect([received(first), received(second)]).toEqual([['m1'], ['m1']]))
  expect(server.sockets).toHaveLength(1)
})

test('a new tab receives the connection state immediately', async () => {
  const first = openTab()
  await opened(1)
  at(0).greet('p1')
  await isConnected(first)
  await isConnected(openTab())
  expect(server.sockets).toHaveLength(1)
})

test('TYPE-01 each tab sends and receives typing indicators through the shared socket', async () => {
  const [first, second] = [openTab(), openTab()]
  await opened(1)
  at(0).greet('p1')
  await isConnected(second)
  const sign = { conversationId: 'talk', personId: 'bea' }
  const frames = (['one', 'two'] as const).map((conversationId) => ({
    type: 'typing' as const,
    data: { conversationId },
  }))
  for (const [index, frame] of frames.entries()) [first, second][index]?.send(frame)
  await waitFor(() => expect(at(0).received).toEqual(expect.arrayContaining(frames)))
  at(0).say('typing', sign)
  for (const { messages } of [first, second])
    await waitFor(() => expect(messages.at(-1)).toEqual({ type: 'typing', sign }))
})

test('when the leader tab closes, the next tab continues from its last position', async () => {
  server.answer = () => ({
    body: {
      changes: [{ collection: 'messages', kind: 'create', document: { $id: 'between' } }],
      position: 'p5',
      resync: false,
    },
  })
  const first = openTab()
  await opened(1)
  at(0).greet('p1')
  const second = openTab()
  await isConnected(second)
  at(0).event('m1', 'p2')
  await waitFor(() => expect(received(second)).toEqual(['m1']))
  first.close()
  await opened(2)
  at(1).greet('p6')
  await waitFor(() => expect(received(second)).toEqual(['m1', 'between']))
  expect(server.asked).toEqual(['/v1/live/changes?since=p2'])
  expect(received(first)).toEqual(['m1'])
})

test('a tab that becomes visible makes the leader retry immediately', async () => {
  const first = openTab()
  await opened(1)
  at(0).greet('p1')
  await isConnected(first)
  openTab()
  document.dispatchEvent(new Event('visibilitychange'))
  await waitFor(() => expect(at(0).received).toContainEqual({ type: 'ping' }))
})

test('a visible tab replaces a sleeping leader, and yields to the next leader', async () => {
  const asleep = navigator.locks.request(`juntas:live:${account}`, () => new Promise<never>(() => {}))
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const tab = openTab()
  vi.advanceTimersByTime(20_000)
  expect(server.sockets).toHaveLength(0)
  vi.advanceTimersByTime(20_000)
  await expect(asleep).rejects.toThrow('aborted')
  await opened(1)
  at(0).greet('p1')
  await isConnected(tab)

  const left = once(at(0).ws, 'close')
  await navigator.locks.request(`juntas:live:${account}`, { steal: true }, () => left)
  await opened(2)
})

test('an awake leader is not replaced, however long the socket is idle', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const first = openTab()
  await opened(1)
  at(0).greet('p1')
  await isConnected(first)
  const second = openTab()
  await isConnected(second)
  for (let times = 1; times <= 4; times++) {
    const before = second.messages.length
    vi.advanceTimersByTime(20_000)
    await vi.waitFor(() => expect(second.messages.length).toBeGreaterThan(before))
  }
  expect(server.sockets).toHaveLength(1)
})
