import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  countUnreadConversationsOperation,
  getConversationOperation,
  listConversationsOperation,
  markConversationReadOperation,
  openConversationOperation,
} from '#contract/chat/conversations.ts'
import {
  countMessageRequestsOperation,
  listMessageRequestsOperation,
} from '#contract/chat/message-requests.ts'
import { listMessagesOperation, sendMessageOperation } from '#contract/chat/messages.ts'
import { apiOperations } from '#contract/index.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import {
  getRestrictionOperation,
  listRestrictedMembersOperation,
  restrictMemberOperation,
  unrestrictMemberOperation,
} from '#contract/people/mutes-and-restrictions.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import { waitForChangePosition } from '#tests/support/change-log-position.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

const restrict = (who: MemberClient, whom: MemberClient) =>
  who.call(restrictMemberOperation, { personId: whom.id })
const unrestrict = (who: MemberClient, whom: MemberClient) =>
  who.call(unrestrictMemberOperation, { personId: whom.id })
const send = (who: MemberClient, conversationId: string, content: string) =>
  who.call(sendMessageOperation, { conversationId, content })

async function prepareScene() {
  const [ana, iria] = [await w.join('Ana'), await w.join('Iria')]
  const { $id: conversationId } = await ana.call(openConversationOperation, { personId: iria.id })
  await send(ana, conversationId, 'hola')
  await send(iria, conversationId, '¿qué tal?')
  await ana.call(markConversationReadOperation, { conversationId })
  return { ana, iria, conversationId }
}

const foundBy = async (who: MemberClient) => ({
  list: (await who.call(listConversationsOperation, {})).documents.map(({ $id }) => $id),
  requests: (await who.call(listMessageRequestsOperation, {})).documents.map(
    ({ conversation }) => conversation.$id,
  ),
  unread: (await who.call(countUnreadConversationsOperation, {})).count,
  ...(await who.call(countMessageRequestsOperation, {})),
})

test("MUTE-06 a restricted member's conversation moves to the requests without dot or count, even if both wrote before", async () => {
  const { ana, iria, conversationId } = await prepareScene()
  await send(iria, conversationId, '¿estás?')
  const before = { list: [conversationId], requests: [], unread: 1, count: 0, hasRestricted: false }
  expect(await foundBy(ana)).toEqual(before)
  await restrict(ana, iria)
  const quiet = { list: [], requests: [conversationId], unread: 0, count: 0, hasRestricted: true }
  expect(await foundBy(ana)).toEqual(quiet)
  await send(iria, conversationId, '¿me lees?')
  expect(await foundBy(ana)).toEqual(quiet)
  expect(await ana.call(getConversationOperation, { conversationId })).toMatchObject({
    restricted: true,
    standing: 'open',
    unread: false,
    other: { imageId: null },
  })
  const [request] = (await ana.call(listMessageRequestsOperation, {})).documents
  expect(request?.messages.map(({ content }) => content)).toEqual(['¿qué tal?', '¿estás?', '¿me lees?'])
  expect((await foundBy(iria)).list).toEqual([conversationId])
})

test('MUTE-07 a restricted member can still write, but never sees a read receipt', async () => {
  const { ana, iria, conversationId } = await prepareScene()
  await restrict(ana, iria)
  for (let turn = 0; turn < 5; turn += 1) {
    expect((await iria.ask(sendMessageOperation, { conversationId, content: `vez ${turn}` })).status).toBe(
      201,
    )
    await ana.call(listMessagesOperation, { conversationId })
    await ana.call(markConversationReadOperation, { conversationId })
  }
  const { documents } = await iria.call(listMessagesOperation, { conversationId })
  expect(documents.slice(0, 5).map(({ readBy }) => readBy)).toEqual(
    Array.from({ length: 5 }, () => [iria.id]),
  )
  expect(await iria.call(getConversationOperation, { conversationId })).toMatchObject({
    standing: 'open',
    left: null,
    restricted: false,
  })
})

test('MUTE-07 restricting iria changes no response to her, and nobody is notified', async () => {
  const { ana, iria, conversationId } = await prepareScene()
  const inputs: Record<string, string> = { personId: ana.id, conversationId, term: 'Ana' }
  const everything = async () => {
    const answers: unknown[] = []
    for (const operation of apiOperations.filter(
      ({ method, name }) => method === 'GET' && name !== 'catchUp',
    )) {
      const names = [...operation.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
      if (names.some((name) => !(name in inputs))) continue
      const input = Object.fromEntries([...names, 'term'].map((name) => [name, inputs[name]]))
      const { status, raw } = await iria.ask(operation, input)
      // This date counts from the time of the request.
      const said = raw.toString('latin1').replace(/"eraseAfter":"[^"]*"/, '"eraseAfter":"<in two weeks>"')
      answers.push([operation.name, status, said])
    }
    return answers
  }
  const before = await everything()
  expect(before.length).toBeGreaterThan(20)
  const since = await waitForChangePosition(w.database, iria)
  await restrict(ana, iria)
  expect(await everything()).toEqual(before)
  await unrestrict(ana, iria)
  for (const who of [iria, ana]) expect((await who.call(catchUpOperation, { since })).changes).toEqual([])
})

test('MUTE-08 answering does not end a restriction; ending it returns the conversation to the list, unread', async () => {
  const { ana, iria, conversationId } = await prepareScene()
  await restrict(ana, iria)
  await send(ana, conversationId, 'te leo')
  await send(iria, conversationId, 'gracias')
  expect(await foundBy(ana)).toMatchObject({ list: [], requests: [conversationId], unread: 0 })
  await unrestrict(ana, iria)
  expect(await foundBy(ana)).toMatchObject({
    list: [conversationId],
    requests: [],
    unread: 1,
    hasRestricted: false,
  })
})

test('MUTE-09 only its owner sees the list of restricted members, newest first in pages, without hidden members', async () => {
  const ana = await w.join('Ana')
  const restricted = [await w.join('Iria'), await w.join('Olga'), await w.join('Eva')]
  for (const person of restricted) await restrict(ana, person)
  await restrict(ana, restricted[0] as MemberClient)
  const list = async (who: MemberClient, input: Record<string, unknown> = {}) => {
    const { documents, next } = await who.call(listRestrictedMembersOperation, input)
    return { names: documents.map(({ person }) => person.name), next }
  }
  expect(await list(ana)).toEqual({ names: ['Eva', 'Olga', 'Iria'], next: null })
  const first = await list(ana, { limit: 2 })
  expect(first.names).toEqual(['Eva', 'Olga'])
  expect(await list(ana, { limit: 2, cursor: first.next })).toEqual({ names: ['Iria'], next: null })
  for (const person of restricted) {
    expect(await list(person)).toEqual({ names: [], next: null })
    expect(await person.refusal(listRestrictedMembersOperation, { cursor: first.next })).toMatchObject({
      type: 'general_cursor_not_found',
      field: 'cursor',
    })
  }
  await (restricted[1] as MemberClient).call(blockMemberOperation, { personId: ana.id })
  expect(await list(ana)).toEqual({ names: ['Eva', 'Iria'], next: null })
})

test('MUTE-05 repeated or concurrent restricting and unrestricting answer alike, and nobody can restrict herself or a hidden member', async () => {
  const [ana, iria] = [await w.join('Ana'), await w.join('Iria')]
  const personId = iria.id
  expect(await ana.call(getRestrictionOperation, { personId })).toEqual({ restricted: false })
  expect(await Promise.all(Array.from({ length: 8 }, () => restrict(ana, iria)))).toEqual(
    Array.from({ length: 8 }, () => ({ restricted: true })),
  )
  expect((await ana.call(listRestrictedMembersOperation, {})).documents).toHaveLength(1)
  expect(await ana.call(getRestrictionOperation, { personId })).toEqual({ restricted: true })
  expect(await iria.call(getRestrictionOperation, { personId: ana.id })).toEqual({ restricted: false })
  for (let turn = 0; turn < 2; turn += 1) expect(await unrestrict(ana, iria)).toEqual({ restricted: false })
  expect(await ana.refusal(restrictMemberOperation, { personId: ana.id })).toMatchObject({
    code: 400,
    type: 'restrict_self_not_allowed',
  })
  await iria.call(blockMemberOperation, { personId: ana.id })
  for (const operation of [getRestrictionOperation, restrictMemberOperation])
    for (const out of [personId, 'nadie'])
      expect(await ana.refusal(operation, { personId: out })).toMatchObject({ type: 'user_not_found' })
  expect(await unrestrict(ana, iria)).toEqual({ restricted: false })
})
