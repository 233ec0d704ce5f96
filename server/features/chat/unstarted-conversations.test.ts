import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { buildDocumentsChannelName } from '#api-client/realtime-urls.ts'
import {
  countUnreadConversationsOperation,
  getConversationOperation,
  listConversationsOperation,
  openConversationOperation,
} from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { blockMemberOperation, listBlocksOperation, previewBlockOperation } from '#contract/people/blocks.ts'
import { getPersonOperation } from '#contract/people/people.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import {
  buildAppwriteEqualQuery,
  createAppwriteDocumentsClient,
  documentIdsOf,
} from '#tests/support/appwrite-documents-client.ts'
import { waitForChangePosition } from '#tests/support/change-log-position.ts'
import { collectSocketEvents, openTestSocket, type TestSocket } from '#tests/support/test-socket.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
const sockets: TestSocket[] = []
beforeAll(async () => {
  w = await createTestWorld()
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close()
})
afterAll(() => w.end())

const conversationsOf = (person: MemberClient) => createAppwriteDocumentsClient(person, 'conversations')
const ways: [string, (from: MemberClient, to: MemberClient) => Promise<string>][] = [
  ['the product', async (from, to) => (await from.call(openConversationOperation, { personId: to.id })).$id],
  [
    'the Appwrite API',
    async (from, to) =>
      (await conversationsOf(from).made({ participants: [from.id, to.id], type: 'direct' })).$id,
  ],
]

const open = async (as: MemberClient, options: Parameters<typeof openTestSocket>[1]) => {
  const socket = await openTestSocket(w.app, { as, ...options })
  sockets.push(socket)
  return socket
}

/** Returns every list and count in which a member's conversations appear. */
const shownTo = async (person: MemberClient, other: MemberClient) => {
  const listed = await conversationsOf(person).list()
  const between = await conversationsOf(person).list(buildAppwriteEqualQuery('participants', other))
  return {
    product: (await person.call(listConversationsOperation, {})).documents.map(({ $id }) => $id),
    appwrite: [documentIdsOf(listed.body.documents), listed.body.total],
    between: [documentIdsOf(between.body.documents), between.body.total],
    unread: (await person.call(countUnreadConversationsOperation, {})).count,
  }
}

test('CHAT-31 neither previewing a block, blocking nor blocking back reveals that the other member opened a conversation', async () => {
  const [ana, bea] = [await w.join('Ana'), await w.join('Bea')]
  await ana.call(openConversationOperation, { personId: bea.id })
  expect((await bea.call(previewBlockOperation, { personId: ana.id })).conversationId).toBeNull()
  await bea.call(blockMemberOperation, { personId: ana.id })
  const { documents } = await bea.call(listBlocksOperation, {})
  expect(documents).toMatchObject([{ conversationId: null }])
  expect(await ana.refusal(blockMemberOperation, { personId: bea.id })).toMatchObject({ code: 404 })
})

test.each(ways)(
  'CHAT-31 a conversation opened at %s does not reveal its opening time to the member who opens it later',
  async (_, openConversation) => {
    const [ana, bea] = [await w.join('Ana'), await w.join('Bea')]
    await openConversation(ana, bea)
    const opened = new Date()
    await openConversation(bea, ana)
    const shown = await bea.call(openConversationOperation, { personId: ana.id })
    const { body } = await conversationsOf(bea).get(shown.$id)
    const { $createdAt: became } = await ana.call(getPersonOperation, { personId: bea.id })
    for (const { $createdAt, $updatedAt } of [shown, body])
      expect([$createdAt, $updatedAt]).toEqual([became, became])
    const { $createdAt } = await bea.call(sendMessageOperation, {
      conversationId: shown.$id,
      content: 'hola',
    })
    const begun = await ana.call(getConversationOperation, { conversationId: shown.$id })
    expect([begun.$createdAt, begun.$updatedAt]).toEqual([$createdAt, $createdAt])
    expect(Date.parse(begun.$createdAt)).toBeGreaterThanOrEqual(opened.getTime())
  },
)

const from = { 'x-forwarded-for': '203.0.113.1' }
const documentsPath = '/v1/databases/main/collections/conversations/documents'
const asks: [string, (who: MemberClient, other: MemberClient) => ReturnType<MemberClient['request']>][] = [
  ['the product', (who, { id }) => who.request('POST', '/v1/conversations', { personId: id }, from)],
  [
    'the Appwrite API',
    (who, { id }) => {
      const data = { participants: [who.id, id], type: 'direct' }
      return who.request('POST', documentsPath, { documentId: `chosen-${id}`, data }, from)
    },
  ],
]

test.each(asks)(
  'CHAT-31 opening a conversation at %s does not reveal by cost, id or socket traffic whether the other opened it before',
  async (_, ask) => {
    const [ana, cleo] = [await w.join('Ana'), await w.join('Cleo')]
    const seen: ({ isOpen: boolean } & Record<string, unknown>)[] = []
    for (const isOpen of [true, false]) {
      const bea = await w.join('Bea')
      if (isOpen) await ana.call(openConversationOperation, { personId: bea.id })
      const since = await waitForChangePosition(w.database, bea)
      const own = await open(bea, { channels: ['documents'] })
      for (let times = 0; times < 2; times += 1) {
        const { status, body, headers } = await ask(bea, isOpen ? ana : cleo)
        const { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': left } = headers
        seen.push({ isOpen, status, limit, left, chosen: (body as { $id: string }).$id.startsWith('chosen') })
      }
      const kinds = (await collectSocketEvents(own, bea)).map(({ events }) => events[0]?.split('.').at(-1))
      const { changes } = await bea.call(catchUpOperation, { since })
      seen.push({ isOpen, kinds, changes: changes.map(({ collection, kind }) => [collection, kind]) })
    }
    const whether = (open: boolean) =>
      seen.filter(({ isOpen }) => isOpen === open).map(({ isOpen: _, ...rest }) => rest)
    expect(whether(true)).toEqual(whether(false))
    expect(whether(true)).toMatchObject([{ limit: '5' }, { limit: '60' }, { kinds: ['create'] }])
  },
)

describe.each(ways)('a conversation opened at %s', (way, openConversation) => {
  let ana: MemberClient
  let bea: MemberClient
  beforeAll(async () => {
    ana = await w.join(`Ana ${way}`)
    bea = await w.join(`Bea ${way}`)
  })

  test('RT-06 CHAT-31 PERM-06 a conversation without messages appears in no list, count or event of the other participant', async () => {
    const channels = [
      'documents',
      buildDocumentsChannelName('conversations'),
      `${buildDocumentsChannelName('conversations')}.create`,
    ]
    const hers = { live: await open(bea, { path: '/v1/live' }), appwrite: await open(bea, { channels }) }
    const own = await open(ana, { channels })
    const since = await waitForChangePosition(w.database, bea)
    const ofAna = await waitForChangePosition(w.database, ana)
    const conversation = await openConversation(ana, bea)
    for (const [, again] of ways) expect(await again(ana, bea)).toBe(conversation)
    expect((await own.event('conversations', 'create')).payload.$id).toBe(conversation)

    expect(await collectSocketEvents(hers.appwrite, bea)).toEqual([])
    expect(hers.live.frames.map(({ type }) => type)).toEqual(['connected'])
    expect((await bea.call(catchUpOperation, { since })).changes).toEqual([])
    expect(await shownTo(bea, ana)).toEqual({ product: [], appwrite: [[], 0], between: [[], 0], unread: 0 })
    const missed = await ana.call(catchUpOperation, { since: ofAna })
    expect(missed.changes).toMatchObject([{ collection: 'conversations', kind: 'create' }])
    // Old clients create the conversation first and then read it by its id.
    expect((await conversationsOf(bea).get(conversation)).body.$id).toBe(conversation)
    expect((await bea.call(getConversationOperation, { conversationId: conversation })).$id).toBe(
      conversation,
    )

    await ana.call(sendMessageOperation, { conversationId: conversation, content: 'hola' })
    expect((await hers.appwrite.event('conversations', 'update')).payload).toMatchObject({
      $id: conversation,
      lastMessage: 'hola',
    })
    await hers.live.until(
      ({ type, data }) => type === 'change' && data?.collection === 'conversations' && data.kind === 'update',
    )
    const { changes } = await bea.call(catchUpOperation, { since })
    expect(changes.map(({ collection }) => collection).sort()).toEqual(['conversations', 'messages'])
    expect(await shownTo(bea, ana)).toEqual({
      product: [conversation],
      appwrite: [[conversation], 1],
      between: [[conversation], 1],
      unread: 1,
    })
  })
})
