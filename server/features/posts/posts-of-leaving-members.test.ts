import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  getGroupMembershipOperation,
  leaveGroupOperation,
  removeGroupMemberOperation,
  takePostsOutOfGroupOperation,
} from '#contract/groups/group-members.ts'
import { deleteGroupOperation, getGroupOperation, listGroupPostsOperation } from '#contract/groups/groups.ts'
import { getPersonOperation } from '#contract/people/people.ts'
import {
  createPostOperation,
  deletePostOperation,
  getPostOperation,
  likePostOperation,
  listPersonPostsOperation,
  type Post,
  savePostOperation,
  takePostOutOfGroupOperation,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { waitForChangePosition } from '#tests/support/change-log-position.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { findPathsToPost } from '#tests/support/find-paths-to-post.ts'
import {
  admitMemberToGroup,
  createGroupWithMembers,
  createPostInGroup,
  insertUploadedImageRow,
} from '#tests/support/group-factory.ts'
import { countResponsesByStatus, raceTimeoutMs, runRaceRounds } from '#tests/support/run-race-rounds.ts'
import { collectSocketEvents, openTestSocket, type TestSocket } from '#tests/support/test-socket.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let gala: MemberClient
let vera: MemberClient
let bea: MemberClient

beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  ;[gala, vera, bea] = [await w.join('Gala'), await w.join('Vera'), await w.join('Bea')]
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

const groupOfAll = () => createGroupWithMembers(gala, vera, bea)
async function shownIn(groupId: string): Promise<Post> {
  const imageId = await vera.upload(await createJpeg('#7a1f4d'))
  const content = { caption: 'Nuestra tarde junto al mar', location: 'Gijón', tags: ['marea'] }
  return vera.call(createPostOperation, { ...content, imageId, groupId })
}
const postIn = (groupId: string | null) => createPostInGroup(w.database, vera, groupId)
const leaveWith = (posts: 'keep' | 'take', groupId: string) =>
  vera.call(leaveGroupOperation, { groupId, posts })
const remove = (groupId: string) => gala.call(removeGroupMemberOperation, { groupId, memberId: vera.id })
const postsOf = async (who: MemberClient, groupId: string) =>
  (await who.call(listGroupPostsOperation, { groupId })).documents.map(({ $id }) => $id)
const ownPosts = async (who: MemberClient) =>
  (await who.call(listPersonPostsOperation, { personId: vera.id, limit: 100 })).documents
const kindsOf = ({ frames }: TestSocket, id: string) =>
  frames.flatMap(({ type, data }) =>
    type === 'change' && (data?.document as { $id?: string } | undefined)?.$id === id
      ? [String(data?.kind)]
      : [],
  )

describe('leaving a group', () => {
  test('EXIT-07 a leaving member sees the number of her posts, which stay in the group unless she takes them along', async () => {
    const group = await groupOfAll()
    const [first, second] = [await postIn(group), await postIn(group)]
    expect(await vera.call(getGroupMembershipOperation, { groupId: group })).toEqual({
      ...{ isMember: true, isAdmin: false, postCount: 2 },
    })
    expect(await bea.call(getGroupMembershipOperation, { groupId: group, userId: vera.id })).toEqual({
      ...{ isMember: true, isAdmin: false },
    })
    await vera.call(leaveGroupOperation, { groupId: group })
    expect(await postsOf(bea, group)).toEqual([second, first])
    expect(await vera.call(getPostOperation, { postId: first })).toMatchObject({ can: { takeAlong: true } })
    expect(await vera.refusal(leaveGroupOperation, { groupId: group, posts: 'hide' as never })).toMatchObject(
      {
        ...{ code: 400, field: 'posts' },
      },
    )

    await leaveWith('take', group)
    expect(await postsOf(bea, group)).toEqual([])
  })

  test('EXIT-08 only the author sees posts that she took along, with their pictures, on any path', async () => {
    const group = await groupOfAll()
    const since = await waitForChangePosition(w.database, bea)
    const post = await shownIn(group)
    for (const mark of [likePostOperation, savePostOperation]) await bea.call(mark, { postId: post.$id })
    const paths = (who: MemberClient) => findPathsToPost(who, post, { author: vera, group, since })
    expect((await paths(bea)).length).toBeGreaterThan(15)
    const countFor = async (who: MemberClient) =>
      (await who.call(getPersonOperation, { personId: vera.id })).postCount
    const before = await countFor(bea)

    await leaveWith('take', group)
    const stranger = await w.join('Sara')
    for (const who of [bea, gala, stranger]) expect([who.name, await paths(who)]).toEqual([who.name, []])
    expect(await countFor(bea)).toBe(before - 1)
    for (const who of [bea, stranger])
      expect(await who.ask(getPostOperation, { postId: post.$id })).toMatchObject({
        ...{ status: 404, body: { type: 'document_not_found' } },
      })
    expect(await paths(vera)).toEqual(
      expect.arrayContaining(['person', 'one', 'document', 'documents', 'picture', 'view', 'preview']),
    )
    const [shown] = (await ownPosts(vera)).filter(({ $id }) => $id === post.$id)
    expect(shown).toMatchObject({ hidden: { by: 'author', reason: null }, can: { edit: true, delete: true } })
    expect(shown?.can).not.toHaveProperty('takeAlong')

    // If the author joins again, the group still does not see the posts.
    await admitMemberToGroup(gala, vera, group)
    expect(await postsOf(bea, group)).toEqual([])
    await vera.call(deletePostOperation, { postId: post.$id })
    expect((await bea.ask(getPostOperation, { postId: post.$id })).status).toBe(404)
  })

  test('EXIT-08 taking a post along notifies members live and in catch-up, and only the author receives its later deletion', async () => {
    const group = await groupOfAll()
    const post = await postIn(group)
    const people = [bea, gala, vera, await w.join('Sara')]
    const sockets = await Promise.all(
      people.map(async (as) => [
        await openTestSocket(w.app, { as, path: '/v1/live' }),
        await openTestSocket(w.app, { as, channels: ['databases.main.collections.posts.documents'] }),
      ]),
    )
    const since = await waitForChangePosition(w.database, bea)
    const received = () =>
      Promise.all(
        people.map(async (as, n) => {
          const [live, appwrite] = sockets[n] as [TestSocket, TestSocket]
          await collectSocketEvents(live, as)
          const events = await collectSocketEvents(appwrite, as)
          const { changes } = await as.call(catchUpOperation, { since })
          return [
            kindsOf(live, post),
            events.flatMap(({ payload, events: [exact = ''] }) =>
              payload.$id === post ? [exact.split('.').at(-1)] : [],
            ),
            changes.flatMap(({ kind, document }) => (document.$id === post ? [kind] : [])),
          ]
        }),
      )
    const gone = [['delete'], ['delete'], ['delete']]
    const nothing = [[], [], []]
    await leaveWith('take', group)
    const hidden = [['update'], ['update'], ['update']]
    expect(await received()).toEqual([gone, gone, hidden, nothing])
    await bea.ask(likePostOperation, { postId: post })
    await vera.call(deletePostOperation, { postId: post })
    const hiddenThenGone = [['update', 'delete'], ['update', 'delete'], ['delete']]
    expect(await received()).toEqual([gone, gone, hiddenThenGone, nothing])
    for (const socket of sockets.flat()) socket.close()
  })

  test('EXIT-08 a post taken along can be shared elsewhere, and survives the group’s deletion', async () => {
    const group = await groupOfAll()
    const [moved, kept, left] = [await postIn(group), await postIn(group), await postIn(group)]
    await remove(group)
    for (const postId of [moved, kept]) await vera.call(takePostOutOfGroupOperation, { postId })
    await vera.call(updatePostOperation, { postId: moved, groupId: null })
    expect(await bea.call(getPostOperation, { postId: moved })).not.toHaveProperty('hidden')

    const countFor = async (who: MemberClient) =>
      (await who.call(getPersonOperation, { personId: vera.id })).postCount
    const counts = [await countFor(bea), await countFor(vera)]
    const { name } = await gala.call(getGroupOperation, { groupId: group })
    await gala.call(deleteGroupOperation, { groupId: group, name })
    expect((await vera.ask(getPostOperation, { postId: left })).status).toBe(404)
    expect(await vera.call(getPostOperation, { postId: kept })).toMatchObject({
      ...{ groupId: null, hidden: { by: 'author' } },
    })
    expect((await bea.ask(getPostOperation, { postId: kept })).status).toBe(404)
    expect((await ownPosts(bea)).map(({ $id }) => $id)).not.toContain(kept)
    expect([await countFor(bea), await countFor(vera)]).toEqual(counts.map((count) => count - 1))
  })
})

describe('removed from a group', () => {
  test("EXIT-09 a removed member takes along one or all of her own posts, and nobody else's", async () => {
    const group = await groupOfAll()
    const [one, two, three] = [await postIn(group), await postIn(group), await postIn(group)]
    const others = await createPostInGroup(w.database, bea, group)
    expect(await vera.refusal(takePostOutOfGroupOperation, { postId: one })).toMatchObject({ code: 403 })
    expect(await vera.call(takePostsOutOfGroupOperation, { groupId: group })).toEqual({ taken: 0 })

    await remove(group)
    expect(await vera.call(takePostOutOfGroupOperation, { postId: one })).toMatchObject({
      ...{ $id: one, hidden: { by: 'author', reason: null } },
    })
    expect((await vera.ask(takePostOutOfGroupOperation, { postId: one })).status).toBe(200)
    expect(await postsOf(bea, group)).toEqual([others, three, two])
    expect(await bea.refusal(takePostOutOfGroupOperation, { postId: two })).toMatchObject({ code: 403 })
    expect(await vera.refusal(takePostOutOfGroupOperation, { postId: others })).toMatchObject({ code: 404 })
    expect(await gala.call(takePostsOutOfGroupOperation, { groupId: group })).toEqual({ taken: 0 })

    expect(await vera.call(takePostsOutOfGroupOperation, { groupId: group })).toEqual({ taken: 2 })
    expect(await vera.call(takePostsOutOfGroupOperation, { groupId: group })).toEqual({ taken: 0 })
    expect(await postsOf(bea, group)).toEqual([others])
    for (const postId of [one, two, three])
      expect((await bea.ask(getPostOperation, { postId })).status).toBe(404)
  })

  test('EXIT-09 hundreds of posts can be taken along at once, the newest hundred are sent live, and readers load everything again', async () => {
    const group = await groupOfAll()
    const post = await postIn(group)
    await w.database.pool.query(
      `with picture as (
         insert into files (public_id, owner_id, state, purpose, name, storage_key, announced_size, size, chunks_total,
           mime_type, signature, sha256, width, height, thumbhash)
         select 'many' || n, owner_id, state, purpose, name, md5(n::text), announced_size, size, chunks_total, mime_type,
           signature, sha256, width, height, thumbhash
         from files f, generate_series(1, 600) n where f.id = (select image_id from posts where public_id = $1)
         returning id, public_id
       ) insert into posts (public_id, creator_id, caption, location, group_id, image_id)
         select 'p' || picture.public_id, p.creator_id, p.caption, p.location, p.group_id, picture.id
         from picture, posts p where p.public_id = $1`,
      [post],
    )
    await remove(group)
    const since = await waitForChangePosition(w.database, bea)
    expect(await vera.call(takePostsOutOfGroupOperation, { groupId: group })).toEqual({ taken: 601 })
    expect(await bea.call(catchUpOperation, { since })).toMatchObject({ changes: [], resync: true })
    const { rows } = await w.database.pool.query(
      `select count(*) filter (where not c.state ? 'unlisted')::int as listed,
         count(*) filter (where c.state ? 'unlisted')::int as unlisted from changes c
       where c.collection = 'posts' and c.kind = 'delete'
         and c.row_id in (select p.id from posts p join groups g on g.id = p.group_id where g.public_id = $1)`,
      [group],
    )
    // The readers and vera's own other devices each receive one.
    expect(rows).toEqual([{ listed: 100, unlisted: 2 }])
    expect(await postsOf(bea, group)).toEqual([])
  })
})

describe('concurrent requests', () => {
  test(
    'EXIT-08 if a member posts and edits while leaving with her posts, none stays in the group',
    async () => {
      let group = ''
      await runRaceRounds(
        w.database,
        async () => {
          group = await groupOfAll()
          const postId = await postIn(group)
          const images = [
            await insertUploadedImageRow(w.database, vera),
            await insertUploadedImageRow(w.database, vera),
          ]
          const content = { caption: 'Una más', location: 'Casa', tags: [] }
          return [
            () => vera.ask(leaveGroupOperation, { groupId: group, posts: 'take' }),
            ...images.map(
              (imageId) => () => vera.ask(createPostOperation, { ...content, imageId, groupId: group }),
            ),
            () => vera.ask(updatePostOperation, { postId, caption: 'Otra cosa' }),
          ]
        },
        async ([left, ...written]) => {
          expect(left?.status).toBe(200)
          for (const { status } of written) expect([200, 201, 403]).toContain(status)
          expect(await postsOf(bea, group)).toEqual([])
        },
      )
    },
    raceTimeoutMs,
  )

  test(
    'EXIT-09 concurrent likes and saves do not survive when a member takes a post along twice',
    async () => {
      let postId = ''
      await runRaceRounds(
        w.database,
        async () => {
          const group = await groupOfAll()
          postId = await postIn(group)
          await remove(group)
          return [
            () => vera.ask(takePostOutOfGroupOperation, { postId }),
            () => vera.ask(takePostsOutOfGroupOperation, { groupId: group }),
            ...[bea, gala].flatMap((who) => [
              () => who.ask(likePostOperation, { postId }),
              () => who.ask(savePostOperation, { postId }),
            ]),
          ]
        },
        async ([one, all, ...marked]) => {
          expect([one?.status, all?.status]).toEqual([200, 200])
          expect(
            Object.keys(countResponsesByStatus(marked)).filter((status) => !['200', '404'].includes(status)),
          ).toEqual([])
          for (const who of [bea, gala]) {
            expect((await who.ask(likePostOperation, { postId })).status).toBe(404)
            expect((await who.ask(getPostOperation, { postId })).status).toBe(404)
          }
        },
      )
    },
    raceTimeoutMs,
  )

  test(
    'EXIT-08 if the group is deleted while a member leaves with her posts, they stay hers or are deleted with the group',
    async () => {
      let postId = ''
      await runRaceRounds(
        w.database,
        async () => {
          const group = await groupOfAll()
          postId = await postIn(group)
          const { name } = await gala.call(getGroupOperation, { groupId: group })
          return [
            () => vera.ask(leaveGroupOperation, { groupId: group, posts: 'take' }),
            () => gala.ask(deleteGroupOperation, { groupId: group, name }),
          ]
        },
        async ([left, deleted]) => {
          expect(deleted?.status).toBe(204)
          expect([200, 404]).toContain(left?.status)
          expect((await bea.ask(getPostOperation, { postId })).status).toBe(404)
          expect((await vera.ask(getPostOperation, { postId })).status).toBe(left?.status)
        },
      )
    },
    raceTimeoutMs,
  )
})
