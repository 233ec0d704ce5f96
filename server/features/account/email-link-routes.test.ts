import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeAccountOperation, requestEmailChangeOperation } from '#contract/account/account-settings.ts'
import * as recovery from '#contract/account/email-links.ts'
import { getCurrentMemberOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { requestDeletionOperation } from '#contract/deletion/deletion.ts'
import { readConfig } from '#server/config.ts'
import { captureSqlStatements } from '#server/database/prepared-statements.ts'
import { createDevOutbox } from '#server/email/dev-outbox.ts'
import { createEmailSender } from '#server/email/email-sender.ts'
import { requestTwoFactorRemoval } from '#server/features/account/operator-commands.ts'
import { createServerLogger } from '#server/log.ts'
import { waitForLockWaits } from '#tests/support/lock-waits.ts'
import {
  extractCookieHeader,
  fetchNewestMessageTo,
  fetchSentLinkSecret,
  fetchSentMessagesTo,
} from '#tests/support/sent-messages.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

const chosen = 'una nueva y larga'
const ask = (email: string) => w.visitor.ask(recovery.requestPasswordResetOperation, { email })
const reset = (given: { userId: string; secret: string; password: string }) =>
  w.visitor.ask(recovery.resetPasswordOperation, given)
const signIn = (email: string, password: string) =>
  w.visitor.request('POST', '/v1/sessions', { email, password })
const accountBy = async (cookie: string) =>
  w.visitor.request<{ email: string; emailVerification: boolean }>('GET', '/v1/account', undefined, {
    cookie,
  })
const verifyEmail = async (her: MemberClient) => {
  await her.request('POST', '/v1/account/verification', { url: 'http://localhost:3000/' })
  const { userId, secret } = await fetchSentLinkSecret(w, her.email)
  expect((await her.ask(recovery.confirmEmailOperation, { userId, secret })).body).toEqual({ recovery: null })
}

describe('password recovery', () => {
  test('REC-03 a recovery request gives the same bytes and statements for existing, unknown and closed accounts', async () => {
    const [ana, gone] = [await w.join('Ana'), await w.join('Gala')]
    await w.database.pool.query('update accounts set email_verified = true where email = $1', [gone.email])
    await gone.request('PATCH', '/v1/account/status', {})
    // These first requests prepare the SQL statements, so that the requests compared below do not.
    await ask(ana.email)
    const answers = []
    for (const email of [ana.email, 'nadie@juntas.test', gone.email])
      answers.push(await captureSqlStatements(() => ask(email)))
    const [first, ...others] = answers
    expect(first?.result).toMatchObject({ status: 204 })
    expect(first?.result.raw).toHaveLength(0)
    for (const { result, statements } of others) {
      expect([result.status, result.raw.length]).toEqual([204, 0])
      expect(statements).toEqual(first?.statements)
    }
    expect(await fetchSentMessagesTo(w, 'nadie@juntas.test')).toEqual([])
    expect(await fetchSentMessagesTo(w, gone.email)).toEqual([])
  })

  test('REC-07 VER-08 the recovery link opens our own screen, and the new password ends every session and starts a new one', async () => {
    const bea = await w.join('Bea')
    await ask(bea.email.toUpperCase())
    expect(await fetchNewestMessageTo(w, bea.email)).toMatchObject({ kind: 'recovery' })
    const { link, userId, secret } = await fetchSentLinkSecret(w, bea.email)
    expect(`${link.origin}${link.pathname}`).toBe('http://localhost:3000/recovery/new')
    const done = await reset({ userId, secret, password: chosen })
    expect(done).toMatchObject({ status: 200, body: { accountId: bea.accountId } })
    expect((await bea.request('GET', '/v1/me/session')).status).toBe(401)
    const session = extractCookieHeader(done)
    expect((await accountBy(session)).body).toMatchObject({ email: bea.email, emailVerification: true })
    expect((await signIn(bea.email, testPassword)).status).toBe(401)
    expect((await signIn(bea.email, chosen)).status).toBe(201)
  })

  test('REC-06 REC-08 a refused password leaves the recovery link usable; used, expired and damaged links are refused', async () => {
    const carla = await w.join('Carla')
    await ask(carla.email)
    const { userId, secret } = await fetchSentLinkSecret(w, carla.email)
    for (const [password, type] of [
      ['password1', 'password_too_common'],
      ['Carla1990!', 'password_personal_data'],
      ['corta', 'general_argument_invalid'],
    ] as const)
      expect((await reset({ userId, secret, password })).body).toMatchObject({ field: 'password', type })
    expect((await reset({ userId, secret: secret.slice(1), password: chosen })).body).toMatchObject({
      type: 'user_invalid_token',
    })
    expect((await reset({ userId, secret, password: chosen })).status).toBe(200)
    expect((await reset({ userId, secret, password: chosen })).body).toMatchObject({
      code: 401,
      type: 'user_invalid_token',
    })
    await ask(carla.email)
    const old = await fetchSentLinkSecret(w, carla.email)
    await w.database.pool.query(
      `update tokens set created_at = created_at - interval '61 minutes', expires_at = expires_at - interval '61 minutes'
       where used_at is null`,
    )
    expect((await reset({ userId: old.userId, secret: old.secret, password: chosen })).body).toMatchObject({
      type: 'user_invalid_token',
    })
  })

  test('REC-04 the sixth recovery email in an hour is refused', async () => {
    const { email } = await w.join('Dora')
    const from = { 'x-forwarded-for': '203.0.113.1' }
    const statuses = []
    for (let time = 0; time < 6; time += 1)
      statuses.push((await w.visitor.request('POST', '/v1/recovery', { email }, from)).status)
    expect(statuses).toEqual([204, 204, 204, 204, 204, 429])
  })
})

describe('REC-11 sign-in links', () => {
  test('an unknown address gets the same response to a sign-in link request, and a sign-in link works once', async () => {
    const hana = await w.join('Hana')
    await verifyEmail(hana)
    const asked = async (email: string) => {
      const { status, raw } = await w.visitor.ask(recovery.requestSignInLinkOperation, { email })
      return [status, raw.length]
    }
    expect(await asked('nadie.aqui@juntas.test')).toEqual(await asked(hana.email))
    const { link, userId, secret } = await fetchSentLinkSecret(w, hana.email)
    expect(link.pathname).toBe('/sign-in/link')
    expect(userId).not.toBe(hana.accountId)
    const done = await w.visitor.ask(recovery.signInByLinkOperation, { userId, secret })
    expect(done).toMatchObject({ status: 200, body: { accountId: hana.accountId } })
    expect((await accountBy(extractCookieHeader(done))).body).toMatchObject({ email: hana.email })
    expect((await w.visitor.ask(recovery.signInByLinkOperation, { userId, secret })).body).toMatchObject({
      type: 'user_invalid_token',
    })
    expect((await hana.request('GET', '/v1/me/session')).status).toBe(200)
  })
})

describe('available recovery methods', () => {
  test('REC-09 REC-10 the community shows the email outbox only to this machine, and offers no email in production without an SMTP server', async () => {
    const community = async (of: TestWorld, headers = {}) =>
      (await of.visitor.request('GET', '/v1/community', undefined, headers)).body
    expect(await community(w)).toMatchObject({ mail: true, outbox: true, contact: null })
    expect(await community(w, { 'x-forwarded-for': '203.0.113.1' })).toMatchObject({ outbox: false })
    expect(await community(w, { host: 'juntas.example' })).toMatchObject({ outbox: false })
    const silent = await createTestWorld({
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://juntas.example',
      CONTACT: 'la biblioteca de la esquina',
    })
    try {
      expect(await community(silent)).toMatchObject({
        mail: false,
        outbox: false,
        contact: 'la biblioteca de la esquina',
      })
      // The flag `no-recovery` would hide the recovery link, but here that link leads to the operator's
      // contact.
      expect((await silent.visitor.request('GET', '/sign-in')).headers['server-timing']).toBeUndefined()
      const refused = await silent.visitor.ask(recovery.requestPasswordResetOperation, {
        email: 'ana@juntas.test',
      })
      expect(refused).toMatchObject({ status: 503, body: { type: 'general_smtp_disabled' } })
    } finally {
      await silent.end()
    }
  })

  test('REC-10 the sign-in page reports that recovery is unavailable without email and without a contact', async () => {
    const silent = await createTestWorld({ NODE_ENV: 'production', PUBLIC_URL: 'https://juntas.example' })
    try {
      const page = await silent.visitor.request('GET', '/sign-in')
      expect(page.headers['server-timing']).toBe('no-recovery')
      expect((await w.visitor.request('GET', '/sign-in')).headers['server-timing']).toBeUndefined()
    } finally {
      await silent.end()
    }
  })
})

describe('confirming an address', () => {
  test('VER-02 a signed-out owner confirms her address, which ends earlier sessions and lets her choose a password', async () => {
    const eva = await w.join('Eva')
    await eva.request('POST', '/v1/account/verification', { url: 'http://localhost:3000/' })
    const { userId, secret } = await fetchSentLinkSecret(w, eva.email)
    const confirmed = await w.visitor.call(recovery.confirmEmailOperation, { userId, secret })
    if (!confirmed.recovery) throw new Error('no password can be chosen')
    expect((await eva.request('GET', '/v1/me/session')).status).toBe(401)
    const done = await reset({ ...confirmed.recovery, password: chosen })
    expect((await accountBy(extractCookieHeader(done))).body).toMatchObject({ emailVerification: true })
    expect((await w.visitor.ask(recovery.confirmEmailOperation, { userId, secret })).body).toMatchObject({
      type: 'user_invalid_token',
    })
  })

  test('VER-05 confirming a changed address ends other sessions, and undoing the change leads to choosing a new password', async () => {
    const fara = await w.join('Fara')
    await verifyEmail(fara)
    const elsewhere = extractCookieHeader(await signIn(fara.email, testPassword))
    const email = `nueva.${fara.email}`
    await fara.request('PATCH', '/v1/account/email', { email, password: testPassword })
    const { userId, secret } = await fetchSentLinkSecret(w, email)
    const stranger = await w.visitor.ask(recovery.confirmEmailOperation, { userId, secret })
    expect(stranger).toMatchObject({ status: 401, body: { type: 'user_invalid_credentials' } })
    expect(await fara.call(recovery.confirmEmailOperation, { userId, secret })).toEqual({ recovery: null })
    expect((await accountBy(fara.cookie)).body).toMatchObject({ email, emailVerification: true })
    expect((await accountBy(elsewhere)).status).toBe(401)
    const undo = await fetchSentLinkSecret(w, fara.email)
    expect(undo.link.pathname).toBe('/email-undo')
    const linkParameters = await w.visitor.call(recovery.undoEmailChangeOperation, {
      userId: undo.userId,
      secret: undo.secret,
    })
    expect((await accountBy(fara.cookie)).status).toBe(401)
    const done = await reset({ ...linkParameters, password: chosen })
    expect((await accountBy(extractCookieHeader(done))).body).toMatchObject({ email: fara.email })
  })
})

describe('S22 undoing a change of address by a thief', () => {
  /**
   * The thief uses her password in her unlocked browser.
   * @returns the email to her own mailbox
   */
  const steal = async (name: string, before: (her: MemberClient) => Promise<unknown> = async () => {}) => {
    const her = await w.join(name)
    await verifyEmail(her)
    await before(her)
    const email = `ladrona.${her.email}`
    await her.request('PATCH', '/v1/account/email', { email, password: testPassword })
    await her.call(recovery.confirmEmailOperation, await fetchSentLinkSecret(w, email))
    const { userId, secret } = await fetchSentLinkSecret(w, her.email)
    return { her, undo: () => w.visitor.ask(recovery.undoEmailChangeOperation, { userId, secret }) }
  }
  const askDeletion = async (her: MemberClient) => {
    const { username } = await her.call(getCurrentMemberOperation, {})
    await her.call(requestDeletionOperation, { username, password: testPassword })
  }
  const closings: [string, (her: MemberClient) => Promise<unknown>][] = [
    ['a deletion', askDeletion],
    ['a closing for a while', (her) => her.call(closeAccountOperation, {})],
    [
      'a closing by an Appwrite client',
      (her) => her.request('PATCH', '/v1/account/status', { password: testPassword }),
    ],
  ]
  const statusOf = async ({ accountId }: MemberClient) =>
    (
      await w.database.pool.query(
        `select status, email, (select state from deletions where account_id = a.id) as deletion
         from accounts a where public_id = $1`,
        [accountId],
      )
    ).rows[0]
  const suspend = (her: MemberClient, how: string) =>
    w.database.pool.query(
      `insert into suspensions (account_id, reason, ends_at, reopens)
       select a.id, 'Acoso', clock_timestamp() + $1::interval, false from accounts a where a.public_id = $2`,
      [how, her.accountId],
    )

  const authenticator = '/v1/account/mfa/authenticators/totp'
  /** Sets up an authenticator app, which is not used until two-factor authentication is turned on. */
  const setUpApp = async (her: MemberClient) => {
    const { body } = await her.request<{ secret: string }>('POST', authenticator, {})
    const otp = new TOTP({ secret: Secret.fromBase32(body.secret) }).generate()
    expect((await her.request('PUT', authenticator, { otp })).status).toBe(200)
  }
  const turnOn = async (her: MemberClient) =>
    expect((await her.request('PATCH', '/v1/account/mfa', { mfa: true })).status).toBe(200)
  const both = async (her: MemberClient) => {
    await setUpApp(her)
    await turnOn(her)
  }

  test.each([
    ['that were turned on since', async () => {}, both, false],
    ['that were turned on since by an app from before', setUpApp, turnOn, false],
    ['from before stay: a mailbox that she left must not take them from her', both, async () => {}, true],
  ])(
    'undoing the change ends two-factor authentication turned on since then: factors %s',
    async (what, before, since, secondStep) => {
      const { her, undo } = await steal(`Greta ${what.length}`, before)
      await since(her)
      const linkParameters = (await undo()).body as { userId: string; secret: string }
      const done = await reset({ ...linkParameters, password: chosen })
      expect(done.body).toMatchObject({ secondStep })
    },
  )

  const askTwoFactorRemoval = async (her: MemberClient) => {
    const emails = await createEmailSender(readConfig({}), createServerLogger('silent'), createDevOutbox())
    const { username } = await her.call(getCurrentMemberOperation, {})
    await requestTwoFactorRemoval(
      { db: w.database.kysely, emails, publicUrl: 'http://localhost:3000' },
      username ?? '',
    )
  }
  const waitingFor = async ({ accountId }: MemberClient) =>
    (
      await w.database.pool.query(
        'select from unlock_requests r join accounts a on a.id = r.account_id where a.public_id = $1',
        [accountId],
      )
    ).rowCount

  test.each([
    [
      'that a thief had the operator asked for since ends with it',
      async () => {},
      askTwoFactorRemoval,
      0,
      ['mfa.unlock-stop'],
    ],
    ['that she asked for before goes on', askTwoFactorRemoval, async () => {}, 1, []],
  ])(
    'MFA-15 a pending removal of two-factor authentication %s',
    async (what, earlier, since, waiting, expectedEvents) => {
      const { her, undo } = await steal(`Gudrun ${what.length}`, async (her) => {
        await both(her)
        await earlier(her)
      })
      await since(her)
      expect(await waitingFor(her)).toBe(1)
      const linkParameters = (await undo()).body as { userId: string; secret: string }
      expect(await waitingFor(her)).toBe(waiting)
      expect((await reset({ ...linkParameters, password: chosen })).body).toMatchObject({ secondStep: true })
      const { rows } = await w.database.pool.query(
        `select event from account_events e join accounts a on a.id = e.account_id
       where a.public_id = $1 and event = 'mfa.unlock-stop'`,
        [her.accountId],
      )
      expect(rows.map(({ event }) => event)).toEqual(expectedEvents)
    },
  )

  test.each(closings)('undoing the change of address cancels %s', async (what, close) => {
    const { her, undo } = await steal(`Gina ${what}`)
    await close(her)
    expect(await statusOf(her)).toMatchObject({ status: 'blocked' })
    const linkParameters = await undo()
    expect(linkParameters.status).toBe(200)
    expect(await statusOf(her)).toEqual({ status: 'active', email: her.email, deletion: null })
    const done = await reset({
      ...(linkParameters.body as { userId: string; secret: string }),
      password: chosen,
    })
    expect(done).toMatchObject({ status: 200, body: { accountId: her.accountId } })
  })

  test.each(closings)(
    '%s is cancelled by undoing the change of address during a suspension, which continues to its end',
    async (what, close) => {
      const { her, undo } = await steal(`Hebe ${what}`)
      await close(her)
      await suspend(her, '1 day')
      expect((await undo()).status).toBe(200)
      expect(await statusOf(her)).toEqual({ status: 'blocked', email: her.email, deletion: null })
      const { rows } = await w.database.pool.query(
        'select reopens from suspensions s join accounts a on a.id = s.account_id where a.public_id = $1',
        [her.accountId],
      )
      expect(rows).toEqual([{ reopens: true }])
    },
  )

  test('undoing the change does not reopen an account that an operator closed, even if the member had closed it earlier', async () => {
    const { her, undo } = await steal('Irma')
    await her.call(closeAccountOperation, {})
    const open = "update accounts set status = 'active' where public_id = $1"
    await w.database.pool.query(open, [her.accountId])
    await w.database.pool.query(open.replace('active', 'blocked'), [her.accountId])
    expect((await undo()).status).toBe(200)
    expect(await statusOf(her)).toMatchObject({ status: 'blocked', email: her.email })
  })

  test("undoing the change ends a session that the thief's new password is just starting", async () => {
    const { her, undo } = await steal('Jimena')
    const email = `ladrona.${her.email}`
    await ask(email)
    const { userId, secret } = await fetchSentLinkSecret(w, email)
    // The thief's new session will replace this account's, which lets the test delay the thief.
    const thief = await w.join('Ladrona')
    const holding = await w.database.pool.connect()
    let begun: Awaited<ReturnType<typeof reset>>
    try {
      await holding.query('begin')
      await holding.query(
        'select from sessions where account_id = (select id from accounts where public_id = $1) for update',
        [thief.accountId],
      )
      const beginning = thief.ask(recovery.resetPasswordOperation, { userId, secret, password: chosen })
      await waitForLockWaits(w.database, 1)
      const undoing = undo()
      await waitForLockWaits(w.database, 2, undoing)
      await holding.query('commit')
      begun = await beginning
      expect((await undoing).status).toBe(200)
    } finally {
      holding.release()
    }
    expect((await accountBy(extractCookieHeader(begun))).status).toBe(401)
  })

  test('undoing the change fails and writes nothing while the account is being erased', async () => {
    const { her, undo } = await steal('Judith')
    await askDeletion(her)
    await w.database.pool.query(
      `update deletions set state = 'erasing' where account_id = (select id from accounts where public_id = $1)`,
      [her.accountId],
    )
    expect(await undo()).toMatchObject({ status: 409, body: { type: 'deletion_under_way' } })
    expect(await statusOf(her)).toMatchObject({ status: 'blocked', email: `ladrona.${her.email}` })
  })
})

describe('S22 an address that the member changed back before using its undo', () => {
  /** @returns the email to the former address, if any */
  const change = async (her: MemberClient, from: string, to: string) => {
    const before = (await fetchSentMessagesTo(w, from)).length
    await her.call(requestEmailChangeOperation, { email: to, password: testPassword })
    await her.call(recovery.confirmEmailOperation, await fetchSentLinkSecret(w, to))
    const messages = (await fetchSentMessagesTo(w, from)).slice(before)
    if (!messages.some(({ kind }) => kind === 'email-undo')) return null
    const { userId, secret } = await fetchSentLinkSecret(w, from)
    return { userId, secret }
  }
  const undo = (message: { userId: string; secret: string } | null) =>
    w.visitor.ask(recovery.undoEmailChangeOperation, message ?? { userId: '', secret: '' })
  const spent = { status: 401, body: { type: 'user_invalid_token' } }

  test('after the member returns to her own address, the undo email of no address in between regains the account', async () => {
    const her = await w.join('Katia')
    await verifyEmail(her)
    const [first, second] = [`ladrona.${her.email}`, `otra.${her.email}`]
    const messages = [
      await change(her, her.email, first),
      await change(her, first, second),
      await change(her, second, her.email),
    ]
    expect(messages.map(Boolean)).toEqual([true, true, false])
    for (const message of messages.slice(0, 2)) expect(await undo(message)).toMatchObject(spent)
    expect((await accountBy(her.cookie)).body).toMatchObject({ email: her.email, emailVerification: true })
  })

  test('the address from before both changes regains the account with its own undo email', async () => {
    const her = await w.join('Lola')
    await verifyEmail(her)
    const [hers, theirs] = [`nueva.${her.email}`, `ladrona.${her.email}`]
    const own = await change(her, her.email, hers)
    const stolen = await change(her, hers, theirs)
    expect(await change(her, theirs, hers)).toBeNull()
    expect(await undo(stolen)).toMatchObject(spent)
    const linkParameters = await undo(own)
    expect(linkParameters.status).toBe(200)
    const done = await reset({
      ...(linkParameters.body as { userId: string; secret: string }),
      password: chosen,
    })
    expect((await accountBy(extractCookieHeader(done))).body).toMatchObject({ email: her.email })
  })

  test('a new change of address can be undone once the earlier undo has expired', async () => {
    const her = await w.join('Mara')
    await verifyEmail(her)
    const other = `otra.${her.email}`
    await change(her, her.email, other)
    await w.database.pool.query(
      `update tokens set expires_at = clock_timestamp() where kind = 'email-undo' and sent_to = $1`,
      [her.email],
    )
    expect((await undo(await change(her, other, her.email))).status).toBe(200)
  })
})
