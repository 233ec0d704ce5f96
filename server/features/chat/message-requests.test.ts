import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  countUnreadConversationsOperation,
  getConversationOperation,
  listConversationsOperation,
  markConversationReadOperation,
  openConversationOperation,
} from '#contract/chat/conversations.ts'
import {
  acceptMessageRequestOperation,
  countMessageRequestsOperation,
  declineMessageRequestOperation,
  listMessageRequestsOperation,
} from '#contract/chat/message-requests.ts'
import { listMessagesOperation, sendMessageOperation } from '#contract/chat/messages.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import { restrictMemberOperation } from '#contract/people/mutes-and-restrictions.ts'
import {
  followOperation,
  getPersonOperation,
  listPeopleOperation,
  searchPeopleOperation,
} from '#contract/people/people.ts'
import {
  getPrivacySettingsOperation,
  updatePrivacySettingsOperation,
} from '#contract/people/privacy-settings.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import { createAppwriteDocumentsClient } from '#tests/support/appwrite-documents-client.ts'
import { waitForChangePosition } from '#tests/support/change-log-position.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createGroupWithMembers } from '#tests/support/group-factory.ts'
import { describeRecordedChanges } from '#tests/support/recorded-changes.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

const choices = ['everyone', 'ask', 'followed', 'nobody'] as const
const choose = (who: MemberClient, messagesFrom: (typeof choices)[number]) =>
  who.call(updatePrivacySettingsOperation, { messagesFrom })
const open = async (who: MemberClient, whom: MemberClient) =>
  (await who.call(openConversationOperation, { personId: whom.id })).$id
const send = (who: MemberClient, conversationId: string, content = 'hola') =>
  who.call(sendMessageOperation, { conversationId, content })
const conversation = (who: MemberClient, conversationId: string) =>
  who.call(getConversationOperation, { conversationId })
const requestsOf = async (who: MemberClient) =>
  (await who.call(listMessageRequestsOperation, {})).documents.map((request) => request.conversation.$id)
const listOf = async (who: MemberClient) =>
  (await who.call(listConversationsOperation, {})).documents.map(({ $id }) => $id)
const unread = async (who: MemberClient) => (await who.call(countUnreadConversationsOperation, {})).count
const refused = { status: 403, body: { message: 'Esta persona no acepta mensajes nuevos por ahora' } }

async function prepareRequest(...texts: string[]) {
  const [ana, iria] = [await w.join('Ana'), await w.join('Iria Montes')]
  await choose(ana, 'ask')
  const conversationId = await open(iria, ana)
  for (const text of texts.length > 0 ? texts : ['hola, ana']) await send(iria, conversationId, text)
  return { ana, iria, conversationId }
}

test('MSGR-01 "everyone" is the default setting for who can write to a member, and unknown values are refused', async () => {
  const ana = await w.join('Ana')
  expect(await ana.call(getPrivacySettingsOperation, {})).toMatchObject({ messagesFrom: 'everyone' })
  for (const messagesFrom of choices) {
    expect(await choose(ana, messagesFrom)).toMatchObject({ messagesFrom })
    expect(await ana.call(getPrivacySettingsOperation, {})).toMatchObject({ messagesFrom })
  }
  expect(await ana.call(updatePrivacySettingsOperation, { isListed: true })).toMatchObject({
    messagesFrom: 'nobody',
  })
  expect(await ana.ask(updatePrivacySettingsOperation, { messagesFrom: 'friends' })).toMatchObject({
    status: 400,
    body: { field: 'messagesFrom' },
  })
})

test("MSGR-02 by default, a stranger's message is listed as unread", async () => {
  const [ana, iria] = [await w.join('Ana'), await w.join('Iria')]
  const conversationId = await open(iria, ana)
  await send(iria, conversationId)
  expect([await listOf(ana), await unread(ana), await requestsOf(ana)]).toEqual([[conversationId], 1, []])
  expect(await conversation(iria, conversationId)).toMatchObject({ standing: 'open', restricted: false })
})

test.each(choices)(
  'MSGR-03 earlier contacts can keep writing under the setting %s, whoever wrote first',
  async (choice) => {
    const [ana, iria, olga] = [await w.join('Ana'), await w.join('Iria'), await w.join('Olga')]
    const [one, other] = [await open(iria, ana), await open(ana, olga)]
    await send(iria, one)
    await send(ana, other)
    await choose(ana, choice)
    for (let turn = 0; turn < 4; turn += 1) {
      await send(iria, one, 'sigo')
      await send(olga, other, 'aquí estoy')
    }
    expect(await open(iria, ana)).toBe(one)
    expect((await listOf(ana)).sort()).toEqual([one, other].sort())
    expect([await unread(ana), await requestsOf(ana)]).toEqual([2, []])
    expect((await iria.call(getPersonOperation, { personId: ana.id })).can.write).toBe(true)
  },
)

describe('with message requests turned on', () => {
  test("MSGR-04 a stranger's message is a request without dot or count; a followed member's message is in the list", async () => {
    const { ana, iria, conversationId } = await prepareRequest('hola, ana', '¿qué tal?')
    expect([await requestsOf(ana), await listOf(ana), await unread(ana)]).toEqual([[conversationId], [], 0])
    expect(await ana.call(countMessageRequestsOperation, {})).toEqual({ count: 1, hasRestricted: false })
    expect(await conversation(ana, conversationId)).toMatchObject({
      standing: 'asked',
      left: null,
      unread: false,
      can: { write: true, accept: true },
      other: { visible: true, imageId: null },
    })
    expect([await requestsOf(iria), await listOf(iria)]).toEqual([[], [conversationId]])
    const bea = await w.join('Bea')
    await ana.call(followOperation, { personId: bea.id })
    const known = await open(bea, ana)
    await send(bea, known)
    expect([await requestsOf(ana), await listOf(ana), await unread(ana)]).toEqual([
      [conversationId],
      [known],
      1,
    ])
    // Conversations that existed before the setting are not requests.
    expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  })

  test('MSGR-04 changing the setting later does not affect an existing request', async () => {
    const { ana, iria, conversationId } = await prepareRequest()
    for (const choice of ['nobody', 'everyone'] as const) {
      await choose(ana, choice)
      expect([await requestsOf(ana), await listOf(ana)]).toEqual([[conversationId], []])
    }
    await send(iria, conversationId)
    expect(await requestsOf(ana)).toEqual([conversationId])
  })

  test('MSGR-06 only the recipient sees a request with its reason and messages, in pages and without a picture', async () => {
    const ana = await w.join('Ana')
    await choose(ana, 'ask')
    const people = [await w.join('Iria'), await w.join('Olga'), await w.join('Eva')]
    const [iria, olga] = people as [MemberClient, MemberClient]
    await createGroupWithMembers(olga, ana, iria)
    await createGroupWithMembers(olga, ana, iria)
    await iria.call(followOperation, { personId: ana.id })
    const conversationIds: string[] = []
    for (const person of people) {
      conversationIds.unshift(await open(person, ana))
      for (const text of ['uno', 'dos'])
        await send(person, conversationIds[0] ?? '', `${person.name} ${text}`)
    }
    const all = await ana.call(listMessageRequestsOperation, {})
    expect(all.documents.map(({ conversation }) => conversation.$id)).toEqual(conversationIds)
    expect(all.documents.map(({ why }) => why)).toEqual([
      { followsMe: false, groupsInCommon: 0, joinedAt: expect.any(String) },
      { followsMe: false, groupsInCommon: 2, joinedAt: expect.any(String) },
      { followsMe: true, groupsInCommon: 2, joinedAt: expect.any(String) },
    ])
    expect(all.documents.map(({ messages }) => messages.map(({ content }) => content))).toEqual([
      ['Eva uno', 'Eva dos'],
      ['Olga uno', 'Olga dos'],
      ['Iria uno', 'Iria dos'],
    ])
    const first = await ana.call(listMessageRequestsOperation, { limit: 2 })
    expect(first.documents).toEqual(all.documents.slice(0, 2))
    // The request at the cursor is answered meanwhile.
    await ana.call(acceptMessageRequestOperation, { conversationId: conversationIds[1] ?? '' })
    const second = await ana.call(listMessageRequestsOperation, { limit: 2, cursor: first.next ?? '' })
    expect(second).toEqual({ documents: all.documents.slice(2), next: null })
    for (const person of people) {
      expect(await requestsOf(person)).toEqual([])
      expect(await person.call(countMessageRequestsOperation, {})).toEqual({ count: 0, hasRestricted: false })
    }
    expect(await ana.refusal(listMessageRequestsOperation, { cursor: 'nada' })).toMatchObject({
      type: 'general_cursor_not_found',
      field: 'cursor',
    })
  })

  test('MSGR-06 requests from a blocker and a closed account look the same; requests from members whom ana blocks disappear', async () => {
    const ana = await w.join('Ana')
    await choose(ana, 'ask')
    const [one, other, third] = [await w.join('Luz'), await w.join('Luz'), await w.join('Eva')]
    for (const person of [one, other, third]) {
      await createGroupWithMembers(person, ana)
      await send(person, await open(person, ana))
    }
    await one.call(blockMemberOperation, { personId: ana.id })
    expect((await other.request('PATCH', '/v1/account/status', {})).status).toBe(200)
    await ana.call(blockMemberOperation, { personId: third.id })
    const { documents } = await ana.call(listMessageRequestsOperation, {})
    expect(
      documents.map(({ why, conversation }) => [why, conversation.other.visible, conversation.can]),
    ).toEqual(
      Array.from({ length: 2 }, () => [
        null,
        false,
        { write: false, addPhotos: false, block: true, accept: true },
      ]),
    )
    expect((await ana.call(countMessageRequestsOperation, {})).count).toBe(2)
    for (const { conversation } of documents)
      await ana.call(declineMessageRequestOperation, { conversationId: conversation.$id })
    expect(await requestsOf(ana)).toEqual([])
  })

  test('MSGR-08 the fourth unanswered message is refused, a retry of the third is not, and the response says how many are left', async () => {
    const { ana, iria, conversationId } = await prepareRequest('uno')
    expect(await conversation(iria, conversationId)).toMatchObject({
      standing: 'asking',
      left: 2,
      can: { accept: false },
    })
    await send(iria, conversationId, 'dos')
    const third = { conversationId, messageId: `tres${Date.now()}`, content: 'tres' }
    const stored = await iria.call(sendMessageOperation, third)
    expect(await conversation(iria, conversationId)).toMatchObject({
      standing: 'asking',
      left: 0,
      can: { write: true },
    })
    expect(await iria.call(sendMessageOperation, third)).toEqual(stored)
    expect(await iria.ask(sendMessageOperation, { conversationId, content: 'cuatro' })).toMatchObject({
      status: 403,
      body: { type: 'conversation_waiting', message: 'Podrás escribir más cuando te conteste' },
    })
    const api = createAppwriteDocumentsClient(iria, 'messages')
    expect(await api.create({ conversationId, senderId: iria.id, content: 'cuatro' })).toMatchObject({
      status: 401,
      body: { type: 'user_unauthorized', message: 'Podrás escribir más cuando te conteste' },
    })
    expect((await ana.call(listMessagesOperation, { conversationId })).documents).toHaveLength(3)
    expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  })

  test('MSGR-09 the recipient reads a request without moving a read mark or notifying anyone, through both APIs', async () => {
    const { ana, iria, conversationId } = await prepareRequest()
    const [message] = (await ana.call(listMessagesOperation, { conversationId })).documents
    const recorded = await describeRecordedChanges(w.database, [ana, iria], async () => {
      await ana.call(markConversationReadOperation, { conversationId })
      await ana.call(markConversationReadOperation, { conversationId, messageId: message?.$id })
      const api = createAppwriteDocumentsClient(ana, 'messages')
      expect((await api.patch(message?.$id ?? '', { readBy: [iria.id, ana.id] })).status).toBe(200)
    })
    expect(recorded).toEqual([])
    const [seen] = (await iria.call(listMessagesOperation, { conversationId })).documents
    expect(seen?.readBy).toEqual([iria.id])
  })

  test.each([
    [
      'accepting',
      (ana: MemberClient, conversationId: string) =>
        ana.call(acceptMessageRequestOperation, { conversationId }),
    ],
    ['answering', (ana: MemberClient, conversationId: string) => send(ana, conversationId, 'hola, iria')],
    [
      'answering as a document',
      (ana: MemberClient, conversationId: string) =>
        createAppwriteDocumentsClient(ana, 'messages').create({
          conversationId,
          senderId: ana.id,
          content: 'hola',
        }),
    ],
  ])('MSGR-10 %s turns the request into an ordinary conversation and notifies both', async (_, answer) => {
    const { ana, iria, conversationId } = await prepareRequest('uno', 'dos', 'tres')
    const recorded = await describeRecordedChanges(w.database, [ana, iria], () => answer(ana, conversationId))
    expect(recorded).toContain('update conversations → Ana, Iria Montes')
    expect([await requestsOf(ana), await listOf(ana)]).toEqual([[], [conversationId]])
    for (const who of [ana, iria])
      expect(await conversation(who, conversationId)).toMatchObject({
        standing: 'open',
        left: null,
        can: { accept: false },
      })
    for (let turn = 0; turn < 4; turn += 1) await send(iria, conversationId, 'ahora sí')
    expect(await unread(ana)).toBe(1)
    await ana.call(markConversationReadOperation, { conversationId })
    const [newest] = (await iria.call(listMessagesOperation, { conversationId })).documents
    expect(newest?.readBy).toEqual([iria.id, ana.id])
    expect(await ana.call(acceptMessageRequestOperation, { conversationId })).toMatchObject({
      standing: 'open',
    })
    expect(await ana.refusal(declineMessageRequestOperation, { conversationId })).toMatchObject({
      type: 'document_not_found',
    })
  })

  test('MSGR-10 MSGR-11 only the recipient can accept or decline a request', async () => {
    const { ana, iria, conversationId } = await prepareRequest()
    const eva = await w.join('Eva')
    for (const operation of [acceptMessageRequestOperation, declineMessageRequestOperation]) {
      for (const who of [iria, eva])
        expect(await who.refusal(operation, { conversationId })).toMatchObject({
          code: 404,
          type: 'document_not_found',
        })
      expect(await ana.refusal(operation, { conversationId: 'nada' })).toMatchObject({ code: 404 })
    }
    expect(await requestsOf(ana)).toEqual([conversationId])
    expect(await conversation(iria, conversationId)).toMatchObject({ standing: 'asking' })
  })

  test('MSGR-11 a declined request disappears for ana, and iria sees the same as without an answer', async () => {
    const [ana, twin, iria] = [await w.join('Ana'), await w.join('Ana'), await w.join('Iria')]
    for (const who of [ana, twin]) await choose(who, 'ask')
    const [conversationId, unanswered] = [await open(iria, ana), await open(iria, twin)]
    for (const one of [conversationId, unanswered]) await send(iria, one)
    const recorded = await describeRecordedChanges(w.database, [ana, iria], () =>
      ana.call(declineMessageRequestOperation, { conversationId }),
    )
    expect(recorded).toEqual(['update conversations → Ana'])
    const since = await waitForChangePosition(w.database, iria)
    expect(await ana.call(declineMessageRequestOperation, { conversationId })).toMatchObject({
      $id: conversationId,
    })
    const everything = async (id: string, other: MemberClient) => {
      const answers: unknown[] = []
      for (let turn = 0; turn < 4; turn += 1) {
        answers.push(await iria.ask(getConversationOperation, { conversationId: id }))
        answers.push(await iria.ask(sendMessageOperation, { conversationId: id, content: `vez ${turn}` }))
        answers.push(await iria.ask(listMessagesOperation, { conversationId: id }))
        answers.push(await iria.ask(openConversationOperation, { personId: other.id }))
        answers.push(await iria.ask(markConversationReadOperation, { conversationId: id }))
      }
      const ids = [
        [id, '<talk>'],
        [other.id, '<other>'],
      ] as const
      return answers.map((answer) => {
        const { status, raw } = answer as { status: number; raw: Buffer }
        const said = ids.reduce((text, [one, name]) => text.replaceAll(one, name), raw.toString())
        return [
          status,
          said
            .replaceAll(/"\$id":"[^<"]+"/g, '"$id":"<id>"')
            .replaceAll(/"username":"[^"]+"/g, '')
            .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+\+00:00/g, '<time>'),
        ]
      })
    }
    expect(await everything(conversationId, ana)).toEqual(await everything(unanswered, twin))
    const received = (await iria.call(catchUpOperation, { since })).changes
    const kinds = (id: string) =>
      received
        .filter(({ document }) => JSON.stringify(document).includes(id))
        .map(({ collection, kind }) => [collection, kind])
    expect(kinds(conversationId)).toEqual(kinds(unanswered))
    expect([await requestsOf(ana), await requestsOf(twin)]).toEqual([[], [unanswered]])
    expect([await listOf(ana), await unread(ana)]).toEqual([[], 0])
    expect(await open(ana, iria)).toBe(conversationId)
    await send(ana, conversationId, 'hola')
    expect(await listOf(ana)).toEqual([conversationId])
  })
})

describe('with messages from followed people only, or from nobody', () => {
  test('MSGR-12 a stranger sees no Chat button and gets the same refusal; followed people can write under "followed"', async () => {
    const [ana, iria, bea] = [await w.join('Amelia'), await w.join('Iria'), await w.join('Bea')]
    await ana.call(followOperation, { personId: bea.id })
    const writable = async (who: MemberClient) => {
      const found = (await who.call(searchPeopleOperation, { term: 'Amelia' })).documents
      const listed = (await who.call(listPeopleOperation, { limit: 100 })).documents
      const answers = [...found, ...listed].filter(({ $id }) => $id === ana.id)
      expect(answers).toHaveLength(2)
      answers.push(await who.call(getPersonOperation, { personId: ana.id }))
      return [...new Set(answers.map(({ can }) => can.write))]
    }
    const begin = (who: MemberClient) => who.ask(openConversationOperation, { personId: ana.id })
    const bodies: unknown[] = []
    for (const choice of ['followed', 'nobody'] as const) {
      await choose(ana, choice)
      expect(await writable(iria)).toEqual([false])
      const answer = await begin(iria)
      expect(answer).toMatchObject(refused)
      bodies.push(answer.body)
      expect(await writable(bea)).toEqual([choice === 'followed'])
      expect((await begin(bea)).status).toBe(choice === 'followed' ? 200 : 403)
    }
    expect(bodies[0]).toEqual(bodies[1])
    expect((await ana.call(getPersonOperation, { personId: ana.id })).can.write).toBe(false)
    await choose(ana, 'ask')
    expect(await writable(iria)).toEqual([true])
    await choose(ana, 'nobody')
    await send(ana, await open(ana, iria))
    expect(await writable(iria)).toEqual([true])
  })

  test('MSGR-12 a conversation that was opened earlier but has no messages accepts none', async () => {
    const [ana, iria] = [await w.join('Ana'), await w.join('Iria')]
    const conversationId = await open(iria, ana)
    await choose(ana, 'nobody')
    expect((await conversation(iria, conversationId)).can.write).toBe(false)
    expect(await iria.ask(sendMessageOperation, { conversationId, content: 'hola' })).toMatchObject(refused)
    expect(await iria.ask(openConversationOperation, { personId: ana.id })).toMatchObject(refused)
    expect((await conversation(ana, conversationId)).can.write).toBe(true)
    await send(ana, conversationId)
    await send(iria, conversationId)
  })

  test('MSGR-13 the documents API refuses a new conversation with 401 and a sentence, and returns an existing one with 201', async () => {
    const [ana, iria, olga] = [await w.join('Ana'), await w.join('Iria'), await w.join('Olga')]
    const conversationId = await open(olga, ana)
    await send(olga, conversationId)
    const create = (who: MemberClient) =>
      createAppwriteDocumentsClient(who, 'conversations').create({ participants: [who.id, ana.id] })
    for (const choice of ['followed', 'nobody'] as const) {
      await choose(ana, choice)
      expect(await create(iria)).toMatchObject({
        status: 401,
        body: { type: 'user_unauthorized', message: refused.body.message },
      })
      expect(await create(olga)).toMatchObject({ status: 201, body: { $id: conversationId } })
    }
    await choose(ana, 'ask')
    expect((await create(iria)).status).toBe(201)
  })
})

test('MSGR-14 the documents API lists requests and restricted conversations among all others, with unchanged attributes', async () => {
  const { ana, iria, conversationId } = await prepareRequest()
  const olga = await w.join('Olga')
  await ana.call(restrictMemberOperation, { personId: olga.id })
  const other = await open(olga, ana)
  await send(olga, other)
  const api = createAppwriteDocumentsClient(ana, 'conversations')
  const all = await api.all()
  expect(all.map(({ $id }) => $id).sort()).toEqual([conversationId, other].sort())
  expect(
    Object.keys(all[0] ?? {})
      .filter((name) => !name.startsWith('$'))
      .sort(),
  ).toEqual(['lastMessage', 'lastMessageSender', 'lastMessageTime', 'participants', 'type'].sort())
  expect((await createAppwriteDocumentsClient(iria, 'conversations').get(conversationId)).status).toBe(200)
})
