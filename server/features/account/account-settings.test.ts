import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as settings from '#contract/account/account-settings.ts'
import * as recovery from '#contract/account/email-links.ts'
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
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const android =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'

const signInElsewhere = async ({ email }: MemberClient, userAgent = firefox, password = testPassword) =>
  extractCookieHeader(
    await w.visitor.request('POST', '/v1/sessions', { email, password }, { 'user-agent': userAgent }),
  )
const statusOf = async (cookie: string) =>
  (await w.visitor.request('GET', '/v1/me/session', undefined, { cookie })).status
const verifyEmail = async (her: MemberClient) => {
  await her.call(settings.requestEmailConfirmationOperation, {})
  const { userId, secret } = await fetchSentLinkSecret(w, her.email)
  await her.call(recovery.confirmEmailOperation, { userId, secret })
}
const ageReauthentications = () =>
  w.database.pool.query("update sessions set proved_at = proved_at - interval '16 minutes'")

describe('the account overview', () => {
  test("SET-06 account settings show the member's email address, whether she has a password, and her devices", async () => {
    const ana = await w.join('Ana')
    await signInElsewhere(ana, android)
    const seen = await ana.call(settings.getAccountSettingsOperation, {})
    expect(seen).toMatchObject({
      email: ana.email,
      emailVerified: false,
      pendingEmail: null,
      hasPassword: true,
      deviceCount: 2,
      newestDevice: { browser: 'Chrome', system: 'Android', kind: 'phone' },
      mail: true,
    })
    await verifyEmail(ana)
    // Confirming the address for the first time ends the other sessions.
    expect(await ana.call(settings.getAccountSettingsOperation, {})).toMatchObject({
      emailVerified: true,
      deviceCount: 1,
    })
  })
})

describe('SET-10 changing the password', () => {
  test('changing the password requires the current one and ends every other session', async () => {
    const bea = await w.join('Bea')
    const elsewhere = await signInElsewhere(bea)
    const wrong = await bea.ask(settings.changePasswordOperation, {
      currentPassword: 'no es',
      password: chosen,
    })
    expect(wrong).toMatchObject({
      status: 401,
      body: { type: 'user_invalid_credentials', field: 'currentPassword' },
    })
    const common = await bea.ask(settings.changePasswordOperation, {
      currentPassword: testPassword,
      password: 'password1',
    })
    expect(common.body).toMatchObject({ type: 'password_too_common', field: 'password' })
    expect(await statusOf(elsewhere)).toBe(200)
    await bea.call(settings.changePasswordOperation, { currentPassword: testPassword, password: chosen })
    expect(await statusOf(elsewhere)).toBe(401)
    expect(await statusOf(bea.cookie)).toBe(200)
    expect(await statusOf(await signInElsewhere(bea, firefox, chosen))).toBe(200)
  })

  test('a member without a password must re-authenticate to choose one', async () => {
    const carla = await w.join('Carla')
    await w.database.pool.query('update accounts set password_hash = null where public_id = $1', [
      carla.accountId,
    ])
    await ageReauthentications()
    const refused = await carla.ask(settings.changePasswordOperation, { password: chosen })
    expect(refused).toMatchObject({ status: 401, body: { type: 'user_challenge_required' } })
    await w.database.pool.query('update sessions set proved_at = clock_timestamp()')
    await carla.call(settings.changePasswordOperation, { password: chosen })
    expect(await statusOf(await signInElsewhere(carla, firefox, chosen))).toBe(200)
  })
})

describe('the email address', () => {
  test('VER-01 VER-08 the confirmation email links to our own screen', async () => {
    const dora = await w.join('Dora')
    await dora.call(settings.requestEmailConfirmationOperation, {})
    const { link } = await fetchSentLinkSecret(w, dora.email)
    expect(`${link.origin}${link.pathname}`).toBe('http://localhost:3000/verify')
  })

  test('VER-04 a confirmed address stays until the member opens the link sent to the new one, and she can cancel the change', async () => {
    const eva = await w.join('Eva')
    await verifyEmail(eva)
    const email = `nueva.${eva.email}`
    expect(await eva.call(settings.requestEmailChangeOperation, { email, password: testPassword })).toEqual({
      email: eva.email,
      pendingEmail: email,
    })
    expect(await eva.call(settings.getAccountSettingsOperation, {})).toMatchObject({ email: eva.email })
    expect(await statusOf(await signInElsewhere(eva))).toBe(200)
    const given = { email, password: testPassword }
    expect((await w.visitor.request('POST', '/v1/sessions', given)).status).toBe(401)
    const { link, userId, secret } = await fetchSentLinkSecret(w, email)
    expect(link.pathname).toBe('/verify')
    await eva.call(settings.cancelEmailChangeOperation, {})
    expect(await eva.call(settings.getAccountSettingsOperation, {})).toMatchObject({ pendingEmail: null })
    expect((await eva.ask(recovery.confirmEmailOperation, { userId, secret })).body).toMatchObject({
      type: 'user_invalid_token',
    })
  })

  test('VER-04 an unconfirmed address is replaced immediately', async () => {
    const fara = await w.join('Fara')
    const email = `nueva.${fara.email}`
    expect(await fara.call(settings.requestEmailChangeOperation, { email })).toEqual({
      email,
      pendingEmail: null,
    })
    expect(await fetchSentMessagesTo(w, fara.email)).toEqual([])
  })

  test("VER-06 changing to another member's address gets the same response as a free one and notifies that member", async () => {
    const [gala, hana] = [await w.join('Gala'), await w.join('Hana')]
    await verifyEmail(gala)
    await verifyEmail(hana)
    const to = (email: string) =>
      gala.ask(settings.requestEmailChangeOperation, { email, password: testPassword })
    const free = await to('libre@juntas.test')
    const taken = await to(hana.email)
    const shape = ({ status, raw }: typeof free, email: string) => [
      status,
      raw.toString().replace(email, 'x'),
    ]
    expect(shape(taken, hana.email)).toEqual(shape(free, 'libre@juntas.test'))
    const message = await fetchNewestMessageTo(w, hana.email)
    expect(message).toMatchObject({ kind: 'email-taken' })
    expect(message.text).toContain('Ya tienes una cuenta con este correo.')
    expect(message.text).not.toContain('secret')
  })

  test('VER-07 after two email changes, only the link in the newest email works', async () => {
    const iris = await w.join('Iris')
    await verifyEmail(iris)
    const [first, second] = [`uno.${iris.email}`, `dos.${iris.email}`]
    for (const email of [first, second])
      await iris.call(settings.requestEmailChangeOperation, { email, password: testPassword })
    const old = await fetchSentLinkSecret(w, first)
    expect(
      (await iris.ask(recovery.confirmEmailOperation, { userId: old.userId, secret: old.secret })).body,
    ).toMatchObject({ type: 'user_invalid_token' })
    const { userId, secret } = await fetchSentLinkSecret(w, second)
    await iris.call(recovery.confirmEmailOperation, { userId, secret })
    expect((await iris.call(settings.getAccountSettingsOperation, {})).email).toBe(second)
  })
})

describe('devices', () => {
  test('SESS-01 SESS-02 the device list starts with the current session and shows browser, system and sign-in method, but no local country', async () => {
    const juana = await w.join('Juana')
    await signInElsewhere(juana, android)
    const idle = await signInElsewhere(juana)
    await w.database.pool.query(
      `update sessions set last_seen_at = last_seen_at - interval '15 days'
       where id = (select max(s.id) from sessions s join accounts a on a.id = s.account_id where a.public_id = $1)`,
      [juana.accountId],
    )
    expect(await statusOf(idle)).toBe(401)
    const { documents } = await juana.call(settings.listDevicesOperation, {})
    expect(documents).toMatchObject([
      { current: true, signedInWith: 'password' },
      { current: false, browser: 'Chrome', system: 'Android', kind: 'phone', signedInWith: 'password' },
    ])
    expect(Object.keys(documents[0] ?? {}).sort()).toEqual(
      [
        '$id',
        'browser',
        'system',
        'kind',
        'country',
        'signedInWith',
        'signedInAt',
        'lastSeenAt',
        'current',
        'rings',
      ].sort(),
    )
  })

  test("SESS-03 SESS-10 a member can sign out her other device, immediately and repeatedly; nobody can sign out another member's device", async () => {
    const [katia, eve] = [await w.join('Katia'), await w.join('Eve')]
    const elsewhere = await signInElsewhere(katia)
    const { documents } = await katia.call(settings.listDevicesOperation, {})
    const other = documents.find(({ current }) => !current)?.$id ?? ''
    expect((await eve.call(settings.listDevicesOperation, {})).documents).toHaveLength(1)
    expect((await eve.ask(settings.signOutDeviceOperation, { deviceId: other })).status).toBe(204)
    expect(await statusOf(elsewhere)).toBe(200)
    for (const status of [204, 204])
      expect((await katia.ask(settings.signOutDeviceOperation, { deviceId: other })).status).toBe(status)
    expect(await statusOf(elsewhere)).toBe(401)
    expect(await statusOf(katia.cookie)).toBe(200)
  })

  test('SESS-05 SESS-07 SESS-08 signing out all other devices requires re-authentication in this session', async () => {
    const lola = await w.join('Lola')
    const elsewhere = await signInElsewhere(lola)
    await ageReauthentications()
    const challenge = { status: 401, body: { type: 'user_challenge_required' } }
    const email = `nueva.${lola.email}`
    expect(await lola.ask(settings.signOutOtherDevicesOperation, {})).toMatchObject(challenge)
    expect(await lola.ask(settings.requestEmailChangeOperation, { email })).toMatchObject(challenge)
    const wrong = await lola.ask(settings.reauthenticateOperation, { password: 'no es' })
    expect(wrong).toMatchObject({ status: 401, body: { type: 'user_invalid_credentials' } })
    // Re-authentication in another session does not count here.
    const proved = await w.visitor.request(
      'POST',
      '/v1/me/proof',
      { password: testPassword },
      { cookie: elsewhere },
    )
    expect(proved.status).toBe(204)
    expect(await lola.ask(settings.signOutOtherDevicesOperation, {})).toMatchObject(challenge)
    await lola.call(settings.reauthenticateOperation, { password: testPassword })
    await lola.call(settings.signOutOtherDevicesOperation, {})
    expect(await statusOf(elsewhere)).toBe(401)
    expect(await statusOf(lola.cookie)).toBe(200)
    await ageReauthentications()
    expect(await lola.ask(settings.signOutOtherDevicesOperation, {})).toMatchObject(challenge)
  })
})

describe('SESS-09 the security log', () => {
  test('the security log lists events newest first, without secrets, addresses or texts, to its owner only', async () => {
    const mara = await w.join('Mara')
    await verifyEmail(mara)
    await mara.call(settings.requestEmailChangeOperation, {
      email: `nueva.${mara.email}`,
      password: testPassword,
    })
    await mara.call(settings.changePasswordOperation, { currentPassword: testPassword, password: chosen })
    await signInElsewhere(mara, android, chosen)
    const { documents, next } = await mara.call(settings.listSecurityEventsOperation, {})
    expect(documents.map(({ event }) => event)).toEqual([
      'session.create',
      'password.update',
      'email.request',
      'verification.update',
      'verification.create',
      'session.create',
      'user.create',
    ])
    expect(next).toBeNull()
    expect(documents[0]).toMatchObject({ browser: 'Chrome', system: 'Android' })
    expect(Object.keys(documents[0] ?? {}).sort()).toEqual([
      'at',
      'browser',
      'country',
      'event',
      'kind',
      'system',
    ])
    const eve = await w.join('Eve')
    expect((await eve.call(settings.listSecurityEventsOperation, {})).documents).toHaveLength(2)
  })

  test('the security log has pages of fifty, lists each event once even if many share a time, and covers one year', async () => {
    const nina = await w.join('Nina')
    await w.database.pool.query(
      `insert into account_events (account_id, event, created_at)
       select id, 'session.update', date_trunc('second', clock_timestamp()) - case when n > 100 then interval '366 days' else n / 60 * interval '1 second' end
       from accounts, generate_series(1, 110) n where public_id = $1`,
      [nina.accountId],
    )
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page: { documents: { event: string }[]; next: string | null } = await nina.call(
        settings.listSecurityEventsOperation,
        cursor ? { cursor } : {},
      )
      expect(page.documents.length).toBeLessThanOrEqual(50)
      seen.push(...page.documents.map(({ event }) => event))
      cursor = page.next ?? undefined
    } while (cursor)
    expect(seen.filter((event) => event === 'session.update')).toHaveLength(100)
    expect(seen).toHaveLength(102)
    const noDates = ['2026-02-30', '2026-13-01', '0000-01-01'].map((day) => `${day}T00:00:00.000Z~0`)
    for (const cursor of ['yesterday', ...noDates]) {
      const refused = await nina.ask(settings.listSecurityEventsOperation, { cursor })
      expect([refused.status, refused.body]).toMatchObject([400, { field: 'cursor' }])
    }
  })
})
