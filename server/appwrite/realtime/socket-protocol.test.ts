import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { buildDocumentsChannelName } from '#api-client/realtime-urls.ts'
import { markConversationReadOperation, openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { updateProfileOperation } from '#contract/people/people.ts'
import { socketCloseCodes } from '#contract/realtime/socket-close-codes.ts'
import { openTestSocket, type TestSocket } from '../../../tests/support/test-socket.ts'
import {
  createTestWorld,
  type MemberClient,
  type TestWorld,
  testPassword,
} from '../../../tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let cleo: MemberClient
let conversationId: string
const sockets: TestSocket[] = []

beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
  bea = await w.join('Bea')
  cleo = await w.join('Cleo')
  conversationId = (await ana.call(openConversationOperation, { personId: bea.id })).$id
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close()
})
afterAll(() => w.end())

const open = async (options: Parameters<typeof openTestSocket>[1]) => {
  const socket = await openTestSocket(w.app, options)
  sockets.push(socket)
  return socket
}
const send = (from: MemberClient, content: string) =>
  from.call(sendMessageOperation, { conversationId, content })
const tokenOf = (person: MemberClient) => decodeURIComponent(person.cookie.split('=').slice(1).join('='))

describe('RT-01 … RT-06 the subscriptions of a chat', () => {
  test('RT-01 RT-02 the first frame lists the subscribed channels', async () => {
    const channels = [buildDocumentsChannelName('messages'), buildDocumentsChannelName('conversations')]
    const socket = await open({ as: bea, channels })
    expect(socket.frames[0]).toMatchObject({
      type: 'connected',
      data: { channels, user: { $id: bea.accountId, email: bea.email }, subscriptions: {} },
    })
  })

  test('RT-03 RT-05 both participants receive a message and the update of its conversation', async () => {
    const channels = [buildDocumentsChannelName('messages'), buildDocumentsChannelName('conversations')]
    const hers = await open({ as: ana, channels })
    const theirs = await open({ as: bea, channels })
    const sent = await send(ana, 'hola')
    for (const socket of [hers, theirs]) {
      const { payload, timestamp } = await socket.event('messages', 'create')
      expect(payload).toMatchObject({
        $id: sent.$id,
        conversationId,
        senderId: ana.id,
        readBy: [ana.id],
      })
      expect(Date.parse(timestamp)).not.toBeNaN()
      const conversation = await socket.event('conversations', 'update')
      expect(conversation.payload).toMatchObject({
        $id: conversationId,
        lastMessage: 'hola',
        lastMessageSender: ana.id,
      })
    }
  })

  test('RT-04 when a message is read, its sender receives an update of the message', async () => {
    const socket = await open({ as: ana, channels: [buildDocumentsChannelName('messages')] })
    const sent = await send(ana, '¿lo ves?')
    await bea.call(markConversationReadOperation, { conversationId, messageId: sent.$id })
    const { payload } = await socket.event('messages', 'update')
    expect(payload).toMatchObject({ $id: sent.$id, readBy: [ana.id, bea.id] })
  })

  test('RT-06 PERM-06 cleo receives her conversation with its first message, and nothing from other conversations', async () => {
    const channels = [
      buildDocumentsChannelName('messages'),
      buildDocumentsChannelName('conversations'),
      'documents',
    ]
    const socket = await open({ as: cleo, channels })
    await send(ana, 'entre nosotras')
    await bea.call(markConversationReadOperation, { conversationId })
    const { $id } = await ana.call(openConversationOperation, { personId: cleo.id })
    const said = await ana.call(sendMessageOperation, { conversationId: $id, content: 'hola cleo' })
    expect((await socket.event('conversations', 'update')).payload.$id).toBe($id)
    expect(socket.events().map(({ payload }) => payload.$id)).toEqual([said.$id, $id])
  })
})

describe('the generations of Appwrite clients', () => {
  test('clients up to version 22 subscribe in the URL, to one document or to all', async () => {
    const one = await open({
      as: bea,
      channels: [`${buildDocumentsChannelName('conversations')}.${conversationId}`],
    })
    await send(ana, 'a')
    const event = await one.event('conversations', 'update')
    expect(event.subscriptions).toBeUndefined()
    expect(event.channels).toContain(`${buildDocumentsChannelName('conversations')}.${conversationId}`)
  })

  test('clients of versions 23 and 24 subscribe in the URL, with slots and queries', async () => {
    const slot = `${buildDocumentsChannelName('messages')}[7][]`
    const query = JSON.stringify({ method: 'equal', attribute: 'senderId', values: [ana.id] })
    const socket = await open({
      as: bea,
      channels: [buildDocumentsChannelName('messages')],
      query: { [slot]: query },
    })
    const ids = socket.frames[0]?.data?.subscriptions as Record<string, string>
    await send(bea, 'mía')
    const sent = await send(ana, 'suya')
    const event = await socket.event('messages', 'create')
    expect(event.payload.$id).toBe(sent.$id)
    expect(event.subscriptions).toEqual([ids[7]])
  })

  test('clients from version 25 subscribe, replace a subscription and unsubscribe with frames', async () => {
    const socket = await open({ as: bea })
    expect(socket.frames[0]).toMatchObject({ type: 'connected', data: { channels: [] } })
    const channels = [buildDocumentsChannelName('messages')]
    socket.send({ type: 'subscribe', data: [{ subscriptionId: 'one', channels, queries: [] }, { channels }] })
    const response = await socket.until(({ type }) => type === 'response')
    const made = (response.data as { subscriptions: { subscriptionId: string }[] }).subscriptions
    expect(response.data).toMatchObject({ to: 'subscribe', success: true })
    expect(made[0]).toEqual({ subscriptionId: 'one', channels, queries: [] })
    await send(ana, 'b')
    expect((await socket.event('messages', 'create')).subscriptions).toEqual(
      made.map((one) => one.subscriptionId),
    )
    socket.send({ type: 'unsubscribe', data: [{ subscriptionId: 'one' }, { subscriptionId: 'none' }] })
    const removed = await socket.until(({ data }) => data?.to === 'unsubscribe')
    expect(removed.data?.subscriptions).toEqual([
      { subscriptionId: 'one', removed: true },
      { subscriptionId: 'none', removed: false },
    ])
  })

  test('a channel for one kind of change receives only that kind', async () => {
    const socket = await open({ as: bea, channels: [`${buildDocumentsChannelName('messages')}.update`] })
    const sent = await send(ana, 'c')
    await bea.call(markConversationReadOperation, { conversationId })
    expect((await socket.event('messages', 'update')).payload.$id).toBe(sent.$id)
    expect(socket.events()).toHaveLength(1)
  })

  test('the answer to a ping contains the position up to which the socket has received every change', async () => {
    const socket = await open({ as: bea })
    socket.send({ type: 'ping' })
    const pong = await socket.until(({ type }) => type === 'pong')
    expect(pong.data?.position).toEqual(expect.stringMatching(/^[\w-]{59}$/))
  })

  test('a presence frame of newer clients is ignored', async () => {
    const socket = await open({ as: bea })
    socket.send({ type: 'presence', data: { status: 'online' } })
    socket.send({ type: 'ping' })
    await socket.until(({ type }) => type === 'pong')
    expect(socket.frames.map(({ type }) => type)).toEqual(['connected', 'pong'])
  })
})

describe('the member of a socket', () => {
  test('a client of another origin signs in with the fallback session and keeps its earlier subscriptions', async () => {
    const headers = { origin: 'http://localhost:5173' }
    const socket = await open({ headers, channels: [buildDocumentsChannelName('messages'), 'account'] })
    expect(socket.frames[0]?.data).toMatchObject({
      user: null,
      channels: [buildDocumentsChannelName('messages'), 'account'],
    })
    socket.send({ type: 'authentication', data: { session: tokenOf(bea) } })
    const response = await socket.until(({ type }) => type === 'response')
    expect(response.data).toMatchObject({ to: 'authentication', success: true, user: { $id: bea.accountId } })
    const sent = await send(ana, 'd')
    expect((await socket.event('messages', 'create')).payload.$id).toBe(sent.$id)
  })

  test('a valid JWT signs the socket in, and an invalid JWT leaves the caller a visitor', async () => {
    const { body } = await bea.request<{ jwt: string }>('POST', '/v1/account/jwts')
    const socket = await open({ query: { jwt: body.jwt }, channels: [buildDocumentsChannelName('messages')] })
    expect(socket.frames[0]?.data).toMatchObject({ user: { $id: bea.accountId } })
    const late = await open({ query: { jwt: 'a.b.c' } })
    await late.until(({ type }) => type === 'connected')
    expect(late.frames).toMatchObject([
      { type: 'error', data: { code: 1003, message: 'Session is not valid.' } },
      { type: 'connected', data: { user: null } },
    ])
  })

  test('R03 S12 a socket opened with a JWT closes when the JWT ends, and a socket of its session stays open', async () => {
    const dora = await w.join('Dora')
    const channels = [buildDocumentsChannelName('users')]
    const byJwt = async () => {
      const { body } = await dora.request<{ jwt: string }>('POST', '/v1/account/jwts')
      return open({ query: { jwt: body.jwt }, channels })
    }
    const own = await open({ as: dora, channels })
    const changed = await byJwt()
    await dora.request('PATCH', '/v1/account/password', {
      password: 'otra caballo pila grapa',
      oldPassword: testPassword,
    })
    expect(await changed.closed).toBe(socketCloseCodes.sessionOver)
    const late = await byJwt()
    await w.database.pool.query('update jwts set expires_at = clock_timestamp()')
    await dora.call(updateProfileOperation, { personId: dora.id, bio: 'Ya no' })
    expect(await late.closed).toBe(socketCloseCodes.sessionOver)
    expect(late.events()).toEqual([])
    expect((await own.event('users', 'update')).payload.bio).toBe('Ya no')
  })

  test('only cleo receives the changes of her account', async () => {
    const hers = await open({ as: cleo, channels: ['account'] })
    const theirs = await open({ as: ana, channels: ['account', `account.${cleo.accountId}`] })
    expect(hers.frames[0]?.data?.channels).toEqual(['account', `account.${cleo.accountId}`])
    expect(theirs.frames[0]?.data?.channels).toEqual(['account', `account.${ana.accountId}`])
    await cleo.request('PATCH', '/v1/account/name', { name: 'Cleo Sol' })
    const received = await hers.until(({ type }) => type === 'event')
    expect(received.data).toMatchObject({ payload: { $id: cleo.accountId, name: 'Cleo Sol' } })
    expect(received.data?.events).toContain(`users.${cleo.accountId}.update.name`)
    await ana.request('PATCH', '/v1/account/prefs', { prefs: { theme: 'dark' } })
    await theirs.until(({ type }) => type === 'event')
    expect(theirs.events().map(({ payload }) => payload.$id)).toEqual([ana.accountId])
  })

  test('a member who creates her profile while her socket is open receives changes from that moment on', async () => {
    const given = { userId: 'unique()', email: 'dora@juntas.test', password: 'correcta caballo pila' }
    await w.visitor.request('POST', '/v1/account', given)
    const session = await w.visitor.request('POST', '/v1/account/sessions/email', given)
    const cookie = session.headers['set-cookie']?.split(';')[0] ?? ''
    const socket = await open({
      as: { cookie },
      channels: [buildDocumentsChannelName('users'), buildDocumentsChannelName('conversations')],
    })
    const { body } = await w.visitor.request<{ $id: string }>('GET', '/v1/me', undefined, { cookie })
    const { $id } = await ana.call(openConversationOperation, { personId: body.$id })
    await ana.call(sendMessageOperation, { conversationId: $id, content: 'bienvenida' })
    expect((await socket.event('conversations', 'update')).payload.$id).toBe($id)
  })
})

describe("other members' changes", () => {
  test('A17 a profile change contains the email only for the owner of the profile', async () => {
    const hers = await open({ as: bea, channels: [buildDocumentsChannelName('users')] })
    const theirs = await open({ as: ana, channels: [buildDocumentsChannelName('users')] })
    await bea.call(updateProfileOperation, { personId: bea.id, bio: 'Tejo y leo' })
    expect((await hers.event('users', 'update')).payload).toMatchObject({
      bio: 'Tejo y leo',
      email: bea.email,
    })
    const seen = await theirs.event('users', 'update')
    expect(seen.payload).toMatchObject({ $id: bea.id, bio: 'Tejo y leo' })
    expect(JSON.stringify(seen)).not.toContain(bea.email)
    expect(JSON.stringify(seen)).not.toContain(bea.accountId)
  })
})

describe('refusals', () => {
  test('a socket with an unknown project is refused permanently', async () => {
    const socket = await open({ as: bea, query: { project: 'other' } })
    expect(socket.frames).toEqual([
      { type: 'error', data: { code: 1008, message: 'Missing or unknown project ID' } },
    ])
    expect(await socket.closed).toBe(1008)
  })

  test.each([
    ['nonsense', 'Message format is not valid.'],
    ['{"type":"sing"}', 'Message type is not valid.'],
    ['{"type":"authentication","data":{}}', 'Payload is not valid.'],
  ])('%s is answered with an error, and the socket stays open', async (text, message) => {
    const socket = await open({ as: bea })
    socket.send(text)
    await socket.until(({ type }) => type === 'error')
    socket.send({ type: 'ping' })
    await socket.until(({ type }) => type === 'pong')
    expect(socket.frames[1]).toEqual({ type: 'error', data: { code: 1003, message } })
  })

  test('a subscription with an invalid query gets an error and is not created', async () => {
    const socket = await open({ as: bea })
    const asked = {
      subscriptionId: 'a',
      channels: [buildDocumentsChannelName('messages')],
      queries: ['{"method":"sing"}'],
    }
    socket.send({ type: 'subscribe', data: [asked] })
    const error = await socket.until(({ type }) => type === 'error')
    expect(error.data).toMatchObject({ code: 1003, message: expect.stringContaining('sing') })
    const inUrl = await open({ as: bea, query: { 'documents[0][]': '{"method":"sing"}' } })
    expect(await inUrl.closed).toBe(1008)
  })

  test('more than fifty channels close the socket', async () => {
    const channels = Array.from({ length: 51 }, (_, n) => `channel${n}`)
    expect(await (await open({ as: bea, channels })).closed).toBe(1008)
    const socket = await open({ as: bea })
    socket.send({ type: 'subscribe', data: [{ channels }] })
    expect(await socket.closed).toBe(1008)
  })
})
