import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteFileOperation, getFileContentOperation } from '#contract/files/files.ts'
import { leaveGroupOperation } from '#contract/groups/group-members.ts'
import { deleteGroupOperation } from '#contract/groups/groups.ts'
import {
  createPostOperation,
  deletePostOperation,
  explorePostsOperation,
  getHomeFeedOperation,
  getPostOperation,
  type Post,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { captureSqlStatements } from '#server/database/prepared-statements.ts'
import { generateId } from '#server/ids.ts'
import { waitUntilDeletedGroupsCleared } from '#tests/support/deletion/hold-and-await-group-deletion.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createGroupWithMembers, insertUploadedImageRow } from '#tests/support/group-factory.ts'
import { describeRecordedChanges } from '#tests/support/recorded-changes.ts'
import {
  countResponsesByStatus,
  createArrayByIndex,
  raceTimeoutMs,
  runRaceRounds,
} from '#tests/support/run-race-rounds.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let carla: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ;[ana, bea, carla] = [await w.join('Ana'), await w.join('Bea'), await w.join('Carla')]
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

const words = { caption: 'Una tarde juntas', location: 'Tonalá', tags: [] }
const images = (count: number, author = ana) =>
  Promise.all(createArrayByIndex(count, () => insertUploadedImageRow(w.database, author)))
const asPhotos = (ids: readonly string[]) => ids.map((imageId) => ({ imageId }))
const publish = (ids: readonly string[], more: object = {}, author = ana): Promise<Post> =>
  author.call(createPostOperation, { ...words, photos: asPhotos(ids), ...more })
const idsOf = ({ photos }: Post) => photos.map(({ id }) => id)
const altsOf = ({ photos }: Post) => photos.map(({ alt }) => alt)
async function stateOf(id: string): Promise<string | undefined> {
  const { rows } = await w.database.pool.query('select state from files where public_id = $1', [id])
  return rows[0]?.state
}

test('when an older node deletes a post by its cover, the other photos are deleted too', async () => {
  const [cover = '', ...others] = await images(3)
  const post = await publish([cover, ...others])
  await w.database.pool.query(
    `with gone as (delete from posts where public_id = $1 returning image_id)
     update files set state = 'deleting' from gone where files.id = gone.image_id`,
    [post.$id],
  )
  for (const id of [cover, ...others]) expect(await stateOf(id)).toBe('deleting')
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
})

describe('publishing', () => {
  test('a member posts one to ten photos in her own order, and the first is the cover', async () => {
    for (const count of [1, 4, 10]) {
      const ids = (await images(count)).toReversed()
      const post = await publish(ids)
      expect(idsOf(post)).toEqual(ids)
      expect([post.imageId, post.image.id]).toEqual([ids[0], ids[0]])
      expect(idsOf(await bea.call(getPostOperation, { postId: post.$id }))).toEqual(ids)
      expect(await Promise.all(ids.map(stateOf))).toEqual(ids.map(() => 'attached'))
    }
  })

  test('a post with eleven photos, with none or with a duplicate is refused', async () => {
    const ids = await images(11)
    const refusal = (photos: object[]) => ana.refusal(createPostOperation, { ...words, photos })
    expect(await refusal(asPhotos(ids))).toMatchObject({
      code: 400,
      field: 'photos',
      message: 'Too many files',
    })
    expect(await refusal([])).toMatchObject({ code: 400, field: 'photos' })
    expect(await refusal(asPhotos([ids[0], ids[1], ids[0]] as string[]))).toMatchObject({
      code: 400,
      type: 'post_photo_twice',
      message: 'A photo can appear only once in a post.',
    })
    expect(await ana.refusal(createPostOperation, words)).toMatchObject({
      field: 'imageId',
      message: 'Required',
    })
    expect(await Promise.all(ids.map(stateOf))).toEqual(ids.map(() => 'ready'))
  })

  test("one photo that is used or another member's refuses the whole post and leaves the other uploads unused", async () => {
    const [mine = '', another = ''] = await images(2)
    const [foreign = ''] = await images(1, bea)
    const [used = ''] = await images(1)
    await publish([used])
    for (const wrong of [foreign, used, 'nowhere']) {
      const refused = await ana.refusal(createPostOperation, {
        ...words,
        photos: asPhotos([mine, wrong, another]),
      })
      expect(refused).toMatchObject({ code: 404, type: 'storage_file_not_found', field: 'imageId' })
    }
    for (const id of [mine, another]) {
      expect((await ana.ask(deleteFileOperation, { fileId: id })).status).toBe(204)
      expect(await stateOf(id)).toBeUndefined()
    }
  })

  test('PHOTO-10 resending a post under its id reports a conflict and leaves the post unchanged, whatever its photos', async () => {
    const ids = await images(3)
    const postId = 'once-in-a-tunnel'
    await publish(ids, { postId })
    for (const photos of [ids, ids.toReversed(), await images(2)])
      expect(
        await ana.refusal(createPostOperation, { ...words, postId, photos: asPhotos(photos) }),
      ).toMatchObject({ code: 409, type: 'document_already_exists' })
    expect(idsOf(await ana.call(getPostOperation, { postId }))).toEqual(ids)
    const [theirs = ''] = await images(1, bea)
    for (const imageId of [ids[0] as string, theirs])
      expect((await bea.ask(createPostOperation, { ...words, postId, photos: [{ imageId }] })).status).toBe(
        imageId === theirs ? 409 : 404,
      )
  })

  test('PHOTO-10 if two concurrent requests use the same id, one stores it and the other gets a conflict', {
    timeout: raceTimeoutMs,
  }, async () => {
    await runRaceRounds(
      w.database,
      async () => {
        const post = { ...words, postId: generateId(), photos: asPhotos(await images(10)) }
        return [0, 1].map(() => () => ana.request('POST', '/v1/posts', post))
      },
      (answers) => expect(countResponsesByStatus(answers)).toEqual({ 201: 1, 409: 1 }),
    )
  })
})

describe('descriptions of photos', () => {
  test('each description of a photo has at most 1,000 characters', async () => {
    const [one = '', two = ''] = await images(2)
    const photos = [
      { imageId: one, alt: `  ${'á'.repeat(1000)} ` },
      { imageId: two, alt: 'A red door' },
    ]
    const long = photos.map((photo) => ({ ...photo, alt: 'x'.repeat(1001) }))
    expect(await ana.refusal(createPostOperation, { ...words, photos: long })).toMatchObject({
      code: 400,
      field: 'photos.0.alt',
      message: 'Maximum 1000 characters.',
    })
    const post = await ana.call(createPostOperation, { ...words, photos })
    expect(altsOf(post)).toEqual(['á'.repeat(1000), 'A red door'])
    expect(altsOf(await bea.call(getPostOperation, { postId: post.$id }))).toEqual(altsOf(post))
    const listed = (await bea.call(explorePostsOperation, {})).documents.find(({ $id }) => $id === post.$id)
    expect(listed && altsOf(listed)).toEqual(['á'.repeat(200), 'A red door'])
  })

  test('ALT-07 changing descriptions is no edit and keeps the order of Explore; the same descriptions change nothing', async () => {
    const ids = await images(3)
    const post = await publish(ids)
    const described = [
      { imageId: ids[0] as string, alt: 'The sea' },
      { imageId: ids[1] as string },
      { imageId: ids[2] as string, alt: 'A boat' },
    ]
    const save = () => ana.call(updatePostOperation, { postId: post.$id, photos: described })
    let changed: Post | undefined
    const changes = await describeRecordedChanges(w.database, [], async () => {
      changed = await save()
      expect(await save()).toEqual(changed)
    })
    expect(changes).toEqual(['update posts → everyone'])
    expect(changed && altsOf(changed)).toEqual(['The sea', '', 'A boat'])
    expect(changed?.$updatedAt).toBe(post.$updatedAt)
  })
})

describe('editing', () => {
  test('PHOTO-16 one edit removes, reorders and adds photos, and descriptions stay with their photos', async () => {
    const [one = '', two = '', three = '', four = ''] = await images(4)
    const [five = ''] = await images(1)
    const post = await ana.call(createPostOperation, {
      ...words,
      photos: [one, two, three, four].map((imageId) => ({ imageId, alt: `of ${imageId}` })),
    })
    const photos = [
      { imageId: three },
      { imageId: five, alt: 'new' },
      { imageId: one, alt: 'first once' },
      { imageId: four },
    ]
    const edited = await ana.call(updatePostOperation, { postId: post.$id, photos })
    expect(idsOf(edited)).toEqual([three, five, one, four])
    expect(altsOf(edited)).toEqual([`of ${three}`, 'new', 'first once', `of ${four}`])
    expect([edited.imageId, edited.imageUrl]).toEqual([three, post.photos[2]?.url])
    expect(edited.$updatedAt > post.$updatedAt).toBe(true)
    expect(await ana.call(getPostOperation, { postId: post.$id })).toEqual(edited)
    expect(await stateOf(two)).toBe('deleting')
    expect(await bea.refusal(getFileContentOperation, { fileId: two })).toMatchObject({ code: 404 })
    const alone = await ana.call(updatePostOperation, { postId: post.$id, photos: [{ imageId: four }] })
    expect(idsOf(alone)).toEqual([four])
    expect(await Promise.all([one, three, four, five].map(stateOf))).toEqual([
      'deleting',
      'deleting',
      'attached',
      'deleting',
    ])
  })

  test('editing the text keeps the photos, and imageId without photos replaces the cover and its description', async () => {
    const ids = await images(3)
    const [next = ''] = await images(1)
    const post = await ana.call(createPostOperation, {
      ...words,
      photos: ids.map((imageId, n) => ({ imageId, alt: `photo ${n}` })),
    })
    const reworded = await ana.call(updatePostOperation, { postId: post.$id, caption: 'Otra tarde' })
    expect(reworded.photos).toEqual(post.photos)
    const replaced = await ana.call(updatePostOperation, { postId: post.$id, imageId: next })
    expect(idsOf(replaced)).toEqual([next, ids[1], ids[2]])
    expect(altsOf(replaced)).toEqual(['', 'photo 1', 'photo 2'])
    expect(await stateOf(ids[0] as string)).toBe('deleting')
    const again = { postId: post.$id, imageId: ids[2] as string }
    expect(await ana.refusal(updatePostOperation, again)).toMatchObject({ type: 'post_photo_twice' })
  })

  test('PHOTO-15 nobody else can change the photos of a post, and a refused edit leaves every photo in place', async () => {
    const ids = await images(3)
    const post = await publish(ids)
    const [new1 = ''] = await images(1)
    const foreign = asPhotos(await images(1, bea))
    expect(await bea.refusal(updatePostOperation, { postId: post.$id, photos: foreign })).toMatchObject({
      code: 403,
    })
    const refused = { postId: post.$id, photos: asPhotos([new1]), groupId: 'nowhere' }
    expect(await ana.refusal(updatePostOperation, refused)).toMatchObject({ code: 403 })
    expect(await ana.call(getPostOperation, { postId: post.$id })).toEqual(post)
    expect(await stateOf(new1)).toBe('ready')
  })

  test("PHOTO-16 after two concurrent edits the post has one whole photo list, and the other list's photos are unused", {
    timeout: raceTimeoutMs,
  }, async () => {
    let post: Post
    let lists: string[][] = []
    await runRaceRounds(
      w.database,
      async () => {
        const ids = await images(4)
        post = await publish(ids)
        const [a = '', b = ''] = await images(2)
        lists = [
          [ids[3] as string, a, ids[0] as string],
          [b, ids[2] as string, ids[1] as string, ids[0] as string],
        ]
        return lists.map(
          (list) => () => ana.request('PATCH', `/v1/posts/${post.$id}`, { photos: asPhotos(list) }),
        )
      },
      async () => {
        // The second edit cannot show a photo that the first one dropped, so one of the two lists remains.
        const shown = idsOf(await ana.call(getPostOperation, { postId: post.$id }))
        expect(lists).toContainEqual(shown)
        const { rows } = await w.database.pool.query<{ public_id: string }>(
          `select public_id from files where state = 'attached' and public_id = any($1)`,
          [lists.flat()],
        )
        expect(rows.map(({ public_id }) => public_id).toSorted()).toEqual(shown.toSorted())
      },
    )
  })

  test('if concurrent posts use the same uploads in different orders, one post gets all the photos', {
    timeout: raceTimeoutMs,
  }, async () => {
    await runRaceRounds(
      w.database,
      async () => {
        const ids = await images(6)
        return [ids, ids.toReversed(), [ids[3] as string, ids[1] as string]].map(
          (list) => () => ana.request('POST', '/v1/posts', { ...words, photos: asPhotos(list) }),
        )
      },
      (answers) => expect(countResponsesByStatus(answers)).toEqual({ 201: 1, 404: 2 }),
    )
  })

  test("an edit during the post's deletion leaves no photo behind", {
    timeout: raceTimeoutMs,
  }, async () => {
    let all: string[] = []
    await runRaceRounds(
      w.database,
      async () => {
        const ids = await images(3)
        const more = await images(2)
        all = [...ids, ...more]
        const { $id } = await publish(ids)
        return [
          () => ana.request('PATCH', `/v1/posts/${$id}`, { photos: asPhotos([...more, ids[0] as string]) }),
          () => ana.request('DELETE', `/v1/posts/${$id}`),
        ]
      },
      async () => {
        const states = await Promise.all(all.map(stateOf))
        expect(states.slice(0, 3)).toEqual(['deleting', 'deleting', 'deleting'])
        expect(states).not.toContain('attached')
      },
    )
  })
})

describe('privacy of photos', () => {
  const paths = (id: string) => [
    `/v1/files/${id}/content`,
    `/v1/files/${id}/content?width=64`,
    ...['view', 'download', 'preview'].map((way) => `/v1/storage/buckets/media/files/${id}/${way}`),
  ]
  const seen = async (who: MemberClient, ids: readonly string[]) =>
    new Set(
      await Promise.all(ids.flatMap(paths).map(async (path) => (await who.request('GET', path)).status)),
    )

  test("PHOTO-15 a group's post shows its photos only to members, until their membership ends", async () => {
    const groupId = await createGroupWithMembers(ana, bea)
    const ids = [
      await ana.upload(await createJpeg()),
      await ana.upload(await createJpeg()),
      await ana.upload(await createJpeg()),
    ]
    await publish(ids, { groupId })
    expect([await seen(ana, ids), await seen(bea, ids), await seen(carla, ids)]).toEqual([
      new Set([200]),
      new Set([200]),
      new Set([404]),
    ])
    await bea.call(leaveGroupOperation, { groupId })
    expect(await seen(bea, ids)).toEqual(new Set([404]))
    await ana.call(deleteGroupOperation, { groupId, name: await nameOf(groupId) })
    await waitUntilDeletedGroupsCleared(w.database)
    expect(await seen(ana, ids)).toEqual(new Set([404]))
    expect(await Promise.all(ids.map(stateOf))).toEqual(ids.map(() => 'deleting'))
  })

  const nameOf = async (groupId: string) =>
    (await w.database.pool.query('select name from groups where public_id = $1', [groupId])).rows[0].name

  test("deleting a post deletes all its photos, and the author's client receives each deletion", async () => {
    const ids = await images(3)
    const { $id } = await publish(ids)
    await ana.call(deletePostOperation, { postId: $id })
    expect(await Promise.all(ids.map(stateOf))).toEqual(ids.map(() => 'deleting'))
    const { rows } = await w.database.pool.query(
      `select c.public_id as id, a.public_id as receives from changes c join accounts a on a.id = c.account_id
       where c.collection = 'files' and c.kind = 'delete' and c.public_id = any($1) order by array_position($1, c.public_id::text)`,
      [ids],
    )
    expect(rows).toEqual(ids.map((id) => ({ id, receives: ana.accountId })))
  })
})

test('PHOTO-18 Home with twenty posts of four photos takes three statements and at most 8 kB', async () => {
  const eva = await w.join('Eva')
  const names = createArrayByIndex(20, () => generateId(10))
  for (let n = 0; n < 20; n += 1) {
    await publish(
      await images(4, eva),
      {
        caption: `Nuestra tarde número ${n} en el parque, con ${names[n]} y las de siempre`,
        tags: ['juntas'],
      },
      eva,
    )
  }
  // The values are as random as real thumbhashes.
  await w.database.pool.query(
    `update files set thumbhash = substring(sha256((public_id || 'x')::bytea) for 25) where owner_id = (select id from users where public_id = $1)`,
    [eva.id],
  )
  const { statements, result: answer } = await captureSqlStatements(() => eva.ask(getHomeFeedOperation, {}))
  expect(statements).toHaveLength(3)
  expect(gzipSync(JSON.stringify(answer.body)).length).toBeLessThanOrEqual(8 * 1024)
})
