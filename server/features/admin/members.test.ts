import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resetPasswordOperation } from '#contract/account/email-links.ts'
import { signInOperation } from '#contract/account/sign-up-and-sign-in.ts'
import {
  createRecoveryLinkOperation,
  endSuspensionOperation,
  getAdminMemberOperation,
  listAdminMembersOperation,
  setModeratorOperation,
  signMemberOutOperation,
  suspendMemberOperation,
} from '#contract/admin/members.ts'
import { listOperatorActsOperation } from '#contract/admin/operator-acts.ts'
import { decideAppealOperation, getCaseOperation, listCasesOperation } from '#contract/moderation/cases.ts'
import { appealSuspensionOperation } from '#contract/moderation/moderation-notices-and-appeals.ts'
import { listMyReportsOperation } from '#contract/moderation/reports.ts'
import { readConfig } from '#server/config.ts'
import { createDevOutbox } from '#server/email/dev-outbox.ts'
import { createEmailSender } from '#server/email/email-sender.ts'
import { collectionEffects } from '#server/features/collection-effects.ts'
import { promoteToOperator } from '#server/features/community/promote-to-operator.ts'
import { createServerLogger } from '#server/log.ts'
import { createTransactionalStore, type TransactionalStore } from '#server/store/store.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createGroupWithMembers, createPostInGroup } from '#tests/support/group-factory.ts'
import { appointModeratorOnDuty, claimAndDecide, reportSubject } from '#tests/support/report-and-moderate.ts'
import { countResponsesByStatus, raceTimeoutMs, runRaceRounds } from '#tests/support/run-race-rounds.ts'
import { fetchSentMessagesTo } from '#tests/support/sent-messages.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'
import { liftEndedSuspensions } from '../../auth/suspended-and-closed-accounts.ts'
import { restoreModerator } from '../moderation/moderators.ts'
import { deleteAccountOf, listAccounts, reopenAccountOf, suspendAccount } from './account-commands.ts'

let w: TestWorld
let store: TransactionalStore
let olga: MemberClient
let mo: MemberClient
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  store = createTransactionalStore(w.database, collectionEffects, () => {})
  olga = await operator('Olga')
  mo = await w.join('Mo')
  await appointModeratorOnDuty(w.database, mo)
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

const query = async (text: string, values: unknown[] = []) => (await w.database.pool.query(text, values)).rows
const usernameOf = async ({ id }: MemberClient) =>
  (await query('select username from users where public_id = $1', [id]))[0].username as string
async function operator(name: string): Promise<MemberClient> {
  const who = await w.join(name)
  await promoteToOperator(w.database.kysely, await usernameOf(who))
  return who
}
const adminOf = async (groupId: string) =>
  (
    await query('select u.public_id from groups g join users u on u.id = g.admin_id where g.public_id = $1', [
      groupId,
    ])
  )[0]?.public_id
const signIn = ({ email }: MemberClient, password = testPassword) =>
  w.visitor.ask(signInOperation, { email, password })
const forgetReauthentications = () => query("update sessions set proved_at = proved_at - interval '1 hour'")
const newestAct = async () => (await olga.call(listOperatorActsOperation, { limit: 1 })).documents[0]
const suspension = { text: 'Amenazas', days: 7 } as const

test('ADM-02 only an operator reads or changes members', async () => {
  const ana = await w.join('Ana')
  const memberId = ana.id
  const asks = (who: Pick<MemberClient, 'ask'>) => [
    who.ask(listAdminMembersOperation, {}),
    who.ask(getAdminMemberOperation, { memberId }),
    who.ask(setModeratorOperation, { memberId, moderates: true }),
    who.ask(suspendMemberOperation, { memberId, ...suspension }),
    who.ask(endSuspensionOperation, { memberId }),
    who.ask(createRecoveryLinkOperation, { memberId }),
    who.ask(signMemberOutOperation, { memberId }),
  ]
  for (const who of [ana, mo])
    for (const answer of await Promise.all(asks(who))) expect(answer.status).toBe(404)
  for (const answer of await Promise.all(asks(w.visitor))) expect(answer.status).toBe(401)
  for (const collection of ['operator_acts', 'operatorActs', 'admin', 'moderators'])
    expect((await olga.request('GET', `/v1/databases/main/collections/${collection}/documents`)).status).toBe(
      404,
    )
  expect((await signIn(ana)).status).toBe(201)
})

test('ADM-03 olga finds members by part of a name, by username or by full email address', async () => {
  const zoe = await w.join('Zoe Ángeles')
  const namesOf = async (term: string) =>
    (await olga.call(listAdminMembersOperation, { term })).documents.map(({ name }) => name)
  expect(await namesOf('angel')).toEqual(['Zoe Ángeles'])
  expect(await namesOf(zoe.email.toUpperCase())).toEqual(['Zoe Ángeles'])
  expect(await namesOf(zoe.email.slice(0, -1))).toEqual([])
  expect(await namesOf('%')).toEqual([])
})

test('ADM-03 the list filters by role and state, and pages through members who joined at the same moment', async () => {
  const [rita, sara] = [await w.join('Rita'), await w.join('Sara')]
  await suspendAccount(store, await usernameOf(rita), '7', 'Amenazas')
  const emails = await createEmailSender(readConfig({}), createServerLogger('silent'), createDevOutbox())
  const context = { store, emails, publicUrl: 'http://localhost:3000', graceDays: 14 }
  await deleteAccountOf(context, await usernameOf(sara))
  const idsOf = async (filter: 'suspended' | 'closing' | 'moderators' | 'operators') =>
    (await olga.call(listAdminMembersOperation, { filter })).documents.map(({ $id }) => $id)
  expect(await idsOf('suspended')).toEqual([rita.id])
  expect(await idsOf('closing')).toEqual([sara.id])
  expect(await idsOf('moderators')).toEqual([mo.id])
  expect(await idsOf('operators')).toEqual([olga.id])

  await query("update users set created_at = '2026-11-29T10:00:00Z'")
  const all = (await query('select public_id from users order by created_at desc, id desc')).map(
    ({ public_id }) => public_id,
  )
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await olga.call(listAdminMembersOperation, { limit: 2, ...(cursor ? { cursor } : {}) })
    seen.push(...page.documents.map(({ $id }) => $id))
    cursor = page.next ?? undefined
  } while (cursor)
  expect(seen).toEqual(all)
  expect(await olga.refusal(listAdminMembersOperation, { cursor: 'nobody' })).toMatchObject({
    code: 400,
    field: 'cursor',
  })
  expect((await olga.request('GET', '/v1/admin/members?filter=everything')).body).toMatchObject({
    code: 400,
    field: 'filter',
  })
})

test("ADM-04 olga sees ana's state, roles and storage sizes, but no address, content or relationships", async () => {
  const ana = await w.join('Ana')
  await createPostInGroup(w.database, ana, null)
  await query("update users set bio = 'Bio secreta' where public_id = $1", [ana.id])
  await query(
    "update posts set caption = 'Foto secreta' where creator_id = (select id from users where public_id = $1)",
    [ana.id],
  )
  const shown = await olga.call(getAdminMemberOperation, { memberId: ana.id })
  expect(shown).toMatchObject({
    name: 'Ana',
    email: `${ana.email[0]}…@${ana.email.split('@')[1]}`,
    state: 'open',
    moderates: false,
    suspension: null,
    signInMethods: { password: true, passkeys: 0, twoSteps: false, phone: false, providers: [] },
    can: { suspendAlone: true, reopen: false, recover: true },
  })
  const lists = await Promise.all([
    olga.request('GET', '/v1/admin/members?limit=100'),
    olga.request('GET', `/v1/admin/members/${ana.id}`),
    olga.request('GET', '/v1/admin/acts?limit=100'),
    olga.request('GET', '/v1/community/acts?limit=100'),
  ])
  const text = JSON.stringify(lists.map(({ body }) => body))
  for (const secret of ['secreta', ana.email, mo.email]) expect(text).not.toContain(secret)
})

test('ADM-05 every action on a member requires re-authentication', async () => {
  const ana = await w.join('Ana')
  const memberId = ana.id
  await forgetReauthentications()
  for (const answer of [
    await olga.ask(setModeratorOperation, { memberId, moderates: true }),
    await olga.ask(suspendMemberOperation, { memberId, ...suspension }),
    await olga.ask(endSuspensionOperation, { memberId }),
    await olga.ask(createRecoveryLinkOperation, { memberId }),
    await olga.ask(signMemberOutOperation, { memberId }),
  ])
    expect(answer).toMatchObject({ status: 401, body: { type: 'user_challenge_required' } })
  expect((await signIn(ana)).status).toBe(201)
  await query('update sessions set proved_at = clock_timestamp()')
})

test('ADM-05 olga appoints ana as a moderator and removes her, and the log records each act once', async () => {
  const ana = await w.join('Ana')
  const given = { memberId: ana.id, moderates: true }
  for (let times = 0; times < 2; times += 1)
    expect(await olga.call(setModeratorOperation, given)).toMatchObject({ moderates: true })
  expect(await newestAct()).toMatchObject({
    act: 'moderator.add',
    by: { name: 'Olga' },
    about: { $id: ana.id },
  })
  expect(await olga.call(setModeratorOperation, { ...given, moderates: false })).toMatchObject({
    moderates: false,
  })
  expect(await newestAct()).toMatchObject({ act: 'moderator.remove' })
  expect(
    (await olga.call(listOperatorActsOperation, {})).documents.filter(({ about }) => about?.$id === ana.id),
  ).toHaveLength(2)
})

test('ADM-05 olga creates a link with which ana chooses a password once', async () => {
  const ana = await w.join('Ana')
  const { link } = await olga.call(createRecoveryLinkOperation, { memberId: ana.id })
  const { pathname, searchParams } = new URL(link)
  expect(pathname).toBe('/recovery/new')
  const chosen = { ...Object.fromEntries(searchParams), password: 'una nueva y larga' } as {
    userId: string
    secret: string
    password: string
  }
  expect((await w.visitor.ask(resetPasswordOperation, chosen)).status).toBe(200)
  expect((await w.visitor.ask(resetPasswordOperation, chosen)).status).toBe(401)
  expect((await fetchSentMessagesTo(w, ana.email)).map(({ kind }) => kind)).toContain('operator-recovery')
  expect(await newestAct()).toMatchObject({ act: 'member.recover', about: { $id: ana.id } })
  expect(JSON.stringify(await newestAct())).not.toContain(chosen.secret)
})

test('ADM-05 olga signs ana out everywhere', async () => {
  const ana = await w.join('Ana')
  await olga.call(signMemberOutOperation, { memberId: ana.id })
  expect((await ana.request('GET', '/v1/me')).status).toBe(401)
  expect(await newestAct()).toMatchObject({ act: 'member.sign-out' })
})

test('ADM-05 olga suspends ana with a reason, mo reviews the suspension, and olga can end another one', async () => {
  const ana = await w.join('Ana')
  const memberId = ana.id
  expect(await olga.call(suspendMemberOperation, { memberId, ...suspension })).toMatchObject({
    state: 'suspended',
    suspension: { reason: 'Amenazas' },
    can: { reopen: true, suspend: false },
  })
  expect((await signIn(ana)).body).toMatchObject({
    type: 'user_blocked',
    message: expect.stringContaining('Amenazas'),
  })
  expect(await olga.refusal(suspendMemberOperation, { memberId, ...suspension })).toMatchObject({
    type: 'admin_account_suspended',
  })
  await w.visitor.call(appealSuspensionOperation, {
    email: ana.email,
    password: testPassword,
    text: 'No fui yo',
  })
  const { documents } = await mo.call(listCasesOperation, { tab: 'reviews' })
  const caseId = documents.find(({ about }) => about?.$id === ana.id)?.$id ?? ''
  expect((await mo.call(getCaseOperation, { caseId })).review?.can.decide).toBe(true)
  await mo.call(decideAppealOperation, { caseId, outcome: 'overturned', text: 'Tiene razón' })
  expect((await signIn(ana)).status).toBe(201)
  expect((await olga.call(listMyReportsOperation, {})).documents).toEqual([])

  await olga.call(suspendMemberOperation, { memberId, text: 'Otra vez', days: null })
  expect(await olga.call(endSuspensionOperation, { memberId })).toMatchObject({
    state: 'open',
    suspension: null,
  })
  expect(await newestAct()).toMatchObject({ act: 'member.reopen' })
  expect((await signIn(ana)).status).toBe(201)
  expect(await olga.refusal(endSuspensionOperation, { memberId })).toMatchObject({
    type: 'admin_account_not_suspended',
  })
})

test.each([
  [{ text: ' ', days: 7 }, 'text'],
  [{ text: 'x'.repeat(501), days: 7 }, 'text'],
  [{ text: 'Amenazas', days: 2 }, 'days'],
  [{ text: 'Amenazas' }, 'days'],
])('ADM-05 a suspension of %j is refused, naming the field', async (wrong, field) => {
  const answer = await olga.request('POST', `/v1/admin/members/${mo.id}/suspension`, wrong)
  expect(answer.body).toMatchObject({ code: 400, field })
})

test('ADM-05 olga cannot suspend herself, and cannot suspend the moderator mo by herself', async () => {
  expect(await olga.refusal(suspendMemberOperation, { memberId: olga.id, ...suspension })).toMatchObject({
    type: 'admin_own_account',
  })
  const eva = await operator('Eva')
  expect(await olga.call(suspendMemberOperation, { memberId: eva.id, ...suspension })).toMatchObject({
    state: 'open',
    proposed: true,
    can: { suspend: false },
  })
  expect(await newestAct()).toMatchObject({ act: 'suspension.propose', about: { $id: eva.id } })
  expect((await signIn(eva)).status).toBe(201)
})

test('ADM-05 only one of two operators who suspend ana concurrently succeeds, and the log has one entry', {
  timeout: raceTimeoutMs,
}, async () => {
  const nora = await operator('Nora')
  let ana: MemberClient
  await runRaceRounds(
    w.database,
    async () => {
      ana = await w.join('Ana')
      return [olga, nora].map(
        (who) => () => who.ask(suspendMemberOperation, { memberId: ana.id, ...suspension }),
      )
    },
    async (answers) => {
      expect(countResponsesByStatus(answers)).toEqual({ 200: 1, 409: 1 })
      const acts = await query(
        "select act from operator_acts where act = 'member.suspend' and about_id = (select id from users where public_id = $1)",
        [ana.id],
      )
      expect(acts).toHaveLength(1)
    },
  )
})

test.each<[string, (ana: MemberClient) => Promise<unknown>]>([
  [
    'ends on its date',
    async (ana) => {
      await query(
        `update suspensions s set created_at = s.created_at - interval '8 days', ends_at = clock_timestamp() - interval '1 second'
         from accounts a where a.id = s.account_id and a.public_id = $1 and s.lifted_at is null`,
        [ana.accountId],
      )
      await liftEndedSuspensions(w.database.kysely, sql`true`)
    },
  ],
  ['is ended by olga', (ana) => olga.call(endSuspensionOperation, { memberId: ana.id })],
  [
    'would reopen the account and is ended by a command',
    async (ana) => {
      await query(
        'update suspensions s set reopens = true from accounts a where a.id = s.account_id and a.public_id = $1',
        [ana.accountId],
      )
      await reopenAccountOf(store, await usernameOf(ana))
    },
  ],
])('ADM-08 DEL-04 an account that waits for deletion stays closed when its suspension %s', async (_, end) => {
  const ana = await w.join('Ana')
  const username = await usernameOf(ana)
  await suspendAccount(store, username, '7', 'Amenazas')
  const emails = await createEmailSender(readConfig({}), createServerLogger('silent'), createDevOutbox())
  await deleteAccountOf({ store, emails, publicUrl: 'http://localhost:3000', graceDays: 14 }, username)
  await end(ana)
  const account = await query(
    'select a.status, d.state from accounts a join deletions d on d.account_id = a.id where a.public_id = $1',
    [ana.accountId],
  )
  expect(account).toEqual([{ status: 'blocked', state: 'waiting' }])
})

test('ADM-05 GRP-30 ana gets her group back at the end of a suspension that a second case extended', async () => {
  const [ana, bea] = [await w.join('Ana'), await w.join('Bea')]
  const group = await createGroupWithMembers(ana, bea)
  const postId = await createPostInGroup(w.database, ana, null)
  const first = await reportSubject(w.database, bea, { kind: 'member', id: ana.id }, 'threat')
  const second = await reportSubject(w.database, bea, { kind: 'post', id: postId }, 'threat')
  await claimAndDecide(mo, first.caseId, { decision: 'suspend', text: 'Amenazas', days: 3 })
  expect(await adminOf(group)).toBe(bea.id)
  await claimAndDecide(mo, second.caseId, { decision: 'suspend', text: 'Amenazas', days: null })
  await olga.call(endSuspensionOperation, { memberId: ana.id })
  expect(await adminOf(group)).toBe(ana.id)
})

test('MOD-21 GRP-30 eva gets her group back when the command restores her', async () => {
  const [eva, bea] = [await w.join('Eva'), await w.join('Bea')]
  await appointModeratorOnDuty(w.database, eva)
  const group = await createGroupWithMembers(eva, bea)
  await suspendAccount(store, await usernameOf(eva), '7', 'Amenazas')
  expect(await adminOf(group)).toBe(bea.id)
  await restoreModerator(store, await usernameOf(eva), 'operator')
  expect(await adminOf(group)).toBe(eva.id)
})

test('ADM-08 the commands suspend, reopen and delete accounts, and list them without addresses', async () => {
  const ana = await w.join('Ana')
  const username = await usernameOf(ana)
  await suspendAccount(store, `@${username}`, 'forever', ' Amenazas ')
  expect((await signIn(ana)).body).toMatchObject({ type: 'user_blocked' })
  expect(await newestAct()).toMatchObject({
    act: 'member.suspend',
    by: null,
    systemUser: expect.any(String),
    detail: { text: 'Amenazas', days: null },
  })
  const lines = await listAccounts(w.database.kysely)
  expect(lines.find((line) => line.startsWith(`@${username} `))).toMatch(/ {2}suspended$/)
  expect(lines.join('\n')).not.toContain('@juntas.test')
  await reopenAccountOf(store, username)
  const outbox = createDevOutbox()
  const emails = await createEmailSender(readConfig({}), createServerLogger('silent'), outbox)
  const context = { store, emails, publicUrl: 'http://localhost:3000', graceDays: 14 }
  await deleteAccountOf(context, username)
  expect((await ana.request('GET', '/v1/me')).status).toBe(401)
  expect(outbox.entries()).toMatchObject([{ to: ana.email, kind: 'deletion-asked' }])
  expect(await newestAct()).toMatchObject({ act: 'member.delete' })
  await expect(deleteAccountOf(context, username)).rejects.toThrow('is already waiting for deletion')
  await expect(reopenAccountOf(store, username)).rejects.toThrow('is not suspended')
  await expect(suspendAccount(store, 'nadie', '7', 'x')).rejects.toThrow('Nobody is called nadie.')
  await expect(suspendAccount(store, username, '2', 'x')).rejects.toThrow('Give the days')
  await expect(suspendAccount(store, username, '7', ' ')).rejects.toThrow('Give a reason')
})
