import { createHash } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  beginAuthenticatorOperation,
  reauthenticateOperation,
  requestEmailConfirmationOperation,
  turnOnTwoFactorOperation,
} from '#contract/account/account-settings.ts'
import { confirmEmailOperation } from '#contract/account/email-links.ts'
import { signInOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { getFileContentOperation } from '#contract/files/files.ts'
import { apiOperations } from '#contract/index.ts'
import {
  claimCaseOperation,
  decideCaseOperation,
  getCaseOperation,
  getEvidencePictureOperation,
  listCasesOperation,
  releaseCaseOperation,
  unlockModerationOperation,
} from '#contract/moderation/cases.ts'
import { createReportOperation, listMyReportsOperation } from '#contract/moderation/reports.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import { getPersonOperation } from '#contract/people/people.ts'
import { createPostOperation, deletePostOperation, getPostOperation } from '#contract/posts/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createGroupWithMembers, createPostInGroup } from '#tests/support/group-factory.ts'
import { describeRecordedChanges } from '#tests/support/recorded-changes.ts'
import { countResponsesByStatus, raceTimeoutMs, runRaceRounds } from '#tests/support/run-race-rounds.ts'
import { fetchSentLinkSecret } from '#tests/support/sent-messages.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'
import { openDiskBlobStore } from '../../blobs/disk-blob-store.ts'
import { createImageProcessor } from '../../images/image-processor.ts'
import { createServerLogger } from '../../log.ts'
import { purgeExpiredRows } from '../../ops/retention.ts'
import { createTransactionalStore } from '../../store/store.ts'
import { collectionEffects } from '../collection-effects.ts'
import { promoteToOperator } from '../community/promote-to-operator.ts'
import { addModerator, listModerators, removeModerator, restoreModerator } from './moderators.ts'

let w: TestWorld
let ana: MemberClient
let iria: MemberClient
let mo: MemberClient
let mia: MemberClient
const images = createImageProcessor()

beforeAll(async () => {
  w = await createTestWorld()
  ;[ana, iria, mo, mia] = [await w.join('Ana'), await w.join('Iria'), await w.join('Mo'), await w.join('Mia')]
  for (const who of [mo, mia]) await employ(who)
})
afterAll(async () => {
  images.close()
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

const query = async (text: string, values: unknown[] = []) => (await w.database.pool.query(text, values)).rows
const usernameOf = async (who: MemberClient) =>
  (await query('select username from users where public_id = $1', [who.id]))[0].username as string
const enter = (who: MemberClient) => who.call(unlockModerationOperation, { password: testPassword })
async function employ(who: MemberClient) {
  await addModerator(w.database.kysely, `@${await usernameOf(who)}`, 'operator')
  await enter(who)
}
const sweep = async () =>
  purgeExpiredRows({
    database: w.database,
    blobs: await openDiskBlobStore(`${w.dataDir}/files`),
    images,
    log: createServerLogger('silent'),
  })

async function reportOf(
  who: MemberClient,
  subject: { kind: 'post' | 'member' | 'group' | 'message'; id: string },
  reason = 'harassment',
) {
  const { $id } = await who.call(createReportOperation, { subject, reason: reason as 'harassment' })
  const [{ id }] = await query(
    'select c.public_id as id from moderation_cases c join reports r on r.case_id = c.id where r.public_id = $1',
    [$id],
  )
  return { reportId: $id, caseId: id as string }
}
const aPost = (author: MemberClient) => createPostInGroup(w.database, author, null)
const reportedPost = async () => reportOf(ana, { kind: 'post', id: await aPost(iria) })
const statusOf = async (who: MemberClient, caseId: string) =>
  (await who.ask(getCaseOperation, { caseId })).status
const openIds = async (who: MemberClient) =>
  (await who.call(listCasesOperation, { limit: 100 })).documents.map(({ $id }) => $id)
const logOf = async (caseId: string) =>
  (
    await query(
      'select l.act from moderation_log l join moderation_cases c on c.id = l.case_id where c.public_id = $1 order by l.id',
      [caseId],
    )
  ).map(({ act }) => act)

describe('access to moderation', () => {
  test('MOD-22 an account that passes to a new verified owner is neither moderator nor operator', async () => {
    const [eva, olga] = [await w.join('Eva'), await w.join('Olga')]
    for (const who of [eva, olga]) {
      await addModerator(w.database.kysely, await usernameOf(who), 'olivia')
      await promoteToOperator(w.database.kysely, await usernameOf(who))
    }
    const rolesOf = async ({ id }: MemberClient) =>
      query(
        `select a.labels, exists (select from moderators m where m.member_id = u.id) as moderates
         from users u join accounts a on a.id = u.account_id where u.public_id = $1`,
        [id],
      )
    const confirm = async (by: Pick<MemberClient, 'call'>, who: MemberClient) => {
      await who.call(requestEmailConfirmationOperation, {})
      const { userId, secret } = await fetchSentLinkSecret(w, who.email)
      await by.call(confirmEmailOperation, { userId, secret })
    }
    await confirm(eva, eva)
    expect(await rolesOf(eva)).toEqual([{ labels: ['operator'], moderates: true }])
    await confirm(w.visitor, olga)
    expect(await rolesOf(olga)).toEqual([{ labels: [], moderates: false }])
  })

  test('MOD-21 a moderator suspended by another moderator is restored by a command on the server', async () => {
    const [eva, olga] = [await w.join('Eva'), await w.join('Olga')]
    const username = await usernameOf(eva)
    const suspend = (who: MemberClient) =>
      query(
        `with closed as (update accounts set status = 'blocked' where public_id = '${who.accountId}' returning id)
         , ended as (delete from sessions where account_id in (select id from closed))
         insert into suspensions (account_id, reason, reopens) select id, 'porque sí', true from closed`,
      )
    const store = createTransactionalStore(w.database, collectionEffects, () => {})
    await addModerator(w.database.kysely, username, 'olivia')
    await expect(restoreModerator(store, username, 'olivia')).rejects.toThrow('not suspended')
    for (const who of [eva, olga]) await suspend(who)
    await expect(restoreModerator(store, await usernameOf(olga), 'olivia')).rejects.toThrow(
      'No moderator or operator',
    )
    await restoreModerator(store, eva.email.toUpperCase(), 'olivia')
    const signIn = (who: MemberClient) =>
      w.visitor.request('POST', '/v1/sessions', { email: who.email, password: testPassword })
    expect([(await signIn(eva)).status, (await signIn(olga)).status]).toEqual([201, 401])
    expect(await query(`select act from moderation_log where act = 'moderator.restore'`)).toHaveLength(1)
  })

  test('MOD-01 a moderator can be appointed only on the server', async () => {
    const eva = await w.join('Eva')
    const username = await usernameOf(eva)
    await addModerator(w.database.kysely, username, 'carmen')
    await addModerator(w.database.kysely, username, 'carmen')
    expect((await listModerators(w.database.kysely)).map((who) => who.username)).toContain(username)
    await enter(eva)
    expect((await eva.ask(listCasesOperation, {})).status).toBe(200)
    const { caseId } = await reportedPost()
    await eva.call(claimCaseOperation, { caseId })
    await removeModerator(w.database.kysely, username, 'carmen')
    expect((await eva.ask(listCasesOperation, {})).status).toBe(404)
    expect((await eva.ask(unlockModerationOperation, { password: testPassword })).status).toBe(404)
    expect((await mo.call(getCaseOperation, { caseId })).claimed).toBe(null)
    await expect(addModerator(w.database.kysely, 'nadie-asi', 'carmen')).rejects.toThrow('Nobody')
    expect(
      await query(
        `select act, detail ->> 'operator' as operator from moderation_log where detail ->> 'operator' = 'carmen' order by id`,
      ),
    ).toEqual([
      { act: 'moderator.add', operator: 'carmen' },
      { act: 'moderator.add', operator: 'carmen' },
      { act: 'moderator.remove', operator: 'carmen' },
    ])
    const named = apiOperations.filter(({ name }) => /moderator/i.test(name)).map(({ name }) => name)
    expect(named).toEqual(['setModerator'])
  })

  test('MOD-02 members who are not moderators get 404, and visitors 401', async () => {
    const { caseId } = await reportedPost()
    for (const who of [ana, iria]) {
      expect((await who.ask(listCasesOperation, {})).status).toBe(404)
      expect((await who.ask(unlockModerationOperation, { password: testPassword })).status).toBe(404)
      for (const operation of [getCaseOperation, claimCaseOperation, releaseCaseOperation])
        expect((await who.ask(operation, { caseId })).status).toBe(404)
      expect((await who.ask(decideCaseOperation, { caseId, decision: 'dismiss', text: 'no' })).status).toBe(
        404,
      )
      expect((await who.ask(getEvidencePictureOperation, { caseId, place: '1-0' })).status).toBe(404)
    }
    expect((await w.visitor.ask(listCasesOperation, {})).status).toBe(401)
  })

  test('MOD-03 a moderator confirms her password, which unlocks moderation for thirty minutes in that session', async () => {
    const eva = await w.join('Eva')
    await addModerator(w.database.kysely, await usernameOf(eva), 'operator')
    const closed = { code: 403, message: 'Escribe tu contraseña para entrar en moderación' }
    expect(await eva.refusal(listCasesOperation, {})).toMatchObject(closed)
    expect(await eva.refusal(unlockModerationOperation, { password: 'otra cosa del todo' })).toMatchObject({
      code: 401,
    })
    expect(await eva.refusal(listCasesOperation, {})).toMatchObject(closed)
    const before = Date.now()
    const { until } = await enter(eva)
    const [least, most] = [before, Date.now()].map((at) => at + 30 * 60_000)
    expect(Date.parse(until)).toBeGreaterThanOrEqual((least ?? 0) - 1000)
    expect(Date.parse(until)).toBeLessThanOrEqual((most ?? 0) + 1000)
    expect((await eva.ask(listCasesOperation, {})).status).toBe(200)
    await query(
      `update sessions set moderating_until = moderating_until - interval '31 minutes'
       where account_id = (select id from accounts where public_id = $1)`,
      [eva.accountId],
    )
    const { caseId } = await reportedPost()
    for (const operation of [listCasesOperation, getCaseOperation, claimCaseOperation])
      expect(await eva.refusal(operation, { caseId })).toMatchObject(closed)
  })

  test('MOD-03 with two-factor authentication, the password alone does not unlock moderation', async () => {
    const eva = await w.join('Eva')
    await addModerator(w.database.kysely, await usernameOf(eva), 'operator')
    const { secret } = await eva.call(beginAuthenticatorOperation, {})
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    await eva.call(turnOnTwoFactorOperation, { code: totp.generate() })
    await query(
      'update sessions set second_proved_at = null where account_id = (select id from accounts where public_id = $1)',
      [eva.accountId],
    )
    const needsCode = { code: 401, type: 'user_challenge_required' }
    expect(await eva.refusal(unlockModerationOperation, { password: testPassword })).toMatchObject(needsCode)
    expect((await eva.ask(listCasesOperation, {})).status).toBe(403)
    await query('update totp_secrets set last_step = 0')
    await eva.call(reauthenticateOperation, { code: totp.generate() })
    expect(await eva.refusal(unlockModerationOperation, {})).toMatchObject({ code: 401 })
    await enter(eva)
    expect((await eva.ask(listCasesOperation, {})).status).toBe(200)
  })

  test('MOD-03 a moderator without a password unlocks moderation by any recent re-authentication', async () => {
    const eva = await w.join('Eva')
    await addModerator(w.database.kysely, await usernameOf(eva), 'operator')
    await query('update accounts set password_hash = null where public_id = $1', [eva.accountId])
    const ofEva = 'where account_id = (select id from accounts where public_id = $1)'
    await query(`update sessions set proved_at = proved_at - interval '16 minutes' ${ofEva}`, [eva.accountId])
    expect(await eva.refusal(unlockModerationOperation, {})).toMatchObject({
      code: 401,
      type: 'user_challenge_required',
    })
    await query(`update sessions set proved_at = clock_timestamp() ${ofEva}`, [eva.accountId])
    await eva.call(unlockModerationOperation, {})
    expect((await eva.ask(listCasesOperation, {})).status).toBe(200)
  })

  test('MOD-09 a moderator sees no case that involves her, her group or someone she blocked; being blocked changes nothing', async () => {
    const eva = await w.join('Eva')
    await employ(eva)
    const luz = await w.join('Luz')
    const group = await createGroupWithMembers(eva, luz, ana)
    await eva.call(blockMemberOperation, { personId: (await w.join('Rosa')).id })
    const rosa = (await query('select public_id from users order by id desc limit 1'))[0].public_id
    const hidden = [
      await reportOf(ana, { kind: 'member', id: eva.id }),
      await reportOf(eva, { kind: 'post', id: await aPost(iria) }),
      await reportOf(ana, { kind: 'post', id: await createPostInGroup(w.database, luz, group) }),
      await reportOf(ana, { kind: 'member', id: rosa }),
    ]
    const shown = await reportOf(ana, { kind: 'member', id: luz.id })
    await luz.call(blockMemberOperation, { personId: eva.id })
    const ids = await openIds(eva)
    for (const { caseId } of hidden) {
      expect([ids.includes(caseId), await statusOf(eva, caseId)]).toEqual([false, 404])
      expect((await eva.ask(claimCaseOperation, { caseId })).status).toBe(404)
      expect(await statusOf(mo, caseId)).toBe(200)
    }
    expect([ids.includes(shown.caseId), await statusOf(eva, shown.caseId)]).toEqual([true, 200])
    expect((await eva.call(claimCaseOperation, { caseId: shown.caseId })).about?.$id).toBe(luz.id)
    await eva.call(releaseCaseOperation, { caseId: shown.caseId })
  })
})

describe('a case', () => {
  test('MOD-10 REP-08 a case shows the evidence with its picture, and reporters as numbers', async () => {
    const imageId = await iria.upload(await createJpeg('#aa6611'))
    const post = await iria.call(createPostOperation, {
      caption: 'Algo muy feo',
      location: 'Aquí',
      tags: [],
      imageId,
    })
    const bytes = (await ana.ask(getFileContentOperation, { fileId: imageId })).raw
    const { caseId } = await reportOf(ana, { kind: 'post', id: post.$id }, 'threat')
    await iria.call(deletePostOperation, { postId: post.$id })
    const shown = await mo.ask(getCaseOperation, { caseId })
    expect(shown.body).toMatchObject({
      ...{ $id: caseId, kind: 'post', severity: 3, reportCount: 1, status: 'open', claimed: null },
      about: { $id: iria.id, name: 'Iria' },
      reports: [
        {
          ...{ number: 1, reason: 'threat', note: '' },
          evidence: [
            {
              place: '1-0',
              kind: 'post',
              hasPicture: true,
              keptUntil: null,
              snapshot: { caption: 'Algo muy feo' },
            },
          ],
        },
      ],
    })
    const said = shown.raw.toString()
    for (const secret of [ana.id, ana.name, ana.email, iria.email, iria.accountId, imageId])
      expect(said.includes(`"${secret}"`)).toBe(false)
    const picture = await mo.ask(getEvidencePictureOperation, { caseId, place: '1-0' })
    expect(picture.headers['cache-control']).toBe('private, no-store')
    const sha256 = (raw: Buffer) => createHash('sha256').update(raw).digest('hex')
    expect(sha256(picture.raw)).toBe(sha256(bytes))
    const other = await reportedPost()
    for (const [place, id] of [
      ['1-1', caseId],
      ['2-0', caseId],
      ['21-0', other.caseId],
    ] as const)
      expect((await mo.ask(getEvidencePictureOperation, { caseId: id, place })).status).toBe(404)
    expect((await mo.ask(getFileContentOperation, { fileId: imageId })).status).toBe(404)
  })

  test('MOD-04 a moderator reads only the chosen messages of a conversation, through any call', async () => {
    const luz = await w.join('Luz')
    const { $id: conversation } = await ana.call(openConversationOperation, { personId: luz.id })
    await ana.call(sendMessageOperation, { conversationId: conversation, content: 'Esto es solo nuestro' })
    const ugly = await luz.call(sendMessageOperation, {
      conversationId: conversation,
      content: 'Te voy a encontrar',
    })
    const { caseId } = await reportOf(ana, { kind: 'message', id: ugly.$id }, 'threat')
    const { raw } = await mo.ask(getCaseOperation, { caseId })
    expect([
      raw.includes('Te voy a encontrar'),
      raw.includes('solo nuestro'),
      raw.includes(conversation),
    ]).toEqual([true, false, false])
    for (const path of [`/v1/conversations/${conversation}`, `/v1/conversations/${conversation}/messages`])
      expect((await mo.request('GET', path)).status).toBe(404)
    const group = await createGroupWithMembers(ana, luz)
    const postId = await createPostInGroup(w.database, luz, group)
    await reportOf(ana, { kind: 'post', id: postId })
    expect((await mo.ask(getPostOperation, { postId })).status).toBe(403)
  })

  test('MOD-06 the queue is sorted by severity, then age, in pages, regardless of repeated reports', async () => {
    const authors = [await w.join('Rosa'), await w.join('Rosa'), await w.join('Rosa')]
    const mild = await reportOf(ana, { kind: 'member', id: authors[0]?.id as string }, 'spam')
    const old = await reportOf(ana, { kind: 'member', id: authors[1]?.id as string }, 'threat')
    const young = await reportOf(ana, { kind: 'member', id: authors[2]?.id as string }, 'minor')
    for (const who of authors.slice(1))
      await reportOf(who, { kind: 'member', id: authors[0]?.id as string }, 'spam')
    const ours = [mild, old, young].map(({ caseId }) => caseId)
    expect((await openIds(mo)).filter((id) => ours.includes(id))).toEqual([
      old.caseId,
      young.caseId,
      mild.caseId,
    ])
    const paged: string[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await mo.call(listCasesOperation, { limit: 2, ...(cursor ? { cursor } : {}) })
      paged.push(...page.documents.map(({ $id }) => $id))
      if (page.next === null) break
      cursor = page.next
    }
    expect(paged).toEqual(await openIds(mo))
    expect((await mo.call(listCasesOperation, { limit: 100 })).next).toBeNull()
    expect(await mo.refusal(listCasesOperation, { cursor: 'nada' })).toMatchObject({
      type: 'general_cursor_not_found',
    })
  })

  test('MOD-07 MOD-08 a moderator claims a case for half an hour, and only she can decide it, once', async () => {
    const { caseId, reportId } = await reportedPost()
    const dismiss = { caseId, decision: 'dismiss', text: 'No es nada' } as const
    expect(await mo.refusal(decideCaseOperation, dismiss)).toMatchObject({
      code: 409,
      message: 'Toma el caso antes de decidir',
    })
    expect((await mo.call(claimCaseOperation, { caseId })).claimed).toBe('me')
    expect((await mia.call(getCaseOperation, { caseId })).claimed).toBe('other')
    expect(await mia.refusal(claimCaseOperation, { caseId })).toMatchObject({
      code: 409,
      message: 'Otra moderadora tiene este caso',
    })
    expect(await mia.refusal(decideCaseOperation, dismiss)).toMatchObject({ type: 'case_not_claimed' })
    expect(
      (await ana.call(listMyReportsOperation, {})).documents.find(({ $id }) => $id === reportId)?.status,
    ).toBe('claimed')
    await mo.call(releaseCaseOperation, { caseId })
    await mia.call(claimCaseOperation, { caseId })
    await query(
      `update moderation_cases set claimed_at = claimed_at - interval '31 minutes' where public_id = $1`,
      [caseId],
    )
    expect(await mia.refusal(decideCaseOperation, dismiss)).toMatchObject({ type: 'case_not_claimed' })
    await mo.call(claimCaseOperation, { caseId })
    expect((await mo.call(listCasesOperation, { tab: 'mine' })).documents.map(({ $id }) => $id)).toContain(
      caseId,
    )
    for (const text of ['', ' ', 'x'.repeat(501)])
      expect(await mo.refusal(decideCaseOperation, { ...dismiss, text })).toMatchObject({
        code: 400,
        field: 'text',
      })
    const decided = await mo.call(decideCaseOperation, dismiss)
    expect(decided).toMatchObject({ status: 'decided', decision: 'dismiss', claimed: null })
    for (const operation of [claimCaseOperation, decideCaseOperation])
      expect(await mo.refusal(operation, dismiss)).toMatchObject({
        code: 409,
        message: 'Este caso ya está decidido',
      })
    expect((await mo.call(listCasesOperation, { tab: 'decided' })).documents[0]?.$id).toBe(caseId)
    expect(await openIds(mo)).not.toContain(caseId)
    expect(await logOf(caseId)).toEqual(['claim', 'release', 'claim', 'claim', 'dismiss'])
  })

  test('MOD-07 claiming a case again does not extend the claim, so nobody can hold a case forever', async () => {
    const { caseId } = await reportedPost()
    const first = (await mo.call(claimCaseOperation, { caseId })).claimedUntil
    expect((await mo.call(claimCaseOperation, { caseId })).claimedUntil).toBe(first)
    await query(
      `update moderation_cases set claimed_at = claimed_at - interval '31 minutes' where public_id = $1`,
      [caseId],
    )
    expect((await mia.call(claimCaseOperation, { caseId })).claimed).toBe('me')
  })

  test('MOD-11 after a dismissal only the reporter learns the outcome, and evidence is kept for ninety days', async () => {
    const { caseId, reportId } = await reportedPost()
    const changes = await describeRecordedChanges(w.database, [], async () => {
      await mo.call(claimCaseOperation, { caseId })
      await mo.call(decideCaseOperation, { caseId, decision: 'dismiss', text: 'No es nada' })
    })
    expect(changes).toEqual([])
    const { reports } = await mo.call(getCaseOperation, { caseId })
    const mine = (await ana.call(listMyReportsOperation, {})).documents.find(({ $id }) => $id === reportId)
    expect([mine?.status, mine?.outcome]).toEqual(['decided', 'no-breach'])
    const days = (Date.parse(reports[0]?.evidence[0]?.keptUntil as string) - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(90)
  })

  test('MOD-20 each moderation act is one log entry, which nobody can change or delete for 24 months', async () => {
    const [{ id }] = await query('select id from moderation_log order by id limit 1')
    for (const change of [
      `update moderation_log set act = 'x' where id = $1`,
      'delete from moderation_log where id = $1',
    ])
      await expect(query(change, [id])).rejects.toMatchObject({ constraint: 'moderation_log_fixed' })
    await expect(
      query(`update moderation_log set created_at = now() - interval '3 years' where id = $1`, [id]),
    ).rejects.toBeTruthy()
  })
})

describe('a suspended member', () => {
  const suspend = async (who: MemberClient, days: 1 | 3 | 7 | 30 | null) => {
    const { caseId, reportId } = await reportOf(ana, { kind: 'member', id: who.id }, 'threat')
    await mo.call(claimCaseOperation, { caseId })
    await mo.call(decideCaseOperation, { caseId, decision: 'suspend', text: 'Amenazas', days })
    return { caseId, reportId }
  }
  const signInStatus = async ({ email }: MemberClient) =>
    (await w.visitor.ask(signInOperation, { email, password: testPassword })).status
  const ended = (who: MemberClient) =>
    query(
      `update suspensions set ends_at = ends_at - interval '31 days'
       where account_id = (select id from accounts where public_id = $1)`,
      [who.accountId],
    )

  test('MOD-15 a suspended member is hidden like a closed account and signed out everywhere', async () => {
    const luz = await w.join('Luz')
    const postId = await aPost(luz)
    const { reportId } = await suspend(luz, 7)
    expect((await ana.ask(getPersonOperation, { personId: luz.id })).status).toBe(404)
    expect((await ana.ask(getPostOperation, { postId })).status).toBe(404)
    expect((await luz.ask(getPersonOperation, { personId: luz.id })).status).toBe(401)
    expect(await signInStatus(luz)).toBe(401)
    const mine = (await ana.call(listMyReportsOperation, {})).documents.find(({ $id }) => $id === reportId)
    expect(mine?.outcome).toBe('acted')
    expect(
      await query(
        `select kind from changes where collection = 'users' and public_id = $1 and kind = 'delete'`,
        [luz.id],
      ),
    ).toHaveLength(1)
  })

  test("MOD-17 when a suspension ends, everything is restored; permanent suspensions and the member's own closing remain", async () => {
    const [luz, rosa, eva] = [await w.join('Luz'), await w.join('Rosa'), await w.join('Eva')]
    const postId = await aPost(luz)
    await suspend(luz, 3)
    await suspend(rosa, null)
    const about = await reportOf(ana, { kind: 'member', id: eva.id }, 'threat')
    await eva.request('PATCH', '/v1/account/status', {})
    await mo.call(claimCaseOperation, { caseId: about.caseId })
    await mo.call(decideCaseOperation, {
      caseId: about.caseId,
      decision: 'suspend',
      text: 'Amenazas',
      days: 1,
    })
    await sweep()
    for (const who of [luz, rosa, eva]) expect(await signInStatus(who)).toBe(401)
    for (const who of [luz, rosa, eva]) await ended(who)
    await sweep()
    expect([await signInStatus(luz), await signInStatus(rosa), await signInStatus(eva)]).toEqual([
      201, 401, 401,
    ])
    expect((await ana.ask(getPostOperation, { postId })).status).toBe(200)
  })

  test('a suspension must state its length', async () => {
    const { caseId } = await reportOf(ana, { kind: 'member', id: (await w.join('Luz')).id })
    await mo.call(claimCaseOperation, { caseId })
    const suspension = { caseId, decision: 'suspend', text: 'Amenazas' }
    expect(await mo.refusal(decideCaseOperation, suspension)).toMatchObject({ code: 400, field: 'days' })
    expect(await mo.refusal(decideCaseOperation, { ...suspension, days: 2 })).toMatchObject({ code: 400 })
    expect(await statusOf(mo, caseId)).toBe(200)
    expect((await mo.call(getCaseOperation, { caseId })).status).toBe('open')
  })
})

describe('concurrent requests', () => {
  test(
    'MOD-07 of two moderators who claim a case concurrently, one succeeds',
    async () => {
      let caseId = ''
      await runRaceRounds(
        w.database,
        async () => {
          caseId = (await reportedPost()).caseId
          return [mo, mia].map((who) => () => who.ask(claimCaseOperation, { caseId }))
        },
        async (answers) => {
          expect(countResponsesByStatus(answers)).toEqual({ 200: 1, 409: 1 })
          expect(await logOf(caseId)).toEqual(['claim'])
        },
      )
    },
    raceTimeoutMs,
  )

  test(
    'MOD-08 MOD-20 deciding a case twice during another report gives one decision and one log entry',
    async () => {
      let caseId = ''
      await runRaceRounds(
        w.database,
        async () => {
          const postId = await aPost(iria)
          caseId = (await reportOf(ana, { kind: 'post', id: postId })).caseId
          await mo.call(claimCaseOperation, { caseId })
          const dismiss = () =>
            mo.ask(decideCaseOperation, { caseId, decision: 'dismiss', text: 'No es nada' })
          const suspend = () =>
            mo.ask(decideCaseOperation, { caseId, decision: 'dismiss', text: 'Nada de nada' })
          const again = () =>
            mia.ask(createReportOperation, { subject: { kind: 'post', id: postId }, reason: 'hate' })
          return [dismiss, again, suspend]
        },
        async (answers) => {
          expect(countResponsesByStatus(answers)).toEqual({ 200: 1, 201: 1, 409: 1 })
          expect(await logOf(caseId)).toEqual(['claim', 'dismiss'])
        },
      )
    },
    raceTimeoutMs,
  )
})
