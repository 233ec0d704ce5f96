import { type Kysely, sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leaveGroupOperation } from '#contract/groups/group-members.ts'
import { blockMemberOperation, unblockMemberOperation } from '#contract/people/blocks.ts'
import { followOperation } from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import { previewAudienceOperation } from '#contract/posts/audience-preview.ts'
import {
  createPostOperation,
  explorePostsOperation,
  getHomeFeedOperation,
  getPostOperation,
  likePostOperation,
  listLikedPostsOperation,
  listPersonPostsOperation,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import type { DatabaseTables } from '#server/database/schema.ts'
import { createAppwriteDocumentsClient } from '#tests/support/appwrite-documents-client.ts'
import {
  admitMemberToGroup,
  createGroupWithMembers,
  createPostInGroup,
  insertUploadedImageRow,
} from '#tests/support/group-factory.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'
import { whereMemberMayRead } from '../../policy/index.ts'
import { roundDownToTwoFigures } from './audience-preview-routes.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let cleo: MemberClient
let others: MemberClient[]
let own: string
let joined: string

const query = (text: string, values: unknown[] = []) => w.database.pool.query(text, values)
const preview = (who: MemberClient, input: { groupId?: string; postId?: string } = {}) =>
  who.call(previewAudienceOperation, input)

beforeAll(async () => {
  w = await createTestWorld()
  ;[ana, bea, cleo] = [await w.join('Ana'), await w.join('Bea'), await w.join('Cleo')]
  others = [bea, cleo]
  for (const name of ['Dora', 'Eva', 'Fia', 'Gala', 'Hebe']) others.push(await w.join(name))
  own = await createGroupWithMembers(ana)
  joined = await createGroupWithMembers(bea, ana)
})
afterAll(() => w.end())

async function shuffle(random: () => number): Promise<void> {
  const some = <T>(list: readonly T[]) => list.filter(() => random() < 0.5)
  const ids = (list: readonly MemberClient[]) => list.map(({ id }) => id)
  const keys = 'select id from users where public_id = any($1)'
  await query('delete from blocks')
  await query('delete from follows')
  await query(`update accounts set status = 'active' where status = 'blocked'`)
  await query(`update users set is_private = false where public_id = $1`, [ana.id])
  await query(`delete from group_members where role = 'member'`)
  await query(
    `insert into follows (public_id, follower_id, following_id)
     select md5(random()::text), f.id, a.id from (${keys}) f, users a where a.public_id = $2`,
    [ids(some(others)), ana.id],
  )
  for (const [group, list] of [
    [own, some(others)],
    [joined, [...some(others.slice(1)), ...some([ana])]],
  ] as const)
    await query(
      `insert into group_members (public_id, group_id, user_id)
       select md5(random()::text), g.id, m.id from (${keys}) m, groups g where g.public_id = $2`,
      [ids(list), group],
    )
  await query(`update users set is_private = $2 where public_id = $1`, [ana.id, random() < 0.5])
  for (const [from, to] of [
    ['$2', 'any($1)'],
    ['any($1)', '$2'],
  ])
    await query(
      `insert into blocks (public_id, blocker_id, blocked_id)
       select md5(random()::text), b.id, o.id from users b, users o where b.public_id = ${from} and o.public_id = ${to}`,
      [ids(some(some(others))), ana.id],
    )
  await query(
    `update accounts set status = 'blocked' where id in (select account_id from users where public_id = any($1))`,
    [ids(some(some(others)))],
  )
}

async function readersOf(postId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select m.public_id as id from users m join accounts a on a.id = m.account_id and a.status = 'active'
    where m.public_id <> ${ana.id}
      and exists (select from posts p where p.public_id = ${postId} and ${whereMemberMayRead(sql.ref('m.id'), 'posts', 'p')})
      and not exists (select from block_pairs b where b.member_id = m.id
        and b.other_id = (select id from users where public_id = ${ana.id}))`.execute(
    w.database.kysely as Kysely<DatabaseTables>,
  )
  return rows.map(({ id }) => id)
}

/** Creates Park and Miller's random number generator, so that runs can be repeated. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

describe('the audience count', () => {
  test('AUD-04 in 200 random worlds the preview and the receipt equal the number of members who can read the post', async () => {
    const random = createRandom(20_261_123)
    const met = new Set<string>()
    for (let round = 0; round < 200; round += 1) {
      await shuffle(random)
      for (const groupId of ['', own, joined]) {
        const answer = await ana.ask(previewAudienceOperation, { groupId })
        const imageId = await insertUploadedImageRow(w.database, ana)
        const written = await ana.ask(createPostOperation, {
          caption: 'Una tarde juntas',
          location: 'Tonalá',
          tags: [],
          imageId,
          groupId,
        })
        expect(answer.status).toBe(written.status === 201 ? 200 : written.status)
        if (answer.status !== 200) continue
        const seen = await preview(ana, { groupId })
        const { $id, receipt } = await ana.call(getPostOperation, {
          postId: (written.body as { $id: string }).$id,
        })
        const readers = await readersOf($id)
        met.add(`${seen.kind} ${readers.length}`)
        expect([round, seen.kind, seen.count]).toEqual([round, seen.kind, readers.length])
        expect(receipt).toMatchObject({
          with: seen.kind,
          count: seen.kind === 'everyone' ? null : readers.length,
        })
        const faces = seen.faces.map((face) => face.$id)
        expect(faces.filter((face) => !readers.includes(face))).toEqual([])
        expect(faces).toHaveLength(Math.min(4, readers.length))
        await query('delete from posts')
      }
    }
    // Checks that the random worlds differed enough.
    expect(met.size).toBeGreaterThan(15)
  })
})

describe('permissions', () => {
  let w: TestWorld
  let ana: MemberClient
  let bea: MemberClient
  let cleo: MemberClient
  beforeAll(async () => {
    w = await createTestWorld()
    ;[ana, bea, cleo] = [await w.join('Ana'), await w.join('Bea'), await w.join('Cleo')]
  })
  afterAll(() => w.end())

  test('AUD-04 the preview answers alike for a group that the caller is not in and for an unknown group', async () => {
    const group = await createGroupWithMembers(bea, cleo)
    for (const groupId of [group, 'nosuchgroup'])
      expect(await ana.refusal(previewAudienceOperation, { groupId })).toMatchObject({
        code: 403,
        type: 'group_membership_required',
        field: 'groupId',
      })
    expect((await w.visitor.ask(previewAudienceOperation, {})).status).toBe(401)
  })

  test('AUD-04 the preview reveals nothing about a post that the caller cannot edit', async () => {
    const postId = await createPostInGroup(w.database, bea, null)
    expect(await ana.refusal(previewAudienceOperation, { postId })).toMatchObject({
      type: 'document_not_found',
    })
  })

  test('AUD-04 the preview counts nobody in a group with only the caller, and one more for each new member', async () => {
    const groupId = await createGroupWithMembers(ana)
    expect(await preview(ana, { groupId })).toMatchObject({
      kind: 'group',
      count: 0,
      faces: [],
      rounded: false,
    })
    await admitMemberToGroup(ana, bea, groupId)
    const one = await preview(ana, { groupId })
    expect(one).toMatchObject({ count: 1, faces: [{ $id: bea.id, name: 'Bea' }], group: { $id: groupId } })
    await admitMemberToGroup(ana, cleo, groupId)
    expect((await preview(ana, { groupId })).faces.map(({ $id }) => $id)).toEqual([cleo.id, bea.id])
    await bea.call(blockMemberOperation, { personId: ana.id })
    expect(await preview(ana, { groupId })).toMatchObject({ count: 1, faces: [{ $id: cleo.id }] })
    expect(await preview(bea)).toMatchObject({ kind: 'everyone', count: 1 })
    await bea.call(unblockMemberOperation, { personId: ana.id })
  })

  test('AUD-03 the preview shows followers as the audience of a private account and of an earlier followers-only post', async () => {
    await bea.call(followOperation, { personId: ana.id })
    await ana.call(updatePrivacySettingsOperation, { isPrivate: true })
    const postId = await createPostInGroup(w.database, ana, null)
    expect(await preview(ana)).toMatchObject({
      kind: 'followers',
      count: 1,
      faces: [{ $id: bea.id }],
      group: null,
    })
    await ana.call(updatePrivacySettingsOperation, { isPrivate: false, earlierPosts: 'followers' })
    expect(await preview(ana)).toMatchObject({ kind: 'everyone', count: 2 })
    expect(await preview(ana, { postId })).toMatchObject({ kind: 'followers', count: 1 })
    const groupId = await createGroupWithMembers(ana, cleo)
    await ana.call(updatePostOperation, { postId, groupId })
    expect(await preview(ana, { postId })).toMatchObject({ kind: 'everyone' })
  })

  test('AUD-02 the preview counts an unlisted member among everyone, without her face', async () => {
    await cleo.call(updatePrivacySettingsOperation, { isListed: false })
    const { count, faces } = await preview(ana)
    expect([count, faces.map(({ $id }) => $id)]).toEqual([2, [bea.id]])
    await cleo.call(updatePrivacySettingsOperation, { isListed: true })
  })

  test('AUD-02 from a thousand on, the count of everyone is rounded down to two digits', async () => {
    await w.database.pool.query(
      `with made as (insert into accounts (public_id) select 'crowd' || n from generate_series(1, 997) n returning id, public_id)
       insert into users (public_id, account_id, name, username) select public_id, id, 'Ana', public_id from made`,
    )
    expect(await preview(ana)).toMatchObject({ count: 999, rounded: false })
    await w.database.pool.query(
      `with made as (insert into accounts (public_id) select 'mass' || n from generate_series(1, 351) n returning id, public_id)
       insert into users (public_id, account_id, name, username) select public_id, id, 'Ana', public_id from made`,
    )
    await w.database.pool.query('analyze users')
    expect(await preview(ana)).toMatchObject({ count: 1300, rounded: true })
    expect([1000, 1099, 1999, 99_999, 100_000, 123_456, 9_999_999].map(roundDownToTwoFigures)).toEqual([
      1000, 1000, 1900, 99_000, 100_000, 120_000, 9_900_000,
    ])
  })
})

describe('the receipt of a post', () => {
  let w: TestWorld
  let ana: MemberClient
  let bea: MemberClient
  let cleo: MemberClient
  let group: string
  beforeAll(async () => {
    w = await createTestWorld()
    ;[ana, bea, cleo] = [await w.join('Ana'), await w.join('Bea'), await w.join('Cleo')]
    group = await createGroupWithMembers(ana, bea, cleo)
  })
  afterAll(() => w.end())

  const receiptOf = async (postId: string) => (await ana.call(getPostOperation, { postId })).receipt
  const moved = (postId: string, groupId: string | null) => ana.call(updatePostOperation, { postId, groupId })

  test('AUD-07 the receipt of a post stays the same when members join and leave, and is renewed when the post moves', async () => {
    const imageId = await insertUploadedImageRow(w.database, ana)
    const written = await ana.call(createPostOperation, {
      caption: 'Una tarde juntas',
      location: 'Tonalá',
      tags: [],
      imageId,
      groupId: group,
    })
    const postId = written.$id
    const first = { with: 'group', count: 2, at: written.$createdAt, removed: [] }
    expect(written.receipt).toEqual(first)
    await cleo.call(leaveGroupOperation, { groupId: group })
    await ana.call(updatePostOperation, { postId, caption: 'Otras palabras', groupId: group })
    expect(await receiptOf(postId)).toEqual(first)

    const open = await moved(postId, null)
    expect(open.receipt).toMatchObject({ with: 'everyone', count: null })
    expect((open.receipt?.at ?? '') > written.$createdAt).toBe(true)
    await bea.call(followOperation, { personId: ana.id })
    await ana.call(updatePrivacySettingsOperation, { isPrivate: true })
    expect(await receiptOf(postId)).toEqual(open.receipt)
    expect((await moved(postId, group)).receipt).toMatchObject({ with: 'group', count: 1 })
    expect((await moved(postId, null)).receipt).toMatchObject({ with: 'followers', count: 1 })
    await ana.call(updatePrivacySettingsOperation, { isPrivate: false, earlierPosts: 'everyone' })
    expect(await receiptOf(postId)).toMatchObject({ with: 'followers', count: 1 })
  })

  test('AUD-07 only the author gets the receipt of a post, on every path', async () => {
    const postId = await createPostInGroup(w.database, ana, null)
    await bea.call(likePostOperation, { postId })
    const answers = [
      await bea.ask(getPostOperation, { postId }),
      await bea.ask(getHomeFeedOperation, {}),
      await bea.ask(explorePostsOperation, {}),
      await bea.ask(listLikedPostsOperation, {}),
      await bea.ask(listPersonPostsOperation, { personId: ana.id }),
      await createAppwriteDocumentsClient(bea, 'posts').get(postId),
      await createAppwriteDocumentsClient(ana, 'posts').get(postId),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(JSON.stringify(body)).toContain(postId)
      expect(JSON.stringify(body)).not.toMatch(/receipt|shared|removed/)
    }
    expect(await receiptOf(postId)).toMatchObject({ with: 'everyone' })
  })

  test('AUD-07 posts made through the documents API have a receipt too, which no client can write', async () => {
    const imageId = await insertUploadedImageRow(w.database, ana)
    const posts = createAppwriteDocumentsClient(ana, 'posts')
    const made = await posts.create({
      creator: ana.id,
      caption: 'Una tarde juntas',
      location: 'Tonalá',
      tags: [],
      imageId,
      imageUrl: 'https://juntas.test/foto.jpg',
      groupId: group,
    })
    expect(made.status).toBe(201)
    expect(await receiptOf(made.body.$id)).toMatchObject({ with: 'group', count: 1 })
    await w.database.pool.query(
      `update posts set shared_with = 'everyone', shared_count = null where public_id = $1`,
      [made.body.$id],
    )
    expect(await receiptOf(made.body.$id)).toMatchObject({ with: 'group', count: 1 })
  })

  test('AUD-07 AUD-08 the receipt lists the metadata removed from the current picture; an older post has no list', async () => {
    const postId = await createPostInGroup(w.database, ana, null)
    expect(await receiptOf(postId)).toMatchObject({ removed: [] })
    const phone = sharp({ create: { width: 40, height: 30, channels: 3, background: '#c8321e' } }).withExif({
      IFD0: { Make: 'Telefono' },
      IFD3: { GPSLatitude: '19/1 25/1 5736/100' },
    })
    const imageId = await ana.upload(await phone.jpeg().toBuffer())
    await ana.call(updatePostOperation, { postId, imageId })
    expect(await receiptOf(postId)).toMatchObject({ removed: ['place', 'camera'] })
    await w.database.pool.query('alter table posts disable trigger posts_shared_with')
    await w.database.pool.query(
      `update posts set shared_with = null, shared_at = null where public_id = $1`,
      [postId],
    )
    await w.database.pool.query('alter table posts enable trigger posts_shared_with')
    expect(await receiptOf(postId)).toBeNull()
    expect((await moved(postId, group)).receipt).toMatchObject({ with: 'group', count: 1 })
  })
})
