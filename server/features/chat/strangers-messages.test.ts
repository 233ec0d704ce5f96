import { afterAll, beforeAll, expect, test } from 'vitest'
import { getConversationOperation, openConversationOperation } from '#contract/chat/conversations.ts'
import {
  acceptMessageRequestOperation,
  declineMessageRequestOperation,
} from '#contract/chat/message-requests.ts'
import {
  listMessagesOperation,
  sendMessageOperation,
  unsendMessageOperation,
} from '#contract/chat/messages.ts'
import { reactOperation, unreactOperation } from '#contract/chat/reactions.ts'
import { followOperation, unfollowOperation } from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import { generateId } from '#server/ids.ts'
import { createAppwriteDocumentsClient } from '#tests/support/appwrite-documents-client.ts'
import { removeAllConversations } from '#tests/support/database.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { insertUploadedImageRow } from '#tests/support/group-factory.ts'
import { describeRecordedChanges } from '#tests/support/recorded-changes.ts'
import {
  countResponsesByStatus,
  createArrayByIndex,
  raceTimeoutMs,
  runRaceRounds,
} from '#tests/support/run-race-rounds.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

const open = async (who: MemberClient, whom: MemberClient) =>
  (await who.call(openConversationOperation, { personId: whom.id })).$id
const send = (who: MemberClient, conversationId: string, content = 'hola') =>
  who.call(sendMessageOperation, { conversationId, content })
const photoMessage = async (who: MemberClient, conversationId: string) => ({
  conversationId,
  content: 'mira',
  photos: [{ imageId: await insertUploadedImageRow(w.database, who) }],
})
const conversation = (who: MemberClient, conversationId: string) =>
  who.call(getConversationOperation, { conversationId })
const storedFor = async (who: MemberClient, conversationId: string) =>
  (await who.call(listMessagesOperation, { conversationId })).documents.length
const waiting = { code: 403, type: 'conversation_waiting' }
const photosWaiting = { code: 403, type: 'message_photos_waiting' }

/** Makes iria, a stranger to ana, open a conversation. */
async function meet() {
  const [ana, iria] = [await w.join('Ana'), await w.join('Iria')]
  return { ana, iria, conversationId: await open(iria, ana) }
}

test("MSGR-15 a stranger's photos are refused before and after her first message, and the uploads stay hers", async () => {
  const { ana, iria, conversationId } = await meet()
  const photos = await photoMessage(iria, conversationId)
  expect((await conversation(iria, conversationId)).can.addPhotos).toBe(false)
  expect(await iria.refusal(sendMessageOperation, photos)).toMatchObject(photosWaiting)
  await send(iria, conversationId)
  expect(await iria.refusal(sendMessageOperation, photos)).toMatchObject(photosWaiting)
  expect(await storedFor(ana, conversationId)).toBe(1)
  expect((await conversation(iria, conversationId)).can.addPhotos).toBe(false)
  await send(ana, conversationId)
  expect((await conversation(iria, conversationId)).can.addPhotos).toBe(true)
  expect((await iria.call(sendMessageOperation, photos)).photos).toHaveLength(1)
})

test('MSGR-15 a stranger who follows the recipient still counts as a stranger', async () => {
  const { ana, iria, conversationId } = await meet()
  await iria.call(followOperation, { personId: ana.id })
  expect(await iria.refusal(sendMessageOperation, await photoMessage(iria, conversationId))).toMatchObject(
    photosWaiting,
  )
})

test('MSGR-15 a member whom the recipient follows can send photos at once and more than five messages', async () => {
  const { ana, iria, conversationId } = await meet()
  await ana.call(followOperation, { personId: iria.id })
  expect((await conversation(iria, conversationId)).can.addPhotos).toBe(true)
  await iria.call(sendMessageOperation, await photoMessage(iria, conversationId))
  await ana.call(unfollowOperation, { personId: iria.id })
  for (const text of ['2', '3', '4', '5', '6']) await send(iria, conversationId, text)
  expect(await conversation(iria, conversationId)).toMatchObject({ left: null, can: { addPhotos: true } })
})

test('MSGR-15 ana can answer a request with photos', async () => {
  const { ana, iria, conversationId } = await meet()
  await send(iria, conversationId)
  expect((await conversation(ana, conversationId)).can).toMatchObject({ addPhotos: true, accept: true })
  expect((await ana.call(sendMessageOperation, await photoMessage(ana, conversationId))).photos).toHaveLength(
    1,
  )
  expect((await conversation(ana, conversationId)).can.accept).toBe(false)
})

test("MSGR-16 a stranger's sixth unanswered message is refused at both APIs, even after she unsends one", async () => {
  const { ana, iria, conversationId } = await meet()
  const api = createAppwriteDocumentsClient(iria, 'messages')
  const message = { conversationId, senderId: iria.id, content: 'hola' }
  const first = await send(iria, conversationId)
  await iria.call(unsendMessageOperation, { messageId: first.$id })
  for (const left of [3, 2, 1]) {
    expect((await api.create(message)).status).toBe(201)
    expect((await conversation(iria, conversationId)).left).toBe(left)
  }
  const fifth = { conversationId, messageId: generateId(), content: 'cinco' }
  const stored = await iria.call(sendMessageOperation, fifth)
  expect(await conversation(iria, conversationId)).toMatchObject({ standing: 'open', left: 0 })
  expect(await iria.call(sendMessageOperation, fifth)).toEqual(stored)
  expect(await iria.refusal(sendMessageOperation, { conversationId, content: 'seis' })).toMatchObject(waiting)
  expect(await api.create(message)).toMatchObject({
    status: 401,
    body: { type: 'user_unauthorized', message: 'Podrás escribir más cuando te conteste' },
  })
  expect(await storedFor(ana, conversationId)).toBe(5)
})

test.each([
  [
    'accepts',
    (ana: MemberClient, conversationId: string) =>
      ana.call(acceptMessageRequestOperation, { conversationId }),
  ],
  ['answers', (ana: MemberClient, conversationId: string) => send(ana, conversationId)],
  [
    'answers at the documents API',
    (ana: MemberClient, conversationId: string) =>
      createAppwriteDocumentsClient(ana, 'messages').create({
        conversationId,
        senderId: ana.id,
        content: 'hola',
      }),
  ],
])('MSGR-16 after ana %s, iria is notified and can continue with photos', async (_, answer) => {
  const { ana, iria, conversationId } = await meet()
  for (const text of ['1', '2', '3', '4', '5']) await send(iria, conversationId, text)
  const changes = await describeRecordedChanges(w.database, [ana, iria], () => answer(ana, conversationId))
  expect(changes).toContain('update conversations → Ana, Iria')
  expect(await conversation(iria, conversationId)).toMatchObject({ left: null, can: { addPhotos: true } })
  await send(iria, conversationId, '6')
  expect(
    (await iria.call(sendMessageOperation, await photoMessage(iria, conversationId))).photos,
  ).toHaveLength(1)
})

test('MSGR-16 neither the stranger herself nor an outsider can accept her messages', async () => {
  const { ana, iria, conversationId } = await meet()
  for (const text of ['1', '2', '3', '4', '5']) await send(iria, conversationId, text)
  await iria.call(acceptMessageRequestOperation, { conversationId })
  const olga = await w.join('Olga')
  expect(await olga.refusal(acceptMessageRequestOperation, { conversationId })).toMatchObject({
    code: 404,
  })
  expect(await ana.refusal(declineMessageRequestOperation, { conversationId })).toMatchObject({
    code: 404,
  })
  for (const message of [{ conversationId, content: '6' }, await photoMessage(iria, conversationId)])
    expect(await iria.refusal(sendMessageOperation, message)).toMatchObject(waiting)
})

test.each([
  [
    'accepts',
    (ana: MemberClient, conversationId: string) =>
      ana.call(acceptMessageRequestOperation, { conversationId }),
  ],
  ['answers', (ana: MemberClient, conversationId: string) => send(ana, conversationId)],
])('REACT-02 a stranger cannot react to her messages at either API until ana %s', async (_, answer) => {
  const { ana, iria, conversationId } = await meet()
  const { $id: messageId } = await send(iria, conversationId)
  const api = createAppwriteDocumentsClient(iria, 'messages')
  const document = { reactions: [`👏 ${iria.id}`] }
  const unchanged = await describeRecordedChanges(w.database, [ana, iria], async () => {
    expect(await iria.refusal(reactOperation, { messageId, emoji: '❤️' })).toMatchObject({
      code: 404,
      type: 'document_not_found',
    })
    expect(await api.patch(messageId, document)).toMatchObject({
      status: 404,
      body: { type: 'document_not_found' },
    })
  })
  expect(unchanged).toEqual([])
  expect((await ana.call(reactOperation, { messageId, emoji: '🙏' })).reactions).toEqual([
    { emoji: '🙏', by: [ana.id] },
  ])
  expect(await iria.refusal(reactOperation, { messageId, emoji: '🙏' })).toMatchObject({ code: 404 })
  await answer(ana, conversationId)
  expect((await api.patch(messageId, document)).status).toBe(200)
  expect((await iria.call(reactOperation, { messageId, emoji: '🙏' })).reactions).toEqual([
    { emoji: '🙏', by: [ana.id, iria.id] },
  ])
})

test('REACT-02 a stranger can withdraw a reaction from before this rule', async () => {
  const { iria, conversationId } = await meet()
  const { $id: messageId } = await send(iria, conversationId)
  await w.database.pool.query(
    `insert into message_reactions (message_id, user_id, emoji)
     select m.id, m.sender_id, '❤️' from messages m where m.public_id = $1`,
    [messageId],
  )
  expect((await iria.call(unreactOperation, { messageId })).reactions).toEqual([])
})

test("MSGR-16 a later change of ana's setting changes neither the photo rule nor the message limit", async () => {
  const { ana, iria, conversationId } = await meet()
  await send(iria, conversationId)
  for (const messagesFrom of ['ask', 'followed', 'nobody'] as const) {
    await ana.call(updatePrivacySettingsOperation, { messagesFrom })
    expect(await iria.refusal(sendMessageOperation, await photoMessage(iria, conversationId))).toMatchObject(
      photosWaiting,
    )
    await send(iria, conversationId)
  }
  expect((await conversation(iria, conversationId)).left).toBe(1)
})

test('MSGR-16 only five of ten concurrent messages by an unanswered stranger are stored', {
  timeout: raceTimeoutMs,
}, async () => {
  const [ana, iria] = [await w.join('Ana'), await w.join('Iria')]
  let conversationId = ''
  await runRaceRounds(
    w.database,
    async () => {
      await removeAllConversations(w.database)
      conversationId = await open(iria, ana)
      return createArrayByIndex(
        10,
        () => () => iria.request('POST', `/v1/conversations/${conversationId}/messages`, { content: 'hola' }),
      )
    },
    async (answers) => {
      expect(countResponsesByStatus(answers)).toEqual({ 201: 5, 403: 5 })
      expect(await storedFor(ana, conversationId)).toBe(5)
    },
  )
})

test('MSGR-16 photos that iria sends while ana accepts are refused, or stored after the acceptance', {
  timeout: raceTimeoutMs,
}, async () => {
  const [ana, iria] = [await w.join('Ana'), await w.join('Iria')]
  let conversationId = ''
  await runRaceRounds(
    w.database,
    async () => {
      await removeAllConversations(w.database)
      conversationId = await open(iria, ana)
      await send(iria, conversationId)
      const photos = await photoMessage(iria, conversationId)
      return [
        () => ana.request('POST', `/v1/conversations/${conversationId}/accept`, {}),
        () => iria.request('POST', `/v1/conversations/${conversationId}/messages`, photos),
      ]
    },
    async ([accepted, sent]) => {
      expect(accepted?.status).toBe(200)
      expect([201, 403]).toContain(sent?.status)
      expect((await conversation(iria, conversationId)).can.addPhotos).toBe(true)
    },
  )
})
