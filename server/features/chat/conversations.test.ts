import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  countUnreadConversationsOperation,
  getConversationOperation,
  listConversationsOperation,
  markConversationReadOperation,
  openConversationOperation,
} from '#contract/chat/conversations.ts'
import { listMessagesOperation, sendMessageOperation } from '#contract/chat/messages.ts'
import { searchPeopleOperation } from '#contract/people/people.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { describeRecordedChanges } from '#tests/support/recorded-changes.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let cleo: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
  bea = await w.join('Bea')
  cleo = await w.join('Cleo')
})
afterAll(() => w.end())

const conversationBetween = async (one: MemberClient, other: MemberClient) =>
  (await one.call(openConversationOperation, { personId: other.id })).$id

describe('opening a conversation', () => {
  test('CHAT-25 CHAT-26 CHAT-03 opening a conversation from either side gives the same conversation', async () => {
    const mine = await ana.call(openConversationOperation, { personId: bea.id, currentUserId: ana.id })
    expect(mine).toMatchObject({
      type: 'direct',
      other: { $id: bea.id, name: 'Bea', imageId: null },
      lastMessage: null,
      lastMessageTime: null,
      lastMessageSender: null,
      unread: false,
    })
    expect([...mine.participants].sort()).toEqual([ana.id, bea.id].sort())
    const hers = await bea.call(openConversationOperation, { personId: ana.id })
    expect(hers).toMatchObject({
      $id: mine.$id,
      other: { $id: ana.id },
      participants: mine.participants,
    })
  })

  test('RT-06 opening a new conversation notifies only the member who opens it; opening an old one notifies nobody', async () => {
    const dora = await w.join('Dora')
    const open = () => dora.call(openConversationOperation, { personId: ana.id })
    expect(await describeRecordedChanges(w.database, [ana, dora], open)).toEqual([
      'create conversations → Dora',
    ])
    expect(await describeRecordedChanges(w.database, [ana, dora], open)).toEqual([])
  })

  test('a member cannot open a conversation with herself, with an unknown person or on behalf of another', async () => {
    expect(await ana.refusal(openConversationOperation, { personId: ana.id })).toMatchObject({
      code: 400,
      type: 'conversation_self_not_allowed',
    })
    expect(await ana.refusal(openConversationOperation, { personId: 'nobody' })).toMatchObject({ code: 404 })
    expect(
      await ana.refusal(openConversationOperation, { personId: bea.id, currentUserId: cleo.id }),
    ).toMatchObject({
      code: 403,
    })
    expect(await w.visitor.refusal(openConversationOperation, { personId: ana.id })).toMatchObject({
      code: 401,
    })
  })

  test('CHAT-08 CHAT-09 CHAT-10 the search for someone to chat with leaves out the caller', async () => {
    const found = await ana.call(searchPeopleOperation, { term: 'NA', who: 'others' })
    expect(found.documents.map((person) => person.$id)).not.toContain(ana.id)
    expect((await bea.call(searchPeopleOperation, { term: 'AN', who: 'others' })).documents).toMatchObject([
      { $id: ana.id },
    ])
    expect((await ana.call(searchPeopleOperation, { term: ' ', who: 'others' })).documents).toEqual([])
  })

  test('CHAT-08 the search finds a member by her username with @ and by her name with spaces around it', async () => {
    for (const term of [`@${bea.name.toLowerCase()}`, `  ${bea.name} `, `@@${bea.name.toLowerCase()}`])
      expect((await ana.call(searchPeopleOperation, { term, who: 'others' })).documents).toMatchObject([
        { $id: bea.id },
      ])
    expect((await ana.call(searchPeopleOperation, { term: '@', who: 'others' })).documents).toEqual([])
  })
})

describe('the list of conversations', () => {
  test("CHAT-14 CMSG-10 CMSG-13 a listed conversation shows its newest message's text, time and sender, and the newest conversation comes first", async () => {
    const eva = await w.join('Eva')
    const [withAna, withBea] = [await conversationBetween(eva, ana), await conversationBetween(eva, bea)]
    await bea.call(sendMessageOperation, { conversationId: withBea, content: 'antes' })
    await ana.call(sendMessageOperation, { conversationId: withAna, content: 'hola' })
    const sent = await eva.call(sendMessageOperation, { conversationId: withAna, content: 'buenas' })
    const { documents } = await eva.call(listConversationsOperation, { userId: eva.id })
    expect(documents.map((conversation) => conversation.$id)).toEqual([withAna, withBea])
    expect(documents[0]).toMatchObject({
      lastMessage: 'buenas',
      lastMessageTime: sent.$createdAt,
      lastMessageSender: eva.id,
      $updatedAt: sent.$createdAt,
    })
  })

  test('CHAT-31 opening a chat without writing lists no conversation; the first message lists it for both', async () => {
    const [ines, julia] = [await w.join('Ines'), await w.join('Julia')]
    const conversationId = await conversationBetween(ines, julia)
    const listed = async (who: MemberClient) =>
      (await who.call(listConversationsOperation, {})).documents.map((conversation) => conversation.$id)
    for (const who of [ines, julia]) expect(await listed(who)).toEqual([])
    expect((await julia.call(getConversationOperation, { conversationId })).$id).toBe(conversationId)
    await ines.call(sendMessageOperation, { conversationId, content: 'hola' })
    for (const who of [ines, julia]) expect(await listed(who)).toEqual([conversationId])
  })

  test("CHAT-15 the list shows the member's newest fifty conversations, and other members' conversations displace none", async () => {
    const fina = await w.join('Fina')
    const { rows } = await w.database.pool.query<{ public_id: string }>(
      `with strangers as (
         insert into accounts (public_id) select 'stranger' || n from generate_series(1, 60) n returning id, public_id
       ), crowd as (
         insert into users (public_id, account_id, name, username)
         select public_id, id, public_id, public_id from strangers order by id returning id
       ), hers as (
         insert into conversations (public_id, low_id, high_id, updated_at)
         select 'hers' || c.id, least(c.id, f.id), greatest(c.id, f.id), clock_timestamp() - c.id * interval '1 minute'
         from crowd c, users f where f.public_id = $1 returning public_id, updated_at
       ), others as (
         insert into conversations (public_id, low_id, high_id)
         select 'others' || a.id || 'x' || b.id, a.id, b.id from crowd a join crowd b on a.id < b.id
       )
       select public_id from hers order by updated_at desc`,
      [fina.id],
    )
    await w.database.pool.query(
      `insert into messages (public_id, conversation_id, sender_id, content)
       select 'said' || c.id, c.id, c.low_id, 'hola' from conversations c where c.public_id like 'hers%'`,
    )
    await w.database.pool.query(
      `update conversations c set updated_at = clock_timestamp() - places.place * interval '1 minute'
       from unnest($1::text[]) with ordinality as places (public_id, place) where c.public_id = places.public_id`,
      [rows.map((row) => row.public_id)],
    )
    const newest = rows.slice(0, 50).map((row) => row.public_id)
    const { documents } = await fina.call(listConversationsOperation, {})
    expect(documents.map((conversation) => conversation.$id)).toEqual(newest)
    expect(await fina.refusal(listConversationsOperation, { userId: ana.id })).toMatchObject({ code: 403 })
  })
})

describe('read marks', () => {
  test('CHAT-17 CHAT-30 CMSG-18 CMSG-16 the recipient has an unread dot until she reads; the sender has none and sees the read mark', async () => {
    const [gala, hila] = [await w.join('Gala'), await w.join('Hila')]
    const conversationId = await conversationBetween(gala, hila)
    const sent = await hila.call(sendMessageOperation, { conversationId, content: 'hola' })
    const unread = async (person: MemberClient) => [
      (await person.call(getConversationOperation, { conversationId })).unread,
      (await person.call(countUnreadConversationsOperation, {})).count,
    ]
    expect(await unread(gala)).toEqual([true, 1])
    expect(await unread(hila)).toEqual([false, 0])
    expect(sent.readBy).toEqual([hila.id])

    const changes = await describeRecordedChanges(w.database, [gala, hila], () =>
      gala.call(markConversationReadOperation, { conversationId }),
    )
    expect(changes).toEqual(['update conversations → Gala, Hila', 'update messages → Gala, Hila'])
    expect(await unread(gala)).toEqual([false, 0])
    const { documents } = await hila.call(listMessagesOperation, { conversationId })
    expect(documents[0]?.readBy).toEqual([hila.id, gala.id])
    expect(
      await describeRecordedChanges(w.database, [], () =>
        gala.call(markConversationReadOperation, { conversationId }),
      ),
    ).toEqual([])
  })

  test('a read mark covers earlier messages, never moves back, and does not cover later messages', async () => {
    const [ines, julia] = [await w.join('Ines'), await w.join('Julia')]
    const conversationId = await conversationBetween(ines, julia)
    const ids: string[] = []
    for (const content of ['uno', 'dos', 'tres']) {
      ids.push((await ines.call(sendMessageOperation, { conversationId, content })).$id)
    }
    const readers = async () =>
      (await ines.call(listMessagesOperation, { conversationId })).documents
        .toReversed()
        .map((m) => m.readBy.length)
    await julia.call(markConversationReadOperation, { conversationId, messageId: ids[1] as string })
    expect(await readers()).toEqual([2, 2, 1])
    expect(await julia.call(getConversationOperation, { conversationId })).toMatchObject({ unread: true })
    await julia.call(markConversationReadOperation, { conversationId, messageId: ids[0] as string })
    expect(await readers()).toEqual([2, 2, 1])
    await julia.call(markConversationReadOperation, { conversationId, userId: julia.id })
    expect(await readers()).toEqual([2, 2, 2])
    await julia.call(sendMessageOperation, { conversationId, content: 'cuatro' })
    expect(await julia.call(getConversationOperation, { conversationId })).toMatchObject({ unread: false })
    expect(await ines.call(getConversationOperation, { conversationId })).toMatchObject({ unread: true })
  })

  test('reading does not move a conversation up the list', async () => {
    const conversationId = await conversationBetween(ana, bea)
    await bea.call(sendMessageOperation, { conversationId, content: 'léeme' })
    const before = await ana.call(getConversationOperation, { conversationId })
    expect(await ana.call(markConversationReadOperation, { conversationId })).toMatchObject({
      $updatedAt: before.$updatedAt,
    })
  })

  test('marking as read accepts an empty conversation, and refuses messages and conversations of others', async () => {
    const kika = await w.join('Kika')
    const conversationId = await conversationBetween(ana, kika)
    expect(await kika.call(markConversationReadOperation, { conversationId })).toMatchObject({
      unread: false,
    })
    const elsewhere = await conversationBetween(bea, cleo)
    const { $id: messageId } = await bea.call(sendMessageOperation, {
      conversationId: elsewhere,
      content: 'x',
    })
    expect(await kika.refusal(markConversationReadOperation, { conversationId, messageId })).toMatchObject({
      code: 404,
      field: 'messageId',
    })
    expect(await kika.refusal(markConversationReadOperation, { conversationId: elsewhere })).toMatchObject({
      code: 404,
    })
    expect(
      await ana.refusal(markConversationReadOperation, { conversationId, userId: kika.id }),
    ).toMatchObject({
      code: 403,
    })
  })
})

describe('a conversation of other members', () => {
  test('CHAT-29 PERM-06 A01 A02 an outsider cannot read, list or write in a conversation', async () => {
    const conversationId = await conversationBetween(ana, bea)
    const { $id: messageId } = await ana.call(sendMessageOperation, { conversationId, content: 'secreto' })
    const unknown = await cleo.request('GET', '/v1/conversations/nothing')
    const hidden = await cleo.request('GET', `/v1/conversations/${conversationId}`)
    expect(hidden.status).toBe(404)
    expect(hidden.body).toEqual(unknown.body)
    expect(await cleo.refusal(listMessagesOperation, { conversationId })).toMatchObject({ code: 404 })
    expect(await cleo.refusal(sendMessageOperation, { conversationId, content: 'hola' })).toMatchObject({
      code: 404,
    })
    const own = await conversationBetween(cleo, bea)
    expect(
      await cleo.refusal(listMessagesOperation, { conversationId: own, before: messageId }),
    ).toMatchObject({
      code: 400,
      type: 'general_cursor_not_found',
    })
    const { documents } = await cleo.call(listConversationsOperation, {})
    expect(documents.map((conversation) => conversation.$id)).not.toContain(conversationId)
    expect(JSON.stringify(documents)).not.toContain('secreto')
  })
})

test('none of the tests above broke a database invariant', async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
})
