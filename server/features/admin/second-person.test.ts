import { afterAll, beforeAll, expect, test } from 'vitest'
import { signInOperation } from '#contract/account/sign-up-and-sign-in.ts'
import {
  createRecoveryLinkOperation,
  endSuspensionOperation,
  getAdminMemberOperation,
  setModeratorOperation,
  suspendMemberOperation,
} from '#contract/admin/members.ts'
import { listOperatorActsOperation, listPublicOperatorActsOperation } from '#contract/admin/operator-acts.ts'
import {
  confirmSuspensionProposalOperation,
  declineSuspensionProposalOperation,
  listSuspensionProposalsOperation,
} from '#contract/admin/suspension-proposals.ts'
import {
  claimCaseOperation,
  confirmSuspensionOperation,
  decideCaseOperation,
  listCasesOperation,
  unlockModerationOperation,
} from '#contract/moderation/cases.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import { promoteToOperator } from '#server/features/community/promote-to-operator.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createPostInGroup } from '#tests/support/group-factory.ts'
import { appointModeratorOnDuty, claimAndDecide, reportSubject } from '#tests/support/report-and-moderate.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let olga: MemberClient
let nora: MemberClient
let mo: MemberClient
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  ana = await w.join('Ana')
  ;[olga, nora, mo] = [await operator('Olga'), await operator('Nora'), await moderator('Mo')]
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

const query = async (text: string, values: unknown[] = []) => (await w.database.pool.query(text, values)).rows
async function operator(name: string): Promise<MemberClient> {
  const who = await w.join(name)
  const [{ username }] = await query('select username from users where public_id = $1', [who.id])
  await promoteToOperator(w.database.kysely, username)
  return who
}
async function moderator(name: string): Promise<MemberClient> {
  const who = await w.join(name)
  await appointModeratorOnDuty(w.database, who)
  return who
}
async function appointedBy(by: MemberClient, name: string): Promise<MemberClient> {
  const who = await w.join(name)
  await by.call(setModeratorOperation, { memberId: who.id, moderates: true })
  await who.call(unlockModerationOperation, { password: testPassword })
  return who
}
const signsIn = async ({ email }: MemberClient) =>
  (await w.visitor.ask(signInOperation, { email, password: testPassword })).status === 201
const suspension = { text: 'Amenazas', days: 7 } as const
const decision = { decision: 'suspend', ...suspension } as const
async function propose(by: MemberClient, about: MemberClient, reporter = ana) {
  const { caseId } = await reportSubject(w.database, reporter, { kind: 'member', id: about.id }, 'threat')
  const { proposal } = await claimAndDecide(by, caseId, decision)
  return { caseId, proposalId: proposal?.$id ?? '' }
}
const openCaseAbout = async (who: MemberClient, { id }: MemberClient) =>
  (await who.call(listCasesOperation, { limit: 100 })).documents.find(({ about }) => about?.$id === id)
const proposalsFor = async (who: MemberClient) =>
  (await who.call(listSuspensionProposalsOperation, {})).documents
async function letAMonthPass() {
  await query('alter table operator_acts disable trigger operator_acts_fixed')
  await query("update operator_acts set created_at = created_at - interval '31 days'")
  await query('alter table operator_acts enable trigger operator_acts_fixed')
}

test("ADM-10 after removing a moderator's role, olga needs a second person to suspend the former moderator for a month", async () => {
  const eva = await moderator('Eva')
  const memberId = eva.id
  expect(await olga.call(setModeratorOperation, { memberId, moderates: false })).toMatchObject({
    moderates: false,
    can: { suspendAlone: false },
  })
  expect(await olga.call(suspendMemberOperation, { memberId, ...suspension })).toMatchObject({
    state: 'open',
    proposed: true,
  })
  expect(await signsIn(eva)).toBe(true)
  await letAMonthPass()
  expect(await olga.call(suspendMemberOperation, { memberId, ...suspension })).toMatchObject({
    state: 'suspended',
  })
})

test("ADM-10 for a month, olga and a moderator whom she appointed cannot confirm each other's proposals", async () => {
  const [pia, zoe, eva] = [await appointedBy(olga, 'Pia'), await operator('Zoe'), await moderator('Eva')]
  await olga.call(suspendMemberOperation, { memberId: zoe.id, ...suspension })
  const given = await openCaseAbout(pia, zoe)
  const [caseId, proposalId] = [given?.$id ?? '', (await proposalsFor(nora))[0]?.$id ?? '']
  expect(given?.proposal ?? null).toBeNull()
  await pia.call(claimCaseOperation, { caseId })
  expect(await pia.refusal(confirmSuspensionOperation, { caseId, proposalId })).toMatchObject({
    type: 'suspension_not_proposed',
  })
  const byPia = await propose(pia, eva)
  expect((await proposalsFor(olga)).find(({ $id }) => $id === byPia.proposalId)?.can.confirm).toBe(false)
  expect(
    await olga.refusal(confirmSuspensionProposalOperation, { proposalId: byPia.proposalId }),
  ).toMatchObject({ type: 'suspension_not_proposed' })
  expect([await signsIn(zoe), await signsIn(eva)]).toEqual([true, true])

  await letAMonthPass()
  await pia.call(confirmSuspensionOperation, { caseId, proposalId })
  await olga.call(confirmSuspensionProposalOperation, { proposalId: byPia.proposalId })
  expect([await signsIn(zoe), await signsIn(eva)]).toEqual([false, false])
})

test('ADM-10 a moderator cannot confirm the proposal of another whom the same operator appointed, unless it concerns that operator', async () => {
  const rut = await operator('Rut')
  const [pia, lia] = [await appointedBy(rut, 'Pia'), await appointedBy(rut, 'Lia')]
  const aboutEva = await propose(pia, await moderator('Eva'))
  await lia.call(claimCaseOperation, { caseId: aboutEva.caseId })
  expect(await lia.refusal(confirmSuspensionOperation, aboutEva)).toMatchObject({
    type: 'suspension_not_proposed',
  })
  const aboutRut = await propose(pia, rut)
  await lia.call(claimCaseOperation, { caseId: aboutRut.caseId })
  await lia.call(confirmSuspensionOperation, aboutRut)
  expect(await signsIn(rut)).toBe(false)
})

test('ADM-12 an operator who reported a post of eva cannot be one of the two people who suspend eva, until a month has passed and the case is decided', async () => {
  const [eva, pia, olivia] = [await moderator('Eva'), await moderator('Pia'), await operator('Olivia')]
  const postId = await createPostInGroup(w.database, eva, null)
  const other = await reportSubject(w.database, olivia, { kind: 'post', id: postId }, 'harassment')
  const { proposalId } = await propose(pia, eva)
  const isConfirmable = async () =>
    (await proposalsFor(olivia)).find(({ $id }) => $id === proposalId)?.can.confirm
  expect(await isConfirmable()).toBe(false)
  expect(await olivia.refusal(confirmSuspensionProposalOperation, { proposalId })).toMatchObject({
    type: 'suspension_not_proposed',
  })
  const reportAMonthAgo = () =>
    query(
      "update reports set created_at = created_at - interval '31 days' where case_id = (select id from moderation_cases where public_id = $1)",
      [other.caseId],
    )
  await reportAMonthAgo()
  expect(await isConfirmable()).toBe(false)
  await claimAndDecide(mo, other.caseId, { decision: 'dismiss', text: 'Nada' })
  expect(await isConfirmable()).toBe(true)
  await olivia.call(confirmSuspensionProposalOperation, { proposalId })
  expect(await signsIn(eva)).toBe(false)
})

test('ADM-12 an operator or moderator who reported a post of eva cannot propose to suspend her, and her proposal does not count after such a report', async () => {
  const [eva, pia, olivia] = [await moderator('Eva'), await moderator('Pia'), await operator('Olivia')]
  const report = async (who: MemberClient) =>
    reportSubject(w.database, who, { kind: 'post', id: await createPostInGroup(w.database, eva, null) })
  await olivia.call(suspendMemberOperation, { memberId: eva.id, ...suspension })
  const [proposed] = (await proposalsFor(nora)).filter(({ about }) => about.$id === eva.id)
  expect(proposed?.can.confirm).toBe(true)
  await report(olivia)
  expect((await proposalsFor(nora)).find(({ $id }) => $id === proposed?.$id)?.can.confirm).toBe(false)
  await nora.call(declineSuspensionProposalOperation, { proposalId: proposed?.$id ?? '' })
  expect((await olivia.call(getAdminMemberOperation, { memberId: eva.id })).can.suspend).toBe(false)
  expect(await olivia.refusal(suspendMemberOperation, { memberId: eva.id, ...suspension })).toMatchObject({
    type: 'admin_case_interest',
  })
  await report(pia)
  const { caseId } = await reportSubject(w.database, ana, { kind: 'member', id: eva.id }, 'threat')
  await pia.call(claimCaseOperation, { caseId })
  expect(await pia.refusal(decideCaseOperation, { caseId, ...decision })).toMatchObject({
    type: 'admin_case_interest',
  })
  await pia.call(decideCaseOperation, { caseId, decision: 'dismiss', text: 'Nada' })
})

test('ADM-10 only the command creates recovery links for moderators and operators; a link before an appointment also counts', async () => {
  const [uma, eva, pia, zoe] = [
    await operator('Uma'),
    await moderator('Eva'),
    await w.join('Pia'),
    await operator('Zoe'),
  ]
  for (const { id: memberId } of [uma, eva, olga]) {
    expect((await olga.call(getAdminMemberOperation, { memberId })).can.recover).toBe(false)
    expect(await olga.refusal(createRecoveryLinkOperation, { memberId })).toMatchObject({
      code: 403,
      type: 'admin_command_required',
    })
  }
  await olga.call(createRecoveryLinkOperation, { memberId: pia.id })
  await appointModeratorOnDuty(w.database, pia)
  await olga.call(suspendMemberOperation, { memberId: zoe.id, ...suspension })
  expect((await openCaseAbout(pia, zoe))?.proposal).toBeNull()
  expect((await openCaseAbout(mo, zoe))?.proposal).toMatchObject({ can: { confirm: true } })
})

test('ADM-11 zoe cannot see anywhere that someone has proposed to suspend her', async () => {
  const [zoe, luz] = [await operator('Zoe'), await operator('Luz')]
  const memberId = zoe.id
  await olga.call(suspendMemberOperation, { memberId, ...suspension })
  expect((await luz.call(getAdminMemberOperation, { memberId })).proposed).toBe(true)
  expect((await zoe.call(getAdminMemberOperation, { memberId })).proposed).toBe(false)
  const { proposalId } = await propose(mo, luz)
  await olga.call(declineSuspensionProposalOperation, { proposalId })
  const actsOf = async (who: MemberClient, { id }: MemberClient) =>
    (await who.call(listOperatorActsOperation, { limit: 100 })).documents
      .filter(({ about }) => about?.$id === id)
      .map(({ act }) => act)
  expect(await actsOf(luz, zoe)).toEqual(['suspension.propose', 'operator.add'])
  expect(await actsOf(zoe, zoe)).toEqual(['operator.add'])
  expect(await actsOf(luz, luz)).toEqual(['operator.add'])
  expect(await actsOf(zoe, luz)).toEqual(['suspension.decline', 'operator.add'])
  const { documents } = await zoe.call(listPublicOperatorActsOperation, { limit: 100 })
  for (const { act } of documents) expect(['suspension.propose', 'suspension.decline']).not.toContain(act)
})

test("ADM-11 a proposal about zoe stays valid if zoe removes the proposer's role", async () => {
  const [zoe, mia] = [await operator('Zoe'), await moderator('Mia')]
  const { proposalId } = await propose(mia, zoe)
  await zoe.call(setModeratorOperation, { memberId: mia.id, moderates: false })
  await olga.call(confirmSuspensionProposalOperation, { proposalId })
  expect(await signsIn(zoe)).toBe(false)

  const [luz, lia] = [await operator('Luz'), await moderator('Lia')]
  const other = await propose(lia, luz)
  await nora.call(setModeratorOperation, { memberId: lia.id, moderates: false })
  expect(
    await olga.refusal(confirmSuspensionProposalOperation, { proposalId: other.proposalId }),
  ).toMatchObject({ type: 'suspension_not_proposed' })
  expect(await signsIn(luz)).toBe(true)
})

test('ADM-12 an operator who reported or blocked eva can neither see nor answer a proposal about her', async () => {
  const [rut, zoe] = [await operator('Rut'), await operator('Zoe')]
  const eva = await moderator('Eva')
  await zoe.call(blockMemberOperation, { personId: eva.id })
  const { proposalId } = await propose(mo, eva, rut)
  for (const who of [rut, zoe]) {
    expect((await proposalsFor(who)).map(({ $id }) => $id)).not.toContain(proposalId)
    expect((await who.call(getAdminMemberOperation, { memberId: eva.id })).proposed).toBe(false)
    for (const operation of [confirmSuspensionProposalOperation, declineSuspensionProposalOperation])
      expect(await who.refusal(operation, { proposalId })).toMatchObject({ type: 'suspension_not_proposed' })
  }
  expect(await signsIn(eva)).toBe(true)
  await olga.call(confirmSuspensionProposalOperation, { proposalId })
})

test('ADM-12 an operator cannot suspend a member whom she reported or blocked', async () => {
  const eva = await w.join('Eva')
  const memberId = eva.id
  const { caseId } = await reportSubject(w.database, olga, { kind: 'member', id: eva.id }, 'threat')
  await nora.call(blockMemberOperation, { personId: eva.id })
  for (const who of [olga, nora])
    expect(await who.refusal(suspendMemberOperation, { memberId, ...suspension })).toMatchObject({
      code: 403,
      type: 'admin_case_interest',
    })
  expect(await signsIn(eva)).toBe(true)
  await claimAndDecide(mo, caseId, decision)
  expect(await signsIn(eva)).toBe(false)
})

test('ADM-13 in the app, no operator can end a suspension by herself if two people decided it', async () => {
  const eva = await moderator('Eva')
  const memberId = eva.id
  const { proposalId } = await propose(mo, eva)
  await olga.call(confirmSuspensionProposalOperation, { proposalId })
  expect((await nora.call(getAdminMemberOperation, { memberId })).can.reopen).toBe(false)
  expect(await nora.refusal(endSuspensionOperation, { memberId })).toMatchObject({
    code: 403,
    type: 'admin_command_required',
  })
  expect(await signsIn(eva)).toBe(false)
})
