import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  handOverGroupOperation,
  leaveGroupOperation,
  removeGroupMemberOperation,
} from '#contract/groups/group-members.ts'
import { deleteGroupOperation, getGroupOperation } from '#contract/groups/groups.ts'
import { claimCaseOperation, getCaseOperation, listCasesOperation } from '#contract/moderation/cases.ts'
import {
  decideGroupCaseOperation,
  type GroupCaseDecision,
  getGroupCaseOperation,
  getGroupCasePictureOperation,
  listGroupCasesOperation,
} from '#contract/moderation/group-cases.ts'
import { createReportOperation, listMyReportsOperation, type Report } from '#contract/moderation/reports.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import {
  createPostOperation,
  deletePostOperation,
  getPostOperation,
  type Post,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { waitForChangePosition } from '#tests/support/change-log-position.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { findPathsToPost } from '#tests/support/find-paths-to-post.ts'
import { createGroupWithMembers, createPostInGroup } from '#tests/support/group-factory.ts'
import { publishPhotos, tagAndWithholdPhoto } from '#tests/support/publish-and-tag-photos.ts'
import { appointModeratorOnDuty, claimAndDecide, reportSubject } from '#tests/support/report-and-moderate.ts'
import { countResponsesByStatus, raceTimeoutMs, runRaceRounds } from '#tests/support/run-race-rounds.ts'
import { openTestSocket } from '#tests/support/test-socket.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'
import { escalateStrandedCases } from './escalate-case.ts'

let w: TestWorld
let gala: MemberClient
let vera: MemberClient
let ana: MemberClient
let bea: MemberClient
let mo: MemberClient

beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  ;[gala, vera, ana, bea, mo] = [
    await w.join('Gala'),
    await w.join('Vera'),
    await w.join('Ana'),
    await w.join('Bea'),
    await w.join('Mo'),
  ]
  await appointModeratorOnDuty(w.database, mo)
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

const query = async (text: string, values: unknown[] = []) => (await w.database.pool.query(text, values)).rows
const newGroup = () => createGroupWithMembers(gala, vera, ana, bea)
const postIn = (groupId: string | null) => createPostInGroup(w.database, vera, groupId)
const report = (who: MemberClient, postId: string, more: object = {}) =>
  who.call(createReportOperation, { subject: { kind: 'post', id: postId }, reason: 'spam', ...more })
const caseOf = async (reporter: MemberClient, postId: string) =>
  (await reportSubject(w.database, reporter, { kind: 'post', id: postId }, 'spam')).caseId
async function reported() {
  const groupId = await newGroup()
  const postId = await postIn(groupId)
  const { caseId, reportId } = await reportSubject(w.database, ana, { kind: 'post', id: postId }, 'spam')
  return { groupId, postId, caseId, reportId }
}
const decide = (at: { groupId: string; caseId: string }, decision: GroupCaseDecision, text?: string) =>
  gala.call(decideGroupCaseOperation, { groupId: at.groupId, caseId: at.caseId, decision, text })
const listed = async (groupId: string) =>
  (await gala.call(listGroupCasesOperation, { groupId })).documents.map(({ $id }) => $id)
const statusOf = async (who: MemberClient, postId: string) =>
  (await who.ask(getPostOperation, { postId })).status
const outcomeFor = async (who: MemberClient) =>
  (await who.call(listMyReportsOperation, { limit: 1 })).documents[0]
const openForModerators = async () =>
  (await mo.call(listCasesOperation, { limit: 100 })).documents.map(({ $id }) => $id)
const caseOfReport = async (reportId: string): Promise<string> =>
  (
    await query(
      'select c.public_id as id from moderation_cases c join reports r on r.case_id = c.id where r.public_id = $1',
      [reportId],
    )
  )[0].id

describe("reports that the group's admin reviews", () => {
  test("MOD-19 REP-05 the admin reviews a group's spam and off-topic reports, unless the reporter chooses the moderators", async () => {
    const groupId = await newGroup()
    const postId = await postIn(groupId)
    const queueOf = async (more: object) => (await report(ana, postId, more)).desk
    expect(await queueOf({ reason: 'spam' })).toBe('group')
    expect(await queueOf({ reason: 'spam', desk: 'moderators' })).toBe('moderators')
    const other = await postIn(groupId)
    expect((await report(ana, other, { reason: 'off-topic' })).desk).toBe('group')
    const third = await postIn(groupId)
    for (const reason of ['harassment', 'threat', 'intimate', 'hate', 'minor', 'other'])
      expect((await report(ana, third, { reason })).desk).toBe('moderators')
    expect((await report(ana, await postIn(null))).desk).toBe('moderators')
    for (const subject of [
      { kind: 'member', id: vera.id },
      { kind: 'group', id: groupId },
    ] as const)
      expect((await ana.call(createReportOperation, { subject, reason: 'spam' })).desk).toBe('moderators')
    expect(
      await ana.refusal(createReportOperation, {
        ...{ subject: { kind: 'post', id: third }, reason: 'spam', desk: 'group' as never },
      }),
    ).toMatchObject({ code: 400, field: 'desk' })
  })

  test('MOD-19 a report goes to the moderators if the admin is involved, deleted or blocked, which reveals no block', async () => {
    const taking = async (reportId: string) =>
      (
        await query(
          'select c.desk from moderation_cases c join reports r on r.case_id = c.id where r.public_id = $1',
          [reportId],
        )
      )[0].desk
    const groupId = await newGroup()
    expect((await report(ana, await createPostInGroup(w.database, gala, groupId))).desk).toBe('moderators')

    for (const [who, whom] of [
      ['admin', 'reporter'],
      ['reporter', 'admin'],
      ['admin', 'author'],
      ['author', 'admin'],
    ] as const) {
      const people = {
        admin: await w.join('Alba'),
        reporter: await w.join('Reportera'),
        author: await w.join('Autora'),
      }
      const group = await createGroupWithMembers(people.admin, people.reporter, people.author)
      const postId = await createPostInGroup(w.database, people.author, group)
      await people[who].call(blockMemberOperation, { personId: people[whom].id })
      const made = await report(people.reporter, postId)
      expect([who, whom, await taking(made.$id)]).toEqual([who, whom, 'moderators'])
      expect([who, whom, made.desk]).toEqual([who, whom, 'group'])
      expect((await people.reporter.call(listMyReportsOperation, {})).documents[0]?.desk).toBe('group')
    }

    // In the app, her group would pass to another member.
    const post = await postIn(groupId)
    await query(`update accounts set status = 'blocked' where public_id = $1`, [gala.accountId])
    expect(await taking((await report(ana, post)).$id)).toBe('moderators')
    await query(`update accounts set status = 'active' where public_id = $1`, [gala.accountId])
  })

  test('MOD-19 REP-10 each queue has one case per post and counts a reporter once; a report after the decision opens another case', async () => {
    const { groupId, postId, caseId } = await reported()
    expect(await caseOf(bea, postId)).toBe(caseId)
    expect(await caseOf(ana, postId)).toBe(caseId)
    const { $id: elsewhere } = await report(bea, postId, { reason: 'hate' })
    expect(await caseOfReport(elsewhere)).not.toBe(caseId)
    expect((await gala.call(listGroupCasesOperation, { groupId })).documents).toMatchObject([
      { $id: caseId, reportCount: 2, reason: 'spam', postId, about: { $id: vera.id, name: 'Vera' } },
    ])
    await decide({ groupId, caseId }, 'dismiss')
    expect(await caseOf(ana, postId)).not.toBe(caseId)
  })
})

describe("the group's review queue", () => {
  test("MOD-19 REP-13 the group's review queue shows the evidence and the notes, but no reporter", async () => {
    const groupId = await newGroup()
    const imageId = await vera.upload(await createJpeg('#225577'))
    const content = { caption: 'Compra mis zapatos', location: 'Vigo', tags: [], imageId, groupId }
    const { $id: postId } = await vera.call(createPostOperation, content)
    await report(ana, postId, { note: 'Ya va por la tercera.' })
    const caseId = await caseOf(bea, postId)
    const shown = await gala.ask(getGroupCaseOperation, { groupId, caseId })
    expect(shown.body).toMatchObject({
      ...{ $id: caseId, reportCount: 2, excerpt: 'Compra mis zapatos', postId, decision: null },
      evidence: [
        { place: '1-0', hasPicture: true, snapshot: { caption: 'Compra mis zapatos' } },
        { place: '2-0' },
      ],
      notes: ['Ya va por la tercera.'],
      can: { decide: true, removeMember: true },
    })
    const list = await gala.ask(listGroupCasesOperation, { groupId })
    for (const { raw } of [shown, list])
      for (const reporter of [ana, bea]) {
        const [{ username }] = await query('select username from users where public_id = $1', [reporter.id])
        expect(raw.toString()).not.toMatch(new RegExp(`${reporter.id}|${username}|"${reporter.name}"`))
      }
    const picture = { groupId, caseId, place: '1-0' }
    const bytes = await gala.ask(getGroupCasePictureOperation, picture)
    expect([bytes.status, bytes.headers['cache-control']]).toEqual([200, 'private, no-store'])
    await vera.call(deletePostOperation, { postId })
    expect(await gala.call(getGroupCaseOperation, { groupId, caseId })).toMatchObject({
      ...{ excerpt: 'Compra mis zapatos', postId: null, deletedAt: expect.any(String) },
    })
    expect((await gala.ask(getGroupCasePictureOperation, picture)).raw.equals(bytes.raw)).toBe(true)
    for (const place of ['1-1', '9-0'])
      expect((await gala.ask(getGroupCasePictureOperation, { ...picture, place })).status).toBe(404)
  })

  test('MOD-19 PICT-06 a photo that a tagged woman hid is visible to moderators once the case is passed on, but never to the admin', async () => {
    const groupId = await newGroup()
    const post = await publishPhotos(vera, 3, groupId)
    const [first = '', second = '', third = ''] = post.photos.map(({ id }) => id)
    await tagAndWithholdPhoto(vera, bea, { $id: post.$id, imageId: second })
    const { caseId } = await reportSubject(w.database, ana, { kind: 'post', id: post.$id }, 'spam')
    const looked = async () => {
      const { evidence } = await gala.call(getGroupCaseOperation, { groupId, caseId })
      const bytes = evidence.map(({ place }) =>
        gala.ask(getGroupCasePictureOperation, { groupId, caseId, place }),
      )
      return {
        shown: evidence.map(({ hasPicture }) => hasPicture),
        bytes: (await Promise.all(bytes)).map(({ status }) => status),
      }
    }
    const order = (await query(
      'select f.public_id as id from evidence e join files f on f.id = e.file_id order by e.id desc limit 3',
    )) as { id: string }[]
    const photos = order.map(({ id }) => id).reverse()
    expect(photos.toSorted()).toEqual([first, second, third].toSorted())
    const seen = (...hidden: string[]) => photos.map((id) => !hidden.includes(id))
    let queue = await looked()
    expect(queue.shown).toEqual(seen(second))
    expect(queue.bytes).toEqual(seen(second).map((is) => (is ? 200 : 404)))
    await tagAndWithholdPhoto(vera, bea, { $id: post.$id, imageId: third })
    queue = await looked()
    expect(queue.shown).toEqual(seen(second, third))
    expect(queue.bytes).toEqual(seen(second, third).map((is) => (is ? 200 : 404)))
    await vera.call(deletePostOperation, { postId: post.$id })
    queue = await looked()
    expect(queue.shown).toEqual(seen(second, third))
    expect(queue.bytes).toEqual(seen(second, third).map((is) => (is ? 200 : 404)))
    const { raw } = await gala.ask(getGroupCaseOperation, { groupId, caseId })
    expect(raw.toString()).toContain('Nosotras en Tonalá')

    await decide({ groupId, caseId }, 'pass-on')
    const passed = (await mo.call(listCasesOperation, { limit: 100 })).documents.at(-1)
    const { reports } = await mo.call(getCaseOperation, { caseId: passed?.$id as string })
    expect(reports[0]?.evidence.map(({ hasPicture }) => hasPicture)).toEqual([true, true, true])
  })

  test("MOD-19 the queue exists only for the group's admin, not for members, the reporter, the author or moderators", async () => {
    const at = await reported()
    const other = await createGroupWithMembers(bea)
    const place = '1-0'
    for (const who of [vera, ana, bea, mo, await w.join('Sara')]) {
      const { groupId, caseId } = at
      const answers = [
        await who.ask(listGroupCasesOperation, { groupId }),
        await who.ask(getGroupCaseOperation, { groupId, caseId }),
        await who.ask(getGroupCasePictureOperation, { groupId, caseId, place }),
        await who.ask(decideGroupCaseOperation, { groupId, caseId, decision: 'dismiss' }),
      ]
      for (const answer of answers)
        expect(answer).toMatchObject({ status: 404, body: { type: 'case_not_found' } })
    }
    for (const [who, groupId] of [
      [bea, other],
      [gala, other],
    ] as const)
      expect(await who.refusal(getGroupCaseOperation, { groupId, caseId: at.caseId })).toMatchObject({
        code: 404,
      })
    expect((await w.visitor.ask(listGroupCasesOperation, { groupId: at.groupId })).status).toBe(401)
    expect(await openForModerators()).not.toContain(at.caseId)
    expect((await mo.ask(getCaseOperation, { caseId: at.caseId })).status).toBe(404)
    expect((await mo.ask(claimCaseOperation, { caseId: at.caseId })).status).toBe(404)
    expect(await listed(at.groupId)).toEqual([at.caseId])
  })

  test('MOD-19 the queue lists open cases in pages, oldest first, including cases of the same moment', async () => {
    const groupId = await newGroup()
    const ids: string[] = []
    for (let n = 0; n < 5; n += 1) ids.push(await caseOf(ana, await postIn(groupId)))
    await query(`update moderation_cases set created_at = '2026-01-01' where public_id = any($1)`, [
      ids.slice(0, 3),
    ])
    const walked: string[] = []
    for (let cursor: string | undefined, end = false; !end; ) {
      const page = await gala.call(listGroupCasesOperation, {
        ...{ groupId, limit: 2 },
        ...(cursor !== undefined && { cursor }),
      })
      walked.push(...page.documents.map(({ $id }) => $id))
      cursor = page.next ?? undefined
      end = cursor === undefined
    }
    expect(walked).toEqual(ids)
    expect(await gala.refusal(listGroupCasesOperation, { groupId, cursor: 'nadie' })).toMatchObject({
      ...{ code: 400, type: 'general_cursor_not_found' },
    })
  })
})

describe('a decision', () => {
  test('MOD-19 a post taken out of the group is visible only to its author, with the reason, and members are notified', async () => {
    const groupId = await newGroup()
    const since = await waitForChangePosition(w.database, bea)
    const imageId = await vera.upload(await createJpeg('#7a1f4d'))
    const content = { caption: 'Vendo tres bicicletas', location: 'Vigo', tags: ['venta'], imageId, groupId }
    const post: Post = await vera.call(createPostOperation, content)
    const caseId = await caseOf(ana, post.$id)
    const pathsOf = (who: MemberClient) => findPathsToPost(who, post, { author: vera, group: groupId, since })
    expect((await pathsOf(bea)).length).toBeGreaterThan(10)
    const socket = await openTestSocket(w.app, { as: bea, path: '/v1/live' })
    await decide({ groupId, caseId }, 'take-out', 'Aquí no se vende.')
    await expect
      .poll(() => socket.frames.map(({ data }) => [data?.kind, (data?.document as Post | undefined)?.$id]))
      .toContainEqual(['delete', post.$id])
    socket.close()
    for (const who of [bea, ana, gala]) expect([who.name, await pathsOf(who)]).toEqual([who.name, []])
    expect(await vera.call(getPostOperation, { postId: post.$id })).toMatchObject({
      hidden: { by: 'group', reason: 'Aquí no se vende.', can: { appeal: false } },
    })
    expect(await outcomeFor(ana)).toMatchObject({ desk: 'group', status: 'decided', outcome: 'acted' })
    expect(await listed(groupId)).toEqual([])
    expect(await gala.call(getGroupCaseOperation, { groupId, caseId })).toMatchObject({
      ...{ decision: 'take-out', text: 'Aquí no se vende.', can: { decide: false, removeMember: false } },
    })
    expect(
      await gala.refusal(decideGroupCaseOperation, { groupId, caseId, decision: 'dismiss' }),
    ).toMatchObject({
      ...{ code: 409, message: 'Este caso ya está decidido' },
    })
    // She keeps the post. When she moves it elsewhere, it is visible again.
    await vera.call(updatePostOperation, { postId: post.$id, groupId: null })
    expect(await statusOf(bea, post.$id)).toBe(200)
  })

  test('MOD-19 removing a member also removes her reported post; dismissing a case changes nothing', async () => {
    const at = await reported()
    const kept = await postIn(at.groupId)
    await decide(at, 'remove-member')
    expect((await vera.call(getGroupOperation, { groupId: at.groupId })).membership).not.toBe('member')
    expect([await statusOf(bea, at.postId), await statusOf(vera, at.postId)]).toEqual([404, 200])
    expect(await statusOf(bea, kept)).toBe(200)
    expect(await outcomeFor(ana)).toMatchObject({ outcome: 'acted' })

    const dismissed = await reported()
    await decide(dismissed, 'dismiss')
    expect(await statusOf(bea, dismissed.postId)).toBe(200)
    expect(await outcomeFor(ana)).toMatchObject({ outcome: 'no-breach' })
    expect((await vera.call(getGroupOperation, { groupId: dismissed.groupId })).membership).toBe('member')
  })

  test('MOD-19 a decision does not change a post that was deleted or moved, or whose author left', async () => {
    for (const goes of [
      ({ postId }: { postId: string }) => vera.call(deletePostOperation, { postId }),
      ({ postId }: { postId: string }) => vera.call(updatePostOperation, { postId, groupId: null }),
      ({ groupId }: { groupId: string }) => vera.call(leaveGroupOperation, { groupId }),
    ] as ((at: { postId: string; groupId: string }) => Promise<unknown>)[]) {
      const at = await reported()
      await goes(at)
      const moved = (await statusOf(mo, at.postId)) === 200
      await decide(at, 'remove-member')
      expect(await gala.call(getGroupCaseOperation, at)).toMatchObject({ decision: 'remove-member' })
      expect(await statusOf(mo, at.postId)).toBe(moved ? 200 : 404)
    }
  })

  test('MOD-19 REP-14 evidence is kept for 90 days after a dismissal and for 24 months after any other decision', async () => {
    for (const [decision, days] of [
      ['dismiss', 90],
      ['take-out', 730],
    ] as const) {
      const at = await reported()
      await decide(at, decision)
      const [{ kept }] = await query(
        `select round(extract(epoch from e.kept_until - clock_timestamp()) / 86400)::int as kept from evidence e
         join reports r on r.id = e.report_id join moderation_cases c on c.id = r.case_id where c.public_id = $1`,
        [at.caseId],
      )
      expect(Math.abs(kept - days)).toBeLessThan(3)
    }
  })

  test('MOD-19 MOD-20 each decision writes one log entry in its own transaction', async () => {
    for (const decision of ['dismiss', 'take-out', 'remove-member'] as const) {
      const at = await reported()
      await decide(at, decision, 'Por esto')
      expect(
        await query(
          `select l.act, l.detail ->> 'text' as text, u.public_id as by from moderation_log l
           join moderation_cases c on c.id = l.case_id join users u on u.id = l.actor_id where c.public_id = $1`,
          [at.caseId],
        ),
      ).toEqual([{ act: decision, text: 'Por esto', by: gala.id }])
    }
  })
})

describe('passing a case on', () => {
  test('MOD-19 a case that is passed on belongs to the moderators, with its reports, evidence and log entry', async () => {
    const at = await reported()
    const { $id: reportId } = await report(bea, at.postId)
    await decide(at, 'pass-on')
    expect(await listed(at.groupId)).toEqual([])
    expect((await gala.ask(getGroupCaseOperation, at)).status).toBe(404)
    const caseId = await caseOfReport(reportId)
    expect(await openForModerators()).toContain(caseId)
    expect(await mo.call(getCaseOperation, { caseId })).toMatchObject({
      ...{ reportCount: 2, status: 'open', about: { $id: vera.id }, log: [{ act: 'pass-on' }] },
      reports: [{ evidence: [{ place: '1-0' }] }, { evidence: [{ place: '2-0' }] }],
    })
    expect(await outcomeFor(bea)).toMatchObject({ desk: 'group', status: 'received' })
    await claimAndDecide(mo, caseId, { decision: 'hide', text: 'No' })
    expect(await vera.call(getPostOperation, { postId: at.postId })).toMatchObject({
      hidden: { by: 'moderator', can: { appeal: true } },
    })
  })

  test("MOD-19 a passed-on case joins the moderators' open case of the same post, counts a reporter once and keeps all evidence", async () => {
    const at = await reported()
    const { $id: ofAna } = await report(ana, at.postId, { reason: 'hate' })
    const { $id: ofBea } = await report(bea, at.postId, { reason: 'threat' })
    const caseId = await caseOfReport(ofBea)
    await decide(at, 'pass-on')
    const shown = await mo.call(getCaseOperation, { caseId })
    expect(shown).toMatchObject({ reportCount: 2, severity: 3, reason: 'threat' })
    expect(shown.reports.map(({ evidence }) => evidence.length)).toEqual([1, 1, 1])
    expect(await caseOfReport(ofAna)).toBe(caseId)
    // A node of an older version writes this while both versions run.
    await query(
      `insert into reports (public_id, case_id, reporter_id, reason)
       select 'otra-vez', case_id, reporter_id, reason from reports where public_id = $1
       on conflict on constraint reports_once do nothing`,
      [ofAna],
    )
    expect((await mo.call(getCaseOperation, { caseId })).reportCount).toBe(2)
    expect((await report(ana, at.postId, { reason: 'hate' })).$id).toBe(ofAna)
  })

  test("MOD-19 the sweep passes on cases that the admin may no longer see after a handover, a block or the group's deletion", async () => {
    const handed = await reported()
    await gala.call(handOverGroupOperation, { groupId: handed.groupId, memberId: vera.id })
    expect((await vera.ask(listGroupCasesOperation, { groupId: handed.groupId })).body).toMatchObject({
      documents: [],
    })
    expect((await vera.ask(getGroupCaseOperation, handed)).status).toBe(404)
    const deleted = await reported()
    await gala.call(deleteGroupOperation, {
      groupId: deleted.groupId,
      name: (await gala.call(getGroupOperation, { groupId: deleted.groupId })).name,
    })
    const kept = await reported()
    const stranger = await w.join('Nuria')
    const group = await createGroupWithMembers(gala, stranger, ana)
    const apart = await caseOf(ana, await createPostInGroup(w.database, stranger, group))
    await stranger.call(blockMemberOperation, { personId: gala.id })
    expect(await listed(group)).toEqual([])
    await escalateStrandedCases(w.database.kysely)
    const left = await query(
      `select public_id as id from moderation_cases where desk = 'group' and status = 'open'`,
    )
    const ids = left.map(({ id }) => id)
    expect(ids).toContain(kept.caseId)
    for (const id of [handed.caseId, deleted.caseId, apart]) expect(ids).not.toContain(id)
    expect(
      await query(`select count(*)::int as n from moderation_log where act = 'pass-on' and actor_id is null`),
    ).toEqual([{ n: 3 }])
  })

  test("MOD-19 a post reported in one group, and again after moving to another, is only in the second group's queue", async () => {
    const first = await reported()
    const [iria, nuria] = [await w.join('Iria'), await w.join('Nuria')]
    const second = await createGroupWithMembers(iria, vera, nuria)
    await vera.call(updatePostOperation, {
      postId: first.postId,
      groupId: second,
      caption: 'Dicho en el otro',
    })
    const { caseId } = await reportSubject(w.database, nuria, { kind: 'post', id: first.postId }, 'spam')
    expect(caseId).not.toBe(first.caseId)
    expect(await listed(first.groupId)).toEqual([])
    expect((await gala.ask(getGroupCaseOperation, first)).status).toBe(404)
    expect((await gala.ask(getGroupCaseOperation, { groupId: first.groupId, caseId })).status).toBe(404)
    expect(await iria.call(getGroupCaseOperation, { groupId: second, caseId })).toMatchObject({
      reportCount: 1,
    })
    // The moderators have the reports of the first group.
    expect(await openForModerators()).toContain(await caseOfReport(first.reportId))
  })

  test('MOD-19 when the admin blocks a reporter, the queue stays the same, because a change would reveal the reporter', async () => {
    const eva = await w.join('Eva')
    const groupId = await createGroupWithMembers(gala, vera, eva)
    const caseId = await caseOf(eva, await postIn(groupId))
    await gala.call(blockMemberOperation, { personId: eva.id })
    await escalateStrandedCases(w.database.kysely)
    expect(await listed(groupId)).toEqual([caseId])
  })
})

describe('concurrent requests', () => {
  test(
    'MOD-19 of many concurrent decisions about a case, only one takes effect',
    async () => {
      await runRaceRounds(
        w.database,
        async () => {
          const at = await reported()
          const decisions = ['dismiss', 'take-out', 'remove-member', 'dismiss', 'take-out'] as const
          return decisions.map((decision) => () => gala.ask(decideGroupCaseOperation, { ...at, decision }))
        },
        (answers) => expect(countResponsesByStatus(answers)).toEqual({ 204: 1, 409: 4 }),
      )
    },
    raceTimeoutMs,
  )

  test(
    'MOD-19 concurrent decisions, reports, deletion and leaving give one outcome and lose no report',
    async () => {
      let at = { groupId: '', postId: '', caseId: '', reportId: '' }
      await runRaceRounds(
        w.database,
        async () => {
          at = await reported()
          return [
            () => gala.ask(decideGroupCaseOperation, { ...at, decision: 'pass-on' }),
            () => gala.ask(decideGroupCaseOperation, { ...at, decision: 'take-out' }),
            () =>
              bea.ask(createReportOperation, { subject: { kind: 'post', id: at.postId }, reason: 'spam' }),
            () =>
              ana.ask(createReportOperation, { subject: { kind: 'post', id: at.postId }, reason: 'hate' }),
            () => vera.ask(deletePostOperation, { postId: at.postId }),
            () => vera.ask(leaveGroupOperation, { groupId: at.groupId }),
          ]
        },
        async ([passed, taken, ...reports]) => {
          expect([passed?.status, taken?.status].filter((status) => status === 204)).toHaveLength(1)
          const made = new Set([
            at.reportId,
            ...reports
              .slice(0, 2)
              .flatMap(({ status, body }) => (status === 201 ? [(body as Report).$id] : [])),
          ])
          const [{ n }] = await query(
            `select count(*)::int as n from reports r join moderation_cases c on c.id = r.case_id where c.subject_id = $1`,
            [at.postId],
          )
          expect(n).toBe(made.size)
        },
      )
    },
    raceTimeoutMs,
  )

  test(
    'MOD-19 after a concurrent handover the current admin decides, and never a case about herself',
    async () => {
      await runRaceRounds(
        w.database,
        async () => {
          const at = await reported()
          return [
            () => gala.ask(handOverGroupOperation, { groupId: at.groupId, memberId: vera.id }),
            () => gala.ask(decideGroupCaseOperation, { ...at, decision: 'take-out' }),
            () => vera.ask(decideGroupCaseOperation, { ...at, decision: 'dismiss' }),
            () => bea.ask(removeGroupMemberOperation, { groupId: at.groupId, memberId: vera.id }),
          ]
        },
        ([, galas, veras]) => {
          expect([204, 404]).toContain(galas?.status)
          expect(veras?.status).toBe(404)
        },
      )
    },
    raceTimeoutMs,
  )
})
