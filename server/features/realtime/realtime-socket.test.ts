import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { markConversationReadOperation, openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { collectionNames } from '#contract/collection-names.ts'
import { leaveGroupOperation } from '#contract/groups/group-members.ts'
import { createPostOperation, deletePostOperation, likePostOperation } from '#contract/posts/posts.ts'
import { socketCloseCodes } from '#contract/realtime/socket-close-codes.ts'
import {
  createGroupWithMembers,
  createPostInGroup,
  insertUploadedImageRow,
} from '#tests/support/group-factory.ts'
import { openTestSocket, type TestSocket, type WebSocketFrame } from '#tests/support/test-socket.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let eva: MemberClient
let conversationId: string
const sockets: TestSocket[] = []

beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
  bea = await w.join('Bea')
  eva = await w.join('Eva')
  conversationId = (await ana.call(openConversationOperation, { personId: bea.id })).$id
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close()
})
afterAll(() => w.end())

async function open(
  as?: MemberClient,
  options: Parameters<typeof openTestSocket>[1] = {},
): Promise<TestSocket> {
  const socket = await openTestSocket(w.app, { as, path: '/v1/live', ...options })
  sockets.push(socket)
  return socket
}

const changed = (collection: string, kind: string) => (frame: WebSocketFrame) =>
  frame.type === 'change' && frame.data?.collection === collection && frame.data.kind === kind

/** Returns changes after earlier commits have arrived. */
async function changesOf(socket: TestSocket) {
  const { $id } = await eva.call(createPostOperation, {
    caption: 'La última',
    location: 'Casa',
    tags: [],
    imageId: await insertUploadedImageRow(w.database, eva),
  })
  const isLast = ({ data }: WebSocketFrame) => (data?.document as { $id?: string } | undefined)?.$id === $id
  await socket.until(isLast)
  return socket.frames.filter((frame) => frame.type === 'change' && !isLast(frame)).map(({ data }) => data)
}

describe('messages', () => {
  test('RT-01 RT-02 the greeting contains the account, the subscriptions and the position', async () => {
    const socket = await open(bea)
    expect(socket.frames[0]).toEqual({
      type: 'connected',
      data: {
        accountId: bea.accountId,
        // Comments are sent only on request, because the post's change covers them.
        collections: collectionNames.filter((name) => name !== 'comments'),
        position: expect.stringMatching(/^[\w-]{59}$/),
      },
    })
  })

  test('RT-03 RT-04 RT-05 a message is sent whole with its conversation, and again when it is read', async () => {
    const socket = await open(bea)
    const sent = await ana.call(sendMessageOperation, { conversationId, content: 'hola' })
    const { data } = await socket.until(changed('messages', 'create'))
    expect(data).toEqual({
      collection: 'messages',
      kind: 'create',
      document: sent,
      position: expect.stringMatching(/^[\w-]{59}$/),
    })
    const conversation = await socket.until(changed('conversations', 'update'))
    expect(conversation.data?.document).toEqual({ $id: conversationId })
    await bea.call(markConversationReadOperation, { conversationId, messageId: sent.$id })
    const read = await socket.until(changed('messages', 'update'))
    expect(read.data?.document).toMatchObject({ $id: sent.$id, readBy: [ana.id, bea.id] })
  })

  test('every change except a message contains only the ids of the row and its related rows', async () => {
    const group = await createGroupWithMembers(ana, bea)
    const socket = await open(bea)
    const post = await createPostInGroup(w.database, ana, group)
    const created = await socket.until(changed('posts', 'create'))
    expect(created.data?.document).toEqual({ $id: post, creatorId: ana.id, groupId: group })
    await ana.call(likePostOperation, { postId: post })
    expect((await socket.until(changed('posts', 'update'))).data?.document).toEqual(created.data?.document)
    await ana.call(deletePostOperation, { postId: post })
    expect((await socket.until(changed('posts', 'delete'))).data?.document).toEqual(created.data?.document)
  })

  test("PERM-06 R01 eva's socket receives nothing about ana and bea", async () => {
    const socket = await open(eva)
    const group = await createGroupWithMembers(ana, bea)
    await ana.call(sendMessageOperation, { conversationId, content: 'entre nosotras' })
    await createPostInGroup(w.database, ana, group)
    const about = (await changesOf(socket)).filter((data) => data?.collection !== 'groups')
    expect(about).toEqual([])
  })

  test('R02 a member who leaves a group receives her removal, and nothing about the group afterwards', async () => {
    const group = await createGroupWithMembers(ana, bea)
    const socket = await open(bea)
    await bea.call(leaveGroupOperation, { groupId: group })
    const isHers = ({ data }: WebSocketFrame) =>
      (data?.document as { userId?: string } | undefined)?.userId === bea.id && data?.kind === 'delete'
    const out = await socket.until(isHers)
    expect(out.data).toMatchObject({ collection: 'groupMembers', document: { groupId: group } })
    const later = await createPostInGroup(w.database, ana, group)
    expect(JSON.stringify(await changesOf(socket))).not.toContain(later)
  })

  test('a client names the collections it wants, and an unknown name closes the socket', async () => {
    const socket = await open(bea, { query: { collections: 'posts' } })
    expect(socket.frames[0]?.data?.collections).toEqual(['posts'])
    await ana.call(sendMessageOperation, { conversationId, content: 'no para aquí' })
    const received = (await changesOf(socket)).map((data) => data?.collection)
    expect(new Set(received)).not.toContain('messages')
    const wrong = await open(bea, { query: { collections: 'posts,files' } })
    expect(await wrong.closed).toBe(socketCloseCodes.goAway)
  })

  test('a ping is answered with the position; anything else is refused, and the socket stays', async () => {
    const socket = await open(bea)
    for (const text of ['nonsense', '{"type":"subscribe"}', `{"type":"${'x'.repeat(200)}"}`])
      socket.send(text)
    socket.send({ type: 'ping' })
    await socket.until(({ type }) => type === 'pong')
    const answers = socket.frames.filter(({ type }) => type !== 'change')
    expect(answers.map(({ type }) => type)).toEqual(['connected', 'error', 'error', 'error', 'pong'])
    expect(answers[1]).toEqual({
      type: 'error',
      data: { code: 1003, message: 'The message is not known.' },
    })
  })
})

describe('opening and closing', () => {
  test("a visitor's socket is closed because there is no session", async () => {
    expect(await (await open()).closed).toBe(socketCloseCodes.sessionOver)
  })

  test('R03 signing out closes the socket', async () => {
    const gala = await w.join('Gala')
    const socket = await open(gala)
    await gala.request('DELETE', '/v1/sessions/current')
    expect(await socket.closed).toBe(socketCloseCodes.sessionOver)
  })

  test('RT-11 closing the account closes its socket, and the last frame says so', async () => {
    const fio = await w.join('Fio')
    const socket = await open(fio)
    await fio.request('PATCH', '/v1/account/status', {})
    expect(await socket.closed).toBe(socketCloseCodes.goAway)
    expect(socket.frames.at(-1)).toMatchObject({ type: 'error', data: { code: socketCloseCodes.goAway } })
  })

  test('R07 a page of another origin cannot open a socket', async () => {
    const failed = await open(bea, { headers: { origin: 'https://evil.example' } }).catch(String)
    expect(failed).toContain('403')
  })

  test('both protocols share the limit of ten sockets per account', async () => {
    const dora = await w.join('Dora')
    for (let number = 0; number < 10; number += 1)
      await open(dora, { path: number % 2 ? '/v1/live' : '/v1/realtime' })
    expect(await (await open(dora)).closed).toBe(socketCloseCodes.tryLater)
  })
})
