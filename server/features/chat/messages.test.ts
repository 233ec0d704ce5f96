import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  countUnreadConversationsOperation,
  listConversationsOperation,
  markConversationReadOperation,
  openConversationOperation,
} from '#contract/chat/conversations.ts'
import { listMessagesOperation, sendMessageOperation } from '#contract/chat/messages.ts'
import { errorCatalogue } from '#contract/errors.ts'
import { followOperation } from '#contract/people/people.ts'
import { captureSqlStatements } from '#server/database/prepared-statements.ts'
import { removeAllConversations } from '#tests/support/database.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { describeRecordedChanges } from '#tests/support/recorded-changes.ts'
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
  await bea.call(followOperation, { personId: ana.id })
})
afterAll(() => w.end())
beforeEach(async () => {
  await removeAllConversations(w.database)
  conversationId = (await ana.call(openConversationOperation, { personId: bea.id })).$id
})

const stored = async () => {
  const { documents } = await ana.call(listMessagesOperation, { conversationId, limit: 100 })
  return documents.toReversed()
}

async function friendship(messages: number) {
  await w.database.pool.query(
    `insert into messages (public_id, conversation_id, sender_id, content)
     select 'm' || n, c.id, case n % 2 when 0 then c.low_id else c.high_id end, 'mensaje ' || n
     from conversations c, generate_series(1, $1::int) n order by n`,
    [messages],
  )
}

describe('sending', () => {
  test('CMSG-08 CMSG-09 CMSG-05 DATA-05 a sent message is trimmed, has type text and counts as read by its sender', async () => {
    const sent = await ana.call(sendMessageOperation, {
      conversationId,
      senderId: ana.id,
      content: '  hola\n\nBea \n',
      type: 'text',
    })
    expect(sent).toEqual({
      $id: expect.stringMatching(/^[a-z0-9]{20}$/),
      $createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/),
      conversationId,
      senderId: ana.id,
      content: 'hola\n\nBea',
      photos: [],
      shared: null,
      type: 'text',
      readBy: [ana.id],
      replyTo: null,
      reactions: [],
      unsentAt: null,
    })
    expect(await stored()).toEqual([sent])
  })

  test('RT-03 RT-05 PERM-06 only the two participants receive the message and the conversation live', async () => {
    const send = () => ana.call(sendMessageOperation, { conversationId, content: 'hola' })
    expect(await describeRecordedChanges(w.database, [ana, bea], send)).toEqual([
      'update conversations → Ana, Bea',
      'create messages → Ana, Bea',
    ])
  })

  test('CMSG-04 X05 empty messages, invisible messages and messages over 4,000 characters are refused', async () => {
    const unseen = ['\u200b', '\u2060\ufeff', '\u3164', '\u2800 \u00ad', '\u200d\ufe0f', '\u202e\u2066']
    for (const content of ['', ' \n\t ', '\u00a0\u3000', '\u0085', ...unseen, 'x'.repeat(4001)]) {
      const refusal = await ana.refusal(sendMessageOperation, { conversationId, content })
      expect(refusal).toMatchObject({ code: 400, field: 'content' })
    }
    const longest = await ana.call(sendMessageOperation, { conversationId, content: ` ${'x'.repeat(4000)} ` })
    expect(longest.content).toHaveLength(4000)
    expect((await stored()).length).toBe(1)
    // No Unicode version assigns the last character yet.
    for (const content of ['❤️', '👩‍👩‍👧', '🏳️‍🌈', '1️⃣', '…', '\u{1faff}']) {
      expect((await ana.call(sendMessageOperation, { conversationId, content })).content).toBe(content)
    }
  })

  test('a retry under the same id stores the message once and returns the stored message', async () => {
    const input = { conversationId, messageId: 'chosen-by-ana', content: 'una vez' }
    const first = await ana.call(sendMessageOperation, input)
    expect(first.$id).toBe('chosen-by-ana')
    const changes = await describeRecordedChanges(w.database, [], async () => {
      expect(await ana.call(sendMessageOperation, input)).toEqual(first)
    })
    expect(changes).toEqual([])
    await bea.call(markConversationReadOperation, { conversationId })
    expect((await ana.call(sendMessageOperation, input)).readBy).toEqual([ana.id, bea.id])
    expect(await stored()).toHaveLength(1)
  })

  test('reusing an id for another text, conversation or sender is refused and changes nothing', async () => {
    const input = { conversationId, messageId: 'once', content: 'el primero' }
    await ana.call(sendMessageOperation, input)
    const other = (await ana.call(openConversationOperation, { personId: cleo.id })).$id
    expect(await ana.refusal(sendMessageOperation, { ...input, content: 'otro' })).toMatchObject({
      code: 409,
    })
    expect(await ana.refusal(sendMessageOperation, { ...input, conversationId: other })).toMatchObject({
      code: 409,
    })
    expect(await bea.refusal(sendMessageOperation, input)).toMatchObject({ code: 409 })
    expect((await stored()).map((message) => message.content)).toEqual(['el primero'])
  })

  test("A26 an id used by other members' message is refused as taken, and the response reveals nothing more", async () => {
    await ana.call(sendMessageOperation, {
      conversationId,
      messageId: 'between-two',
      content: 'entre nosotras',
    })
    const hers = await cleo.call(openConversationOperation, { personId: bea.id })
    const refusal = await cleo.refusal(sendMessageOperation, {
      conversationId: hers.$id,
      messageId: 'between-two',
      content: 'x',
    })
    expect(refusal).toMatchObject({
      code: 409,
      type: 'document_already_exists',
      message: errorCatalogue.document_already_exists[1],
    })
  })

  test("A03 PERM-07 nobody can send in another member's name or into a conversation of others", async () => {
    expect(
      await ana.refusal(sendMessageOperation, { conversationId, content: 'x', senderId: bea.id }),
    ).toMatchObject({
      code: 403,
    })
    expect(await cleo.refusal(sendMessageOperation, { conversationId, content: 'x' })).toMatchObject({
      code: 404,
    })
    expect(await stored()).toEqual([])
  })

  test('any text is either stored as written, trimmed, or refused with 400', async () => {
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.string({ unit: 'grapheme' }))
    await fc.assert(
      fc.asyncProperty(text, async (content) => {
        const answer = await ana.request<{ content: string }>(
          'POST',
          `/v1/conversations/${conversationId}/messages`,
          {
            content,
          },
        )
        if (answer.status === 201) expect(answer.body.content).toBe(content.trim())
        else expect(answer.status).toBe(400)
      }),
      { numRuns: 50 },
    )
    expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  })
})

describe('reading messages', () => {
  test('CMSG-14 messages come in pages of fifty, newest first, without a gap', async () => {
    await friendship(120)
    const seen: string[] = []
    let before: string | undefined
    let pages = 0
    for (let more = true; more; pages += 1) {
      const page = await bea.call(listMessagesOperation, { conversationId, ...(before ? { before } : {}) })
      seen.push(...page.documents.map((message) => message.content))
      more = page.more
      before = page.documents.at(-1)?.$id
    }
    expect(pages).toBe(3)
    expect(seen).toEqual(Array.from({ length: 120 }, (_, n) => `mensaje ${120 - n}`))
  })

  test('catching up after a message returns everything newer, oldest page first', async () => {
    await friendship(120)
    const first = await bea.call(listMessagesOperation, { conversationId, after: 'm10', limit: 100 })
    expect(first.documents.map((message) => message.$id)).toEqual(
      Array.from({ length: 100 }, (_, n) => `m${110 - n}`),
    )
    expect(first.more).toBe(true)
    const rest = await bea.call(listMessagesOperation, { conversationId, after: 'm110', limit: 100 })
    expect(rest.documents.map((message) => message.$id)).toEqual(
      Array.from({ length: 10 }, (_, n) => `m${120 - n}`),
    )
    expect(rest.more).toBe(false)
    expect(await bea.call(listMessagesOperation, { conversationId, after: 'm120' })).toEqual({
      documents: [],
      more: false,
    })
  })

  test.each([
    [{ before: 'nothing' }, 400],
    [{ before: 'a', after: 'b' }, 400],
    [{ limit: 0 }, 400],
    [{ limit: 101 }, 400],
    [{ before: '../x' }, 400],
  ])('listing messages with %j is refused with %i', async (input, code) => {
    expect(await ana.refusal(listMessagesOperation, { conversationId, ...input })).toMatchObject({ code })
  })
})

describe('cost in the database', () => {
  /** Counts the rows and index entries of `messages` that one more message reads. The message is rolled back. */
  const readsOfOneMore = async () => {
    const counted = `select sum(pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid))::int as reads
      from (select 'messages'::regclass::oid as oid union all select indexrelid from pg_index where indrelid = 'messages'::regclass) t`
    const client = await w.database.pool.connect()
    try {
      await client.query('begin')
      const before = await client.query<{ reads: number }>(counted)
      await client.query(`insert into messages (public_id, conversation_id, sender_id, content)
        select 'onemore', id, low_id, 'hola' from conversations`)
      const after = await client.query<{ reads: number }>(counted)
      await client.query('rollback')
      return Number(after.rows[0]?.reads) - Number(before.rows[0]?.reads)
    } finally {
      client.release()
    }
  }

  test('a message reads no earlier messages of a long conversation', async () => {
    await friendship(400)
    expect(await readsOfOneMore()).toBeLessThan(20)
  })
})

describe('number of SQL statements', () => {
  const statementsOf = async (work: () => Promise<unknown>) => (await captureSqlStatements(work)).statements

  test('P11 sending a message takes two statements, including the session look-up', async () => {
    const send = () => ana.call(sendMessageOperation, { conversationId, content: 'hola' })
    expect(await statementsOf(send)).toHaveLength(2)
  })

  test('sending a message that shares no post sends no rules about posts', async () => {
    const send = () => ana.call(sendMessageOperation, { conversationId, content: 'hola' })
    expect((await statementsOf(send)).filter((statement) => /\bposts\b/.test(statement))).toEqual([])
  })

  test('the conversation list, a page of messages and the unread count take at most four statements each', async () => {
    const reads = [
      () => ana.call(listConversationsOperation, {}),
      () => ana.call(listMessagesOperation, { conversationId }),
      () => ana.call(countUnreadConversationsOperation, {}),
    ]
    const costs = () => Promise.all(reads.map(async (read) => (await statementsOf(read)).length))
    expect(await costs()).toEqual([2, 3, 2])
    await friendship(120)
    expect(await costs()).toEqual([3, 4, 2])
  })
})
