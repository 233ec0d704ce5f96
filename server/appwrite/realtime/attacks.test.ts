/** Tests hostile or broken handshakes and sockets: attacks R06–R09, R13, R14 and M10 (docs/attacks.md). */
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { buildDocumentsChannelName } from '#api-client/realtime-urls.ts'
import { likePostOperation } from '#contract/posts/posts.ts'
import { createPostInGroup } from '#tests/support/group-factory.ts'
import { stopClock } from '#tests/support/stop-clock.ts'
import {
  listenAndGetRealtimeUrl,
  openTestSocket,
  type TestSocket,
  type WebSocketFrame,
} from '../../../tests/support/test-socket.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '../../../tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
const sockets: TestSocket[] = []
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close()
})
afterAll(() => w.end())

const open = async (options: Parameters<typeof openTestSocket>[1] = {}) => {
  const socket = await openTestSocket(w.app, { as: ana, ...options })
  sockets.push(socket)
  return socket
}
const refusal = async (headers: Record<string, string>) => {
  const failed = await open({ headers }).catch((error: Error) => error)
  return failed instanceof Error ? failed.message : 'it opened'
}
const stillServes = async () => {
  expect((await open()).frames[0]?.type).toBe('connected')
}

/** Returns the head of the response. */
async function rawHandshake(...lines: string[]): Promise<string> {
  const { port } = new URL(await listenAndGetRealtimeUrl(w.app))
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(`${['GET /v1/realtime HTTP/1.1', 'Host: localhost', ...lines].join('\r\n')}\r\n\r\n`)
  let answer = ''
  for await (const chunk of socket) {
    answer += chunk
    if (answer.includes('\r\n\r\n')) break
  }
  socket.destroy()
  return answer.split('\r\n\r\n')[0] ?? ''
}

const upgrade = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
]

describe('R06 R07 the handshake', () => {
  test.each(['https://evil.example', 'null', 'https://localhost.evil.example', 'file://'])(
    'a page of the origin %s cannot connect, with or without cookies',
    async (origin) => {
      expect(await refusal({ origin })).toContain('403')
      await stillServes()
    },
  )

  test.each(['http://localhost:3000', 'http://localhost:5173'])(
    'a page of the origin %s can connect',
    async (origin) => {
      expect((await open({ headers: { origin } })).frames[0]?.type).toBe('connected')
    },
  )

  test.each([
    ['a thousand headers', Array.from({ length: 1000 }, (_, n) => `X-${n}: ${'x'.repeat(30)}`), '431'],
    ['a protocol of 32 kB', [`Sec-WebSocket-Protocol: ${'x'.repeat(32_000)}`], '431'],
    ['an extension called constructor', ['Sec-WebSocket-Extensions: constructor'], '101'],
    ['an offer to compress, which is not taken up', ['Sec-WebSocket-Extensions: permessage-deflate'], '101'],
    ['a broken extension, which nobody reads', ['Sec-WebSocket-Extensions: ;;=,"'], '101'],
  ])('the server survives a handshake with %s', async (_, lines, status) => {
    const head = await rawHandshake(...upgrade, ...lines)
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(head).not.toMatch(/^sec-websocket-extensions:/im)
    await stillServes()
  })

  test('a handshake without a key, with another version or on another path is refused', async () => {
    expect(await rawHandshake(...upgrade.slice(0, 3))).toMatch(/^HTTP\/1.1 400 /)
    expect(await rawHandshake(...upgrade.filter((line) => !line.includes('Version')))).toMatch(
      /^HTTP\/1.1 4\d\d /,
    )
    const url = (await listenAndGetRealtimeUrl(w.app)).replace('/v1/realtime', '/v1/account')
    const elsewhere = new WebSocket(url)
    const failed = await new Promise<Error>((resolve) => elsewhere.on('error', resolve))
    expect(failed.message).toContain('404')
    await stillServes()
  })
})

describe('R08 frames', () => {
  test('a frame that is too big closes the socket with 1009', async () => {
    const socket = await open()
    socket.ws.send('x'.repeat(100_000))
    expect(await socket.closed).toBe(1009)
    await stillServes()
  })

  test('a text frame that is not UTF-8 closes the socket with 1007', async () => {
    const socket = await open()
    socket.ws.send(Buffer.from([0xff, 0xfe, 0xfd]), { binary: false })
    expect(await socket.closed).toBe(1007)
    await stillServes()
  })

  test('a compressed frame closes the socket with 1002, and nothing is decompressed', async () => {
    const socket = await open()
    // @ts-expect-error private property: sends a compressed frame although no compression was negotiated
    socket.ws._socket.write(Buffer.from([0xc1, 0x81, 0, 0, 0, 0, 0x61]))
    expect(await socket.closed).toBe(1002)
    await stillServes()
  })

  test('Q06 a subscription whose queries are too deep, too long or too many is refused', async () => {
    const nested = (levels: number) =>
      `${'{"method":"or","values":['.repeat(levels)}{"method":"isNull","attribute":"groupId"}${']}'.repeat(levels)}`
    const channels = [buildDocumentsChannelName('posts')]
    for (const queries of [[nested(5)], [nested(1000)], Array(21).fill('limit(1)')]) {
      const socket = await open()
      socket.send({ type: 'subscribe', data: [{ channels, queries }] })
      const { data } = await socket.until(({ type }) => type === 'error')
      expect(data).toMatchObject({ code: 1003, message: expect.stringMatching(/^Invalid query/) })
    }
    const socket = await open()
    socket.send(`{"type":"subscribe","data":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)
    expect(await socket.until(({ type }) => type === 'error')).toMatchObject({ data: { code: 1003 } })
    expect(socket.isOpen).toBe(true)
  })

  test('a binary frame is answered with an error', async () => {
    const socket = await open()
    socket.ws.send(Buffer.from('{"type":"ping"}'), { binary: true })
    expect(await socket.until(({ type }) => type === 'error')).toMatchObject({ data: { code: 1003 } })
  })

  test('a message split into countless fragments closes the socket', async () => {
    const socket = await open()
    for (let n = 0; n < 1000; n += 1) socket.ws.send('', { fin: false })
    expect(await socket.closed).toBe(1008)
    await stillServes()
  })

  test.each([
    ['messages', (socket: TestSocket) => socket.send({ type: 'ping' })],
    ['pings', (socket: TestSocket) => socket.ws.ping()],
  ])('the 33rd of the %s in a minute is refused, and ten times as many close the socket', async (_, act) => {
    stopClock()
    const socket = await open()
    for (let n = 0; n < 33; n += 1) act(socket)
    expect(await socket.until(({ type }) => type === 'error')).toMatchObject({
      data: { code: 1013, message: 'Too many messages.' },
    })
    expect(socket.isOpen).toBe(true)
    for (let n = 0; n < 320; n += 1) act(socket)
    // A client that pings too often is disconnected without an error message.
    expect([1008, 1006]).toContain(await socket.closed)
    await stillServes()
  })
})

describe('excessive clients', () => {
  test("an account's eleventh socket is refused, and accepted after another socket has closed", async () => {
    const bea = await w.join('Bea')
    const ten = await Promise.all(Array.from({ length: 10 }, () => open({ as: bea })))
    const eleventh = await open({ as: bea })
    expect(eleventh.frames).toMatchObject([{ type: 'error', data: { code: 1013 } }])
    expect(await eleventh.closed).toBe(1013)
    ten[0]?.close()
    await ten[0]?.closed
    await expect.poll(async () => (await open({ as: bea })).frames[0]?.type).toBe('connected')
  })

  test('the 21st connection in a minute is refused, counted by address for visitors and by account for members', async () => {
    stopClock()
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    const [bea, cleo] = [await w.join('Bea'), await w.join('Cleo')]
    const nobody = { cookie: 'a_session_juntas=bm9ib2R5' }
    const sentBack = { type: 'error', data: { code: 1013, message: 'Too many requests' } }
    const connect = async (as?: { cookie: string }) => {
      const socket = await openTestSocket(w.app, { as, headers })
      const [first] = socket.frames
      socket.close()
      const code = await socket.closed
      return first?.type === 'error' ? { first, code } : first?.type
    }
    for (let n = 0; n < 20; n += 1) expect(await connect(bea)).toBe('connected')
    expect(await connect(bea)).toEqual({ first: sentBack, code: 1013 })

    for (let n = 0; n < 10; n += 1) expect(await connect()).toBe('connected')
    for (let n = 0; n < 10; n += 1) expect(await connect(nobody)).toBe('connected')
    expect(await connect()).toEqual({ first: sentBack, code: 1013 })
    expect(await connect(nobody)).toEqual({ first: sentBack, code: 1013 })
    expect(await connect(cleo)).toBe('connected')
  })

  test('the server closes a client that does not read, and releases its buffer', async () => {
    const unlimited = await createTestWorld({ LIMITS: 'off' })
    try {
      const bea = await unlimited.join('Bea')
      const socket = await openTestSocket(unlimited.app, { as: bea })
      socket.ws.pause()
      const channels = Array.from({ length: 40 }, (_, n) => `${n}${'x'.repeat(250)}`)
      const asked = JSON.stringify({ type: 'subscribe', data: [{ subscriptionId: 's', channels }] })
      const gone = new Promise((resolve) => socket.ws.on('close', resolve))
      const flood = setInterval(() => {
        for (let n = 0; n < 100; n += 1) socket.ws.send(asked, () => {})
      }, 1)
      await expect
        .poll(
          () => new Promise<number>((resolve) => unlimited.app.server.getConnections((_, n) => resolve(n))),
        )
        .toBe(0)
      clearInterval(flood)
      socket.ws.terminate()
      await gone
    } finally {
      await unlimited.end()
    }
  })
})

const comparing = (count: number, offset = 0) => {
  const values = Array.from({ length: count }, (_, n) => ({
    method: 'notSearch',
    attribute: 'content',
    values: [`x${n + offset}`],
  }))
  return JSON.stringify({ method: 'and', values })
}

describe('R13 the cost of subscription filters', () => {
  const channels = [buildDocumentsChannelName('messages')]
  const subscribe = async (socket: TestSocket, subscriptionId: string, queries: string[]) => {
    socket.send({ type: 'subscribe', data: [{ subscriptionId, channels, queries }] })
    const made = ({ type, data }: WebSocketFrame) =>
      type === 'response' && String(JSON.stringify(data)).includes(subscriptionId)
    await Promise.race([socket.until(made), socket.closed])
    return socket.isOpen
  }

  test('a socket can compare at most two hundred values, however its subscriptions divide them', async () => {
    const eva = await w.join('Eva')
    const socket = await open({ as: eva })
    for (let n = 0; n < 4; n += 1)
      expect(await subscribe(socket, `sub${n}`, [comparing(40), comparing(9), 'isNull("groupId")'])).toBe(
        true,
      )
    // A subscription with the same id replaces the earlier subscription and its cost.
    expect(await subscribe(socket, 'sub3', [comparing(40), comparing(10)])).toBe(true)
    socket.send({ type: 'subscribe', data: [{ channels, queries: ['isNull("groupId")'] }] })
    expect(await socket.closed).toBe(1008)
    expect(socket.frames.at(-1)?.data).toEqual({ code: 1008, message: 'Too many filters' })
    const equal = `equal("senderId", [${Array.from({ length: 100 }, (_, n) => `"a${n}"`)}])`
    const inUrl = await open({ as: eva, query: { 'documents[0][]': equal, 'documents[1][]': equal } })
    expect(inUrl.frames[0]?.type).toBe('connected')
    const tooMany = {
      'documents[0][]': equal,
      'documents[1][]': equal,
      'documents[2][]': 'isNull("groupId")',
    }
    expect(await (await open({ as: eva, query: tooMany })).closed).toBe(1008)
  })

  test('all open sockets of an account together can compare at most five hundred values', async () => {
    const [fio, gala] = [await w.join('Fio'), await w.join('Gala')]
    /** Adds subscriptions that compare `cost` values in total, a multiple of twenty. */
    const fill = async (socket: TestSocket, cost: number) => {
      for (let from = 0; from < cost; from += 20) await subscribe(socket, `from${from}`, [comparing(20)])
      return socket.isOpen
    }
    const [first, second] = [await open({ as: fio }), await open({ as: fio })]
    for (const socket of [first, second, await open({ as: gala })]) expect(await fill(socket, 200)).toBe(true)
    expect(await fill(await open({ as: fio }), 120)).toBe(false)
    expect(await fill(await open({ as: fio }), 100)).toBe(true)
    first.close()
    await first.closed
    expect(await fill(await open({ as: fio }), 200)).toBe(true)
    // A visitor's subscriptions count against the account once the visitor signs in.
    const visitor = await open({ as: undefined })
    expect(await fill(visitor, 200)).toBe(true)
    const session = decodeURIComponent(fio.cookie.split('=').slice(1).join('='))
    visitor.send({ type: 'authentication', data: { session } })
    expect(await visitor.closed).toBe(1008)
  })
})

test('R14 a like of a popular post shows each subscriber only her own like', async () => {
  const post = await createPostInGroup(w.database, ana, null)
  await w.database.pool.query(
    `with account as (
       insert into accounts (public_id, email, name) select 'fan' || n, 'fan' || n || '@juntas.test', 'Fan' from generate_series(1, 120) n
       returning id, public_id), fan as (
       insert into users (public_id, account_id, name, username, bio)
       select public_id, id, 'Fan', public_id, repeat('biografía ', 200) from account returning id)
     insert into post_likes (post_id, user_id) select p.id, fan.id from posts p, fan where p.public_id = $1`,
    [post],
  )
  const bea = await w.join('Beatriz')
  await bea.call(likePostOperation, { postId: post })
  const socket = await open({ as: bea, channels: [buildDocumentsChannelName('posts')] })
  await ana.call(likePostOperation, { postId: post })
  const { payload } = await socket.event('posts', 'update')
  const { likes, likesTotal } = payload as unknown as { likes: { $id: string }[]; likesTotal: number }
  expect([likes.map(({ $id }) => $id), likesTotal]).toEqual([[bea.id], 122])
  expect(Buffer.byteLength(JSON.stringify(payload))).toBeLessThan(5_000)
})

describe('idle clients', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('a visitor who does not sign in is disconnected after half a minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const socket = await openTestSocket(w.app, { channels: [buildDocumentsChannelName('posts')] })
    vi.advanceTimersByTime(29_000)
    socket.ws.ping()
    await new Promise((resolve) => socket.ws.once('pong', resolve))
    expect(socket.isOpen).toBe(true)
    vi.advanceTimersByTime(1000)
    expect(await socket.closed).toBe(1008)
    expect(socket.frames.at(-1)).toMatchObject({ type: 'error', data: { code: 1008 } })
  })

  test('T16 a socket that answers no pings is closed after the third, and a socket that answers stays open', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const timed = await createTestWorld()
    try {
      const bea = await timed.join('Bea')
      const dead = await openTestSocket(timed.app, { as: bea })
      const living = await openTestSocket(timed.app, { as: bea })
      // @ts-expect-error private property: simulates a client that stops answering
      dead.ws._autoPong = false
      for (let round = 0; round < 3; round += 1) {
        const pinged = new Promise((resolve) => living.ws.once('ping', resolve))
        vi.advanceTimersByTime(20_000)
        await pinged
        living.send({ type: 'ping' })
        await living.until((frame) => frame.type === 'pong' && living.frames.indexOf(frame) === round + 1)
      }
      expect(await dead.closed).toBe(1006)
      expect(living.isOpen).toBe(true)
      living.close()
    } finally {
      await timed.end()
    }
  })

  test('R03 an idle socket closes when its session expires', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const timed = await createTestWorld()
    try {
      const bea = await timed.join('Bea')
      const socket = await openTestSocket(timed.app, { as: bea })
      await timed.database.pool.query(
        `update sessions set created_at = now() - interval '91 days', expires_at = now() - interval '1 day'`,
      )
      vi.advanceTimersByTime(10_000)
      expect(await socket.closed).toBe(4001)
    } finally {
      await timed.end()
    }
  })

  test('a socket closes after half an hour, and its client has to reconnect', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const timed = await createTestWorld({ LIMITS: 'off' })
    try {
      const bea = await timed.join('Bea')
      const socket = await openTestSocket(timed.app, { as: bea })
      for (let round = 0; round < 91 && socket.isOpen; round += 1) {
        const pinged = new Promise((resolve) => socket.ws.once('ping', resolve))
        vi.advanceTimersByTime(20_000)
        await Promise.race([pinged, socket.closed])
        // The server has read the answer to its ping before it answers this one.
        const ponged = new Promise((resolve) => socket.ws.once('pong', resolve))
        if (socket.isOpen) socket.ws.ping()
        await Promise.race([ponged, socket.closed])
      }
      expect(await socket.closed).toBe(4000)
    } finally {
      await timed.end()
    }
  })
})
