import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  countUnreadConversationsOperation,
  listConversationsOperation,
  markConversationReadOperation,
  openConversationOperation,
} from '#contract/chat/conversations.ts'
import {
  countMessageRequestsOperation,
  listMessageRequestsOperation,
} from '#contract/chat/message-requests.ts'
import {
  listMessagesOperation,
  sendMessageOperation,
  unsendMessageOperation,
} from '#contract/chat/messages.ts'
import { createReportOperation } from '#contract/moderation/reports.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import { createAppwriteDocumentsClient } from '#tests/support/appwrite-documents-client.ts'
import { waitForChangePosition } from '#tests/support/change-log-position.ts'
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
  w = await createTestWorld()
  ana = await w.join('Ana')
  bea = await w.join('Bea')
  cleo = await w.join('Cleo')
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
const unsend = (who: MemberClient, messageId: string) => who.call(unsendMessageOperation, { messageId })
const seenBy = async (who: MemberClient) =>
  (await who.call(listMessagesOperation, { conversationId })).documents.toReversed()
const rowOf = async (who: MemberClient) => (await who.call(listConversationsOperation, {})).documents[0]
const unreadOf = async (who: MemberClient) => (await who.call(countUnreadConversationsOperation, {})).count
const age = (messageId: string, time: string) =>
  w.database.pool.query(
    'update messages set created_at = clock_timestamp() - $2::interval where public_id = $1',
    [messageId, time],
  )

test('UNSEND-01 ana can unsend a message for 24 hours', async () => {
  const early = await say(ana, 'de ayer')
  await age(early, '24 hours 1 minute')
  const late = await say(ana, 'de hace menos')
  await age(late, '23 hours 59 minutes')
  expect(await ana.ask(unsendMessageOperation, { messageId: early })).toMatchObject({
    status: 403,
    body: { type: 'message_too_old', message: 'A message can be unsent for 24 hours.' },
  })
  expect(await unsend(ana, late)).toMatchObject({ $id: late, content: '', unsentAt: expect.any(String) })
  expect((await seenBy(bea)).map(({ content }) => content)).toEqual(['de ayer', ''])
  await age(late, '25 hours')
  expect((await unsend(ana, late)).unsentAt).toBe((await seenBy(ana))[1]?.unsentAt)
})

test('UNSEND-02 both participants are notified of an unsent message and see an empty message in its place', async () => {
  const first = await say(ana, 'uno')
  await say(bea, 'dos')
  const changes = await describeRecordedChanges(w.database, [ana, bea, cleo], () => unsend(ana, first))
  expect(changes).toEqual(['update conversations → Ana, Bea', 'update messages → Ana, Bea'])
  for (const who of [ana, bea]) {
    expect(await seenBy(who)).toMatchObject([
      { $id: first, content: '', readBy: [ana.id], unsentAt: expect.any(String) },
      { content: 'dos', unsentAt: null },
    ])
  }
})

test('UNSEND-03 no response, event, catch-up or table contains the text of an unsent message', async () => {
  const words = 'palabras que ana retira'
  const since = await waitForChangePosition(w.database, bea)
  const messageId = await say(ana, words)
  await unsend(ana, messageId)
  const api = createAppwriteDocumentsClient(bea, 'messages')
  const answers = [
    await bea.ask(listMessagesOperation, { conversationId }),
    await bea.ask(listConversationsOperation, {}),
    await bea.ask(catchUpOperation, { since }),
    await api.list(),
    await api.list('search("content", ["palabras"])'),
    await api.get(messageId),
    await createAppwriteDocumentsClient(bea, 'conversations').list(),
    await ana.ask(sendMessageOperation, { conversationId, messageId, content: words }),
  ]
  for (const { status, raw } of answers) {
    expect([200, 201]).toContain(status)
    expect(raw.toString()).not.toContain('palabras')
  }
  expect((await api.get(messageId)).body.content).toBe('Message unsent')
  expect((await api.list('search("content", ["palabras"])')).body.total).toBe(0)
  const tables = await w.database.pool.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = current_schema()`,
  )
  for (const { name } of tables.rows) {
    const { rows } = await w.database.pool.query(
      `select 1 from ${name} as t where to_jsonb(t)::text like '%palabras que ana%'`,
    )
    expect([name, rows.length]).toEqual([name, 0])
  }
})

test('UNSEND-03 messages that bea reported before they were unsent stay as evidence; an unsent message cannot be reported', async () => {
  const [reported, other] = [await say(ana, 'te voy a encontrar'), await say(ana, 'y a tu hermana')]
  const report = { reason: 'threat', subject: { kind: 'message', id: reported } } as const
  await bea.call(createReportOperation, { ...report, messages: [other] })
  await unsend(ana, reported)
  await unsend(ana, other)
  const { rows } = await w.database.pool.query(
    `select e.snapshot ->> 'content' as said from evidence e join reports r on r.id = e.report_id order by e.position`,
  )
  expect(rows.map(({ said }) => said)).toEqual(['te voy a encontrar', 'y a tu hermana'])
  const third = await say(ana, 'hola')
  const late = await bea.ask(createReportOperation, { ...report, subject: { kind: 'message', id: other } })
  expect([late.status, late.body]).toMatchObject([404, { type: 'report_subject_not_found' }])
  const beside = await bea.ask(createReportOperation, {
    reason: 'threat',
    subject: { kind: 'message', id: third },
    messages: [reported],
  })
  expect(beside.status).toBe(404)
})

test('UNSEND-04 unsending moves the list row and unread dot back to the newest remaining message without reordering the list', async () => {
  await say(ana, 'leído')
  await bea.call(markConversationReadOperation, { conversationId })
  const unread = await say(ana, 'sin leer')
  const { $updatedAt } = (await rowOf(bea)) ?? {}
  expect([await unreadOf(bea), (await rowOf(bea))?.unread]).toEqual([1, true])
  await unsend(ana, unread)
  expect(await unreadOf(bea)).toBe(0)
  expect(await rowOf(bea)).toMatchObject({ lastMessage: 'leído', unread: false, $updatedAt })
  const before = await say(ana, 'antes')
  await say(ana, 'después')
  await unsend(ana, before)
  expect(await rowOf(bea)).toMatchObject({ lastMessage: 'después', unread: true })
})

test('UNSEND-04 a conversation with only unsent messages stays in the list and shows nothing unread', async () => {
  const [one, two] = [await say(ana, 'uno'), await say(ana, 'dos')]
  await unsend(ana, two)
  expect(await rowOf(bea)).toMatchObject({ lastMessage: 'uno', unread: true })
  await unsend(ana, one)
  for (const who of [ana, bea]) {
    expect(await rowOf(who)).toMatchObject({ lastMessage: '', unread: false })
    expect(await unreadOf(who)).toBe(0)
  }
  await say(ana, 'tres')
  expect(await rowOf(bea)).toMatchObject({ lastMessage: 'tres', unread: true })
})

test('UNSEND-04 a message request with only unsent messages is neither listed nor counted', async () => {
  await bea.call(updatePrivacySettingsOperation, { messagesFrom: 'ask' })
  const messageId = await say(ana, '¿me conoces?')
  expect((await bea.call(countMessageRequestsOperation, {})).count).toBe(1)
  await unsend(ana, messageId)
  expect((await bea.call(countMessageRequestsOperation, {})).count).toBe(0)
  expect((await bea.call(listMessageRequestsOperation, {})).documents).toEqual([])
  expect(await rowOf(ana)).toMatchObject({ standing: 'asking', left: 2 })
  await say(ana, 'otra vez')
  const [request] = (await bea.call(listMessageRequestsOperation, {})).documents
  expect(request?.messages.map(({ content }) => content)).toEqual(['otra vez'])
  await bea.call(updatePrivacySettingsOperation, { messagesFrom: 'everyone' })
})

test('UNSEND-05 only the sender can unsend a message, and not through the documents API', async () => {
  const messageId = await say(ana, 'mío')
  expect((await bea.ask(unsendMessageOperation, { messageId })).status).toBe(403)
  expect((await cleo.ask(unsendMessageOperation, { messageId })).status).toBe(404)
  const api = createAppwriteDocumentsClient(ana, 'messages')
  expect((await api.remove(messageId)).status).toBe(401)
  expect((await api.patch(messageId, { unsentAt: '2026-01-01T00:00:00.000+00:00' })).status).toBe(400)
  expect((await seenBy(bea))[0]).toMatchObject({ content: 'mío', unsentAt: null })
})

test('UNSEND-06 concurrent unsending, sending and reading leave the newest remaining message shown', {
  timeout: raceTimeoutMs,
}, async () => {
  await runRaceRounds(
    w.database,
    async (n) => {
      const ids = [await say(ana, `${n} a`), await say(ana, `${n} b`), await say(bea, `${n} c`)]
      const unsending = (who: MemberClient, id?: string) => () => who.request('DELETE', `/v1/messages/${id}`)
      const sending = (who: MemberClient) => () =>
        who.request('POST', `/v1/conversations/${conversationId}/messages`, { content: `${n} más` })
      const reading = (who: MemberClient) => () =>
        who.request('PUT', `/v1/conversations/${conversationId}/read`, {})
      return [
        unsending(ana, ids[0]),
        unsending(ana, ids[1]),
        unsending(ana, ids[1]),
        unsending(bea, ids[2]),
        sending(ana),
        sending(bea),
        reading(ana),
        reading(bea),
      ]
    },
    (answers) => expect(countResponsesByStatus(answers)).toEqual({ 200: 6, 201: 2 }),
  )
})
