import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import {
  listMessagesOperation,
  sendMessageOperation,
  unsendMessageOperation,
} from '#contract/chat/messages.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import { captureSqlStatements } from '#server/database/prepared-statements.ts'
import { waitForChangePosition } from '#tests/support/change-log-position.ts'
import { removeAllConversations } from '#tests/support/database.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
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

const say = async (who: MemberClient, content: string, conversation = conversationId) =>
  (await who.call(sendMessageOperation, { conversationId: conversation, content })).$id

test('REPLY-02 a reply quotes the beginning of the message it answers, the same in every response', async () => {
  const question = await say(ana, `¿La azul o la verde? ${'x'.repeat(200)}`)
  const sent = await bea.call(sendMessageOperation, { conversationId, content: 'La azul', replyTo: question })
  const content = `¿La azul o la verde? ${'x'.repeat(99)}`
  expect(sent.replyTo).toEqual({ $id: question, senderId: ana.id, content, unsent: false })
  const [listed] = (await ana.call(listMessagesOperation, { conversationId })).documents
  expect(listed).toEqual(sent)
  const retried = { conversationId, messageId: sent.$id, content: 'La azul' }
  expect(await bea.call(sendMessageOperation, { ...retried, replyTo: question })).toEqual(sent)
  expect((await bea.ask(sendMessageOperation, retried)).status).toBe(409)
})

test('REPLY-02 sending a plain message runs no statement about replies', async () => {
  const plain = await captureSqlStatements(() => say(ana, 'hola'))
  const answering = await captureSqlStatements(async () =>
    ana.call(sendMessageOperation, { conversationId, content: 'y', replyTo: await say(ana, 'hola') }),
  )
  expect(plain.statements.some((statement) => statement.includes('reply_to_id'))).toBe(false)
  expect(answering.statements.some((statement) => statement.includes('reply_to_id'))).toBe(true)
})

test('REPLY-03 after a quoted message is unsent, no response, event or catch-up contains its text', async () => {
  const since = await waitForChangePosition(w.database, bea)
  const answered = await say(ana, 'palabras retiradas')
  const reply = await bea.call(sendMessageOperation, { conversationId, content: '¿qué?', replyTo: answered })
  await ana.call(unsendMessageOperation, { messageId: answered })
  for (const answer of [
    await bea.ask(listMessagesOperation, { conversationId }),
    await bea.ask(catchUpOperation, { since }),
    await bea.ask(sendMessageOperation, {
      conversationId,
      messageId: reply.$id,
      content: '¿qué?',
      replyTo: answered,
    }),
  ]) {
    expect([200, 201]).toContain(answer.status)
    expect(answer.raw.toString()).not.toContain('palabras')
    expect(answer.raw.toString()).toContain('"unsent":true')
  }
  const late = await bea.ask(sendMessageOperation, { conversationId, content: 'tarde', replyTo: answered })
  expect([late.status, late.body]).toMatchObject([404, { type: 'message_not_found' }])
})

test('REPLY-03 an unsent reply no longer refers to the message it answered', async () => {
  const replyTo = await say(ana, 'hola')
  const reply = await bea.call(sendMessageOperation, { conversationId, content: 'adiós', replyTo })
  expect((await bea.call(unsendMessageOperation, { messageId: reply.$id })).replyTo).toBeNull()
})

test('REPLY-04 a member can reply only to a message of the same conversation', async () => {
  const other = (await ana.call(openConversationOperation, { personId: cleo.id })).$id
  const foreign = await say(ana, 'a cleo', other)
  for (const replyTo of [foreign, 'nothingatallishere']) {
    const refused = await ana.ask(sendMessageOperation, { conversationId, content: 'x', replyTo })
    expect([refused.status, refused.body]).toMatchObject([
      404,
      { type: 'message_not_found', message: 'The message you are replying to is no longer available.' },
    ])
  }
  expect((await ana.call(listMessagesOperation, { conversationId })).documents).toEqual([])
})

test('UNSEND-06 replying to a message while it is unsent breaks no invariant', {
  timeout: raceTimeoutMs,
}, async () => {
  await runRaceRounds(
    w.database,
    async (n) => {
      const replyTo = await say(ana, `${n}`)
      const answering = () =>
        bea.request('POST', `/v1/conversations/${conversationId}/messages`, { content: 'sí', replyTo })
      return [answering, () => ana.request('DELETE', `/v1/messages/${replyTo}`), answering]
    },
    (answers) => {
      const counts = countResponsesByStatus(answers)
      expect((counts[201] ?? 0) + (counts[404] ?? 0)).toBe(2)
      expect(counts[200]).toBe(1)
    },
  )
})
