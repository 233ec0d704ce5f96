import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGroup, deleteGroup } from '#contract/groups.ts'
import {
  createPost,
  deletePost,
  explorePosts,
  getPost,
  likedPosts,
  likePost,
  type Post,
  postsByPerson,
  savedPosts,
  savePost,
  searchPosts,
  unlikePost,
  unsavePost,
  updatePost,
} from '#contract/posts.ts'
import { countStatements } from '#server/database/statements.ts'
import { admit } from '#tests/groups.ts'
import { brokenInvariants } from '#tests/invariants.ts'
import { jpeg } from '#tests/pictures.ts'
import { type Person, type World, world } from '#tests/world.ts'

let w: World
let ana: Person
let bea: Person
let dora: Person
let picture: Buffer
const filler: Post[] = []
beforeAll(async () => {
  w = await world()
  ana = await w.join('Ana')
  bea = await w.join('Bea')
  dora = await w.join('Dora')
  picture = await jpeg()
  for (let n = 0; n < 20; n += 1) filler.push(await publish(dora, `Relleno ${n} de Dora`))
})
afterAll(async () => {
  expect(await brokenInvariants(w.database)).toEqual([])
  await w.end()
})

const publish = async (who: Person, caption: string, groupId?: string) =>
  who.call(createPost, {
    caption,
    location: 'Aquí',
    tags: ['atardecer'],
    imageId: await who.upload(picture),
    groupId,
  })

const ids = (posts: Post[]) => posts.map((post) => post.$id)

describe('explore', () => {
  test('EXP-05 EXP-06 EXP-07 comes nine at a time by last edit, every post once, to the end', async () => {
    const seen: string[] = []
    const sizes: number[] = []
    let cursor: string | undefined
    do {
      const page = await ana.call(explorePosts, cursor ? { cursor } : {})
      seen.push(...ids(page.documents))
      sizes.push(page.documents.length)
      cursor = page.next ?? undefined
    } while (cursor)
    expect(sizes).toEqual([9, 9, 2])
    expect(seen).toEqual(ids(filler.toReversed()))
  })

  test('R-12 an edit or a delete of the last post seen does not move the page', async () => {
    const first = await ana.call(explorePosts, {})
    const last = first.documents.at(-1) as Post
    const expected = ids((await ana.call(explorePosts, { cursor: first.next ?? '' })).documents)
    await dora.call(updatePost, { postId: last.$id, caption: 'Editado mientras tanto' })
    expect(ids((await ana.call(explorePosts, { cursor: first.next ?? '' })).documents)).toEqual(expected)
    await dora.call(deletePost, { postId: last.$id })
    expect(ids((await ana.call(explorePosts, { cursor: first.next ?? '' })).documents)).toEqual(expected)
    await w.database.pool.query(`update deleted_rows set deleted_at = deleted_at - interval '25 hours'`)
    expect(await ana.refusal(explorePosts, { cursor: first.next })).toMatchObject({
      type: 'general_cursor_not_found',
    })
  })

  test('R-07 a like leaves the order as it is', async () => {
    const before = ids((await ana.call(explorePosts, {})).documents)
    await ana.call(likePost, { postId: before[4] ?? '' })
    expect(ids((await ana.call(explorePosts, {})).documents)).toEqual(before)
  })

  test('EXP-17 PERM-05 shows no group post to those outside, in no list', async () => {
    const group = await bea.call(createGroup, { name: 'G2' })
    const secret = await publish(bea, 'Secreto del grupo', group.$id)
    const lists = async (who: Person) => [
      await who.call(explorePosts, {}),
      await who.call(searchPosts, { term: 'secreto' }),
      await who.call(postsByPerson, { personId: bea.id }),
    ]
    for (const list of await lists(ana)) expect(ids(list.documents)).not.toContain(secret.$id)
    for (const list of await lists(bea)) expect(ids(list.documents)).toContain(secret.$id)
    expect(await ana.refusal(likePost, { postId: secret.$id })).toMatchObject({ code: 404 })
    expect(await ana.refusal(savePost, { postId: secret.$id })).toMatchObject({ code: 404 })
    const unknown = { type: 'general_cursor_not_found' }
    expect(await ana.refusal(explorePosts, { cursor: `0~${secret.$id}` })).toMatchObject(unknown)
    await bea.call(deletePost, { postId: secret.$id })
    expect(await ana.refusal(explorePosts, { cursor: `0~${secret.$id}` })).toMatchObject(unknown)
    await bea.call(explorePosts, { cursor: `0~${secret.$id}` })
  })

  test('R-12 goes on behind a post that went with its whole group', async () => {
    const group = await bea.call(createGroup, { name: 'G3' })
    await admit(bea, ana, group.$id)
    const last = await publish(bea, 'La última del grupo', group.$id)
    const { documents, next } = await ana.call(explorePosts, { limit: 1 })
    expect(ids(documents)).toEqual([last.$id])
    const { documents: expected } = await ana.call(explorePosts, { cursor: next ?? '' })
    await bea.call(deleteGroup, { groupId: group.$id, name: 'G3' })
    expect(ids((await ana.call(explorePosts, { cursor: next ?? '' })).documents)).toEqual(ids(expected))
  })

  test.each(['', '~', 'zzz', '%00', "0~' or 1=1", `0~${'a'.repeat(90)}`])(
    'refuses the cursor %j',
    async (cursor) => {
      expect(await ana.refusal(explorePosts, { cursor })).toMatchObject({ code: 400 })
    },
  )
})

describe('search', () => {
  test('EXP-14 matches the caption alone, whatever the case and the accents, twenty at most, newest first', async () => {
    const post = await publish(ana, 'Crepúsculo en Ávila')
    for (const term of ['CREPUSCULO', 'avila', 'en áv']) {
      expect(ids((await bea.call(searchPosts, { term })).documents)).toEqual([post.$id])
    }
    expect((await bea.call(searchPosts, { term: 'atardecer' })).documents).toEqual([])
    const many = await bea.call(searchPosts, { term: 'relleno' })
    expect(many.documents.length).toBeLessThanOrEqual(20)
    expect(many.documents[0]?.caption).toBe('Relleno 19 de Dora')
  })

  test('EXP-14 finds the newest twenty of a rare word among a million posts, wherever their keys lie', async () => {
    const eva = await w.join('Eva')
    const written: Post[] = []
    const jumpTo = (key: number) => sql`select setval('posts_id_seq', ${key})`.execute(w.database.kysely)
    const some = async (count: number) => {
      for (let n = 0; n < count; n += 1) written.push(await publish(eva, `Faro ${written.length}`))
    }
    await some(12)
    await jumpTo(1_000_000)
    await some(5)
    await jumpTo(1_200_000)
    await some(3)
    await jumpTo(1_210_000)
    await some(3)
    const found = async () => ids((await bea.call(searchPosts, { term: 'FARÓ' })).documents)
    expect(await found()).toEqual(ids(written).reverse().slice(0, 20))
    // Of two the times do not follow the keys.
    const at = (post: Post | undefined, time: string) =>
      sql`update posts set created_at = ${time}, updated_at = ${time} where public_id = ${post?.$id ?? ''}`.execute(
        w.database.kysely,
      )
    const [first, last] = [written.shift(), written.pop()]
    await at(last, '2001-01-01')
    await at(first, '2999-01-01')
    expect(await found()).toEqual([first?.$id, ...ids(written).reverse().slice(0, 19)])
  })

  test('EXP-13 Q07 finds nothing for nonsense, blanks and wildcards', async () => {
    for (const term of ['zzzz', '   ', '%', '_', '\\', "'", '^(a+)+$', '\uff05', '\u0301']) {
      expect(await ana.call(searchPosts, { term })).toEqual({ documents: [] })
    }
  })
})

describe('likes and saves', () => {
  test('LIKE-01 LIKE-03 LIKE-04 ana likes and takes it back; bea’s like stays', async () => {
    const post = await publish(dora, 'Para gustar')
    await bea.call(likePost, { postId: post.$id })
    expect(await ana.call(likePost, { postId: post.$id })).toEqual({ liked: true, likeCount: 2 })
    expect(await ana.call(likePost, { postId: post.$id })).toEqual({ liked: true, likeCount: 2 })
    expect(await ana.call(getPost, { postId: post.$id })).toMatchObject({ liked: true, likeCount: 2 })
    expect(await ana.call(unlikePost, { postId: post.$id })).toEqual({ liked: false, likeCount: 1 })
    expect(await bea.call(getPost, { postId: post.$id })).toMatchObject({ liked: true, likeCount: 1 })
  })

  test('C02 likes of many at once, on and off, lose none', async () => {
    const post = await publish(dora, 'Muy gustada')
    const crowd = await Promise.all(Array.from({ length: 8 }, (_, n) => w.join(`Fan ${n}`)))
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(crowd.map((fan) => fan.call(unlikePost, { postId: post.$id })))
      await Promise.all(crowd.flatMap((fan) => [1, 2].map(() => fan.call(likePost, { postId: post.$id }))))
    }
    expect(await ana.call(getPost, { postId: post.$id })).toMatchObject({ likeCount: 8 })
  })

  test('LIKE-12 her liked posts are hers alone, newest like first', async () => {
    const [first, second] = [filler[1], filler[2]] as [Post, Post]
    await bea.call(likePost, { postId: second.$id })
    await bea.call(likePost, { postId: first.$id })
    expect(ids((await bea.call(likedPosts, {})).documents).slice(0, 2)).toEqual([first.$id, second.$id])
  })

  test('LIKE-07 LIKE-08 SAV-02 SAV-07 saved posts come newest saved first, once however often saved', async () => {
    const [first, second] = [filler[3], filler[4]] as [Post, Post]
    await ana.call(savePost, { postId: second.$id })
    await Promise.all(Array.from({ length: 10 }, () => ana.call(savePost, { postId: first.$id })))
    expect(ids((await ana.call(savedPosts, {})).documents)).toEqual([first.$id, second.$id])
    await ana.call(unsavePost, { postId: first.$id })
    expect(ids((await ana.call(savedPosts, {})).documents)).toEqual([second.$id])
    expect((await bea.call(savedPosts, {})).documents).toEqual([])
  })

  test('SAV-06 SAV-08 R-05 a saved post that is deleted or moved out of sight is left out', async () => {
    const [gone, moved] = [await publish(bea, 'Se irá pronto'), await publish(bea, 'Se mudará pronto')]
    await dora.call(savePost, { postId: gone.$id })
    await dora.call(savePost, { postId: moved.$id })
    const group = await bea.call(createGroup, { name: 'Refugio' })
    await bea.call(updatePost, { postId: moved.$id, groupId: group.$id })
    await bea.call(deletePost, { postId: gone.$id })
    expect((await dora.call(savedPosts, {})).documents).toEqual([])
    await bea.call(updatePost, { postId: moved.$id, groupId: null })
    expect(ids((await dora.call(savedPosts, {})).documents)).toEqual([moved.$id])
  })

  test('saved posts page on, every one once', async () => {
    for (const post of filler.slice(12, 20)) await bea.call(savePost, { postId: post.$id })
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await bea.call(savedPosts, { limit: 3, ...(cursor ? { cursor } : {}) })
      seen.push(...ids(page.documents))
      cursor = page.next ?? undefined
    } while (cursor)
    expect(seen).toEqual(ids(filler.slice(12, 20).toReversed()))
  })

  test('P11 two statements for a like, the session look-up among them', async () => {
    const postId = filler[6]?.$id ?? ''
    const { statements } = await countStatements(() => ana.call(likePost, { postId }))
    expect(statements).toHaveLength(2)
  })
})

describe("a member's posts", () => {
  test('PROF-14 PDET-14 PDET-15 PDET-16 are hers, newest first, without the one being looked at', async () => {
    const mine = [await publish(ana, 'Primera suya'), await publish(ana, 'Segunda suya')]
    const listed = ids((await bea.call(postsByPerson, { personId: ana.id })).documents)
    expect(listed.slice(0, 2)).toEqual(ids(mine.toReversed()))
    const related = await bea.call(postsByPerson, { personId: ana.id, except: mine[1]?.$id })
    expect(ids(related.documents)).not.toContain(mine[1]?.$id)
    expect(await bea.refusal(postsByPerson, { personId: 'nobody' })).toMatchObject({ code: 404 })
  })
})
