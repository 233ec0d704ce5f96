import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import * as settings from '#contract/account/account-settings.ts'
import { connectIdentityOperation, disconnectIdentityOperation } from '#contract/account/provider-sign-in.ts'
import { getCurrentMemberOperation } from '#contract/account/sign-up-and-sign-in.ts'
import * as dataExport from '#contract/data-export/account-export.ts'
import { requestDeletionOperation } from '#contract/deletion/deletion.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import { type FakeOAuthProvider, startFakeOAuthProvider } from '#tests/doubles/oauth-provider.ts'
import { waitForLockWaits } from '#tests/support/lock-waits.ts'
import { extractCookieHeader } from '#tests/support/sent-messages.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

let provider: FakeOAuthProvider
let w: TestWorld
let hana: MemberClient
beforeAll(async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.spyOn(console, 'info').mockImplementation(() => {})
  provider = await startFakeOAuthProvider('http://localhost:3000/v1/sign-in-providers/casa/callback', {
    hana: 'hana@proveedora.test',
  })
  w = await createTestWorld({
    OAUTH_CASA_ID: 'juntas-at-the-provider',
    OAUTH_CASA_SECRET: 'a secret between the two',
    OAUTH_CASA_ISSUER: provider.issuer,
  })
})
afterAll(async () => {
  await w.end()
  await provider.stop()
})
beforeEach(async () => {
  hana = await w.join('Hana')
})

async function turnOnTwoFactor(): Promise<() => string> {
  const { secret } = await hana.call(settings.beginAuthenticatorOperation, {})
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  await hana.call(settings.turnOnTwoFactorOperation, { code: totp.generate() })
  await w.database.pool.query('update totp_secrets set last_step = 0')
  return () => totp.generate()
}

const passMinutes = (minutes: number) =>
  w.database.pool.query(
    'update sessions set proved_at = proved_at - $1::interval, second_proved_at = second_proved_at - $1::interval',
    [`${minutes} minutes`],
  )

async function addIdentity(id: string): Promise<void> {
  await w.database.pool.query(
    `insert into identities (public_id, account_id, provider, issuer, provider_uid)
     select $2, id, 'casa', $3, 'of ' || $4 from accounts where public_id = $1`,
    [hana.accountId, id, provider.issuer, id],
  )
}

type Attempt = () => Promise<{ status: number; body: unknown }>

const changes: Record<string, Attempt> = {
  'change her username': () => hana.ask(settings.changeUsernameOperation, { username: `h${Date.now()}` }),
  'disconnect a provider': () => hana.ask(disconnectIdentityOperation, { identityId: `${hana.id}-one` }),
  'disconnect a provider in an Appwrite client': () =>
    hana.request('DELETE', `/v1/account/identities/${hana.id}-two`),
  'request a change of her email': () =>
    hana.ask(settings.requestEmailChangeOperation, {
      email: `new-${hana.id}@juntas.test`,
      password: testPassword,
    }),
  'request a change of her email in an Appwrite client': () =>
    hana.request('PATCH', '/v1/account/email', {
      email: `newer-${hana.id}@juntas.test`,
      password: testPassword,
    }),
  'change her phone number in an Appwrite client': () =>
    hana.request('PATCH', '/v1/account/phone', { phone: '+34600777888', password: testPassword }),
  'make her account public': () =>
    hana.ask(updatePrivacySettingsOperation, {
      isPrivate: false,
      earlierPosts: 'everyone',
      password: testPassword,
    }),
  'close her account': () => hana.ask(settings.closeAccountOperation, {}),
  'close her account in an Appwrite client': () =>
    hana.request('PATCH', '/v1/account/status', { password: testPassword }),
  'delete her account': async () =>
    hana.ask(requestDeletionOperation, {
      username: (await hana.call(getCurrentMemberOperation, {})).username,
      password: testPassword,
    }),
}

const attempts: Record<string, Attempt> = {
  'download her data': () => hana.ask(dataExport.createExportDownloadLinkOperation, {}),
  'connect a provider': () => hana.ask(connectIdentityOperation, { provider: 'casa' }),
  ...changes,
}

async function makePrivateWithVerifiedEmail(): Promise<void> {
  await w.database.pool.query('update accounts set email_verified = true where public_id = $1', [
    hana.accountId,
  ])
  await hana.call(updatePrivacySettingsOperation, { isPrivate: true })
}

test.each(Object.entries(attempts))(
  'MFA-25 with two-factor authentication on, hana needs a code to %s; her password is not enough',
  async (_, attempt) => {
    for (const id of ['one', 'two']) await addIdentity(`${hana.id}-${id}`)
    await makePrivateWithVerifiedEmail()
    const generateCode = await turnOnTwoFactor()
    await passMinutes(16)
    const refused = { status: 401, body: { type: 'user_challenge_required' } }
    expect(await attempt()).toMatchObject(refused)
    await hana.call(settings.reauthenticateOperation, { password: testPassword })
    expect(await attempt()).toMatchObject(refused)
    await hana.call(settings.reauthenticateOperation, { code: generateCode() })
    expect((await attempt()).status).not.toBe(401)
  },
)

/** Another session turns two-factor authentication on after the attempt was checked and before it is written. */
async function turnOnTwoFactorDuring(attempt: Attempt): Promise<Awaited<ReturnType<Attempt>>> {
  const elsewhere = await w.database.pool.connect()
  try {
    await elsewhere.query('begin')
    await elsewhere.query('update accounts set mfa = true where public_id = $1', [hana.accountId])
    await elsewhere.query(
      `insert into totp_secrets (account_id, sealed, verified_at)
       select id, decode(repeat('00', 48), 'hex'), clock_timestamp() from accounts where public_id = $1`,
      [hana.accountId],
    )
    const attempting = attempt()
    await waitForLockWaits(w.database, 1, attempting)
    await elsewhere.query('commit')
    return await attempting
  } finally {
    elsewhere.release(true)
  }
}

test.each(Object.entries(changes))(
  'MFA-25 hana needs a code to %s if two-factor authentication is turned on at the same moment',
  async (_, change) => {
    for (const id of ['one', 'two']) await addIdentity(`${hana.id}-${id}`)
    await makePrivateWithVerifiedEmail()
    expect(await turnOnTwoFactorDuring(change)).toMatchObject({
      status: 401,
      body: { type: 'user_challenge_required' },
    })
  },
)

test('MFA-25 hana needs a code to replace her unverified email if two-factor authentication is turned on at the same moment', async () => {
  const replaced = await turnOnTwoFactorDuring(() =>
    hana.ask(settings.requestEmailChangeOperation, {
      email: `new-${hana.id}@juntas.test`,
      password: testPassword,
    }),
  )
  expect(replaced).toMatchObject({ status: 401, body: { type: 'user_challenge_required' } })
  expect((await hana.call(settings.getAccountSettingsOperation, {})).email).toBe(hana.email)
})

test('MFA-25 a connection that began before two-factor authentication was on needs a code to finish', async () => {
  const connect = async (afterBegin = async () => {}) => {
    const begun = await hana.ask(connectIdentityOperation, { provider: 'casa' })
    await afterBegin()
    const back = await provider.visit((begun.body as { url: string }).url, 'hana')
    const cookie = [extractCookieHeader(begun), hana.cookie].join('; ')
    return (await w.visitor.request('GET', `${back.pathname}${back.search}`, undefined, { cookie })).headers
      .location
  }
  let generateCode = () => ''
  const turnOnElsewhere = async () => {
    generateCode = await turnOnTwoFactor()
    await w.database.pool.query('update sessions set second_proved_at = null')
  }
  expect(await connect(turnOnElsewhere)).toBe('/settings/account?problem=general_unknown')
  expect((await hana.call(settings.getAccountSettingsOperation, {})).identities).toEqual([])
  await hana.call(settings.reauthenticateOperation, { code: generateCode() })
  expect(await connect()).toBe('/settings/account?connected=casa')
})

test('SET-10 MFA-25 with two-factor authentication on, hana ends her other sessions with her password alone', async () => {
  await turnOnTwoFactor()
  await passMinutes(16)
  await hana.call(settings.reauthenticateOperation, { password: testPassword })
  expect((await hana.ask(settings.signOutOtherDevicesOperation, {})).status).toBe(204)
})

async function signInAnew(more: Record<string, unknown> & { cookie?: string } = {}) {
  const { cookie = '' } = more
  const answer = await w.visitor.request<{ secondStep?: boolean }>(
    'POST',
    '/v1/sessions',
    { email: hana.email, password: testPassword },
    { cookie },
  )
  return { answer, cookie: [extractCookieHeader(answer), cookie].filter(Boolean).join('; ') }
}

async function trustThisBrowser(code: string): Promise<string> {
  const begun = await signInAnew()
  const whole = await w.visitor.request(
    'PUT',
    '/v1/sessions/current/second-step',
    { factor: 'totp', code, trustBrowser: true },
    { cookie: begun.cookie },
  )
  expect(whole.status).toBe(200)
  return /device_juntas=[0-9a-f]{64}/.exec(extractCookieHeader(whole))?.[0] ?? ''
}

test.each([
  ['without two-factor authentication', { twoFactor: false, trusted: false }],
  ['with two-factor authentication', { twoFactor: true, trusted: false }],
  ['with two-factor authentication in a trusted browser', { twoFactor: true, trusted: true }],
])(
  'DEL-06 MFA-25 %s, hana downloads her data before her account is erased, also long after signing in',
  async (_, { twoFactor, trusted }) => {
    const generateCode = twoFactor ? await turnOnTwoFactor() : () => ''
    const browser = trusted ? await trustThisBrowser(generateCode()) : ''
    const reuseCode = () => w.database.pool.query('update totp_secrets set last_step = 0')
    await reuseCode()
    const { username } = await hana.call(getCurrentMemberOperation, {})
    await hana.call(requestDeletionOperation, {
      username,
      password: testPassword,
      ...(twoFactor ? { code: generateCode() } : {}),
    })
    await reuseCode()
    let { answer, cookie } = await signInAnew({ cookie: browser })
    expect(answer.body.secondStep).toBe(twoFactor && !trusted)
    if (answer.body.secondStep) {
      const code = { factor: 'totp', code: generateCode() }
      const whole = await w.visitor.request('PUT', '/v1/sessions/current/second-step', code, { cookie })
      cookie = extractCookieHeader(whole)
      await reuseCode()
    }
    const request = (method: string, path: string, body?: unknown) =>
      w.visitor.request<Record<string, unknown>>(method, path, body, { cookie })
    expect((await request('POST', '/v1/me/export')).status).toBe(200)
    await passMinutes(16)
    const link = () => request('POST', '/v1/me/export/key')
    expect(await link()).toMatchObject({ status: 401, body: { type: 'user_challenge_required' } })
    const proof = twoFactor ? { code: generateCode() } : { password: testPassword }
    expect(await request('POST', '/v1/me/proof', proof)).toMatchObject({ status: 204 })
    await expect.poll(async () => (await link()).status).toBe(200)
    const { path } = (await link()).body
    expect(await request('GET', String(path))).toMatchObject({ status: 200 })
  },
)
