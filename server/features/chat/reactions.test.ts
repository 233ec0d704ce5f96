import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  countUnreadConversationsOperation,
  listConversationsOperation,
  markConversationReadOperation,
  openConversationOperation,
} from '#contract/chat/conversations.ts'
import {
  listMessagesOperation,
  reactionEmojis,
  sendMessageOperation,
  unsendMessageOperation,
} from '#contract/chat/messages.ts'
import { reactOperation, unreactOperation } from '#contract/chat/reactions.ts'
import { followOperation } from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import { captureSqlStatements } from '#server/database/prepared-statements.ts'
import { createAppwriteDocumentsClient } from '#tests/support/appwrite-documents-client.ts'
import { removeAllConversations } from '#tests/support/database.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { describeRecordedChanges } from '#tests/support/recorded-changes.ts'
import { countResponsesByStatus, raceTimeoutMs, runRaceRounds } from '#tests/support/run-race-rounds.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let cleo: MemberClient
let conversationId: string
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  ana = await w.join('Ana')
  bea = await w.join('Bea')
  cleo = await w.join('Cleo')
  // Ana is not a stranger, so she need not wait for an answer.
  await bea.call(followOperation, { personId: ana.id })
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})
beforeEach(async () => {
  await removeAllConversations(w.database)
  conversationId = (await ana.call(openConversationOperation, { personId: bea.id })).$id
})

const say = async (who: MemberClient, content: string) =>
  (await who.call(sendMessageOperation, { conversationId, content })).$id
const react = (who: MemberClient, messageId: string, emoji: (typeof reactionEmojis)[number]) =>
  who.call(reactOperation, { messageId, emoji })
const reactionsOf = async (who: MemberClient) =>
  (await who.call(listMessagesOperation, { conversationId })).documents[0]?.reactions

test('REACT-02 each participant sets one of six reactions, replaces it and takes it back', async () => {
  const messageId = await say(ana, 'hola')
  expect((await react(bea, messageId, '❤️')).reactions).toEqual([{ emoji: '❤️', by: [bea.id] }])
  expect((await react(ana, messageId, '❤️')).reactions).toEqual([{ emoji: '❤️', by: [bea.id, ana.id] }])
  expect((await react(bea, messageId, '🙏')).reactions).toEqual([
    { emoji: '🙏', by: [bea.id] },
    { emoji: '❤️', by: [ana.id] },
  ])
  expect(await reactionsOf(ana)).toEqual(await reactionsOf(bea))
  const taken = await bea.call(unreactOperation, { messageId })
  expect(taken.reactions).toEqual([{ emoji: '❤️', by: [ana.id] }])
  expect(await bea.call(unreactOperation, { messageId })).toEqual(taken)
  for (const emoji of reactionEmojis)
    expect((await react(bea, messageId, emoji)).reactions).toContainEqual({
      emoji,
      by: emoji === '❤️' ? expect.arrayContaining([ana.id, bea.id]) : [bea.id],
    })
})

test('REACT-02 an emoji outside the six and text that is not an emoji are refused as reactions', async () => {
  const messageId = await say(ana, 'hola')
  for (const emoji of ['🔥', '❤', '', 'love', '❤️❤️', null, 7]) {
    const refused = await bea.request('PUT', `/v1/messages/${messageId}/reaction`, { emoji })
    expect([refused.status, refused.body]).toMatchObject([400, { field: 'emoji' }])
  }
  expect(await reactionsOf(bea)).toEqual([])
})

test('REACT-02 only the two participants can react, and only where they can write', async () => {
  const messageId = await say(ana, 'hola')
  for (const id of [messageId, 'nothingatallishere'])
    expect((await cleo.ask(reactOperation, { messageId: id, emoji: '❤️' })).status).toBe(404)
  await cleo.call(updatePrivacySettingsOperation, { messagesFrom: 'ask' })
  const asked = (await ana.call(openConversationOperation, { personId: cleo.id })).$id
  const request = (await ana.call(sendMessageOperation, { conversationId: asked, content: 'hola' })).$id
  for (const who of [ana, cleo])
    expect((await who.ask(reactOperation, { messageId: request, emoji: '❤️' })).status).toBe(404)
})

test('REACT-02 concurrent sets, replacements and removals leave at most one reaction per participant', {
  timeout: raceTimeoutMs,
}, async () => {
  await runRaceRounds(
    w.database,
    async (n) => {
      const path = `/v1/messages/${await say(ana, `${n}`)}/reaction`
      const setting = (who: MemberClient, at: number) => () =>
        who.request('PUT', path, { emoji: reactionEmojis[at] })
      const taking = (who: MemberClient) => () => who.request('DELETE', path)
      return [
        ...reactionEmojis.map((_, at) => setting(at % 2 ? ana : bea, at)),
        taking(ana),
        taking(bea),
        setting(bea, 0),
      ]
    },
    async (answers) => {
      expect(countResponsesByStatus(answers)).toEqual({ 200: 9 })
      const members = (await reactionsOf(ana))?.flatMap(({ by }) => by) ?? []
      expect(members).toHaveLength(new Set(members).size)
    },
  )
})

test('REACT-03 both participants receive the message when a reaction changes; repeating a reaction sends nothing', async () => {
  const messageId = await say(ana, 'hola')
  const people = [ana, bea, cleo]
  const expectedChanges = ['update messages → Ana, Bea']
  const changesOf = (work: () => Promise<unknown>) => describeRecordedChanges(w.database, people, work)
  expect(await changesOf(() => react(bea, messageId, '😂'))).toEqual(expectedChanges)
  expect(await changesOf(() => react(bea, messageId, '😂'))).toEqual([])
  expect(await changesOf(() => react(bea, messageId, '😮'))).toEqual(expectedChanges)
  expect(await changesOf(() => bea.call(unreactOperation, { messageId }))).toEqual(expectedChanges)
  expect(await changesOf(() => bea.call(unreactOperation, { messageId }))).toEqual([])
  const { statements } = await captureSqlStatements(() => react(bea, messageId, '😂'))
  expect(statements.length).toBeLessThanOrEqual(3)
})

test('REACT-04 a reaction changes neither the order of the conversation list nor the unread dot', async () => {
  const messageId = await say(ana, 'hola')
  await bea.call(markConversationReadOperation, { conversationId })
  const later = (await ana.call(openConversationOperation, { personId: cleo.id })).$id
  await ana.call(sendMessageOperation, { conversationId: later, content: 'más tarde' })
  const listOf = async (who: MemberClient) => (await who.call(listConversationsOperation, {})).documents
  const before = await Promise.all([ana, bea].map(listOf))
  await react(bea, messageId, '👏')
  await react(ana, messageId, '👏')
  expect(await Promise.all([ana, bea].map(listOf))).toEqual(before)
  for (const who of [ana, bea]) expect((await who.call(countUnreadConversationsOperation, {})).count).toBe(0)
})

test('REACT-04 UNSEND-03 an unsent message has no reactions and accepts none', async () => {
  const messageId = await say(ana, 'hola')
  await react(bea, messageId, '😢')
  await ana.call(unsendMessageOperation, { messageId })
  for (const who of [ana, bea]) {
    expect(await reactionsOf(who)).toEqual([])
    expect((await who.ask(reactOperation, { messageId, emoji: '❤️' })).status).toBe(404)
    expect((await who.ask(unreactOperation, { messageId })).status).toBe(404)
  }
  expect((await w.database.pool.query('select from message_reactions')).rowCount).toBe(0)
})

test('UNSEND-06 reacting to a message while it is unsent leaves no reaction', {
  timeout: raceTimeoutMs,
}, async () => {
  await runRaceRounds(
    w.database,
    async (n) => {
      const messageId = await say(ana, `${n}`)
      const reacting = (who: MemberClient) => () =>
        who.request('PUT', `/v1/messages/${messageId}/reaction`, { emoji: '❤️' })
      return [
        reacting(bea),
        () => ana.request('DELETE', `/v1/messages/${messageId}`),
        reacting(ana),
        reacting(bea),
      ]
    },
    async (answers) => {
      const counts = countResponsesByStatus(answers)
      expect((counts[200] ?? 0) + (counts[404] ?? 0)).toBe(4)
      expect(answers[1]?.status).toBe(200)
      expect(await reactionsOf(bea)).toEqual([])
    },
  )
})

test('REACT-02 the documents API lets a caller change only their own entry in the reactions of a message', async () => {
  const messageId = await say(ana, 'hola')
  const [anaApi, beaApi] = [ana, bea].map((who) => createAppwriteDocumentsClient(who, 'messages'))
  const patched = await beaApi?.patch(messageId, { reactions: [`❤️ ${bea.id}`] })
  expect([patched?.status, patched?.body.reactions]).toEqual([200, [`❤️ ${bea.id}`]])
  await anaApi?.patch(messageId, { reactions: [`👏 ${ana.id}`] })
  const { body } = (await beaApi?.get(messageId)) ?? {}
  expect(body?.reactions).toEqual([`❤️ ${bea.id}`, `👏 ${ana.id}`])
  await beaApi?.patch(messageId, { reactions: [`🙏 ${bea.id}`, `👏 ${ana.id}`] })
  await beaApi?.patch(messageId, { content: body?.content, readBy: body?.readBy })
  expect(await reactionsOf(ana)).toEqual([
    { emoji: '🙏', by: [bea.id] },
    { emoji: '👏', by: [ana.id] },
  ])
  expect((await beaApi?.patch(messageId, { reactions: [`🔥 ${bea.id}`] }))?.status).toBe(400)
  await beaApi?.patch(messageId, { reactions: [] })
  expect(await reactionsOf(ana)).toEqual([{ emoji: '👏', by: [ana.id] }])
})
