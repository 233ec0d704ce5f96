/** The policy and every list must match the posts computed from the rows, including the order. */
import { afterEach, expect, test } from 'vitest'
import { createCommentOperation, listCommentsOperation } from '#contract/comments/comments.ts'
import { leaveGroupOperation } from '#contract/groups/group-members.ts'
import { deleteGroupOperation, getGroupOperation, listGroupPostsOperation } from '#contract/groups/groups.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import { muteMemberOperation } from '#contract/people/mutes-and-restrictions.ts'
import { followOperation } from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import { tagPersonOperation, withholdPhotoOperation } from '#contract/photo-tags/photo-tags.ts'
import {
  createPostOperation,
  explorePostsOperation,
  getHomeFeedOperation,
  listPersonPostsOperation,
  type PostPage,
} from '#contract/posts/posts.ts'
import { listPlacePostsOperation, listTagPostsOperation } from '#contract/posts/posts-by-tag-or-place.ts'
import { seededRandom } from '#scripts/harness/seeded-random.ts'
import { rankTrendingPosts } from '#server/features/posts/trending/rank-trending-posts.ts'
import { memberKeyParameter, selectReadableRows } from '#server/policy/index.ts'
import { lockGroupPosts } from '#tests/support/deletion/hold-and-await-group-deletion.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createGroupWithMembers, insertUploadedImageRow } from '#tests/support/group-factory.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let release: () => Promise<void> = async () => {}
afterEach(async () => {
  await release()
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

const tags = ['mar', 'Már', 'sol']
const seeds = [1, 2, 3, ...(process.env.LISTS_SEED ? [Number(process.env.LISTS_SEED)] : [])]

type PostRow = {
  public_id: string
  creator: string
  group: string | null
  group_is_gone: boolean
  followers_only: boolean
  hidden_by: string | null
  withheld_by: string | null
  tags: string[]
  place: string
  /** The rank is the same for every reader. Null without reactions by others. */
  loved: number | null
  /** The place is at least a day old, and the author allows place pages. */
  late: boolean
  on_place_pages: boolean
}

/** The rows that decide visibility, with public ids. */
async function readRows() {
  const { pool } = w.database
  const all = async <Row extends object>(text: string) => (await pool.query<Row>(text)).rows
  const pairs = async (text: string) =>
    new Set((await all<{ one: string; other: string }>(text)).map(({ one, other }) => `${one} ${other}`))
  const names = `join users a on a.id = t.one join users b on b.id = t.other`
  const ofMembers = (table: string, one: string, other: string) =>
    pairs(`select a.public_id as one, b.public_id as other
      from (select ${one} as one, ${other} as other from ${table}) t ${names}`)
  return {
    posts:
      await all<PostRow>(`select p.public_id, c.public_id as creator, g.public_id as group, p.group_id is not null and g.id is null as group_is_gone, p.followers_only, p.hidden_by,
      h.public_id as withheld_by, p.tags, p.location as place, c.on_place_pages, t.loved,
      (select t.since < now() - interval '1 day' from post_topics t where t.post_id = p.id and t.kind = 'place') as late
      from posts p join users c on c.id = p.creator_id left join groups g on g.id = p.group_id
      left join users h on h.id = p.withheld_by
      left join (select post_id, rank() over (order by score desc, post_id desc)::int as loved from trending_posts
        where ranking_id = (select max(id) from trending_rankings)) t on t.post_id = p.id
      order by p.created_at desc, p.id desc`),
    comments: await all<{
      post: string
      author: string
      content: string
    }>(`select p.public_id as post, u.public_id as author, c.content
      from comments c join posts p on p.id = c.post_id join users u on u.id = c.author_id order by c.id`),
    groups: await all<{ id: string; admin: string }>(
      'select g.public_id as id, u.public_id as admin from groups g join users u on u.id = g.admin_id',
    ),
    members: await pairs(`select g.public_id as one, u.public_id as other from group_members m
      join groups g on g.id = m.group_id join users u on u.id = m.user_id`),
    follows: await ofMembers('follows', 'follower_id', 'following_id'),
    mutes: await ofMembers('mutes', 'muter_id', 'muted_id'),
    blocks: await ofMembers('blocks', 'blocker_id', 'blocked_id'),
    closed: new Set(
      (
        await all<{ id: string }>(
          `select u.public_id as id from users u join accounts a on a.id = u.account_id where a.status = 'blocked'`,
        )
      ).map(({ id }) => id),
    ),
  }
}

type Rows = Awaited<ReturnType<typeof readRows>>

function sightOf(me: string, { members, follows, mutes, blocks, closed, groups }: Rows) {
  const follow = (other: string) => follows.has(`${me} ${other}`)
  const isIn = (group: string) => members.has(`${group} ${me}`)
  const apart = (other: string) => blocks.has(`${me} ${other}`) || blocks.has(`${other} ${me}`)
  const meets = (other: string) => !closed.has(other) && !apart(other)
  const shared = (post: PostRow) => {
    if (post.group_is_gone) return false
    if (post.creator === me) return true
    if (post.hidden_by || (post.withheld_by && post.withheld_by !== me)) return false
    if (post.group) return isIn(post.group)
    return !post.followers_only || follow(post.creator)
  }
  const listed = (post: PostRow) => shared(post) && meets(post.creator)
  const keepsOrder = ({ creator, group }: PostRow) =>
    groups.some(({ id, admin }) => id === group && admin === me) &&
    blocks.has(`${me} ${creator}`) &&
    !blocks.has(`${creator} ${me}`) &&
    !closed.has(creator)
  const received = ({ creator }: PostRow) => !mutes.has(`${me} ${creator}`)
  const open = (post: PostRow) => !post.hidden_by
  return {
    isIn,
    meets,
    readable: (post: PostRow) => listed(post) || (shared(post) && keepsOrder(post)),
    explore: (post: PostRow) => listed(post) && received(post),
    home: (post: PostRow) =>
      listed(post) &&
      received(post) &&
      open(post) &&
      (post.group ? isIn(post.group) : post.creator === me || follow(post.creator)),
    loved: (post: PostRow) =>
      post.loved !== null &&
      listed(post) &&
      received(post) &&
      open(post) &&
      !post.withheld_by &&
      (!post.group || isIn(post.group)),
    by: (author: string) => (post: PostRow) => listed(post) && post.creator === author,
    at: (place: string) => (post: PostRow) =>
      listed(post) &&
      received(post) &&
      fold(post.place) === fold(place) &&
      (post.creator === me || (post.late && post.on_place_pages)),
    tagged: (tag: string) => (post: PostRow) =>
      listed(post) && received(post) && post.tags.some((own) => fold(own) === fold(tag)),
  }
}

const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .trim()

/** Pages have three items if the list accepts a limit. */
async function walk(
  list: (input: { cursor?: string; limit?: number }) => Promise<PostPage>,
): Promise<string[]> {
  const found: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await list(cursor === undefined ? { limit: 3 } : { limit: 3, cursor })
    found.push(...page.documents.map(({ $id }) => $id))
    if (page.next === null) return found
    cursor = page.next
  }
}

async function settle(seed: number): Promise<MemberClient[]> {
  const below = seededRandom(seed)
  const chance = (percent: number) => below(100) < percent
  const one = <T>(of: readonly T[]) => of[below(of.length)] as T
  const people: MemberClient[] = []
  for (const name of ['Ana', 'Bea', 'Carla', 'Dora', 'Eva', 'Fio', 'Gala']) people.push(await w.join(name))
  const others = (me: MemberClient) => people.filter((other) => other !== me)
  for (const who of people)
    for (const other of others(who)) if (chance(45)) await who.call(followOperation, { personId: other.id })
  const groups: { id: string; members: MemberClient[] }[] = []
  for (let n = 0; n < 3; n += 1) {
    const admin = one(people)
    const members = others(admin).filter(() => chance(50))
    groups.push({ id: await createGroupWithMembers(admin, ...members), members: [admin, ...members] })
  }
  await w.database.pool.query(`update users set pictured_by = 'everyone'`)
  for (let n = 0; n < 45; n += 1) {
    const author = one(people)
    const mine = groups.filter(({ members }) => members.includes(author))
    const group = mine.length > 0 && chance(45) ? one(mine) : null
    const imageId = await insertUploadedImageRow(w.database, author)
    const post = await author.call(createPostOperation, {
      caption: `Foto ${n}`,
      location: one(['Cádiz', 'cadiz ', 'Vejer']),
      tags: tags.filter(() => chance(40)),
      imageId,
      groupId: group?.id ?? null,
    })
    for (const person of (group?.members ?? people).filter(() => chance(10)))
      await person.ask(createCommentOperation, { postId: post.$id, content: `De ${person.id}` })
    if (chance(15)) {
      const person = one((group?.members ?? people).filter((member) => member !== author).concat(people))
      await author.ask(tagPersonOperation, {
        postId: post.$id,
        imageId,
        personId: person.id,
        x: 0.5,
        y: 0.5,
      })
      await person.ask(withholdPhotoOperation, { postId: post.$id, imageId })
    }
    if (chance(12)) {
      const by = group ? one(['group', 'moderator', 'author']) : one(['moderator', 'author'])
      await w.database.pool.query('update posts set hidden_by = $1, hidden_at = now() where public_id = $2', [
        by,
        post.$id,
      ])
    }
    if (n === 20) await one(people).ask(updatePrivacySettingsOperation, { isPrivate: true })
  }
  await w.database.pool.query(`update posts set created_at = created_at - interval '2 days' where id % 3 > 0`)
  await one(people).call(updatePrivacySettingsOperation, { onPlacePages: false })
  await w.database.pool.query(
    `insert into post_likes (post_id, user_id) select p.id, u.id from posts p, users u where (p.id * 7 + u.id * 13 + $1) % 5 = 0`,
    [seed],
  )
  await rankTrendingPosts(w.database.kysely)
  // Gives whole pages of posts equal times.
  await w.database.pool.query(
    `update posts set created_at = date_trunc('second', created_at), shared_at = date_trunc('second', created_at)`,
  )
  for (const { id, members } of groups)
    for (const member of members.slice(1))
      if (chance(25)) await member.call(leaveGroupOperation, { groupId: id })
  await one(people).ask(updatePrivacySettingsOperation, { isPrivate: true })
  for (const who of people) {
    if (chance(30)) await who.ask(muteMemberOperation, { personId: one(others(who)).id })
    if (chance(20)) await who.ask(blockMemberOperation, { personId: one(others(who)).id })
  }
  const [ended] = groups.splice(0, 1)
  release = await lockGroupPosts(w.database, ended?.id ?? '')
  const { name } = (await ended?.members[0]?.call(getGroupOperation, { groupId: ended.id })) ?? { name: '' }
  await ended?.members[0]?.call(deleteGroupOperation, { groupId: ended.id, name })
  const gone = one(people)
  expect((await gone.request('PATCH', '/v1/account/status', {})).status).toBe(200)
  return others(gone)
}

test.each(seeds)(
  'TAG-02 PLACE-03 TREND-02 PERM-05 every list contains exactly the posts that its reader can read, in random community %i',
  async (seed) => {
    w = await createTestWorld()
    const people = await settle(seed)
    const rows = await readRows()
    const idsOf = (which: (post: PostRow) => boolean) =>
      rows.posts.filter(which).map(({ public_id }) => public_id)
    const db = w.database.kysely
    const keys = new Map(
      (await db.selectFrom('users').select(['id', 'public_id']).execute()).map((row) => [
        row.public_id,
        row.id,
      ]),
    )
    let readable = 0
    const lovedLists: number[] = []
    for (const me of people) {
      const sight = sightOf(me.id, rows)
      const byRule = await selectReadableRows(db, memberKeyParameter(keys.get(me.id) ?? 0), 'posts')
        .select('public_id')
        .execute()
      expect(byRule.map(({ public_id }) => public_id).sort()).toEqual(idsOf(sight.readable).sort())
      readable += byRule.length
      expect(await walk(({ cursor }) => me.call(getHomeFeedOperation, cursor ? { cursor } : {}))).toEqual(
        idsOf(sight.home),
      )
      expect((await walk((page) => me.call(explorePostsOperation, page))).sort()).toEqual(
        idsOf(sight.explore).sort(),
      )
      const loved = rows.posts
        .filter(sight.loved)
        .toSorted((one, other) => (one.loved ?? 0) - (other.loved ?? 0))
        .map(({ public_id }) => public_id)
      expect(await walk((page) => me.call(explorePostsOperation, { order: 'loved', ...page }))).toEqual(
        loved.length < 9 ? [] : loved,
      )
      lovedLists.push(loved.length)
      for (const tag of ['MAR', 'sol', 'otra'])
        expect(await walk((page) => me.call(listTagPostsOperation, { tag, ...page }))).toEqual(
          idsOf(sight.tagged(tag)),
        )
      for (const place of ['CÁDIZ', 'vejer', 'otra'])
        expect(await walk((page) => me.call(listPlacePostsOperation, { place, ...page }))).toEqual(
          idsOf(sight.at(place)),
        )
      for (const { id } of people.filter(({ id }) => sight.meets(id)))
        expect(await walk((page) => me.call(listPersonPostsOperation, { personId: id, ...page }))).toEqual(
          idsOf(sight.by(id)),
        )
      for (const { id } of rows.groups.filter(({ id }) => sight.isIn(id)))
        expect(
          await walk(({ cursor }) =>
            me.call(listGroupPostsOperation, { groupId: id, ...(cursor ? { cursor } : {}) }),
          ),
        ).toEqual(idsOf((post) => post.group === id && sight.readable(post)))
      for (const post of rows.posts) {
        const answer = await me.ask(listCommentsOperation, { postId: post.public_id, limit: 50 })
        if (!sight.readable(post)) {
          expect([403, 404]).toContain(answer.status)
          continue
        }
        // The post's author can remove a hidden comment without seeing its text.
        const shown = rows.comments.flatMap(({ post: of, author, content }) => {
          if (of !== post.public_id) return []
          return sight.meets(author) ? [content] : post.creator === me.id ? [''] : []
        })
        const { documents } = answer.body as { documents: { content: string }[] }
        expect(documents.map(({ content }) => content)).toEqual(shown)
      }
    }
    expect(Math.max(...lovedLists)).toBeGreaterThanOrEqual(9)
    // The random data contained both visible and hidden content.
    expect(rows.posts.some(({ group_is_gone }) => group_is_gone)).toBe(true)
    expect(readable).toBeGreaterThan(people.length * 10)
    expect(readable).toBeLessThan(people.length * rows.posts.length * 0.95)
  },
)
