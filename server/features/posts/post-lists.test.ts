import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { leaveGroupOperation } from '#contract/groups/group-members.ts'
import {
  createGroupOperation,
  deleteGroupOperation,
  listGroupPostsOperation,
} from '#contract/groups/groups.ts'

import { followOperation } from '#contract/people/people.ts'
import {
  createPostOperation,
  deletePostOperation,
  explorePostsOperation,
  getHomeFeedOperation,
  getPostOperation,
  likePostOperation,
  listLikedPostsOperation,
  listLikersOperation,
  listPersonPostsOperation,
  listSavedPostsOperation,
  type Post,
  savePostOperation,
  searchPostsOperation,
  unlikePostOperation,
  unsavePostOperation,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import { captureSqlStatements } from '#server/database/prepared-statements.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import {
  admitMemberToGroup,
  createGroupWithMembers,
  createPostInGroup,
  insertUploadedImageRow,
} from '#tests/support/group-factory.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let dora: MemberClient
const filler: Post[] = []
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
  bea = await w.join('Bea')
  dora = await w.join('Dora')
  for (let n = 0; n < 20; n += 1) filler.push(await publish(dora, `Relleno ${n} de Dora`))
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

const publish = async (who: MemberClient, caption: string, groupId?: string, tags = ['atardecer']) =>
  who.call(createPostOperation, {
    caption,
    location: 'Aquí',
    tags,
    imageId: await insertUploadedImageRow(w.database, who),
    groupId,
  })

const ids = (posts: Post[]) => posts.map((post) => post.$id)

describe('Explore', () => {
  test('EXP-05 EXP-06 EXP-07 Explore comes in pages of nine by last edit, with every post once', async () => {
    const seen: string[] = []
    const sizes: number[] = []
    let cursor: string | undefined
    do {
      const page = await ana.call(explorePostsOperation, cursor ? { cursor } : {})
      seen.push(...ids(page.documents))
      sizes.push(page.documents.length)
      cursor = page.next ?? undefined
    } while (cursor)
    expect(sizes).toEqual([9, 9, 2])
    expect(seen).toEqual(ids(filler.toReversed()))
  })

  test('editing or deleting the last post of a page does not shift the next page', async () => {
    const first = await ana.call(explorePostsOperation, {})
    const last = first.documents.at(-1) as Post
    const expected = ids((await ana.call(explorePostsOperation, { cursor: first.next ?? '' })).documents)
    await dora.call(updatePostOperation, { postId: last.$id, caption: 'Editado mientras tanto' })
    expect(ids((await ana.call(explorePostsOperation, { cursor: first.next ?? '' })).documents)).toEqual(
      expected,
    )
    await dora.call(deletePostOperation, { postId: last.$id })
    expect(ids((await ana.call(explorePostsOperation, { cursor: first.next ?? '' })).documents)).toEqual(
      expected,
    )
    const pass = (time: string) =>
      w.database.pool.query(`update deleted_rows set deleted_at = deleted_at - $1::interval`, [time])
    await pass('23 hours 55 minutes')
    expect(ids((await ana.call(explorePostsOperation, { cursor: first.next ?? '' })).documents)).toEqual(
      expected,
    )
    await pass('5 minutes')
    expect(await ana.refusal(explorePostsOperation, { cursor: first.next })).toMatchObject({
      type: 'general_cursor_not_found',
    })
  })

  test('a like does not change the order of Explore', async () => {
    const before = ids((await ana.call(explorePostsOperation, {})).documents)
    await ana.call(likePostOperation, { postId: before[4] ?? '' })
    expect(ids((await ana.call(explorePostsOperation, {})).documents)).toEqual(before)
  })

  test("EXP-17 PERM-05 no list shows a group's posts to non-members", async () => {
    const group = await bea.call(createGroupOperation, { name: 'G2' })
    const secret = await publish(bea, 'Secreto del grupo', group.$id)
    const lists = async (who: MemberClient) => [
      await who.call(explorePostsOperation, {}),
      await who.call(searchPostsOperation, { term: 'secreto' }),
      await who.call(listPersonPostsOperation, { personId: bea.id }),
    ]
    for (const list of await lists(ana)) expect(ids(list.documents)).not.toContain(secret.$id)
    for (const list of await lists(bea)) expect(ids(list.documents)).toContain(secret.$id)
    expect(await ana.refusal(likePostOperation, { postId: secret.$id })).toMatchObject({ code: 404 })
    expect(await ana.refusal(savePostOperation, { postId: secret.$id })).toMatchObject({ code: 404 })
    const unknown = { type: 'general_cursor_not_found' }
    expect(await ana.refusal(explorePostsOperation, { cursor: `0~${secret.$id}` })).toMatchObject(unknown)
    await bea.call(deletePostOperation, { postId: secret.$id })
    expect(await ana.refusal(explorePostsOperation, { cursor: `0~${secret.$id}` })).toMatchObject(unknown)
    await bea.call(explorePostsOperation, { cursor: `0~${secret.$id}` })
  })

  test('Explore continues after a post that was deleted with its group', async () => {
    const group = await bea.call(createGroupOperation, { name: 'G3' })
    await admitMemberToGroup(bea, ana, group.$id)
    const last = await publish(bea, 'La última del grupo', group.$id)
    const { documents, next } = await ana.call(explorePostsOperation, { limit: 1 })
    expect(ids(documents)).toEqual([last.$id])
    const { documents: expected } = await ana.call(explorePostsOperation, { cursor: next ?? '' })
    await bea.call(deleteGroupOperation, { groupId: group.$id, name: 'G3' })
    expect(ids((await ana.call(explorePostsOperation, { cursor: next ?? '' })).documents)).toEqual(
      ids(expected),
    )
  })

  test.each(['', '~', 'zzz', '%00', "0~' or 1=1", `0~${'a'.repeat(90)}`])(
    'Explore refuses the cursor %j',
    async (cursor) => {
      expect(await ana.refusal(explorePostsOperation, { cursor })).toMatchObject({ code: 400 })
    },
  )
})

describe('Explore from some authors', () => {
  test("EXP-18 Explore lists public posts by followed members, or posts of the caller's groups, newest first, each once", async () => {
    const [eva, fay, gil] = [await w.join('Eva'), await w.join('Fay'), await w.join('Gil')]
    await eva.call(followOperation, { personId: fay.id })
    const group = await gil.call(createGroupOperation, { name: 'Coro' })
    await admitMemberToGroup(gil, eva, group.$id)
    await admitMemberToGroup(gil, fay, group.$id)
    const open: Post[] = []
    for (let n = 0; n < 11; n += 1) open.unshift(await publish(fay, `Abierta ${n}`))
    const shared = [
      await publish(fay, 'De fay en el coro', group.$id),
      await publish(gil, 'De gil', group.$id),
    ]
    await publish(eva, 'La suya')
    await publish(gil, 'De quien no sigue')
    await fay.call(updatePostOperation, { postId: open[10]?.$id ?? '', caption: 'Editada al final' })

    const first = await eva.call(explorePostsOperation, { from: 'following' })
    const second = await eva.call(explorePostsOperation, { from: 'following', cursor: first.next ?? '' })
    expect([...ids(first.documents), ...ids(second.documents)]).toEqual(ids(open))
    expect(first.documents).toHaveLength(9)
    expect(second.next).toBeNull()
    const ofGroups = await eva.call(explorePostsOperation, { from: 'groups' })
    expect(ids(ofGroups.documents)).toEqual(ids(shared).reverse())
    for (const from of ['following', 'groups'] as const)
      expect(await dora.call(explorePostsOperation, { from })).toEqual({ documents: [], next: null })
    expect(ids((await eva.call(explorePostsOperation, { from: 'everyone' })).documents)).toContain(
      open[10]?.$id,
    )
  })

  test('EXP-18 PERM-05 a former member sees no posts of the group in Explore and cannot continue from their cursors', async () => {
    const [hal, ida] = [await w.join('Hal'), await w.join('Ida')]
    const group = await hal.call(createGroupOperation, { name: 'Taller' })
    await admitMemberToGroup(hal, ida, group.$id)
    await publish(hal, 'Primera del taller', group.$id)
    await publish(hal, 'Segunda del taller', group.$id)
    const { documents, next } = await ida.call(explorePostsOperation, { from: 'groups', limit: 1 })
    expect(documents).toHaveLength(1)
    await ida.call(leaveGroupOperation, { groupId: group.$id })
    expect(await ida.call(explorePostsOperation, { from: 'groups' })).toEqual({ documents: [], next: null })
    expect(await ida.refusal(explorePostsOperation, { from: 'groups', cursor: next ?? '' })).toMatchObject({
      type: 'general_cursor_not_found',
    })
  })

  test('Explore refuses an unknown choice of authors, naming the field', async () => {
    expect(await ana.refusal(explorePostsOperation, { from: 'saved' })).toMatchObject({
      code: 400,
      field: 'from',
    })
  })

  test('EXP-18 Explore takes three statements, however many members the caller follows', async () => {
    const eva = await w.join('Eva')
    for (const person of [ana, bea, dora]) await eva.call(followOperation, { personId: person.id })
    for (const from of ['following', 'groups'] as const) {
      const { statements } = await captureSqlStatements(() => eva.call(explorePostsOperation, { from }))
      expect(statements.length).toBeLessThanOrEqual(3)
    }
  })
})

describe('search', () => {
  test('EXP-14 the search matches caption and tags, not the place, ignoring case and accents, and lists the newest twenty posts', async () => {
    const post = await publish(ana, 'Crepúsculo en Ávila')
    for (const term of ['CREPUSCULO', 'avila', 'en áv']) {
      expect(ids((await bea.call(searchPostsOperation, { term })).documents)).toEqual([post.$id])
    }
    expect((await bea.call(searchPostsOperation, { term: 'aquí' })).documents).toEqual([])
    const tagged = (await bea.call(searchPostsOperation, { term: 'ATARDE' })).documents
    expect(tagged[0]?.$id).toBe(post.$id)
    expect(tagged).toHaveLength(20)
    const many = await bea.call(searchPostsOperation, { term: 'relleno' })
    expect(many.documents.length).toBeLessThanOrEqual(20)
    expect(many.documents[0]?.caption).toBe('Relleno 19 de Dora')
  })

  test('EXP-14 a search with # finds the whole tag, and captions that contain the tag', async () => {
    const [whole, part, written, other] = [
      await publish(ana, 'Con la etiqueta', undefined, ['mar', 'Playa']),
      await publish(ana, 'Con una más larga', undefined, ['marea']),
      await publish(ana, 'Escrita como #Mar en el texto', undefined, []),
      await publish(ana, 'Del mar sin etiqueta', undefined, []),
    ]
    const found = async (term: string) => ids((await bea.call(searchPostsOperation, { term })).documents)
    expect(await found('#MÁR')).toEqual([written.$id, whole.$id])
    expect(await found('##playa')).toEqual([whole.$id])
    expect(await found('mar')).toEqual([other.$id, written.$id, part.$id, whole.$id])
    for (const term of ['#', '#%', '#_____', '#ma', '#ar playa'])
      expect(await found(term)).not.toContain(whole.$id)
  })

  test('EXP-14 EXP-17 a tag search reveals no group post to outsiders', async () => {
    const group = await bea.call(createGroupOperation, { name: 'Con etiqueta' })
    const secret = await publish(bea, 'Etiquetada en el grupo', group.$id, ['callada'])
    expect(ids((await bea.call(searchPostsOperation, { term: '#callada' })).documents)).toEqual([secret.$id])
    for (const term of ['#callada', 'callada'])
      expect(await ana.call(searchPostsOperation, { term })).toEqual({ documents: [] })
  })

  test('EXP-14 the search finds the newest twenty posts with a rare word among a million posts', async () => {
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
    const found = async () => ids((await bea.call(searchPostsOperation, { term: 'FARÓ' })).documents)
    expect(await found()).toEqual(ids(written).reverse().slice(0, 20))
    // Gives two posts times that do not follow the order of their keys.
    const at = (post: Post | undefined, time: string) =>
      sql`update posts set created_at = ${time}, updated_at = ${time} where public_id = ${post?.$id ?? ''}`.execute(
        w.database.kysely,
      )
    const [first, last] = [written.shift(), written.pop()]
    await at(last, '2001-01-01')
    await at(first, '2999-01-01')
    expect(await found()).toEqual([first?.$id, ...ids(written).reverse().slice(0, 19)])
  })

  test('EXP-13 Q07 the search finds nothing for nonsense, blanks and wildcards', async () => {
    for (const term of ['zzzz', '   ', '%', '_', '\\', "'", '^(a+)+$', '\uff05', '\u0301']) {
      expect(await ana.call(searchPostsOperation, { term })).toEqual({ documents: [] })
    }
  })
})

describe('likes and saves', () => {
  test("LIKE-01 LIKE-03 LIKE-04 ana likes a post and withdraws her like; bea's like stays", async () => {
    const post = await publish(dora, 'Para gustar')
    await bea.call(likePostOperation, { postId: post.$id })
    expect(await ana.call(likePostOperation, { postId: post.$id })).toEqual({ liked: true, likeCount: 2 })
    expect(await ana.call(likePostOperation, { postId: post.$id })).toEqual({ liked: true, likeCount: 2 })
    expect(await ana.call(getPostOperation, { postId: post.$id })).toMatchObject({
      liked: true,
      likeCount: 2,
    })
    expect(await ana.call(unlikePostOperation, { postId: post.$id })).toEqual({ liked: false, likeCount: 1 })
    expect(await bea.call(getPostOperation, { postId: post.$id })).toMatchObject({
      liked: true,
      likeCount: 1,
    })
  })

  test('LIKE-13 the list of members who like a post is newest first, in pages', async () => {
    const post = await publish(dora, 'De muchas')
    const fans = await Promise.all(['Uno', 'Dos', 'Tres', 'Cuatro', 'Cinco'].map((name) => w.join(name)))
    for (const fan of fans) await fan.call(likePostOperation, { postId: post.$id })
    const newest = fans.map((fan) => fan.id).reverse()
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await ana.call(listLikersOperation, {
        postId: post.$id,
        limit: 2,
        ...(cursor ? { cursor } : {}),
      })
      seen.push(...page.documents.map((person) => person.$id))
      cursor = page.next ?? undefined
    } while (cursor)
    expect(seen).toEqual(newest)
    // If the like at the end of a page is removed, the next page stays the same.
    const first = await ana.call(listLikersOperation, { postId: post.$id, limit: 2 })
    await fans[3]?.call(unlikePostOperation, { postId: post.$id })
    const rest = await ana.call(listLikersOperation, { postId: post.$id, cursor: first.next ?? '' })
    expect(rest.documents.map((person) => person.$id)).toEqual(newest.slice(2))
    // A cursor names the page's last likers and contains no times.
    expect(first.next).toBe(`${fans[4]?.id}~${fans[3]?.id}`)
    for (const cursor of [`zzzzzzzz~${ana.id}`, `0~${ana.id}`])
      expect(await ana.refusal(listLikersOperation, { postId: post.$id, cursor })).toMatchObject({
        type: 'general_cursor_not_found',
      })
    const before = await ana.call(listLikersOperation, { postId: post.$id, cursor: `0~${fans[2]?.id}` })
    expect(before.documents.map((person) => person.$id)).toEqual(newest.slice(3))
    // Likes with the same time each appear once.
    await sql`update post_likes set created_at = '2026-01-01'`.execute(w.database.kysely)
    const one = await ana.call(listLikersOperation, { postId: post.$id, limit: 2 })
    const two = await ana.call(listLikersOperation, { postId: post.$id, limit: 3, cursor: one.next ?? '' })
    expect(new Set([...one.documents, ...two.documents].map((person) => person.$id)).size).toBe(4)
    expect(await ana.refusal(listLikersOperation, { postId: post.$id, cursor: '0~nobody' })).toMatchObject({
      type: 'general_cursor_not_found',
    })
    expect(await ana.refusal(listLikersOperation, { postId: 'nowhere' })).toMatchObject({ code: 404 })
    expect(await w.visitor.refusal(listLikersOperation, { postId: post.$id })).toMatchObject({ code: 401 })
  })

  test("LIKE-13 PERM-05 only group members see who likes a group's post; its author outside the group sees only her own like", async () => {
    const group = await ana.call(createGroupOperation, { name: 'Likes' })
    await admitMemberToGroup(ana, bea, group.$id)
    await admitMemberToGroup(ana, dora, group.$id)
    const post = await publish(bea, 'Del grupo', group.$id)
    for (const fan of [ana, bea, dora]) await fan.call(likePostOperation, { postId: post.$id })
    const names = async (who: MemberClient) =>
      (await who.call(listLikersOperation, { postId: post.$id })).documents.map((person) => person.$id)
    expect(await names(ana)).toEqual([dora.id, bea.id, ana.id])
    const outsider = await w.join('Fuera')
    expect(await outsider.refusal(listLikersOperation, { postId: post.$id })).toMatchObject({
      code: 403,
      type: 'group_membership_required',
    })
    await bea.call(leaveGroupOperation, { groupId: group.$id })
    expect(await names(bea)).toEqual([bea.id])
    await dora.call(leaveGroupOperation, { groupId: group.$id })
    expect(await dora.refusal(listLikersOperation, { postId: post.$id })).toMatchObject({ code: 403 })
  })

  test('LIKE-13 PERM-05 likes by group members stay hidden when the post leaves the group, whatever the way', async () => {
    const group = await ana.call(createGroupOperation, { name: 'Apoyo' })
    await admitMemberToGroup(ana, bea, group.$id)
    await admitMemberToGroup(ana, dora, group.$id)
    const [post, moved, kept] = [
      await publish(bea, 'De todas', group.$id),
      await publish(bea, 'Otra más', group.$id),
      await publish(bea, 'La tercera', group.$id),
    ]
    for (const fan of [ana, bea, dora])
      for (const { $id: postId } of [post, moved, kept]) await fan.call(likePostOperation, { postId })
    await bea.call(leaveGroupOperation, { groupId: group.$id, posts: 'take' })
    const own = await bea.call(createGroupOperation, { name: 'De una' })
    await bea.call(updatePostOperation, { postId: post.$id, groupId: null })
    await bea.call(updatePostOperation, { postId: moved.$id, groupId: own.$id })
    await ana.call(deleteGroupOperation, { groupId: group.$id, name: 'Apoyo' })
    for (const { $id: postId } of [post, moved, kept]) {
      const { documents } = await bea.call(listLikersOperation, { postId })
      expect(documents.map((person) => person.$id)).toEqual([bea.id])
      expect(await bea.call(getPostOperation, { postId })).toMatchObject({ likeCount: 1, liked: true })
    }
    expect(await ana.call(getPostOperation, { postId: post.$id })).toMatchObject({
      likeCount: 1,
      liked: false,
    })
    const { documents } = await dora.call(listLikedPostsOperation, {})
    expect(documents.map(({ $id }) => $id)).not.toContain(post.$id)
  })

  test('C02 concurrent likes and unlikes by many members lose none', async () => {
    const post = await publish(dora, 'Muy gustada')
    const crowd = await Promise.all(Array.from({ length: 8 }, (_, n) => w.join(`Fan ${n}`)))
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(crowd.map((fan) => fan.call(unlikePostOperation, { postId: post.$id })))
      await Promise.all(
        crowd.flatMap((fan) => [1, 2].map(() => fan.call(likePostOperation, { postId: post.$id }))),
      )
    }
    expect(await ana.call(getPostOperation, { postId: post.$id })).toMatchObject({ likeCount: 8 })
  })

  test('LIKE-12 only the caller can list her liked posts, newest like first', async () => {
    const [first, second] = [filler[1], filler[2]] as [Post, Post]
    await bea.call(likePostOperation, { postId: second.$id })
    await bea.call(likePostOperation, { postId: first.$id })
    expect(ids((await bea.call(listLikedPostsOperation, {})).documents).slice(0, 2)).toEqual([
      first.$id,
      second.$id,
    ])
  })

  test('LIKE-07 LIKE-08 SAV-02 SAV-07 saved posts are listed most recently saved first, each once however often it was saved', async () => {
    const [first, second] = [filler[3], filler[4]] as [Post, Post]
    await ana.call(savePostOperation, { postId: second.$id })
    await Promise.all(Array.from({ length: 10 }, () => ana.call(savePostOperation, { postId: first.$id })))
    expect(ids((await ana.call(listSavedPostsOperation, {})).documents)).toEqual([first.$id, second.$id])
    await ana.call(unsavePostOperation, { postId: first.$id })
    expect(ids((await ana.call(listSavedPostsOperation, {})).documents)).toEqual([second.$id])
    expect((await bea.call(listSavedPostsOperation, {})).documents).toEqual([])
  })

  test('SAV-06 SAV-08 a saved post that is deleted or becomes hidden is left out of the list', async () => {
    const [gone, moved] = [await publish(bea, 'Se irá pronto'), await publish(bea, 'Se mudará pronto')]
    await dora.call(savePostOperation, { postId: gone.$id })
    await dora.call(savePostOperation, { postId: moved.$id })
    const group = await bea.call(createGroupOperation, { name: 'Refugio' })
    await bea.call(updatePostOperation, { postId: moved.$id, groupId: group.$id })
    await bea.call(deletePostOperation, { postId: gone.$id })
    expect((await dora.call(listSavedPostsOperation, {})).documents).toEqual([])
    await bea.call(updatePostOperation, { postId: moved.$id, groupId: null })
    expect(ids((await dora.call(listSavedPostsOperation, {})).documents)).toEqual([moved.$id])
  })

  test('the pages of saved posts contain every post once', async () => {
    for (const post of filler.slice(12, 20)) await bea.call(savePostOperation, { postId: post.$id })
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await bea.call(listSavedPostsOperation, { limit: 3, ...(cursor ? { cursor } : {}) })
      seen.push(...ids(page.documents))
      cursor = page.next ?? undefined
    } while (cursor)
    expect(seen).toEqual(ids(filler.slice(12, 20).toReversed()))
  })

  test('P11 a like takes two statements, including the session look-up', async () => {
    const postId = filler[6]?.$id ?? ''
    const { statements } = await captureSqlStatements(() => ana.call(likePostOperation, { postId }))
    expect(statements).toHaveLength(2)
  })
})

describe("a member's posts", () => {
  test("PROF-14 PDET-14 PDET-15 PDET-16 the list of a member's posts is newest first and leaves out the post being viewed", async () => {
    const mine = [await publish(ana, 'Primera suya'), await publish(ana, 'Segunda suya')]
    const listed = ids((await bea.call(listPersonPostsOperation, { personId: ana.id })).documents)
    expect(listed.slice(0, 2)).toEqual(ids(mine.toReversed()))
    const related = await bea.call(listPersonPostsOperation, { personId: ana.id, except: mine[1]?.$id })
    expect(ids(related.documents)).not.toContain(mine[1]?.$id)
    expect(await bea.refusal(listPersonPostsOperation, { personId: 'nobody' })).toMatchObject({ code: 404 })
  })
})

describe('posts of the same millisecond', () => {
  const same = '2026-03-04T05:06:07.008Z'
  let author: MemberClient
  let reader: MemberClient
  let made: string[]
  beforeAll(async () => {
    author = await w.join('Mismo Instante')
    reader = await w.join('Lectora')
    made = []
    for (let n = 0; n < 7; n += 1) made.push(await createPostInGroup(w.database, author, null))
    for (const postId of [3, 0, 6, 1, 5, 2, 4].map((place) => made[place] ?? '')) {
      await reader.call(savePostOperation, { postId })
      await reader.call(likePostOperation, { postId })
    }
    const { pool } = w.database
    await pool.query('update posts set created_at = $1, updated_at = $1 where public_id = any($2)', [
      same,
      made,
    ])
    await pool.query('update saves set created_at = $1', [same])
    await pool.query('update post_likes set created_at = $1', [same])
    made.reverse()
  })

  const walk = async (list: (cursor?: string) => Promise<{ documents: Post[]; next?: string | null }>) => {
    const seen: string[] = []
    for (let cursor: string | undefined | null; cursor !== null; ) {
      const page = await list(cursor)
      seen.push(...ids(page.documents))
      cursor = page.next ?? null
    }
    return seen.filter((id) => made.includes(id))
  }
  const at = (cursor?: string) => ({ limit: 2, ...(cursor ? { cursor } : {}) })

  test('EXP-06 SAV-02 LIKE-12 PROF-14 posts of the same millisecond appear once and newest first in every list, wherever pages end', async () => {
    expect(await walk((cursor) => reader.call(explorePostsOperation, at(cursor)))).toEqual(made)
    expect(await walk((cursor) => reader.call(listSavedPostsOperation, at(cursor)))).toEqual(made)
    expect(await walk((cursor) => reader.call(listLikedPostsOperation, at(cursor)))).toEqual(made)
    const hers = (cursor?: string) =>
      reader.call(listPersonPostsOperation, { personId: author.id, ...at(cursor) })
    expect(await walk(hers)).toEqual(made)
  })

  test("GPAGE-17 posts of the same millisecond stay newest first on a group's page, even after deletions and new posts", async () => {
    const group = await createGroupWithMembers(author, reader)
    const elsewhere = await createGroupWithMembers(author, reader)
    const before = made
    made = []
    for (let n = 0; n < 45; n += 1) made.push(await createPostInGroup(w.database, author, group))
    const others = [
      await createPostInGroup(w.database, author, elsewhere),
      await createPostInGroup(w.database, author, null),
    ]
    const setTime = (posts: string[], at: string) =>
      w.database.pool.query('update posts set created_at = $1 where public_id = any($2)', [at, posts])
    await setTime([...made, ...others], same)
    made.reverse()
    const read = (cursor?: string) =>
      reader.call(listGroupPostsOperation, { groupId: group, ...(cursor ? { cursor } : {}) })
    const sizes: number[] = []
    const all = await walk(async (cursor) => {
      const page = await read(cursor)
      sizes.push(page.documents.length)
      return page
    })
    expect(all).toEqual(made)
    expect(sizes).toEqual([20, 20, 5])

    const first = await read()
    const newer = await createPostInGroup(w.database, author, group)
    await author.call(deletePostOperation, { postId: made[19] ?? '' })
    const second = await read(first.next ?? '')
    expect(ids(second.documents)).toEqual(made.slice(20, 40))
    expect(ids((await read()).documents)[0]).toBe(newer)
    expect(ids((await read(second.next ?? '')).documents)).toEqual(made.slice(40))
    made = before
  })

  test('HOME-06 posts of the same millisecond are newest first on the home page, for one author and for several', async () => {
    const feed = (who: MemberClient) =>
      walk((cursor) => who.call(getHomeFeedOperation, cursor ? { cursor } : {}))
    expect(await feed(author)).toEqual(made)
    for (const name of ['Otra Uno', 'Otra Dos']) {
      const other = await w.join(name)
      await reader.call(followOperation, { personId: other.id })
      for (let n = 0; n < 9; n += 1) made.unshift(await createPostInGroup(w.database, other, null))
    }
    await reader.call(followOperation, { personId: author.id })
    await w.database.pool.query('update posts set created_at = $1 where public_id = any($2)', [same, made])
    expect(await feed(reader)).toEqual(made)
  })
})
