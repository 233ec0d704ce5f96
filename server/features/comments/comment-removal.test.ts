import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Comment,
  createCommentOperation,
  deleteCommentOperation,
  likeCommentOperation,
  listCommentsOperation,
  listRepliesOperation,
  unlikeCommentOperation,
  updateCommentOperation,
} from '#contract/comments/comments.ts'
import { leaveGroupOperation, removeGroupMemberOperation } from '#contract/groups/group-members.ts'
import { createReportOperation } from '#contract/moderation/reports.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import { followOperation } from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import {
  getPostOperation,
  likePostOperation,
  listLikersOperation,
  takePostOutOfGroupOperation,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import { generateId } from '#server/ids.ts'
import { createAppwriteDocumentsClient } from '#tests/support/appwrite-documents-client.ts'
import { waitForChangePosition } from '#tests/support/change-log-position.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createGroupWithMembers, createPostInGroup } from '#tests/support/group-factory.ts'
import { openTestSocket } from '#tests/support/test-socket.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let carla: MemberClient
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  ;[ana, bea, carla] = [await w.join('Ana'), await w.join('Bea'), await w.join('Carla')]
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

const postOf = (author: MemberClient, groupId: string | null = null) =>
  createPostInGroup(w.database, author, groupId)
const say = (who: MemberClient, postId: string, content: string, parentId?: string): Promise<Comment> =>
  who.call(createCommentOperation, { postId, content, ...(parentId !== undefined && { parentId }) })
const read = (who: MemberClient, postId: string) => who.call(listCommentsOperation, { postId })
const remove = (who: MemberClient, commentId: string) => who.ask(deleteCommentOperation, { commentId })
const close = async (who: MemberClient) =>
  expect((await who.request('PATCH', '/v1/account/status', {})).status).toBe(200)
const withoutIds = (answer: unknown) =>
  JSON.stringify(answer, (name, value) =>
    ['$id', 'postId', 'parentId', 'next'].includes(name) && value !== null ? 'id' : value,
  )

describe('comments by hidden members', () => {
  test('CMT-12 when the last reply ends a removed thread, members blocked from the author of that reply do not receive the deletion', async () => {
    const [dora, iria] = [await w.join('Dora'), await w.join('Iria')]
    const postId = await postOf(ana)
    const thread = await say(bea, postId, 'Hilo')
    const answer = await say(dora, postId, 'Respuesta', thread.$id)
    await iria.call(blockMemberOperation, { personId: dora.id })
    expect((await remove(bea, thread.$id)).status).toBe(204)
    const since = await waitForChangePosition(w.database, ana)
    expect((await remove(dora, answer.$id)).status).toBe(204)
    const deletionsSeenBy = async (who: MemberClient) =>
      (await who.call(catchUpOperation, { since, collections: 'comments' })).changes.flatMap(
        ({ kind, document }) => (kind === 'delete' ? [document.$id] : []),
      )
    expect(new Set(await deletionsSeenBy(carla))).toEqual(new Set([thread.$id, answer.$id]))
    expect(await deletionsSeenBy(iria)).toEqual([])
  })

  test("CMT-13 the post's author removes comments by blockers, blocked members and closed accounts with the same result", async () => {
    const scenes = await Promise.all(
      (['blocked by', 'blocks', 'closed'] as const).map(async (what) => {
        const [dora, iria] = [await w.join('Dora'), await w.join('Iria')]
        const postId = await postOf(dora)
        const alone = await say(iria, postId, 'Sola')
        const thread = await say(iria, postId, 'Hilo')
        const answers = [
          await say(bea, postId, 'De bea', thread.$id),
          await say(iria, postId, 'De iria', thread.$id),
        ]
        const other = await say(bea, postId, 'Otro hilo')
        answers.push(await say(iria, postId, 'Bajo otro', other.$id))
        if (what === 'blocked by') await iria.call(blockMemberOperation, { personId: dora.id })
        else if (what === 'blocks') await dora.call(blockMemberOperation, { personId: iria.id })
        else await close(iria)
        return { what, dora, postId, alone, thread, answers }
      }),
    )
    const seen = await Promise.all(scenes.map(({ dora, postId }) => read(dora, postId)))
    expect(new Set(seen.map((page) => withoutIds(page).replaceAll(/"\d{4}-[^"]*"/g, '"time"'))).size).toBe(1)
    expect(seen[0]).toMatchObject({
      total: 2,
      documents: [
        { removed: true, author: null, $createdAt: null, can: { edit: false, delete: true }, replyCount: 0 },
        {
          removed: true,
          can: { delete: true },
          replyCount: 2,
          replies: [{ content: 'De bea' }, { removed: true, content: '', can: { delete: true } }],
        },
        { content: 'Otro hilo', replyCount: 1, replies: [{ removed: true, can: { delete: true } }] },
      ],
    })
    for (const { what, dora, postId, alone, thread, answers } of scenes) {
      // Only the post's author sees tombstones of comments by hidden authors.
      if (what === 'closed')
        expect((await read(bea, postId)).documents).toMatchObject([
          { $id: thread.$id, removed: true, can: { delete: false } },
          { content: 'Otro hilo', replies: [] },
        ])
      expect((await dora.call(listRepliesOperation, { commentId: thread.$id })).documents).toHaveLength(2)
      expect(
        await dora.refusal(updateCommentOperation, { commentId: alone.$id, content: 'No' }),
      ).toMatchObject({ code: 404 })
      expect((await remove(carla, alone.$id)).status).toBe(what === 'closed' ? 404 : 403)
      expect((await remove(dora, alone.$id)).status).toBe(204)
      expect((await remove(dora, answers[1]?.$id as string)).status).toBe(204)
      const byDocument = createAppwriteDocumentsClient(dora, 'comments')
      expect((await byDocument.remove(answers[2]?.$id as string)).status).toBe(204)
      expect((await remove(dora, thread.$id)).status).toBe(204)
      expect((await remove(dora, thread.$id)).status).toBe(404)
      expect(await read(dora, postId)).toMatchObject({ total: 1, documents: [{ content: 'Otro hilo' }] })
      expect(await read(bea, postId)).toMatchObject({ total: 1, documents: [{ content: 'Otro hilo' }] })
    }
  })

  test("CMT-13 the post's author can also remove a tombstone, which looks like a hidden member's comment", async () => {
    const postId = await postOf(ana)
    const thread = await say(bea, postId, 'Me arrepiento')
    await say(carla, postId, 'Vaya', thread.$id)
    await remove(bea, thread.$id)
    expect((await read(ana, postId)).documents[0]).toMatchObject({ removed: true, can: { delete: true } })
    for (const who of [bea, carla]) {
      expect((await read(who, postId)).documents[0]).toMatchObject({ removed: true, can: { delete: false } })
      expect((await remove(who, thread.$id)).status).toBe(403)
    }
    expect((await remove(ana, thread.$id)).status).toBe(204)
    expect(await read(carla, postId)).toMatchObject({ documents: [], total: 0 })
  })

  test("CMT-13 requests of the post's author about a removed comment get the same response as about a hidden member's comment", async () => {
    const scenes = await Promise.all(
      (['removed', 'blocked by', 'closed'] as const).map(async (what) => {
        const [dora, iria] = [await w.join('Dora'), await w.join('Iria')]
        const postId = await postOf(dora)
        const thread = await say(iria, postId, 'Hilo')
        await say(bea, postId, 'De bea', thread.$id)
        if (what === 'removed') expect((await remove(iria, thread.$id)).status).toBe(204)
        else if (what === 'blocked by') await iria.call(blockMemberOperation, { personId: dora.id })
        else await close(iria)
        return { what, dora, postId, commentId: thread.$id }
      }),
    )
    const results = await Promise.all(
      scenes.map(async ({ dora, postId, commentId }) => {
        const documents = createAppwriteDocumentsClient(dora, 'comments')
        const likes = createAppwriteDocumentsClient(dora, 'commentLikes')
        const attempts: Record<string, () => Promise<{ status: number; body: unknown }>> = {
          edit: () => dora.ask(updateCommentOperation, { commentId, content: 'No' }),
          like: () => dora.ask(likeCommentOperation, { commentId }),
          unlike: () => dora.ask(unlikeCommentOperation, { commentId }),
          replies: () => dora.ask(listRepliesOperation, { commentId }),
          report: () =>
            dora.ask(createReportOperation, { subject: { kind: 'comment', id: commentId }, reason: 'hate' }),
          'edit by document': () => documents.patch(commentId, { content: 'No' }),
          'like by document': () => likes.create({ commentId }),
          document: () => documents.get(commentId),
          'documents behind it': () => documents.list(`cursorAfter("${commentId}")`),
          'documents before it': () => documents.list(`cursorBefore("${commentId}")`),
          answer: () => dora.ask(createCommentOperation, { postId, content: 'Hola', parentId: commentId }),
          'answer by document': () => documents.create({ postId, content: 'Hola', parentId: commentId }),
          remove: () => dora.ask(deleteCommentOperation, { commentId }),
          'remove again': () => dora.ask(deleteCommentOperation, { commentId }),
          'edit the deleted reply': () => dora.ask(updateCommentOperation, { commentId, content: 'No' }),
        }
        const answers: [string, number, unknown][] = []
        for (const [name, attempt] of Object.entries(attempts)) {
          const { status, body } = await attempt()
          answers.push([name, status, (body as { type?: string } | null)?.type ?? null])
        }
        return answers
      }),
    )
    expect(results[0]).toEqual(results[1])
    expect(results[2]).toEqual(results[1])
  })

  test('CMT-11 a member can delete her own comment after leaving the group, being blocked, or the account becoming private', async () => {
    const [dora, iria] = [await w.join('Dora'), await w.join('Iria')]
    const group = await createGroupWithMembers(ana, iria)
    const grouped = await postOf(ana, group)
    const [open, later] = [await postOf(dora), await postOf(ana)]
    const own = [await say(iria, grouped, 'En el grupo'), await say(iria, open, 'A dora')]
    const followers = await w.join('Flor')
    const turned = await postOf(followers)
    own.push(await say(iria, turned, 'A flor'))
    const byDocument = await say(iria, later, 'Otra')
    await ana.call(removeGroupMemberOperation, { groupId: group, memberId: iria.id })
    await dora.call(blockMemberOperation, { personId: iria.id })
    await followers.call(updatePrivacySettingsOperation, { isPrivate: true, earlierPosts: 'followers' })
    await ana.call(blockMemberOperation, { personId: iria.id })
    for (const postId of [open, turned, later])
      expect(await iria.refusal(getPostOperation, { postId })).toMatchObject({ code: 404 })
    for (const { $id: commentId } of own) {
      expect(await iria.refusal(updateCommentOperation, { commentId, content: 'Ya no' })).toMatchObject({
        code: 404,
      })
      expect((await remove(bea, commentId)).status).toBeGreaterThanOrEqual(403)
      expect((await remove(iria, commentId)).status).toBe(204)
      expect((await remove(iria, commentId)).status).toBe(404)
    }
    expect((await createAppwriteDocumentsClient(iria, 'comments').remove(byDocument.$id)).status).toBe(204)
    for (const [who, postId] of [
      [ana, grouped],
      [dora, open],
      [followers, turned],
      [bea, later],
    ] as const)
      expect(await read(who, postId)).toMatchObject({ documents: [], total: 0 })
  })
})

describe('live changes', () => {
  test('CMT-11 the document of a removed comment has the time of its post and cannot be found by its original time', async () => {
    const postId = await postOf(ana)
    const thread = await say(bea, postId, 'Con hora')
    await say(carla, postId, 'Sí', thread.$id)
    const documents = createAppwriteDocumentsClient(carla, 'comments')
    const { $createdAt } = (await documents.get(thread.$id)).body as { $createdAt: string }
    await remove(bea, thread.$id)
    const post = await ana.call(getPostOperation, { postId })
    expect((await documents.get(thread.$id)).body).toMatchObject({
      $createdAt: post.$createdAt,
      $updatedAt: post.$createdAt,
      removed: true,
      content: '',
      authorId: null,
    })
    for (const attribute of ['$createdAt', '$updatedAt'])
      for (const query of [
        `equal("${attribute}", ["${$createdAt}"])`,
        `greaterThan("${attribute}", ["${post.$createdAt}"])`,
      ])
        expect(JSON.stringify((await documents.list(query)).body)).not.toContain(`"$id":"${thread.$id}"`)
  })

  test('CMT-13 CMT-15 removing a thread sends only the ids of its replies, live and in catch-up', async () => {
    const postId = await postOf(ana)
    const thread = await say(bea, postId, 'Hilo que se va')
    const answers = [await say(carla, postId, 'Una', thread.$id), await say(bea, postId, 'Dos', thread.$id)]
    const socket = await openTestSocket(w.app, {
      as: carla,
      path: '/v1/live',
      channels: [],
      query: { collections: 'comments' },
    })
    const since = await waitForChangePosition(w.database, carla)
    await remove(ana, thread.$id)
    const ids = [thread, ...answers].map(({ $id }) => $id)
    const isThread = (id: unknown) => id === null || id === thread.$id
    for (const id of ids) await expect.poll(() => JSON.stringify(socket.frames)).toContain(id)
    const { changes } = await carla.call(catchUpOperation, { since, collections: 'comments' })
    const gone = changes.filter(({ collection }) => collection === 'comments')
    expect(gone.map(({ kind, document }) => [kind, document.$id]).sort()).toEqual(
      ids.map((id) => ['delete', id]).sort(),
    )
    for (const { document } of gone)
      expect(document).toEqual({
        $id: expect.anything(),
        postId,
        parentId: expect.toSatisfy(isThread),
        authorId: null,
      })
    const { rows } = await w.database.pool.query(
      `select distinct array(select jsonb_object_keys(state) order by 1) as keys from changes
        where collection = 'comments' and kind = 'delete' and public_id = any($1)`,
      [ids],
    )
    expect(rows).toEqual([{ keys: ['id', 'owner_ids', 'parent_id', 'post_id', 'public_id', 'within_post'] }])
    socket.close()
  })
})

describe('conflicting requests', () => {
  test('CMT-03 resending a comment under its id to another thread is refused', async () => {
    const postId = await postOf(ana)
    const [first, second] = [await say(ana, postId, 'Uno'), await say(ana, postId, 'Dos')]
    const answer = await say(carla, postId, 'Respuesta', first.$id)
    const given = { postId, content: 'La misma', commentId: generateId() }
    const made = await bea.call(createCommentOperation, { ...given, parentId: first.$id })
    expect(await bea.call(createCommentOperation, { ...given, parentId: answer.$id })).toEqual(made)
    for (const other of [{ parentId: second.$id }, {}])
      expect(await bea.refusal(createCommentOperation, { ...given, ...other })).toMatchObject({ code: 409 })
    const documents = createAppwriteDocumentsClient(bea, 'comments')
    for (const other of [{ parentId: second.$id }, {}])
      expect(
        (await documents.create({ postId, content: 'La misma', ...other }, given.commentId)).status,
      ).toBe(409)
    const alone = { postId, content: 'Sin hilo', commentId: generateId() }
    await bea.call(createCommentOperation, alone)
    expect(await bea.refusal(createCommentOperation, { ...alone, parentId: first.$id })).toMatchObject({
      code: 409,
    })
  })

  test('CMT-07 null is refused as the setting of who can comment, and changes nothing through the documents API', async () => {
    const postId = await postOf(ana)
    await ana.call(updatePostOperation, { postId, commentsFrom: 'nobody' })
    expect((await ana.request('PATCH', `/v1/posts/${postId}`, { commentsFrom: null })).status).toBe(400)
    const answer = await createAppwriteDocumentsClient(ana, 'posts').patch(postId, { commentsFrom: null })
    expect(answer.body).toMatchObject({ commentsFrom: 'nobody' })
    expect(await ana.call(getPostOperation, { postId })).toMatchObject({ commentsFrom: 'nobody' })
  })
})

test("CMT-06 A15 moving a post out of a group deletes other members' comments, and outsiders never receive them", async () => {
  const [dora, eva] = [await w.join('Dora'), await w.join('Eva')]
  const group = await createGroupWithMembers(ana, bea, carla)
  const postId = await postOf(ana, group)
  const bears = await say(bea, postId, 'Solo entre nosotras')
  await say(ana, postId, 'Claro', bears.$id)
  const own = await say(ana, postId, 'De ana')
  await say(carla, postId, 'Me quedo', own.$id)
  await say(ana, postId, 'Gracias', own.$id)
  const since = new Map(
    await Promise.all(
      [bea, eva].map(async (who) => [who, await waitForChangePosition(w.database, who)] as const),
    ),
  )
  await ana.call(updatePostOperation, { postId, groupId: null })
  for (const who of [ana, bea, dora]) {
    const { documents, total } = await read(who, postId)
    expect([
      documents.map(({ content }) => content),
      documents[0]?.replies.map(({ content }) => content),
      total,
    ]).toEqual([['De ana'], ['Gracias'], 2])
  }
  expect((await dora.call(getPostOperation, { postId })).commentCount).toBe(2)
  const deleted = async (who: MemberClient) =>
    (await who.call(catchUpOperation, { since: since.get(who), collections: 'comments' })).changes
      .filter(({ kind }) => kind === 'delete')
      .map(({ document }) => document.$id)
  expect(await deleted(bea)).toHaveLength(3)
  expect(await deleted(eva)).toEqual([])
})

describe('PRIV-14 a post of a private account that moves into a group', () => {
  test.each(['product', 'documents'])(
    "moving the post through the %s API leaves followers' comments and likes behind and names nobody",
    async (api) => {
      const [olga, dora, eva] = [await w.join('Olga'), await w.join('Dora'), await w.join('Eva')]
      await dora.call(followOperation, { personId: olga.id })
      await olga.call(updatePrivacySettingsOperation, { isPrivate: true })
      const postId = await postOf(olga)
      const thread = await say(dora, postId, 'Entre nosotras')
      await say(olga, postId, 'Claro', thread.$id)
      const own = await say(olga, postId, 'De olga')
      for (const who of [dora, olga]) await who.call(likePostOperation, { postId })
      const groupId = await createGroupWithMembers(olga, eva)
      const since = new Map(
        await Promise.all(
          [dora, eva].map(async (who) => [who, await waitForChangePosition(w.database, who)] as const),
        ),
      )
      if (api === 'product') await olga.call(updatePostOperation, { postId, groupId })
      else
        expect((await createAppwriteDocumentsClient(olga, 'posts').patch(postId, { groupId })).status).toBe(
          200,
        )
      for (const who of [olga, eva]) {
        const { documents, total } = await read(who, postId)
        expect([documents.map(({ $id }) => $id), total]).toEqual([[own.$id], 1])
        const likers = await who.call(listLikersOperation, { postId })
        expect(likers.documents.map(({ name }) => name)).toEqual(['Olga'])
        expect(await who.call(getPostOperation, { postId })).toMatchObject({ commentCount: 1, likeCount: 1 })
      }
      const deleted = async (who: MemberClient) =>
        (await who.call(catchUpOperation, { since: since.get(who), collections: 'comments' })).changes
          .filter(({ kind }) => kind === 'delete')
          .map(({ document }) => document.$id)
      expect(await deleted(dora)).toContain(thread.$id)
      expect(await deleted(eva)).toEqual([])
    },
  )

  test("a public account's post keeps its comments, because everyone could already read them", async () => {
    const postId = await postOf(ana)
    await say(bea, postId, 'Para todas')
    await bea.call(likePostOperation, { postId })
    await ana.call(updatePostOperation, { postId, groupId: await createGroupWithMembers(ana, carla) })
    expect((await read(carla, postId)).documents.map(({ content }) => content)).toEqual(['Para todas'])
    expect(await carla.call(getPostOperation, { postId })).toMatchObject({ likeCount: 1 })
  })
})

test('CMT-06 M01 M29 moving a commented post out of its group reaches only members who saw it in the group', async () => {
  const [dora, eva] = [await w.join('Dora'), await w.join('Eva')]
  const group = await createGroupWithMembers(ana, bea, dora, eva)
  const [open, taken] = [await postOf(bea, group), await postOf(bea, group)]
  const said = [await say(ana, open, 'Entre nosotras'), await say(ana, taken, 'Y esto')]
  await eva.call(blockMemberOperation, { personId: bea.id })
  await bea.call(blockMemberOperation, { personId: dora.id })
  await bea.call(leaveGroupOperation, { groupId: group })
  await bea.call(takePostOutOfGroupOperation, { postId: taken })
  const listeners = await Promise.all(
    [ana, dora, eva].map(async (as) => ({
      as,
      socket: await openTestSocket(w.app, { as, path: '/v1/live', query: { collections: 'comments' } }),
    })),
  )
  const since = await waitForChangePosition(w.database, ana)
  for (const postId of [taken, open]) await bea.call(updatePostOperation, { postId, groupId: null })
  const last = await say(ana, await postOf(ana, group), 'Lo último')
  const results = await Promise.all(
    listeners.map(async ({ as, socket }) => {
      for (const id of as === ana ? [said[0]?.$id, last.$id] : [last.$id])
        await socket.until((frame) => JSON.stringify(frame).includes(String(id)))
      socket.close()
      const { changes } = await as.call(catchUpOperation, { since, collections: 'comments' })
      return [socket.frames, changes].map((received) =>
        said.map(({ $id }) => JSON.stringify(received).includes($id)),
      )
    }),
  )
  const nothing = [false, false]
  const opened = [true, false]
  expect(results).toEqual([
    [opened, opened],
    [nothing, nothing],
    [nothing, nothing],
  ])
})
