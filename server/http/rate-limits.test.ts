import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { followOperation } from '#contract/people/people.ts'
import { createPng } from '#scripts/harness/image-fixtures.ts'
import { findFreePort } from '#scripts/harness/server-process.ts'
import { readInstanceId } from '#server/database/instance-id.ts'
import { createServerLogger } from '#server/log.ts'
import { connectToRedis } from '#server/net/redis-client.ts'
import { insertUploadedImageRow } from '#tests/support/group-factory.ts'
import { startSecondServerNode } from '#tests/support/second-node.ts'
import { stopClock } from '#tests/support/stop-clock.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { createTestWorld, type MemberClient } from '#tests/support/world.ts'

const attempt = (app: FastifyInstance, email: string) =>
  app.inject({
    method: 'POST',
    url: '/v1/account/sessions/email',
    payload: { email, password: 'not her password' },
    // A request through a proxy is not exempt from limits, even on this machine.
    headers: { host: 'localhost:3000', 'x-forwarded-for': '203.0.113.1' },
  })

async function attempts(apps: FastifyInstance[], times: number): Promise<number[]> {
  const statuses = []
  for (let time = 0; time < times; time += 1) {
    for (const app of apps) statuses.push((await attempt(app, 'ana@juntas.test')).statusCode)
  }
  return statuses
}

const redisUrl = process.env.TEST_REDIS_URL

describe('limits and Redis', () => {
  if (redisUrl) {
    test('nodes of one instance count together, and another instance on the same Redis counts separately', async () => {
      const w = await createTestWorld({ REDIS_URL: redisUrl })
      const other = await startSecondServerNode(w.database, { REDIS_URL: redisUrl })
      const elsewhere = await createTestWorld({ REDIS_URL: redisUrl })
      const statuses = await attempts([w.app, other.app], 7)
      expect(statuses.filter((status) => status === 401)).toHaveLength(10)
      expect(statuses.slice(10)).toEqual([429, 429, 429, 429])
      expect((await attempt(elsewhere.app, 'ana@juntas.test')).statusCode).toBe(401)
      await other.end()
      await w.end()
      await elsewhere.end()
    })
  }

  if (redisUrl) {
    test('Redis contains neither email nor network addresses', async () => {
      const w = await createTestWorld({ REDIS_URL: redisUrl })
      await attempts([w.app], 1)
      const client = connectToRedis(redisUrl, createServerLogger('silent'), '')
      const prefix = `juntas:${await readInstanceId(w.database)}:`
      await waitFor(() => expect(client.isReady).toBe(true))
      const keys = await client.keys(`${prefix}*`)
      expect(keys.length).toBeGreaterThan(1)
      expect(keys.filter((key) => /@|\d+\.\d+\.\d+|juntas\.test/.test(key.slice(prefix.length)))).toEqual([])
      client.destroy()
      await w.end()
    })
  }

  test('T13 if Redis cannot be reached, each node counts separately and no request fails', async () => {
    const w = await createTestWorld({ REDIS_URL: `redis://127.0.0.1:${await findFreePort()}` })
    expect(await attempts([w.app], 12)).toEqual([...Array(10).fill(401), 429, 429])
    await w.end()
  })

  test('T13 a Redis server that does not answer delays no request', async () => {
    const sockets = new Set<Socket>()
    const silent = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const w = await createTestWorld({
      REDIS_URL: `redis://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    })
    expect(await attempts([w.app], 12)).toEqual([...Array(10).fill(401), 429, 429])
    await w.end()
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
})

describe('a client on another machine', () => {
  const far = { 'x-forwarded-for': '203.0.113.1' }
  beforeEach(stopClock)

  test('ana opens ten new conversations a day, a new member five, and existing conversations without a limit', async () => {
    const w = await createTestWorld()
    const [ana, nueva] = [await w.join('Ana'), await w.join('Nueva')]
    await w.database.pool.query(
      `update accounts set created_at = created_at - interval '8 days'
       where id = (select account_id from users where public_id = $1)`,
      [ana.id],
    )
    const others = []
    for (let n = 0; n < 11; n += 1) others.push(await w.join(`Persona${n}`))
    const open = async (who: MemberClient, personId = '') =>
      (await who.request('POST', '/v1/conversations', { personId }, far)).status
    for (const [who, most] of [
      [ana, 10],
      [nueva, 5],
    ] as const) {
      const opened = []
      for (const { id } of others.slice(0, most + 1)) opened.push(await open(who, id))
      expect(opened).toEqual([...Array(most).fill(200), 429])
      expect(await open(who, others[0]?.id)).toBe(200)
    }
    const participants = [nueva.id, others[9]?.id ?? ''].sort()
    const path = '/v1/databases/main/collections/conversations/documents'
    const data = { documentId: 'unique()', data: { participants, type: 'direct' } }
    expect((await nueva.request('POST', path, data, far)).status).toBe(429)
    const again = { ...data, data: { participants: [nueva.id, others[0]?.id].sort(), type: 'direct' } }
    const repeated = []
    for (let n = 0; n < 7; n += 1) repeated.push((await nueva.request('POST', path, again, far)).status)
    expect(repeated).toEqual(Array(7).fill(201))
    await w.end()
  })

  test('C04 forty simultaneous requests to open one conversation count once', async () => {
    const w = await createTestWorld()
    const ana = await w.join('Ana')
    const others: MemberClient[] = []
    for (let n = 0; n < 5; n += 1) others.push(await w.join(`Persona${n}`))
    const open = (personId = '') => ana.request('POST', '/v1/conversations', { personId }, far)
    const atOnce = await Promise.all(Array.from({ length: 40 }, () => open(others[0]?.id)))
    expect(atOnce.map(({ status }) => status)).toEqual(Array(40).fill(200))
    for (const { id } of others.slice(1)) expect((await open(id)).status).toBe(200)
    await w.end()
  })

  test('ana can send twenty messages a day, through both APIs, to a follower who does not answer', async () => {
    const w = await createTestWorld()
    const [ana, bea, cleo] = [await w.join('Ana'), await w.join('Bea'), await w.join('Cleo')]
    const conversationWith = async (person: MemberClient) =>
      (await ana.call(openConversationOperation, { personId: person.id })).$id
    await bea.call(followOperation, { personId: ana.id })
    const [conversation, other] = [await conversationWith(bea), await conversationWith(cleo)]
    const documents = '/v1/databases/main/collections/messages/documents'
    let sent = 0
    const send = async (who: MemberClient, conversationId: string) => {
      sent += 1
      const message = { conversationId, content: `hola ${sent}` }
      const answer =
        sent % 2
          ? await who.request('POST', `/v1/conversations/${conversationId}/messages`, message, far)
          : await who.request('POST', documents, { documentId: 'unique()', data: message }, far)
      return answer.status
    }
    const statuses = []
    for (let n = 0; n < 22; n += 1) statuses.push(await send(ana, conversation))
    expect(statuses).toEqual([...Array(20).fill(201), 429, 429])
    expect(await send(ana, other)).toBe(201)
    expect(await send(bea, conversation)).toBe(201)
    for (let n = 0; n < 22; n += 1) expect(await send(ana, conversation)).toBe(201)
    await w.end()
  })

  test('messages to conversations of others or to unknown conversations are not counted, in both APIs', async () => {
    const w = await createTestWorld()
    const [ana, bea, cleo] = [await w.join('Ana'), await w.join('Bea'), await w.join('Cleo')]
    const { $id: others } = await bea.call(openConversationOperation, { personId: cleo.id })
    const documents = '/v1/databases/main/collections/messages/documents'
    for (const conversationId of [others, 'nobodys']) {
      const message = { conversationId, content: 'hola' }
      const answers = []
      for (let n = 0; n < 12; n += 1) {
        answers.push(
          await ana.request('POST', `/v1/conversations/${conversationId}/messages`, message, far),
          await ana.request('POST', documents, { documentId: 'unique()', data: message }, far),
        )
      }
      const remainingPoints = answers.map(
        ({ status, headers }) => `${status} ${headers['x-ratelimit-remaining']}`,
      )
      expect(new Set(remainingPoints)).toEqual(new Set(['404 19']))
    }
    await w.end()
  })

  test('ana can open sixty pages of people a minute, through both APIs, without affecting other requests', async () => {
    const w = await createTestWorld()
    const ana = await w.join('Ana')
    const list = '/v1/databases/main/collections/users/documents'
    const seen = []
    for (let n = 0; n < 62; n += 1) {
      seen.push((await ana.request('GET', n % 2 ? list : '/v1/people', undefined, far)).status)
    }
    expect(seen).toEqual([...Array(60).fill(200), 429, 429])
    for (const path of [
      '/v1/me',
      '/v1/search/people?term=ana',
      `/v1/people/${ana.id}`,
      `${list}/${ana.id}`,
    ]) {
      expect([path, (await ana.request('GET', path, undefined, far)).status]).toEqual([path, 200])
    }
    await w.end()
  })

  test('ana can send many invalid posts before a valid post', async () => {
    const w = await createTestWorld()
    const ana = await w.join('Ana')
    const path = '/v1/databases/main/collections/posts/documents'
    const wrong = { caption: 'no', location: '', tags: [] }
    const tries = []
    for (let n = 0; n < 24; n += 1) {
      const answer =
        n % 2
          ? await ana.request('POST', path, { documentId: 'unique()', data: wrong }, far)
          : await ana.request('POST', '/v1/posts', wrong, far)
      tries.push(answer.status)
    }
    expect(tries).toEqual(Array(24).fill(400))
    const made = []
    for (let n = 0; n < 21; n += 1) {
      const imageId = await insertUploadedImageRow(w.database, ana)
      const post = { caption: `La foto ${n}`, location: 'Lima', tags: [], imageId }
      made.push((await ana.request('POST', '/v1/posts', post, far)).status)
    }
    expect(made).toEqual([...Array(20).fill(201), 429])
    const refused = []
    for (let n = 0; n < 300; n += 1) {
      refused.push((await ana.request('POST', '/v1/groups', { name: '' }, far)).status)
    }
    expect(refused.lastIndexOf(400)).toBe(299 - 24)
    expect(refused.at(-1)).toBe(429)
    await w.end()
  })

  test('a refused post counts as a write, and does not count towards the hourly and daily limits', async () => {
    const w = await createTestWorld()
    const ana = await w.join('Ana')
    const send = (body: object) => ana.request('POST', '/v1/posts', body, far)
    const left = async () => {
      const imageId = await insertUploadedImageRow(w.database, ana)
      const answer = await send({ caption: 'La foto', location: 'Lima', tags: [], imageId })
      return [answer.status, answer.headers['x-ratelimit-limit'], answer.headers['x-ratelimit-remaining']]
    }
    expect(await left()).toEqual([201, '60', '59'])
    for (let n = 0; n < 65; n += 1) expect((await send({ caption: '' })).status).toBe(400)
    expect(await left()).toEqual([201, '60', '58'])
    await w.end()
  })

  test('every uploaded kilobyte counts toward the limit, whether the picture is accepted or refused', async () => {
    const w = await createTestWorld()
    const ana = await w.join('Ana')
    let paid = 0
    const upload = async (bytes: Buffer) => {
      const form = new FormData()
      form.set('file', new File([new Uint8Array(bytes)], 'foto.png'))
      const encoded = new Response(form)
      const body = Buffer.from(await encoded.arrayBuffer())
      paid += Math.ceil(body.length / 1000)
      const headers = { ...far, 'content-type': encoded.headers.get('content-type') ?? '' }
      const answer = await ana.request('POST', '/v1/files', body, headers)
      return [answer.status, answer.headers['x-ratelimit-limit'], answer.headers['x-ratelimit-remaining']]
    }
    const left = () => String(200_000 - paid)
    expect(await upload(await createPng('#334455', 300, 200))).toEqual([201, '200000', left()])
    expect(await upload(Buffer.alloc(123_456, 'no picture'))).toEqual([400, '200000', left()])
    expect(await upload(await createPng('#554433'))).toEqual([201, '200000', left()])
    await w.end()
  })

  test('D08 ana can make thirty profile edits a minute through both APIs, and can still save her preferences', async () => {
    const w = await createTestWorld()
    const ana = await w.join('Ana')
    const document = `/v1/databases/main/collections/users/documents/${ana.id}`
    const ways = [
      (bio: string) => ana.request('PATCH', `/v1/people/${ana.id}`, { bio }, far),
      (bio: string) => ana.request('PATCH', document, { data: { bio } }, far),
      (bio: string) => ana.request('PATCH', '/v1/account/name', { name: `Ana ${bio}` }, far),
    ]
    const statuses = []
    for (let n = 0; n < 30; n += 1) statuses.push((await ways[n % 3]?.(`${n}`))?.status)
    expect(statuses).toEqual(Array(30).fill(200))
    for (const edit of ways) expect((await edit('más')).status).toBe(429)
    expect((await ana.request('PATCH', '/v1/account/prefs', { prefs: {} }, far)).status).toBe(200)
    await w.end()
  })

  test('ana creates five groups a day, and a visitor sends sixty requests a minute', async () => {
    const w = await createTestWorld()
    const ana = await w.join('Ana')
    const made = []
    for (let n = 0; n < 6; n += 1) {
      made.push((await ana.request('POST', '/v1/groups', { name: `Grupo ${n}` }, far)).status)
    }
    expect(made).toEqual([201, 201, 201, 201, 201, 429])
    const seen = []
    for (let n = 0; n < 61; n += 1) {
      seen.push((await w.visitor.request('GET', '/v1/avatars/initials?name=Ana', undefined, far)).status)
    }
    expect(seen).toEqual([...Array(60).fill(200), 429])
    await w.end()
  })
})

test('S01 a customer with an IPv6 /48 network gains no sign-ups by changing the /64', async () => {
  stopClock()
  const w = await createTestWorld()
  const signUpFrom = async (remoteAddress: string) =>
    (await w.app.inject({ method: 'POST', url: '/v1/members', payload: {}, remoteAddress })).statusCode
  const statuses = []
  for (let n = 0; n < 26; n += 1) statuses.push(await signUpFrom(`2001:db8:1:${n}::1`))
  expect(statuses).toEqual([...Array(25).fill(400), 429])
  expect(await signUpFrom('2001:db8:2:1::1')).toBe(400)
  expect(await signUpFrom('203.0.113.9')).toBe(400)
  await w.end()
})

test("D01 a visitor's request is counted before its body is read", async () => {
  stopClock()
  const w = await createTestWorld()
  const signIn = async (payload: string) =>
    (
      await w.app.inject({
        method: 'POST',
        url: '/v1/sessions',
        payload,
        headers: { 'content-type': 'application/json' },
        remoteAddress: '203.0.113.8',
      })
    ).statusCode
  const statuses = []
  for (let n = 0; n < 26; n += 1) statuses.push(await signIn('{"email":'))
  expect(statuses).toEqual([...Array(25).fill(400), 429])
  await w.end()
})
