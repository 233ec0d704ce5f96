import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { describe, expect, test } from 'vitest'
import { openConversation } from '#contract/chat.ts'
import { readyPicture } from '#tests/groups.ts'
import { anotherNode } from '#tests/nodes.ts'
import { freePort } from '#tests/server.ts'
import { type Person, world } from '#tests/world.ts'
import { addressKey } from './limits.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['2001:db8::5:6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['::', '0:0:0:0'],
])('S01 the address %s counts as %s: of IPv6 a household has a whole /64', (ip, key) => {
  expect(addressKey(ip)).toBe(key)
})

const guess = (app: FastifyInstance, email: string) =>
  app.inject({
    method: 'POST',
    url: '/v1/account/sessions/email',
    payload: { email, password: 'not her password' },
    // Behind a proxy this machine is not exempt.
    headers: { host: 'localhost:3000', 'x-forwarded-for': '203.0.113.1' },
  })

async function guesses(apps: FastifyInstance[], times: number): Promise<number[]> {
  const statuses = []
  for (let time = 0; time < times; time += 1) {
    for (const app of apps) statuses.push((await guess(app, 'ana@juntas.test')).statusCode)
  }
  return statuses
}

const redisUrl = process.env.TEST_REDIS_URL

describe('limits and Redis', () => {
  if (redisUrl) {
    test('two nodes count together, and another Juntas on the same Redis apart', async () => {
      const w = await world({ REDIS_URL: redisUrl })
      const other = await anotherNode(w.database, { REDIS_URL: redisUrl })
      const elsewhere = await world({ REDIS_URL: redisUrl })
      const statuses = await guesses([w.app, other.app], 7)
      expect(statuses.filter((status) => status === 401)).toHaveLength(10)
      expect(statuses.slice(10)).toEqual([429, 429, 429, 429])
      expect((await guess(elsewhere.app, 'ana@juntas.test')).statusCode).toBe(401)
      await other.end()
      await w.end()
      await elsewhere.end()
    })
  }

  test('T13 without Redis each node counts for itself, and nobody is refused for it', async () => {
    const w = await world({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` })
    expect(await guesses([w.app], 12)).toEqual([...Array(10).fill(401), 429, 429])
    await w.end()
  })

  test('T13 a Redis that takes connections and says nothing holds nobody up', async () => {
    const sockets = new Set<Socket>()
    const silent = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const w = await world({ REDIS_URL: `redis://127.0.0.1:${(silent.address() as AddressInfo).port}` })
    expect(await guesses([w.app], 12)).toEqual([...Array(10).fill(401), 429, 429])
    await w.end()
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
})

describe('who is not a browser on this machine', () => {
  const far = { 'x-forwarded-for': '203.0.113.1' }

  test('opens ten new conversations a day, five in her first week, and those she has as often as she likes', async () => {
    const w = await world()
    const [ana, nueva] = [await w.join('Ana'), await w.join('Nueva')]
    await w.database.pool.query(
      `update accounts set created_at = created_at - interval '8 days'
       where id = (select account_id from users where public_id = $1)`,
      [ana.id],
    )
    const others = []
    for (let n = 0; n < 11; n += 1) others.push(await w.join(`Persona${n}`))
    const open = async (who: Person, personId = '') =>
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

  test('C04 opens one conversation forty times at once, and it counts as one', async () => {
    const w = await world()
    const ana = await w.join('Ana')
    const others: Person[] = []
    for (let n = 0; n < 5; n += 1) others.push(await w.join(`Persona${n}`))
    const open = (personId = '') => ana.request('POST', '/v1/conversations', { personId }, far)
    const atOnce = await Promise.all(Array.from({ length: 40 }, () => open(others[0]?.id)))
    expect(atOnce.map(({ status }) => status)).toEqual(Array(40).fill(200))
    for (const { id } of others.slice(1)) expect((await open(id)).status).toBe(200)
    await w.end()
  })

  test('sends twenty messages a day to somebody who never wrote, at either door, until she answers', async () => {
    const w = await world()
    const [ana, bea, cleo] = [await w.join('Ana'), await w.join('Bea'), await w.join('Cleo')]
    const talkWith = async (person: Person) => (await ana.call(openConversation, { personId: person.id })).$id
    const [talk, other] = [await talkWith(bea), await talkWith(cleo)]
    const documents = '/v1/databases/main/collections/messages/documents'
    let sent = 0
    const send = async (who: Person, conversationId: string) => {
      sent += 1
      const message = { conversationId, content: `hola ${sent}` }
      const answer =
        sent % 2
          ? await who.request('POST', `/v1/conversations/${conversationId}/messages`, message, far)
          : await who.request('POST', documents, { documentId: 'unique()', data: message }, far)
      return answer.status
    }
    const statuses = []
    for (let n = 0; n < 22; n += 1) statuses.push(await send(ana, talk))
    expect(statuses).toEqual([...Array(20).fill(201), 429, 429])
    expect(await send(ana, other)).toBe(201)
    expect(await send(bea, talk)).toBe(201)
    for (let n = 0; n < 22; n += 1) expect(await send(ana, talk)).toBe(201)
    await w.end()
  })

  test('turns sixty pages of people a minute, at either door, while everything else goes on', async () => {
    const w = await world()
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

  test('makes as many mistakes as she likes before her post, within reason', async () => {
    const w = await world()
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
      const imageId = await readyPicture(w.database, ana)
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

  test('makes five groups a day, and as a visitor asks sixty times a minute', async () => {
    const w = await world()
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
