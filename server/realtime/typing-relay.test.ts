import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { acceptMessageRequestOperation } from '#contract/chat/message-requests.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import {
  restrictMemberOperation,
  unrestrictMemberOperation,
} from '#contract/people/mutes-and-restrictions.ts'
import {
  getPrivacySettingsOperation,
  updatePrivacySettingsOperation,
} from '#contract/people/privacy-settings.ts'
import { stopClock } from '#tests/support/stop-clock.ts'
import { openTestSocket, type TestSocket } from '#tests/support/test-socket.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let witness: MemberClient
const sockets: TestSocket[] = []
beforeAll(async () => {
  w = await createTestWorld()
  witness = await w.join('Eva')
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close()
})
afterAll(() => w.end())

async function open(as: MemberClient, options: Parameters<typeof openTestSocket>[1] = {}) {
  const socket = await openTestSocket(w.app, { as, path: '/v1/live', ...options })
  sockets.push(socket)
  return socket
}

const show = (who: MemberClient, showsTyping = true) =>
  who.call(updatePrivacySettingsOperation, { showsTyping })

/** Both members show typing indicators and have written. */
async function prepareConversation(): Promise<{
  ana: MemberClient
  bea: MemberClient
  conversation: string
}> {
  const [ana, bea] = [await w.join('Ana'), await w.join('Bea')]
  await Promise.all([show(ana), show(bea)])
  const { $id: conversation } = await ana.call(openConversationOperation, { personId: bea.id })
  await ana.call(sendMessageOperation, { conversationId: conversation, content: 'hola' })
  await bea.call(sendMessageOperation, { conversationId: conversation, content: 'hola, Ana' })
  return { ana, bea, conversation }
}

const type = (socket: TestSocket, conversationId: string) =>
  socket.send({ type: 'typing', data: { conversationId } })
const typingIn = (socket: TestSocket) =>
  socket.frames.flatMap(({ type, data }) => (type === 'typing' ? [data] : []))

/** Returns what the reader received, after waiting for the indicator. */
async function awaitTyping(writer: MemberClient, reader: MemberClient, conversation: string) {
  const [from, to] = [await open(writer), await open(reader)]
  type(from, conversation)
  await to.until((frame) => frame.type === 'typing')
  return typingIn(to)
}

/** The server sends the pong after it has decided about earlier indicators. */
async function awaitPong(socket: TestSocket): Promise<void> {
  const before = socket.frames.length
  socket.send({ type: 'ping' })
  await socket.until((frame) => frame.type === 'pong' && socket.frames.indexOf(frame) >= before)
}

/** After the decision, an indicator takes one more statement, and a message several. */
async function awaitMessageToWitness(reader: MemberClient, socket: TestSocket): Promise<void> {
  const { $id: conversationId } = await reader.call(openConversationOperation, { personId: witness.id })
  const { $id } = await reader.call(sendMessageOperation, { conversationId, content: 'hola, Eva' })
  await socket.until((frame) => JSON.stringify(frame).includes($id))
}

async function describeReceived(writer: MemberClient, reader: MemberClient, conversation: string) {
  const [from, to] = [await open(writer), await open(reader)]
  type(from, conversation)
  await awaitPong(from)
  await awaitMessageToWitness(reader, to)
  return typingIn(to)
}

test('TYPE-01 typing indicators are off by default and work only if both members turn them on', async () => {
  const { ana, bea, conversation } = await prepareConversation()
  const eva = await w.join('Eva')
  expect(await eva.call(getPrivacySettingsOperation, {})).toMatchObject({
    showsTyping: false,
    showsReceipts: true,
  })
  expect(await awaitTyping(ana, bea, conversation)).toEqual([
    { conversationId: conversation, personId: ana.id },
  ])
  for (const [mine, hers] of [
    [true, false],
    [false, true],
    [false, false],
  ] as const) {
    const other = await prepareConversation()
    await Promise.all([show(other.ana, mine), show(other.bea, hers)])
    expect(await describeReceived(other.ana, other.bea, other.conversation)).toEqual([])
  }
})

test('TYPE-01 nothing about typing is stored, and only the other participant receives the indicator', async () => {
  const { ana, bea, conversation } = await prepareConversation()
  const tables = await w.database.pool.query<{ table_name: string }>(
    `select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const content = async () => {
    const hashes = []
    for (const { table_name } of tables.rows) {
      // Every request and the passage of time change these tables.
      if (['sessions', 'accounts', 'notification_cursor'].includes(table_name)) continue
      const { rows } = await w.database.pool.query(
        `select '${table_name}' as name, count(*), md5(string_agg(t::text, '' order by t::text)) from "${table_name}" t`,
      )
      hashes.push(rows[0])
    }
    return hashes
  }
  const [from, own, other] = [await open(ana), await open(ana), await open(bea)]
  const eva = await w.join('Eva')
  await show(eva)
  const [stranger, appwrite, narrow] = [
    await open(eva),
    await open(bea, { path: '/v1/realtime', channels: ['documents'] }),
    await open(bea, { query: { collections: 'messages' } }),
  ]
  const before = await content()
  type(from, conversation)
  await other.until(({ type }) => type === 'typing')
  for (const socket of [own, stranger, appwrite, narrow]) await awaitPong(socket)
  expect(await content()).toEqual(before)
  expect([own, stranger, appwrite, narrow].flatMap(typingIn)).toEqual([])
  expect(appwrite.events()).toEqual([])
})

test('TYPE-01 an indicator is sent at most once in five seconds, from any number of windows', async () => {
  stopClock()
  const { ana, bea, conversation } = await prepareConversation()
  const [one, another, other] = [await open(ana), await open(ana), await open(bea)]
  for (const socket of [one, another, one, another, one]) type(socket, conversation)
  for (const socket of [one, another]) await awaitPong(socket)
  await awaitMessageToWitness(bea, other)
  expect(typingIn(other)).toHaveLength(1)
})

test("TYPE-01 a stranger's indicator reaches no participant, and the stranger gets the usual response", async () => {
  const { ana, bea, conversation } = await prepareConversation()
  const eva = await w.join('Eva')
  await show(eva)
  const [stranger, ...both] = [await open(eva), await open(ana), await open(bea)]
  type(stranger, conversation)
  type(stranger, 'nowhere')
  await awaitPong(stranger)
  for (const [n, reader] of [ana, bea].entries()) await awaitMessageToWitness(reader, both[n] as TestSocket)
  expect(both.flatMap(typingIn)).toEqual([])
  expect(stranger.frames.filter(({ type }) => type === 'error')).toEqual([])
  stranger.send({ type: 'typing', data: { conversationId: '../x' } })
  await stranger.until(({ type }) => type === 'error')
  stranger.send({ type: 'typing' })
  await stranger.until((frame) => frame !== stranger.frames[0] && frame.type === 'error')
})

test('TYPE-01 no indicator crosses a block, a restriction, a message request, an empty conversation or a closed account', async () => {
  const blocked = await prepareConversation()
  await blocked.bea.call(blockMemberOperation, { personId: blocked.ana.id })
  expect(await describeReceived(blocked.ana, blocked.bea, blocked.conversation)).toEqual([])
  expect(await describeReceived(blocked.bea, blocked.ana, blocked.conversation)).toEqual([])

  const restricted = await prepareConversation()
  await restricted.bea.call(restrictMemberOperation, { personId: restricted.ana.id })
  expect(await describeReceived(restricted.ana, restricted.bea, restricted.conversation)).toEqual([])
  expect(await describeReceived(restricted.bea, restricted.ana, restricted.conversation)).toEqual([])
  await restricted.bea.call(unrestrictMemberOperation, { personId: restricted.ana.id })

  const [ana, bea] = [await w.join('Ana'), await w.join('Bea')]
  await Promise.all([show(ana), show(bea)])
  await bea.call(updatePrivacySettingsOperation, { messagesFrom: 'ask' })
  const { $id: asked } = await ana.call(openConversationOperation, { personId: bea.id })
  expect(await describeReceived(ana, bea, asked)).toEqual([])
  await ana.call(sendMessageOperation, { conversationId: asked, content: 'hola' })
  const carla = await w.join('Carla')
  await show(carla)
  expect(await describeReceived(bea, ana, asked)).toEqual([])

  const closed = await prepareConversation()
  const other = await open(closed.bea)
  const from = await open(closed.ana)
  expect((await closed.bea.request('PATCH', '/v1/account/status', {})).status).toBe(200)
  type(from, closed.conversation)
  await awaitPong(from)
  await other.closed
  expect(typingIn(other)).toEqual([])
})

test("TYPE-01 a stranger's indicator reaches the recipient only after she answers or accepts", async () => {
  for (const settle of ['answer', 'accept'] as const) {
    const [ana, bea] = [await w.join('Ana'), await w.join('Bea')]
    await Promise.all([show(ana), show(bea)])
    const { $id: conversationId } = await ana.call(openConversationOperation, { personId: bea.id })
    await ana.call(sendMessageOperation, { conversationId, content: 'hola' })
    expect(await describeReceived(ana, bea, conversationId)).toEqual([])
    expect(await awaitTyping(bea, ana, conversationId)).toEqual([{ conversationId, personId: bea.id }])
    if (settle === 'answer') await bea.call(sendMessageOperation, { conversationId, content: 'hola, Ana' })
    else await bea.call(acceptMessageRequestOperation, { conversationId })
    expect(await awaitTyping(ana, bea, conversationId)).toEqual([{ conversationId, personId: ana.id }])
  }
})

test('TYPE-01 a client whose session has ended receives no indicator', async () => {
  const { ana, bea, conversation } = await prepareConversation()
  const [from, ended] = [await open(ana), await open(bea)]
  await w.database.pool.query(
    `delete from sessions where account_id = (select id from accounts where public_id = $1)`,
    [bea.accountId],
  )
  type(from, conversation)
  await ended.closed
  expect(typingIn(ended)).toEqual([])
})
