import { afterAll, beforeAll, expect, test } from 'vitest'
import { signInOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { suspendMemberOperation } from '#contract/admin/members.ts'
import { listOperatorActsOperation } from '#contract/admin/operator-acts.ts'
import {
  confirmSuspensionProposalOperation,
  declineSuspensionProposalOperation,
  listSuspensionProposalsOperation,
} from '#contract/admin/suspension-proposals.ts'
import {
  claimCaseOperation,
  confirmSuspensionOperation,
  declineSuspensionOperation,
  getCaseOperation,
  listCasesOperation,
} from '#contract/moderation/cases.ts'
import { promoteToOperator } from '#server/features/community/promote-to-operator.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { appointModeratorOnDuty, claimAndDecide, reportSubject } from '#tests/support/report-and-moderate.ts'
import { countResponsesByStatus, raceTimeoutMs, runRaceRounds } from '#tests/support/run-race-rounds.ts'
import { fetchSentMessagesTo } from '#tests/support/sent-messages.ts'
import { readNotifications } from '#tests/support/settle-notifications.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let olga: MemberClient
let nora: MemberClient
let mo: MemberClient
let mia: MemberClient
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  ana = await w.join('Ana')
  ;[olga, nora] = [await operator('Olga'), await operator('Nora')]
  ;[mo, mia] = [await moderator('Mo'), await moderator('Mia')]
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

const query = async (text: string, values: unknown[] = []) => (await w.database.pool.query(text, values)).rows
async function operator(name: string): Promise<MemberClient> {
  const who = await w.join(name)
  const [{ username }] = await query(
    `update accounts a set email_verified = true from users u where u.account_id = a.id and u.public_id = $1 returning u.username`,
    [who.id],
  )
  await promoteToOperator(w.database.kysely, username)
  return who
}
async function moderator(name: string): Promise<MemberClient> {
  const who = await w.join(name)
  await appointModeratorOnDuty(w.database, who)
  return who
}
const suspension = { decision: 'suspend', text: 'Amenazas', days: 7 } as const
async function propose(about: MemberClient) {
  const { caseId } = await reportSubject(w.database, ana, { kind: 'member', id: about.id }, 'threat')
  const { proposal } = await claimAndDecide(mo, caseId, suspension)
  return { caseId, proposalId: proposal?.$id ?? '' }
}
const signsIn = async ({ email }: MemberClient) =>
  (await w.visitor.ask(signInOperation, { email, password: testPassword })).status === 201
const listFor = async (who: MemberClient) => (await who.call(listSuspensionProposalsOperation, {})).documents
const actsAbout = async ({ id }: MemberClient) =>
  (await olga.call(listOperatorActsOperation, { limit: 100 })).documents
    .filter(({ about }) => about?.$id === id)
    .map(({ act }) => act)

test("ADM-09 olga confirms mo's proposal, which suspends eva", async () => {
  const eva = await moderator('Eva')
  const { proposalId } = await propose(eva)
  expect(await listFor(olga)).toMatchObject([
    {
      $id: proposalId,
      about: { $id: eva.id },
      by: { $id: mo.id },
      ...{ text: 'Amenazas', days: 7, can: { confirm: true } },
    },
  ])
  expect(await signsIn(eva)).toBe(true)
  await olga.call(confirmSuspensionProposalOperation, { proposalId })
  expect(await signsIn(eva)).toBe(false)
  expect(await listFor(nora)).toEqual([])
  expect(await actsAbout(eva)).toContain('suspension.confirm')
  expect(await nora.refusal(confirmSuspensionProposalOperation, { proposalId })).toMatchObject({
    type: 'suspension_not_proposed',
  })
})

test('ADM-09 a proposal is emailed to the other operators, and notifies the other moderators', async () => {
  const luz = await operator('Luz')
  const before = async (who: MemberClient) =>
    (await fetchSentMessagesTo(w, who.email)).filter(({ kind }) => kind === 'suspension-proposed').length
  const sent = [await before(olga), await before(nora), await before(luz)] as const
  await olga.call(suspendMemberOperation, { memberId: luz.id, text: 'Amenazas', days: null })
  expect([await before(olga), await before(nora), await before(luz)]).toEqual([sent[0], sent[1] + 1, sent[2]])
  const kinds = async (who: MemberClient) =>
    (await readNotifications(w.database, who)).map(({ kind }) => kind)
  expect(await kinds(mia)).toContain('report')
  expect(await kinds(luz)).not.toContain('report')

  const [proposal] = await listFor(olga)
  expect(proposal).toMatchObject({ can: { confirm: false } })
  expect(await listFor(luz)).toEqual([])
  const proposalId = proposal?.$id ?? ''
  expect(await olga.refusal(confirmSuspensionProposalOperation, { proposalId })).toMatchObject({
    type: 'suspension_own_proposal',
  })
  for (const operation of [confirmSuspensionProposalOperation, declineSuspensionProposalOperation])
    expect(await luz.refusal(operation, { proposalId })).toMatchObject({ type: 'suspension_not_proposed' })
  const { documents } = await mia.call(listCasesOperation, {})
  const caseId = documents.find(({ about }) => about?.$id === luz.id)?.$id ?? ''
  await mia.call(claimCaseOperation, { caseId })
  await mia.call(confirmSuspensionOperation, { caseId, proposalId })
  expect(await signsIn(luz)).toBe(false)
})

test('ADM-09 only operators see and answer proposals, after re-authentication', async () => {
  const eva = await moderator('Eva')
  const { proposalId } = await propose(eva)
  for (const operation of [confirmSuspensionProposalOperation, declineSuspensionProposalOperation]) {
    for (const who of [ana, mo, eva]) expect((await who.ask(operation, { proposalId })).status).toBe(404)
    expect((await w.visitor.ask(operation, { proposalId })).status).toBe(401)
  }
  for (const who of [ana, mo, eva])
    expect((await who.ask(listSuspensionProposalsOperation, {})).status).toBe(404)
  await query("update sessions set proved_at = proved_at - interval '1 hour'")
  for (const operation of [confirmSuspensionProposalOperation, declineSuspensionProposalOperation])
    expect(await olga.refusal(operation, { proposalId })).toMatchObject({ type: 'user_challenge_required' })
  await query('update sessions set proved_at = clock_timestamp()')
  await olga.call(declineSuspensionProposalOperation, { proposalId })
  expect(await listFor(nora)).toEqual([])
  expect(await signsIn(eva)).toBe(true)
  expect(await actsAbout(eva)).toContain('suspension.decline')
})

test('MOD-25 mia declines a proposal, and mo withdraws the next one; the case stays open', async () => {
  const eva = await moderator('Eva')
  const { caseId, proposalId } = await propose(eva)
  const given = { caseId, proposalId }
  expect(await mia.refusal(declineSuspensionOperation, given)).toMatchObject({ type: 'case_not_claimed' })
  for (const who of [ana, eva]) expect((await who.ask(declineSuspensionOperation, given)).status).toBe(404)
  await mia.call(claimCaseOperation, { caseId })
  expect(await mia.call(declineSuspensionOperation, given)).toMatchObject({ status: 'open', proposal: null })
  expect(await mia.refusal(declineSuspensionOperation, given)).toMatchObject({
    type: 'suspension_not_proposed',
  })
  await query('update moderation_cases set claimed_by = null, claimed_at = null')
  const { proposal } = await claimAndDecide(mo, caseId, suspension)
  await mo.call(claimCaseOperation, { caseId })
  await mo.call(declineSuspensionOperation, { caseId, proposalId: proposal?.$id ?? '' })
  expect((await mia.call(getCaseOperation, { caseId })).log.map(({ act }) => act)).toContain(
    'suspend.decline',
  )
  expect(await signsIn(eva)).toBe(true)
})

test('ADM-09 if two operators confirm and decline a proposal concurrently, only one succeeds', {
  timeout: raceTimeoutMs,
}, async () => {
  let [eva, proposalId] = [ana, '']
  await runRaceRounds(
    w.database,
    async () => {
      eva = await moderator('Eva')
      ;({ proposalId } = await propose(eva))
      return [
        () => olga.ask(confirmSuspensionProposalOperation, { proposalId }),
        () => nora.ask(declineSuspensionProposalOperation, { proposalId }),
      ]
    },
    async (answers) => {
      expect(countResponsesByStatus(answers)).toEqual({ 204: 1, 409: 1 })
      expect(await signsIn(eva)).toBe(answers[0]?.status !== 204)
    },
  )
})
