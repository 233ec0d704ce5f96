import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimCaseOperation, getCaseOperation } from '#contract/moderation/cases.ts'
import { decideGroupCaseOperation, getGroupCaseOperation } from '#contract/moderation/group-cases.ts'
import { createReportOperation, listMyReportsOperation, type Report } from '#contract/moderation/reports.ts'
import type { OperationInput } from '#contract/operation.ts'
import { blockMemberOperation, unblockMemberOperation } from '#contract/people/blocks.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createGroupWithMembers, createPostInGroup } from '#tests/support/group-factory.ts'
import { appointModeratorOnDuty, claimAndDecide } from '#tests/support/report-and-moderate.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let mo: MemberClient

beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  mo = await w.join('Mo')
  await appointModeratorOnDuty(w.database, mo)
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

type Making = Omit<OperationInput<typeof createReportOperation>, 'subject'>
type Role = 'admin' | 'author' | 'reporter'

/** Records what the reporter sees: report ids in order of appearance. */
async function createReportedPost(blocked?: readonly [Role, Role]) {
  const people = {
    admin: await w.join('Alba'),
    author: await w.join('Autora'),
    reporter: await w.join('Reportera'),
  }
  const other = await w.join('Otra')
  const groupId = await createGroupWithMembers(people.admin, people.author, people.reporter, other)
  const postId = await createPostInGroup(w.database, people.author, groupId)
  const block = async (who: Role, whom: Role) => {
    await people[who].call(blockMemberOperation, { personId: people[whom].id })
  }
  if (blocked) await block(...blocked)
  const known: string[] = []
  const announced: unknown[] = []
  const named = ({ $id, $createdAt, ...rest }: Report) => {
    if (!known.includes($id)) known.push($id)
    return { report: known.indexOf($id), ...rest }
  }
  const reportBy = (who: MemberClient, making: Making) =>
    who.call(createReportOperation, { subject: { kind: 'post', id: postId }, ...making })
  const caseOf = async (desk: string) =>
    (
      await w.database.pool.query(
        `select public_id from moderation_cases where subject_id = $1 and desk = $2 and status = 'open'`,
        [postId, desk],
      )
    ).rows[0]?.public_id as string | undefined
  return {
    ...{ people, groupId, block, announced, caseOf },
    reports: async (making: Making) => announced.push(named(await reportBy(people.reporter, making))),
    otherReports: (making: Making) => reportBy(other, making),
    lists: async () => {
      const { documents } = await people.reporter.call(listMyReportsOperation, {})
      announced.push(documents.map(named))
    },
  }
}
type ReportedPost = Awaited<ReturnType<typeof createReportedPost>>

const moderatorsCase = async (at: ReportedPost) => (await at.caseOf('moderators')) as string

/** In each story, only the reporter and the moderators act. The admin does nothing. */
const stories: Record<string, (at: ReportedPost) => Promise<unknown>> = {
  'to the group and then to the moderators, again and again': async (at) => {
    await at.reports({ reason: 'spam' })
    await at.reports({ reason: 'spam' })
    await at.reports({ reason: 'spam', desk: 'moderators' })
    await at.reports({ reason: 'threat' })
    await at.reports({ reason: 'off-topic' })
    await at.lists()
  },
  'to the moderators and then to the group': async (at) => {
    await at.reports({ reason: 'hate' })
    await at.reports({ reason: 'spam' })
    await at.reports({ reason: 'spam', desk: 'moderators' })
    await at.reports({ reason: 'spam' })
    await at.lists()
  },
  'to both, and moderators claim and dismiss it': async (at) => {
    await at.reports({ reason: 'spam' })
    await at.reports({ reason: 'hate' })
    const caseId = await moderatorsCase(at)
    await mo.call(claimCaseOperation, { caseId })
    await at.lists()
    await claimAndDecide(mo, caseId, { decision: 'dismiss', text: 'No' })
    await at.lists()
    await at.reports({ reason: 'spam' })
    await at.reports({ reason: 'spam' })
    await at.reports({ reason: 'hate' })
    await at.lists()
  },
  'to the group, and moderators act because another member reported it to them': async (at) => {
    await at.reports({ reason: 'spam' })
    await at.otherReports({ reason: 'hate' })
    const caseId = await moderatorsCase(at)
    await mo.call(claimCaseOperation, { caseId })
    await at.lists()
    await claimAndDecide(mo, caseId, { decision: 'warn', text: 'No' })
    await at.lists()
    await at.reports({ reason: 'off-topic' })
    await at.lists()
  },
}
/**
 * The blocks that involve the admin and that the reporter did not make. Each sends the report to the
 * moderators.
 */
const blocks = [
  ['admin', 'author'],
  ['author', 'admin'],
  ['admin', 'reporter'],
] as const

test.each(Object.entries(stories))(
  'MOD-19 REP-10 REP-12 the responses to a reporter reveal no block by or of the admin: %s',
  async (_, story) => {
    const without = await createReportedPost()
    await story(without)
    for (const blocked of blocks) {
      const across = await createReportedPost(blocked)
      await story(across)
      expect([blocked, across.announced]).toEqual([blocked, without.announced])
    }
  },
)

test('MOD-19 REP-10 reporting again reveals neither a new or ended block nor that the admin passed the report on', async () => {
  const again = async (between: (at: ReportedPost) => Promise<unknown>, blocked?: readonly [Role, Role]) => {
    const at = await createReportedPost(blocked)
    await at.reports({ reason: 'spam' })
    await between(at)
    await at.reports({ reason: 'spam' })
    await at.lists()
    return at.announced
  }
  const nothing = await again(async () => {})
  expect(nothing).toHaveLength(3)
  expect(await again((at) => at.block('author', 'admin'))).toEqual(nothing)
  expect(
    await again(
      (at) => at.people.author.call(unblockMemberOperation, { personId: at.people.admin.id }),
      ['author', 'admin'],
    ),
  ).toEqual(nothing)
  expect(
    await again(async (at) => {
      const caseId = (await at.caseOf('group')) as string
      const { groupId, people } = at
      await people.admin.call(decideGroupCaseOperation, { groupId, caseId, decision: 'pass-on' })
    }),
  ).toEqual(nothing)
})

test('MOD-19 a report to the group can be repeated to the moderators as a second report with evidence, counted once', async () => {
  const at = await createReportedPost(['author', 'admin'])
  await at.reports({ reason: 'spam', note: 'Otra vez' })
  await at.reports({ reason: 'threat', note: 'Y ahora esto' })
  const shown = await mo.call(getCaseOperation, { caseId: await moderatorsCase(at) })
  expect(shown).toMatchObject({ reportCount: 1, severity: 3, reason: 'threat' })
  expect(shown.reports.map(({ note, evidence }) => [note, evidence.length])).toEqual([
    ['Otra vez', 1],
    ['Y ahora esto', 1],
  ])
})

test('MOD-19 a case with two reports by one member keeps both when it is passed on to the moderators', async () => {
  const at = await createReportedPost()
  await at.reports({ reason: 'spam' })
  await at.otherReports({ reason: 'hate' })
  await claimAndDecide(mo, await moderatorsCase(at), { decision: 'dismiss', text: 'No' })
  // The reporter saw the first report as decided, so this is another report in the same queue.
  await at.reports({ reason: 'spam' })
  await at.reports({ reason: 'hate' })
  const { groupId, people } = at
  const caseId = (await at.caseOf('group')) as string
  expect(await people.admin.call(getGroupCaseOperation, { groupId, caseId })).toMatchObject({
    ...{ reportCount: 1, evidence: [{ place: '1-0' }, { place: '2-0' }] },
  })
  await people.admin.call(decideGroupCaseOperation, { groupId, caseId, decision: 'pass-on' })
  const shown = await mo.call(getCaseOperation, { caseId: await moderatorsCase(at) })
  expect([shown.reportCount, shown.reports.length]).toEqual([1, 3])
})
