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
import { removeGroupMemberOperation } from '#contract/groups/group-members.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import { followOperation, getPersonOperation } from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import {
  createPostOperation,
  deletePostOperation,
  getHomeFeedOperation,
  getPostOperation,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import { captureSqlStatements } from '#server/database/prepared-statements.ts'
import { generateId } from '#server/ids.ts'
import { createAppwriteDocumentsClient } from '#tests/support/appwrite-documents-client.ts'
import { waitForChangePosition } from '#tests/support/change-log-position.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import {
  createGroupWithMembers,
  createPostInGroup,
  insertUploadedImageRow,
} from '#tests/support/group-factory.ts'
import { stopClock } from '#tests/support/stop-clock.ts'
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
const read = (who: MemberClient, postId: string, before?: string) =>
  who.call(listCommentsOperation, { postId, ...(before !== undefined && { before }) })
const textsOf = (comments: readonly { content: string }[]) => comments.map(({ content }) => content)
const close = async (who: MemberClient) =>
  expect((await who.request('PATCH', '/v1/account/status', {})).status).toBe(200)

describe('writing', () => {
  test('CMT-01 comments are listed oldest first, with author and time', async () => {
    const postId = await postOf(ana)
    await say(bea, postId, 'Qué bonita tarde')
    await say(carla, postId, '¿Dónde es?')
    await say(bea, postId, 'En Tonalá')
    const { documents, ...rest } = await read(ana, postId)
    expect(documents.map(({ author, content }) => [author?.name, content])).toEqual([
      ['Bea', 'Qué bonita tarde'],
      ['Carla', '¿Dónde es?'],
      ['Bea', 'En Tonalá'],
    ])
    expect(documents[0]?.$createdAt).toMatch(/^\d{4}-\d\d-\d\dT.*\+00:00$/)
    expect(rest).toEqual({ next: null, earlier: 0, total: 3, open: true, commentsFrom: 'everyone' })
    expect(await ana.call(getPostOperation, { postId })).toMatchObject({ commentCount: 3 })
  })

  test('CMT-02 a comment has 1 to 1,000 characters after trimming', async () => {
    const postId = await postOf(ana)
    expect((await say(bea, postId, `  ${'a'.repeat(1000)}\n`)).content).toHaveLength(1000)
    for (const content of ['', '  \n ', '\u200B', 'a'.repeat(1001)])
      expect(await bea.refusal(createCommentOperation, { postId, content })).toMatchObject({
        code: 400,
        field: 'content',
      })
    expect((await read(bea, postId)).total).toBe(1)
  })

  test('CMT-03 a comment resent under its id is stored once; other text under that id is refused', async () => {
    const postId = await postOf(ana)
    const other = await postOf(ana)
    const commentId = generateId()
    const first = await bea.call(createCommentOperation, { postId, content: 'Una vez', commentId })
    expect(await bea.call(createCommentOperation, { postId, content: 'Una vez', commentId })).toEqual(first)
    for (const [who, given] of [
      [bea, { postId, content: 'Otra cosa', commentId }],
      [bea, { postId: other, content: 'Una vez', commentId }],
      [carla, { postId, content: 'Una vez', commentId }],
    ] as const)
      expect(await who.refusal(createCommentOperation, given)).toMatchObject({ code: 409 })
    expect(textsOf((await read(bea, postId)).documents)).toEqual(['Una vez'])
    expect((await read(bea, other)).documents).toEqual([])
  })

  test('CMT-04 a reply to a reply joins the same thread, which shows three replies and loads the rest', async () => {
    const postId = await postOf(ana)
    const thread = await say(bea, postId, '¿Quién viene?')
    const first = await say(carla, postId, 'Yo', thread.$id)
    const second = await say(ana, postId, '@carla qué bien', first.$id)
    expect([first.parentId, second.parentId]).toEqual([thread.$id, thread.$id])
    for (let number = 3; number <= 8; number += 1) await say(bea, postId, `Respuesta ${number}`, thread.$id)
    const [shown] = (await read(ana, postId)).documents
    expect(shown).toMatchObject({ $id: thread.$id, replyCount: 8 })
    expect(textsOf(shown?.replies ?? [])).toEqual(['Yo', '@carla qué bien', 'Respuesta 3'])
    const after = shown?.replies.at(-1)?.$id as string
    const rest = await ana.call(listRepliesOperation, { commentId: thread.$id, after, limit: 4 })
    expect(textsOf(rest.documents)).toEqual(['Respuesta 4', 'Respuesta 5', 'Respuesta 6', 'Respuesta 7'])
    const last = await ana.call(listRepliesOperation, { commentId: thread.$id, after: rest.next as string })
    expect([textsOf(last.documents), last.next]).toEqual([['Respuesta 8'], null])
    const other = await postOf(ana)
    expect(
      await bea.refusal(createCommentOperation, { postId: other, content: 'Aquí no', parentId: thread.$id }),
    ).toMatchObject({ code: 404, type: 'comment_thread_not_found' })
    expect(
      await bea.refusal(createCommentOperation, { postId, content: 'A nadie', parentId: generateId() }),
    ).toMatchObject({ code: 404, type: 'comment_thread_not_found' })
  })

  test('CMT-04 CMT-06 A23 replying to a hidden comment fails as for a deleted comment, unless the thread has a visible part', async () => {
    const [dora, iria] = [await w.join('Dora'), await w.join('Iria')]
    const postId = await postOf(ana)
    const thread = await say(dora, postId, 'Quien me bloquea lo lee')
    const other = await say(bea, postId, 'Otro hilo')
    const answer = await say(dora, postId, 'Bajo otro', other.$id)
    await dora.call(blockMemberOperation, { personId: iria.id })
    const refused = await iria.refusal(createCommentOperation, {
      postId,
      content: 'A nadie',
      parentId: generateId(),
    })
    for (const parentId of [thread.$id, answer.$id])
      expect(await iria.refusal(createCommentOperation, { postId, content: 'Te veo', parentId })).toEqual(
        refused,
      )
    const documents = createAppwriteDocumentsClient(iria, 'comments')
    expect(await documents.create({ postId, content: 'Te veo', parentId: thread.$id })).toMatchObject({
      status: 404,
    })
    await say(carla, postId, 'Yo sí', thread.$id)
    expect(await say(iria, postId, 'Y yo', thread.$id)).toMatchObject({ parentId: thread.$id })
  })

  test('CMT-05 of 54 threads, twenty come per page, and concurrent additions and removals repeat or skip none', async () => {
    const postId = await postOf(ana)
    for (let number = 1; number <= 54; number += 1) await say(bea, postId, `${number}`)
    const newest = await read(carla, postId)
    expect([newest.documents.length, newest.earlier, newest.total]).toEqual([20, 34, 54])
    await say(bea, postId, '55')
    const before = newest.next as string
    await bea.call(deleteCommentOperation, { commentId: before })
    const earlier = await read(carla, postId, before)
    const oldest = await read(carla, postId, earlier.next as string)
    expect(textsOf([...oldest.documents, ...earlier.documents, ...newest.documents])).toEqual(
      Array.from({ length: 54 }, (_, index) => `${index + 1}`),
    )
    expect([earlier.earlier, oldest.earlier, oldest.next]).toEqual([14, 0, null])
    expect(await carla.refusal(listCommentsOperation, { postId, before: generateId() })).toMatchObject({
      type: 'general_cursor_not_found',
    })
  })

  test('CMT-05 a cursor at a deleted comment still works, but only in its own thread and post', async () => {
    const [postId, other] = [await postOf(ana), await postOf(ana)]
    const first = await say(bea, postId, 'Primero')
    const gone = await say(bea, postId, 'Se va')
    const thread = await say(bea, postId, '¿Quién viene?')
    const answers = []
    for (let number = 1; number <= 5; number += 1)
      answers.push(await say(bea, postId, `${number}`, thread.$id))
    const after = answers[2]?.$id as string
    await bea.call(deleteCommentOperation, { commentId: after })
    await bea.call(deleteCommentOperation, { commentId: gone.$id })
    const rest = await ana.call(listRepliesOperation, { commentId: thread.$id, after })
    expect([textsOf(rest.documents), rest.next]).toEqual([['4', '5'], null])
    expect(textsOf((await read(carla, postId, gone.$id)).documents)).toEqual(['Primero'])
    const unknown = { code: 400, type: 'general_cursor_not_found' }
    const elsewhere = await say(bea, other, 'Otra cosa')
    await say(bea, other, 'Respuesta', elsewhere.$id)
    for (const commentId of [first.$id, elsewhere.$id])
      expect(await ana.refusal(listRepliesOperation, { commentId, after })).toMatchObject(unknown)
    expect(await ana.refusal(listCommentsOperation, { postId: other, before: gone.$id })).toMatchObject(
      unknown,
    )
    const whole = await ana.call(listRepliesOperation, { commentId: thread.$id, limit: 4 })
    expect([textsOf(whole.documents), whole.next]).toEqual([['1', '2', '4', '5'], null])
    const page = await ana.call(listCommentsOperation, { postId, limit: 2 })
    expect([textsOf(page.documents), page.next]).toEqual([['Primero', '¿Quién viene?'], null])
  })

  test('CMT-05 a cursor at a comment that iria cannot see fails; one at a comment removed while she reads works', async () => {
    const [postId, iria, dora, luz] = [
      await postOf(ana),
      await w.join('Iria'),
      await w.join('Dora'),
      await w.join('Luz'),
    ]
    await say(bea, postId, 'Primero')
    const thread = await say(bea, postId, 'De bea')
    const [ofDora, goesOfDora, ofLuz] = [
      await say(dora, postId, 'De dora'),
      await say(dora, postId, 'De dora, que se va'),
      await say(luz, postId, 'De luz'),
    ]
    const [answerOfBea, answerOfDora, goneAnswerOfDora] = [
      await say(bea, postId, '1', thread.$id),
      await say(dora, postId, '2', thread.$id),
      await say(dora, postId, '3', thread.$id),
    ]
    const begun = await say(bea, postId, 'De bea, a quien contesta dora')
    await say(dora, postId, 'A bea', begun.$id)
    const refusals = async (who: MemberClient) => [
      ...(await Promise.all(
        [ofDora, goesOfDora, ofLuz, { $id: generateId() }].map(
          async ({ $id: before }) => (await who.ask(listCommentsOperation, { postId, before })).status,
        ),
      )),
      ...(await Promise.all(
        [answerOfBea, answerOfDora, goneAnswerOfDora, { $id: generateId() }].map(
          async ({ $id: after }) =>
            (
              await who.ask(listRepliesOperation, { commentId: thread.$id, after })
            ).status,
        ),
      )),
    ]
    expect(await refusals(iria)).toEqual([200, 200, 200, 400, 200, 200, 200, 400])
    await dora.call(blockMemberOperation, { personId: iria.id })
    await close(luz)
    for (const { $id: commentId } of [goesOfDora, goneAnswerOfDora])
      await dora.call(deleteCommentOperation, { commentId })
    expect(await refusals(iria)).toEqual([400, 400, 400, 400, 200, 400, 400, 400])
    const unknown = await iria.refusal(listCommentsOperation, { postId, before: generateId() })
    expect(await iria.refusal(listCommentsOperation, { postId, before: ofDora.$id })).toEqual(unknown)
    // Other members see all comments of dora. The post's author sees everything.
    expect(await refusals(carla)).toEqual([200, 200, 400, 400, 200, 200, 200, 400])
    expect(await refusals(ana)).toEqual([200, 200, 200, 400, 200, 200, 200, 400])
    // The comment that iria read last may be removed before she continues.
    await bea.call(deleteCommentOperation, { commentId: begun.$id })
    const older = await read(iria, postId, begun.$id)
    expect(textsOf(older.documents)).toEqual(['Primero', 'De bea'])
    await w.database.pool.query(
      `update comments set removed_at = removed_at - interval '25 hours' where public_id = $1`,
      [begun.$id],
    )
    expect((await iria.ask(listCommentsOperation, { postId, before: begun.$id })).status).toBe(400)
    expect((await carla.ask(listCommentsOperation, { postId, before: begun.$id })).status).toBe(200)
  })

  test('CMT-17 a comment can be edited for fifteen minutes and is then marked as edited; later it can only be deleted', async () => {
    const postId = await postOf(ana)
    const { $id: commentId, can } = await say(bea, postId, 'Con faltas')
    expect(can).toEqual({ edit: true, delete: true })
    const age = (minutes: string) =>
      w.database.pool.query(
        `update comments set created_at = clock_timestamp() - $1::interval where public_id = $2`,
        [minutes, commentId],
      )
    await age('14 minutes 59 seconds')
    expect(await bea.call(updateCommentOperation, { commentId, content: 'Sin faltas' })).toMatchObject({
      content: 'Sin faltas',
      edited: true,
    })
    await age('15 minutes 1 second')
    expect(await bea.refusal(updateCommentOperation, { commentId, content: 'Tarde' })).toMatchObject({
      code: 403,
      type: 'comment_too_old',
    })
    expect((await read(bea, postId)).documents[0]?.can).toEqual({ edit: false, delete: true })
    expect(await carla.refusal(updateCommentOperation, { commentId, content: 'Ajena' })).toMatchObject({
      type: 'user_unauthorized',
    })
    await bea.call(deleteCommentOperation, { commentId })
    expect((await read(bea, postId)).documents).toEqual([])
  })

  test('CMT-18 a member can like a comment only once and take the like back only once', async () => {
    const postId = await postOf(ana)
    const { $id: commentId } = await say(bea, postId, 'Me alegro')
    for (const likeCount of [1, 1])
      expect(await carla.call(likeCommentOperation, { commentId })).toEqual({ liked: true, likeCount })
    expect(await ana.call(likeCommentOperation, { commentId })).toEqual({ liked: true, likeCount: 2 })
    expect((await read(carla, postId)).documents[0]).toMatchObject({ liked: true, likeCount: 2 })
    for (const likeCount of [1, 1])
      expect(await carla.call(unlikeCommentOperation, { commentId })).toEqual({ liked: false, likeCount })
    expect(await carla.refusal(likeCommentOperation, { commentId: generateId() })).toMatchObject({
      code: 404,
    })
  })
})

describe('permissions', () => {
  test('CMT-06 only group members can read and write comments in a group', async () => {
    const dora = await w.join('Dora')
    const group = await createGroupWithMembers(ana, bea, dora)
    const postId = await postOf(ana, group)
    const { $id: commentId } = await say(bea, postId, 'Entre nosotras')
    expect(textsOf((await read(ana, postId)).documents)).toEqual(['Entre nosotras'])
    expect(await carla.refusal(listCommentsOperation, { postId })).toMatchObject({
      code: 403,
      message: 'No tienes acceso a los posts de este grupo',
    })
    expect(await carla.refusal(createCommentOperation, { postId, content: 'Hola' })).toMatchObject({
      code: 403,
      type: 'group_membership_required',
    })
    for (const operation of [likeCommentOperation, deleteCommentOperation, listRepliesOperation] as const)
      expect(await carla.refusal(operation, { commentId })).toMatchObject({ code: 404 })
    const documents = createAppwriteDocumentsClient(carla, 'comments')
    expect(JSON.stringify((await documents.list('limit(100)')).body)).not.toContain(commentId)
    expect((await documents.get(commentId)).status).toBe(404)

    await ana.call(removeGroupMemberOperation, { groupId: group, memberId: dora.id })
    expect(await dora.refusal(listCommentsOperation, { postId })).toMatchObject({ code: 403 })
  })

  test("CMT-07 a new post takes its author's comment setting unless the request names another; the setting can change later", async () => {
    const dora = await w.join('Dora')
    await dora.call(updatePrivacySettingsOperation, { commentsFrom: 'followed' })
    const postId = await postOf(dora)
    expect(await dora.call(getPostOperation, { postId })).toMatchObject({ commentsFrom: 'followed' })
    const content = {
      caption: 'Una tarde juntas',
      location: 'Casa',
      tags: [],
      commentsFrom: 'nobody' as const,
    }
    const imageId = await insertUploadedImageRow(w.database, dora)
    expect(await dora.call(createPostOperation, { ...content, imageId })).toMatchObject({
      commentsFrom: 'nobody',
    })
    const before = await dora.call(getPostOperation, { postId })
    const after = await dora.call(updatePostOperation, { postId, commentsFrom: 'everyone' })
    expect(after.commentsFrom).toBe('everyone')
    expect(after.$updatedAt).toBe(before.$updatedAt)
  })

  test('CMT-08 with the setting "people she follows", only they and the author can comment', async () => {
    const dora = await w.join('Dora')
    await dora.call(followOperation, { personId: bea.id })
    const postId = await postOf(dora)
    await dora.call(updatePostOperation, { postId, commentsFrom: 'followed' })
    await say(bea, postId, 'Gracias por seguirme')
    await say(dora, postId, 'A ti')
    expect(await carla.refusal(createCommentOperation, { postId, content: 'Yo también' })).toMatchObject({
      code: 403,
      type: 'comments_closed',
    })
    expect([(await read(bea, postId)).open, (await read(carla, postId)).open]).toEqual([true, false])
    expect((await read(carla, postId)).total).toBe(2)
  })

  test('CMT-06 A20 a removed member can neither edit her comments in the group nor mention anyone there', async () => {
    const [dora, iria] = [await w.join('Dora'), await w.join('Iria')]
    const groupId = await createGroupWithMembers(ana, dora, iria)
    const postId = await postOf(dora, groupId)
    const said = await say(dora, postId, 'Todavía en el grupo')
    expect((await read(dora, postId)).open).toBe(true)
    await ana.call(removeGroupMemberOperation, { groupId, memberId: dora.id })
    const { username } = await iria.call(getPersonOperation, { personId: iria.id })
    expect(
      await dora.refusal(createCommentOperation, { postId, content: `@${username} te encuentro` }),
    ).toMatchObject({ code: 403, type: 'comments_closed' })
    expect(
      await dora.refusal(updateCommentOperation, {
        commentId: said.$id,
        content: `@${username} te encuentro`,
      }),
    ).toMatchObject({ code: 403 })
    const documents = createAppwriteDocumentsClient(dora, 'comments')
    expect((await documents.create({ postId, content: `@${username}` })).status).toBe(401)
    expect(await read(iria, postId)).toMatchObject({ open: true, total: 1 })
    expect(await read(dora, postId)).toMatchObject({
      open: false,
      documents: [{ can: { edit: false, delete: true } }],
    })
  })

  test('CMT-09 CMT-10 with comments closed, not even the author can comment, and existing comments stay', async () => {
    const postId = await postOf(ana)
    await say(bea, postId, 'Antes')
    await ana.call(updatePostOperation, { postId, commentsFrom: 'nobody' })
    for (const who of [ana, bea, carla]) {
      expect(await who.refusal(createCommentOperation, { postId, content: 'Después' })).toMatchObject({
        code: 403,
        type: 'comments_closed',
      })
      expect(await read(who, postId)).toMatchObject({ open: false, total: 1 })
    }
  })

  test('CMT-09 CMT-17 a member who can no longer comment cannot edit existing comments', async () => {
    const postId = await postOf(ana)
    const { $id: commentId } = await say(bea, postId, 'Qué bonito')
    const edit = { commentId, content: 'Qué fea sales' }
    const document = createAppwriteDocumentsClient(bea, 'comments')
    for (const commentsFrom of ['nobody', 'followed'] as const) {
      await ana.call(updatePostOperation, { postId, commentsFrom })
      expect(await bea.refusal(updateCommentOperation, edit)).toMatchObject({ code: 403 })
      expect((await document.patch(commentId, { content: edit.content })).status).toBe(401)
      expect((await read(bea, postId)).documents).toMatchObject([{ can: { edit: false, delete: true } }])
    }
    expect((await read(ana, postId)).documents).toMatchObject([{ content: 'Qué bonito', edited: false }])
    await ana.call(updatePostOperation, { postId, commentsFrom: 'everyone' })
    expect(await bea.call(updateCommentOperation, { commentId, content: 'Qué bonita' })).toMatchObject({
      content: 'Qué bonita',
    })
  })

  test("CMT-06 CMT-14 blocked members neither see nor count each other's comments, but see replies by others", async () => {
    const [dora, iria] = [await w.join('Dora'), await w.join('Iria')]
    const postId = await postOf(ana)
    const thread = await say(iria, postId, 'De iria')
    await say(bea, postId, 'Respuesta de bea', thread.$id)
    await say(iria, postId, 'Otra de iria', thread.$id)
    await say(iria, postId, 'Sola')
    await dora.call(blockMemberOperation, { personId: iria.id })
    const seen = await read(dora, postId)
    expect(seen).toMatchObject({ total: 1 })
    expect(seen.documents).toMatchObject([
      { removed: true, author: null, content: '', $createdAt: null, replyCount: 1 },
    ])
    expect(textsOf(seen.documents[0]?.replies ?? [])).toEqual(['Respuesta de bea'])
    expect(JSON.stringify(seen)).not.toContain('iria')
    expect(await dora.call(getPostOperation, { postId })).toMatchObject({ commentCount: 1 })
    expect(await dora.refusal(likeCommentOperation, { commentId: thread.$id })).toMatchObject({ code: 404 })
    const mine = await postOf(dora)
    expect(await iria.refusal(createCommentOperation, { postId: mine, content: 'Hola' })).toMatchObject({
      code: 404,
    })
  })

  test('CMT-06 only the author of a hidden post sees its comments', async () => {
    const postId = await postOf(ana)
    const { $id: commentId } = await say(bea, postId, 'Qué bonito')
    await w.database.pool.query(
      `update posts set hidden_by = 'moderator', hidden_at = clock_timestamp() where public_id = $1`,
      [postId],
    )
    expect((await read(ana, postId)).total).toBe(1)
    for (const who of [bea, carla]) {
      expect(await who.refusal(listCommentsOperation, { postId })).toMatchObject({ code: 404 })
      expect(await who.refusal(likeCommentOperation, { commentId })).toMatchObject({ code: 404 })
    }
  })
})

describe('removing', () => {
  test('CMT-11 CMT-12 a removed comment with replies stays, without text, author and time, until its last reply is deleted', async () => {
    const postId = await postOf(ana)
    const alone = await say(bea, postId, 'Sin respuesta')
    const thread = await say(bea, postId, 'Palabras de bea')
    const answer = await say(carla, postId, 'Te entiendo', thread.$id)
    await carla.call(likeCommentOperation, { commentId: thread.$id })
    for (const { $id: commentId } of [alone, thread]) await bea.call(deleteCommentOperation, { commentId })
    const left = await read(ana, postId)
    expect(left.total).toBe(1)
    expect(left.documents).toMatchObject([
      {
        $id: thread.$id,
        removed: true,
        content: '',
        author: null,
        $createdAt: null,
        likeCount: 0,
        can: { edit: false, delete: true },
      },
    ])
    expect(JSON.stringify(left)).not.toMatch(/Palabras|"Bea"/)
    const document = await createAppwriteDocumentsClient(carla, 'comments').get(thread.$id)
    expect(document.body).toMatchObject({ removed: true, content: '', authorId: null })
    const byBea = await createAppwriteDocumentsClient(carla, 'comments').list(
      `equal("authorId", ["${bea.id}"])`,
      `equal("postId", ["${postId}"])`,
    )
    expect(byBea.status).toBe(200)
    expect(JSON.stringify(byBea.body)).not.toContain(thread.$id)
    for (const operation of [updateCommentOperation, deleteCommentOperation, likeCommentOperation] as const)
      expect(await bea.ask(operation, { commentId: thread.$id, content: 'Otra vez' })).not.toMatchObject({
        status: 200,
      })
    await carla.call(deleteCommentOperation, { commentId: answer.$id })
    expect(await read(ana, postId)).toMatchObject({ documents: [], total: 0 })
  })

  test("CMT-13 only the post's author can remove any comment together with its replies", async () => {
    const postId = await postOf(ana)
    const thread = await say(bea, postId, 'Fuera de lugar')
    for (const content of ['Una', 'Dos', 'Tres']) await say(carla, postId, content, thread.$id)
    expect(await carla.refusal(deleteCommentOperation, { commentId: thread.$id })).toMatchObject({
      code: 403,
    })
    expect((await read(carla, postId)).documents[0]?.can).toEqual({ edit: false, delete: false })
    expect((await read(ana, postId)).documents[0]?.can).toEqual({ edit: false, delete: true })
    await ana.call(deleteCommentOperation, { commentId: thread.$id })
    expect(await read(carla, postId)).toMatchObject({ documents: [], total: 0 })
  })

  test('CMT-15 deleting a post deletes its comments and likes, and the change log keeps none of their text', async () => {
    const postId = await postOf(ana)
    const thread = await say(bea, postId, 'Palabra secreta')
    const answer = await say(carla, postId, 'Otra palabra secreta', thread.$id)
    await ana.call(likeCommentOperation, { commentId: answer.$id })
    const gone = await say(carla, postId, 'Tercera palabra secreta')
    await carla.call(deleteCommentOperation, { commentId: gone.$id })
    await ana.call(deletePostOperation, { postId })
    const { rows } = await w.database.pool.query(
      `select (select count(*)::int from comments where public_id = any($1)) as comments,
        (select count(*)::int from comment_likes l where not exists (select from comments c where c.id = l.comment_id)) as likes,
        (select count(*)::int from changes where state::text ilike '%palabra secreta%') as changes,
        (select count(*)::int from deleted_rows where keys::text ilike '%palabra secreta%') as keys`,
      [[thread.$id, answer.$id, gone.$id]],
    )
    expect(rows).toEqual([{ comments: 0, likes: 0, changes: 0, keys: 0 }])
  })
})

describe('live', () => {
  test('CMT-16 every reader of a post receives its change live; only readers of its comments receive a new comment', async () => {
    const postId = await postOf(ana)
    const [plain, looking] = [
      await openTestSocket(w.app, { as: carla, path: '/v1/live', channels: [] }),
      await openTestSocket(w.app, {
        as: carla,
        path: '/v1/live',
        channels: [],
        query: { collections: 'comments' },
      }),
    ]
    const since = await waitForChangePosition(w.database, carla)
    const { $id } = await say(bea, postId, 'En directo')
    await expect.poll(() => JSON.stringify(plain.frames)).toContain(postId)
    await expect.poll(() => JSON.stringify(looking.frames)).toContain($id)
    expect(JSON.stringify(plain.frames)).not.toContain($id)
    const caughtUp = async (collections?: string) =>
      JSON.stringify(
        (await carla.call(catchUpOperation, { since, ...(collections && { collections }) })).changes,
      )
    expect(await caughtUp('comments')).toContain($id)
    expect(await caughtUp()).not.toContain($id)
    plain.close()
    looking.close()
  })

  test('CMT-16 Home takes three statements, a page of comments three and a new comment four', async () => {
    const postId = await postOf(ana)
    await say(bea, postId, 'Una')
    const count = async (work: () => Promise<unknown>) => (await captureSqlStatements(work)).statements.length
    expect(await count(() => bea.call(getHomeFeedOperation, {}))).toBe(3)
    expect(await count(() => read(bea, postId))).toBe(3)
    expect(await count(() => say(bea, postId, 'Otra'))).toBe(4)
  })
})

test("CMT-19 a member's 31st comment within five minutes is refused", async () => {
  stopClock()
  const limited = await createTestWorld({ LIMITS: 'on' })
  const dora = await limited.join('Dora')
  const postId = await createPostInGroup(limited.database, dora, null)
  const from = { 'x-forwarded-for': '203.0.113.7' }
  const answers: number[] = []
  for (let number = 1; number <= 31; number += 1)
    answers.push(
      (await dora.request('POST', `/v1/posts/${postId}/comments`, { content: `${number}` }, from)).status,
    )
  expect(answers).toEqual([...Array(30).fill(201), 429])
  await limited.end()
})
