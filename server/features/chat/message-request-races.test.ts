import { afterAll, beforeAll, expect, test } from 'vitest'
import { getConversationOperation, openConversationOperation } from '#contract/chat/conversations.ts'
import {
  acceptMessageRequestOperation,
  declineMessageRequestOperation,
  listMessageRequestsOperation,
} from '#contract/chat/message-requests.ts'
import { blockMemberOperation, unblockMemberOperation } from '#contract/people/blocks.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import { removeAllConversations } from '#tests/support/database.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { waitForLockWaits } from '#tests/support/lock-waits.ts'
import {
  countResponsesByStatus,
  createArrayByIndex,
  raceTimeoutMs,
  runRaceRounds,
} from '#tests/support/run-race-rounds.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let iria: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ;[ana, iria] = [await w.join('Ana'), await w.join('Iria')]
})
afterAll(() => w.end())

const rounds = Number(process.env.RACE_ROUNDS ?? 5)
const query = (text: string) => w.database.pool.query(text)
const numberOf = async (text: string): Promise<number> =>
  (await query(`select (${text})::int as number`)).rows[0].number
const choose = (messagesFrom: string) => ana.ask(updatePrivacySettingsOperation, { messagesFrom })
const send = (who: MemberClient, conversation: string) =>
  who.request('POST', `/v1/conversations/${conversation}/messages`, { content: 'hola' })

async function begin(messagesFrom: string): Promise<string> {
  await ana.call(unblockMemberOperation, { personId: iria.id })
  await removeAllConversations(w.database)
  await choose('everyone')
  const { $id } = await iria.call(openConversationOperation, { personId: ana.id })
  await choose(messagesFrom)
  return $id
}

test('MSGR-08 only three of five concurrent messages to a member who takes requests are stored', {
  timeout: raceTimeoutMs,
}, async () => {
  let conversation = ''
  await runRaceRounds(
    w.database,
    async () => {
      conversation = await begin('ask')
      return createArrayByIndex(5, () => () => send(iria, conversation))
    },
    async (answers) => {
      expect(countResponsesByStatus(answers)).toEqual({ 201: 3, 403: 2 })
      expect(await numberOf('select count(*) from messages')).toBe(3)
      expect(await iria.call(getConversationOperation, { conversationId: conversation })).toMatchObject({
        standing: 'asking',
        left: 0,
      })
    },
  )
})

/** @returns how many first messages were stored after the setting was acknowledged */
async function openedAfterChoice(count: number): Promise<number> {
  let opened = 0
  for (let round = 0; round < count; round += 1) {
    const conversation = await begin('everyone')
    const holder = await w.database.pool.connect()
    await holder.query('begin')
    await holder.query('select from conversations for no key update')
    const writing = send(iria, conversation)
    await waitForLockWaits(w.database, 1, writing)
    const choice = round % 2 === 0 ? 'ask' : 'nobody'
    expect((await choose(choice)).status).toBe(200)
    await holder.query('rollback')
    holder.release()
    const written = await writing
    expect(written.status).toBe(choice === 'ask' ? 201 : 403)
    opened += await numberOf(
      'select count(*) from messages m join conversations c on c.id = m.conversation_id where c.asked_id is null',
    )
    expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  }
  return opened
}

test('MSGR-04 MSGR-12 a first message sent while the recipient changes her setting becomes a request or is refused', {
  timeout: raceTimeoutMs,
}, async () => {
  expect(await openedAfterChoice(rounds)).toBe(0)
})

test('MSGR-04 two members who send each other a first message concurrently get one open conversation', {
  timeout: raceTimeoutMs,
}, async () => {
  let conversation = ''
  await runRaceRounds(
    w.database,
    async () => {
      conversation = await begin('ask')
      return [() => send(iria, conversation), () => send(ana, conversation)]
    },
    async (answers) => {
      expect(countResponsesByStatus(answers)).toEqual({ 201: 2 })
      expect(await ana.call(getConversationOperation, { conversationId: conversation })).toMatchObject({
        standing: 'open',
      })
    },
  )
})

test('MSGR-10 MSGR-11 concurrent acceptance, refusal, answers and messages leave the conversation open or declined, without errors', {
  timeout: raceTimeoutMs,
}, async () => {
  let conversation = ''
  await runRaceRounds(
    w.database,
    async (round) => {
      conversation = await begin('ask')
      expect((await send(iria, conversation)).status).toBe(201)
      return [
        () => ana.ask(acceptMessageRequestOperation, { conversationId: conversation }),
        () => ana.ask(declineMessageRequestOperation, { conversationId: conversation }),
        () => send(iria, conversation),
        ...(round % 2 ? [() => send(ana, conversation)] : []),
      ]
    },
    async ([accepted, declined, ...messages]) => {
      expect(accepted?.status).toBe(200)
      expect([200, 404]).toContain(declined?.status)
      expect(countResponsesByStatus(messages)).toEqual({ 201: messages.length })
      expect(await ana.call(getConversationOperation, { conversationId: conversation })).toMatchObject({
        standing: 'open',
      })
      expect((await ana.call(listMessageRequestsOperation, {})).documents).toEqual([])
    },
  )
})

test('MSGR-04 a first message sent during a block causes no error, and none is stored after the block', {
  timeout: raceTimeoutMs,
}, async () => {
  await runRaceRounds(
    w.database,
    async () => {
      const conversation = await begin('ask')
      return [
        () => send(iria, conversation),
        () => ana.ask(blockMemberOperation, { personId: iria.id }),
        () => send(iria, conversation),
        () => choose('followed'),
      ]
    },
    async ([one, blocked, other]) => {
      expect(blocked?.status).toBe(200)
      for (const answer of [one, other]) expect([201, 403]).toContain(answer?.status)
    },
  )
})
