import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { signInOperation } from '#contract/account/sign-up-and-sign-in.ts'
import {
  countNotificationsOperation,
  listNotificationsOperation,
} from '#contract/notifications/notifications.ts'
import { likePostOperation } from '#contract/posts/posts.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createGroupWithMembers, createPostInGroup } from '#tests/support/group-factory.ts'
import {
  describeNotification,
  readNotifications,
  settleNotifications,
} from '#tests/support/settle-notifications.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

const w: TestWorld = await createTestWorld()
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

let ana: MemberClient
let bea: MemberClient
let cora: MemberClient
beforeEach(async () => {
  ;[ana, bea, cora] = await Promise.all([w.join('Ana'), w.join('Bea'), w.join('Cora')])
})

const postOf = (author: MemberClient, group: string | null = null) =>
  createPostInGroup(w.database, author, group)
const like = (who: MemberClient, postId: string) => who.call(likePostOperation, { postId })
const list = (who: MemberClient) => readNotifications(w.database, who)
const saysTo = async (who: MemberClient) => (await list(who)).map(describeNotification)
const countsOf = async (who: MemberClient) => {
  await settleNotifications(w.database)
  return who.call(countNotificationsOperation, {})
}
/** Inserts rows without the usual statement timeout. */
const insertMany = async (text: string, values: unknown[]) => {
  const client = await w.database.pool.connect()
  try {
    await client.query('begin')
    await client.query('set local statement_timeout = 0')
    await client.query(text, values)
    await client.query('commit')
  } finally {
    client.release()
  }
}
const changesOfNotifications = async () => {
  const { rows } = await w.database.pool.query(
    `select count(*)::int as count from changes where collection = 'notifications'`,
  )
  return rows[0].count as number
}

test('NOT-02 580 likes create one row, whose displayed number stops at a hundred', async () => {
  const post = await postOf(ana)
  await insertMany(
    `with fans as (
       insert into accounts (public_id, email) select 'fan' || n || $1::text, 'fan' || n || $1::text || '@example.org'
       from generate_series(1, 580) n returning id, public_id
     ), people as (
       insert into users (public_id, account_id, name, username) select public_id, id, 'Fan', 'f' || id from fans returning id
     ), liked as (
       insert into post_likes (post_id, user_id) select p.id, people.id from posts p, people where p.public_id = $2 returning *
     )
     insert into changes (collection, kind, row_id, public_id, state)
     select 'posts', 'update', l.post_id, $2, jsonb_build_object('caused_by', jsonb_build_array(l.user_id)) from liked l`,
    [ana.id.slice(0, 8), post],
  )
  const rows = await list(ana)
  expect(rows.map(({ kind, count, people }) => [kind, count, people.length])).toEqual([['like', 100, 2]])
})

describe('limits', () => {
  test('NOT-12 the pages of notifications contain each one once, and a cursor beyond the end returns an empty page', async () => {
    const posts = await Promise.all(Array.from({ length: 7 }, () => postOf(ana)))
    for (const post of posts) await like(bea, post)
    await settleNotifications(w.database)
    const found: string[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await ana.call(listNotificationsOperation, { ...(cursor && { cursor }), limit: 2 })
      found.push(...page.documents.map(({ post }) => post?.$id ?? ''))
      if (page.next === null) break
      cursor = page.next
    }
    expect(found).toEqual(posts.toReversed())
    expect((await ana.call(listNotificationsOperation, { limit: 100 })).next).toBeNull()
    const far = await ana.call(listNotificationsOperation, { cursor: '0' })
    expect(far).toEqual({ documents: [], next: null })
  })

  /** Each post gets its own notification. */
  const likeManyPosts = async (author: MemberClient, liker: MemberClient, count: number) => {
    batches += 1
    await insertMany(
      `with pictures as (
         insert into files (public_id, owner_id, state, purpose, name, storage_key, announced_size, size, chunks_total, mime_type,
           signature, sha256, width, height, thumbhash)
         select 'f' || n || '-' || $4::int || left($1::text, 8), u.id, 'attached', 'post', 'foto.jpg', md5(random()::text), 9, 9, 1, 'image/jpeg',
           md5(random()::text), sha256('x'), 4, 3, 'pixels'::bytea
         from users u, generate_series(1, $3::int) n where u.public_id = $1 returning id, owner_id
       ), made as (
         insert into posts (public_id, creator_id, caption, location, image_id)
         select 'p' || id || '-' || left($1::text, 8), owner_id, 'x', 'x', id from pictures returning id
       ), liked as (
         insert into post_likes (post_id, user_id) select made.id, u.id from made, users u where u.public_id = $2 returning *
       )
       insert into changes (collection, kind, row_id, public_id, state)
       select 'posts', 'update', l.post_id, $1, jsonb_build_object('caused_by', jsonb_build_array(l.user_id)) from liked l`,
      [author.id, liker.id, count, batches],
    )
    await settleNotifications(w.database)
  }
  let batches = 0

  test('a member keeps 500 notification rows; older rows are removed in batches of fifty', async () => {
    await likeManyPosts(ana, bea, 620)
    const { rows } = await w.database.pool.query(
      'select count(*)::int as kept from notifications n join users u on u.id = n.user_id where u.public_id = $1',
      [ana.id],
    )
    expect(rows[0]).toEqual({ kept: 500 })
    const answer = await ana.request('GET', '/v1/notifications')
    expect(Buffer.byteLength(answer.raw ?? '')).toBeLessThan(20_000)
    expect(await countsOf(ana)).toMatchObject({ unseen: 100 })
  })

  test("later notifications never push a new-device notice out of ana's list", async () => {
    await w.visitor.call(signInOperation, { email: ana.email, password: testPassword })
    expect(await saysTo(ana)).toEqual(['new-device'])
    await likeManyPosts(ana, bea, 620)
    await w.database.pool.query(
      'delete from post_likes l using users u where u.id = l.user_id and u.public_id = $1',
      [bea.id],
    )
    expect(await saysTo(ana)).toEqual(['new-device'])
  })

  test('notifications without a visible name are removed before notifications with a name', async () => {
    await like(cora, await postOf(ana))
    await likeManyPosts(ana, bea, 400)
    await w.database.pool.query(
      'delete from post_likes l using users u where u.id = l.user_id and u.public_id = $1',
      [bea.id],
    )
    expect(await saysTo(ana)).toEqual(['Cora like'])
    await likeManyPosts(ana, bea, 220)
    const { documents } = await ana.call(listNotificationsOperation, { limit: 100 })
    expect(documents.map(describeNotification)).toEqual(Array(100).fill('Bea like'))
    await w.database.pool.query(
      'delete from post_likes l using users u where u.id = l.user_id and u.public_id = $1',
      [bea.id],
    )
    expect(await saysTo(ana)).toEqual(['Cora like'])
  })

  test('a hundred new-device notifications are kept, no matter how many sign-ins follow', async () => {
    await insertMany(
      `insert into changes (collection, kind, row_id, public_id, account_id, state)
       select 'sessions', 'create', -n, 'made' || n, a.id, '{"new_device": "Mozilla/5.0"}'
       from generate_series(1, 620) n, accounts a where a.public_id = $1`,
      [ana.accountId],
    )
    await settleNotifications(w.database)
    const { rows } = await w.database.pool.query(
      'select count(*)::int as kept from notifications n join users u on u.id = n.user_id where u.public_id = $1',
      [ana.id],
    )
    expect(rows[0]).toEqual({ kept: 100 })
  })

  test("NOT-16 a post in a group of thousands writes no notification row, yet every member's list shows it", async () => {
    const group = await createGroupWithMembers(ana, bea)
    const setMembers = (count: string) =>
      w.database.pool.query(`update groups set member_count = ${count} where public_id = $1`, [group])
    await setMembers('member_count + 5000')
    await settleNotifications(w.database)
    const post = await postOf(ana, group)
    await settleNotifications(w.database)
    const { rows } = await w.database.pool.query(
      `select count(*)::int as written from notifications n join groups g on g.id = n.group_id
       where g.public_id = $1 and n.kind = 'group-post'`,
      [group],
    )
    expect(rows[0]).toEqual({ written: 0 })
    expect(await list(bea)).toMatchObject([
      { kind: 'group-post', post: { $id: post } },
      { kind: 'join-approved' },
    ])
    const [row] = await list(bea)
    expect((await list(bea))[0]?.seq).toBe(row?.seq)
    await postOf(ana, group)
    await settleNotifications(w.database)
    const changesBefore = await changesOfNotifications()
    const lists = await Promise.all(Array.from({ length: 5 }, () => bea.call(listNotificationsOperation, {})))
    expect(new Set(lists.map(({ documents }) => documents[0]?.seq))).toEqual(new Set([(row?.seq ?? 0) + 1]))
    expect(await changesOfNotifications()).toBe(changesBefore)
    await setMembers('member_count - 5000')
  })
})
