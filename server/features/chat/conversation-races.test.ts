import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Conversation, openConversationOperation } from '#contract/chat/conversations.ts'
import { listMessagesOperation, type Message, sendMessageOperation } from '#contract/chat/messages.ts'
import { followOperation } from '#contract/people/people.ts'
import { removeAllConversations } from '#tests/support/database.ts'
import {
  countResponsesByStatus,
  createArrayByIndex,
  raceTimeoutMs,
  runRaceRounds,
} from '#tests/support/run-race-rounds.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
  bea = await w.join('Bea')
})
afterAll(() => w.end())
beforeEach(() => removeAllConversations(w.database))

const begin = async () => (await ana.call(openConversationOperation, { personId: bea.id })).$id
const sending =
  (sender: MemberClient, conversation: string, message: { content: string; messageId?: string }) => () =>
    sender.request('POST', `/v1/conversations/${conversation}/messages`, message)
const seenBy = async (person: MemberClient, conversationId: string) =>
  (await person.call(listMessagesOperation, { conversationId, limit: 100 })).documents

test('CHAT-25 C04 two members who open a chat with each other concurrently get one conversation', {
  timeout: raceTimeoutMs,
}, async () => {
  await runRaceRounds(
    w.database,
    async () => {
      await removeAllConversations(w.database)
      return createArrayByIndex(
        10,
        (n) => () =>
          n % 2 === 0
            ? ana.request('POST', '/v1/conversations', { personId: bea.id })
            : bea.request('POST', '/v1/conversations', { personId: ana.id }),
      )
    },
    async (answers) => {
      expect(countResponsesByStatus(answers)).toEqual({ 200: 10 })
      expect(new Set(answers.map((answer) => (answer.body as Conversation).$id)).size).toBe(1)
    },
  )
})

test('C09 both participants write concurrently: each message is stored once, in the same chronological order for both', {
  timeout: raceTimeoutMs,
}, async () => {
  const conversation = await begin()
  await runRaceRounds(
    w.database,
    async (n) =>
      createArrayByIndex(10, (m) => sending(m % 2 ? ana : bea, conversation, { content: `${n} ${m}` })),
    async (answers) => {
      expect(countResponsesByStatus(answers)).toEqual({ 201: 10 })
      const [hers, others] = [await seenBy(ana, conversation), await seenBy(bea, conversation)]
      expect(hers).toEqual(others)
      const ids = answers.map((answer) => (answer.body as Message).$id)
      expect(
        hers
          .slice(0, 10)
          .map((message) => message.$id)
          .sort(),
      ).toEqual(ids.sort())
      const clock = hers.map((message) => message.$createdAt)
      expect(clock).toEqual([...clock].sort().reverse())
    },
  )
})

test('CMSG-10 ten concurrent retries store the message once and all get the same response', {
  timeout: raceTimeoutMs,
}, async () => {
  const conversation = await begin()
  await runRaceRounds(
    w.database,
    async (n) =>
      createArrayByIndex(10, () =>
        sending(ana, conversation, { content: 'una vez', messageId: `retried-${n}` }),
      ),
    async (answers) => {
      expect(countResponsesByStatus(answers)).toEqual({ 201: 10 })
      expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1)
      const ids = (await seenBy(ana, conversation)).map((message) => message.$id)
      expect(new Set(ids).size).toBe(ids.length)
    },
  )
})

test('concurrent read marks while messages arrive leave the furthest mark, never beyond the newest message', {
  timeout: raceTimeoutMs,
}, async () => {
  const conversation = await begin()
  await bea.call(followOperation, { personId: ana.id })
  await runRaceRounds(
    w.database,
    async (n) => {
      const sent: string[] = []
      for (let m = 0; m < 4; m += 1) {
        sent.push(
          (await ana.call(sendMessageOperation, { conversationId: conversation, content: `${n} ${m}` })).$id,
        )
      }
      const marks = sent.flatMap((messageId) =>
        createArrayByIndex(
          2,
          () => () => bea.request('PUT', `/v1/conversations/${conversation}/read`, { messageId }),
        ),
      )
      return [
        ...marks,
        sending(ana, conversation, { content: 'más' }),
        sending(ana, conversation, { content: 'y más' }),
      ]
    },
    async (answers) => {
      expect(countResponsesByStatus(answers)).toEqual({ 200: 8, 201: 2 })
      const unread = (await seenBy(ana, conversation)).filter((message) => message.readBy.length === 1)
      expect(unread.map((message) => message.content).sort()).toEqual(['más', 'y más'])
      await bea.request('PUT', `/v1/conversations/${conversation}/read`, {})
    },
  )
})
