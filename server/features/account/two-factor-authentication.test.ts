import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as settings from '#contract/account/account-settings.ts'
import * as recovery from '#contract/account/email-links.ts'
import { signInOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { buildApp } from '#server/app.ts'
import { findTotpTimeStep } from '#server/auth/second-factors.ts'
import { readConfig } from '#server/config.ts'
import { createDevOutbox } from '#server/email/dev-outbox.ts'
import { createEmailSender } from '#server/email/email-sender.ts'
import { endOverduePendingSessions } from '#server/features/account/account-security-notices.ts'
import { openRateCounterStore } from '#server/http/rate-limit-store.ts'
import { createRateLimits } from '#server/http/rate-limits.ts'
import { registeredRoutesByApp } from '#server/http/route-metadata.ts'
import { createServerLogger } from '#server/log.ts'
import {
  countResponsesByStatus,
  createArrayByIndex,
  raceTimeoutMs,
  runRaceRounds,
} from '#tests/support/run-race-rounds.ts'
import { startSecondServerNode } from '#tests/support/second-node.ts'
import {
  extractCookieHeader,
  fetchCodeSentTo,
  fetchSentLinkSecret,
  fetchSentMessagesTo,
  fetchSignUpEmailsTo,
} from '#tests/support/sent-messages.ts'
import { stopClock } from '#tests/support/stop-clock.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'
import {
  acceptNewInstanceKey,
  countSealedWithInstanceKey,
  issueRecoveryLink,
  requestTwoFactorRemoval,
} from './operator-commands.ts'
import { carryOutDueTwoFactorRemovals } from './two-factor-removal-requests.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

/** `code` always returns an unused code, so tests do not wait for the next period. */
type Fara = MemberClient & { code(): Promise<string>; wrong(): Promise<string>; recoveryCodes: string[] }

const forgetSteps = ({ accountId }: MemberClient) =>
  w.database.pool.query(
    'update totp_secrets t set last_step = 0 from accounts a where a.id = t.account_id and a.public_id = $1',
    [accountId],
  )

async function withApp(her: MemberClient): Promise<Fara> {
  const { secret } = await her.call(settings.beginAuthenticatorOperation, {})
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const code = async () => {
    await forgetSteps(her)
    return totp.generate()
  }
  const { recoveryCodes } = await her.call(settings.turnOnTwoFactorOperation, { code: await code() })
  return Object.assign(her, {
    code,
    wrong: async () => String((Number(await code()) + 1) % 1_000_000).padStart(6, '0'),
    recoveryCodes: recoveryCodes ?? [],
  })
}

const join2 = async (name: string) => withApp(await w.join(name))

async function half({ email }: MemberClient, cookie = '', password = testPassword) {
  const answer = await w.visitor.request<{ secondStep: boolean }>(
    'POST',
    '/v1/sessions',
    { email, password },
    cookie === '' ? {} : { cookie },
  )
  return { ...answer, cookie: extractCookieHeader(answer) }
}
const at = (cookie: string) => ({
  request: (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
    w.visitor.request<Record<string, unknown>>(method, path, body, { cookie }),
})
const browserCookie = ({ headers }: { headers: Record<string, string> }) =>
  /device_juntas=[0-9a-f]+/.exec(headers['set-cookie'] ?? '')?.[0] ?? ''
const step = (cookie: string, body: Record<string, unknown>) =>
  at(cookie).request('PUT', '/v1/sessions/current/second-step', body)
const statusOf = async (cookie: string) => (await at(cookie).request('GET', '/v1/me/session')).status
const more = { status: 401, body: { type: 'user_more_factors_required' } }
const wrongToken = { status: 401, body: { type: 'user_invalid_token' } }
const rows = async (text: string, values: unknown[] = []) => (await w.database.pool.query(text, values)).rows

describe('turning two-factor authentication on', () => {
  test('MFA-02 MFA-03 two-factor authentication turns on only after a correct code, and then shows ten recovery codes once', async () => {
    const ana = await w.join('Ana')
    const { secret, uri } = await ana.call(settings.beginAuthenticatorOperation, {})
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(new URL(uri).protocol).toBe('otpauth:')
    expect(uri).toContain('issuer=Juntas')
    expect((await half(ana)).body.secondStep).toBe(false)
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    const wrong = String((Number(totp.generate()) + 1) % 1_000_000).padStart(6, '0')
    expect(await ana.ask(settings.turnOnTwoFactorOperation, { code: wrong })).toMatchObject(wrongToken)
    expect((await half(ana)).body.secondStep).toBe(false)
    const { recoveryCodes } = await ana.call(settings.turnOnTwoFactorOperation, { code: totp.generate() })
    expect(new Set(recoveryCodes)).toHaveLength?.(10)
    expect(recoveryCodes).toHaveLength(10)
    for (const code of recoveryCodes ?? []) expect(code).toMatch(/^[0-9a-z]{4}-[0-9a-z]{4}$/)
    expect(await ana.ask(settings.beginAuthenticatorOperation, {})).toMatchObject({
      body: { type: 'totp_on' },
    })
    const seen = await ana.call(settings.getAccountSettingsOperation, {})
    expect(seen.twoSteps).toMatchObject({ on: true, recoveryCodesLeft: 10 })
    expect((await half(ana)).body.secondStep).toBe(true)
    const sent = await fetchSentMessagesTo(w, ana.email)
    expect(sent.map(({ kind }) => kind)).toContain('two-steps-on')
    await w.database.pool.query("update sessions set proved_at = proved_at - interval '16 minutes'")
    const eva = await w.join('Eva')
    await w.database.pool.query("update sessions set proved_at = proved_at - interval '16 minutes'")
    expect(await eva.ask(settings.beginAuthenticatorOperation, {})).toMatchObject({
      body: { type: 'user_challenge_required' },
    })
  })

  test('MFA-08 a code is accepted one period early or late, but not two, and works once', async () => {
    const secret = Buffer.from('12345678901234567890')
    const totp = new TOTP({ secret: new Secret({ buffer: new Uint8Array(secret).buffer }) })
    const now = 1_800_000_015_000
    const found = async (periods: number) =>
      findTotpTimeStep(secret, totp.generate({ timestamp: now + periods * 30_000 }), now)
    const present = await found(0)
    expect([await found(-2), await found(-1), await found(1), await found(2)]).toEqual([
      null,
      (present ?? 0) - 1,
      (present ?? 0) + 1,
      null,
    ])
    const bea = await join2('Bea')
    const code = await bea.code()
    const [first, second] = [await half(bea), await half(bea)]
    expect((await step(first.cookie, { factor: 'totp', code })).status).toBe(200)
    expect(await step(second.cookie, { factor: 'totp', code })).toMatchObject(wrongToken)
  })

  test('MFA-20 the database stores the authenticator secret encrypted, and a node with another key does not start', async () => {
    await join2('Cleo')
    const [{ sealed }] = (await rows('select sealed from totp_secrets order by created_at desc limit 1')) as [
      { sealed: Buffer },
    ]
    expect(sealed).toHaveLength(48)
    const key = readFileSync(join(w.dataDir, 'secret.key'), 'latin1').trim()
    expect(JSON.stringify(await rows('select * from instance'))).not.toContain(key)
    await expect(startSecondServerNode(w.database)).rejects.toThrow('secret.key is missing')
    const other = Buffer.alloc(32, 7).toString('base64')
    await expect(startSecondServerNode(w.database, { SECRET_KEY: other })).rejects.toThrow(
      'The key in SECRET_KEY is another one',
    )
    const same = await startSecondServerNode(w.database, { SECRET_KEY: key })
    await same.end()
  })
})

describe('before the second step', () => {
  test('MFA-06 a pending session is refused every call except those that complete or end the sign-in', async () => {
    const dora = await join2('Dora')
    const { cookie } = await half(dora)
    const open: string[] = []
    const tried: string[] = []
    for (const { method, url, config } of registeredRoutesByApp.get(w.app) ?? []) {
      if (config?.who === 'visitor') continue
      for (const each of [method].flat()) {
        if (each === 'HEAD' || each === 'OPTIONS') continue
        const path = url.replaceAll(/:\w+/g, 'current').replace('*', '')
        if (config?.allowsPending) open.push(`${each} ${url}`)
        else {
          tried.push(path)
          const answer = await at(cookie).request(each as 'GET', path, each === 'GET' ? undefined : {})
          expect([path, answer.status, answer.body?.type]).toEqual([path, 401, 'user_more_factors_required'])
        }
      }
    }
    expect(tried.length).toBeGreaterThan(80)
    expect(open.sort()).toEqual([
      'DELETE /v1/account/sessions/:sessionId',
      'DELETE /v1/sessions/current',
      'GET /v1/account/mfa/factors',
      'GET /v1/sessions/current/second-step',
      'POST /v1/account/mfa/challenge',
      'POST /v1/account/mfa/challenges',
      'POST /v1/me/passkey-options',
      'POST /v1/sessions/current/appeal',
      'PUT /v1/account/mfa/challenge',
      'PUT /v1/account/mfa/challenges',
      'PUT /v1/sessions/current/passkey-step',
      'PUT /v1/sessions/current/second-step',
    ])
    const { documents } = await dora.call(settings.listDevicesOperation, {})
    expect(await at(cookie).request('DELETE', `/v1/account/sessions/${documents[0]?.$id}`)).toMatchObject(
      more,
    )
    expect(await statusOf(dora.cookie)).toBe(200)
    const page = await w.app.inject({ method: 'GET', url: '/', headers: { cookie, accept: 'text/html' } })
    expect(String(page.headers['server-timing'] ?? '')).not.toContain('member')
  })

  test('MFA-07 a pending session is unlisted and ends after ten minutes, and eleven of them end no real session', async () => {
    const eva = await join2('Eva')
    const real = [eva.cookie]
    for (let n = 0; n < 9; n += 1) {
      const { cookie } = await half(eva)
      const whole = await step(cookie, { factor: 'totp', code: await eva.code() })
      real.push(extractCookieHeader(whole))
    }
    for (let n = 0; n < 11; n += 1) await half(eva)
    for (const cookie of real) expect(await statusOf(cookie)).toBe(200)
    expect((await eva.call(settings.listDevicesOperation, {})).documents).toHaveLength(10)
    expect(
      await rows(
        'select s.id from sessions s join accounts a on a.id = s.account_id where a.public_id = $1 and pending_until is not null',
        [eva.accountId],
      ),
    ).toHaveLength(3)
    const { cookie } = await half(eva)
    await w.database.pool.query("update sessions set pending_until = pending_until - interval '10 minutes'")
    expect((await step(cookie, { factor: 'totp', code: await eva.code() })).status).toBe(401)
  })

  test("LANG-04 MFA-06 a pending session neither sets nor reveals the account's language; a complete one does both", async () => {
    const [fara, gala] = [await join2('Fara'), await join2('Gala')]
    const languageOf = async ({ accountId }: MemberClient) =>
      (await rows('select language from accounts where public_id = $1', [accountId]))[0]?.language
    await w.database.pool.query("update accounts set language = 'es' where public_id = $1", [gala.accountId])
    const begun = { fara: await half(fara, 'juntas-language=en'), gala: await half(gala) }
    expect(await languageOf(fara)).toBeNull()
    expect(begun.gala.headers['set-cookie']).not.toContain('juntas-language=')
    const given = { factor: 'totp', code: await fara.code() }
    await step(`${begun.fara.cookie}; juntas-language=en`, given)
    expect(await languageOf(fara)).toBe('en')
    const whole = await step(begun.gala.cookie, { factor: 'totp', code: await gala.code() })
    expect(whole.headers['set-cookie']).toContain('juntas-language=es')
  })

  test('MFA-05 a correct code completes the session and replaces the session secret of the browser', async () => {
    const fara = await join2('Fara')
    const before = await half(fara)
    const whole = await step(before.cookie, { factor: 'totp', code: await fara.code() })
    expect(whole).toMatchObject({ status: 200, body: { accountId: fara.accountId, secondStep: false } })
    expect(await statusOf(before.cookie)).toBe(401)
    expect(await statusOf(extractCookieHeader(whole))).toBe(200)
    expect((await step(extractCookieHeader(whole), { factor: 'totp', code: await fara.code() })).status).toBe(
      404,
    )
  })

  test('MFA-09 five wrong codes end a pending session, and an account allows ten attempts an hour across both nodes', async () => {
    const gala = await join2('Gala')
    const key = readFileSync(join(w.dataDir, 'secret.key'), 'latin1').trim()
    const other = await startSecondServerNode(w.database, { SECRET_KEY: key })
    try {
      const wrong = { factor: 'totp', code: await gala.wrong() }
      const first = await half(gala)
      for (let n = 0; n < 5; n += 1) expect(await step(first.cookie, wrong)).toMatchObject(wrongToken)
      expect((await step(first.cookie, { factor: 'totp', code: await gala.code() })).status).toBe(404)
      expect((await step(first.cookie, { factor: 'totp', code: await gala.code() })).status).toBe(401)
      const second = await half(gala)
      for (let n = 0; n < 5; n += 1) {
        const answer = await other.app.inject({
          method: 'PUT',
          url: '/v1/sessions/current/second-step',
          headers: { cookie: second.cookie, host: 'localhost:3000', origin: 'http://localhost:3000' },
          payload: wrong,
        })
        expect(answer.statusCode).toBe(401)
      }
      const third = await half(gala)
      const refused = await step(third.cookie, { factor: 'recoverycode', code: gala.recoveryCodes[0] })
      expect(refused).toMatchObject({ status: 429, body: { type: 'general_rate_limit_exceeded' } })
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000)
      await w.database.pool.query("update totp_secrets set tries_since = tries_since - interval '1 hour'")
      expect((await step(third.cookie, { factor: 'totp', code: await gala.code() })).status).toBe(200)
    } finally {
      await other.end()
    }
  })

  test('S24 MFA-09 a stranger with the password uses up no attempts of a known browser, which has ten of its own', async () => {
    const nora = await join2('Nora')
    const wrong = { factor: 'totp', code: await nora.wrong() }
    const right = async () => ({ factor: 'totp', code: await nora.code() })
    const before = await step((await half(nora)).cookie, await right())
    const browser = browserCookie(before)
    const submit = async (cookie: string) => {
      const begun = await half(nora, cookie)
      for (let n = 0; n < 5; n += 1) expect(await step(begun.cookie, wrong)).toMatchObject(wrongToken)
    }
    const outcome = async (cookie: string) =>
      (await step((await half(nora, cookie)).cookie, await right())).status
    await submit('')
    await submit('')
    expect(await outcome('')).toBe(429)
    expect(await outcome(browser)).toBe(200)
    await submit(browser)
    await submit(browser)
    expect(await outcome(browser)).toBe(429)
    await w.database.pool.query(
      "update totp_secrets set own_tries_since = own_tries_since - interval '1 hour'",
    )
    expect(await outcome(browser)).toBe(200)
    // Opening an emailed link in a browser does not make it a known browser.
    await w.database.pool.query('update accounts set email_verified = true where public_id = $1', [
      nora.accountId,
    ])
    await w.visitor.ask(recovery.requestPasswordResetOperation, { email: nora.email })
    const { userId, secret } = await fetchSentLinkSecret(w, nora.email)
    const chosen = { userId, secret, password: 'una nueva y larga' }
    const recovered = await w.visitor.ask(recovery.resetPasswordOperation, chosen)
    expect(recovered.body).toMatchObject({ secondStep: true })
    expect((await step(extractCookieHeader(recovered), await right())).status).toBe(429)
  })

  test("S24 a stranger who signs in repeatedly with the password does not end a known browser's sign-in", async () => {
    const noa = await join2('Noa')
    const right = async () => ({ factor: 'totp', code: await noa.code() })
    const browser = browserCookie(await step((await half(noa)).cookie, await right()))
    const hers = await half(noa, browser)
    for (let n = 0; n < 4; n += 1) await half(noa)
    expect((await step(hers.cookie, await right())).status).toBe(200)
  })

  test("S24 a stranger's pending sign-in does not use up the member's request quota", async () => {
    stopClock()
    const nina = await join2('Nina')
    const { cookie } = await half(nina)
    const send = (method: 'GET' | 'POST', url: string, as: string, payload?: object) =>
      w.app.inject({
        ...{ method, url, ...(payload && { payload }) },
        // Requests behind a proxy count against limits, unlike those of this machine.
        headers: { host: 'localhost:3000', 'x-forwarded-for': '203.0.113.1', cookie: as },
      })
    const last = async (times: number, call: () => ReturnType<typeof send>) => {
      for (let n = 1; n < times; n += 1) await call()
      return (await call()).statusCode
    }
    expect(await last(1501, () => send('GET', '/v1/account/mfa/factors', cookie))).toBe(429)
    const challenge = { factor: 'totp' }
    expect(await last(301, () => send('POST', '/v1/account/mfa/challenges', cookie, challenge))).toBe(429)
    expect((await send('GET', '/v1/me', nina.cookie)).statusCode).toBe(200)
    expect((await send('POST', '/v1/account/mfa/challenges', nina.cookie, challenge)).statusCode).toBe(201)
  })

  test('MFA-13 recovery and sign-in links require the second step too', async () => {
    const hana = await join2('Hana')
    await w.visitor.ask(recovery.requestSignInLinkOperation, { email: hana.email })
    // If the address were unverified, the link would give the account to its reader.
    await w.database.pool.query('update accounts set email_verified = true where public_id = $1', [
      hana.accountId,
    ])
    const link = await fetchSentLinkSecret(w, hana.email)
    const byLink = await w.visitor.ask(recovery.signInByLinkOperation, {
      userId: link.userId,
      secret: link.secret,
    })
    expect(byLink.body).toMatchObject({ secondStep: true })
    expect(await statusOf(extractCookieHeader(byLink))).toBe(401)
    await w.visitor.ask(recovery.requestPasswordResetOperation, { email: hana.email })
    const { userId, secret } = await fetchSentLinkSecret(w, hana.email)
    const password = 'una nueva y larga'
    const chosen = await w.visitor.ask(recovery.resetPasswordOperation, { userId, secret, password })
    expect(chosen.body).toMatchObject({ secondStep: true })
    expect(await statusOf(extractCookieHeader(chosen))).toBe(401)
    const whole = await step(extractCookieHeader(chosen), { factor: 'totp', code: await hana.code() })
    expect(await statusOf(extractCookieHeader(whole))).toBe(200)
  })

  test("S24 a locked-out member gets in three days after the operator's request, and not earlier by a recovery email", async () => {
    const greta = await join2('Greta')
    await rows('update accounts set email_verified = true where public_id = $1', [greta.accountId])
    const [{ username } = { username: '' }] = await rows('select username from users where public_id = $1', [
      greta.id,
    ])
    const { context } = await operator()
    const link = new URL(await issueRecoveryLink(context, username)).searchParams
    const [userId, secret] = [link.get('userId') ?? '', link.get('secret') ?? '']
    const given = { userId, secret, password: 'una nueva y larga' }
    expect((await w.visitor.ask(recovery.resetPasswordOperation, given)).body).toMatchObject({
      secondStep: true,
    })
    await requestTwoFactorRemoval(context, username)
    expect((await half(greta, '', given.password)).body).toMatchObject({ secondStep: true })
    await letDaysPass(greta)
    await carryOutDueTwoFactorRemovals(await sweeping())
    expect((await half(greta, '', given.password)).body).toMatchObject({ secondStep: false })
  })

  test('MFA-13 a thief of session and password cannot end two-factor authentication by changing to an unverified address', async () => {
    const katia = await join2('Katia')
    await rows("update sessions set second_proved_at = second_proved_at - interval '16 minutes'")
    const email = 'ladrona@juntas.test'
    const refused = { status: 401, body: { type: 'user_challenge_required' } }
    const given = { email, password: testPassword }
    expect(await katia.ask(settings.requestEmailChangeOperation, given)).toMatchObject(refused)
    expect(await katia.request('PATCH', '/v1/account/email', given)).toMatchObject(refused)
    await w.visitor.ask(recovery.requestSignInLinkOperation, { email })
    const { userId, secret } = await fetchSentLinkSecret(w, email)
    const other = await w.visitor.ask(recovery.signInByLinkOperation, { userId, secret })
    expect((other.body as { accountId: string }).accountId).not.toBe(katia.accountId)
    expect((await half(katia)).body.secondStep).toBe(true)
    await katia.call(settings.reauthenticateOperation, { code: await katia.code() })
    await katia.call(settings.requestEmailChangeOperation, { ...given, email: `nueva.${katia.email}` })
  })

  test('MFA-13 an authenticator on an account with an unverified address does not lock out the owner of the address', async () => {
    const iris = await join2('Iris')
    await w.visitor.ask(recovery.requestSignInLinkOperation, { email: iris.email })
    const { userId, secret } = await fetchSentLinkSecret(w, iris.email)
    const owner = await w.visitor.ask(recovery.signInByLinkOperation, { userId, secret })
    expect(owner.body).toMatchObject({ secondStep: false })
    expect(await statusOf(extractCookieHeader(owner))).toBe(200)
  })
})

async function operator() {
  const outbox = createDevOutbox()
  const emails = await createEmailSender(readConfig({}), createServerLogger('silent'), outbox)
  const context = { db: w.database.kysely, emails, publicUrl: 'http://localhost:3000' }
  const secretTo = ({ email }: MemberClient) => {
    const message = outbox.entries().findLast(({ to, kind }) => to === email && kind === 'unlock-asked')
    return new URL(/http\S+/.exec(message?.text ?? '')?.[0] ?? '')
  }
  return { context, outbox, secretTo }
}
const sweeping = async (outbox = createDevOutbox()) => {
  const config = readConfig({})
  return {
    database: w.database,
    config,
    emails: await createEmailSender(config, createServerLogger('silent'), outbox),
  }
}
/** @param hours fewer than 72 hours are not enough */
async function letDaysPass({ accountId }: MemberClient, hours = 72): Promise<void> {
  for (const [table, columns] of [
    ['unlock_requests', ['asked_at', 'due_at']],
    ['totp_secrets', ['verified_at']],
  ] as const)
    await rows(
      `update ${table} t set ${columns.map((column) => `${column} = ${column} - $2::interval`)}
       from accounts a where a.id = t.account_id and a.public_id = $1`,
      [accountId, `${hours} hours`],
    )
}
const usernameOf = async ({ id }: MemberClient): Promise<string> =>
  (await rows('select username from users where public_id = $1', [id]))[0]?.username
const eventsOf = async (who: MemberClient) =>
  (await who.call(settings.listSecurityEventsOperation, {})).documents.map(({ event }) => event)
const isOn = async (who: MemberClient) =>
  (await who.call(settings.getAccountSettingsOperation, {})).twoSteps.on

describe("MFA-15 the operator's request to remove two-factor authentication", () => {
  test("MFA-15 the operator's request removes two-factor authentication after 72 hours, with an email and a log entry", async () => {
    const fara = await join2('Fara')
    const { context, outbox, secretTo } = await operator()
    const { dueAt: due } = await requestTwoFactorRemoval(context, await usernameOf(fara))
    const hours = (due.getTime() - Date.now()) / 3600_000
    expect(hours).toBeGreaterThan(71.9)
    expect(hours).toBeLessThan(72.1)
    expect(outbox.entries().map(({ to, kind }) => [to, kind])).toEqual([[fara.email, 'unlock-asked']])
    expect(secretTo(fara).pathname).toBe('/sign-in/keep-two-steps')
    expect((await eventsOf(fara))[0]).toBe('mfa.unlock')
    await letDaysPass(fara, 71)
    const sweepOutbox = createDevOutbox()
    await carryOutDueTwoFactorRemovals(await sweeping(sweepOutbox))
    expect([await isOn(fara), sweepOutbox.entries()]).toEqual([true, []])
    expect((await half(fara)).body.secondStep).toBe(true)
    await expect(requestTwoFactorRemoval(context, await usernameOf(fara))).rejects.toThrow(
      'its end is already scheduled',
    )
    await letDaysPass(fara, 1)
    const again = await sweeping(sweepOutbox)
    await Promise.all([carryOutDueTwoFactorRemovals(again), carryOutDueTwoFactorRemovals(again)])
    expect(sweepOutbox.entries().map(({ to, kind }) => [to, kind])).toEqual([[fara.email, 'two-steps-off']])
    expect((await half(fara)).body.secondStep).toBe(false)
    expect((await eventsOf(fara)).filter((event) => event.startsWith('mfa.')).slice(0, 2)).toEqual([
      'mfa.delete',
      'mfa.unlock',
    ])
    expect(await rows('select from unlock_requests')).toEqual([])
  })

  test('MFA-15 only the emailed link cancels the removal, once, whether or not the member is signed in', async () => {
    const [gala, hana] = [await join2('Gala'), await join2('Hana')]
    const { context, secretTo } = await operator()
    await requestTwoFactorRemoval(context, await usernameOf(gala))
    await requestTwoFactorRemoval(context, await usernameOf(hana))
    const secret = secretTo(gala).searchParams.get('secret') ?? ''
    expect(secret).toHaveLength(64)
    const guessed = 'a'.repeat(64)
    expect(await w.visitor.ask(recovery.keepTwoFactorOperation, { secret: guessed })).toMatchObject(
      wrongToken,
    )
    for (const status of [204, 401])
      expect((await w.visitor.ask(recovery.keepTwoFactorOperation, { secret })).status).toBe(status)
    expect((await eventsOf(gala))[0]).toBe('mfa.unlock-stop')
    await letDaysPass(hana)
    await carryOutDueTwoFactorRemovals(await sweeping())
    expect([await isOn(gala), await isOn(hana)]).toEqual([true, false])
    const late = { secret: secretTo(hana).searchParams.get('secret') ?? '' }
    expect(await w.visitor.ask(recovery.keepTwoFactorOperation, late)).toMatchObject(wrongToken)
  })

  test('MFA-15 two-factor authentication that was set up again meanwhile is not removed', async () => {
    const iris = await join2('Iris')
    const { context } = await operator()
    await requestTwoFactorRemoval(context, await usernameOf(iris))
    await iris.call(settings.reauthenticateOperation, { code: await iris.code() })
    await iris.call(settings.turnOffTwoFactorOperation, {})
    await withApp(iris)
    await rows('update unlock_requests set due_at = clock_timestamp()')
    const sweepOutbox = createDevOutbox()
    await carryOutDueTwoFactorRemovals(await sweeping(sweepOutbox))
    expect([await isOn(iris), sweepOutbox.entries()]).toEqual([true, []])
  })

  test('MFA-15 cancelling the removal at the last moment either succeeds or reports that it is too late', {
    timeout: raceTimeoutMs,
  }, async () => {
    let juana: Fara
    await runRaceRounds(
      w.database,
      async () => {
        juana = await join2('Juana')
        const { context, secretTo } = await operator()
        await requestTwoFactorRemoval(context, await usernameOf(juana))
        await letDaysPass(juana)
        const secret = secretTo(juana).searchParams.get('secret') ?? ''
        const due = await sweeping()
        return [
          async () => {
            const [stopped] = await Promise.all([
              w.visitor.ask(recovery.keepTwoFactorOperation, { secret }),
              carryOutDueTwoFactorRemovals(due),
            ])
            return stopped
          },
        ]
      },
      async ([stopped]) => expect(await isOn(juana)).toBe(stopped?.status === 204),
    )
  })

  test("MFA-15 the operator's request is refused if two-factor authentication is off or emails cannot be sent", async () => {
    const lola = await w.join('Lola')
    const { context } = await operator()
    await expect(requestTwoFactorRemoval(context, await usernameOf(lola))).rejects.toThrow(
      'is off, or its end',
    )
    const silent = await createEmailSender(readConfig({}), createServerLogger('silent'), null)
    const mute = await join2('Mara')
    await expect(
      requestTwoFactorRemoval({ ...context, emails: silent }, await usernameOf(mute)),
    ).rejects.toThrow('SMTP_URL')
    expect(await rows('select from unlock_requests')).toEqual([])
  })
})

describe('turning two-factor authentication off', () => {
  test('MFA-14 an Appwrite client that turns two-factor authentication off is reported once by email and log', async () => {
    const berta = await join2('Berta')
    const messages = async () =>
      (await fetchSentMessagesTo(w, berta.email)).filter(({ kind }) => kind === 'two-steps-off').length
    for (let time = 0; time < 2; time += 1)
      expect((await berta.request('PATCH', '/v1/account/mfa', { mfa: false })).status).toBe(200)
    expect((await half(berta)).body.secondStep).toBe(false)
    expect(await messages()).toBe(1)
    expect((await eventsOf(berta)).filter((event) => event === 'mfa.delete')).toHaveLength(1)
  })
})

describe('recovery codes', () => {
  test('MFA-10 each recovery code works once in any spelling, and turns two-factor authentication off if the app is lost', async () => {
    const juana = await join2('Juana')
    const [one = '', two = ''] = juana.recoveryCodes
    const first = await half(juana)
    const typed = one.replace('-', '').toUpperCase()
    expect((await step(first.cookie, { factor: 'recoverycode', code: typed })).status).toBe(200)
    const again = await half(juana)
    expect(await step(again.cookie, { factor: 'recoverycode', code: one })).toMatchObject(wrongToken)
    const lost = await step(again.cookie, { factor: 'recoverycode', code: two, turnOff: true })
    expect(lost.status).toBe(200)
    expect((await half(juana)).body.secondStep).toBe(false)
    const { documents } = await juana.call(settings.listSecurityEventsOperation, {})
    expect(documents.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['mfa.recovery', 'mfa.delete']),
    )
    expect((await fetchSentMessagesTo(w, juana.email)).map(({ kind }) => kind)).toContain('two-steps-off')
  })

  test('MFA-11 renewing recovery codes needs a code and invalidates the old ones', async () => {
    const katia = await join2('Katia')
    await w.database.pool.query(
      "update sessions set second_proved_at = second_proved_at - interval '16 minutes'",
    )
    const refused = { body: { type: 'user_challenge_required' } }
    expect(await katia.ask(settings.renewRecoveryCodesOperation, {})).toMatchObject(refused)
    await katia.call(settings.reauthenticateOperation, { password: testPassword })
    expect(await katia.ask(settings.renewRecoveryCodesOperation, {})).toMatchObject(refused)
    await katia.call(settings.reauthenticateOperation, { code: await katia.code() })
    const { recoveryCodes } = await katia.call(settings.renewRecoveryCodesOperation, {})
    const { cookie } = await half(katia)
    const old = { factor: 'recoverycode', code: katia.recoveryCodes[3] }
    expect(await step(cookie, old)).toMatchObject(wrongToken)
    expect((await step(cookie, { factor: 'recoverycode', code: recoveryCodes[3] })).status).toBe(200)
  })
})

describe('trusted browsers', () => {
  test('MFA-12 a trusted browser skips the second step for 30 days, unless the password, factors or other sessions are reset', async () => {
    const lola = await join2('Lola')
    const trust = async (password = testPassword) => {
      const begun = await half(lola, '', password)
      const whole = await step(begun.cookie, { factor: 'totp', code: await lola.code(), trustBrowser: true })
      expect(whole.status).toBe(200)
      return extractCookieHeader(whole)
    }
    const asks = async (cookie: string, password = testPassword) =>
      (await half(lola, cookie, password)).body.secondStep
    let browser = await trust()
    expect(await asks(browser)).toBe(false)
    expect(await asks('')).toBe(true)
    await lola.call(settings.signOutOtherDevicesOperation, {})
    expect(await asks(browser)).toBe(true)
    browser = await trust()
    await lola.call(settings.renewRecoveryCodesOperation, {})
    expect(await asks(browser)).toBe(true)
    browser = await trust()
    await w.database.pool.query("update known_devices set trusted_until = trusted_until - interval '30 days'")
    expect(await asks(browser)).toBe(true)
    browser = await trust()
    const password = 'una nueva y larga'
    await lola.call(settings.changePasswordOperation, { currentPassword: testPassword, password })
    expect(await asks(browser, password)).toBe(true)
  })

  test.each<[string, (her: MemberClient, id: string) => Promise<unknown>]>([
    ['ended from afar', (her, id) => her.call(settings.signOutDeviceOperation, { deviceId: id })],
    ['ended by an Appwrite client', (her, id) => her.request('DELETE', `/v1/account/sessions/${id}`)],
    ['ended with all others by one', (her) => her.request('DELETE', '/v1/account/sessions')],
    [
      'had when a client turned two-factor authentication off, and on again',
      async (her) => {
        for (const mfa of [false, true])
          expect((await her.request('PATCH', '/v1/account/mfa', { mfa })).status).toBe(200)
      },
    ],
  ])(
    'MFA-12 a trusted browser must do the second step again after a session that the member %s',
    async (_, end) => {
      const lena = await join2('Lena')
      const given = { factor: 'totp', code: await lena.code(), trustBrowser: true }
      const whole = await step((await half(lena)).cookie, given)
      const asks = async () => (await half(lena, browserCookie(whole))).body.secondStep
      expect(await asks()).toBe(false)
      await end(lena, whole.body.$id as string)
      expect(await asks()).toBe(true)
    },
  )

  test('S11 trusting a browser replaces an identifier that someone planted, and the browser stays known to other accounts', async () => {
    const [mara, nora] = [await join2('Mara'), await w.join('Nora')]
    const mark = (cookie: string) => /device_juntas=[0-9a-f]{64}/.exec(cookie)?.[0] ?? ''
    const planted = mark((await half(nora)).cookie)
    const begun = await half(mara, planted)
    const given = { factor: 'totp', code: await mara.code(), trustBrowser: true }
    const whole = await step(`${begun.cookie}; ${planted}`, given)
    const trusted = mark(extractCookieHeader(whole))
    expect([trusted === planted, trusted.length]).toEqual([false, planted.length])
    expect((await half(mara, planted)).body.secondStep).toBe(true)
    expect((await half(mara, trusted)).body.secondStep).toBe(false)
    const known = await rows(
      'select count(*)::int as n from known_devices d join accounts a on a.id = d.account_id where a.public_id = $1',
      [nora.accountId],
    )
    expect(known).toEqual([{ n: 3 }])
  })

  test('MFA-19 a correct password from an unknown browser without a second step is reported once a day', async () => {
    const sweepOutbox = async (email: string) =>
      (await fetchSentMessagesTo(w, email)).filter(({ kind }) => kind === 'password-known').length
    const mara = await join2('Mara')
    const thief = await half(mara)
    for (let n = 0; n < 2; n += 1) await step(thief.cookie, { factor: 'totp', code: await mara.wrong() })
    expect(await sweepOutbox(mara.email)).toBe(1)
    expect((await mara.call(settings.listSecurityEventsOperation, {})).documents[0]).toMatchObject({
      event: 'session.refused',
    })
    const nina = await join2('Nina')
    await at((await half(nina)).cookie).request('DELETE', '/v1/sessions/current')
    expect(await sweepOutbox(nina.email)).toBe(1)
    const olga = await join2('Olga')
    await half(olga)
    await w.database.pool.query(
      'update sessions set pending_until = clock_timestamp() where pending_until is not null',
    )
    const sent: string[] = []
    const emails = {
      isAvailable: () => true,
      send: (to: string) => void sent.push(to),
      assertAvailable() {},
      sendWithin: async () => null,
      sendNow: async () => ({ accepted: false, answer: '' }),
      attempt: async () => {},
      drain: async () => {},
    }
    const config = readConfig({})
    const log = createServerLogger('silent')
    const limits = createRateLimits(config, await openRateCounterStore({ config, database: w.database, log }))
    await endOverduePendingSessions({ database: w.database, emails, config, limits, log })
    expect(sent).toContain(olga.email)
    expect(sent).not.toContain(nina.email)
    // Her own browser causes no notice.
    const pia = await join2('Pia')
    const before = await half(pia)
    const known = extractCookieHeader(await step(before.cookie, { factor: 'totp', code: await pia.code() }))
    const own = await half(pia, known)
    await step(own.cookie, { factor: 'totp', code: await pia.wrong() })
    expect(await sweepOutbox(pia.email)).toBe(0)
  })
})

describe('turning two-factor authentication off', () => {
  test('MFA-14 turning two-factor authentication off needs a code and sends an email; then the password alone opens the account', async () => {
    const rita = await join2('Rita')
    await w.database.pool.query(
      "update sessions set second_proved_at = second_proved_at - interval '16 minutes'",
    )
    await rita.call(settings.reauthenticateOperation, { password: testPassword })
    const refused = { body: { type: 'user_challenge_required' } }
    expect(await rita.ask(settings.turnOffTwoFactorOperation, {})).toMatchObject(refused)
    expect(await rita.request('PATCH', '/v1/account/mfa', { mfa: false })).toMatchObject(refused)
    expect(await rita.request('DELETE', '/v1/account/mfa/authenticators/totp')).toMatchObject(refused)
    expect(await rita.ask(settings.reauthenticateOperation, { code: await rita.wrong() })).toMatchObject(
      wrongToken,
    )
    await rita.call(settings.reauthenticateOperation, { code: await rita.code() })
    await rita.call(settings.turnOffTwoFactorOperation, {})
    expect((await half(rita)).body.secondStep).toBe(false)
    expect((await fetchSentMessagesTo(w, rita.email)).map(({ kind }) => kind)).toContain('two-steps-off')
    expect(
      await rows(
        'select * from recovery_codes c join accounts a on a.id = c.account_id where a.public_id = $1',
        [rita.accountId],
      ),
    ).toEqual([])
  })
})

describe('concurrent requests', () => {
  test('MFA-08 only one of two tabs that use the same code signs in', {
    timeout: raceTimeoutMs,
  }, async () => {
    const sara = await join2('Sara')
    await runRaceRounds(
      w.database,
      async () => {
        const code = await sara.code()
        const tabs = [await half(sara), await half(sara)]
        return tabs.map(
          ({ cookie }) =>
            () =>
              step(cookie, { factor: 'totp', code }),
        )
      },
      (answers) => expect(countResponsesByStatus(answers)).toEqual({ 200: 1, 401: 1 }),
    )
  })

  test('MFA-10 only one of two tabs that use the same recovery code signs in', {
    timeout: raceTimeoutMs,
  }, async () => {
    const tere = await join2('Tere')
    await runRaceRounds(
      w.database,
      async (n) => {
        const code = tere.recoveryCodes[n]
        const tabs = [await half(tere), await half(tere)]
        return tabs.map(
          ({ cookie }) =>
            () =>
              step(cookie, { factor: 'recoverycode', code }),
        )
      },
      (answers) => expect(countResponsesByStatus(answers)).toEqual({ 200: 1, 401: 1 }),
    )
  })

  test('MFA-11 if three tabs request recovery codes concurrently, only one set stays valid', {
    timeout: raceTimeoutMs,
  }, async () => {
    const vega = await join2('Vega')
    await runRaceRounds(
      w.database,
      async () => createArrayByIndex(3, () => () => vega.ask(settings.renewRecoveryCodesOperation, {})),
      async (answers) => {
        expect(countResponsesByStatus(answers)).toEqual({ 200: 3 })
        expect(
          await rows(
            'select from recovery_codes c join accounts a on a.id = c.account_id where a.public_id = $1',
            [vega.accountId],
          ),
        ).toHaveLength(10)
      },
    )
  })

  test('MFA-05 a second step during a password change leaves no session that used the old password', {
    timeout: raceTimeoutMs,
  }, async () => {
    const uma = await join2('Uma')
    let password = testPassword
    let begun = ''
    await runRaceRounds(
      w.database,
      async (n) => {
        begun = (await half(uma, '', password)).cookie
        const code = await uma.code()
        const [currentPassword, next] = [password, `una nueva y larga ${n}`]
        password = next
        return [
          () => step(begun, { factor: 'totp', code }),
          () => uma.ask(settings.changePasswordOperation, { currentPassword, password: next }),
        ]
      },
      async ([stepped, changed]) => {
        expect(changed?.status).toBe(204)
        if (stepped?.status === 200) expect(await statusOf(extractCookieHeader(stepped))).toBe(401)
      },
    )
  })
})

test('MFA-20 an instance that lost its key continues with a new one: app codes fail, recovery codes work', async () => {
  const own = await createTestWorld()
  try {
    const { pool } = own.database
    const vera = await own.join('Vera')
    const { secret } = await vera.call(settings.beginAuthenticatorOperation, {})
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    const { recoveryCodes } = await vera.call(settings.turnOnTwoFactorOperation, { code: totp.generate() })
    expect(await countSealedWithInstanceKey({ db: own.database.kysely })).toMatchObject({
      apps: 1,
      emails: 0,
    })
    await acceptNewInstanceKey({ db: own.database.kysely })
    const config = readConfig({
      DATA_DIR: own.dataDir,
      SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
      PUBLIC_URL: 'http://localhost:3000',
      LOG_LEVEL: 'silent',
    })
    const node = await buildApp({ config, log: createServerLogger('silent'), database: own.database })
    const ask = (method: 'POST' | 'PUT', url: string, payload: object, cookie = '') =>
      node.inject({
        method,
        url,
        payload,
        headers: { cookie, host: 'localhost:3000', origin: 'http://localhost:3000' },
      })
    const begun = await ask('POST', `/v1${signInOperation.path}`, {
      email: vera.email,
      password: testPassword,
    })
    const cookie = [begun.headers['set-cookie']]
      .flat()
      .map((each) => String(each).split(';')[0])
      .join('; ')
    await pool.query('update totp_secrets set last_step = 0')
    const path = '/v1/sessions/current/second-step'
    expect((await ask('PUT', path, { factor: 'totp', code: totp.generate() }, cookie)).statusCode).toBe(401)
    const code = recoveryCodes?.[0]
    expect((await ask('PUT', path, { factor: 'recoverycode', code }, cookie)).statusCode).toBe(200)
    await node.close()
  } finally {
    await own.end()
  }
})

test('a person with only the password can neither close the account temporarily nor reopen it', async () => {
  const lola = await join2('Lola')
  await w.database.pool.query(
    'update sessions set second_proved_at = null, proved_at = clock_timestamp() where account_id = (select id from accounts where public_id = $1)',
    [lola.accountId],
  )
  expect(await lola.ask(settings.closeAccountOperation, {})).toMatchObject({
    status: 401,
    body: { type: 'user_challenge_required' },
  })
  await lola.call(settings.reauthenticateOperation, { code: await lola.code() })
  await lola.call(settings.closeAccountOperation, {})
  const { cookie } = await half(lola)
  const closed = { status: 'blocked' }
  const stands = () => rows('select status from accounts where public_id = $1', [lola.accountId])
  expect(await stands()).toEqual([closed])
  expect(await at(cookie).request('GET', '/v1/me')).toMatchObject(more)
  expect(await step(cookie, { factor: 'totp', code: await lola.wrong() })).toMatchObject(wrongToken)
  expect(await stands()).toEqual([closed])
  expect((await step(cookie, { factor: 'totp', code: await lola.code() })).status).toBe(200)
  expect(await stands()).toEqual([{ status: 'active' }])
})

describe('notices when two-factor authentication ends', () => {
  const newPassword = 'otra clave larga 7'
  const twoFactorOff = (entries: readonly { to: string; kind: string }[], { email }: MemberClient) =>
    entries.filter(({ to, kind }) => to === email && kind === 'two-steps-off').length
  async function endingsOf(her: MemberClient, bySweep: readonly { to: string; kind: string }[] = []) {
    const notes = await rows(
      `select n.kind from notifications n join users u on u.id = n.user_id join accounts a on a.id = u.account_id
       where a.public_id = $1 and n.kind = 'two-steps-off'`,
      [her.accountId],
    )
    const log = await rows(
      `select from account_events e join accounts a on a.id = e.account_id where a.public_id = $1 and e.event = 'mfa.delete'`,
      [her.accountId],
    )
    const emails = twoFactorOff(await fetchSentMessagesTo(w, her.email), her) + twoFactorOff(bySweep, her)
    return [emails, notes.length, log.length]
  }

  const reauthenticateByCode = async (ana: Fara) =>
    ana.call(settings.reauthenticateOperation, { code: await ana.code() })
  const verify = async (ana: MemberClient) => {
    await ana.call(settings.requestEmailConfirmationOperation, {})
    await ana.call(recovery.confirmEmailOperation, await linkOf(ana))
  }
  const changeAddress = async (ana: MemberClient) => {
    const changed = { ...ana, email: `nueva.${ana.email}` }
    await ana.call(settings.requestEmailChangeOperation, { email: changed.email, password: testPassword })
    await ana.call(recovery.confirmEmailOperation, await linkOf(changed))
  }
  const undo = async (ana: MemberClient) =>
    w.visitor.call(recovery.undoEmailChangeOperation, await linkOf(ana))
  const visit = async (method: 'POST' | 'PUT', path: string, body: object) => {
    const answer = await w.visitor.request<{ userId: string }>(method, `/v1/account${path}`, body)
    expect([path, answer.status < 300]).toEqual([path, true])
    return answer.body
  }
  const sweepAfterThreeDays = async (ana: Fara) => {
    await letDaysPass(ana)
    const sweepOutbox = createDevOutbox()
    await carryOutDueTwoFactorRemovals(await sweeping(sweepOutbox))
    return sweepOutbox.entries()
  }
  type Path = (ana: Fara) => Promise<unknown>

  const endings: Record<string, Path> = {
    'turning it off in the settings': async (ana) => {
      await reauthenticateByCode(ana)
      await ana.call(settings.turnOffTwoFactorOperation, {})
    },
    'a recovery code at sign-in that turns it off': async (ana) => {
      const code = ana.recoveryCodes[0]
      const { cookie } = await half(ana)
      expect((await step(cookie, { factor: 'recoverycode', code, turnOff: true })).status).toBe(200)
    },
    'password recovery by an unverified address': async (ana) => {
      await w.visitor.call(recovery.requestPasswordResetOperation, { email: ana.email })
      await w.visitor.call(recovery.resetPasswordOperation, { ...(await linkOf(ana)), password: newPassword })
    },
    'a sign-in link to an unverified address': async (ana) => {
      await w.visitor.call(recovery.requestSignInLinkOperation, { email: ana.email })
      await w.visitor.call(recovery.signInByLinkOperation, await linkOf(ana))
    },
    'verifying the address outside of her session': async (ana) => {
      await ana.call(settings.requestEmailConfirmationOperation, {})
      await w.visitor.call(recovery.confirmEmailOperation, await linkOf(ana))
    },
    'the link of her sign-up outside of her session': async (ana) => {
      const [email] = await fetchSignUpEmailsTo(w, ana.email)
      const { searchParams } = new URL(/https?:\S+/.exec(email?.text ?? '')?.[0] ?? '')
      const linkParameters = {
        userId: searchParams.get('userId') ?? '',
        secret: searchParams.get('secret') ?? '',
      }
      await w.visitor.call(recovery.confirmEmailOperation, linkParameters)
    },
    'undoing a change of address, turned on since': async (ana) => {
      await reauthenticateByCode(ana)
      await verify(ana)
      await changeAddress(ana)
      await rows(
        `update account_events e set created_at = clock_timestamp() from accounts a
         where a.id = e.account_id and a.public_id = $1 and e.event = 'mfa.create'`,
        [ana.accountId],
      )
      await undo(ana)
    },
    'the operator’s removal after three days': async (ana) => {
      await requestTwoFactorRemoval((await operator()).context, await usernameOf(ana))
      return sweepAfterThreeDays(ana)
    },
    'Appwrite: removing the authenticator': async (ana) => {
      await reauthenticateByCode(ana)
      expect((await ana.request('DELETE', '/v1/account/mfa/authenticators/totp')).status).toBeLessThan(300)
    },
    'Appwrite: turning it off': async (ana) => {
      await reauthenticateByCode(ana)
      expect((await ana.request('PATCH', '/v1/account/mfa', { mfa: false })).status).toBe(200)
    },
    'Appwrite: recovery by an unverified address': async (ana) => {
      const url = 'http://localhost:3000/v1/auth/recovery'
      await visit('POST', '/recovery', { email: ana.email, url })
      await visit('PUT', '/recovery', { ...(await linkOf(ana)), password: newPassword })
    },
    'Appwrite: verification outside of her session': async (ana) => {
      const url = 'http://localhost:3000/v1/auth/verification'
      expect((await ana.request('POST', '/v1/account/verification', { url })).status).toBe(201)
      await visit('PUT', '/verification', await linkOf(ana))
    },
    'Appwrite: a magic link to an unverified address': async (ana) => {
      await visit('POST', '/sessions/magic-url', { userId: 'unique()', email: ana.email })
      await visit('PUT', '/sessions/magic-url', await linkOf(ana))
    },
    'Appwrite: an email code to an unverified address': async (ana) => {
      const { userId } = await visit('POST', '/tokens/email', { userId: 'unique()', email: ana.email })
      await visit('POST', '/sessions/token', { userId, secret: await fetchCodeSentTo(w, ana.email) })
    },
  }

  test.each(Object.entries(endings))(
    'MFA-23 ending two-factor authentication by %s is reported by email, notification and log',
    async (_path, end) => {
      const ana = await join2('Ana')
      expect(await endingsOf(ana)).toEqual([0, 0, 0])
      const bySweep = (await end(ana)) as undefined | readonly { to: string; kind: string }[]
      expect(await endingsOf(ana, bySweep)).toEqual([1, 1, 1])
      expect(
        await rows(
          'select from totp_secrets t join accounts a on a.id = t.account_id where a.public_id = $1 and a.mfa',
          [ana.accountId],
        ),
      ).toEqual([])
    },
  )

  const keeping: Record<string, Path> = {
    'verifying the address in her session': verify,
    'password recovery by a verified address': async (ana) => {
      await verify(ana)
      await w.visitor.call(recovery.requestPasswordResetOperation, { email: ana.email })
      await w.visitor.call(recovery.resetPasswordOperation, { ...(await linkOf(ana)), password: newPassword })
    },
    'the operator’s recovery link': async (ana) => {
      const link = new URL(await issueRecoveryLink((await operator()).context, await usernameOf(ana)))
      const [userId, secret] = ['userId', 'secret'].map((name) => link.searchParams.get(name) ?? '')
      await w.visitor.call(recovery.resetPasswordOperation, {
        userId: userId ?? '',
        secret: secret ?? '',
        password: newPassword,
      })
    },
    'undoing a change of address, turned on before': async (ana) => {
      await reauthenticateByCode(ana)
      await verify(ana)
      await changeAddress(ana)
      await undo(ana)
    },
    'an operator’s removal that she stopped': async (ana) => {
      const { context, secretTo } = await operator()
      await requestTwoFactorRemoval(context, await usernameOf(ana))
      const secret = secretTo(ana).searchParams.get('secret') ?? ''
      await w.visitor.call(recovery.keepTwoFactorOperation, { secret })
      return sweepAfterThreeDays(ana)
    },
  }

  test.each(Object.entries(keeping))(
    'MFA-23 %s keeps two-factor authentication and reports nothing',
    async (_path, keep) => {
      const ana = await join2('Ana')
      const bySweep = (await keep(ana)) as undefined | readonly { to: string; kind: string }[]
      expect(await endingsOf(ana, bySweep)).toEqual([0, 0, 0])
      const on =
        'select from accounts a join totp_secrets t on t.account_id = a.id where a.public_id = $1 and a.mfa'
      expect(await rows(on, [ana.accountId])).toHaveLength(1)
    },
  )
})

const linkOf = async ({ email }: MemberClient) => {
  const { userId, secret } = await fetchSentLinkSecret(w, email)
  return { userId, secret }
}
