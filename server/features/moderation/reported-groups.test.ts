import { afterAll, beforeAll, expect, test } from 'vitest'
import { handOverGroupOperation } from '#contract/groups/group-members.ts'
import { getGroupOperation, updateGroupOperation } from '#contract/groups/groups.ts'
import { claimCaseOperation, getCaseOperation, listCasesOperation } from '#contract/moderation/cases.ts'
import { listModerationNoticesOperation } from '#contract/moderation/moderation-notices-and-appeals.ts'
import { createReportOperation, listMyReportsOperation } from '#contract/moderation/reports.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createGroupWithMembers } from '#tests/support/group-factory.ts'
import { appointModeratorOnDuty, claimAndDecide, reportSubject } from '#tests/support/report-and-moderate.ts'
import { countResponsesByStatus, raceTimeoutMs, runRaceRounds } from '#tests/support/run-race-rounds.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let mo: MemberClient

beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  ;[ana, bea, mo] = [await w.join('Ana'), await w.join('Bea'), await w.join('Mo')]
  await appointModeratorOnDuty(w.database, mo)
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

async function createGroup() {
  const [vera, alma] = [await w.join('Vera'), await w.join('Alma')]
  const groupId = await createGroupWithMembers(vera, alma, ana, bea)
  const report = async (who: MemberClient) =>
    (await reportSubject(w.database, who, { kind: 'group', id: groupId }, 'hate')).caseId
  const handOver = async () => {
    await vera.call(handOverGroupOperation, { groupId, memberId: alma.id })
    const { name } = await alma.call(getGroupOperation, { groupId })
    await alma.call(updateGroupOperation, { groupId, name, description: 'Fuera de aquí' })
  }
  return { vera, alma, groupId, report, handOver }
}
const caseOfReport = async (reportId: string): Promise<string> =>
  (
    await w.database.pool.query(
      'select c.public_id as id from moderation_cases c join reports r on r.case_id = c.id where r.public_id = $1',
      [reportId],
    )
  ).rows[0].id
const latestReportOf = async (who: MemberClient) =>
  (await who.call(listMyReportsOperation, { limit: 1 })).documents[0]
const noticesOf = async (who: MemberClient) =>
  (await who.call(listModerationNoticesOperation, {})).documents.map(({ text }) => text)
const readCase = (caseId: string) => mo.call(getCaseOperation, { caseId })

test('REP-10 MOD-14 after a handover, earlier reports of the group concern its former admin, and later reports the new admin', async () => {
  const { vera, alma, groupId, report, handOver } = await createGroup()
  await report(ana)
  const first = await latestReportOf(ana)
  await handOver()
  const later = await report(bea)
  const earlier = await caseOfReport(first?.$id as string)
  expect(later).not.toBe(earlier)
  expect(await readCase(earlier)).toMatchObject({
    ...{ about: { $id: vera.id }, status: 'open', reportCount: 1, severity: 2 },
    reports: [{ evidence: [{ snapshot: { id: groupId, admin: { id: vera.id } } }] }],
  })
  expect(await readCase(later)).toMatchObject({
    ...{ kind: 'group', about: { $id: alma.id }, reportCount: 1 },
    reports: [{ evidence: [{ snapshot: { description: 'Fuera de aquí', admin: { id: alma.id } } }] }],
  })
  expect(await latestReportOf(ana)).toEqual(first)
  await claimAndDecide(mo, later, { decision: 'warn', text: 'Esto no' })
  expect([await noticesOf(alma), await noticesOf(vera)]).toEqual([['Esto no'], []])
  await claimAndDecide(mo, earlier, { decision: 'warn', text: 'Aquello tampoco' })
  expect([await noticesOf(alma), await noticesOf(vera)]).toEqual([['Esto no'], ['Aquello tampoco']])
})

test('REP-10 reporting a group again adds evidence after a handover, and repeats the first report under the same admin', async () => {
  const { vera, alma, groupId, report, handOver } = await createGroup()
  await report(ana)
  const first = await latestReportOf(ana)
  await handOver()
  const caseId = await report(ana)
  const second = await latestReportOf(ana)
  expect(second?.$id).not.toBe(first?.$id)
  expect(await report(ana)).toBe(caseId)
  expect((await latestReportOf(ana))?.$id).toBe(second?.$id)
  const subject = { kind: 'member', id: vera.id } as const
  const ofVera = await ana.call(createReportOperation, { subject, reason: 'hate' })
  expect([first?.$id, second?.$id]).not.toContain(ofVera.$id)
  await alma.call(handOverGroupOperation, { groupId, memberId: vera.id })
  await report(ana)
  expect((await readCase(await caseOfReport(ofVera.$id))).reports).toHaveLength(2)
})

test('REP-10 after a handover, earlier reports join the open case about the former admin, and a moderator keeps her claim', async () => {
  const claimed = await createGroup()
  await claimed.report(ana)
  const { $id: ofAna } = (await latestReportOf(ana)) ?? { $id: '' }
  await mo.call(claimCaseOperation, { caseId: await caseOfReport(ofAna) })
  await claimed.handOver()
  await claimed.report(bea)
  expect(await readCase(await caseOfReport(ofAna))).toMatchObject({ claimed: 'me' })

  const { vera, report, handOver } = await createGroup()
  const about = { kind: 'member', id: vera.id } as const
  const { caseId } = await reportSubject(w.database, ana, about, 'spam')
  await report(ana)
  const open = (await mo.call(listCasesOperation, { limit: 100 })).documents.length
  await handOver()
  await report(bea)
  expect((await mo.call(listCasesOperation, { limit: 100 })).documents).toHaveLength(open)
  const joined = await readCase(caseId)
  expect(joined).toMatchObject({ about: { $id: vera.id }, reportCount: 1, severity: 2, reason: 'hate' })
  expect(joined.reports.map(({ evidence: [kept] }) => kept?.kind)).toEqual(['member', 'group'])
})

test(
  'REP-10 concurrent reports during a handover each concern one of the two admins, and none is lost',
  async () => {
    let group: Awaited<ReturnType<typeof createGroup>>
    await runRaceRounds(
      w.database,
      async () => {
        group = await createGroup()
        await group.report(ana)
        await group.handOver()
        const subject = { kind: 'group', id: group.groupId } as const
        const report = (who: MemberClient) => () =>
          who.ask(createReportOperation, { subject, reason: 'hate' })
        return [report(ana), report(bea), report(ana), report(group.vera), report(bea)]
      },
      async (answers) => {
        expect(countResponsesByStatus(answers)).toEqual({ 201: 5 })
        const { rows } = await w.database.pool.query(
          `select u.public_id as about, count(*)::int as reports from moderation_cases c join users u on u.id = c.about_id
           join reports r on r.case_id = c.id where u.public_id = any($1) group by 1`,
          [[group.vera.id, group.alma.id]],
        )
        expect(Object.fromEntries(rows.map(({ about, reports }) => [about, reports]))).toEqual({
          [group.vera.id]: 1,
          [group.alma.id]: 3,
        })
      },
    )
  },
  raceTimeoutMs,
)
