import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createCommentOperation, deleteCommentOperation } from '#contract/comments/comments.ts'
import { leaveGroupOperation } from '#contract/groups/group-members.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import { muteMemberOperation } from '#contract/people/mutes-and-restrictions.ts'
import { followOperation } from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import {
  createPostOperation,
  deletePostOperation,
  explorePostsOperation,
  likePostOperation,
  type Post,
  savePostOperation,
  unlikePostOperation,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import { captureSqlStatements } from '#server/database/prepared-statements.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createGroupWithMembers, insertUploadedImageRow } from '#tests/support/group-factory.ts'
import { settleNotifications } from '#tests/support/settle-notifications.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'
import { rankTrendingPosts } from './rank-trending-posts.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let carla: MemberClient
/** These members only like and comment. */
const readers: MemberClient[] = []
beforeAll(async () => {
  w = await createTestWorld()
  ;[ana, bea, carla] = [await w.join('Ana'), await w.join('Bea'), await w.join('Carla')]
  for (let n = 0; n < 12; n += 1) readers.push(await w.join(`Lectora${n}`))
  // The worker's next ranking would come five minutes later.
  await waitFor(async () => expect(await query('select from trending_rankings')).not.toEqual([]))
})
beforeEach(async () => {
  await w.database.pool.query('truncate trending_rankings cascade')
  await w.database.pool.query(`update post_likes set created_at = created_at - interval '30 days'`)
  await w.database.pool.query(`update comments set created_at = created_at - interval '30 days'`)
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

const query = async (text: string, values: unknown[] = []) => (await w.database.pool.query(text, values)).rows
const rank = () => rankTrendingPosts(w.database.kysely)

type Made = { likes?: number; comments?: number; hours?: number; groupId?: string }

async function publish(
  who: MemberClient,
  { likes = 0, comments = 0, hours = 0, groupId }: Made,
): Promise<Post> {
  const imageId = await insertUploadedImageRow(w.database, who)
  const post = await who.call(createPostOperation, {
    caption: `${likes} y ${comments}`,
    location: 'Aquí',
    tags: [],
    imageId,
    groupId: groupId ?? null,
  })
  const postId = post.$id
  if (groupId) await insertReactions(postId, likes, comments)
  else {
    for (const reader of readers.slice(0, likes)) await reader.call(likePostOperation, { postId })
    for (const reader of readers.slice(0, comments))
      await reader.call(createCommentOperation, { postId, content: 'Qué bonito' })
  }
  await query(
    `update posts set created_at = created_at - $2 * interval '1 hour', updated_at = updated_at - $2 * interval '1 hour',
      shared_at = shared_at - $2 * interval '1 hour' where public_id = $1`,
    [postId, hours],
  )
  return post
}

const insertReactions = async (postId: string, likes: number, comments: number) => {
  const of = (count: number) => readers.slice(0, count).map(({ id }) => id)
  await query(
    `insert into post_likes (post_id, user_id) select p.id, u.id from posts p, users u
      where p.public_id = $1 and u.public_id = any($2)`,
    [postId, of(likes)],
  )
  await query(
    `insert into comments (public_id, post_id, author_id, content) select $1 || '.' || u.id, p.id, u.id, 'Sí' from posts p, users u
      where p.public_id = $1 and u.public_id = any($2)`,
    [postId, of(comments)],
  )
}

const list = (who: MemberClient, page: { limit?: number; cursor?: string } = {}) =>
  who.call(explorePostsOperation, { order: 'loved', limit: 100, ...page })
const loved = async (who: MemberClient) => (await list(who)).documents.map(({ $id }) => $id)
const ids = (posts: readonly Post[]) => posts.map(({ $id }) => $id)

/** Publishes posts with fewer reactions than the tested posts. */
async function publishFiller(count: number, hours = 200): Promise<Post[]> {
  const posts: Post[] = []
  for (let n = 0; n < count; n += 1)
    posts.push(await publish(readers[n] as MemberClient, { likes: 12, hours: hours + n }))
  return posts
}

test('TREND-02 trending posts follow the formula in the same order for everyone, as far as each reader can read them', async () => {
  const group = await createGroupWithMembers(bea)
  // The score is (likers + 2 · commenters) / (hours + 12) ^ 1.2, without the author's actions.
  const given: [Made, number][] = [
    [{ likes: 10, comments: 2, hours: 0 }, 14 / 12 ** 1.2],
    [{ likes: 12, comments: 8, hours: 20 }, 28 / 32 ** 1.2],
    [{ likes: 0, comments: 4, hours: 2 }, 8 / 14 ** 1.2],
    [{ likes: 6, hours: 0 }, 6 / 12 ** 1.2],
    [{ likes: 12, comments: 12, hours: 60 }, 36 / 72 ** 1.2],
    [{ likes: 2, comments: 1, hours: 8 }, 4 / 20 ** 1.2],
    [{ likes: 5, hours: 5 }, 5 / 17 ** 1.2],
    [{ likes: 1, hours: 1 }, 1 / 13 ** 1.2],
    [{ likes: 8, hours: 40 }, 8 / 52 ** 1.2],
    [{ likes: 12, comments: 12, hours: 160 }, 36 / 172 ** 1.2],
    [{ likes: 1, comments: 0, hours: 30 }, 1 / 42 ** 1.2],
  ]
  const scored: { $id: string; score: number }[] = []
  for (const [n, [made]] of given.entries()) {
    const author = await w.join(`Autora${n}`)
    const score = given[n]?.[1] ?? 0
    scored.push({ $id: (await publish(author, made)).$id, score })
  }
  const grouped = await publish(bea, { likes: 11, hours: 1, groupId: group })
  await publish(carla, {})
  const hers = [...scored, { $id: grouped.$id, score: 11 / 13 ** 1.2 }]
  expect(await rank()).toBe(true)
  const inOrder = (posts: typeof scored) => posts.toSorted((a, b) => b.score - a.score).map(({ $id }) => $id)
  expect(await loved(bea)).toEqual(inOrder(hers))
  expect(await loved(ana)).toEqual(inOrder(scored))
  expect(await loved(carla)).toEqual(inOrder(scored))
})

test('TREND-02 a post disappears from trending posts at once for members who lose access', async () => {
  const group = await createGroupWithMembers(bea, ana)
  const rest = await publishFiller(9)
  const grouped = await publish(bea, { likes: 9, groupId: group })
  const open = await publish(carla, { likes: 8 })
  await rank()
  const inGroup = await list(ana)
  expect(ids(inGroup.documents)).toEqual([grouped.$id, open.$id, ...ids(rest)])
  await ana.call(leaveGroupOperation, { groupId: group })
  expect(await loved(ana)).toEqual([open.$id, ...ids(rest)])
  await bea.call(updatePostOperation, { postId: grouped.$id, groupId: null })
  // The current ranking still ranks the post for its old group. Only the next one ranks it as a public post.
  expect(await loved(ana)).toEqual([open.$id, ...ids(rest)])
  await insertReactions(grouped.$id, 9, 0)
  await rank()
  expect(await loved(ana)).toEqual([grouped.$id, open.$id, ...ids(rest)])
  await query(`update posts set hidden_by = 'moderator', hidden_at = now() where public_id = $1`, [open.$id])
  expect(await loved(ana)).toEqual([grouped.$id, ...ids(rest)])
  expect(await loved(carla)).toEqual([grouped.$id, ...ids(rest)])
  await query(`update posts set hidden_by = null, hidden_at = null where public_id = $1`, [open.$id])
  const dora = await w.join('Dora')
  await dora.call(muteMemberOperation, { personId: carla.id })
  expect(await loved(dora)).toEqual([grouped.$id, ...ids(rest)])
  await dora.call(blockMemberOperation, { personId: bea.id })
  expect(await loved(dora)).toEqual(ids(rest))
  await bea.call(deletePostOperation, { postId: grouped.$id })
  expect(await loved(ana)).toEqual([open.$id, ...ids(rest)])
})

test('TREND-02 followers-only posts are ranked only for followers', async () => {
  const rest = await publishFiller(9)
  const eva = await w.join('Eva')
  await ana.call(followOperation, { personId: eva.id })
  const post = await publish(eva, { likes: 8 })
  await eva.call(updatePrivacySettingsOperation, { isPrivate: true })
  await rank()
  expect(await loved(ana)).toEqual([post.$id, ...ids(rest)])
  expect(await loved(eva)).toEqual([post.$id, ...ids(rest)])
  expect(await loved(bea)).toEqual(ids(rest))
})

test("TREND-03 the author's own actions, saves, withdrawn likes, removed comments and anything over a week old do not count", async () => {
  const rest = await publishFiller(9)
  const post = await publish(ana, { comments: 1 })
  const postId = post.$id
  await ana.call(likePostOperation, { postId })
  await ana.call(createCommentOperation, { postId, content: 'Gracias' })
  const quiet = await publish(bea, {})
  for (const reader of readers) await reader.call(savePostOperation, { postId: quiet.$id })
  await bea.call(likePostOperation, { postId: quiet.$id })
  const scoreOf = async ({ $id }: Post) => {
    await rank()
    const [row] = await query(
      `select t.score from trending_posts t join posts p on p.id = t.post_id
        where p.public_id = $1 and t.ranking_id = (select max(id) from trending_rankings)`,
      [$id],
    )
    return row ? Number((row.score * 12 ** 1.2).toFixed(2)) : 0
  }
  expect(await scoreOf(quiet)).toBe(0)
  expect(await loved(carla)).toEqual([postId, ...ids(rest)])
  expect(await scoreOf(post)).toBe(2)
  const [reader] = readers as [MemberClient]
  const again = await reader.call(createCommentOperation, { postId, content: 'Y otra vez' })
  expect(await scoreOf(post)).toBe(2)
  await reader.call(likePostOperation, { postId })
  expect(await scoreOf(post)).toBe(3)
  await reader.call(unlikePostOperation, { postId })
  expect(await scoreOf(post)).toBe(2)
  await query(
    `update comments set created_at = created_at - interval '8 days' where author_id <> (
    select id from users where public_id = $1) and public_id <> $2`,
    [ana.id, again.$id],
  )
  expect(await scoreOf(post)).toBe(2)
  await reader.call(deleteCommentOperation, { commentId: again.$id })
  expect(await scoreOf(post)).toBe(0)
  await query(`update post_likes set created_at = created_at - interval '8 days'`)
  await rank()
  expect(await loved(carla)).toEqual([])
})

test('TREND-03 reading the trending posts writes nothing', async () => {
  await publishFiller(9)
  await rank()
  await list(ana)
  await settleNotifications(w.database)
  // Notification jobs still write their own position.
  const tables = await query(
    `select relname from pg_stat_user_tables
     where relname not in ('sessions', 'accounts', 'rate_counters', 'notification_cursor')`,
  )
  const count = async () => {
    const counts: Record<string, unknown> = {}
    for (const { relname } of tables)
      [counts[relname]] = await query(
        `select count(*)::int as rows, coalesce(max(xmin::text::bigint), 0) as newest from ${relname}`,
      )
    return counts
  }
  const before = await count()
  for (let n = 0; n < 100; n += 1) await list(ana)
  expect(await count()).toEqual(before)
})

test("TREND-04 an author's second and third post weigh 0.6 and 0.36, and group posts lower no posts outside the group", async () => {
  const group = await createGroupWithMembers(bea)
  await publishFiller(9)
  const posts = [
    await publish(bea, { likes: 10 }),
    await publish(bea, { likes: 9 }),
    await publish(bea, { likes: 8 }),
  ]
  await publish(bea, { likes: 12, groupId: group })
  await rank()
  const rows = await query(
    `select p.public_id as id, t.score from trending_posts t join posts p on p.id = t.post_id where p.creator_id = (
      select id from users where public_id = $1) order by p.id`,
    [bea.id],
  )
  const weighed = rows.map(({ score }) => Number((score * 12 ** 1.2).toFixed(2)))
  expect(rows.slice(0, 3).map(({ id }) => id)).toEqual(ids(posts))
  expect(weighed).toEqual([10, 5.4, 2.88, 12])
})

test('TREND-05 scrolling across new rankings repeats and skips no post, even if the last post of a page is deleted', async () => {
  const posts = await publishFiller(12)
  await rank()
  const first = await list(ana, { limit: 4 })
  expect(ids(first.documents)).toEqual(ids(posts.slice(0, 4)))
  // The last posts become the most loved, and the last post of the page is deleted.
  for (const post of posts.slice(6))
    await query(
      `update posts set created_at = now() - interval '1 hour', updated_at = now(), shared_at = now() where public_id = $1`,
      [post.$id],
    )
  await readers[3]?.call(deletePostOperation, { postId: posts[3]?.$id ?? '' })
  await rank()
  const second = await list(ana, { limit: 4, cursor: first.next ?? '' })
  expect(ids(second.documents)).toEqual(ids(posts.slice(4, 8)))
  const third = await list(ana, { limit: 4, cursor: second.next ?? '' })
  expect(ids(third.documents)).toEqual(ids(posts.slice(8)))
  expect((await list(ana, { cursor: third.next ?? '' })).documents).toEqual([])
  expect(await loved(ana)).toHaveLength(11)
  expect((await loved(ana))[0]).not.toBe(posts[0]?.$id)
})

test('TREND-05 the cursor of a ranking works until half an hour after the next ranking, and is then refused', async () => {
  await publishFiller(9)
  await rank()
  const { next } = await list(ana, { limit: 4 })
  const cursor = next ?? ''
  const age = (minutes: number) =>
    query(`update trending_rankings set ranked_at = ranked_at - $1 * interval '1 minute'`, [minutes])
  await age(34)
  await rank()
  expect((await list(ana, { limit: 4, cursor })).documents).toHaveLength(4)
  await age(2)
  await rank()
  const refused = await ana.ask(explorePostsOperation, { order: 'loved', cursor })
  expect(refused).toMatchObject({ status: 400, body: { type: 'general_cursor_not_found' } })
  for (const junk of [
    '',
    '~',
    'zz',
    `1~${ana.id}`,
    `${'9'.repeat(60)}~${ana.id}`,
    `1.5~x`,
    cursor.replace('~', '~x'),
  ])
    expect(await ana.ask(explorePostsOperation, { order: 'loved', cursor: junk })).toMatchObject({
      status: 400,
      body: { type: 'general_cursor_not_found' },
    })
})

test('TREND-05 only one of several nodes computes the ranking, and never too early', async () => {
  await publishFiller(9)
  for (let round = 0; round < Number(process.env.RACE_ROUNDS ?? 5); round += 1) {
    await query('truncate trending_rankings cascade')
    const made = await Promise.all([1, 2, 3].map(() => rankTrendingPosts(w.database.kysely, 60_000)))
    expect(made.filter(Boolean)).toHaveLength(1)
    expect(await query('select count(*)::int as count from trending_rankings')).toEqual([{ count: 1 }])
  }
  expect(await rankTrendingPosts(w.database.kysely, 60_000)).toBe(false)
  expect(await rank()).toBe(true)
})

test('TREND-06 with fewer than nine visible posts there are no trending posts', async () => {
  const group = await createGroupWithMembers(bea)
  await publishFiller(8)
  await publish(bea, { likes: 4, groupId: group })
  await rank()
  expect(await list(bea, { limit: 3 })).toMatchObject({ documents: [{}, {}, {}] })
  expect(await list(ana, { limit: 3 })).toEqual({ documents: [], next: null })
  expect(await list(ana)).toEqual({ documents: [], next: null })
})

test('TREND-02 before the first ranking there are no trending posts, other audiences are refused, and a page takes three statements', async () => {
  expect(await list(ana)).toEqual({ documents: [], next: null })
  expect(await ana.ask(explorePostsOperation, { order: 'loved', from: 'groups' })).toMatchObject({
    status: 400,
  })
  await publishFiller(9)
  await rank()
  const { statements } = await captureSqlStatements(() => list(ana, { limit: 9 }))
  expect(statements).toHaveLength(3)
})
