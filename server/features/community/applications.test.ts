import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { changeUsernameOperation, requestEmailChangeOperation } from '#contract/account/account-settings.ts'
import { signInOperation, signUpOperation } from '#contract/account/sign-up-and-sign-in.ts'
import {
  answerVouchRequestOperation,
  applyOperation,
  approveApplicationOperation,
  declineApplicationOperation,
  listApplicationsOperation,
  listVouchRequestsOperation,
  withdrawApplicationOperation,
} from '#contract/community/applications.ts'
import { getCommunityOperation, updateCommunityOperation } from '#contract/community/community.ts'
import { createInvitationOperation } from '#contract/community/invitations.ts'
import type { OperationOutput } from '#contract/operation.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import { readConfig } from '#server/config.ts'
import { createDevOutbox } from '#server/email/dev-outbox.ts'
import { createEmailSender } from '#server/email/email-sender.ts'
import { collectionEffects } from '#server/features/collection-effects.ts'
import { type ExportSubject, findExportedList } from '#server/features/data-export/exported-data-queries.ts'
import type { FileContext } from '#server/files/stored-files.ts'
import { createServerLogger } from '#server/log.ts'
import { purgeExpiredRows } from '#server/ops/retention.ts'
import { createTransactionalStore } from '#server/store/store.ts'
import { confirmNewestApplication, insertWaitingApplication } from '#tests/support/applications.ts'
import { countResponsesByStatus, raceTimeoutMs, runRaceRounds } from '#tests/support/run-race-rounds.ts'
import { fetchSentLinkSecret, fetchSentMessagesTo } from '#tests/support/sent-messages.ts'
import { readNotifications, settleNotifications } from '#tests/support/settle-notifications.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'
import { decideApplicationOf, listWaitingApplications } from './application-commands.ts'
import { emailWaitingApplications } from './email-operators.ts'
import { promoteToOperator } from './promote-to-operator.ts'

let w: TestWorld
/** Two operators, and five members without a role. */
let olga: MemberClient
let oria: MemberClient
let ana: MemberClient
let bea: MemberClient
let cleo: MemberClient
let dora: MemberClient
let eli: MemberClient
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  olga = await w.join('Olga')
  oria = await w.join('Oria')
  ana = await w.join('Ana')
  bea = await w.join('Bea')
  cleo = await w.join('Cleo')
  dora = await w.join('Dora')
  eli = await w.join('Eli')
  for (const who of [olga, oria]) await promoteToOperator(w.database.kysely, usernameOf(who))
  await olga.call(updateCommunityOperation, { registration: 'approval' })
})
beforeEach(() => query('delete from applications'))
afterAll(() => w.end())

const query = async (text: string, values: unknown[] = []) => (await w.database.pool.query(text, values)).rows
const usernameOf = ({ email }: MemberClient) => email.split('@')[0] as string

type Page = OperationOutput<typeof listApplicationsOperation>

let applicants = 0
const applicant = () => {
  applicants += 1
  const username = `nueva${applicants}`
  const email = `${username}@juntas.test`
  return { name: 'Nueva', username, email, password: testPassword, answer: 'Me habló Ana de vosotras.' }
}
type Applicant = ReturnType<typeof applicant> & { voucher?: string }

/** Applies to join and confirms the address. */
const apply = async (given: Applicant = applicant()) => {
  await w.visitor.call(applyOperation, given)
  await confirmNewestApplication(w, given)
  return given
}
const queue = async (who = olga) => (await who.call(listApplicationsOperation, {})).documents
const waiting = async () => (await queue())[0]?.$id ?? ''
const approve = async (given: Applicant, sentence = '', who = olga) => {
  const found = (await queue()).find(({ username }) => username.startsWith(given.username))
  await who.call(approveApplicationOperation, { applicationId: found?.$id ?? '', sentence })
}
const decline = async (sentence = '') =>
  olga.call(declineApplicationOperation, { applicationId: await waiting(), sentence })
const signIn = ({ email, password }: Applicant) => w.visitor.ask(signInOperation, { email, password })
const emailsTo = async ({ email }: { email: string }) =>
  (await fetchSentMessagesTo(w, email)).filter(({ kind }) => kind !== 'application-confirmation')
const accountsOf = ({ email }: { email: string }) => query('select * from accounts where email = $1', [email])

describe('a person who applies', () => {
  test('APR-01 an applicant waits, and signs in with her chosen password after an operator approves her', async () => {
    expect(await w.visitor.call(getCommunityOperation, {})).toMatchObject({
      registration: 'approval',
      applicationQuestion: null,
    })
    const nueva = await apply()
    expect(await accountsOf(nueva)).toEqual([])
    expect(await signIn(nueva)).toMatchObject({
      status: 403,
      body: {
        type: 'application_waiting',
        message: 'Tu solicitud está en espera. Todavía no hay respuesta.',
      },
    })
    await approve(nueva, 'Te esperamos el martes.')
    expect((await signIn(nueva)).status).toBe(201)
    const [{ password_hash, email_verified, rules_seen }] = await accountsOf(nueva)
    expect([password_hash.startsWith('$argon2id$'), email_verified, rules_seen]).toEqual([true, true, 0])
    const stored = await query('select password_hash, state from applications')
    expect(stored).toEqual([{ password_hash: null, state: 'approved' }])
    const events = await query(
      'select e.event, e.ip from account_events e join accounts a on a.id = e.account_id where a.email = $1 order by e.id limit 1',
      [nueva.email],
    )
    expect(events).toEqual([{ event: 'user.create', ip: null }])
  })

  test('APR-02 an applicant can do nothing through either API while she waits', async () => {
    const nueva = await apply()
    const { email, password } = nueva
    const attempts: [string, string, object][] = [
      ['POST', '/v1/sessions', { email, password }],
      ['POST', '/v1/account/sessions/email', { email, password }],
      ['POST', '/v1/account/sessions', { email, password }],
    ]
    for (const [method, path, body] of attempts) {
      const answer = await w.visitor.request(method, path, body)
      expect([path, answer.status]).toEqual([path, path === '/v1/account/sessions' ? answer.status : 403])
      expect(answer.headers['set-cookie'] ?? '').not.toContain('session')
    }
    for (const wrong of ['otra cosa muy larga', `${password} `])
      expect(await w.visitor.ask(signInOperation, { email, password: wrong })).toMatchObject({ status: 401 })
    // Access to the mailbox verifies the address but creates no account.
    await w.visitor.request('POST', '/v1/account/tokens/magic-url', { userId: 'unique()', email })
    const link = await fetchSentLinkSecret(w, email)
    expect(await w.visitor.request('PUT', '/v1/account/sessions/magic-url', link)).toMatchObject({
      status: 403,
      body: { type: 'application_required', message: 'Para unirte, envía una solicitud.' },
    })
    await w.visitor.request('POST', '/v1/account/recovery', { email, url: 'http://localhost/' })
    expect(await accountsOf(nueva)).toEqual([])
    expect(await query('select from users where username = $1', [nueva.username])).toEqual([])
    expect(await queue()).toHaveLength(1)
  })

  test('APR-03 in approval mode, a visitor cannot sign up directly, except with an invitation', async () => {
    const { answer, ...account } = applicant()
    expect(await w.visitor.refusal(signUpOperation, account)).toMatchObject({ type: 'application_required' })
    const { code } = await ana.call(createInvitationOperation, {})
    expect(await w.visitor.ask(signUpOperation, { ...account, invite: code ?? '' })).toMatchObject({
      status: 201,
    })
    expect(answer).not.toBe('')
    expect(await queue()).toEqual([])
  })

  test('APR-04 sign-ups and changes of username or address do not reveal that someone applied with them', async () => {
    const nueva = await apply()
    const free = applicant()
    const invite = async () => (await ana.call(createInvitationOperation, {})).code ?? ''
    const shape = ({ status, body }: { status: number; body: unknown }) => [
      status,
      Object.keys((body ?? {}) as object).sort(),
    ]
    const signUp = async (given: { username?: string; email?: string }) => {
      const { answer: _, ...account } = { ...applicant(), password: 'otra contraseña muy larga', ...given }
      return shape(await w.visitor.ask(signUpOperation, { ...account, invite: await invite() }))
    }
    for (const email of [free.email, nueva.email]) {
      const change = { email, password: testPassword }
      expect(shape(await eli.request('PATCH', '/v1/account/email', change))[0]).toBe(200)
      expect(await eli.ask(requestEmailChangeOperation, { ...change, email: `otra.${email}` })).toMatchObject(
        {
          status: 200,
        },
      )
      expect(await eli.ask(requestEmailChangeOperation, change)).toMatchObject({
        status: 200,
        body: { email, pendingEmail: null },
      })
    }
    const changed = await eli.ask(changeUsernameOperation, { username: `${nueva.username}.` })
    expect(shape(changed)).toEqual([200, ['username']])
    const other = await apply()
    for (const given of [{ username: other.username.toUpperCase() }, { email: other.email }])
      expect(await signUp(given)).toEqual(await signUp({}))
    // Her application waits, and the approval chooses a similar username.
    await query('update accounts set email = null where email = $1', [nueva.email])
    await approve(nueva)
    expect(
      await query(
        'select u.username from users u join accounts a on a.id = u.account_id where a.email = $1',
        [nueva.email],
      ),
    ).toEqual([{ username: `${nueva.username}2` }])
  })

  test('APR-05 an application gets the same response whether or not its address, username or voucher exists', async () => {
    const free = await w.visitor.ask(applyOperation, applicant())
    for (const taken of [
      { email: ana.email },
      { username: usernameOf(ana) },
      { voucher: usernameOf(ana) },
      { voucher: 'nadie-con-este-nombre' },
    ]) {
      const given = { ...applicant(), ...taken }
      const { status, body, headers } = await w.visitor.ask(applyOperation, given)
      if (given.email !== ana.email) await confirmNewestApplication(w, given)
      expect([status, body, Object.keys(headers).sort()]).toEqual([
        204,
        free.body,
        Object.keys(free.headers).sort(),
      ])
    }
    expect(await emailsTo(ana)).toMatchObject([{ kind: 'email-taken' }])
    // Ana has an account, so her address gets no application. The taken username became a similar one.
    expect((await queue()).map(({ username }) => username)).toContain(`${usernameOf(ana)}2`)
    expect(await query('select from applications where email = $1', [ana.email])).toEqual([])
  })

  test('APR-05 a second application with the same address changes nothing and notifies only that mailbox', async () => {
    const nueva = await apply()
    const second = { ...applicant(), email: nueva.email, password: 'otra contraseña muy larga' }
    expect((await w.visitor.ask(applyOperation, second)).status).toBe(204)
    expect((await queue()).map(({ username }) => username)).toEqual([nueva.username])
    expect(await emailsTo(nueva)).toMatchObject([{ kind: 'application-waiting' }])
    expect((await signIn({ ...second })).status).toBe(401)
    expect((await signIn(nueva)).status).toBe(403)
  })

  test('APR-03 a waiting applicant with an invitation joins at once with the same address and password', async () => {
    const { answer: _, ...account } = await apply()
    const { code } = await olga.call(createInvitationOperation, {})
    const invited = { ...account, invite: code ?? '' }
    await w.visitor.call(signUpOperation, invited)
    expect(await queue()).toEqual([])
    expect(await query('select username from users where username = $1', [account.username])).toHaveLength(1)
  })

  test('APR-06 an applicant withdraws with her password, which deletes the application', async () => {
    const nueva = await apply()
    const { email, password } = nueva
    expect(
      await w.visitor.refusal(withdrawApplicationOperation, { email, password: 'no es la suya' }),
    ).toMatchObject({ type: 'user_invalid_credentials' })
    expect(await queue()).toHaveLength(1)
    await w.visitor.call(withdrawApplicationOperation, { email, password })
    expect(await query('select from applications')).toEqual([])
    expect((await signIn(nueva)).status).toBe(401)
    expect(await w.visitor.refusal(withdrawApplicationOperation, { email, password })).toMatchObject({
      type: 'user_invalid_credentials',
    })
    expect(
      await w.visitor.refusal(withdrawApplicationOperation, { email: ana.email, password: testPassword }),
    ).toMatchObject({ type: 'user_invalid_credentials' })
  })

  test('APR-07 a declined applicant learns the decision by email and at sign-in, and may apply again', async () => {
    const nueva = await apply()
    await decline('Ahora no hay sitio.')
    expect(await signIn(nueva)).toMatchObject({
      status: 403,
      body: { type: 'application_declined', message: 'No aceptaron tu solicitud.' },
    })
    const [email, ...others] = await emailsTo(nueva)
    expect(others).toEqual([])
    expect(email).toMatchObject({ kind: 'application-declined' })
    expect(email?.text).toContain('Ahora no hay sitio.')
    await apply({ ...nueva, answer: 'Otra vez.' })
    expect(await queue()).toMatchObject([{ username: nueva.username, answer: 'Otra vez.' }])
    expect((await signIn(nueva)).body).toMatchObject({ type: 'application_waiting' })
  })

  test('APR-07 an applicant gets the email about the decision in the language of her page', async () => {
    for (const [cookie, subject, absent] of [
      ['juntas-language=es', 'Aceptaron tu solicitud', 'approved'],
      ['juntas-language=en', 'Your application was approved', 'Aceptaron'],
      ['', 'Aceptaron tu solicitud · Your application was approved', 'declined'],
    ] as const) {
      const nueva = applicant()
      await w.visitor.request('POST', '/v1/applications', nueva, { cookie })
      await confirmNewestApplication(w, nueva)
      await approve(nueva, '¡Hola! <b>Bienvenida</b>')
      const [email] = await emailsTo(nueva)
      expect(email).toMatchObject({ kind: 'application-approved', subject })
      expect(email?.text).toContain('http://localhost:3000/sign-in')
      expect(email?.text).toContain('¡Hola! <b>Bienvenida</b>')
      expect(email?.text).not.toContain(absent)
      expect(email?.text).not.toContain(nueva.name)
    }
  })

  test('APR-08 invalid input is refused, naming the field, and nothing is stored', async () => {
    const refusals: [Record<string, unknown>, Record<string, unknown>][] = [
      [{ answer: '' }, { code: 400, field: 'answer' }],
      [{ answer: '   ' }, { code: 400, field: 'answer' }],
      [{ answer: 'a'.repeat(1001) }, { code: 400, field: 'answer' }],
      [{ answer: undefined }, { code: 400, field: 'answer' }],
      [{ answer: 7 }, { code: 400, field: 'answer' }],
      [{ voucher: 'v'.repeat(50) }, { code: 400, field: 'voucher' }],
      [{ username: 'a' }, { code: 400, field: 'username' }],
      [{ username: 'moderadora' }, { code: 400, field: 'username', type: 'user_name_reserved' }],
      [{ name: 'Equipo Juntas' }, { code: 400, field: 'name', type: 'user_name_reserved' }],
      [{ email: 'nada' }, { code: 400, field: 'email' }],
      [{ password: 'contraseña' }, { code: 400, field: 'password' }],
    ]
    for (const [wrong, refusal] of refusals)
      expect(await w.visitor.refusal(applyOperation, { ...applicant(), ...wrong })).toMatchObject(refusal)
    expect(await queue()).toEqual([])
    await apply({ ...applicant(), answer: '😀'.repeat(500), voucher: '@@' })
    expect(await queue()).toHaveLength(1)
  })

  test('APR-08 nobody can apply in another registration mode or without accepting the house rules', async () => {
    for (const registration of ['open', 'invite', 'closed'] as const) {
      await olga.call(updateCommunityOperation, { registration })
      expect(await w.visitor.refusal(applyOperation, applicant())).toMatchObject({
        type: 'applications_closed',
      })
    }
    const settings = { registration: 'approval', rules: ['Nos cuidamos.'] } as const
    const { rulesVersion } = await olga.call(updateCommunityOperation, {
      ...settings,
      rules: [...settings.rules],
    })
    expect(await w.visitor.refusal(applyOperation, applicant())).toMatchObject({
      type: 'rules_unseen',
      field: 'rulesVersion',
    })
    const nueva = applicant()
    await w.visitor.call(applyOperation, { ...nueva, rulesVersion })
    await confirmNewestApplication(w, nueva)
    await approve(nueva)
    expect(await accountsOf(nueva)).toMatchObject([{ rules_seen: rulesVersion }])
    await olga.call(updateCommunityOperation, { rules: [] })
  })
})

describe('the queue of applications', () => {
  test('APR-09 only operators see the queue of applications; everyone else gets 404 or 401', async () => {
    await apply()
    const applicationId = await waiting()
    await query(
      `insert into moderators (member_id, added_by) select id, 'operator' from users where public_id = $1`,
      [ana.id],
    )
    for (const who of [ana, bea]) {
      expect(await who.refusal(listApplicationsOperation, {})).toMatchObject({ code: 404 })
      for (const operation of [approveApplicationOperation, declineApplicationOperation])
        expect(await who.refusal(operation, { applicationId })).toMatchObject({
          code: 404,
          type: 'general_route_not_found',
        })
    }
    for (const operation of [
      listApplicationsOperation,
      approveApplicationOperation,
      declineApplicationOperation,
    ])
      expect(await w.visitor.refusal(operation, { applicationId })).toMatchObject({ code: 401 })
    expect(await queue()).toHaveLength(1)
    await query('delete from moderators')
  })

  test('APR-09 the queue lists waiting applicants oldest first, across ties and pages', async () => {
    for (let n = 0; n < 25; n += 1) await insertWaitingApplication(w.database, {})
    await query(`update applications set created_at = '2026-01-01T00:00:00Z' where id % 2 = 0`)
    const expected = await query('select public_id from applications order by created_at, public_id')
    const found: string[] = []
    let cursor: string | null = null
    do {
      const page: Page = await olga.call(listApplicationsOperation, { limit: 4, ...(cursor && { cursor }) })
      expect(page.total).toBe(25 - found.length / 4)
      found.push(...page.documents.map(({ $id }) => $id))
      const [last] = page.documents.slice(-1)
      await olga.call(declineApplicationOperation, { applicationId: last?.$id ?? '' })
      cursor = page.next
    } while (cursor)
    expect(found).toEqual(expected.map(({ public_id }) => public_id))
    for (const wrong of ['nada', '~', 'zz~~'])
      expect(await olga.refusal(listApplicationsOperation, { cursor: wrong })).toMatchObject({
        type: 'general_cursor_not_found',
        field: 'cursor',
      })
  })

  test('APR-10 only one of several concurrent decisions about an application takes effect', {
    timeout: raceTimeoutMs,
  }, async () => {
    let given = applicant()
    await runRaceRounds(
      w.database,
      async () => {
        await query('delete from applications')
        given = await apply()
        const applicationId = await waiting()
        return [
          () => olga.ask(approveApplicationOperation, { applicationId }),
          () => oria.ask(declineApplicationOperation, { applicationId }),
          () => oria.ask(approveApplicationOperation, { applicationId }),
        ]
      },
      async (answers) => {
        expect(countResponsesByStatus(answers)).toEqual({ 204: 1, 409: 2 })
        const approved = answers[1]?.status === 409
        expect((await accountsOf(given)).length).toBe(approved ? 1 : 0)
        expect((await emailsTo(given)).map(({ kind }) => kind)).toEqual([
          approved ? 'application-approved' : 'application-declined',
        ])
      },
    )
    const applicationId = (await query('select public_id from applications'))[0].public_id
    expect(await olga.refusal(declineApplicationOperation, { applicationId })).toMatchObject({
      code: 409,
      type: 'application_decided',
    })
    for (const unknown of ['nobody', 'a'.repeat(36)])
      expect(await olga.refusal(declineApplicationOperation, { applicationId: unknown })).toMatchObject({
        code: 404,
        type: 'application_not_found',
      })
  })

  test('APR-10 an applicant who withdraws while an operator approves is either deleted or a member', {
    timeout: raceTimeoutMs,
  }, async () => {
    let given = applicant()
    await runRaceRounds(
      w.database,
      async () => {
        await query('delete from applications')
        given = await apply()
        const applicationId = await waiting()
        const { email, password } = given
        return [
          () => olga.ask(approveApplicationOperation, { applicationId }),
          () => w.visitor.ask(withdrawApplicationOperation, { email, password }),
        ]
      },
      async ([approved, withdrawn]) => {
        expect((await accountsOf(given)).length).toBe(approved?.status === 204 ? 1 : 0)
        expect((await signIn(given)).status).toBe(approved?.status === 204 ? 201 : 401)
        expect([204, 401, 409]).toContain(withdrawn?.status)
        expect(approved?.status === 204).toBe(withdrawn?.status !== 204)
      },
    )
  })

  test('APR-04 concurrent applicants for the same username each get a different one', {
    timeout: raceTimeoutMs,
  }, async () => {
    await runRaceRounds(
      w.database,
      async (round) => {
        await query('delete from applications')
        const username = `deseada${round}`
        const { code } = await ana.call(createInvitationOperation, {})
        const { answer: _, ...invited } = { ...applicant(), username }
        return [
          ...[1, 2, 3].map(() => async () => {
            const given = { ...applicant(), username }
            const answer = await w.visitor.ask(applyOperation, given)
            await confirmNewestApplication(w, given)
            return answer
          }),
          () => w.visitor.ask(signUpOperation, { ...invited, invite: code ?? '' }),
        ]
      },
      async (answers) => {
        const [invited] = answers.slice(-1)
        expect(answers.slice(0, -1).map(({ status }) => status)).toEqual([204, 204, 204])
        expect([201, 409]).toContain(invited?.status)
        for (const { $id } of await queue())
          await olga.call(approveApplicationOperation, { applicationId: $id })
        const usernames = await query(`select username from users where username like 'deseada%'`)
        expect(new Set(usernames.map(({ username }) => username)).size).toBe(usernames.length)
      },
    )
  })

  test('APR-10 an application whose address now belongs to a member can only be declined', async () => {
    const nueva = await apply()
    const applicationId = await waiting()
    await query(`insert into accounts (public_id, email) values ('quick', $1)`, [nueva.email])
    expect(await olga.refusal(approveApplicationOperation, { applicationId })).toMatchObject({
      code: 409,
      type: 'user_already_exists',
    })
    expect(await queue()).toHaveLength(1)
    await decline()
    expect(await queue()).toEqual([])
    await query(`delete from accounts where public_id = 'quick'`)
  })

  test("APR-04 a person who verifies the applicant's address gets the address, and the application ends", async () => {
    const claimed = await apply()
    const { code } = await bea.call(createInvitationOperation, {})
    await w.visitor.request('POST', '/v1/account/tokens/magic-url', {
      userId: 'unique()',
      email: claimed.email,
    })
    const link = await fetchSentLinkSecret(w, claimed.email)
    const entered = await w.visitor.request('PUT', '/v1/account/sessions/magic-url', link, {
      'x-juntas-invite': code ?? '',
    })
    expect(entered.status).toBe(201)
    expect(await queue()).toEqual([])
    expect((await signIn(claimed)).status).toBe(401)
  })

  test('APR-11 an application notifies the operators in one grouped row and emails them at most once a day', async () => {
    // Writes the notifications of earlier tests, so that the job does not write them later.
    await settleNotifications(w.database)
    await query('delete from notifications')
    for (const who of [olga, oria])
      await query('update accounts set email_verified = true where public_id = $1', [who.accountId])
    const outbox = createDevOutbox()
    const config = readConfig({ PUBLIC_URL: 'http://localhost:3000' })
    const emails = await createEmailSender(config, createServerLogger('silent'), outbox)
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000)
    const email = (hours: number) =>
      emailWaitingApplications({ config, database: w.database, emails }, inHours(hours))
    const nueva = await apply()
    await apply()
    const [row, ...others] = await readNotifications(w.database, olga)
    expect(others).toEqual([])
    expect(row).toMatchObject({ kind: 'application', count: 2, people: [], unread: true })
    for (const who of [ana, bea]) expect(await readNotifications(w.database, who)).toEqual([])
    expect(await email(0.9)).toBe(0)
    expect((await Promise.all([email(1.1), email(1.1)])).toSorted()).toEqual([0, 2])
    expect(await email(24)).toBe(0)
    await apply()
    expect(await email(25)).toBe(0)
    expect(await email(25.2)).toBe(2)
    for (const { text, kind } of outbox.entries()) {
      expect(kind).toBe('applications-waiting')
      expect(text).toContain('http://localhost:3000/admin/applications')
      for (const said of [nueva.name, nueva.username, nueva.answer, nueva.email])
        expect(text).not.toContain(said)
    }
    for (const { $id } of await queue()) await olga.call(declineApplicationOperation, { applicationId: $id })
    expect(await readNotifications(w.database, oria)).toEqual([])
    expect(await email(100)).toBe(0)
  })
})

describe('a member named in an application', () => {
  test('APR-12 a member named in an application gets a notification, answers once, and the queue shows her answer', async () => {
    await query('delete from notifications')
    const nueva = await apply({ ...applicant(), voucher: `@${usernameOf(ana).toUpperCase()}` })
    expect(await queue()).toMatchObject([
      { voucher: { username: usernameOf(ana), name: 'Ana', vouched: null }, answer: nueva.answer },
    ])
    expect(await readNotifications(w.database, ana, 'requests')).toMatchObject([
      { kind: 'vouch-request', count: 1, people: [] },
    ])
    const { documents } = await ana.call(listVouchRequestsOperation, {})
    expect(documents).toMatchObject([{ username: nueva.username }])
    for (const said of [nueva.name, nueva.answer]) expect(JSON.stringify(documents)).not.toContain(said)
    const applicationId = documents[0]?.$id ?? ''
    for (const who of [bea, olga])
      expect(await who.refusal(answerVouchRequestOperation, { applicationId, vouched: true })).toMatchObject({
        code: 404,
        type: 'application_not_found',
      })
    expect(
      await w.visitor.refusal(answerVouchRequestOperation, { applicationId, vouched: true }),
    ).toMatchObject({
      code: 401,
    })
    expect((await bea.call(listVouchRequestsOperation, {})).documents).toEqual([])
    const answers = await Promise.all(
      [true, false, true].map((vouched) => ana.ask(answerVouchRequestOperation, { applicationId, vouched })),
    )
    expect(countResponsesByStatus(answers)).toEqual({ 204: 1, 404: 2 })
    const [application] = await queue()
    expect(application?.voucher?.vouched).toBe(answers[1]?.status !== 204)
    expect((await ana.call(listVouchRequestsOperation, {})).documents).toEqual([])
    expect(await readNotifications(w.database, ana)).toEqual([])
  })

  test('APR-12 a named member is asked about three applicants at a time, and further applicants get the same response', async () => {
    await query('delete from notifications')
    const name = async () => {
      const given = { ...applicant(), voucher: usernameOf(cleo) }
      const answer = await w.visitor.ask(applyOperation, given)
      await confirmNewestApplication(w, given)
      return answer
    }
    const asked = async () => (await cleo.call(listVouchRequestsOperation, {})).documents
    const answers = [...(await Promise.all([name(), name(), name(), name()])), await name()]
    expect(countResponsesByStatus(answers)).toEqual({ 204: 5 })
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(await asked()).toHaveLength(3)
    expect(await query('select from applications where voucher_id is not null')).toHaveLength(3)
    expect(await readNotifications(w.database, cleo)).toMatchObject([{ kind: 'vouch-request', count: 3 }])
    expect((await queue()).map(({ voucher }) => voucher)).toEqual(
      Array(5).fill({ username: usernameOf(cleo), name: 'Cleo', vouched: null }),
    )
    const [first] = await asked()
    await cleo.call(answerVouchRequestOperation, { applicationId: first?.$id ?? '', vouched: false })
    expect(await asked()).toHaveLength(2)
    await name()
    expect(await asked()).toHaveLength(3)
  })

  test('APR-12 a named member who is unlisted is not asked', async () => {
    await query('delete from notifications')
    await dora.call(updatePrivacySettingsOperation, { isListed: false })
    await apply({ ...applicant(), voucher: usernameOf(dora) })
    expect((await dora.call(listVouchRequestsOperation, {})).documents).toEqual([])
    expect(await readNotifications(w.database, dora)).toEqual([])
    expect(await queue()).toMatchObject([{ voucher: { username: usernameOf(dora), vouched: null } }])
  })

  test('APR-12 only operators see a name that belongs to no member', async () => {
    await apply({ ...applicant(), voucher: 'nadie' })
    expect(await queue()).toMatchObject([{ voucher: { username: 'nadie', name: null, vouched: null } }])
  })

  test('APR-12 a named member is no longer asked once the application is decided', async () => {
    await apply({ ...applicant(), voucher: usernameOf(ana) })
    const applicationId = await waiting()
    await decline()
    expect((await ana.call(listVouchRequestsOperation, {})).documents).toEqual([])
    expect(await ana.refusal(answerVouchRequestOperation, { applicationId, vouched: true })).toMatchObject({
      type: 'application_not_found',
    })
  })
})

describe('what applicants wrote', () => {
  test('APR-13 an application is erased 30 days after its decision, not earlier, and never while it waits', async () => {
    const approved = await apply()
    await approve(approved)
    await apply()
    await decline()
    const waits = await apply()
    const log = createServerLogger('silent')
    const age = async (days: number) => {
      await query(
        `update applications set created_at = created_at - make_interval(days => $1), decided_at = decided_at - make_interval(days => $1)`,
        [days],
      )
      await purgeExpiredRows({ database: w.database, log } as FileContext)
      return (await query('select state from applications order by state')).map(({ state }) => state)
    }
    expect(await age(29)).toEqual(['approved', 'declined', 'waiting'])
    expect(await age(2)).toEqual(['waiting'])
    expect(await age(400)).toEqual(['waiting'])
    expect((await queue()).map(({ username }) => username)).toEqual([waits.username])
    expect((await signIn(approved)).status).toBe(201)
  })

  test('APR-13 the data exports of the applicant and of the member she named contain the application', async () => {
    const nueva = await apply({ ...applicant(), voucher: usernameOf(bea) })
    const [request] = (await bea.call(listVouchRequestsOperation, {})).documents
    await bea.call(answerVouchRequestOperation, { applicationId: request?.$id ?? '', vouched: true })
    await approve(nueva)
    const exported = async (list: string, email: string) => {
      const [of] = await query(
        `select u.account_id::int as account, u.id::int as member, 0 as export from users u join accounts a on a.id = u.account_id
         where a.email = $1`,
        [email],
      )
      const { rows } = await sql<{ item: Record<string, unknown> }>`${findExportedList(
        'invitations',
        list,
      ).select(of as ExportSubject)}`.execute(w.database.kysely)
      return rows.map(({ item }) => item)
    }
    expect(await exported('application', nueva.email)).toMatchObject([
      { username: nueva.username, email: nueva.email, answer: nueva.answer, named: usernameOf(bea) },
    ])
    expect(await exported('applicantsKnown', bea.email)).toMatchObject([
      { username: nueva.username, known: true },
    ])
    for (const list of ['application', 'applicantsKnown']) expect(await exported(list, ana.email)).toEqual([])
  })
})

describe('the operator', () => {
  test('APR-14 the operator writes the application question; by default people see a standard question', async () => {
    const applicationQuestion = '¿Tejes o bordas?'
    await olga.call(updateCommunityOperation, { applicationQuestion })
    expect(await w.visitor.call(getCommunityOperation, {})).toMatchObject({ applicationQuestion })
    expect(await ana.refusal(updateCommunityOperation, { applicationQuestion: 'Otra' })).toMatchObject({
      code: 404,
    })
    expect(
      await olga.refusal(updateCommunityOperation, { applicationQuestion: 'a'.repeat(301) }),
    ).toMatchObject({ code: 400, field: 'applicationQuestion' })
    await olga.call(updateCommunityOperation, { applicationQuestion: '' })
    expect(await w.visitor.call(getCommunityOperation, {})).toMatchObject({ applicationQuestion: null })
  })

  test('APR-14 a node of the previous version sees approval mode as "invite"', async () => {
    for (const [registration, stored] of [
      ['approval', 'invite'],
      ['open', 'open'],
      ['approval', 'invite'],
    ] as const) {
      expect(await olga.call(updateCommunityOperation, { registration })).toMatchObject({ registration })
      expect(await query('select registration from community')).toEqual([{ registration: stored }])
      expect(await w.visitor.call(getCommunityOperation, {})).toMatchObject({ registration })
    }
  })
})

describe('the operator commands', () => {
  const context = async () => {
    const outbox = createDevOutbox()
    const emails = await createEmailSender(readConfig({}), createServerLogger('silent'), outbox)
    const store = createTransactionalStore(w.database, collectionEffects, () => {})
    return { db: w.database.kysely, store, emails, publicUrl: 'http://localhost:3000', outbox }
  }

  test("APR-15 the commands list, approve and decline applications by username, send an email and write the operators' log", async () => {
    const [one, two] = [await apply(), await apply({ ...applicant(), voucher: 'nadie' })]
    const by = await context()
    expect(await listWaitingApplications(by.db)).toMatchObject([
      { username: one.username, answer: one.answer, voucher_named: null },
      { username: two.username, voucher_named: 'nadie', vouched: null },
    ])
    await decideApplicationOf(by, `@${one.username.toUpperCase()}`, {
      decision: 'approved',
      sentence: 'Ven.',
    })
    await decideApplicationOf(by, two.username, { decision: 'declined' })
    expect((await signIn(one)).status).toBe(201)
    expect((await signIn(two)).body).toMatchObject({ type: 'application_declined' })
    expect(by.outbox.entries().map(({ to, kind }) => [to, kind])).toEqual([
      [one.email, 'application-approved'],
      [two.email, 'application-declined'],
    ])
    const acts = await query(
      'select act, operator_id, run_by is null as app from operator_acts order by id desc limit 2',
    )
    expect(acts).toEqual([
      { act: 'application.decline', operator_id: null, app: false },
      { act: 'application.approve', operator_id: null, app: false },
    ])
    expect(await listWaitingApplications(by.db)).toEqual([])
    for (const name of [one.username, 'nadie'])
      await expect(decideApplicationOf(by, name, { decision: 'declined' })).rejects.toThrow(
        `Nobody called ${name} waits for a decision.`,
      )
  })

  test('APR-15 the commands refuse an application whose address a member has, and change nothing', async () => {
    const nueva = await apply()
    await query(`insert into accounts (public_id, email) values ('first', $1)`, [nueva.email])
    await expect(
      decideApplicationOf(await context(), nueva.username, { decision: 'approved' }),
    ).rejects.toThrow('already exists')
    expect(await queue()).toHaveLength(1)
    await query(`delete from accounts where public_id = 'first'`)
  })
})

test('APR-16 one IP address can send five applications an hour, whether valid or not', async () => {
  const limited = await createTestWorld({ REGISTRATION: 'approval', TRUSTED_PROXIES: '127.0.0.1' })
  // Requests behind a proxy are not exempt from limits, even from this machine.
  const far = { 'x-forwarded-for': '203.0.113.1' }
  const statuses: number[] = []
  for (let n = 0; n < 6; n += 1) {
    const given = { ...applicant(), ...(n === 1 && { answer: '' }) }
    statuses.push((await limited.visitor.request('POST', '/v1/applications', given, far)).status)
  }
  expect(statuses).toEqual([204, 400, 204, 204, 204, 429])
  const elsewhere = { 'x-forwarded-for': '203.0.113.2' }
  expect((await limited.visitor.request('POST', '/v1/applications', applicant(), elsewhere)).status).toBe(204)
  await limited.end()
})
