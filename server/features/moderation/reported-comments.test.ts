import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signInOperation } from '#contract/account/sign-up-and-sign-in.ts'
import {
  type Comment,
  createCommentOperation,
  deleteCommentOperation,
  likeCommentOperation,
  listCommentsOperation,
  listRepliesOperation,
} from '#contract/comments/comments.ts'
import {
  decideAppealOperation,
  getCaseOperation,
  listCasesOperation,
  type ModerationCase,
} from '#contract/moderation/cases.ts'
import {
  appealDecisionOperation,
  listModerationNoticesOperation,
} from '#contract/moderation/moderation-notices-and-appeals.ts'
import { createReportOperation, listMyReportsOperation } from '#contract/moderation/reports.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import { deletePostOperation, getPostOperation, updatePostOperation } from '#contract/posts/posts.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import { createAppwriteDocumentsClient } from '#tests/support/appwrite-documents-client.ts'
import { waitForChangePosition } from '#tests/support/change-log-position.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createGroupWithMembers, createPostInGroup } from '#tests/support/group-factory.ts'
import {
  appointModeratorOnDuty,
  claimAndDecide,
  reportSubject,
  type TestDecision,
} from '#tests/support/report-and-moderate.ts'
import { raceTimeoutMs, runRaceRounds } from '#tests/support/run-race-rounds.ts'
import { openTestSocket } from '#tests/support/test-socket.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let mo: MemberClient
let mia: MemberClient
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  ;[ana, bea, mo, mia] = [await w.join('Ana'), await w.join('Bea'), await w.join('Mo'), await w.join('Mia')]
  for (const who of [mo, mia]) await appointModeratorOnDuty(w.database, who)
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

const threat = 'Sé dónde vives'
const query = async (text: string, values: unknown[] = []) => (await w.database.pool.query(text, values)).rows
const postOf = (author: MemberClient, groupId: string | null = null) =>
  createPostInGroup(w.database, author, groupId)
const say = (who: MemberClient, postId: string, content: string, parentId?: string): Promise<Comment> =>
  who.call(createCommentOperation, { postId, content, ...(parentId !== undefined && { parentId }) })
const read = (who: MemberClient, postId: string) => who.call(listCommentsOperation, { postId })
const report = (who: MemberClient, { $id }: Comment, reason: 'threat' | 'spam' = 'threat') =>
  who.ask(createReportOperation, { subject: { kind: 'comment', id: $id }, reason })
const caseOf = (who: MemberClient, { $id }: Comment) =>
  reportSubject(w.database, who, { kind: 'comment', id: $id }, 'threat')
const evidenceOf = ({ reports }: ModerationCase) =>
  reports.flatMap(({ evidence }) => evidence.map(({ snapshot }) => snapshot))
const decide = async (comment: Comment, decision: Partial<TestDecision> = {}) => {
  const { caseId, reportId } = await caseOf(ana, comment)
  await claimAndDecide(mo, caseId, { decision: 'hide', text: 'Amenaza', ...decision })
  return { caseId, reportId }
}
const notFound = { status: 404, body: { message: 'No encontramos lo que quieres denunciar' } }

describe('evidence of comments', () => {
  test('REP-06 evidence of a comment has its text, author, post and parent, as far as the reporter can read them', async () => {
    const [luz, eva] = [await w.join('Luz'), await w.join('Eva')]
    const group = await createGroupWithMembers(bea, luz, ana, eva)
    const postId = await postOf(bea, group)
    const thread = await say(eva, postId, 'Nos vemos el viernes')
    const comment = await say(luz, postId, threat, thread.$id)
    const { caseId } = await caseOf(ana, comment)
    const shown = await mo.call(getCaseOperation, { caseId })
    expect(shown).toMatchObject({ kind: 'comment', about: { $id: luz.id }, excerpt: threat, deletedAt: null })
    const [kept, ...more] = evidenceOf(shown)
    expect(more).toEqual([])
    expect(kept).toEqual({
      ...{ id: comment.$id, content: threat, createdAt: comment.$createdAt, editedAt: null, picture: null },
      author: { id: luz.id, name: 'Luz', username: comment.author?.username },
      post: { id: postId },
      group: { id: group, name: shown.group },
      answers: {
        content: 'Nos vemos el viernes',
        author: { id: eva.id, name: 'Eva', username: thread.author?.username },
      },
    })
    await eva.call(blockMemberOperation, { personId: ana.id })
    const other = await caseOf(ana, await say(luz, postId, 'Y dónde trabajas', thread.$id))
    expect(evidenceOf(await mo.call(getCaseOperation, { caseId: other.caseId }))).toMatchObject([
      { content: 'Y dónde trabajas', answers: null },
    ])
    // A report does not let moderators read a group's posts, not even the reported one.
    expect((await mo.ask(getPostOperation, { postId })).status).toBe(403)
  })

  test('REP-07 a reported comment stays as evidence after its deletion; a deleted comment cannot be reported', async () => {
    const luz = await w.join('Luz')
    const scenes = [
      async (comment: Comment) => luz.call(deleteCommentOperation, { commentId: comment.$id }),
      async (comment: Comment) => bea.call(deleteCommentOperation, { commentId: comment.parentId as string }),
      async ({ postId }: Comment) => bea.call(deletePostOperation, { postId }),
    ]
    for (const remove of scenes) {
      const postId = await postOf(bea)
      const thread = await say(bea, postId, 'Hola')
      const comment = await say(luz, postId, threat, thread.$id)
      const { caseId } = await caseOf(ana, comment)
      await remove(comment)
      expect(await report(mia, comment)).toMatchObject(notFound)
      const shown = await mo.call(getCaseOperation, { caseId })
      expect(shown).toMatchObject({ excerpt: threat, about: { $id: luz.id }, deletedAt: expect.any(String) })
      await claimAndDecide(mo, caseId, { decision: 'warn', text: 'Eso no' })
    }
    expect((await luz.call(listModerationNoticesOperation, {})).documents).toMatchObject([
      ...[1, 2, 3].map(() => ({ kind: 'warning', about: 'comment', words: null })),
    ])
  })

  test("REP-07 moving a post out of its group deletes other members' comments, and cases about those comments say so", async () => {
    const luz = await w.join('Luz')
    const group = await createGroupWithMembers(bea, luz, ana)
    const postId = await postOf(bea, group)
    const { caseId } = await caseOf(ana, await say(luz, postId, threat))
    await bea.call(updatePostOperation, { postId, groupId: null })
    expect(await mo.call(getCaseOperation, { caseId })).toMatchObject({ deletedAt: expect.any(String) })
  })

  test("REP-11 CMT-13 reporting a tombstone works like reporting a hidden member's comment, without its text", async () => {
    const luz = await w.join('Luz')
    const postId = await postOf(bea)
    const thread = await say(luz, postId, threat)
    await say(bea, postId, 'Aquí no', thread.$id)
    await luz.call(deleteCommentOperation, { commentId: thread.$id })
    const { caseId } = await caseOf(bea, thread)
    expect(evidenceOf(await mo.call(getCaseOperation, { caseId }))).toMatchObject([
      { content: '', removed: true, author: { id: luz.id } },
    ])
    await query(`update comments set removed_at = removed_at - interval '8 days' where public_id = $1`, [
      thread.$id,
    ])
    expect(await report(ana, thread)).toMatchObject(notFound)
  })

  test('REP-11 CMT-13 reporting a comment by a long-time blocker works like reporting a comment removed today', async () => {
    const [luz, eva, nora] = [await w.join('Luz'), await w.join('Eva'), await w.join('Nora')]
    const postId = await postOf(bea)
    for (const { id } of [eva, nora]) await luz.call(blockMemberOperation, { personId: id })
    await query(
      `update blocks set created_at = created_at - interval '8 days'
      where blocker_id = (select id from users where public_id = $1)`,
      [luz.id],
    )
    const thread = await say(luz, postId, threat)
    await say(bea, postId, 'Aquí no', thread.$id)
    expect((await report(eva, thread)).status).toBe(201)
    await query(`update comments set created_at = created_at - interval '8 days' where public_id = $1`, [
      thread.$id,
    ])
    expect(await report(nora, thread)).toMatchObject(notFound)
  })
})

describe('reportable comments', () => {
  test('REP-11 a member cannot report her own comment or a comment under a post that she cannot read', async () => {
    const [luz, eva] = [await w.join('Luz'), await w.join('Eva')]
    const group = await createGroupWithMembers(luz, bea)
    const grouped = await say(luz, await postOf(bea, group), threat)
    await luz.call(updatePrivacySettingsOperation, { isPrivate: true })
    const closed = await say(luz, await postOf(luz), threat)
    for (const comment of [grouped, closed]) {
      expect(await report(eva, comment)).toMatchObject(notFound)
      expect(await report(luz, comment)).toMatchObject({
        status: 400,
        body: { type: 'report_self_not_allowed', message: 'No puedes denunciarte a ti misma' },
      })
    }
    expect(await report(eva, { ...grouped, $id: 'nada' })).toMatchObject(notFound)
    expect((await report(bea, grouped)).status).toBe(201)
    expect((await report({ ...eva, ...w.visitor } as MemberClient, grouped)).status).toBe(401)
  })

  test.each([
    [
      'she blocked',
      (me: MemberClient, other: MemberClient) => me.call(blockMemberOperation, { personId: other.id }),
    ],
    [
      'who blocked her',
      (me: MemberClient, other: MemberClient) => other.call(blockMemberOperation, { personId: me.id }),
    ],
    [
      'who closed the account',
      (_: MemberClient, other: MemberClient) => other.request('PATCH', '/v1/account/status', {}),
    ],
  ])(
    "REP-11 for seven days a member can report comments by a member %s, on that member's posts and others' posts",
    async (_, way) => {
      const [luz, eva, rosa] = [await w.join('Luz'), await w.join('Eva'), await w.join('Rosa')]
      const comments = [await say(luz, await postOf(bea), threat), await say(luz, await postOf(luz), threat)]
      await way(eva, luz)
      if (_ !== 'who closed the account') await way(rosa, luz)
      for (const comment of comments) {
        expect((await read(bea, comment.postId).catch(() => ({ total: 1 }))).total).toBeLessThanOrEqual(1)
        expect((await report(eva, comment)).status).toBe(201)
      }
      await query(`update blocks set created_at = created_at - interval '8 days'`)
      await query(`update accounts set closed_at = closed_at - interval '8 days'`)
      await query(
        `update comments set created_at = created_at - interval '8 days' where public_id = any($1)`,
        [comments.map(({ $id }) => $id)],
      )
      for (const comment of comments) expect(await report(rosa, comment)).toMatchObject(notFound)
    },
  )

  test('REP-13 the reported member is not notified, and spam in a group also goes to the moderators', async () => {
    const luz = await w.join('Luz')
    const group = await createGroupWithMembers(bea, luz, ana)
    const comment = await say(luz, await postOf(bea, group), 'Compra aquí')
    const since = await waitForChangePosition(w.database, luz)
    const made = await report(ana, comment, 'spam')
    expect(made).toMatchObject({ status: 201, body: { kind: 'comment', desk: 'moderators' } })
    expect((await luz.call(catchUpOperation, { since, collections: 'comments' })).changes).toEqual([])
    expect((await ana.call(listMyReportsOperation, {})).documents[0]).toMatchObject({ kind: 'comment' })
    expect((await bea.request('GET', `/v1/groups/${group}/reports`)).body).toMatchObject({ documents: [] })
  })

  test('MOD-09 a moderator sees no case about her own comment, report or group, or about someone she blocked', async () => {
    const [eva, luz, rosa] = [await w.join('Eva'), await w.join('Luz'), await w.join('Rosa')]
    await appointModeratorOnDuty(w.database, eva)
    await eva.call(blockMemberOperation, { personId: rosa.id })
    const group = await createGroupWithMembers(eva, luz, ana)
    const postId = await postOf(bea)
    const cases = [
      await caseOf(ana, await say(eva, postId, threat)),
      await caseOf(eva, await say(luz, postId, threat)),
      await caseOf(ana, await say(luz, await postOf(ana, group), threat)),
      await caseOf(ana, await say(rosa, postId, threat)),
    ]
    const listed = (await eva.call(listCasesOperation, { limit: 100 })).documents.map(({ $id }) => $id)
    for (const { caseId } of cases) {
      expect([listed.includes(caseId), (await eva.ask(getCaseOperation, { caseId })).status]).toEqual([
        false,
        404,
      ])
      expect((await mo.ask(getCaseOperation, { caseId })).status).toBe(200)
    }
  })
})

describe('a hidden comment', () => {
  test('MOD-12 a hidden comment disappears for everyone on every path, counts stay correct, and replies stay', async () => {
    const luz = await w.join('Luz')
    const words = 'Sé dónde trabaja tu madre'
    const postId = await postOf(bea)
    const thread = await say(luz, postId, words)
    const answer = await say(bea, postId, 'Aquí no', thread.$id)
    const other = await say(bea, postId, 'Otro hilo')
    const last = await say(luz, postId, `${words} también`, other.$id)
    for (const { $id: commentId } of [thread, last]) await mia.call(likeCommentOperation, { commentId })
    const socket = await openTestSocket(w.app, {
      ...{ as: ana, path: '/v1/live', channels: [], query: { collections: 'comments,posts' } },
    })
    const since = await waitForChangePosition(w.database, ana)
    const { reportId } = await decide(thread)
    await decide(last)
    for (const { $id } of [thread, last])
      await expect.poll(() => JSON.stringify(socket.frames)).toContain($id)
    socket.close()
    for (const who of [ana, bea, luz, mo]) {
      const page = await read(who, postId)
      expect(page).toMatchObject({
        total: 2,
        documents: [
          { $id: thread.$id, removed: true, content: '', author: null, likeCount: 0, replyCount: 1 },
          { $id: other.$id, replyCount: 0, replies: [] },
        ],
      })
      expect(page.documents[0]?.replies).toMatchObject([{ $id: answer.$id, content: 'Aquí no' }])
      expect((await who.call(getPostOperation, { postId })).commentCount).toBe(2)
      expect((await who.call(listRepliesOperation, { commentId: other.$id })).documents).toEqual([])
      const documents = createAppwriteDocumentsClient(who, 'comments')
      expect((await documents.get(last.$id)).status).toBe(404)
      const answers = [
        (await documents.get(thread.$id)).raw,
        (await documents.list()).raw,
        (await who.ask(catchUpOperation, { since, collections: 'comments,posts' })).raw,
        (await who.ask(listCommentsOperation, { postId })).raw,
      ]
      expect(answers.some((raw) => raw.includes(words))).toBe(false)
    }
    for (const { $id: commentId } of [thread, last])
      expect((await mia.ask(likeCommentOperation, { commentId })).status).toBe(404)
    expect(
      (await ana.call(listMyReportsOperation, {})).documents.find(({ $id }) => $id === reportId),
    ).toMatchObject({ status: 'decided', outcome: 'acted' })
    // If the author deleted the comment meanwhile, the decision still holds.
    const gone = await say(luz, postId, threat)
    const { caseId } = await caseOf(ana, gone)
    await luz.call(deleteCommentOperation, { commentId: gone.$id })
    expect(await claimAndDecide(mo, caseId, { decision: 'hide', text: 'Amenaza' })).toMatchObject({
      status: 'decided',
      decision: 'hide',
    })
    expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  })

  test('MOD-12 MOD-18 the author learns which comment was hidden and can ask for a review; overturning restores nothing', async () => {
    const luz = await w.join('Luz')
    const postId = await postOf(bea)
    const comment = await say(luz, postId, threat)
    const { caseId } = await decide(comment)
    expect((await mo.call(getCaseOperation, { caseId })).deletedAt).toBe(null)
    expect((await luz.call(listModerationNoticesOperation, {})).documents).toMatchObject([
      { kind: 'hidden', about: 'comment', words: threat, text: 'Amenaza', can: { appeal: true } },
    ])
    await luz.call(appealDecisionOperation, { caseId, text: 'Era una broma' })
    await mia.call(decideAppealOperation, { caseId, outcome: 'overturned', text: 'Era una broma' })
    expect((await luz.call(listModerationNoticesOperation, {})).documents).toMatchObject([
      { kind: 'overturned', about: 'comment', words: null },
    ])
    expect(await read(luz, postId)).toMatchObject({ documents: [], total: 0 })
  })

  test("MOD-15 suspending a comment's author removes the comment, which stays removed after the suspension", async () => {
    const luz = await w.join('Luz')
    const postId = await postOf(bea)
    const comment = await say(luz, postId, threat)
    await say(bea, postId, 'Aquí no', comment.$id)
    await decide(comment, { decision: 'suspend', days: 1 })
    await query(
      `update suspensions set ends_at = clock_timestamp() - interval '1 minute' where lifted_at is null`,
    )
    expect((await w.visitor.ask(signInOperation, { email: luz.email, password: testPassword })).status).toBe(
      201,
    )
    expect(await read(ana, postId)).toMatchObject({ documents: [{ removed: true, replyCount: 1 }], total: 1 })
  })

  test('MOD-12 a warning leaves the reported comment in place', async () => {
    const luz = await w.join('Luz')
    const postId = await postOf(bea)
    await decide(await say(luz, postId, threat), { decision: 'warn' })
    expect(await read(ana, postId)).toMatchObject({ documents: [{ content: threat }] })
  })
})

test(
  "REP-07 a report during the comment's deletion has evidence with the text, or no evidence",
  async () => {
    const luz = await w.join('Luz')
    await runRaceRounds(
      w.database,
      async (round) => {
        const { $id, postId } = await say(luz, await postOf(bea), threat)
        const doing = [
          () => ana.ask(createReportOperation, { subject: { kind: 'comment', id: $id }, reason: 'threat' }),
          () => luz.ask(deleteCommentOperation, { commentId: $id }),
          () => bea.ask(deletePostOperation, { postId }),
          () => mia.ask(createReportOperation, { subject: { kind: 'comment', id: $id }, reason: 'hate' }),
        ]
        return round % 2 === 0 ? doing : doing.reverse()
      },
      async (answers) => {
        expect(answers.every(({ status }) => [201, 204, 404].includes(status))).toBe(true)
        const made = answers
          .filter(({ status }) => status === 201)
          .map(({ body }) => (body as { $id: string }).$id)
        const kept = await query(
          `select e.snapshot ->> 'content' as content from evidence e join reports r on r.id = e.report_id
           where r.public_id = any($1)`,
          [made],
        )
        expect(kept).toEqual(made.map(() => ({ content: threat })))
      },
    )
  },
  raceTimeoutMs,
)
