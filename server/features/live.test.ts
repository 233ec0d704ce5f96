import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { markRead, openConversation, sendMessage } from '#contract/chat.ts'
import { leaveGroup } from '#contract/group-members.ts'
import { catchUp, liveCollections } from '#contract/live.ts'
import { deletePost } from '#contract/posts.ts'
import { admit, groupOf, postIn } from '#tests/groups.ts'
import { positionNow } from '#tests/position.ts'
import { type Person, type World, world } from '#tests/world.ts'

let w: World
let ana: Person
let bea: Person
let eva: Person
beforeAll(async () => {
  w = await world()
  ana = await w.join('Ana')
  bea = await w.join('Bea')
  eva = await w.join('Eva')
})
afterAll(() => w.end())

const now = (person: Person) => positionNow(w.database, person)
const chat = 'messages,conversations'
const talkOf = async (one: Person, two: Person) =>
  (await one.call(openConversation, { personId: two.id })).$id

describe('catching up', () => {
  test('without a position it only says where the stream stands', async () => {
    expect(await ana.call(catchUp, {})).toEqual({
      changes: [],
      position: expect.stringMatching(/^\w+\.\w+$/),
      resync: false,
    })
  })

  test('brings what she missed as it stands now, each document once, oldest first', async () => {
    const talk = await talkOf(ana, bea)
    const since = await now(bea)
    const sent: string[] = []
    for (const content of ['uno', 'dos', 'tres']) {
      sent.push((await ana.call(sendMessage, { conversationId: talk, content })).$id)
    }
    const missed = await bea.call(catchUp, { since, collections: chat })
    expect(missed.resync).toBe(false)
    const messages = missed.changes.filter(({ collection }) => collection === 'messages')
    expect(messages.map(({ kind, document }) => [kind, document.$id, document.content])).toEqual([
      ['create', sent[0], 'uno'],
      ['create', sent[1], 'dos'],
      ['create', sent[2], 'tres'],
    ])
    expect(missed.changes.filter(({ collection }) => collection === 'conversations')).toMatchObject([
      { kind: 'update', document: { $id: talk, lastMessage: 'tres' } },
    ])
    await bea.call(markRead, { conversationId: talk })
    const { changes } = await ana.call(catchUp, { since: missed.position, collections: 'messages' })
    const last = changes.find(({ document }) => document.$id === sent[2])
    expect(last?.document.readBy).toEqual([ana.id, bea.id])
  })

  test('five hundred messages come in one answer', async () => {
    const talk = await talkOf(ana, bea)
    const since = await now(bea)
    await w.database.pool.query(
      `with sent as (
         insert into messages (public_id, conversation_id, sender_id, content)
         select 'bulk' || n, c.id, u.id, 'm' || n from generate_series(1, 500) n, conversations c, users u
         where c.public_id = $1 and u.public_id = $2 returning id, public_id, conversation_id)
       insert into changes (collection, kind, row_id, public_id, member_ids)
       select 'messages', 'create', s.id, s.public_id, array[c.low_id, c.high_id]
       from sent s join conversations c on c.id = s.conversation_id order by s.id`,
      [talk, ana.id],
    )
    const { changes, resync } = await bea.call(catchUp, { since })
    expect(resync).toBe(false)
    expect(changes.map(({ document }) => document.content)).toEqual(
      Array.from({ length: 500 }, (_, n) => `m${n + 1}`),
    )
  })

  test('PERM-06 R01 eva catches up with nothing of ana and bea', async () => {
    const talk = await talkOf(ana, bea)
    const since = await now(eva)
    await ana.call(sendMessage, { conversationId: talk, content: 'secreto' })
    const { changes } = await eva.call(catchUp, { since })
    expect(changes).toEqual([])
  })

  test('R10 a new member gets nothing from before she was in the group', async () => {
    const group = await groupOf(ana)
    const since = await now(eva)
    const before = await postIn(w.database, ana, group)
    await admit(ana, eva, group)
    const after = await postIn(w.database, ana, group)
    const { changes } = await eva.call(catchUp, { since, collections: 'posts' })
    const posts = changes.map(({ document }) => document.$id)
    expect(posts).toContain(after)
    expect(posts).not.toContain(before)
  })

  test('R04 what was deleted comes as a delete to those who could read it, and not to eva', async () => {
    const group = await groupOf(ana, bea)
    const post = await postIn(w.database, ana, group)
    const [hers, strangers] = [await now(bea), await now(eva)]
    await ana.call(deletePost, { postId: post })
    const { changes } = await bea.call(catchUp, { since: hers, collections: 'posts' })
    expect(changes).toMatchObject([{ kind: 'delete', document: { $id: post, groupId: group } }])
    expect((await eva.call(catchUp, { since: strangers, collections: 'posts' })).changes).toEqual([])
  })

  test('what she lost sight of is a delete, though it is still there', async () => {
    const group = await groupOf(ana, bea)
    const post = await postIn(w.database, ana, group)
    const since = await now(bea)
    await bea.call(leaveGroup, { groupId: group })
    const { changes } = await bea.call(catchUp, { since, collections: 'posts' })
    expect(changes).toMatchObject([{ kind: 'delete', document: { $id: post } }])
  })

  test('what came and went while she was away she can do without, but is told', async () => {
    const since = await now(bea)
    const post = await postIn(w.database, ana, null)
    await ana.call(deletePost, { postId: post })
    const { changes } = await bea.call(catchUp, { since, collections: 'posts' })
    expect(changes.map(({ kind, document }) => [kind, document.$id])).toEqual([['delete', post]])
  })
})

describe('resync', () => {
  test('after three days she still catches up; after a week she loads anew', async () => {
    const talk = await talkOf(ana, bea)
    await w.database.pool.query(`update migrations set applied_at = applied_at - interval '30 days'`)
    const since = await now(bea)
    await ana.call(sendMessage, { conversationId: talk, content: 'hace días' })
    const [xid, at] = since.split('.') as [string, string]
    const aged = (days: number) => `${xid}.${(Number.parseInt(at, 36) - days * 24 * 3600_000).toString(36)}`
    const threeDays = await bea.call(catchUp, { since: aged(3), collections: 'messages' })
    expect(threeDays.changes.map(({ document }) => document.content)).toEqual(['hace días'])
    expect(await bea.call(catchUp, { since: aged(7) })).toMatchObject({ changes: [], resync: true })
  })

  test('a position of another database, or too many changes, ask for it too', async () => {
    const since = await now(bea)
    const [, at] = since.split('.')
    expect(await bea.call(catchUp, { since: `zzzzzzzzzz.${at}` })).toMatchObject({
      changes: [],
      resync: true,
    })
    await w.database.pool.query(
      `insert into changes (collection, kind, row_id, public_id)
       select 'posts', 'update', 1, 'p' || n from generate_series(1, 1001) n`,
    )
    expect(await bea.call(catchUp, { since })).toMatchObject({ changes: [], resync: true })
    expect(await bea.call(catchUp, { since, collections: chat })).toMatchObject({ resync: false })
  })
})

describe('what is refused', () => {
  test.each(['', 'x', 'a.b.c', "1'.2", '../..'])('%j is no position', async (since) => {
    expect(await ana.refusal(catchUp, { since })).toMatchObject({
      code: 400,
      type: 'general_argument_invalid',
      field: 'since',
    })
  })

  test('a collection that is not there is named as wrong', async () => {
    expect(await ana.refusal(catchUp, { collections: 'messages,accounts' })).toMatchObject({
      code: 400,
      field: 'collections',
    })
  })

  test('a visitor cannot', async () => {
    expect(await w.visitor.refusal(catchUp, {})).toMatchObject({ code: 401 })
  })

  test('the nine collections are the contract’s', async () => {
    const { collections } = await import('#server/collections.ts')
    expect([...liveCollections].sort()).toEqual(Object.keys(collections).sort())
  })
})
