import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type FakeRealtimeServer, startFakeRealtimeServer } from '#tests/doubles/realtime-server.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { ApiError } from '../api/client.ts'
import { connectLiveSocket, type LiveSocket, type LiveSocketMessage } from './socket.ts'

type Missed = Awaited<ReturnType<Parameters<typeof connectLiveSocket>[0]['missedSince']>>

let server: FakeRealtimeServer
let socket: LiveSocket
let messages: LiveSocketMessage[]
let missed: (position: string) => Promise<Missed>
beforeEach(async () => {
  server = await startFakeRealtimeServer('ana')
  messages = []
  missed = async () => ({ changes: [], position: 'caught-up', resync: false })
})
afterEach(async () => {
  socket.close()
  vi.useRealTimers()
  await server.close()
})

const connect = (since: string | null = null) => {
  const onMessage = (message: LiveSocketMessage) => messages.push(message)
  socket = connectLiveSocket({
    url: server.url,
    account: 'ana',
    since,
    onMessage,
    missedSince: (from) => missed(from),
  })
}
/** Only the socket's longer timers are fake. The network is real. */
const holdTimers = () =>
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
const opened = (count: number) => waitFor(() => expect(server.sockets).toHaveLength(count))
const states = () => messages.flatMap((one) => (one.type === 'state' ? [one.state] : []))
const at = (index: number) => server.sockets[index] as FakeRealtimeServer['sockets'][number]

test('RT-12 after a gap the socket catches up from its last position before it reports connected', async () => {
  holdTimers()
  const asked: string[] = []
  let answer = (_: Missed) => {}
  missed = (from) => {
    asked.push(from)
    return new Promise((resolve) => {
      answer = resolve
    })
  }
  connect()
  await opened(1)
  at(0).greet('p1')
  at(0).event('m1', 'p2')
  await waitFor(() => expect(messages.at(-1)).toMatchObject({ type: 'changes', position: 'p2' }))
  at(0).ws.terminate()
  await waitFor(() => expect(states()).toEqual(['connected', 'lost']))
  vi.advanceTimersByTime(1000)
  await opened(2)
  at(1).greet('p9')
  // The socket is still catching up, so this position does not count yet.
  at(1).event('m5', 'p10')
  await waitFor(() => expect(asked).toEqual(['p2']))
  await waitFor(() => expect(messages.at(-1)).toMatchObject({ type: 'changes', position: 'p2' }))
  expect(states()).toEqual(['connected', 'lost'])
  answer({
    changes: [{ collection: 'conversations', kind: 'create', document: { $id: 'c4' } }],
    position: 'p8',
    resync: false,
  })
  await waitFor(() => expect(messages.at(-1)).toMatchObject({ type: 'changes', position: 'p8' }))
  expect(states()).toEqual(['connected', 'lost', 'connected'])
})

test('RT-12 a socket lost while catching up restarts from the previous position', async () => {
  holdTimers()
  const asked: string[] = []
  missed = (from) => {
    asked.push(from)
    return new Promise(() => {})
  }
  connect('p3')
  await opened(1)
  at(0).greet('p9')
  await waitFor(() => expect(asked).toEqual(['p3']))
  at(0).event('m5', 'p10')
  at(0).ws.terminate()
  await waitFor(() => expect(states()).toEqual(['lost']))
  vi.advanceTimersByTime(1000)
  await opened(2)
  at(1).greet('p11')
  await waitFor(() => expect(asked).toEqual(['p3', 'p3']))
})

test('a half-open connection is detected after ten seconds without a pong, and replaced', async () => {
  holdTimers()
  connect()
  await opened(1)
  at(0).greet('p1')
  await waitFor(() => expect(states()).toEqual(['connected']))
  vi.advanceTimersByTime(20_000)
  await waitFor(() => expect(at(0).received).toEqual([{ type: 'ping' }]))
  vi.advanceTimersByTime(8_000)
  expect(states()).toEqual(['connected'])
  vi.advanceTimersByTime(2_000)
  expect(states()).toEqual(['connected', 'lost'])
  vi.advanceTimersByTime(1000)
  await opened(2)
})

test('a server that accepts the connection and stays silent is given up after ten seconds', async () => {
  holdTimers()
  connect()
  await opened(1)
  vi.advanceTimersByTime(10_000)
  expect(states()).toEqual(['lost'])
})

test('a pong confirms the connection and updates the position', async () => {
  holdTimers()
  connect()
  await opened(1)
  at(0).greet('p1')
  await waitFor(() => expect(states()).toEqual(['connected']))
  socket.ping()
  await waitFor(() => expect(at(0).received).toHaveLength(1))
  at(0).say('pong', { position: 'p7' })
  await waitFor(() => expect(messages.at(-1)).toMatchObject({ type: 'state', position: 'p7' }))
  vi.advanceTimersByTime(10_000)
  expect(states()).not.toContain('lost')
})

test('RT-07 RT-10 without a server the reconnect delays grow, and a ping retries immediately', async () => {
  holdTimers()
  connect()
  for (let attempt = 1; attempt <= 5; attempt++) {
    await opened(attempt)
    at(attempt - 1).ws.terminate()
    await waitFor(() => expect(states()).toHaveLength(attempt))
    vi.advanceTimersByTime(1000)
  }
  await opened(6)
  at(5).ws.terminate()
  await waitFor(() => expect(states()).toHaveLength(6))
  vi.advanceTimersByTime(4000)
  expect(server.sockets).toHaveLength(6)
  socket.ping()
  await opened(7)
})

test('RT-11 after close code 1008 the socket does not reconnect', async () => {
  holdTimers()
  connect()
  await opened(1)
  at(0).greet('p1')
  at(0).say('error', { code: 1008, message: 'Go away' })
  at(0).ws.close(4999)
  await waitFor(() => expect(states().at(-1)).toBe('stopped'))
  vi.advanceTimersByTime(600_000)
  expect(server.sockets).toHaveLength(1)
})

test('the socket reconnects after other errors, and after a 1008 that was not the last frame', async () => {
  holdTimers()
  connect()
  await opened(1)
  at(0).say('error', { code: 1008, message: 'Go away' })
  at(0).greet('p1')
  await waitFor(() => expect(states()).toEqual(['connected']))
  at(0).ws.terminate()
  await waitFor(() => expect(states()).toEqual(['connected', 'lost']))
})

test('R03 a session that has ended or belongs to another member is reported', async () => {
  connect()
  await opened(1)
  at(0).greet('p1', 'bea')
  await waitFor(() => expect(messages).toContainEqual({ type: 'session' }))
  messages.length = 0
  at(0).ws.close(4001)
  await waitFor(() => expect(messages).toContainEqual({ type: 'session' }))
  expect(states()).toContain('lost')
})

test("an unknown position triggers a reload from the server's current position", async () => {
  missed = async () => {
    throw new ApiError('This is no position.', 400)
  }
  connect('nonsense')
  await opened(1)
  at(0).greet('p4')
  await waitFor(() => expect(messages.at(-1)).toEqual({ type: 'resync', position: 'p4' }))
})

test('a failed catch-up is retried on the same socket', async () => {
  holdTimers()
  let attempts = 0
  missed = async () => {
    attempts += 1
    if (attempts < 3) throw new ApiError('', 503)
    return { changes: [], position: 'p5', resync: false }
  }
  connect('p1')
  await opened(1)
  at(0).greet('p4')
  for (const expected of [1, 2]) {
    await waitFor(() => expect(attempts).toBe(expected))
    await vi.advanceTimersByTimeAsync(1000)
  }
  await waitFor(() => expect(messages.at(-1)).toMatchObject({ state: 'connected', position: 'p5' }))
  expect(server.sockets).toHaveLength(1)
})

test('RT-07 reconnect delays grow until an attempt succeeds, then start again', async () => {
  const waits: number[] = []
  const real = globalThis.setTimeout
  // Records the delay and runs the work immediately.
  vi.stubGlobal('setTimeout', (work: () => void, ms?: number) => {
    const reconnects =
      ms !== undefined && [1000, 5000, 10_000, 60_000].includes(ms) && work.name === 'connect'
    if (reconnects) waits.push(ms)
    return real(work, reconnects ? 0 : ms)
  })
  connect()
  for (let lost = 0; lost < 7; lost += 1) {
    await opened(lost + 1)
    at(lost).ws.terminate()
  }
  await opened(8)
  expect(waits).toEqual([1000, 1000, 1000, 1000, 1000, 5000, 5000])
  at(7).greet('p1')
  await waitFor(() => expect(states().at(-1)).toBe('connected'))
  at(7).ws.terminate()
  await opened(9)
  expect(waits.at(-1)).toBe(1000)
})
