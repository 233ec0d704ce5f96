import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leaveGroupOperation } from '#contract/groups/group-members.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import { muteMemberOperation } from '#contract/people/mutes-and-restrictions.ts'
import { followOperation } from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import {
  createPostOperation,
  deletePostOperation,
  getPostOperation,
  type Post,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import { listSimilarPostsOperation, listTagPostsOperation } from '#contract/posts/posts-by-tag-or-place.ts'
import { captureSqlStatements } from '#server/database/prepared-statements.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createGroupWithMembers, insertUploadedImageRow } from '#tests/support/group-factory.ts'
import { runRaceRounds } from '#tests/support/run-race-rounds.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let carla: MemberClient
let theirs: string
beforeAll(async () => {
  w = await createTestWorld()
  ;[ana, bea, carla] = [await w.join('Ana'), await w.join('Bea'), await w.join('Carla')]
  theirs = await createGroupWithMembers(bea, carla)
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

async function publish(who: MemberClient, tags: string[], groupId: string | null = null): Promise<Post> {
  const imageId = await insertUploadedImageRow(w.database, who)
  return who.call(createPostOperation, { caption: 'Una tarde', location: 'Casa', tags, imageId, groupId })
}

const idsOf = (posts: readonly Post[]) => posts.map(({ $id }) => $id)
const listed = async (who: MemberClient, tag: string) =>
  idsOf((await who.call(listTagPostsOperation, { tag, limit: 100 })).documents)

test("TAG-02 ana finds readable posts by tag, newest first, and bea also finds her group's posts", async () => {
  const first = await publish(carla, ['faro', 'mar'])
  const grouped = await publish(bea, ['Faro'], theirs)
  const last = await publish(ana, ['faro'])
  expect(await listed(ana, 'faro')).toEqual([last.$id, first.$id])
  expect(await listed(bea, 'faro')).toEqual([last.$id, grouped.$id, first.$id])
  const page = await ana.call(listTagPostsOperation, { tag: 'faro' })
  expect(Object.keys(page).sort()).toEqual(['documents', 'next', 'tag'])
})

test('TAG-02 case, accents and a leading # do not make another tag, and the page shows the most common spelling', async () => {
  const posts = [
    await publish(ana, ['Ñandú']),
    await publish(bea, ['NANDU', 'ñandú']),
    await publish(carla, ['ÑANDÚ']),
  ]
  await publish(carla, ['ÑANDÚ'])
  for (const tag of ['ñandú', 'NANDU', 'nandú', 'ÑANDÚ'])
    expect(await ana.call(listTagPostsOperation, { tag })).toMatchObject({
      documents: [
        {},
        ...idsOf(posts)
          .reverse()
          .map(($id) => ({ $id })),
      ],
      tag: 'ÑANDÚ',
    })
  const odd = ['🌊'.repeat(25), 'a/b', '%', '100%', 'q?x&y=1', "d'or", '..b', 'ﷺ'.repeat(40)]
  const all = await publish(ana, odd)
  for (const tag of odd) expect(await listed(bea, tag)).toEqual([all.$id])
})

test('TAG-02 posts with equal times are listed once each, despite concurrent deletions, additions and moves', async () => {
  const made: string[] = []
  for (let n = 0; n < 9; n += 1)
    made.unshift((await publish([ana, bea, carla][n % 3] as MemberClient, ['empate'])).$id)
  await sql`update posts set created_at = '2026-01-01T10:00Z', updated_at = '2026-01-01T10:00Z', shared_at = '2026-01-01T10:00Z'
    where public_id = any(${made})`.execute(w.database.kysely)
  const seen: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await ana.call(listTagPostsOperation, {
      tag: 'empate',
      limit: 2,
      ...(cursor ? { cursor } : {}),
    })
    seen.push(...idsOf(page.documents))
    if (page.next === null) break
    cursor = page.next
    if (seen.length === 2) {
      await publish(bea, ['empate'])
      const owner = [ana, bea, carla].find(({ id }) => id === page.documents[1]?.creator?.$id) as MemberClient
      await owner.call(deletePostOperation, { postId: seen[1] as string })
    }
  }
  expect(seen).toEqual(made)
  expect(await ana.refusal(listTagPostsOperation, { tag: 'empate', cursor: 'nada' })).toMatchObject({
    type: 'general_cursor_not_found',
  })
})

test('TAG-03 an unknown tag, a tag used only in hidden groups and a blank tag give identical responses', async () => {
  await publish(bea, ['solonuestra'], theirs)
  const answers = await Promise.all(
    ['solonuestra', 'inexistente', ' ', '\u0301'].map((tag) => ana.ask(listTagPostsOperation, { tag })),
  )
  expect(answers.map(({ status, raw }) => [status, raw.toString()])).toEqual(
    Array(4).fill([200, '{"documents":[],"next":null,"tag":null}']),
  )
  expect(await ana.refusal(listTagPostsOperation, { tag: 'a'.repeat(51) })).toMatchObject({ code: 400 })
})

test('TAG-04 moving, retagging or deleting a post changes the tag page at once', async () => {
  const post = await publish(bea, ['vuelta', 'Vuelta'])
  expect(await listed(ana, 'vuelta')).toEqual([post.$id])
  await bea.call(updatePostOperation, { postId: post.$id, groupId: theirs })
  expect(await listed(ana, 'vuelta')).toEqual([])
  expect(await listed(carla, 'vuelta')).toEqual([post.$id])
  await bea.call(updatePostOperation, { postId: post.$id, groupId: null, tags: ['ida'] })
  expect(await listed(ana, 'vuelta')).toEqual([])
  expect(await listed(ana, 'ida')).toEqual([post.$id])
  await bea.call(deletePostOperation, { postId: post.$id })
  expect(await listed(ana, 'ida')).toEqual([])
})

test('TAG-04 after concurrent changes of tags and group, the tag page shows the current post', async () => {
  let post: Post
  await runRaceRounds(
    w.database,
    async () => {
      post = await publish(bea, ['carrera'])
      const { $id: postId } = post
      return [
        () => bea.ask(updatePostOperation, { postId, groupId: theirs }),
        () => bea.ask(updatePostOperation, { postId, tags: ['otra'] }),
        () => bea.ask(updatePostOperation, { postId, tags: ['carrera', 'otra'] }),
        () => bea.ask(updatePostOperation, { postId, groupId: null }),
      ]
    },
    async () => {
      const { tags, groupId } = await bea.call(getPostOperation, { postId: post.$id })
      const has = tags.includes('carrera')
      expect((await listed(carla, 'carrera')).includes(post.$id)).toBe(has)
      expect((await listed(ana, 'carrera')).includes(post.$id)).toBe(has && groupId === null)
    },
  )
})

test('TAG-02 tag pages follow the access rule for followers-only posts, mutes, blocks and former groups', async () => {
  const [dora, eva, fio] = [await w.join('Dora'), await w.join('Eva'), await w.join('Fio')]
  const before = await publish(dora, ['puerta'])
  await eva.call(followOperation, { personId: dora.id })
  await dora.call(updatePrivacySettingsOperation, { isPrivate: true })
  const after = await publish(dora, ['puerta'])
  expect(await listed(eva, 'puerta')).toEqual([after.$id, before.$id])
  expect(await listed(dora, 'puerta')).toEqual([after.$id, before.$id])
  expect(await listed(fio, 'puerta')).toEqual([])
  const group = await createGroupWithMembers(fio, eva, dora)
  const left = await publish(eva, ['puerta'], group)
  expect(await listed(dora, 'puerta')).toEqual([left.$id, after.$id, before.$id])
  await eva.call(leaveGroupOperation, { groupId: group, posts: 'keep' })
  expect(await listed(eva, 'puerta')).toEqual([left.$id, after.$id, before.$id])
  expect(await listed(fio, 'puerta')).toEqual([left.$id])
  await eva.call(muteMemberOperation, { personId: dora.id })
  expect(await listed(eva, 'puerta')).toEqual([left.$id])
  await eva.call(blockMemberOperation, { personId: fio.id })
  expect(await listed(fio, 'puerta')).toEqual([])
})

test('TAG-05 a tag page takes three statements, however many posts have the tag', async () => {
  await listed(ana, 'faro')
  const { statements } = await captureSqlStatements(() => ana.call(listTagPostsOperation, { tag: 'faro' }))
  expect(statements).toHaveLength(3)
})

test('TAG-06 similar posts share tags with the post, most shared tags first: four to eight posts by other members', async () => {
  const post = await publish(bea, ['barro', 'Torno', 'horno'])
  const like = (who: MemberClient, ...tags: string[]) => publish(who, tags)
  const similar = async (who: MemberClient) =>
    idsOf((await who.call(listSimilarPostsOperation, { postId: post.$id })).documents)
  await like(bea, 'barro', 'torno', 'horno')
  await like(ana, 'barro', 'torno')
  await publish(carla, ['barro', 'torno', 'horno'], theirs)
  const one = await like(carla, 'torno')
  const three = await like(carla, 'horno', 'BARRO', 'torno')
  const two = await like(carla, 'horno', 'barró')
  expect(await similar(ana)).toEqual([])
  const another = await like(carla, 'barro')
  expect(await similar(ana)).toEqual([three.$id, two.$id, another.$id, one.$id])
  for (let n = 0; n < 6; n += 1) await like(carla, 'horno')
  const eight = await similar(ana)
  expect(eight).toHaveLength(8)
  expect(eight.slice(0, 2)).toEqual([three.$id, two.$id])
  const hidden = await publish(bea, ['barro'], theirs)
  expect(await ana.refusal(listSimilarPostsOperation, { postId: hidden.$id })).toMatchObject({
    type: 'document_not_found',
  })
})
