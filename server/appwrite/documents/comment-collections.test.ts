import { afterAll, beforeAll, expect, test } from 'vitest'
import { likeCommentOperation, listCommentsOperation } from '#contract/comments/comments.ts'
import {
  type AppwriteDocumentsTestClient,
  buildAppwriteEqualQuery,
  createAppwriteDocumentsClient,
  documentIdsOf,
  documentNotFoundRefusalText,
  formatRefusalText,
  unauthorizedRefusalText,
} from '#tests/support/appwrite-documents-client.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createGroupWithMembers, createPostInGroup } from '#tests/support/group-factory.ts'
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

const commentsOf = (who: MemberClient): AppwriteDocumentsTestClient =>
  createAppwriteDocumentsClient(who, 'comments')
const under = (post: string) => buildAppwriteEqualQuery('postId', post)

test('OLD-04 members who can read a post list its comments, with answers and likes', async () => {
  const group = await createGroupWithMembers(bea, ana)
  const [open, closed] = [
    await createPostInGroup(w.database, bea, null),
    await createPostInGroup(w.database, bea, group),
  ]
  const thread = await commentsOf(ana).made({ postId: open, content: 'Qué bonito' })
  const answer = await commentsOf(bea).made({ postId: open, parentId: thread.$id, content: 'Gracias' })
  const grouped = await commentsOf(ana).made({ postId: closed, content: 'Entre nosotras' })
  await bea.call(likeCommentOperation, { commentId: thread.$id })
  expect(documentIdsOf(await commentsOf(carla).all(under(open))).sort()).toEqual(
    [thread.$id, answer.$id].sort(),
  )
  expect((await commentsOf(carla).get(thread.$id)).body).toMatchObject({
    ...{ postId: open, authorId: ana.id, parentId: null, content: 'Qué bonito' },
    ...{ likesCount: 1, editedAt: null, removed: false },
  })
  expect((await commentsOf(carla).get(answer.$id)).body).toMatchObject({ parentId: thread.$id })
  expect((await commentsOf(carla).list(under(closed))).body).toMatchObject({ total: 0, documents: [] })
  expect(formatRefusalText(await commentsOf(carla).get(grouped.$id))).toBe(documentNotFoundRefusalText)
  expect(formatRefusalText(await commentsOf(carla).create({ postId: closed, content: '¿Y yo?' }))).toBe(
    documentNotFoundRefusalText,
  )
})

test("OLD-04 members list ana's comments under a post or in a thread, and only ana lists all her comments", async () => {
  const posts = [
    await createPostInGroup(w.database, bea, null),
    await createPostInGroup(w.database, carla, null),
  ] as const
  const said: string[] = []
  for (const postId of posts) said.push((await commentsOf(ana).made({ postId, content: 'Aquí' })).$id)
  const [first = '', second = ''] = said
  const answer = await commentsOf(ana).made({ postId: posts[0], parentId: first, content: 'Y otra' })
  const query = (method: string, attribute: string, ...values: unknown[]) => ({ method, attribute, values })
  const joined = (method: string, ...values: object[]) => ({ method, values })
  const byAna = query('equal', 'authorId', ana.id)
  const at = (postId: string) => query('equal', 'postId', postId)
  const newest = { method: 'orderDesc', attribute: '$createdAt' }
  const list = (who: MemberClient, ...queries: object[]) =>
    commentsOf(who).list(...queries.map((each) => JSON.stringify(each)))
  const listed = async (who: MemberClient, ...queries: object[]) =>
    documentIdsOf((await list(who, ...queries)).body.documents).sort()

  expect(await listed(bea, byAna, at(posts[0]))).toEqual([first, answer.$id].sort())
  expect(await listed(bea, joined('and', byAna, at(posts[1])))).toEqual([second])
  expect(await listed(bea, byAna, query('equal', 'parentId', first))).toEqual([answer.$id])
  expect(await listed(ana, byAna, newest)).toEqual(expect.arrayContaining([first, second, answer.$id]))
  for (const asked of [
    [byAna],
    [byAna, newest],
    [query('equal', 'authorId', ana.id, bea.id)],
    [query('notEqual', 'authorId', bea.id)],
    [query('isNotNull', 'authorId')],
    [joined('and', byAna, byAna)],
    [joined('or', byAna, at(posts[0]))],
    [joined('or', byAna, query('equal', 'authorId', bea.id))],
    [byAna, query('notEqual', 'postId', posts[0])],
  ])
    expect(await list(bea, ...asked)).toMatchObject({
      status: 400,
      body: { type: 'general_query_invalid', field: 'queries' },
    })
  // The answer is the same for an unknown member.
  const [known, unknown] = [await list(bea, byAna), await list(bea, query('equal', 'authorId', 'nobody'))]
  expect(known.body).toEqual(unknown.body)
})

test('OLD-04 only an author changes or deletes her comments, and both APIs show the result', async () => {
  const postId = await createPostInGroup(w.database, bea, null)
  const comment = await commentsOf(ana).made({ postId, content: '  Hola  ' })
  const shown = async () => (await carla.call(listCommentsOperation, { postId })).documents
  expect(await shown()).toMatchObject([{ $id: comment.$id, content: 'Hola' }])
  expect((await commentsOf(ana).patch(comment.$id, { content: 'Hola, Bea' })).body).toMatchObject({
    content: 'Hola, Bea',
    editedAt: expect.any(String),
  })
  expect(await shown()).toMatchObject([{ content: 'Hola, Bea' }])
  for (const who of [bea, carla])
    expect(formatRefusalText(await commentsOf(who).patch(comment.$id, { content: 'Otra' }))).toBe(
      unauthorizedRefusalText,
    )
  expect(formatRefusalText(await commentsOf(carla).remove(comment.$id))).toBe(unauthorizedRefusalText)
  expect((await commentsOf(ana).create({ postId, content: ' ' })).status).toBe(400)
  expect((await commentsOf(ana).create({ postId, content: 'a'.repeat(1001) })).status).toBe(400)
  expect((await commentsOf(ana).remove(comment.$id)).status).toBe(204)
  expect(await shown()).toEqual([])
  const another = await commentsOf(ana).made({ postId, content: 'Otra vez' })
  await w.database.pool.query(
    `update comments set created_at = created_at - interval '15 minutes 1 second' where public_id = $1`,
    [another.$id],
  )
  expect(formatRefusalText(await commentsOf(ana).patch(another.$id, { content: 'Tarde' }))).toBe(
    unauthorizedRefusalText,
  )
  expect((await commentsOf(bea).remove(another.$id)).status).toBe(204)
  expect(await shown()).toEqual([])
})
