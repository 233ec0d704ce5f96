/** Who presses Chat and leaves has told the other woman nothing: no list, no count and no event of hers knows of it. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { buildDocumentsChannelName } from '#api-client/realtime-urls.ts'
import { blockMemberOperation, listBlocksOperation, previewBlockOperation } from '#contract/blocks.ts'
import {
  countUnreadConversationsOperation,
  getConversationOperation,
  listConversationsOperation,
  openConversationOperation,
} from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { catchUpOperation } from '#contract/realtime.ts'
import {
  buildAppwriteEqualQuery,
  createAppwriteDocumentsClient,
  documentIdsOf,
} from '#tests/support/appwrite-documents.ts'
import { waitForChangePosition } from '#tests/support/change-log-position.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'
import { collectSocketEvents, openTestSocket, type TestSocket } from '#tests/support/ws-client.ts'

let w: TestWorld
const sockets: TestSocket[] = []
beforeAll(async () => {
  w = await createTestWorld()
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close()
})
afterAll(() => w.end())

const talksOf = (person: MemberClient) => createAppwriteDocumentsClient(person, 'conversations')
const ways: [string, (from: MemberClient, to: MemberClient) => Promise<string>][] = [
  ['the product', async (from, to) => (await from.call(openConversationOperation, { personId: to.id })).$id],
  [
    'the dialect',
    async (from, to) => (await talksOf(from).made({ participants: [from.id, to.id], type: 'direct' })).$id,
  ],
]

const open = async (as: MemberClient, options: Parameters<typeof openTestSocket>[1]) => {
  const socket = await openTestSocket(w.app, { as, ...options })
  sockets.push(socket)
  return socket
}

/** Everything that lists or counts conversations, of a member. */
const shownTo = async (person: MemberClient, other: MemberClient) => {
  const listed = await talksOf(person).list()
  const between = await talksOf(person).list(buildAppwriteEqualQuery('participants', other))
  return {
    product: (await person.call(listConversationsOperation, {})).documents.map(({ $id }) => $id),
    dialect: [documentIdsOf(listed.body.documents), listed.body.total],
    between: [documentIdsOf(between.body.documents), between.body.total],
    unread: (await person.call(countUnreadConversationsOperation, {})).count,
  }
}

test('CHAT-31 neither asking what a block would do, nor a block, nor blocking back tells that somebody opened a conversation', async () => {
  const [ana, bea] = [await w.join('Ana'), await w.join('Bea')]
  await ana.call(openConversationOperation, { personId: bea.id })
  expect((await bea.call(previewBlockOperation, { personId: ana.id })).conversationId).toBeNull()
  await bea.call(blockMemberOperation, { personId: ana.id })
  const { documents } = await bea.call(listBlocksOperation, {})
  expect(documents).toMatchObject([{ conversationId: null }])
  expect(await ana.refusal(blockMemberOperation, { personId: bea.id })).toMatchObject({ code: 404 })
})

describe.each(ways)('opened at %s', (way, openTalk) => {
  let ana: MemberClient
  let bea: MemberClient
  beforeAll(async () => {
    ana = await w.join(`Ana ${way}`)
    bea = await w.join(`Bea ${way}`)
  })

  test('RT-06 CHAT-31 PERM-06 a conversation in which nothing was said is in no list, count or event of the other’s', async () => {
    const channels = [
      'documents',
      buildDocumentsChannelName('conversations'),
      `${buildDocumentsChannelName('conversations')}.create`,
    ]
    const hers = { live: await open(bea, { path: '/v1/live' }), dialect: await open(bea, { channels }) }
    const own = await open(ana, { channels })
    const since = await waitForChangePosition(w.database, bea)
    const ofAna = await waitForChangePosition(w.database, ana)
    const talk = await openTalk(ana, bea)
    // Again, and at the other door, tells no more.
    for (const [, again] of ways) expect(await again(ana, bea)).toBe(talk)
    expect((await own.event('conversations', 'create')).payload.$id).toBe(talk)

    expect(await collectSocketEvents(hers.dialect, bea)).toEqual([])
    expect(hers.live.frames.map(({ type }) => type)).toEqual(['connected'])
    expect((await bea.call(catchUpOperation, { since })).changes).toEqual([])
    expect(await shownTo(bea, ana)).toEqual({ product: [], dialect: [[], 0], between: [[], 0], unread: 0 })
    const missed = await ana.call(catchUpOperation, { since: ofAna })
    expect(missed.changes).toMatchObject([{ collection: 'conversations', kind: 'create' }])
    // Old clients create it first and read it by its id.
    expect((await talksOf(bea).get(talk)).body.$id).toBe(talk)
    expect((await bea.call(getConversationOperation, { conversationId: talk })).$id).toBe(talk)

    await ana.call(sendMessageOperation, { conversationId: talk, content: 'hola' })
    expect((await hers.dialect.event('conversations', 'update')).payload).toMatchObject({
      $id: talk,
      lastMessage: 'hola',
    })
    await hers.live.until(
      ({ type, data }) => type === 'change' && data?.collection === 'conversations' && data.kind === 'update',
    )
    const { changes } = await bea.call(catchUpOperation, { since })
    expect(changes.map(({ collection }) => collection).sort()).toEqual(['conversations', 'messages'])
    expect(await shownTo(bea, ana)).toEqual({
      product: [talk],
      dialect: [[talk], 1],
      between: [[talk], 1],
      unread: 1,
    })
  })
})
