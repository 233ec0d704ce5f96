import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as settings from '#contract/account/account-settings.ts'
import * as recovery from '#contract/account/email-links.ts'
import * as passkeys from '#contract/account/passkeys.ts'
import { listNotificationsOperation } from '#contract/notifications/notifications.ts'
import { createSoftwarePasskey } from '#tests/doubles/software-authenticator.ts'
import {
  extractCookieHeader,
  fetchNewestMessageTo,
  fetchSentLinkSecret,
  fetchSentMessagesTo,
} from '#tests/support/sent-messages.ts'
import { settleNotifications } from '#tests/support/settle-notifications.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'

async function signIn({ email }: { email: string }, headers: Record<string, string> = {}) {
  const answer = await w.visitor.request(
    'POST',
    '/v1/sessions',
    { email, password: testPassword },
    { 'user-agent': firefox, ...headers },
  )
  expect(answer.status).toBe(201)
  return extractCookieHeader(answer)
}

const emailsTo = async ({ email }: MemberClient) =>
  (await fetchSentMessagesTo(w, email)).filter(({ kind }) => kind === 'new-device')

async function noticesOf(who: MemberClient) {
  await settleNotifications(w.database)
  const { documents } = await who.call(listNotificationsOperation, {})
  return documents.filter(({ kind }) => kind === 'new-device').map(({ device }) => device)
}

const statusOf = async (cookie: string) =>
  (await w.visitor.request('GET', '/v1/me/session', undefined, { cookie })).status

test('SESS-06 ana gets an email and a notification about an unknown browser, but not about her first or known browsers', async () => {
  const ana = await w.join('Ana')
  expect(await emailsTo(ana)).toEqual([])
  const cookie = await signIn(ana)
  const [message, ...more] = await emailsTo(ana)
  expect(more).toEqual([])
  expect(message?.text).toContain('Firefox en Windows. ¿Fuiste tú?')
  expect(message?.text).toContain('Firefox on Windows. Was it you?')
  expect(message?.text).toMatch(/\/settings\/security\/devices\n/)
  expect(await noticesOf(ana)).toMatchObject([{ browser: 'Firefox', system: 'Windows', current: false }])
  await signIn(ana, { cookie })
  expect(await emailsTo(ana)).toHaveLength(1)
  expect(await noticesOf(ana)).toHaveLength(1)
})

test("SESS-06 the notification names another device's live session to its owner only, and answering No ends that session", async () => {
  const [ana, eva] = [await w.join('Ana'), await w.join('Eva')]
  const cookie = await signIn(ana)
  const [device] = await noticesOf(ana)
  const deviceId = device?.deviceId ?? ''
  const seenThere = await (async () => {
    const { body } = await w.visitor.request<{ documents: { device: unknown }[] }>(
      'GET',
      '/v1/notifications',
      undefined,
      { cookie },
    )
    return body.documents.map(({ device }) => device)
  })()
  expect(seenThere).toMatchObject([{ deviceId, current: true }])
  expect(await noticesOf(eva)).toEqual([])
  await eva.call(settings.signOutDeviceOperation, { deviceId })
  expect(await statusOf(cookie)).toBe(200)
  await ana.call(settings.signOutDeviceOperation, { deviceId })
  expect(await statusOf(cookie)).toBe(401)
  expect(await noticesOf(ana)).toMatchObject([{ deviceId: null, current: false }])
})

test('SESS-06 the email never contains the name that a browser gives itself', async () => {
  const ana = await w.join('Ana')
  await signIn(ana, { 'user-agent': 'Mozilla/5.0 (Llama.a.900 like Mac OS X) PideAyuda/9.0 Chrome/<b>1' })
  const { text } = await fetchNewestMessageTo(w, ana.email)
  expect(text).not.toMatch(/Llama|900|Pide|<b>/)
  expect(text).toMatch(/que no conocíamos: [\w ]+\. ¿Fuiste tú\?/)
  // The parser accepts five letters of an unknown browser's name, and other spellings of known names.
  for (const name of ['TONTA Browser/1', 'InstaGRAM/1']) {
    await signIn(ana, { 'user-agent': `Mozilla/5.0 (X11; Linux x86_64) ${name}` })
    const { text } = await fetchNewestMessageTo(w, ana.email)
    expect(text).toContain('que no conocíamos: un navegador en Linux. ¿Fuiste tú?')
    expect(text).not.toMatch(/tonta|instagram/i)
  }
})

test('SESS-06 signing in by link, Appwrite password, passkey or recovery notifies the member once per browser', async () => {
  const ana = await w.join('Ana')
  const byLink = async (cookie = '') => {
    await w.visitor.call(recovery.requestSignInLinkOperation, { email: ana.email })
    const { userId, secret } = await fetchSentLinkSecret(w, ana.email)
    const answer = await w.visitor.request('PUT', '/v1/sign-in-link', { userId, secret }, { cookie })
    return extractCookieHeader(answer)
  }
  // The first link verifies the address and removes everything others may have added, so every browser is
  // unknown.
  const cookie = await byLink()
  expect(await emailsTo(ana)).toHaveLength(1)
  await byLink(cookie)
  expect(await emailsTo(ana)).toHaveLength(1)

  const appwrite = { email: ana.email, password: testPassword }
  const old = await w.visitor.request('POST', '/v1/account/sessions/email', appwrite)
  expect([old.status, await emailsTo(ana)]).toMatchObject([401, { length: 1 }])

  await w.visitor.call(recovery.requestPasswordResetOperation, { email: ana.email })
  const reset = await fetchSentLinkSecret(w, ana.email)
  const password = 'otra clave bien larga'
  const recovered = await w.visitor.request('PUT', '/v1/recovery', {
    userId: reset.userId,
    secret: reset.secret,
    password,
  })
  expect(recovered.status).toBeLessThan(300)
  expect(await emailsTo(ana)).toHaveLength(2)
  const again = await w.visitor.request('POST', '/v1/account/sessions/email', { email: ana.email, password })
  expect([again.status, await emailsTo(ana)]).toMatchObject([201, { length: 3 }])
})

test('SESS-06 a passkey sign-in from an unknown browser notifies the member; an incomplete second step does not', async () => {
  const gema = await w.join('Gema')
  const passkey = createSoftwarePasskey(await gema.call(passkeys.beginPasskeyOperation, {}))
  await gema.call(passkeys.addPasskeyOperation, { attestation: passkey.attestation, name: 'Pixel' })
  const { challenge } = await w.visitor.call(passkeys.beginPasskeySignInOperation, {})
  await w.visitor.call(passkeys.signInByPasskeyOperation, { assertion: passkey.assert(challenge) })
  expect(await emailsTo(gema)).toHaveLength(1)

  const { secret } = await gema.call(settings.beginAuthenticatorOperation, {})
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  await gema.call(settings.turnOnTwoFactorOperation, { code: totp.generate() })
  await w.database.pool.query('update totp_secrets set last_step = 0')
  const half = await signIn(gema)
  expect(await emailsTo(gema)).toHaveLength(1)
  const whole = await w.visitor.request(
    'PUT',
    '/v1/sessions/current/second-step',
    { factor: 'totp', code: totp.generate() },
    { cookie: half },
  )
  expect(whole.status).toBe(200)
  expect(await emailsTo(gema)).toHaveLength(2)
})

test('SESS-06 repeated sign-ins send at most ten emails a day and use up no quota of other notices', async () => {
  const hana = await w.join('Hana')
  for (let time = 0; time < 12; time++) {
    const cookie = await signIn(hana, { 'x-forwarded-for': `203.0.113.${time}` })
    await w.visitor.request('DELETE', '/v1/sessions/current', undefined, { cookie })
  }
  expect(await emailsTo(hana)).toHaveLength(10)
  const { secret } = await hana.call(settings.beginAuthenticatorOperation, {})
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  await hana.call(settings.turnOnTwoFactorOperation, { code })
  expect((await fetchNewestMessageTo(w, hana.email)).kind).toBe('two-steps-on')
})
