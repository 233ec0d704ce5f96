import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGroupWithMembers, insertUploadedImageRow } from '#tests/support/group-factory.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'
import {
  type AppwriteTestDocument,
  buildAppwriteEqualQuery,
  createAppwriteDocumentsClient,
  documentIdsOf,
  postContentFixture,
} from '../../../tests/support/appwrite-documents-client.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana Luz')
  bea = await w.join('Bea')
})
afterAll(() => w.end())

const listOf = (document: AppwriteTestDocument | undefined, name: string) =>
  (document?.[name] ?? []) as AppwriteTestDocument[]
async function published(author: MemberClient, more: object = {}): Promise<AppwriteTestDocument> {
  const imageId = await insertUploadedImageRow(w.database, author)
  return createAppwriteDocumentsClient(author, 'posts').made({ ...postContentFixture, imageId, ...more })
}

/** Creates hundreds of members, posts and likes directly in the database. */
async function crowd(likers: number, postId: string): Promise<void> {
  await w.database.pool.query(
    `with made as (
       insert into accounts (public_id, email) select 'crowd' || n || $2, 'crowd' || n || $2 || '@juntas.test'
       from generate_series(1, $1::int) n returning id, public_id
     ), people as (
       insert into users (public_id, account_id, name, username, bio)
       select public_id, id, 'Vecina', public_id, 'Hola' from made returning id
     )
     insert into post_likes (post_id, user_id) select p.id, people.id from people, posts p where p.public_id = $2`,
    [likers, postId],
  )
}

async function manyPosts(author: MemberClient, count: number, caption = 'Una tarde juntas'): Promise<void> {
  await w.database.pool.query(
    `with pictures as (
       insert into files (public_id, owner_id, state, purpose, name, storage_key, announced_size, size, chunks_total,
         mime_type, signature, sha256, width, height, thumbhash)
       select left(md5(random()::text || n), 20), u.id, 'attached', 'post', 'foto.jpg', md5(random()::text || n), 9, 9,
         1, 'image/jpeg', md5('x'), sha256('x'), 4, 3, 'pixels'
       from users u, generate_series(1, $2::int) n where u.public_id = $1 returning id, owner_id
     )
     insert into posts (public_id, creator_id, caption, location, image_id)
     select left(md5(random()::text || id), 20), owner_id, $3, repeat('山', 1000), id from pictures`,
    [author.id, count, caption],
  )
}

describe('related documents', () => {
  test('related documents are nested two levels deep, without a link back', async () => {
    const post = await published(ana)
    await createAppwriteDocumentsClient(bea, 'posts').patch(post.$id, { likes: [bea.id] })
    await createAppwriteDocumentsClient(bea, 'saves').made({ post: post.$id })

    const read = (await createAppwriteDocumentsClient(bea, 'posts').get(post.$id)).body
    expect(read.creator).toMatchObject({
      $id: ana.id,
      $collectionId: 'users',
      posts: [],
      save: [],
      liked: [],
    })
    expect(listOf(read, 'likes')).toMatchObject([{ $id: bea.id, posts: [], postsTotal: 0 }])

    const anas = (await createAppwriteDocumentsClient(bea, 'users').get(ana.id)).body
    expect(anas).toMatchObject({ postsTotal: 1, save: [], liked: [] })
    const [hers] = listOf(anas, 'posts')
    expect(hers).not.toHaveProperty('creator')
    expect(listOf(hers, 'likes')).toMatchObject([{ $id: bea.id, posts: [] }])

    const own = (await createAppwriteDocumentsClient(bea, 'users').get(bea.id)).body
    expect(own).toMatchObject({ saveTotal: 1, likedTotal: 1 })
    const [save] = listOf(own, 'save')
    expect(save).not.toHaveProperty('user')
    expect(save?.post).toMatchObject({ $id: post.$id, likes: [], likesTotal: 1 })
    expect(listOf(own, 'liked')).toMatchObject([{ $id: post.$id, creator: { $id: ana.id } }])
  })

  test('a relationship to many documents is always a list, never missing', async () => {
    const everywhere = (value: unknown): void => {
      if (Array.isArray(value)) value.forEach(everywhere)
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return
      const { $collectionId } = value as AppwriteTestDocument
      const lists = { users: ['posts', 'save', 'liked'], posts: ['likes'] }[String($collectionId)] ?? []
      for (const list of lists) expect((value as AppwriteTestDocument)[list]).toBeInstanceOf(Array)
      Object.values(value).forEach(everywhere)
    }
    for (const collection of ['users', 'posts', 'saves'])
      everywhere(await createAppwriteDocumentsClient(bea, collection).all())
    everywhere((await createAppwriteDocumentsClient(bea, 'users').get(bea.id)).body)
  })

  test("nested lists hold at most 100, 10 or 3 items, newest first, and always the caller's own like", async () => {
    const post = await published(ana)
    await createAppwriteDocumentsClient(bea, 'posts').patch(post.$id, { likes: [bea.id] })
    await crowd(120, post.$id)
    const one = (await createAppwriteDocumentsClient(bea, 'posts').get(post.$id)).body
    expect(one.likesTotal).toBe(121)
    expect(listOf(one, 'likes')).toHaveLength(100)
    expect(documentIdsOf(listOf(one, 'likes')).at(-1)).toBe(bea.id)
    const strangers = (await createAppwriteDocumentsClient(ana, 'posts').get(post.$id)).body
    expect(listOf(strangers, 'likes')).toHaveLength(100)
    expect(documentIdsOf(listOf(strangers, 'likes'))).not.toContain(bea.id)

    const [listed] = await createAppwriteDocumentsClient(bea, 'posts').all(
      buildAppwriteEqualQuery('$id', post.$id),
    )
    expect(listed?.likesTotal).toBe(121)
    expect(listOf(listed, 'likes')).toHaveLength(10)
    expect(documentIdsOf(listOf(listed, 'likes'))).toContain(bea.id)

    const [nested] = listOf((await createAppwriteDocumentsClient(bea, 'users').get(ana.id)).body, 'posts')
    expect(listOf(nested, 'likes')).toHaveLength(10)
    const [person] = await createAppwriteDocumentsClient(bea, 'users').all(
      buildAppwriteEqualQuery('$id', ana),
    )
    expect(listOf(listOf(person, 'posts')[0], 'likes')).toHaveLength(3)
    expect(documentIdsOf(listOf(listOf(person, 'posts')[0], 'likes'))).toContain(bea.id)
  })

  test("a member's own profile has a hundred posts, also in a list that returns only that profile", async () => {
    const cleo = await w.join('Cleo')
    await manyPosts(cleo, 105)
    const own = await createAppwriteDocumentsClient(cleo, 'users').all(
      buildAppwriteEqualQuery('accountId', cleo.accountId),
    )
    expect(own).toHaveLength(1)
    expect(listOf(own[0], 'posts')).toHaveLength(100)
    expect(own[0]?.postsTotal).toBe(105)
    const seen = await createAppwriteDocumentsClient(ana, 'users').all(buildAppwriteEqualQuery('$id', cleo))
    expect(listOf(seen[0], 'posts')).toHaveLength(10)
    expect(seen[0]?.postsTotal).toBe(105)
  })

  test('PERM-05 an unreadable post appears at no nesting depth and in no count', async () => {
    const dora = await w.join('Dora')
    const group = await createGroupWithMembers(dora, bea)
    const secret = await published(dora, { groupId: group, caption: 'Secreto de Dora' })
    await createAppwriteDocumentsClient(bea, 'posts').patch(secret.$id, { likes: [bea.id] })
    for (const answer of [
      await createAppwriteDocumentsClient(ana, 'users').get(dora.id),
      await createAppwriteDocumentsClient(ana, 'users').list(buildAppwriteEqualQuery('$id', dora)),
      await createAppwriteDocumentsClient(ana, 'users').get(bea.id),
      await createAppwriteDocumentsClient(ana, 'posts').list('limit(100)'),
    ]) {
      expect(answer.status).toBe(200)
      expect(answer.raw.toString()).not.toContain('Secreto')
    }
    expect((await createAppwriteDocumentsClient(ana, 'users').get(dora.id)).body).toMatchObject({
      posts: [],
      postsTotal: 0,
    })
    expect((await createAppwriteDocumentsClient(bea, 'users').get(dora.id)).body).toMatchObject({
      postsTotal: 1,
    })
  })

  test('a document with very many related documents stays under two megabytes and reports the true totals', async () => {
    const fay = await w.join('Fay')
    await manyPosts(fay, 130, '山'.repeat(2200))
    await w.database.pool.query(
      `insert into post_likes (post_id, user_id) select p.id, u.id from posts p, users u
       where p.creator_id = (select id from users where public_id = $1) and u.public_id in ($1, $2, $3)`,
      [fay.id, ana.id, bea.id],
    )
    const own = await createAppwriteDocumentsClient(fay, 'users').get(fay.id)
    expect(own.body).toMatchObject({ postsTotal: 130, likedTotal: 130 })
    const list = await createAppwriteDocumentsClient(fay, 'posts').list(
      buildAppwriteEqualQuery('creator', fay),
      'limit(100)',
    )
    expect(list.body.documents).toHaveLength(100)
    // Her own like stays in shortened lists.
    for (const post of list.body.documents) expect(documentIdsOf(listOf(post, 'likes'))).toContain(fay.id)
    for (const answer of [own, list]) expect(answer.raw.length).toBeLessThanOrEqual(2_000_000)
  })
})
