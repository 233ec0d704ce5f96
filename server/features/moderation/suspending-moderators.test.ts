import { afterAll, beforeAll, expect, test } from 'vitest'
import { signInOperation } from '#contract/account/sign-up-and-sign-in.ts'
import {
  claimCaseOperation,
  confirmSuspensionOperation,
  decideAppealOperation,
  decideCaseOperation,
  getCaseOperation,
  listCasesOperation,
} from '#contract/moderation/cases.ts'
import { appealSuspensionOperation } from '#contract/moderation/moderation-notices-and-appeals.ts'
import { getPersonOperation } from '#contract/people/people.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { appointModeratorOnDuty, claimAndDecide, reportSubject } from '#tests/support/report-and-moderate.ts'
import { countResponsesByStatus, raceTimeoutMs, runRaceRounds } from '#tests/support/run-race-rounds.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'
import { promoteToOperator } from '../community/promote-to-operator.ts'
import { removeModerator } from './moderators.ts'

let w: TestWorld
let ana: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

const query = async (text: string, values: unknown[] = []) => (await w.database.pool.query(text, values)).rows
const usernameOf = async ({ id }: MemberClient) =>
  (await query('select username from users where public_id = $1', [id]))[0].username as string
async function moderator(name: string): Promise<MemberClient> {
  const who = await w.join(name)
  await appointModeratorOnDuty(w.database, who)
  return who
}
async function operator(name: string): Promise<MemberClient> {
  const who = await w.join(name)
  await promoteToOperator(w.database.kysely, await usernameOf(who))
  return who
}
const caseAbout = async ({ id }: MemberClient) =>
  (await reportSubject(w.database, ana, { kind: 'member', id }, 'threat')).caseId
const suspension = { decision: 'suspend', text: 'Amenazas', days: 7 } as const
async function propose(by: MemberClient, about: MemberClient) {
  const caseId = await caseAbout(about)
  const { proposal } = await claimAndDecide(by, caseId, suspension)
  return { caseId, proposalId: proposal?.$id ?? '' }
}
const signsIn = async ({ email }: MemberClient) =>
  (await w.visitor.ask(signInOperation, { email, password: testPassword })).status === 201
const logOf = async (caseId: string) =>
  (
    await query(
      'select l.act from moderation_log l join moderation_cases c on c.id = l.case_id where c.public_id = $1 order by l.id',
      [caseId],
    )
  ).map(({ act }) => act)

test.each([
  ['moderator', moderator],
  ['operator', operator],
])(
  "MOD-23 mo's suspension of a %s becomes a proposal that another moderator must confirm",
  async (_role, make) => {
    const [mo, mia, eva] = [await moderator('Mo'), await moderator('Mia'), await make('Eva')]
    const { caseId, proposalId } = await propose(mo, eva)
    const pending = { days: 7, text: 'Amenazas' }
    expect(await mo.call(getCaseOperation, { caseId })).toMatchObject({
      status: 'open',
      claimed: null,
      can: { suspendAlone: false },
      proposal: { ...pending, $id: proposalId, by: 'me', can: { confirm: false } },
    })
    const { documents } = await mia.call(listCasesOperation, { limit: 100 })
    expect(documents.find(({ $id }) => $id === caseId)?.proposal).toMatchObject({
      ...pending,
      by: 'other',
      can: { confirm: true },
    })
    expect(await signsIn(eva)).toBe(true)
    expect((await eva.ask(getPersonOperation, { personId: eva.id })).status).toBe(200)

    await mia.call(claimCaseOperation, { caseId })
    const decided = await mia.call(confirmSuspensionOperation, { caseId, proposalId })
    expect(decided).toMatchObject({
      status: 'decided',
      decision: 'suspend',
      text: 'Amenazas',
      proposal: null,
    })
    expect(await signsIn(eva)).toBe(false)
    const [{ days }] = await query(
      `select round(extract(epoch from s.ends_at - s.created_at) / 86400)::int as days
     from suspensions s join accounts a on a.id = s.account_id where a.public_id = $1 and s.lifted_at is null`,
      [eva.accountId],
    )
    expect(days).toBe(7)
    expect(await logOf(caseId)).toEqual(['claim', 'suspend.propose', 'claim', 'suspend'])
  },
)

test('MOD-23 mo cannot confirm her own proposal, but can suspend a member without a role by herself', async () => {
  const [mo, eva, luz] = [await moderator('Mo'), await moderator('Eva'), await w.join('Luz')]
  const { caseId, proposalId } = await propose(mo, eva)
  expect(await mo.refusal(confirmSuspensionOperation, { caseId, proposalId })).toMatchObject({
    type: 'case_not_claimed',
  })
  await mo.call(claimCaseOperation, { caseId })
  expect(await mo.refusal(confirmSuspensionOperation, { caseId, proposalId })).toMatchObject({
    code: 403,
    message: 'La suspensión la confirma otra moderadora',
  })
  const again = await mo.call(decideCaseOperation, { caseId, ...suspension, days: null })
  expect(again).toMatchObject({ status: 'open', proposal: { by: 'me', days: null } })
  expect(await signsIn(eva)).toBe(true)
  const decided = await claimAndDecide(mo, await caseAbout(luz), suspension)
  expect(decided).toMatchObject({ status: 'decided', can: { suspendAlone: true }, proposal: null })
  expect(await signsIn(luz)).toBe(false)
})

test('MOD-23 two moderators cannot suspend each other, no matter who reports', async () => {
  const [mo, eva] = [await moderator('Mo'), await moderator('Eva')]
  const [aboutEva, aboutMo] = [await propose(mo, eva), await propose(eva, mo)]
  for (const [who, { caseId, proposalId }] of [
    [eva, aboutEva],
    [mo, aboutMo],
  ] as const) {
    expect((await who.ask(getCaseOperation, { caseId })).status).toBe(404)
    expect((await who.ask(confirmSuspensionOperation, { caseId, proposalId })).status).toBe(404)
  }
  expect([await signsIn(mo), await signsIn(eva)]).toEqual([true, true])
})

test('MOD-23 only moderators can confirm a proposal, through either API', async () => {
  const [mo, eva, luz] = [await moderator('Mo'), await moderator('Eva'), await w.join('Luz')]
  const { caseId, proposalId } = await propose(mo, eva)
  for (const who of [luz, ana, eva])
    expect((await who.ask(confirmSuspensionOperation, { caseId, proposalId })).status).toBe(404)
  expect((await w.visitor.ask(confirmSuspensionOperation, { caseId, proposalId })).status).toBe(401)
  for (const collection of ['moderation_cases', 'moderationCases', 'suspension_proposals', 'suspensions'])
    for (const who of [mo, luz])
      expect(
        (await who.request('GET', `/v1/databases/main/collections/${collection}/documents`)).status,
      ).toBe(404)
  expect(await signsIn(eva)).toBe(true)
})

test("MOD-23 mia can confirm the current proposal, but not a replaced proposal or a former moderator's proposal", async () => {
  const [mo, mia, eva] = [await moderator('Mo'), await moderator('Mia'), await moderator('Eva')]
  const { caseId, proposalId } = await propose(mo, eva)
  const { proposal } = await claimAndDecide(mo, caseId, { ...suspension, text: 'Otra cosa' })
  expect(proposal?.$id).not.toBe(proposalId)
  await mia.call(claimCaseOperation, { caseId })
  const confirm = (id = '') => mia.refusal(confirmSuspensionOperation, { caseId, proposalId: id })
  expect(await confirm(proposalId)).toMatchObject({ code: 409, type: 'suspension_not_proposed' })
  await removeModerator(w.database.kysely, await usernameOf(mo), 'olivia')
  expect(await confirm(proposal?.$id)).toMatchObject({ type: 'suspension_not_proposed' })
  expect((await mia.call(getCaseOperation, { caseId })).proposal).toBeNull()
  expect(await signsIn(eva)).toBe(true)
})

test('MOD-23 another decision about the case drops the proposal', async () => {
  const [mo, mia, eva] = [await moderator('Mo'), await moderator('Mia'), await moderator('Eva')]
  const { caseId, proposalId } = await propose(mo, eva)
  const warned = await claimAndDecide(mia, caseId, { decision: 'warn', text: 'Con calma' })
  expect(warned).toMatchObject({ status: 'decided', decision: 'warn', proposal: null })
  expect(await mia.refusal(confirmSuspensionOperation, { caseId, proposalId })).toMatchObject({
    type: 'case_decided',
  })
  expect(await query('select from suspension_proposals where public_id = $1', [proposalId])).toEqual([])
  expect(await signsIn(eva)).toBe(true)
})

test('MOD-24 a third moderator, not the two who suspended eva, reviews the suspension', async () => {
  const [mo, mia, noa, eva] = [
    await moderator('Mo'),
    await moderator('Mia'),
    await moderator('Noa'),
    await moderator('Eva'),
  ]
  const { caseId, proposalId } = await propose(mo, eva)
  await mia.call(claimCaseOperation, { caseId })
  await mia.call(confirmSuspensionOperation, { caseId, proposalId })
  const credentials = { email: eva.email, password: testPassword }
  await w.visitor.call(appealSuspensionOperation, { ...credentials, text: 'No fui yo' })
  const overturn = { caseId, outcome: 'overturned', text: 'Tiene razón' } as const
  for (const who of [mo, mia]) {
    expect((await who.call(getCaseOperation, { caseId })).review?.can.decide).toBe(false)
    expect(await who.refusal(decideAppealOperation, overturn)).toMatchObject({ type: 'appeal_own_decision' })
  }
  await noa.call(decideAppealOperation, overturn)
  expect(await signsIn(eva)).toBe(true)
})

test('MOD-23 only one of several concurrent confirmations of a proposal succeeds', {
  timeout: raceTimeoutMs,
}, async () => {
  let [caseId, proposalId] = ['', '']
  let eva: MemberClient
  const [mo, mia, noa] = [await moderator('Mo'), await moderator('Mia'), await moderator('Noa')]
  await runRaceRounds(
    w.database,
    async () => {
      eva = await moderator('Eva')
      ;({ caseId, proposalId } = await propose(mo, eva))
      await mia.call(claimCaseOperation, { caseId })
      return [mia, mia, noa].map((who) => () => who.ask(confirmSuspensionOperation, { caseId, proposalId }))
    },
    async (answers) => {
      expect(countResponsesByStatus(answers)).toEqual({ 200: 1, 409: 2 })
      expect((await logOf(caseId)).filter((act) => act === 'suspend')).toHaveLength(1)
      expect(await signsIn(eva)).toBe(false)
    },
  )
})

test('MOD-23 if mia confirms while mo changes the length, the suspension has a length that one of them saw', {
  timeout: raceTimeoutMs,
}, async () => {
  let [caseId, proposalId] = ['', '']
  const [mo, mia] = [await moderator('Mo'), await moderator('Mia')]
  await runRaceRounds(
    w.database,
    async () => {
      ;({ caseId, proposalId } = await propose(mo, await moderator('Eva')))
      await mia.call(claimCaseOperation, { caseId })
      return [
        () => mia.ask(confirmSuspensionOperation, { caseId, proposalId }),
        () => mia.ask(decideCaseOperation, { caseId, ...suspension, days: null }),
      ]
    },
    async (answers) => {
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      const { status, proposal } = await mo.call(getCaseOperation, { caseId })
      if (status === 'open') expect(proposal).toMatchObject({ by: 'other', days: null })
      else expect(await logOf(caseId)).toEqual(['claim', 'suspend.propose', 'claim', 'suspend'])
    },
  )
})
