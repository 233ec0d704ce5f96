import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { markConversationReadOperation, openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { collectionNames } from '#contract/collection-names.ts'
import { leaveGroupOperation } from '#contract/groups/group-members.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import { followOperation, updateProfileOperation } from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import { deletePostOperation } from '#contract/posts/posts.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import { loadPositionSeal } from '#server/realtime/position-seal.ts'
import type { ChangeLogPosition } from '#server/store/change-log-reader.ts'
import { extractMessagesFromChanges, waitForChangePosition } from '#tests/support/change-log-position.ts'
import {
  admitMemberToGroup,
  createGroupWithMembers,
  createPostInGroup,
} from '#tests/support/group-factory.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let eva: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
  bea = await w.join('Bea')
  eva = await w.join('Eva')
  await bea.call(followOperation, { personId: ana.id })
})
afterAll(() => w.end())

const now = (person: MemberClient) => waitForChangePosition(w.database, person)
const chat = 'messages,conversations'
const conversationBetween = async (one: MemberClient, two: MemberClient) =>
  (await one.call(openConversationOperation, { personId: two.id })).$id

describe('catching up', () => {
  test('catching up without a position returns only the current position', async () => {
    expect(await ana.call(catchUpOperation, {})).toEqual({
      changes: [],
      position: expect.stringMatching(/^[\w-]{59}$/),
      resync: false,
    })
  })

  test('catching up returns missed changes in their current state, each document once, oldest first', async () => {
    const conversation = await conversationBetween(ana, bea)
    const since = await now(bea)
    const sent: string[] = []
    for (const content of ['uno', 'dos', 'tres']) {
      sent.push((await ana.call(sendMessageOperation, { conversationId: conversation, content })).$id)
    }
    const missed = await bea.call(catchUpOperation, { since, collections: chat })
    expect(missed.resync).toBe(false)
    const messages = missed.changes.filter(({ collection }) => collection === 'messages')
    expect(messages.map(({ kind }) => kind)).toEqual(['create', 'create', 'create'])
    expect(extractMessagesFromChanges(messages).map(({ $id, content }) => [$id, content])).toEqual([
      [sent[0], 'uno'],
      [sent[1], 'dos'],
      [sent[2], 'tres'],
    ])
    expect(missed.changes.filter(({ collection }) => collection === 'conversations')).toEqual([
      { collection: 'conversations', kind: 'update', document: { $id: conversation } },
    ])
    await bea.call(markConversationReadOperation, { conversationId: conversation })
    const { changes } = await ana.call(catchUpOperation, { since: missed.position, collections: 'messages' })
    const last = extractMessagesFromChanges(changes).find(({ $id }) => $id === sent[2])
    expect(last?.readBy).toEqual([ana.id, bea.id])
  })

  test('BLK-20 catching up without a position returns changes since the page began to load, and slightly earlier ones', async () => {
    const gone = await w.join('Zoe')
    await gone.call(blockMemberOperation, { personId: eva.id })
    const { changes, resync } = await eva.call(catchUpOperation, { ago: 5, collections: 'users' })
    expect(resync).toBe(false)
    expect(changes).toContainEqual({ collection: 'users', kind: 'delete', document: { $id: gone.id } })
    await w.database.pool.query("update changes set created_at = created_at - interval '1 minute'")
    const later = await w.join('Ada')
    const recent = (await eva.call(catchUpOperation, { ago: 5, collections: 'users' })).changes
    expect(recent.map(({ document }) => document.$id)).toContain(later.id)
    for (const ago of [0, 601, 'x']) {
      const { status } = await eva.request('GET', `/v1/live/changes?ago=${ago}`)
      expect([ago, status]).toEqual([ago, 400])
    }
  })

  test('five hundred missed messages come in one response', async () => {
    const conversation = await conversationBetween(ana, bea)
    const since = await now(bea)
    await w.database.pool.query(
      `with sent as (
         insert into messages (public_id, conversation_id, sender_id, content)
         select 'bulk' || n, c.id, u.id, 'm' || n from generate_series(1, 500) n, conversations c, users u
         where c.public_id = $1 and u.public_id = $2 returning id, public_id, conversation_id)
       insert into changes (collection, kind, row_id, public_id, member_ids)
       select 'messages', 'create', s.id, s.public_id, array[c.low_id, c.high_id]
       from sent s join conversations c on c.id = s.conversation_id order by s.id`,
      [conversation, ana.id],
    )
    const { changes, resync } = await bea.call(catchUpOperation, { since })
    expect(resync).toBe(false)
    expect(extractMessagesFromChanges(changes).map(({ content }) => content)).toEqual(
      Array.from({ length: 500 }, (_, n) => `m${n + 1}`),
    )
  })

  test("PERM-06 R01 eva's catch-up contains nothing about ana and bea", async () => {
    const conversation = await conversationBetween(ana, bea)
    const since = await now(eva)
    await ana.call(sendMessageOperation, { conversationId: conversation, content: 'secreto' })
    const { changes } = await eva.call(catchUpOperation, { since })
    expect(changes).toEqual([])
  })

  test("R10 a new member's catch-up contains nothing from before she joined the group", async () => {
    const group = await createGroupWithMembers(ana)
    const since = await now(eva)
    const before = await createPostInGroup(w.database, ana, group)
    await admitMemberToGroup(ana, eva, group)
    const after = await createPostInGroup(w.database, ana, group)
    const { changes } = await eva.call(catchUpOperation, { since, collections: 'posts' })
    const posts = changes.map(({ document }) => document.$id)
    expect(posts).toContain(after)
    expect(posts).not.toContain(before)
  })

  test('R04 catch-up sends deletions to members who could read the row, and not to eva', async () => {
    const group = await createGroupWithMembers(ana, bea)
    const post = await createPostInGroup(w.database, ana, group)
    const [hers, strangers] = [await now(bea), await now(eva)]
    await ana.call(deletePostOperation, { postId: post })
    const { changes } = await bea.call(catchUpOperation, { since: hers, collections: 'posts' })
    expect(changes).toMatchObject([{ kind: 'delete', document: { $id: post, groupId: group } }])
    expect((await eva.call(catchUpOperation, { since: strangers, collections: 'posts' })).changes).toEqual([])
  })

  test('a row that the member can no longer see arrives as a deletion', async () => {
    const group = await createGroupWithMembers(ana, bea)
    const post = await createPostInGroup(w.database, ana, group)
    const since = await now(bea)
    await bea.call(leaveGroupOperation, { groupId: group })
    const { changes } = await bea.call(catchUpOperation, { since, collections: 'posts' })
    expect(changes).toMatchObject([{ kind: 'delete', document: { $id: post } }])
  })

  test('a row created and deleted while the member was away arrives as a deletion, which she can ignore', async () => {
    const since = await now(bea)
    const post = await createPostInGroup(w.database, ana, null)
    await ana.call(deletePostOperation, { postId: post })
    const { changes } = await bea.call(catchUpOperation, { since, collections: 'posts' })
    expect(changes.map(({ kind, document }) => [kind, document.$id])).toEqual([['delete', post]])
  })
})

describe('reloading instead of catching up', () => {
  test('catching up works after three days, but after a week the client reloads', async () => {
    const conversation = await conversationBetween(ana, bea)
    await w.database.pool.query(`update migrations set applied_at = applied_at - interval '30 days'`)
    const since = await now(bea)
    await ana.call(sendMessageOperation, { conversationId: conversation, content: 'hace días' })
    const seal = await loadPositionSeal(w.database.kysely)
    const stood = seal.open(since) as ChangeLogPosition
    const aged = (days: number) => seal.seal({ xid: stood.xid, at: stood.at - days * 24 * 3600_000 })
    const threeDays = await bea.call(catchUpOperation, { since: aged(3), collections: 'messages' })
    expect(extractMessagesFromChanges(threeDays.changes).map(({ content }) => content)).toEqual(['hace días'])
    expect(await bea.call(catchUpOperation, { since: aged(7) })).toMatchObject({ changes: [], resync: true })
  })

  test('a position of another database and too many changes also make the client reload', async () => {
    const since = await now(bea)
    const seal = await loadPositionSeal(w.database.kysely)
    const { at = 0 } = seal.open(since) ?? {}
    expect(await bea.call(catchUpOperation, { since: seal.seal({ xid: 2n ** 62n, at }) })).toMatchObject({
      changes: [],
      resync: true,
    })
    await recordUpdates('posts', await createPostInGroup(w.database, ana, null), 1001)
    expect(await bea.call(catchUpOperation, { since })).toMatchObject({ changes: [], resync: true })
    expect(await bea.call(catchUpOperation, { since, collections: chat })).toMatchObject({ resync: false })
  })
})

const recordUpdates = (table: 'posts' | 'users', id: string, count: number) =>
  w.database.pool.query(
    `insert into changes (collection, kind, row_id, public_id)
     select '${table}', 'update', t.id, t.public_id from ${table} t, generate_series(1, $2) where t.public_id = $1`,
    [id, count],
  )

describe('changes that the caller cannot read do not affect catch-up', () => {
  const meetBlocked = async () => {
    const [eve, ivy] = [await w.join('Eve'), await w.join('Ivy')]
    await ivy.call(blockMemberOperation, { personId: eve.id })
    return { eve, ivy, hidden: await createPostInGroup(w.database, ivy, null) }
  }

  test('PERM-06 a change by a member who blocked the caller does not count towards the catch-up limit', async () => {
    const { eve, ivy } = await meetBlocked()
    const since = await now(eve)
    await recordUpdates('users', eve.id, 1000)
    const mine = [{ collection: 'users', kind: 'update', document: { $id: eve.id } }]
    const before = await eve.call(catchUpOperation, { since, collections: 'users,posts' })
    await createPostInGroup(w.database, ivy, null)
    await ivy.call(updateProfileOperation, { personId: ivy.id, bio: 'hola' })
    const after = await eve.call(catchUpOperation, { since, collections: 'users,posts' })
    expect([before, after].map(({ changes, resync }) => ({ changes, resync }))).toEqual([
      { changes: mine, resync: false },
      { changes: mine, resync: false },
    ])
    await recordUpdates('users', eve.id, 1)
    expect(await eve.call(catchUpOperation, { since, collections: 'users' })).toMatchObject({ resync: true })
  })

  test("PERM-06 a private account's posts do not count towards a stranger's catch-up limit", async () => {
    const [eve, ivy] = [await w.join('Eve'), await w.join('Ivy')]
    await ivy.call(updatePrivacySettingsOperation, { isPrivate: true })
    const hidden = await createPostInGroup(w.database, ivy, null)
    const since = await now(eve)
    await recordUpdates('posts', hidden, 1500)
    expect(await eve.call(catchUpOperation, { since })).toMatchObject({ changes: [], resync: false })
  })

  test('catch-up returns readable changes in order before, between and after thousands of hidden changes', async () => {
    const { eve, hidden } = await meetBlocked()
    const since = await now(eve)
    const kept = await createPostInGroup(w.database, ana, null)
    const removed = await createPostInGroup(w.database, ana, null)
    await recordUpdates('posts', hidden, 1500)
    const between = await createPostInGroup(w.database, ana, null)
    await ana.call(deletePostOperation, { postId: removed })
    await recordUpdates('posts', hidden, 1500)
    await recordUpdates('posts', kept, 1)
    const last = await createPostInGroup(w.database, ana, null)
    const { changes, resync } = await eve.call(catchUpOperation, { since, collections: 'posts' })
    expect(resync).toBe(false)
    expect(changes.map(({ kind, document }) => [kind, document.$id])).toEqual([
      ['create', kept],
      ['create', between],
      ['delete', removed],
      ['create', last],
    ])
  })
})

describe('R15 responses of bounded size, one at a time', () => {
  const write = async (from: MemberClient, conversation: string, content: string, count: number) =>
    w.database.pool.query(
      `with sent as (
         insert into messages (public_id, conversation_id, sender_id, content)
         select $4 || n, c.id, u.id, $3 from generate_series(1, $5) n, conversations c, users u
         where c.public_id = $1 and u.public_id = $2 returning id, public_id, conversation_id)
       insert into changes (collection, kind, row_id, public_id, member_ids)
       select 'messages', 'create', s.id, s.public_id, array[c.low_id, c.high_id]
       from sent s join conversations c on c.id = s.conversation_id order by s.id`,
      [conversation, from.id, content, `long${content.length}`, count],
    )

  test('beyond a megabyte of changes the client reloads instead, and the position advances', async () => {
    const conversation = await conversationBetween(ana, bea)
    const since = await now(bea)
    await write(ana, conversation, 'ñ'.repeat(4000), 110)
    const within = await bea.ask(catchUpOperation, { since, collections: 'messages' })
    expect((within.body as { changes: unknown[] }).changes).toHaveLength(110)
    expect(within.raw.length).toBeLessThan(1_000_000)
    await write(ana, conversation, 'ñ'.repeat(3999), 20)
    let answer = await bea.call(catchUpOperation, { since, collections: 'messages' })
    expect(answer).toMatchObject({ changes: [], resync: true })
    // A transaction of another database in the same PostgreSQL may delay the position, so changes may be
    // repeated.
    await waitFor(async () => {
      answer = await bea.call(catchUpOperation, { since: answer.position, collections: 'messages' })
      expect(answer.resync).toBe(false)
    })
  })

  test('catching up on many deleted and many existing rows takes a few statements', async () => {
    const since = await now(bea)
    const posts = await Promise.all(Array.from({ length: 5 }, () => createPostInGroup(w.database, ana, null)))
    for (const postId of posts.slice(2)) await ana.call(deletePostOperation, { postId })
    const { changes } = await bea.call(catchUpOperation, { since, collections: 'posts' })
    const expected = posts.map((post, n) => [post, n < 2 ? 'create' : 'delete'])
    expect(changes.map(({ kind, document }) => [document.$id, kind]).toSorted()).toEqual(expected.toSorted())
  })

  /** The database delays the first catch-up until two others are refused. */
  async function catchUpInCrowd(): Promise<number[]> {
    const since = await now(bea)
    const blocking = await w.database.pool.connect()
    const answers: ReturnType<typeof bea.ask>[] = []
    try {
      await blocking.query('begin')
      await blocking.query('lock table changes in access exclusive mode')
      let answered = 0
      const ask = () =>
        bea.ask(catchUpOperation, { since }).finally(() => {
          answered += 1
        })
      answers.push(...Array.from({ length: 13 }, ask))
      const running = async () => {
        const { rows } = await blocking.query<{ count: number }>(
          `select count(*)::int as count from pg_locks
           where not granted and relation = 'changes'::regclass and database = (select oid from pg_database where datname = current_database())`,
        )
        return rows[0]?.count
      }
      await expect.poll(() => answered).toBe(2)
      // Live delivery may also wait, so the number can be higher.
      // Eleven responses prove that one request ran and ten waited.
      await expect.poll(running).toBeGreaterThanOrEqual(1)
      await blocking.query('commit')
    } finally {
      blocking.release(true)
    }
    return (await Promise.all(answers)).map(({ status }) => status).toSorted()
  }

  test('a member catches up once at a time: ten more requests wait, and further requests get 429', async () => {
    expect(await catchUpInCrowd()).toEqual([...Array(11).fill(200), 429, 429])
  })
})

describe('refusals', () => {
  test.each(['', 'x', 'a.b.c', "1'.2", '../../..', '2s.mhwzq1xs', 'A'.repeat(59), 'ñ'.repeat(64)])(
    'RT-13 the unknown position %j makes the client reload',
    async (since) => {
      expect(await ana.call(catchUpOperation, { since })).toMatchObject({ changes: [], resync: true })
    },
  )

  test('an unknown collection is refused, naming the field', async () => {
    expect(await ana.refusal(catchUpOperation, { collections: 'messages,accounts' })).toMatchObject({
      code: 400,
      field: 'collections',
    })
  })

  test('a visitor cannot catch up', async () => {
    expect(await w.visitor.refusal(catchUpOperation, {})).toMatchObject({ code: 401 })
  })

  test('catch-up supports exactly the collections of the contract', async () => {
    const { collectionDefinitionsByName } = await import('#server/store/collection-definitions.ts')
    expect([...collectionNames].sort()).toEqual(Object.keys(collectionDefinitionsByName).sort())
  })
})
