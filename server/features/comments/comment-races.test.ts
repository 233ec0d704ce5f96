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
import { removeGroupMemberOperation } from '#contract/groups/group-members.ts'
import { deleteGroupOperation, getGroupOperation } from '#contract/groups/groups.ts'
import { deletePostOperation, updatePostOperation } from '#contract/posts/posts.ts'
import { generateId } from '#server/ids.ts'
import {
  admitMemberToGroup,
  createGroupWithMembers,
  createPostInGroup,
} from '#tests/support/group-factory.ts'
import { waitForLockWaits } from '#tests/support/lock-waits.ts'
import { createArrayByIndex, raceTimeoutMs, runRaceRounds } from '#tests/support/run-race-rounds.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let carla: MemberClient
let postId: string
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  ;[ana, bea, carla] = [await w.join('Ana'), await w.join('Bea'), await w.join('Carla')]
  postId = await createPostInGroup(w.database, ana, null)
})
afterAll(() => w.end())

const writes =
  (who: MemberClient, parentId?: string, of = postId) =>
  () =>
    who.ask(createCommentOperation, { postId: of, content: 'A la vez', ...(parentId && { parentId }) })
const removes = (who: MemberClient, commentId: string) => () => who.ask(deleteCommentOperation, { commentId })
const made = async (who: MemberClient, parentId?: string): Promise<string> =>
  (
    await who.call(createCommentOperation, {
      postId,
      content: 'Antes',
      ...(parentId !== undefined && { parentId }),
    })
  ).$id
const statusesOf = (answers: readonly ApiResponse[]) => answers.map(({ status }) => status)
const expectOneOf = (answers: readonly ApiResponse[], ...outcomes: number[][]) =>
  expect(outcomes).toContainEqual(statusesOf(answers))
const race = (name: string, work: () => Promise<void>) => test(name, { timeout: raceTimeoutMs }, work)
const listed = async () => (await ana.call(listCommentsOperation, { postId, limit: 50 })).documents

race('CMT-14 two simultaneous comments are both counted, in the same order for every reader', () =>
  runRaceRounds(
    w.database,
    async () => [...createArrayByIndex(4, () => writes(bea)), ...createArrayByIndex(4, () => writes(carla))],
    async (answers) => {
      expect(statusesOf(answers)).toEqual(Array(8).fill(201))
      const { rows } = await w.database.pool.query(
        `select count(*)::int as late from (
          select created_at, lag(created_at) over (partition by post_id order by id) as before from comments) c
         where created_at < before`,
      )
      expect(rows).toEqual([{ late: 0 }])
    },
  ),
)

race('CMT-03 a comment sent five times at once under one id is stored once', () =>
  runRaceRounds(
    w.database,
    async () => {
      const commentId = generateId()
      return createArrayByIndex(
        5,
        () => () => bea.ask(createCommentOperation, { postId, content: 'Una vez', commentId }),
      )
    },
    (answers) => {
      expect(statusesOf(answers)).toEqual(Array(5).fill(201))
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    },
  ),
)

race('CMT-15 a comment written while its post is deleted is deleted with it or refused', () =>
  runRaceRounds(
    w.database,
    async () => {
      const doomed = await createPostInGroup(w.database, ana, null)
      return [
        writes(bea, undefined, doomed),
        () => ana.ask(deletePostOperation, { postId: doomed }),
        writes(carla, undefined, doomed),
      ]
    },
    ([first, deleted, second]) => {
      expect(deleted?.status).toBe(204)
      for (const answer of [first, second]) expect([201, 404]).toContain(answer?.status)
    },
  ),
)

race('CMT-10 a comment written while the author closes comments is stored or refused', () =>
  runRaceRounds(
    w.database,
    async () => {
      await ana.call(updatePostOperation, { postId, commentsFrom: 'everyone' })
      return [
        writes(bea),
        () => ana.ask(updatePostOperation, { postId, commentsFrom: 'nobody' }),
        writes(carla),
      ]
    },
    async ([first, closed, second]) => {
      expect(closed?.status).toBe(200)
      for (const answer of [first, second]) expect([201, 403]).toContain(answer?.status)
      expect((await bea.ask(createCommentOperation, { postId, content: 'Tarde' })).status).toBe(403)
      await ana.call(updatePostOperation, { postId, commentsFrom: 'everyone' })
    },
  ),
)

race("CMT-06 a member's comment during her removal from the group is stored or refused", async () => {
  const group = await createGroupWithMembers(ana, bea)
  const grouped = await createPostInGroup(w.database, ana, group)
  await runRaceRounds(
    w.database,
    async () => {
      if ((await bea.ask(listCommentsOperation, { postId: grouped })).status !== 200)
        await admitMemberToGroup(ana, bea, group)
      return [
        writes(bea, undefined, grouped),
        () => ana.ask(removeGroupMemberOperation, { groupId: group, memberId: bea.id }),
      ]
    },
    async ([written, removed]) => {
      expect(removed?.status).toBe(200)
      expect([201, 403]).toContain(written?.status)
      expect((await writes(bea, undefined, grouped)()).status).toBe(403)
    },
  )
})

test("CMT-06 a comment locks the membership before the post, in the same order as a group's deletion", async () => {
  const group = await createGroupWithMembers(ana, bea)
  const grouped = await createPostInGroup(w.database, ana, group)
  const deleting = await w.database.pool.connect()
  const keys = async (sql: string, ...params: string[]) => (await deleting.query(sql, params)).rows
  await deleting.query('begin')
  await keys(
    'select from group_members where group_id = (select id from groups where public_id = $1) for update',
    group,
  )
  const commenting = writes(bea, undefined, grouped)()
  try {
    await waitForLockWaits(w.database, 1, commenting)
    // If the comment held the lock, this statement would time out.
    await deleting.query(`set local lock_timeout = '1s'`)
    expect(await keys('select from posts where public_id = $1 for update', grouped)).toHaveLength(1)
  } finally {
    await deleting.query('rollback')
    deleting.release()
  }
  expect((await commenting).status).toBe(201)
})

race(
  "CMT-06 during a group's deletion a comment, an edit, a like and a removal succeed completely or are refused",
  () =>
    runRaceRounds(
      w.database,
      async () => {
        const group = await createGroupWithMembers(ana, bea, carla)
        const { name } = await ana.call(getGroupOperation, { groupId: group })
        const grouped = await createPostInGroup(w.database, ana, group)
        const { $id: commentId } = await bea.call(createCommentOperation, {
          postId: grouped,
          content: 'Antes',
        })
        return [
          writes(bea, undefined, grouped),
          writes(carla, commentId, grouped),
          () => bea.ask(updateCommentOperation, { commentId, content: 'Otra' }),
          () => carla.ask(likeCommentOperation, { commentId }),
          () => ana.ask(deleteGroupOperation, { groupId: group, name }),
          writes(carla, undefined, grouped),
          removes(ana, commentId),
        ]
      },
      (answers) => {
        expect(answers[4]?.status).toBe(204)
        for (const { status } of answers) expect([200, 201, 204, 403, 404]).toContain(status)
      },
    ),
)

race("CMT-11 a reply during its comment's removal keeps the thread as a tombstone, or is refused", () =>
  runRaceRounds(
    w.database,
    async () => {
      const thread = await made(bea)
      return [writes(carla, thread), removes(bea, thread)]
    },
    async (answers) => {
      expectOneOf(answers, [201, 204], [404, 204])
      const removed = (await listed()).filter((thread) => thread.removed)
      for (const thread of removed) expect(thread.replyCount).toBeGreaterThan(0)
    },
  ),
)

race(
  'CMT-12 if the last reply is deleted while another is written, the thread keeps the new one or neither exists',
  () =>
    runRaceRounds(
      w.database,
      async () => {
        const thread = await made(bea)
        const last = await made(carla, thread)
        await bea.call(deleteCommentOperation, { commentId: thread })
        return [removes(carla, last), writes(ana, thread)]
      },
      (answers) => expectOneOf(answers, [204, 201], [204, 404]),
    ),
)

race("CMT-13 a reply to a thread that the post's author removes is removed with it or refused", () =>
  runRaceRounds(
    w.database,
    async () => {
      const thread = await made(bea)
      await made(bea, thread)
      return [writes(carla, thread), removes(ana, thread), removes(bea, thread)]
    },
    ([answer, byAuthor, own]) => {
      expect([201, 404]).toContain(answer?.status)
      // If the writer's own deletion came first, the comment is already empty.
      expect([204, 403, 404]).toContain(byAuthor?.status)
      expect([204, 404]).toContain(own?.status)
    },
  ),
)

race(
  'CMT-18 two members like and unlike a comment during its deletion: no like counts twice or remains',
  () =>
    runRaceRounds(
      w.database,
      async () => {
        const commentId = await made(bea)
        return [
          ...[ana, ana, carla].map((who) => () => who.ask(likeCommentOperation, { commentId })),
          () => carla.ask(unlikeCommentOperation, { commentId }),
          removes(bea, commentId),
          () => carla.ask(likeCommentOperation, { commentId }),
        ]
      },
      (answers) => {
        for (const { status } of answers) expect([200, 204, 404]).toContain(status)
      },
    ),
)
