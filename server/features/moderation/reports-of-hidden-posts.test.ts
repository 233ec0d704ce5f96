import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { handOverGroupOperation, leaveGroupOperation } from '#contract/groups/group-members.ts'
import { deleteGroupOperation, getGroupOperation } from '#contract/groups/groups.ts'
import { getCaseOperation, listCasesOperation } from '#contract/moderation/cases.ts'
import {
  decideGroupCaseOperation,
  getGroupCaseOperation,
  getGroupCasePictureOperation,
  listGroupCasesOperation,
} from '#contract/moderation/group-cases.ts'
import { createReportOperation, listMyReportsOperation } from '#contract/moderation/reports.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import {
  approveFollowRequestOperation,
  listFollowRequestsOperation,
} from '#contract/people/follow-requests.ts'
import { followOperation } from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import { createPostOperation, deletePostOperation, getPostOperation } from '#contract/posts/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import {
  admitMemberToGroup,
  createGroupWithMembers,
  createPostInGroup,
} from '#tests/support/group-factory.ts'
import { tagAndWithholdPhoto } from '#tests/support/publish-and-tag-photos.ts'
import { appointModeratorOnDuty, claimAndDecide, reportSubject } from '#tests/support/report-and-moderate.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'
import { escalateStrandedCases } from './escalate-case.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let cora: MemberClient
let mo: MemberClient

beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  ;[ana, bea, cora, mo] = [await w.join('Ana'), await w.join('Bea'), await w.join('Cora'), await w.join('Mo')]
  await appointModeratorOnDuty(w.database, mo)
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

const query = async (text: string, values: unknown[] = []) => (await w.database.pool.query(text, values)).rows
const newGroup = () => createGroupWithMembers(ana, bea, cora)
const takeAlong = (groupId: string) => bea.call(leaveGroupOperation, { groupId, posts: 'take' })
const subject = (id: string) => ({ kind: 'post' as const, id })
const report = (who: MemberClient, postId: string) =>
  who.ask(createReportOperation, { subject: subject(postId), reason: 'spam' })
const casesOf = async (admin: MemberClient, groupId: string) =>
  (await admin.call(listGroupCasesOperation, { groupId })).documents
const openForModerators = async (postId: string) => {
  const { documents } = await mo.call(listCasesOperation, { limit: 100 })
  const given = await Promise.all(documents.map(({ $id: caseId }) => mo.call(getCaseOperation, { caseId })))
  return given.filter(({ reports }) =>
    reports.some(({ evidence }) => (evidence[0]?.snapshot as { id: string } | undefined)?.id === postId),
  )
}
const notThere = { status: 404, body: { type: 'report_subject_not_found' } }
async function hideAsModerator(postId: string) {
  const { caseId } = await reportSubject(w.database, await w.join('Eva'), subject(postId))
  await claimAndDecide(mo, caseId, { decision: 'hide', text: 'No' })
}

/** Ways in which a post of bea's becomes hidden from its group and from the admin. */
const ways: Record<string, (groupId: string, post: { $id: string; imageId: string }) => Promise<unknown>> = {
  'taken along by its author': (groupId) => takeAlong(groupId),
  'hidden by a moderator': async (groupId, { $id }) => {
    const eva = await w.join('Eva')
    await admitMemberToGroup(ana, eva, groupId)
    const { caseId } = await reportSubject(w.database, eva, subject($id))
    await claimAndDecide(mo, caseId, { decision: 'hide', text: 'No' })
  },
  'taken out of the group by the admin': async (groupId, { $id }) => {
    const eva = await w.join('Eva')
    await admitMemberToGroup(ana, eva, groupId)
    const { caseId } = await reportSubject(w.database, eva, subject($id), 'spam')
    await ana.call(decideGroupCaseOperation, { groupId, caseId, decision: 'take-out' })
  },
  'withheld by a member in its photo': async (groupId, post) => {
    const eva = await w.join('Eva')
    await admitMemberToGroup(ana, eva, groupId)
    await tagAndWithholdPhoto(bea, eva, post)
  },
}

async function postOfBea(groupId: string) {
  const imageId = await bea.upload(await createJpeg())
  const content = { caption: 'Mi casa nueva', location: 'Casa', tags: [], imageId, groupId }
  return bea.call(createPostOperation, content)
}

describe.each(Object.entries(ways))('a post %s', (_, hidePost) => {
  test("MOD-19 REP-11 a former reader's report of a hidden post goes to the moderators, and she sees the usual response", async () => {
    const groupId = await newGroup()
    const post = await postOfBea(groupId)
    await hidePost(groupId, post)
    expect((await ana.ask(getPostOperation, { postId: post.$id })).status).toBe(404)
    expect(await report(cora, post.$id)).toMatchObject({ status: 201, body: { desk: 'group' } })
    expect((await cora.call(listMyReportsOperation, {})).documents[0]).toMatchObject({ desk: 'group' })
    expect(await casesOf(ana, groupId)).toEqual([])
    expect(await openForModerators(post.$id)).toHaveLength(1)
  })

  test('REP-11 for members who joined the group afterwards a hidden post does not exist, even by its id', async () => {
    const groupId = await newGroup()
    const post = await postOfBea(groupId)
    await hidePost(groupId, post)
    const late = await w.join('Lola')
    await admitMemberToGroup(ana, late, groupId)
    const answer = await report(late, post.$id)
    expect(answer).toMatchObject(notThere)
    expect(await report(late, 'no-such-post')).toMatchObject({ status: 404, body: answer.body as object })
    expect(await casesOf(ana, groupId)).toEqual([])
  })
})

test('MOD-19 EXIT-08 a later admin never sees a post that bea took along when leaving, even after its deletion', async () => {
  const groupId = await newGroup()
  const { $id: postId } = await postOfBea(groupId)
  await takeAlong(groupId)
  const dana = await w.join('Dana')
  await admitMemberToGroup(ana, dana, groupId)
  await ana.call(handOverGroupOperation, { groupId, memberId: dana.id })
  expect((await report(cora, postId)).status).toBe(201)
  expect(await casesOf(dana, groupId)).toEqual([])
  await bea.call(deletePostOperation, { postId })
  expect(await casesOf(dana, groupId)).toEqual([])
})

test("MOD-19 dana, the new admin, sees no evidence of bea's earlier reported post, which the sweep passes to the moderators", async () => {
  const groupId = await newGroup()
  const { $id: postId } = await postOfBea(groupId)
  const { caseId } = await reportSubject(w.database, cora, subject(postId), 'spam')
  expect(await casesOf(ana, groupId)).toMatchObject([{ $id: caseId, excerpt: 'Mi casa nueva' }])
  await takeAlong(groupId)
  // An admin who could read the post when it was reported still sees the evidence.
  expect((await ana.call(getGroupCaseOperation, { groupId, caseId })).evidence).toHaveLength(1)
  const dana = await w.join('Dana')
  await admitMemberToGroup(ana, dana, groupId)
  await ana.call(handOverGroupOperation, { groupId, memberId: dana.id })
  expect(await casesOf(dana, groupId)).toEqual([])
  for (const answer of [
    await dana.ask(getGroupCaseOperation, { groupId, caseId }),
    await dana.ask(getGroupCasePictureOperation, { groupId, caseId, place: '1-0' }),
    await dana.ask(decideGroupCaseOperation, { groupId, caseId, decision: 'pass-on' }),
  ])
    expect(answer).toMatchObject({ status: 404, body: { type: 'case_not_found' } })
  await escalateStrandedCases(w.database.kysely)
  expect(await openForModerators(postId)).toHaveLength(1)
})

test('MOD-19 the admin sees evidence of reports made after she joined, but not of earlier reports', async () => {
  const groupId = await newGroup()
  const { $id: postId } = await postOfBea(groupId)
  const eva = await w.join('Eva')
  await admitMemberToGroup(ana, eva, groupId)
  await cora.call(createReportOperation, { subject: subject(postId), reason: 'spam', note: 'Antes' })
  const dana = await w.join('Dana')
  await admitMemberToGroup(ana, dana, groupId)
  await eva.call(createReportOperation, { subject: subject(postId), reason: 'spam', note: 'Después' })
  await ana.call(handOverGroupOperation, { groupId, memberId: dana.id })
  const [given] = await casesOf(dana, groupId)
  expect(given).toMatchObject({ excerpt: 'Mi casa nueva' })
  const shown = await dana.call(getGroupCaseOperation, { groupId, caseId: given?.$id as string })
  expect([shown.evidence.map(({ place }) => place), shown.notes]).toEqual([['2-0'], ['Después']])
  const statusOf = async (place: string) =>
    (await dana.ask(getGroupCasePictureOperation, { groupId, caseId: shown.$id, place })).status
  expect([await statusOf('1-0'), await statusOf('2-0')]).toEqual([404, 200])
})

test('MOD-19 REP-10 when cora reports again a post that bea took along, the admin sees no later version of the post', async () => {
  const groupId = await newGroup()
  const { $id: postId } = await postOfBea(groupId)
  const { reportId } = await reportSubject(w.database, cora, subject(postId), 'spam')
  await takeAlong(groupId)
  await query(`update posts set caption = 'Solo para mí' where public_id = $1`, [postId])
  expect(await report(cora, postId)).toMatchObject({ status: 201, body: { $id: reportId, desk: 'group' } })
  expect(await casesOf(ana, groupId)).toEqual([])
  const [given] = await openForModerators(postId)
  expect(given?.reports[0]?.evidence.map(({ snapshot }) => snapshot)).toMatchObject([
    { caption: 'Mi casa nueva' },
    { caption: 'Solo para mí' },
  ])
})

describe('REP-11 former readers', () => {
  test('for members who signed up later, a public post hidden by a moderator does not exist', async () => {
    const postId = await createPostInGroup(w.database, bea, null)
    await hideAsModerator(postId)
    expect((await report(cora, postId)).status).toBe(201)
    expect(await report(await w.join('Nueva'), postId)).toMatchObject(notThere)
  })

  test("a member who signed up after luz went private cannot report luz's older post", async () => {
    const luz = await w.join('Luz')
    const postId = await createPostInGroup(w.database, luz, null)
    await luz.call(updatePrivacySettingsOperation, { isPrivate: true })
    expect((await report(cora, postId)).status).toBe(201)
    expect(await report(await w.join('Nueva'), postId)).toMatchObject(notThere)
  })

  test('a followers-only post that a moderator hid does not exist for members who follow its author only after that', async () => {
    const [luz, eva] = [await w.join('Luz'), await w.join('Eva')]
    await cora.call(followOperation, { personId: luz.id })
    await luz.call(updatePrivacySettingsOperation, { isPrivate: true })
    const postId = await createPostInGroup(w.database, luz, null)
    const { caseId } = await reportSubject(w.database, cora, subject(postId))
    await claimAndDecide(mo, caseId, { decision: 'hide', text: 'No' })
    await eva.call(followOperation, { personId: luz.id })
    const [asked] = (await luz.call(listFollowRequestsOperation, {})).documents
    await luz.call(approveFollowRequestOperation, { requestId: asked?.$id as string })
    expect((await report(cora, postId)).status).toBe(201)
    expect(await report(eva, postId)).toMatchObject(notThere)
  })

  test('for a woman who joins a group later, a post looks the same whether its author blocked her or closed her account', async () => {
    for (const go of [
      (luz: MemberClient, late: MemberClient) => luz.call(blockMemberOperation, { personId: late.id }),
      (luz: MemberClient) => luz.request('PATCH', '/v1/account/status', {}),
    ]) {
      const [luz, late] = [await w.join('Luz'), await w.join('Lola')]
      const groupId = await createGroupWithMembers(ana, luz, cora)
      const postId = await createPostInGroup(w.database, luz, groupId)
      await go(luz, late)
      await admitMemberToGroup(ana, late, groupId)
      expect(await report(late, postId)).toMatchObject(notThere)
    }
  })

  test("a post that bea took along does not exist after the group's deletion, and a hidden one not for members who join later", async () => {
    const groupId = await newGroup()
    const { $id: postId } = await postOfBea(groupId)
    const { caseId } = await reportSubject(w.database, cora, subject(postId))
    await takeAlong(groupId)
    const late = await w.join('Lola')
    await admitMemberToGroup(ana, late, groupId)
    await claimAndDecide(mo, caseId, { decision: 'hide', text: 'No' })
    expect(await report(late, postId)).toMatchObject(notThere)

    const other = await newGroup()
    const { $id: kept } = await postOfBea(other)
    await takeAlong(other)
    const { name } = await ana.call(getGroupOperation, { groupId: other })
    await ana.call(deleteGroupOperation, { groupId: other, name })
    expect(await report(await w.join('Nueva'), kept)).toMatchObject(notThere)
    expect(await report(cora, kept)).toMatchObject(notThere)
    expect((await bea.ask(getPostOperation, { postId: kept })).status).toBe(200)
  })
})
