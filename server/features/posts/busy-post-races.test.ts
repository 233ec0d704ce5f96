import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiResponse } from '#api-client/member-client.ts'
import {
  createCommentOperation,
  deleteCommentOperation,
  likeCommentOperation,
  listCommentsOperation,
  unlikeCommentOperation,
  updateCommentOperation,
} from '#contract/comments/comments.ts'
import { followOperation } from '#contract/people/people.ts'
import {
  stopWithholdingPhotoOperation,
  tagPersonOperation,
  withholdPhotoOperation,
} from '#contract/photo-tags/photo-tags.ts'
import {
  createPostOperation,
  getPostOperation,
  likePostOperation,
  savePostOperation,
  unlikePostOperation,
  unsavePostOperation,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import { insertUploadedImageRow } from '#tests/support/group-factory.ts'
import { createArrayByIndex, raceTimeoutMs, runRaceRounds } from '#tests/support/run-race-rounds.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let author: MemberClient
let readers: MemberClient[]
let postId: string
let photoIds: string[]
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  author = await w.join('Ana')
  readers = []
  for (const name of ['Bea', 'Carla', 'Dina', 'Eva', 'Fina']) readers.push(await w.join(name))
  for (const reader of readers) await reader.call(followOperation, { personId: author.id })
  photoIds = await Promise.all(createArrayByIndex(3, () => insertUploadedImageRow(w.database, author)))
  const photos = photoIds.map((imageId) => ({ imageId }))
  const words = { caption: 'La fiesta', location: 'Tonalá', tags: ['fiesta'] }
  postId = (await author.call(createPostOperation, { ...words, photos, groupId: null })).$id
})
afterAll(() => w.end())

const newestComment = async (who: MemberClient) =>
  (await who.call(listCommentsOperation, { postId })).documents.at(-1)?.$id ?? postId

async function tend(turn: number): Promise<ApiResponse[]> {
  const [first = '', ...others] = photoIds
  const turned = turn % 2 === 0 ? [first, ...others] : [...others, first]
  const personId = readers[turn % readers.length]?.id ?? ''
  return [
    await author.ask(updatePostOperation, { postId, photos: turned.map((imageId) => ({ imageId })) }),
    await author.ask(tagPersonOperation, { postId, imageId: first, personId, x: 0.5, y: 0.5 }),
    await author.ask(updatePostOperation, {
      postId,
      caption: `La fiesta ${turn}`,
      tags: ['fiesta', `t${turn}`],
    }),
    await author.ask(updatePostOperation, {
      postId,
      commentsFrom: turn % 3 === 0 ? 'nobody' : 'everyone',
    }),
    await author.ask(deleteCommentOperation, { commentId: await newestComment(author) }),
  ]
}

async function readAndChat(who: MemberClient, turn: number): Promise<ApiResponse[]> {
  const on = turn % 2 === 0
  const own = await who.ask(createCommentOperation, { postId, content: `Qué bien ${turn}` })
  const { $id: commentId = postId } = own.body as { $id?: string }
  const parentId = await newestComment(who)
  const imageId = photoIds[0] ?? ''
  return [
    own,
    await who.ask(createCommentOperation, { postId, content: 'Yo también', parentId }),
    await who.ask(on ? likePostOperation : unlikePostOperation, { postId }),
    await who.ask(likeCommentOperation, { commentId: parentId }),
    await who.ask(on ? savePostOperation : unsavePostOperation, { postId }),
    await who.ask(updateCommentOperation, { commentId, content: `Qué bien, de verdad ${turn}` }),
    await who.ask(on ? withholdPhotoOperation : stopWithholdingPhotoOperation, { postId, imageId }),
    await who.ask(unlikeCommentOperation, { commentId: parentId }),
    ...(on ? [await who.ask(deleteCommentOperation, { commentId })] : []),
  ]
}

test('CMT-14 six members act on one post concurrently without errors or deadlocks, and every count is exact', {
  timeout: raceTimeoutMs,
}, async () => {
  let turn = 0
  const statuses = new Set<number>()
  await runRaceRounds(
    w.database,
    async () => {
      turn += 1
      return [() => tend(turn), ...readers.map((reader) => () => readAndChat(reader, turn))].map(
        (work) => async () => {
          const answers = await work()
          for (const { status } of answers) statuses.add(status)
          return answers.find(({ status }) => status >= 500) ?? (answers[0] as ApiResponse)
        },
      )
    },
    () => {},
  )
  // These statuses are expected: deleted meanwhile (404), comments closed (403), and a concurrent retry
  // (409).
  expect([...statuses].filter((status) => ![200, 201, 204, 401, 403, 404, 409].includes(status))).toEqual([])
  const { rows } = await w.database.pool.query<{ deadlocks: number }>(
    `select deadlocks from pg_stat_database where datname = current_database()`,
  )
  expect(rows).toEqual([{ deadlocks: 0 }])
  const post = await author.call(getPostOperation, { postId })
  const { total } = await author.call(listCommentsOperation, { postId })
  expect(post.commentCount).toBe(total)
  expect(post.photos.map(({ id }) => id).toSorted()).toEqual(photoIds.toSorted())
  expect(statuses).toContain(201)
})
