import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { signInOperation, signUpOperation } from '#contract/account/sign-up-and-sign-in.ts'
import {
  answerVouchRequestOperation,
  applyOperation,
  approveApplicationOperation,
  confirmApplicationOperation,
  listApplicationsOperation,
  listVouchRequestsOperation,
  removeApplicationByEmailLinkOperation,
  withdrawApplicationOperation,
} from '#contract/community/applications.ts'
import { updateCommunityOperation } from '#contract/community/community.ts'
import { unconfirmedApplicationDays } from '#contract/community/community-limits.ts'
import { createInvitationOperation } from '#contract/community/invitations.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import { readConfig } from '#server/config.ts'
import { createDevOutbox } from '#server/email/dev-outbox.ts'
import { createEmailSender } from '#server/email/email-sender.ts'
import type { FileContext } from '#server/files/stored-files.ts'
import { createServerLogger } from '#server/log.ts'
import { purgeExpiredRows } from '#server/ops/retention.ts'
import { fetchApplicationLinks, insertWaitingApplication } from '#tests/support/applications.ts'
import { countResponsesByStatus, raceTimeoutMs, runRaceRounds } from '#tests/support/run-race-rounds.ts'
import { fetchSentMessagesTo } from '#tests/support/sent-messages.ts'
import { readNotifications, settleNotifications } from '#tests/support/settle-notifications.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'
import { listWaitingApplications } from './application-commands.ts'
import { emailWaitingApplications } from './email-operators.ts'
import { promoteToOperator } from './promote-to-operator.ts'

let w: TestWorld
let olga: MemberClient
let ana: MemberClient
let bea: MemberClient
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  olga = await w.join('Olga')
  ana = await w.join('Ana')
  bea = await w.join('Bea')
  await promoteToOperator(w.database.kysely, 'olga')
  await olga.call(updateCommunityOperation, { registration: 'approval' })
})
beforeEach(async () => {
  await query('delete from applications')
  await settleNotifications(w.database)
  await query('delete from notifications')
})
afterAll(() => w.end())

const query = async (text: string, values: unknown[] = []) => (await w.database.pool.query(text, values)).rows
const usernameOf = ({ email }: MemberClient) => email.split('@')[0] as string

let applicants = 0
const applicant = () => {
  applicants += 1
  const username = `rosa${applicants}`
  const email = `${username}@juntas.test`
  return { name: 'Rosa', username, email, password: testPassword, answer: 'Me habló Ana de vosotras.' }
}
type Applicant = ReturnType<typeof applicant> & { voucher?: string }
const attackersPassword = 'la clave de otra persona'

type Link = { userId: string; secret: string }
const links = new WeakMap<Applicant, Link>()

/** Applies, and keeps the link of the email that follows. */
const send = async (given: Applicant = applicant()) => {
  const earlier = (await fetchApplicationLinks(w, given.email)).map(({ userId }) => userId)
  await w.visitor.call(applyOperation, given)
  const link = (await fetchApplicationLinks(w, given.email)).find(({ userId }) => !earlier.includes(userId))
  if (link) links.set(given, link)
  return given
}
const queue = async () => (await olga.call(listApplicationsOperation, {})).documents
const signIn = ({ email, password }: Applicant) => w.visitor.ask(signInOperation, { email, password })
const linkTo = (given: Applicant): Link => links.get(given) ?? { userId: '', secret: '' }
const confirm = (given: Applicant, link = linkTo(given)) =>
  w.visitor.ask(confirmApplicationOperation, { ...link, password: given.password })
const purge = () =>
  purgeExpiredRows({ database: w.database, log: createServerLogger('silent') } as FileContext)

describe('an application whose address is not confirmed', () => {
  test('APR-17 S21 an application with another person’s address reaches no operator, no voucher and no command', async () => {
    await send({ ...applicant(), voucher: usernameOf(ana) })
    expect(await queue()).toEqual([])
    expect((await ana.call(listVouchRequestsOperation, {})).documents).toEqual([])
    expect(await listWaitingApplications(w.database.kysely)).toEqual([])
    for (const who of [olga, ana]) {
      expect(await readNotifications(w.database, who)).toEqual([])
      expect(await readNotifications(w.database, who, 'requests')).toEqual([])
    }
    expect(
      await query(
        `select from changes where collection = 'applications' and row_id in (select id from applications)`,
      ),
    ).toEqual([])
    const config = readConfig({ PUBLIC_URL: 'http://localhost:3000' })
    const emails = await createEmailSender(config, createServerLogger('silent'), createDevOutbox())
    await query('update accounts set email_verified = true where public_id = $1', [olga.accountId])
    const inTwoDays = new Date(Date.now() + 48 * 3_600_000)
    expect(await emailWaitingApplications({ config, database: w.database, emails }, inTwoDays)).toBe(0)
  })

  test('APR-17 an operator who knows its id cannot decide on it, and a member cannot vouch for it', async () => {
    await send({ ...applicant(), voucher: usernameOf(ana) })
    const [{ public_id }] = await query('select public_id from applications')
    expect(await olga.refusal(approveApplicationOperation, { applicationId: public_id })).toMatchObject({
      code: 404,
      type: 'application_not_found',
    })
    expect(
      await ana.refusal(answerVouchRequestOperation, { applicationId: public_id, vouched: true }),
    ).toMatchObject({ code: 404 })
    expect(await query('select state from applications')).toEqual([{ state: 'unconfirmed' }])
  })

  test('APR-17 the link and the password together confirm it; then the queue, the voucher and the notifications show it', async () => {
    const rosa = await send({ ...applicant(), voucher: usernameOf(ana) })
    const [email, ...others] = await fetchSentMessagesTo(w, rosa.email)
    expect(others).toEqual([])
    expect(email?.kind).toBe('application-confirmation')
    expect(email?.text).toContain('http://localhost:3000/sign-up/confirm?userId=')
    for (const said of [rosa.name, rosa.answer, `${rosa.username} `]) expect(email?.text).not.toContain(said)
    expect((await confirm(rosa)).status).toBe(204)
    expect(await queue()).toMatchObject([
      {
        username: rosa.username,
        emailConfirmed: true,
        voucher: { username: usernameOf(ana), vouched: null },
      },
    ])
    expect((await ana.call(listVouchRequestsOperation, {})).documents).toMatchObject([
      { username: rosa.username, emailConfirmed: true },
    ])
    expect(await readNotifications(w.database, olga)).toMatchObject([{ kind: 'application', count: 1 }])
    expect(await readNotifications(w.database, ana, 'requests')).toMatchObject([{ kind: 'vouch-request' }])
    expect((await signIn(rosa)).body).toMatchObject({ type: 'application_waiting' })
  })

  test('APR-17 S21 the owner of the mailbox cannot confirm another person’s application, and can remove it', async () => {
    const claimed = await send({ ...applicant(), password: attackersPassword })
    const link = linkTo(claimed)
    for (const password of ['contraseña de la dueña', `${attackersPassword} `])
      expect(await w.visitor.refusal(confirmApplicationOperation, { ...link, password })).toMatchObject({
        code: 401,
        type: 'user_invalid_credentials',
      })
    expect(await queue()).toEqual([])
    await w.visitor.call(removeApplicationByEmailLinkOperation, link)
    expect(await query('select from applications')).toEqual([])
    expect(
      await query(`select from tokens where kind = 'application' and sent_to = $1`, [claimed.email]),
    ).toEqual([])
    for (const [operation, given] of [
      [removeApplicationByEmailLinkOperation, link],
      [confirmApplicationOperation, { ...link, password: attackersPassword }],
    ] as const)
      expect(await w.visitor.refusal(operation, given as never)).toMatchObject({
        code: 401,
        type: 'user_invalid_token',
      })
  })

  test('APR-17 links of other kinds and other ids confirm and remove nothing', async () => {
    const [rosa, other] = [await send(), await send()]
    const link = linkTo(rosa)
    const wrong = [
      { ...link, userId: linkTo(other).userId },
      { ...link, secret: linkTo(other).secret },
      { ...link, secret: 'a'.repeat(64) },
      { userId: olga.accountId, secret: link.secret },
    ]
    for (const proof of wrong) {
      const given = { ...proof, password: rosa.password }
      expect(await w.visitor.refusal(confirmApplicationOperation, given)).toMatchObject({ code: 401 })
      expect(await w.visitor.refusal(removeApplicationByEmailLinkOperation, proof)).toMatchObject({
        code: 401,
      })
    }
    // The link of an application opens no account.
    for (const path of ['/v1/account/sessions/magic-url', '/v1/account/verification'])
      expect((await w.visitor.request('PUT', path, link)).status).toBeGreaterThanOrEqual(400)
    expect(await query(`select from applications where state = 'unconfirmed'`)).toHaveLength(2)
  })

  test('APR-18 S03 no response tells a stranger whether an address has an account or an application', async () => {
    const waits = await send()
    await confirm(waits)
    const free = applicant()
    const heard = async ({ email }: { email: string }) => {
      const own = { ...applicant(), email, password: attackersPassword }
      const answers = [
        await w.visitor.ask(applyOperation, own),
        await w.visitor.ask(applyOperation, own),
        await signIn(own),
        await w.visitor.ask(withdrawApplicationOperation, { email, password: own.password }),
      ]
      return answers.map(({ status, body, headers }) => [status, body, Object.keys(headers).sort()])
    }
    const strip = (answers: unknown) => JSON.stringify(answers).replaceAll(/"requestId":"[^"]*"/g, '')
    const expected = strip(await heard(free))
    for (const known of [ana, waits]) expect(strip(await heard(known))).toBe(expected)
    // Someone else applied with the address too, and has not confirmed it.
    expect(strip(await heard(await send()))).toBe(expected)
  })

  test('APR-18 S24 another person’s unconfirmed application stops nobody, and disappears when the owner confirms hers', async () => {
    const { email } = applicant()
    const before = { ...applicant(), email, password: attackersPassword }
    const rosa = { ...applicant(), email }
    await send(before)
    await send(rosa)
    const again = await send({ ...before, answer: 'Otra vez.' })
    expect((await confirm(rosa)).status).toBe(204)
    expect(await query('select username, state from applications where email = $1', [email])).toEqual([
      { username: rosa.username, state: 'waiting' },
    ])
    for (const given of [before, again]) expect((await confirm(given)).status).toBe(401)
    // A confirmed application is not replaced.
    await send(before)
    expect(await queue()).toMatchObject([{ username: rosa.username }])
    expect((await fetchSentMessagesTo(w, email)).map(({ kind }) => kind)).toContain('application-waiting')
  })

  test('APR-18 a confirmed application replaces one that waited without a confirmed address', async () => {
    const rosa = applicant()
    await insertWaitingApplication(w.database, { email: rosa.email })
    expect(await queue()).toMatchObject([{ emailConfirmed: false }])
    await send(rosa)
    expect((await confirm(rosa)).status).toBe(204)
    expect(await queue()).toMatchObject([{ username: rosa.username, emailConfirmed: true }])
  })

  test('APR-19 it expires after three days, and its link too', async () => {
    const [kept, late] = [await send(), await send()]
    const age = (hours: number, { email }: Applicant) =>
      query('update applications set created_at = created_at - make_interval(hours => $1) where email = $2', [
        hours,
        email,
      ])
    await age(unconfirmedApplicationDays * 24 - 1, kept)
    await age(unconfirmedApplicationDays * 24 + 1, late)
    await purge()
    expect(await query('select email from applications')).toEqual([{ email: kept.email }])
    const [{ hours }] = await query(
      `select extract(epoch from expires_at - created_at)::int / 3600 as hours from tokens where kind = 'application' and sent_to = $1`,
      [kept.email],
    )
    expect(hours).toBe(unconfirmedApplicationDays * 24)
    expect((await confirm(late)).status).toBe(401)
    await query(
      `update tokens set created_at = created_at - interval '4 days', expires_at = expires_at - interval '4 days' where sent_to = $1`,
      [kept.email],
    )
    expect((await confirm(kept)).status).toBe(401)
    expect(await w.visitor.refusal(removeApplicationByEmailLinkOperation, linkTo(kept))).toMatchObject({
      code: 401,
    })
  })

  test('APR-19 a confirmed application is placed in the queue by the time of its confirmation', async () => {
    const first = await send()
    const second = await send()
    await confirm(second)
    await confirm(first)
    expect((await queue()).map(({ username }) => username)).toEqual([second.username, first.username])
  })

  test('APR-17 the approval of a confirmed application creates an account with a verified address', async () => {
    const rosa = await send()
    await confirm(rosa)
    const [{ $id = '' } = {}] = await queue()
    await olga.call(approveApplicationOperation, { applicationId: $id })
    const [account] = await query('select email_verified, email_proven_at from accounts where email = $1', [
      rosa.email,
    ])
    expect(account.email_verified).toBe(true)
    expect(account.email_proven_at).toBeInstanceOf(Date)
  })

  test('APR-17 an address that became a member’s is not confirmed as an applicant’s', async () => {
    const rosa = await send()
    const { code } = await ana.call(createInvitationOperation, {})
    const { answer: _, ...account } = rosa
    await w.visitor.call(signUpOperation, { ...account, invite: code ?? '' })
    expect((await confirm(rosa)).status).toBe(401)
    await query('update accounts set email_verified = true where email = $1', [rosa.email])
    expect(await query('select from applications')).toEqual([])
  })
})

describe('concurrent confirmations', () => {
  test('APR-20 S04 one link that is used several times at once confirms once', {
    timeout: raceTimeoutMs,
  }, async () => {
    await runRaceRounds(
      w.database,
      async () => {
        await query('delete from applications')
        const rosa = await send()
        return [1, 2, 3].map(() => () => confirm(rosa))
      },
      async (answers) => {
        expect(countResponsesByStatus(answers)).toEqual({ 204: 1, 401: 2 })
        expect(await queue()).toHaveLength(1)
      },
    )
  })

  test('APR-20 C12 if several applications with one address are sent and confirmed at once, only one waits', {
    timeout: raceTimeoutMs,
  }, async () => {
    await runRaceRounds(
      w.database,
      async () => {
        await query('delete from applications')
        const { email } = applicant()
        const both = [1, 2].map(() => ({ ...applicant(), email }))
        const sent = await Promise.all(both.map((given) => w.visitor.ask(applyOperation, given)))
        expect(countResponsesByStatus(sent)).toEqual({ 204: 2 })
        const sentLinks = await fetchApplicationLinks(w, email)
        return [
          ...sentLinks.map((link) => () => confirm(both[0] as Applicant, link)),
          () => w.visitor.ask(applyOperation, { ...applicant(), email }),
        ]
      },
      async (answers) => {
        expect(countResponsesByStatus(answers)).toEqual({ 204: 2, 401: 1 })
        expect(await queue()).toHaveLength(1)
      },
    )
  })

  test('APR-20 applicants who want one username and confirm at once each get a different one', {
    timeout: raceTimeoutMs,
  }, async () => {
    await runRaceRounds(
      w.database,
      async (round) => {
        await query('delete from applications')
        const given: Applicant[] = []
        for (let n = 0; n < 3; n += 1) given.push(await send({ ...applicant(), username: `querida${round}` }))
        return given.map((rosa) => () => confirm(rosa))
      },
      async (answers) => {
        expect(countResponsesByStatus(answers)).toEqual({ 204: 3 })
        expect(new Set((await queue()).map(({ username }) => username)).size).toBe(3)
      },
    )
  })

  test('APR-20 an operator who approves while the applicant confirms sees the application or does not', {
    timeout: raceTimeoutMs,
  }, async () => {
    let rosa = applicant()
    await runRaceRounds(
      w.database,
      async () => {
        await query('delete from applications')
        rosa = await send()
        const [{ public_id }] = await query('select public_id from applications')
        return [
          () => confirm(rosa),
          () => olga.ask(approveApplicationOperation, { applicationId: public_id }),
          async () => w.visitor.ask(removeApplicationByEmailLinkOperation, linkTo(rosa)),
        ]
      },
      async ([confirmed, approved, removed]) => {
        const accounts = await query('select email_verified from accounts where email = $1', [rosa.email])
        expect(accounts).toEqual(approved?.status === 204 ? [{ email_verified: true }] : [])
        expect([204, 404]).toContain(approved?.status)
        expect([confirmed?.status, removed?.status].toSorted()).toEqual([204, 401])
        if (removed?.status === 204) expect(approved?.status).toBe(404)
      },
    )
  })
})

describe('a community that cannot send email', () => {
  test('APR-21 an application waits at once, marked for operators and vouchers; its approval verifies no address', async () => {
    const silent = await createTestWorld({
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://juntas.example',
    })
    try {
      const inSilence = async (text: string, values: unknown[] = []) =>
        (await silent.database.pool.query(text, values)).rows
      await inSilence(`insert into community (only_row) values (true) on conflict do nothing`)
      await inSilence(
        `update community set set_up_at = clock_timestamp(), registration = 'open', takes_applications = false`,
      )
      const [operator, vera] = [await silent.join('Oria'), await silent.join('Vera')]
      await promoteToOperator(silent.database.kysely, usernameOf(operator))
      await operator.call(updateCommunityOperation, { registration: 'approval' })
      const rosa = { ...applicant(), voucher: usernameOf(vera) }
      await silent.visitor.call(applyOperation, rosa)
      const { documents } = await operator.call(listApplicationsOperation, {})
      expect(documents).toMatchObject([{ username: rosa.username, emailConfirmed: false }])
      expect((await vera.call(listVouchRequestsOperation, {})).documents).toMatchObject([
        { username: rosa.username, emailConfirmed: false },
      ])
      expect(await listWaitingApplications(silent.database.kysely)).toMatchObject([
        { email_confirmed: false },
      ])
      expect(await readNotifications(silent.database, operator)).toMatchObject([{ kind: 'application' }])
      expect(await inSilence(`select from tokens where kind = 'application'`)).toEqual([])
      await operator.call(approveApplicationOperation, { applicationId: documents[0]?.$id ?? '' })
      expect(
        await inSilence('select email_verified, email_proven_at from accounts where email = $1', [
          rosa.email,
        ]),
      ).toEqual([{ email_verified: false, email_proven_at: null }])
      expect((await silent.visitor.ask(signInOperation, rosa)).status).toBe(201)
    } finally {
      await silent.end()
    }
  })
})

describe('a member who turns the questions off', () => {
  const takes = (who: MemberClient, takesVouchRequests: boolean) =>
    who.call(updatePrivacySettingsOperation, { takesVouchRequests })
  const name = async (username: string) => {
    const given = { ...applicant(), voucher: username }
    const answer = await w.visitor.ask(applyOperation, given)
    const [link] = await fetchApplicationLinks(w, given.email)
    expect((await confirm(given, link)).status).toBe(204)
    return { answer, given }
  }

  test('APR-22 a member who turned the questions off gets no more, loses those waiting, and nobody else notices', async () => {
    const asked = await name(usernameOf(ana))
    expect(await readNotifications(w.database, ana, 'requests')).toHaveLength(1)
    const [before] = await queue()
    expect(await takes(ana, false)).toMatchObject({ takesVouchRequests: false })
    expect((await ana.call(listVouchRequestsOperation, {})).documents).toEqual([])
    expect(await readNotifications(w.database, ana, 'requests')).toEqual([])
    expect(await queue()).toEqual([before])
    const later = await name(usernameOf(ana))
    const nobody = await name('nadie-con-este-nombre')
    for (const { answer } of [later, nobody])
      expect([answer.status, answer.body, Object.keys(answer.headers).sort()]).toEqual([
        asked.answer.status,
        asked.answer.body,
        Object.keys(asked.answer.headers).sort(),
      ])
    expect((await ana.call(listVouchRequestsOperation, {})).documents).toEqual([])
    expect(await readNotifications(w.database, ana, 'requests')).toEqual([])
    await takes(ana, true)
    expect((await ana.call(listVouchRequestsOperation, {})).documents).toEqual([])
    const again = await name(usernameOf(ana))
    expect((await ana.call(listVouchRequestsOperation, {})).documents).toMatchObject([
      { username: again.given.username },
    ])
  })

  test('APR-22 turning the questions off keeps earlier answers, and changes nothing for another member', async () => {
    await name(usernameOf(bea))
    const [{ $id = '' } = {}] = (await bea.call(listVouchRequestsOperation, {})).documents
    await bea.call(answerVouchRequestOperation, { applicationId: $id, vouched: true })
    await takes(ana, false)
    await name(usernameOf(bea))
    expect((await bea.call(listVouchRequestsOperation, {})).documents).toHaveLength(1)
    await takes(bea, false)
    expect(await queue()).toMatchObject([{ voucher: { vouched: true } }, { voucher: { vouched: null } }])
    for (const who of [ana, bea]) await takes(who, true)
  })

  test('APR-22 an applicant who confirms at the same time causes no question', {
    timeout: raceTimeoutMs,
  }, async () => {
    await runRaceRounds(
      w.database,
      async () => {
        await query('delete from applications')
        await takes(ana, true)
        const given = await send({ ...applicant(), voucher: usernameOf(ana) })
        return [
          () => confirm(given),
          () => ana.ask(updatePrivacySettingsOperation, { takesVouchRequests: false }),
        ]
      },
      async (answers) => {
        expect(countResponsesByStatus(answers)).toEqual({ 200: 1, 204: 1 })
        expect((await ana.call(listVouchRequestsOperation, {})).documents).toEqual([])
        expect(await query('select from applications where voucher_id is not null')).toEqual([])
      },
    )
  })
})
