import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteFileOperation, getFileContentOperation, getFileOperation } from '#contract/files/files.ts'
import { createGroupOperation } from '#contract/groups/groups.ts'
import {
  createPostOperation,
  deletePostOperation,
  getHomeFeedOperation,
  getPostOperation,
  type Post,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
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
let cleo: MemberClient
let picture: Buffer
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
  bea = await w.join('Bea')
  cleo = await w.join('Cleo')
  picture = await createJpeg()
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

const words = { caption: 'Cinco letras', location: 'Valencia', tags: ['sol', 'mar'] }
const publish = async (who: MemberClient, more: object = {}): Promise<Post> =>
  who.call(createPostOperation, { ...words, imageId: await who.upload(picture), ...more })

describe('publishing', () => {
  test('PCRE-17 DATA-03 ana publishes a picture with caption, location and tags, as herself', async () => {
    const post = await publish(ana, { userId: ana.id, groupId: '' })
    expect(post).toMatchObject({
      ...words,
      groupId: null,
      creator: { $id: ana.id, name: 'Ana' },
      likeCount: 0,
      liked: false,
      can: { edit: true, delete: true },
      image: { width: 640, height: 480 },
    })
    expect(post.image.thumbhash).not.toBe('')
    expect(await cleo.call(getPostOperation, { postId: post.$id })).toMatchObject({
      can: { edit: false, delete: false },
    })
  })

  test('the response to creating a post is the post as ana reads it, with its group, several photos and mentions', async () => {
    const { $id: groupId } = await ana.call(createGroupOperation, { name: 'Calceta' })
    const photos = [
      { imageId: await ana.upload(picture), alt: 'El mar' },
      { imageId: await ana.upload(picture) },
    ]
    const posts = [
      await publish(ana),
      await publish(ana, { caption: 'Con @bea2' }),
      await publish(ana, { groupId }),
      await ana.call(createPostOperation, { ...words, photos }),
    ]
    for (const post of posts) {
      expect(await ana.call(getPostOperation, { postId: post.$id })).toEqual(post)
    }
    expect(posts[1]?.mentions).toEqual([{ $id: bea.id, username: 'bea2' }])
  })

  test('ana can publish while her own like is not committed yet', async () => {
    const liking = await w.database.pool.connect()
    try {
      await liking.query('begin')
      // The query takes the same lock as the foreign key of a like.
      await liking.query('select from users where public_id = $1 for key share', [ana.id])
      expect(await publish(ana)).toMatchObject(words)
    } finally {
      liking.release(true)
    }
  })

  test('PCRE-06 two concurrent requests under one chosen id store one post, and the second upload stays unused', async () => {
    const postId = 'la-de-una-vez'
    const [first, second] = [await ana.upload(picture), await ana.upload(picture)]
    const sent = await Promise.allSettled(
      [first, second].map((imageId) => ana.call(createPostOperation, { ...words, postId, imageId })),
    )
    expect(sent.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const kept = await ana.call(getPostOperation, { postId })
    expect(kept).toMatchObject({ $id: postId, ...words })
    const free = kept.imageId === first ? second : first
    expect(await ana.refusal(createPostOperation, { ...words, postId, imageId: free })).toMatchObject({
      code: 409,
      type: 'document_already_exists',
    })
    expect(
      await bea.refusal(createPostOperation, { ...words, postId, imageId: await bea.upload(picture) }),
    ).toMatchObject({
      code: 409,
    })
    expect((await publish(ana, { imageId: free })).imageId).toBe(free)
    await ana.call(deletePostOperation, { postId })
  })

  test("PCRE-16 an empty userId is refused with 'Usuario no válido para crear el post'", async () => {
    const imageId = await ana.upload(picture)
    expect(await ana.refusal(createPostOperation, { ...words, imageId, userId: '' })).toMatchObject({
      code: 400,
      message: 'Usuario no válido para crear el post',
    })
  })

  test('tags from any client are normalised as in the form, and an invisible tag is dropped', async () => {
    const tags = [' ', '', '#sol y mar', '##', 'luna,arena', '\u200b', '\u202egpj']
    const { $id, ...made } = await publish(ana, { tags })
    expect(made.tags).toEqual(['solymar', 'luna', 'arena', 'gpj'])
    expect((await ana.call(updatePostOperation, { postId: $id, ...words, tags: [' '] })).tags).toEqual([])
    const letters = Array.from({ length: 31 }, (_, n) => `a${n}`)
    const imageId = await ana.upload(picture)
    for (const tags of [letters, [letters.join(',')]]) {
      expect(await ana.refusal(createPostOperation, { ...words, imageId, tags })).toMatchObject({ code: 400 })
    }
  })

  test('PCRE-07 PCRE-10 an invisible caption or place counts as missing', async () => {
    const imageId = await ana.upload(picture)
    const said = async (unseen: object) =>
      (await ana.refusal(createPostOperation, { ...words, ...unseen, imageId })).message
    expect(await said({ caption: '\u200b\u2060 \u3164\u2800\u200b' })).toBe('Minimum 5 characters.')
    expect(await said({ location: '\u200b' })).toBe('This field is required')
    await ana.call(createPostOperation, { ...words, caption: '👩‍🎨❤️', location: '🏡', imageId })
  })

  test('PERM-07 ana cannot publish as bea', async () => {
    const imageId = await ana.upload(picture)
    expect(await ana.refusal(createPostOperation, { ...words, imageId, userId: bea.id })).toMatchObject({
      code: 403,
    })
  })

  test("A15 C11 one picture belongs to one record, and nobody can publish another member's upload", {
    timeout: raceTimeoutMs,
  }, async () => {
    const imageId = await ana.upload(picture)
    expect(await bea.refusal(createPostOperation, { ...words, imageId })).toMatchObject({
      code: 404,
      field: 'imageId',
    })
    await runRaceRounds(
      w.database,
      async (round) => {
        const fresh = round === 0 ? imageId : await ana.upload(picture)
        const posting = () => ana.request('POST', '/v1/posts', { ...words, imageId: fresh })
        const face = () => ana.request('PATCH', `/v1/people/${ana.id}`, { imageId: fresh })
        return [...createArrayByIndex(4, () => posting), face]
      },
      (answers) => {
        const { 200: faces = 0, 201: posted = 0, 404: refused } = countResponsesByStatus(answers)
        expect([faces + posted, refused]).toEqual([1, 4])
      },
    )
  })

  test.each([
    ['caption', { caption: 'abcd' }, 'Minimum 5 characters.'],
    ['caption', { caption: `   abc   ` }, 'Minimum 5 characters.'],
    ['caption', { caption: 'x'.repeat(2201) }, 'Maximum 2,200 caracters'],
    ['location', { location: '  ' }, 'This field is required'],
    ['location', { location: 'x'.repeat(1001) }, 'Maximum 1000 characters.'],
    ['caption', { caption: undefined }, 'Required'],
    ['caption', { caption: 5 }, 'Expected string, received number'],
    ['tags', { tags: 'sol' }, 'Expected array, received string'],
    ['imageId', { imageId: undefined }, 'Required'],
  ])('PCRE-07…11 a wrong %s is refused, naming the field', async (field, wrong, message) => {
    const input = { ...words, imageId: 'unused', ...wrong }
    expect(await ana.refusal(createPostOperation, input)).toMatchObject({ code: 400, field, message })
  })

  test('PCRE-08 PCRE-11 a caption of exactly 2200 and a place of 1000 characters are stored, including four-byte characters', async () => {
    const post = await publish(ana, { caption: '🌊'.repeat(1100), location: 'ñ'.repeat(1000) })
    expect(post.caption).toHaveLength(2200)
  })

  test('a text that cannot be stored unchanged is refused', async () => {
    const imageId = await ana.upload(picture)
    for (const caption of ['NUL \0 inside', 'half a surrogate \ud83d here']) {
      expect(await ana.refusal(createPostOperation, { ...words, imageId, caption })).toMatchObject({
        code: 400,
      })
    }
  })

  test('PCRE-21 GPAGE-15 only members can post into a group', async () => {
    const group = await bea.call(createGroupOperation, { name: 'Knit' })
    const post = await publish(bea, { groupId: group.$id })
    expect(post).toMatchObject({ groupId: group.$id, group: { name: 'Knit' } })
    const imageId = await ana.upload(picture)
    for (const groupId of [group.$id, 'nowhere']) {
      expect(await ana.refusal(createPostOperation, { ...words, imageId, groupId })).toMatchObject({
        code: 403,
        message: 'No tienes acceso a los posts de este grupo',
      })
    }
  })

  test('PERM-01 a visitor can neither publish nor read posts', async () => {
    const post = await publish(ana)
    expect(await w.visitor.refusal(createPostOperation, { ...words, imageId: 'x' })).toMatchObject({
      code: 401,
    })
    expect(await w.visitor.refusal(getPostOperation, { postId: post.$id })).toMatchObject({ code: 401 })
  })
})

describe("a group's post", () => {
  test('PDET-17 PERM-05 a stranger to the group gets 403 for its posts, and 404 for a post that does not exist', async () => {
    const group = await bea.call(createGroupOperation, { name: 'Torno' })
    const post = await publish(bea, { groupId: group.$id })
    expect(await ana.refusal(getPostOperation, { postId: post.$id })).toMatchObject({
      code: 403,
      message: 'No tienes acceso a los posts de este grupo',
    })
    expect(await ana.refusal(getPostOperation, { postId: 'nothing' })).toMatchObject({ code: 404 })
    expect(await ana.refusal(getFileOperation, { fileId: post.imageId })).toMatchObject({ code: 404 })
    for (const width of [undefined, 64]) {
      const input = { fileId: post.imageId, ...(width && { width }) }
      expect(await ana.refusal(getFileContentOperation, input)).toMatchObject({ code: 404 })
    }
  })
})

describe('editing', () => {
  test('PEDT-06 PEDT-07 ana changes the text and keeps the picture', async () => {
    const post = await publish(ana)
    const edited = await ana.call(updatePostOperation, {
      postId: post.$id,
      caption: 'Otra cosa',
      tags: [],
      imageId: post.imageId,
    })
    expect(edited).toMatchObject({
      caption: 'Otra cosa',
      tags: [],
      imageId: post.imageId,
      location: 'Valencia',
    })
    expect(edited.$createdAt).toBe(post.$createdAt)
    expect(edited.$updatedAt > post.$updatedAt).toBe(true)
  })

  test('PEDT-08 PEDT-09 a new picture replaces the old picture, which is deleted', async () => {
    const post = await publish(ana)
    const imageId = await ana.upload(await createJpeg())
    const edited = await ana.call(updatePostOperation, { postId: post.$id, imageId })
    expect(edited.imageId).toBe(imageId)
    expect(await ana.refusal(getFileContentOperation, { fileId: post.imageId })).toMatchObject({ code: 404 })
  })

  test('PEDT-10 a refused edit changes nothing and keeps the old picture', async () => {
    const post = await publish(ana)
    const imageId = await ana.upload(picture)
    expect(
      await ana.refusal(updatePostOperation, { postId: post.$id, imageId, groupId: 'nowhere' }),
    ).toMatchObject({
      code: 403,
    })
    expect(await ana.call(getPostOperation, { postId: post.$id })).toEqual(post)
    expect((await ana.ask(deleteFileOperation, { fileId: imageId })).status).toBe(204)
  })

  test("PEDT-13 PERM-03 A12 bea can neither edit nor delete ana's post", async () => {
    const post = await publish(ana)
    expect(
      await bea.refusal(updatePostOperation, { postId: post.$id, caption: 'Robado del todo' }),
    ).toMatchObject({
      code: 403,
    })
    expect(await bea.refusal(deletePostOperation, { postId: post.$id })).toMatchObject({ code: 403 })
    expect(await ana.call(getPostOperation, { postId: post.$id })).toEqual(post)
  })

  test("ana's own post moves into her group and out again, but not into a group that she is not in", async () => {
    const mine = await ana.call(createGroupOperation, { name: 'De Ana' })
    const foreign = await bea.call(createGroupOperation, { name: 'De Bea' })
    const post = await publish(ana)
    expect(await ana.call(updatePostOperation, { postId: post.$id, groupId: mine.$id })).toMatchObject({
      groupId: mine.$id,
    })
    expect(await cleo.refusal(getPostOperation, { postId: post.$id })).toMatchObject({ code: 403 })
    expect(await ana.refusal(updatePostOperation, { postId: post.$id, groupId: foreign.$id })).toMatchObject({
      code: 403,
    })
    expect(await ana.call(updatePostOperation, { postId: post.$id, groupId: null })).toMatchObject({
      groupId: null,
    })
    expect(await cleo.call(getPostOperation, { postId: post.$id })).toMatchObject({ $id: post.$id })
  })
})

describe('deleting', () => {
  test('PDET-11 PDET-13 a deleted post disappears everywhere, with its picture', async () => {
    const post = await publish(ana)
    await ana.call(deletePostOperation, { postId: post.$id })
    expect(await ana.refusal(getPostOperation, { postId: post.$id })).toMatchObject({ code: 404 })
    expect((await ana.call(getHomeFeedOperation, {})).documents.map((shown) => shown.$id)).not.toContain(
      post.$id,
    )
    expect(await ana.refusal(getFileContentOperation, { fileId: post.imageId })).toMatchObject({ code: 404 })
    expect(await ana.refusal(deletePostOperation, { postId: post.$id })).toMatchObject({ code: 404 })
  })
})
