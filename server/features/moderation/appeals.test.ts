import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pickComparableResponse } from '#api-client/member-client.ts'
import {
  beginAuthenticatorOperation,
  closeAccountOperation,
  turnOnTwoFactorOperation,
} from '#contract/account/account-settings.ts'
import { getCurrentMemberOperation, signInOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { requestDeletionOperation } from '#contract/deletion/deletion.ts'
import { leaveGroupOperation } from '#contract/groups/group-members.ts'
import { createGroupOperation } from '#contract/groups/groups.ts'
import { decideAppealOperation, getCaseOperation, listCasesOperation } from '#contract/moderation/cases.ts'
import {
  appealDecisionOperation,
  appealSuspensionOperation,
  listModerationNoticesOperation,
  markModerationNoticeReadOperation,
} from '#contract/moderation/moderation-notices-and-appeals.ts'
import { listMyReportsOperation } from '#contract/moderation/reports.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import { getPersonOperation } from '#contract/people/people.ts'
import { deletePostOperation, getPostOperation } from '#contract/posts/posts.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createGroupWithMembers, createPostInGroup } from '#tests/support/group-factory.ts'
import { waitForLockWaits } from '#tests/support/lock-waits.ts'
import { appointModeratorOnDuty, claimAndDecide, reportSubject } from '#tests/support/report-and-moderate.ts'
import { countResponsesByStatus, raceTimeoutMs, runRaceRounds } from '#tests/support/run-race-rounds.ts'
import { extractCookieHeader } from '#tests/support/sent-messages.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'
import { liftEndedSuspensions } from '../../auth/suspended-and-closed-accounts.ts'
import { captureSqlStatements } from '../../database/prepared-statements.ts'
import { removeModerator } from './moderators.ts'

let w: TestWorld
let mo: MemberClient
let mia: MemberClient
let ana: MemberClient

beforeAll(async () => {
  w = await createTestWorld()
  ;[mo, mia, ana] = [await w.join('Mo'), await w.join('Mia'), await w.join('Ana')]
  for (const who of [mo, mia]) await appointModeratorOnDuty(w.database, who)
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

const query = async (text: string, values: unknown[] = []) => (await w.database.pool.query(text, values)).rows
const noticesOf = async (who: MemberClient) =>
  (await who.call(listModerationNoticesOperation, {})).documents.map(({ kind, text, can }) => ({
    kind,
    text,
    appeal: can.appeal,
  }))
const signIn = ({ email }: MemberClient, password = testPassword) =>
  w.visitor.ask(signInOperation, { email, password })
const suspended = async (days: 1 | 3 | 7 | 30 | null, someone?: MemberClient) => {
  const luz = someone ?? (await w.join('Luz'))
  const postId = await createPostInGroup(w.database, luz, null)
  const { caseId, reportId } = await reportSubject(w.database, ana, { kind: 'post', id: postId }, 'threat')
  await claimAndDecide(mo, caseId, { decision: 'suspend', text: 'Buscas a una persona', days })
  return { luz, postId, caseId, reportId }
}
const createTakenPost = async (author: MemberClient) => {
  const groupId = await createGroupWithMembers(ana, author)
  const postId = await createPostInGroup(w.database, author, groupId)
  await author.call(leaveGroupOperation, { groupId, posts: 'take' })
  return postId
}
const warned = async () => {
  const luz = await w.join('Luz')
  const { caseId } = await reportSubject(w.database, ana, { kind: 'member', id: luz.id })
  await claimAndDecide(mo, caseId, { decision: 'warn', text: 'Aquí nadie busca a nadie' })
  return { luz, caseId }
}
const hidden = async () => {
  const luz = await w.join('Luz')
  const postId = await createPostInGroup(w.database, luz, null)
  const { caseId, reportId } = await reportSubject(w.database, ana, { kind: 'post', id: postId })
  await claimAndDecide(mo, caseId, { decision: 'hide', text: 'Busca a una persona' })
  return { luz, postId, caseId, reportId }
}
const turnOnTwoFactor = async (who: MemberClient): Promise<string[]> => {
  const { secret } = await who.call(beginAuthenticatorOperation, {})
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  return (await who.call(turnOnTwoFactorOperation, { code })).recoveryCodes ?? []
}
const askForReviewIn = (cookie: string) =>
  w.visitor.request('POST', '/v1/sessions/current/appeal', { text: 'Era una broma' }, { cookie })
const reportOf = async (reportId: string) =>
  (await ana.call(listMyReportsOperation, {})).documents.find(({ $id }) => $id === reportId)

describe('notices', () => {
  test('MOD-14 only the warned member sees her warning, until she has read it', async () => {
    const { luz } = await warned()
    const outcomes = [{ kind: 'warning', text: 'Aquí nadie busca a nadie', appeal: true }]
    expect(await noticesOf(luz)).toEqual(outcomes)
    expect(await noticesOf(luz)).toEqual(outcomes)
    expect(await noticesOf(ana)).toEqual([])
    const [{ $id: noticeId } = { $id: '' }] = (await luz.call(listModerationNoticesOperation, {})).documents
    for (const who of [ana, mo])
      expect((await who.ask(markModerationNoticeReadOperation, { noticeId })).status).toBe(404)
    expect(await noticesOf(luz)).toEqual(outcomes)
    for (let times = 0; times < 2; times += 1)
      expect((await luz.ask(markModerationNoticeReadOperation, { noticeId })).status).toBe(204)
    expect(await noticesOf(luz)).toEqual([])
    expect((await w.visitor.ask(listModerationNoticesOperation, {})).status).toBe(401)
  })

  test('MOD-12 the author of a hidden post reads the reason, and can ask for a review', async () => {
    const { luz, postId, caseId } = await hidden()
    expect(await noticesOf(luz)).toEqual([{ kind: 'hidden', text: 'Busca a una persona', appeal: true }])
    expect((await luz.call(getPostOperation, { postId })).hidden).toEqual({
      ...{ by: 'moderator', reason: 'Busca a una persona', caseId },
      can: { appeal: true },
    })
    await luz.call(appealDecisionOperation, { caseId, text: 'Es mi hermana' })
    expect((await luz.call(getPostOperation, { postId })).hidden?.can).toEqual({ appeal: false })
  })

  test('MOD-12 MOD-14 a notice names the hidden post only to its author, and only while she can read it', async () => {
    const postsOf = async (who: MemberClient) =>
      (await who.call(listModerationNoticesOperation, {})).documents.map(({ post }) => post)
    const { luz, postId } = await hidden()
    const { caption } = await luz.call(getPostOperation, { postId })
    expect(await postsOf(luz)).toEqual([{ $id: postId, caption }])
    await luz.call(deletePostOperation, { postId })
    expect(await postsOf(luz)).toEqual([null])
    const { luz: other } = await warned()
    expect(await postsOf(other)).toEqual([null])
  })
})

describe('signing in to a suspended account', () => {
  test('MOD-16 signing in shows the end and the reason of a suspension only after the correct password', async () => {
    const { luz } = await suspended(7)
    const until = new Intl.DateTimeFormat('es', {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      timeZone: 'UTC',
    })
    const end = until.format(Date.now() + 7 * 86_400_000)
    expect(await signIn(luz)).toMatchObject({
      status: 401,
      body: {
        type: 'user_blocked',
        message: `Tu cuenta está suspendida hasta el ${end}.\nMotivo: Buscas a una persona`,
      },
    })
    expect(await signIn(luz, 'no es esta clave')).toMatchObject({
      body: { type: 'user_invalid_credentials' },
    })
    const api = await w.visitor.request('POST', '/v1/account/sessions/email', {
      email: luz.email,
      password: testPassword,
    })
    expect(api).toMatchObject({ status: 401, body: { type: 'user_blocked' } })
    const { luz: other } = await suspended(null)
    expect((await signIn(other)).body).toMatchObject({
      message: 'Tu cuenta está suspendida para siempre.\nMotivo: Buscas a una persona',
    })
    const closed = await w.join('Eva')
    await closed.request('PATCH', '/v1/account/status', {})
    expect((await signIn(closed)).body).toMatchObject({
      type: 'user_blocked',
      message: 'The current user has been blocked.',
    })
  })

  test('MOD-17 a member can sign in as soon as her suspension ends, and everything except hidden content is restored', async () => {
    const { luz } = await suspended(3)
    const other = await createPostInGroup(w.database, ana, null)
    await query(
      `update suspensions set ends_at = now() - interval '1 second'
       where account_id = (select id from accounts where public_id = $1)`,
      [luz.accountId],
    )
    expect((await signIn(luz, 'no es esta clave')).status).toBe(401)
    expect((await signIn(luz)).status).toBe(201)
    expect((await signIn(luz)).status).toBe(201)
    expect((await ana.ask(getPersonOperation, { personId: luz.id })).status).toBe(200)
    expect((await ana.ask(getPostOperation, { postId: other })).status).toBe(200)
  })

  test("MOD-16 MOD-18 MFA-06 with two-factor authentication, luz's password does not reveal her suspension through either API; her code does", async () => {
    const [luz, eva] = [await w.join('Luz'), await w.join('Eva')]
    const [codes] = [await turnOnTwoFactor(luz), await turnOnTwoFactor(eva)]
    const { caseId } = await suspended(null, luz)
    const bySdk = ({ email }: MemberClient) =>
      w.visitor.request('POST', '/v1/account/sessions/email', { email, password: testPassword })
    const paths = ['/v1/me', '/v1/me/session', '/v1/feed', '/v1/account', '/v1/sessions/current/second-step']
    for (const begin of [signIn, bySdk]) {
      const outcomes = []
      for (const who of [luz, eva]) {
        const answer = await begin(who)
        const cookie = extractCookieHeader(answer)
        const asked = await Promise.all(
          paths.map(async (path) => {
            const { status, body } = await w.visitor.request('GET', path, undefined, { cookie })
            return { path, status, body }
          }),
        )
        const { body: review } = await askForReviewIn(cookie)
        outcomes.push({ status: answer.status, keys: Object.keys(answer.body as object), asked, review })
      }
      expect(outcomes[0]).toEqual(outcomes[1])
      expect(outcomes[0]).toMatchObject({ status: 201, review: { type: 'case_not_found' } })
    }
    const appeal = { email: luz.email, password: testPassword, text: 'Era una broma entre nosotras' }
    expect(await w.visitor.ask(appealSuspensionOperation, appeal)).toMatchObject({
      status: 401,
      body: { type: 'user_invalid_credentials' },
    })

    const cookie = extractCookieHeader(await signIn(luz))
    const step = (code: string | undefined) =>
      w.visitor.request(
        'PUT',
        '/v1/sessions/current/second-step',
        { factor: 'recoverycode', code },
        { cookie },
      )
    expect(await step('zzzz-zzzz')).toMatchObject({ status: 401, body: { type: 'user_invalid_token' } })
    expect(await askForReviewIn(cookie)).toMatchObject({ status: 404 })
    const why = {
      status: 401,
      body: {
        type: 'user_blocked',
        message: 'Tu cuenta está suspendida para siempre.\nMotivo: Buscas a una persona',
      },
    }
    expect(await step(codes[0])).toMatchObject(why)
    const cookieOfSdk = extractCookieHeader(await bySdk(luz))
    const { body: challenge } = await w.visitor.request<{ $id: string }>(
      'POST',
      '/v1/account/mfa/challenges',
      { factor: 'recoverycode' },
      { cookie: cookieOfSdk },
    )
    const answered = { challengeId: challenge.$id, otp: codes[1] }
    expect(
      await w.visitor.request('PUT', '/v1/account/mfa/challenges', answered, { cookie: cookieOfSdk }),
    ).toMatchObject(why)
    for (const path of paths.slice(0, 4))
      expect((await w.visitor.request('GET', path, undefined, { cookie })).status).toBe(401)
    expect(await askForReviewIn(cookie)).toMatchObject({ status: 201 })
    expect(await askForReviewIn(cookie)).toMatchObject({ status: 409, body: { type: 'appeal_exists' } })
    expect((await mia.call(getCaseOperation, { caseId })).review).toMatchObject({ text: 'Era una broma' })
  })

  test('MOD-16 MFA-12 in a browser that luz trusts, her password alone shows the suspension and requests a review', async () => {
    const luz = await w.join('Luz')
    const [code] = await turnOnTwoFactor(luz)
    const half = extractCookieHeader(await signIn(luz))
    const given = { factor: 'recoverycode', code, trustBrowser: true }
    const whole = await w.visitor.request('PUT', '/v1/sessions/current/second-step', given, { cookie: half })
    const browser = /device_juntas=[0-9a-f]+/.exec(whole.headers['set-cookie'] ?? '')?.[0] ?? ''
    await suspended(7, luz)
    const { email } = luz
    const post = (path: string, more: object, headers: Record<string, string>) =>
      w.visitor.request('POST', path, { email, password: testPassword, ...more }, headers)
    expect(await post('/v1/sessions', {}, {})).toMatchObject({ status: 201, body: { secondStep: true } })
    const outcomes = await post('/v1/sessions', {}, { cookie: browser })
    expect(outcomes).toMatchObject({ status: 401, body: { type: 'user_blocked' } })
    expect((outcomes.body as { message: string }).message).toContain('Motivo: Buscas a una persona')
    expect((await post('/v1/appeals', { text: 'Era una broma' }, {})).status).toBe(401)
    expect((await post('/v1/appeals', { text: 'Era una broma' }, { cookie: browser })).status).toBe(201)
  })

  test("MOD-17 MFA-05 luz's second step reopens the account once the suspension has ended", async () => {
    const luz = await w.join('Luz')
    const codes = await turnOnTwoFactor(luz)
    await suspended(1, luz)
    const cookie = extractCookieHeader(await signIn(luz))
    const step = (code: string | undefined) =>
      w.visitor.request(
        'PUT',
        '/v1/sessions/current/second-step',
        { factor: 'recoverycode', code },
        { cookie },
      )
    expect(await step(codes[0])).toMatchObject({ status: 401, body: { type: 'user_blocked' } })
    await query(
      `update suspensions set ends_at = now() - interval '1 second'
       where account_id = (select id from accounts where public_id = $1)`,
      [luz.accountId],
    )
    expect((await askForReviewIn(cookie)).status).toBe(201)
    const whole = await step(codes[1])
    expect(whole.status).toBe(200)
    expect(
      (await w.visitor.request('GET', '/v1/me', undefined, { cookie: extractCookieHeader(whole) })).status,
    ).toBe(200)
  })

  test('MOD-16 MOD-18 email and password request one review; any other request is answered like a wrong sign-in', async () => {
    const { luz, caseId } = await suspended(null)
    const appeal = { email: luz.email, password: testPassword, text: 'Era una broma entre nosotras' }
    const wrong = { status: 401, body: { type: 'user_invalid_credentials' } }
    expect(
      await w.visitor.ask(appealSuspensionOperation, { ...appeal, password: 'no es esta' }),
    ).toMatchObject(wrong)
    expect(
      await w.visitor.ask(appealSuspensionOperation, { ...appeal, email: 'nadie@nadie.test' }),
    ).toMatchObject(wrong)
    expect(await w.visitor.ask(appealSuspensionOperation, { ...appeal, email: ana.email })).toMatchObject(
      wrong,
    )
    for (const text of ['', '  ', 'x'.repeat(1001)])
      expect(await w.visitor.ask(appealSuspensionOperation, { ...appeal, text })).toMatchObject({
        status: 400,
        body: { field: 'text' },
      })
    expect((await w.visitor.ask(appealSuspensionOperation, appeal)).status).toBe(201)
    expect(await w.visitor.ask(appealSuspensionOperation, appeal)).toMatchObject({
      status: 409,
      body: { type: 'appeal_exists', message: 'Ya pediste una revisión' },
    })
    expect((await mia.call(getCaseOperation, { caseId })).review).toMatchObject({
      text: 'Era una broma entre nosotras',
      outcome: null,
      can: { decide: true },
    })
  })
})

test('MOD-18 M24 a wrong password in a review request gives one answer with the same work for every kind of account', async () => {
  const [open, closed, { luz }] = [await w.join('Eva'), await w.join('Dora'), await suspended(30)]
  expect((await closed.request('PATCH', '/v1/account/status', {})).status).toBe(200)
  const before = await query(
    'select (select count(*) from appeals) as appeals, (select count(*) from sessions) as sessions',
  )
  const ask = (
    operation: typeof signInOperation | typeof appealSuspensionOperation,
    email: string,
    password: string,
  ) =>
    captureSqlStatements(() =>
      w.visitor.ask(operation, {
        ...{ email, password },
        ...(operation === appealSuspensionOperation ? { text: 'Era una broma' } : {}),
      }),
    )
  const outcomes = async (email: string, password: string) => {
    const { result, statements } = await ask(appealSuspensionOperation, email, password)
    return { ...pickComparableResponse(result), statements }
  }
  const unknown = await outcomes('nadie@juntas.test', 'no es su clave')
  expect(unknown.status).toBe(401)
  expect(unknown.statements.length).toBeGreaterThan(0)
  for (const { email } of [open, closed, luz])
    for (const address of [email, email.toUpperCase()])
      expect(await outcomes(address, 'no es su clave')).toEqual(unknown)
  // A failed sign-in also looks for an application to join.
  const signIns = await ask(signInOperation, luz.email, 'no es su clave')
  expect(signIns.statements).toEqual([...unknown.statements, expect.stringContaining('from applications')])
  expect(pickComparableResponse(signIns.result).body).toBe(unknown.body)
  // A person who knows the password of an open account learns only that the account is not suspended.
  const verified = await outcomes(open.email, testPassword)
  expect({ ...verified, statements: [] }).toEqual({ ...unknown, statements: [] })
  expect(await outcomes(closed.email, testPassword)).toEqual(verified)
  expect(
    await query(
      'select (select count(*) from appeals) as appeals, (select count(*) from sessions) as sessions',
    ),
  ).toEqual(before)
})

test('MOD-16 for an account that is not suspended, a review request answers and counts a right password like a wrong one', async () => {
  const [bea, eva] = [await w.join('Bea'), await w.join('Eva')]
  const attempt = async ({ email }: MemberClient, password: string) => {
    const answer = await w.visitor.request(
      'POST',
      '/v1/appeals',
      { email, password, text: 'Era una broma' },
      { 'x-forwarded-for': '203.0.113.7' },
    )
    const { status, body, headers } = pickComparableResponse(answer)
    const { 'x-ratelimit-remaining': _, 'x-ratelimit-reset': __, 'retry-after': ___, ...rest } = headers
    return { status, body, headers: rest }
  }
  const attemptUntilRefused = async (...guessed: Parameters<typeof attempt>) => {
    const answers = []
    for (let times = 0; times < 11; times += 1) answers.push(await attempt(...guessed))
    return answers
  }
  const right = await attemptUntilRefused(bea, testPassword)
  expect(right.map(({ status }) => status)).toEqual([...Array<number>(10).fill(401), 429])
  expect(right).toEqual(await attemptUntilRefused(eva, 'no es esta'))
})

describe('a review', () => {
  test('MOD-18 only the member concerned can request a review, once, and another moderator decides', async () => {
    const { luz, caseId } = await warned()
    const text = 'No buscaba a nadie'
    for (const who of [ana, mia])
      expect(await who.ask(appealDecisionOperation, { caseId, text })).toMatchObject({
        status: 404,
        body: { type: 'case_not_found' },
      })
    expect((await luz.ask(appealDecisionOperation, { caseId, text })).status).toBe(201)
    expect(await luz.ask(appealDecisionOperation, { caseId, text })).toMatchObject({
      status: 409,
      body: { message: 'Ya pediste una revisión' },
    })
    const upheld = { caseId, outcome: 'upheld', text: 'Lo hemos mirado otra vez' } as const
    expect(await mo.ask(decideAppealOperation, upheld)).toMatchObject({
      status: 403,
      body: { type: 'appeal_own_decision', message: 'La revisión la decide otra moderadora' },
    })
    for (const who of [ana, luz]) expect((await who.ask(decideAppealOperation, upheld)).status).toBe(404)
    const waiting = async () =>
      (await mia.call(listCasesOperation, { tab: 'reviews', limit: 100 })).documents.map(({ $id }) => $id)
    expect(await waiting()).toContain(caseId)
    expect(await mia.call(decideAppealOperation, upheld)).toMatchObject({
      review: { outcome: 'upheld', can: { decide: false } },
    })
    expect(await waiting()).not.toContain(caseId)
    expect(await mia.refusal(decideAppealOperation, upheld)).toMatchObject({ type: 'case_decided' })
    expect((await noticesOf(luz)).at(-1)).toEqual({
      kind: 'upheld',
      text: 'Lo hemos mirado otra vez',
      appeal: false,
    })
    expect(
      (
        await query(
          'select act from moderation_log l join moderation_cases c on c.id = l.case_id where c.public_id = $1 order by l.id',
          [caseId],
        )
      ).map(({ act }) => act),
    ).toEqual(['claim', 'warn', 'review.ask', 'review.upheld'])
  })

  test('MOD-18 overturning a decision shows the post again and notifies the author and the reporter', async () => {
    const { luz, postId, caseId, reportId } = await hidden()
    await luz.call(appealDecisionOperation, { caseId, text: 'Es mi hermana' })
    expect((await ana.ask(getPostOperation, { postId })).status).toBe(404)
    expect((await reportOf(reportId))?.outcome).toBe('acted')
    await mia.call(decideAppealOperation, { caseId, outcome: 'overturned', text: 'Tenías razón' })
    const shown = await ana.call(getPostOperation, { postId })
    expect(shown.hidden).toBe(undefined)
    expect((await luz.call(getPostOperation, { postId })).can.edit).toBe(true)
    expect(await noticesOf(luz)).toEqual([{ kind: 'overturned', text: 'Tenías razón', appeal: false }])
    expect((await reportOf(reportId))?.outcome).toBe('no-breach')
  })

  test('MOD-18 overturning a suspension reopens the account and its post; posts that the author hid stay hidden', async () => {
    const { luz, postId, caseId } = await suspended(null)
    await w.visitor.ask(appealSuspensionOperation, { email: luz.email, password: testPassword, text: 'No' })
    await mia.call(decideAppealOperation, { caseId, outcome: 'overturned', text: 'Tenías razón' })
    expect((await ana.ask(getPersonOperation, { personId: luz.id })).status).toBe(200)
    expect((await ana.ask(getPostOperation, { postId })).status).toBe(200)
    expect((await signIn(luz)).status).toBe(201)

    const rosa = await w.join('Rosa')
    const taken = await createTakenPost(rosa)
    const report = await reportSubject(w.database, ana, { kind: 'post', id: taken })
    await claimAndDecide(mo, report.caseId, { decision: 'hide', text: 'Busca a una persona' })
    await rosa.call(appealDecisionOperation, { caseId: report.caseId, text: 'No' })
    await mia.call(decideAppealOperation, { caseId: report.caseId, outcome: 'overturned', text: 'Bien' })
    expect((await rosa.call(getPostOperation, { postId: taken })).hidden?.by).toBe('author')
    expect((await ana.ask(getPostOperation, { postId: taken })).status).toBe(404)
  })

  for (const first of [0, 1])
    test(`MOD-18 undoing the ${first === 0 ? 'older' : 'newer'} of two decisions about a post keeps the suspension and hiding of the other decision`, async () => {
      const luz = await w.join('Luz')
      const postId = await createTakenPost(luz)
      const cases: { caseId: string; text: string }[] = []
      for (const [text, days] of [
        ['La primera', 30],
        ['La segunda', 7],
      ] as const) {
        const { caseId } = await reportSubject(w.database, ana, { kind: 'post', id: postId }, 'threat')
        await claimAndDecide(mo, caseId, { decision: 'suspend', text, days })
        await query(
          `insert into appeals (case_id, text) select id, 'No' from moderation_cases where public_id = $1`,
          [caseId],
        )
        cases.push({ caseId, text })
      }
      const undo = (index: number) =>
        mia.call(decideAppealOperation, {
          ...{ caseId: cases[index]?.caseId ?? '', outcome: 'overturned', text: 'Tenías razón' },
        })
      await undo(first)
      expect((await signIn(luz)).body).toMatchObject({
        type: 'user_blocked',
        message: expect.stringContaining(`Motivo: ${cases[1 - first]?.text}`),
      })
      const hiddenBy = async () =>
        (await query('select hidden_by from posts where public_id = $1', [postId]))[0]?.hidden_by
      expect(await hiddenBy()).toBe('moderator')
      await undo(1 - first)
      expect((await signIn(luz)).status).toBe(201)
      expect(await hiddenBy()).toBe('author')
    })

  test('MOD-18 without another moderator, the moderator reviews her own decision', async () => {
    const { luz, caseId } = await warned()
    await luz.call(appealDecisionOperation, { caseId, text: 'No' })
    const [{ username }] = await query('select username from users where public_id = $1', [mia.id])
    await removeModerator(w.database.kysely, username, 'operator')
    await mo.call(decideAppealOperation, { caseId, outcome: 'upheld', text: 'No' })
    await appointModeratorOnDuty(w.database, mia)
  })

  test(
    'MOD-18 of two concurrent review decisions one succeeds and is logged once; another review request is refused',
    async () => {
      let caseId = ''
      let postId = ''
      await runRaceRounds(
        w.database,
        async () => {
          const made = await hidden()
          ;({ caseId, postId } = made)
          const lone = await w.join('Lia')
          await appointModeratorOnDuty(w.database, lone)
          await made.luz.call(appealDecisionOperation, { caseId, text: 'Es mi hermana' })
          const decide = (who: MemberClient, outcome: 'upheld' | 'overturned') => () =>
            who.ask(decideAppealOperation, { caseId, outcome, text: 'Mirado' })
          return [
            decide(mia, 'overturned'),
            decide(lone, 'upheld'),
            () => made.luz.ask(appealDecisionOperation, { caseId, text: 'Otra vez' }),
          ]
        },
        async ([one, other, again]) => {
          expect(countResponsesByStatus([one, other].flatMap((answer) => answer ?? []))).toEqual({
            200: 1,
            409: 1,
          })
          expect(again?.status).toBe(409)
          const overturned = one?.status === 200
          expect((await ana.ask(getPostOperation, { postId })).status).toBe(overturned ? 200 : 404)
          const acts = await query(
            `select act from moderation_log l join moderation_cases c on c.id = l.case_id
             where c.public_id = $1 and act like 'review%' order by l.id`,
            [caseId],
          )
          expect(acts.map(({ act }) => act)).toEqual([
            'review.ask',
            overturned ? 'review.overturned' : 'review.upheld',
          ])
        },
      )
    },
    raceTimeoutMs,
  )

  test('MOD-18 a moderator reviews her own decision if no other moderator may see the case', async () => {
    const { luz, caseId } = await warned()
    await luz.call(appealDecisionOperation, { caseId, text: 'No' })
    const others = await query(
      'select u.public_id as id from moderators m join users u on u.id = m.member_id',
    )
    for (const { id } of others)
      if (id !== mo.id)
        await query(
          `insert into blocks (public_id, blocker_id, blocked_id) select 'apart-' || a.id, a.id, b.id from users a, users b
           where a.public_id = $1 and b.public_id = $2`,
          [id, luz.id],
        )
    expect((await mo.ask(decideAppealOperation, { caseId, outcome: 'upheld', text: 'No' })).status).toBe(200)
  })

  test('MOD-12 a post hidden again after a review does not show the reason of the undone decision', async () => {
    const { luz, postId, caseId } = await hidden()
    await luz.call(appealDecisionOperation, { caseId, text: 'Es mi hermana' })
    await mia.call(decideAppealOperation, { caseId, outcome: 'overturned', text: 'Tenías razón' })
    for (const by of ['author', 'group', 'moderator']) {
      await query('update posts set hidden_by = $2, hidden_at = now() where public_id = $1', [postId, by])
      expect((await luz.call(getPostOperation, { postId })).hidden).toMatchObject({ by, reason: null })
    }
  })

  test('a moderator cannot review the case of a member she blocked', async () => {
    const { luz, caseId } = await warned()
    await luz.call(appealDecisionOperation, { caseId, text: 'No' })
    const eva = await w.join('Eva')
    await appointModeratorOnDuty(w.database, eva)
    await eva.call(blockMemberOperation, { personId: luz.id })
    expect((await eva.ask(decideAppealOperation, { caseId, outcome: 'upheld', text: 'No' })).status).toBe(404)
  })
})

describe('a suspension while the member reopens her account', () => {
  const deciding = 7
  beforeAll(async () => {
    await query(`
      create function wait_for_test() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock_shared(${deciding});
        return new;
      end $$;
      create trigger suspensions_wait before insert on suspensions for each row execute function wait_for_test()`)
  })
  afterAll(() => query('drop trigger suspensions_wait on suspensions'))

  const ways: [string, (luz: MemberClient) => Promise<() => Promise<unknown>>][] = [
    [
      'that was closed for a while, by signing in',
      async (luz) => {
        await luz.call(closeAccountOperation, {})
        return () => signIn(luz)
      },
    ],
    [
      'that is being deleted, by keeping it',
      async (luz) => {
        const { username } = await luz.call(getCurrentMemberOperation, {})
        await luz.call(requestDeletionOperation, { username, password: testPassword })
        const cookie = extractCookieHeader(await signIn(luz))
        return () => w.visitor.request('DELETE', '/v1/me/deletion', undefined, { cookie })
      },
    ],
  ]
  test.each(ways)(
    'M23 MOD-15 a suspension during the reopening of an account %s, leaves it closed',
    async (_, close) => {
      const luz = await w.join('Luz')
      const postId = await createPostInGroup(w.database, luz, null)
      const { caseId } = await reportSubject(w.database, ana, { kind: 'post', id: postId }, 'threat')
      const open = await close(luz)
      const holder = await w.database.pool.connect()
      await holder.query('begin')
      await holder.query('select pg_advisory_xact_lock($1)', [deciding])
      const decided = claimAndDecide(mo, caseId, {
        decision: 'suspend',
        text: 'Buscas a una persona',
        days: 7,
      })
      await waitForLockWaits(w.database, 1)
      const opened = open()
      await waitForLockWaits(w.database, 2, opened)
      await holder.query('rollback')
      holder.release()
      await Promise.all([decided, opened])
      expect(await query('select status from accounts where public_id = $1', [luz.accountId])).toEqual([
        { status: 'blocked' },
      ])
      expect(await signIn(luz)).toMatchObject({ status: 401, body: { type: 'user_blocked' } })
    },
  )

  test('M23 MOD-17 an account that its member closes during the suspension stays closed when the suspension ends', async () => {
    const luz = await w.join('Luz')
    const { $id: groupId } = await luz.call(createGroupOperation, { name: 'De Luz' })
    const postId = await createPostInGroup(w.database, luz, null)
    const { caseId } = await reportSubject(w.database, ana, { kind: 'post', id: postId }, 'threat')
    const holder = await w.database.pool.connect()
    await holder.query('begin')
    await holder.query('select from groups where public_id = $1 for no key update', [groupId])
    const closing = luz.call(closeAccountOperation, {})
    await waitForLockWaits(w.database, 1)
    const decided = claimAndDecide(mo, caseId, { decision: 'suspend', text: 'Buscas a una persona', days: 7 })
    await waitForLockWaits(w.database, 2)
    await holder.query('rollback')
    holder.release()
    await Promise.all([closing, decided])
    const stands = () => query('select id, status from accounts where public_id = $1', [luz.accountId])
    const [{ id }] = await stands()
    await query(`update suspensions set ends_at = now() - interval '1 second' where account_id = $1`, [id])
    await liftEndedSuspensions(w.database.kysely, sql`account_id = ${id}`)
    expect(await stands()).toEqual([{ id, status: 'blocked' }])
  })
})
