import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as settings from '#contract/account/account-settings.ts'
import * as recovery from '#contract/account/email-links.ts'
import * as passkeys from '#contract/account/passkeys.ts'
import { createInvitationOperation, listInvitationsOperation } from '#contract/community/invitations.ts'
import { getPasskeyHost } from '#server/auth/passkey-host.ts'
import {
  createSoftwarePasskey,
  type PasskeyForgeries,
  type SoftwarePasskey,
} from '#tests/doubles/software-authenticator.ts'
import { waitForLockWaits } from '#tests/support/lock-waits.ts'
import { countResponsesByStatus, raceTimeoutMs, runRaceRounds } from '#tests/support/run-race-rounds.ts'
import { startSecondServerNode } from '#tests/support/second-node.ts'
import {
  extractCookieHeader,
  fetchSentLinkSecret,
  fetchSentMessagesTo,
} from '#tests/support/sent-messages.ts'
import { stopClock } from '#tests/support/stop-clock.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'
import { acceptNewPasskeyHost } from './operator-commands.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
})
afterAll(() => w.end())

const invalid = { status: 401, body: { type: 'passkey_invalid' } }
const unknown = { status: 401, body: { type: 'passkey_unknown' } }
const challengeRequired = { status: 401, body: { type: 'user_challenge_required' } }
const lastWayIn = { status: 409, body: { type: 'user_last_way_in' } }
const rows = async (text: string, values: unknown[] = []) => (await w.database.pool.query(text, values)).rows

async function addPasskey(her: MemberClient, name = 'Pixel', more: { counts?: boolean } = {}) {
  const passkey = createSoftwarePasskey(await her.call(passkeys.beginPasskeyOperation, {}), more)
  const added = await her.call(passkeys.addPasskeyOperation, { attestation: passkey.attestation, name })
  return Object.assign(passkey, { $id: added.$id })
}

async function signIn(passkey: SoftwarePasskey, lies?: PasskeyForgeries) {
  const { challenge } = await w.visitor.call(passkeys.beginPasskeySignInOperation, {})
  const answer = await w.visitor.ask(passkeys.signInByPasskeyOperation, {
    assertion: passkey.assert(challenge, lies),
  })
  return { ...answer, cookie: extractCookieHeader(answer) }
}

async function reauthenticate(her: MemberClient, passkey: SoftwarePasskey) {
  const { challenge } = await her.call(passkeys.beginPasskeyReauthenticationOperation, {})
  return her.ask(passkeys.reauthenticateByPasskeyOperation, { assertion: passkey.assert(challenge) })
}

const at = (cookie: string) => (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
  w.visitor.request<Record<string, unknown>>(method, path, body, { cookie })
const statusOf = async (cookie: string) => (await at(cookie)('GET', '/v1/me/session')).status

/** @returns a function that gives an unused code */
async function withApp(her: MemberClient): Promise<() => Promise<string>> {
  const { secret } = await her.call(settings.beginAuthenticatorOperation, {})
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  await her.call(settings.turnOnTwoFactorOperation, { code: totp.generate() })
  return async () => {
    await rows('update totp_secrets set last_step = 0')
    return totp.generate()
  }
}

const half = async ({ email }: MemberClient) =>
  extractCookieHeader(await w.visitor.request('POST', '/v1/sessions', { email, password: testPassword }))

const expectRemovalEmailed = async ({ email }: MemberClient) =>
  expect((await fetchSentMessagesTo(w, email)).map(({ kind }) => kind)).toContain('passkey-removed')

const forgetReauthentications = () =>
  rows(
    "update sessions set proved_at = proved_at - interval '16 minutes', second_proved_at = second_proved_at - interval '16 minutes'",
  )

describe('a passkey', () => {
  test('PKEY-01 only the member sees her passkey in the list, and an email and the log report the new passkey', async () => {
    const [ana, eva] = [await w.join('Ana'), await w.join('Eva')]
    const passkey = await addPasskey(ana, 'Pixel of Ana')
    const listed = await ana.call(passkeys.listPasskeysOperation, {})
    expect(listed.documents).toMatchObject([
      { $id: passkey.$id, name: 'Pixel of Ana', keeper: null, kind: 'device', usedAt: null },
    ])
    expect((await ana.call(settings.getAccountSettingsOperation, {})).passkeyCount).toBe(1)
    expect((await fetchSentMessagesTo(w, ana.email)).map(({ kind }) => kind)).toContain('passkey-added')
    const { documents } = await ana.call(settings.listSecurityEventsOperation, {})
    expect(documents[0]?.event).toBe('passkey.create')
    await ana.call(passkeys.renamePasskeyOperation, { passkeyId: passkey.$id, name: 'El de Ana' })
    const others = { passkeyId: passkey.$id, name: 'mío' }
    expect((await eva.ask(passkeys.renamePasskeyOperation, others)).status).toBe(404)
    expect((await eva.ask(passkeys.removePasskeyOperation, others)).status).toBe(204)
    expect((await eva.call(passkeys.listPasskeysOperation, {})).documents).toEqual([])
    expect((await w.visitor.ask(passkeys.listPasskeysOperation, {})).status).toBe(401)
    expect((await ana.call(passkeys.listPasskeysOperation, {})).documents[0]?.name).toBe('El de Ana')
  })

  test('PKEY-02 a passkey signs in by itself, even with two-factor authentication, and the session has both factors', async () => {
    const gema = await w.join('Gema')
    await withApp(gema)
    const passkey = await addPasskey(gema)
    const opened = await signIn(passkey)
    expect(opened).toMatchObject({ status: 201, body: { accountId: gema.accountId, secondStep: false } })
    expect(await statusOf(opened.cookie)).toBe(200)
    expect((await at(opened.cookie)('PUT', '/v1/me/recovery-codes', {})).status).toBe(200)
    const devices = await at(opened.cookie)('GET', '/v1/me/devices')
    expect(devices.body.documents).toMatchObject([{ signedInWith: 'passkey' }, { signedInWith: 'password' }])
    expect((await gema.call(passkeys.listPasskeysOperation, {})).documents[0]?.usedAt).not.toBeNull()
    // Appwrite clients can see this session.
    const session = await at(opened.cookie)('GET', '/v1/account/sessions/current')
    expect(session.body).toMatchObject({ provider: 'passkey', factors: ['passkey'] })
  })

  test('PKEY-02 passkey sign-in options are the same for everybody and name no account or passkey', async () => {
    const shown = async () => {
      const { challenge, ...rest } = await w.visitor.call(passkeys.beginPasskeySignInOperation, {})
      return { length: challenge.length, rest }
    }
    const before = await shown()
    await addPasskey(await w.join('Hana'))
    expect(await shown()).toEqual(before)
    expect(before.rest).toEqual({
      timeout: 600_000,
      rpId: 'localhost',
      allowCredentials: [],
      userVerification: 'required',
    })
  })
})

describe('an authenticator that sends false data', () => {
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const lies: [string, PasskeyForgeries][] = [
    ['a wrong origin', { origin: 'http://localhost.evil.example:3000' }],
    ['an origin of another port', { origin: 'http://localhost:3001' }],
    ['another host', { host: 'evil.example' }],
    ['a wrong challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['no user verification', { userVerified: false }],
    ['another key', { key: other }],
    ['a frame of another page', { crossOrigin: true }],
    ['an answer to a registration', { type: 'webauthn.create' }],
    ['nobody’s handle', { userHandle: undefined }],
    ['another account’s handle', { userHandle: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
  ]
  test.each(lies)('PKEY-05 a passkey sign-in with %s is refused', async (_what, lie) => {
    const ana = await w.join('Ana')
    const passkey = await addPasskey(ana)
    expect(await signIn(passkey, lie)).toMatchObject(invalid)
    expect(await signIn(passkey)).toMatchObject({ status: 201 })
  })

  test('PKEY-05 a registration with a wrong origin, host or challenge, or without user verification, adds no passkey', async () => {
    const ana = await w.join('Ana')
    for (const [, lie] of lies.slice(0, 5)) {
      const passkey = createSoftwarePasskey(await ana.call(passkeys.beginPasskeyOperation, {}), lie)
      const given = { attestation: passkey.attestation, name: 'mal' }
      expect(await ana.ask(passkeys.addPasskeyOperation, given)).toMatchObject(invalid)
    }
    expect((await ana.call(passkeys.listPasskeysOperation, {})).documents).toEqual([])
  })

  test('PKEY-05 a passkey id longer than the maximum is refused, naming its field', async () => {
    const ana = await w.join('Ana')
    const passkey = createSoftwarePasskey(await ana.call(passkeys.beginPasskeyOperation, {}), {
      credentialId: Buffer.alloc(1100, 1),
    })
    const attestation = { ...passkey.attestation, id: 'corto', rawId: 'corto' }
    const refused = await ana.ask(passkeys.addPasskeyOperation, { attestation, name: 'grande' })
    expect(refused).toMatchObject({
      status: 400,
      body: { type: 'general_argument_invalid', field: 'attestation' },
    })
    expect((await ana.call(passkeys.listPasskeysOperation, {})).documents).toEqual([])
  })

  test('PKEY-02 repeated passkey requests from one IP address store no more challenges than the limit', async () => {
    stopClock()
    const limited = await createTestWorld()
    const asked = []
    const { method, path } = passkeys.beginPasskeySignInOperation
    // Requests from this machine do not count against limits.
    const elsewhere = { 'x-forwarded-for': '203.0.113.5' }
    for (let n = 0; n < 61; n += 1)
      asked.push((await limited.visitor.request(method, `/v1${path}`, {}, elsewhere)).status)
    expect(asked).toEqual([...Array(60).fill(200), 429])
    const { rows } = await limited.database.pool.query(
      'select count(*)::int as count from passkey_challenges',
    )
    expect(rows).toEqual([{ count: 60 }])
    await limited.end()
  })

  test('PKEY-05 a challenge works once, for its own purpose, in its own session, for ten minutes', async () => {
    const [ana, bea] = [await w.join('Ana'), await w.join('Bea')]
    const passkey = await addPasskey(ana)
    const { challenge } = await w.visitor.call(passkeys.beginPasskeySignInOperation, {})
    const first = { assertion: passkey.assert(challenge) }
    expect((await w.visitor.ask(passkeys.signInByPasskeyOperation, first)).status).toBe(201)
    const again = { assertion: passkey.assert(challenge) }
    expect(await w.visitor.ask(passkeys.signInByPasskeyOperation, again)).toMatchObject(invalid)
    const reauthentication = await ana.call(passkeys.beginPasskeyReauthenticationOperation, {})
    const elsewhere = { assertion: passkey.assert(reauthentication.challenge) }
    expect(await w.visitor.ask(passkeys.signInByPasskeyOperation, elsewhere)).toMatchObject(invalid)
    expect(await bea.ask(passkeys.reauthenticateByPasskeyOperation, elsewhere)).toMatchObject(invalid)
    const second = await signIn(passkey)
    const body = { assertion: passkey.assert(reauthentication.challenge) }
    expect((await at(second.cookie)('POST', '/v1/me/passkey-proof', body)).status).toBe(401)
    const late = await w.visitor.call(passkeys.beginPasskeySignInOperation, {})
    await rows("update passkey_challenges set expires_at = expires_at - interval '10 minutes'")
    const tooLate = { assertion: passkey.assert(late.challenge) }
    expect(await w.visitor.ask(passkeys.signInByPasskeyOperation, tooLate)).toMatchObject(invalid)
  })

  test('PKEY-05 a passkey registration begun in one session cannot finish in another', async () => {
    const [ana, eva] = [await w.join('Ana'), await w.join('Eva')]
    const begun = createSoftwarePasskey(await eva.call(passkeys.beginPasskeyOperation, {}))
    const given = { attestation: begun.attestation, name: 'de Eva' }
    expect(await ana.ask(passkeys.addPasskeyOperation, given)).toMatchObject(invalid)
    expect((await eva.ask(passkeys.addPasskeyOperation, given)).status).toBe(201)
  })

  test('PKEY-05 a session that is ended while its passkey registration waits for the account adds no passkey', async () => {
    const eva = await w.join('Eva')
    const { attestation } = createSoftwarePasskey(await eva.call(passkeys.beginPasskeyOperation, {}))
    const owner = await w.database.pool.connect()
    await owner.query('begin')
    const { rows } = await owner.query('select id from accounts where public_id = $1 for update', [
      eva.accountId,
    ])
    const adding = eva.ask(passkeys.addPasskeyOperation, { attestation, name: 'Ajena' })
    await waitForLockWaits(w.database, 1, adding)
    await owner.query('delete from sessions where account_id = $1', [rows[0].id])
    await owner.query('commit')
    owner.release()
    expect((await adding).status).toBe(401)
    const kept = await w.database.pool.query('select from passkeys where account_id = $1', [rows[0].id])
    expect(kept.rows).toEqual([])
  })

  test("PKEY-05 nobody can register a passkey under the id of another member's passkey", async () => {
    const [ana, eva] = [await w.join('Ana'), await w.join('Eva')]
    const passkey = await addPasskey(ana)
    const taken = createSoftwarePasskey(await eva.call(passkeys.beginPasskeyOperation, {}), {
      credentialId: Buffer.from(passkey.credentialId, 'base64url'),
    })
    const given = { attestation: taken.attestation, name: 'robada' }
    expect(await eva.ask(passkeys.addPasskeyOperation, given)).toMatchObject(invalid)
    expect(await signIn(taken)).toMatchObject(invalid)
    expect((await signIn(passkey)).body).toMatchObject({ accountId: ana.accountId })
  })

  test("PKEY-05 a decreasing counter is refused and reported by email and log, unless a stranger's key signed it", async () => {
    const ana = await w.join('Ana')
    const passkey = await addPasskey(ana)
    const readNotices = async () =>
      (await fetchSentMessagesTo(w, ana.email)).filter(({ kind }) => kind === 'passkey-refused').length
    expect((await signIn(passkey, { count: 40 })).status).toBe(201)
    expect(await signIn(passkey, { count: 39, key: other })).toMatchObject(invalid)
    expect(await readNotices()).toBe(0)
    expect(await signIn(passkey, { count: 40 })).toMatchObject(invalid)
    expect(await signIn(passkey, { count: 0 })).toMatchObject(invalid)
    expect(await readNotices()).toBe(2)
    const { documents } = await ana.call(settings.listSecurityEventsOperation, {})
    expect(documents.map(({ event }) => event).slice(0, 2)).toEqual(['passkey.refused', 'passkey.refused'])
    expect((await signIn(passkey, { count: 41 })).status).toBe(201)
    const synced = await addPasskey(ana, 'iCloud', { counts: false })
    expect([(await signIn(synced)).status, (await signIn(synced)).status]).toEqual([201, 201])
  })

  test(
    'PKEY-05 of two concurrent sign-ins with the same passkey response, one succeeds',
    async () => {
      const passkey = await addPasskey(await w.join('Ana'))
      await runRaceRounds(
        w.database,
        async () => {
          const { challenge } = await w.visitor.call(passkeys.beginPasskeySignInOperation, {})
          const given = { assertion: passkey.assert(challenge) }
          return [1, 2].map(() => () => w.visitor.ask(passkeys.signInByPasskeyOperation, given))
        },
        (answers) => expect(countResponsesByStatus(answers)).toEqual({ 201: 1, 401: 1 }),
      )
    },
    raceTimeoutMs,
  )
})

describe('restrictions', () => {
  test('PKEY-04 a removed passkey is unknown and cannot sign in', async () => {
    const ana = await w.join('Ana')
    const passkey = await addPasskey(ana)
    await ana.call(passkeys.removePasskeyOperation, { passkeyId: passkey.$id })
    expect(await signIn(passkey)).toMatchObject({
      ...unknown,
      body: { message: 'Juntas no reconoce esa llave. Entra de otra manera y añádela otra vez.' },
    })
    expect((await fetchSentMessagesTo(w, ana.email)).map(({ kind }) => kind)).toContain('passkey-removed')
  })

  test('PKEY-02 a closed or suspended account refuses its passkey, and reveals its state only to a correct passkey', async () => {
    const ana = await w.join('Ana')
    const passkey = await addPasskey(ana)
    await rows("update accounts set status = 'blocked' where public_id = $1", [ana.accountId])
    const refused = await signIn(passkey)
    expect(refused).toMatchObject({ status: 401, body: { type: 'user_blocked' } })
    expect(refused.cookie).toBe('')
    const wrong = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    expect(await signIn(passkey, { key: wrong })).toMatchObject(invalid)
  })

  test('PKEY-06 an account has at most ten passkeys, even if several are added concurrently', async () => {
    const ana = await w.join('Ana')
    for (let n = 0; n < 9; n += 1) await addPasskey(ana, `n${n}`)
    const begun = await Promise.all(
      [1, 2, 3].map(async () => createSoftwarePasskey(await ana.call(passkeys.beginPasskeyOperation, {}))),
    )
    const answers = await Promise.all(
      begun.map(({ attestation }) => ana.ask(passkeys.addPasskeyOperation, { attestation, name: 'una más' })),
    )
    expect(countResponsesByStatus(answers)).toEqual({ 201: 1, 409: 2 })
    expect(await ana.ask(passkeys.beginPasskeyOperation, {})).toMatchObject({
      status: 409,
      body: { type: 'passkey_limit', message: 'You have ten passkeys. Remove one first.' },
    })
  })

  test('PKEY-07 adding and removing passkeys need re-authentication, by code or passkey if two-factor authentication is on', async () => {
    const fara = await w.join('Fara')
    const passkey = await addPasskey(fara)
    const code = await withApp(fara)
    const acts = async () =>
      Promise.all([
        fara.ask(passkeys.beginPasskeyOperation, {}),
        fara.ask(passkeys.removePasskeyOperation, { passkeyId: 'nothing' }),
        fara.ask(passkeys.removePasswordOperation, {}),
      ])
    await forgetReauthentications()
    for (const answer of await acts()) expect(answer).toMatchObject(challengeRequired)
    await fara.call(settings.reauthenticateOperation, { password: testPassword })
    for (const answer of await acts()) expect(answer).toMatchObject(challengeRequired)
    await fara.call(settings.reauthenticateOperation, { code: await code() })
    expect((await fara.ask(passkeys.beginPasskeyOperation, {})).status).toBe(200)
    await forgetReauthentications()
    expect((await reauthenticate(fara, passkey)).status).toBe(204)
    expect((await fara.ask(passkeys.removePasskeyOperation, { passkeyId: passkey.$id })).status).toBe(204)
  })

  test('PKEY-07 SET-11 the last sign-in method cannot be removed, even if two are removed concurrently', async () => {
    const gema = await w.join('Gema')
    const [one, two] = [await addPasskey(gema, 'uno'), await addPasskey(gema, 'dos')]
    await gema.call(createInvitationOperation, {})
    await gema.call(passkeys.removePasswordOperation, {})
    expect((await gema.call(listInvitationsOperation, {})).documents).toMatchObject([{ state: 'ended' }])
    expect((await half(gema)).includes('a_session')).toBe(false)
    expect((await gema.call(settings.getAccountSettingsOperation, {})).hasPassword).toBe(false)
    const answers = await Promise.all(
      [one, two].map(({ $id }) => gema.ask(passkeys.removePasskeyOperation, { passkeyId: $id })),
    )
    expect(countResponsesByStatus(answers)).toEqual({ 204: 1, 409: 1 })
    const { documents } = await gema.call(passkeys.listPasskeysOperation, {})
    expect(documents).toHaveLength(1)
    const left = { passkeyId: documents[0]?.$id ?? '' }
    expect(await gema.ask(passkeys.removePasskeyOperation, left)).toMatchObject(lastWayIn)
    expect((await signIn(documents[0]?.$id === one.$id ? one : two)).status).toBe(201)
  })

  test('PKEY-07 a member with two passkeys, or one and a confirmed address, can remove her password; other sessions end', async () => {
    const ana = await w.join('Ana')
    expect(await ana.ask(passkeys.removePasswordOperation, {})).toMatchObject(lastWayIn)
    await addPasskey(ana)
    expect(await ana.ask(passkeys.removePasswordOperation, {})).toMatchObject(lastWayIn)
    await rows('update accounts set email_verified = true where public_id = $1', [ana.accountId])
    const other = await half(ana)
    expect(await statusOf(other)).toBe(200)
    await ana.call(passkeys.removePasswordOperation, {})
    expect([await statusOf(other), await statusOf(ana.cookie)]).toEqual([401, 200])
    expect((await fetchSentMessagesTo(w, ana.email)).map(({ kind }) => kind)).toContain('password-removed')
  })
})

describe('re-authentication and the second step', () => {
  test('PKEY-08 a passkey re-authenticates only its own account', async () => {
    const [ana, eva] = [await w.join('Ana'), await w.join('Eva')]
    const [hers, evas] = [await addPasskey(ana), await addPasskey(eva)]
    await forgetReauthentications()
    expect(await ana.ask(settings.signOutOtherDevicesOperation, {})).toMatchObject(challengeRequired)
    expect(await reauthenticate(ana, evas)).toMatchObject(unknown)
    expect(await ana.ask(settings.signOutOtherDevicesOperation, {})).toMatchObject(challengeRequired)
    expect((await reauthenticate(ana, hers)).status).toBe(204)
    expect((await ana.ask(settings.signOutOtherDevicesOperation, {})).status).toBe(204)
  })

  test('PKEY-08 MFA-14 a passkey works as the second step and turns two-factor authentication off', async () => {
    const fara = await w.join('Fara')
    const passkey = await addPasskey(fara)
    await withApp(fara)
    const cookie = await half(fara)
    const waiting = at(cookie)
    expect((await waiting('GET', '/v1/sessions/current/second-step')).body).toEqual({
      factors: ['totp', 'recoverycode', 'passkey'],
    })
    const { body } = await waiting('POST', '/v1/me/passkey-options', {})
    expect(body.allowCredentials).toEqual([])
    const eva = await w.join('Eva')
    const evas = await addPasskey(eva)
    const wrong = { assertion: evas.assert(String(body.challenge)) }
    expect(await waiting('PUT', '/v1/sessions/current/passkey-step', wrong)).toMatchObject(unknown)
    const again = (await waiting('POST', '/v1/me/passkey-options', {})).body
    const right = { assertion: passkey.assert(String(again.challenge)) }
    const whole = await waiting('PUT', '/v1/sessions/current/passkey-step', right)
    expect(whole).toMatchObject({ status: 200, body: { secondStep: false } })
    const opened = at(extractCookieHeader(whole))
    expect(await statusOf(cookie)).toBe(401)
    expect((await opened('DELETE', '/v1/me/authenticator')).status).toBe(204)
    expect((await fetchSentMessagesTo(w, fara.email)).at(-1)).toMatchObject({ kind: 'two-steps-off' })
  })
})

describe('somebody else’s passkey', () => {
  test("PKEY-07 changing the password removes a stranger's passkey, unless that passkey opened the session", async () => {
    const ana = await w.join('Ana')
    const thiefs = await addPasskey(ana, 'de otra')
    await ana.call(settings.changePasswordOperation, {
      currentPassword: testPassword,
      password: 'una nueva y larga',
    })
    expect(await signIn(thiefs)).toMatchObject(unknown)
    const { documents } = await ana.call(settings.listSecurityEventsOperation, {})
    expect(documents.map(({ event }) => event)).toContain('passkey.delete')
    await expectRemovalEmailed(ana)
    const own = await addPasskey(ana, 'mía')
    const { cookie } = await signIn(own)
    const change = { currentPassword: 'una nueva y larga', password: 'otra nueva y larga' }
    expect((await at(cookie)('PUT', '/v1/me/password', change)).status).toBe(204)
    expect((await signIn(own)).status).toBe(201)
  })

  test("PKEY-07 changing the password removes a stranger's passkey added before the owner confirmed the address", async () => {
    const ana = await w.join('Ana')
    const thiefs = await addPasskey(ana, 'de otra')
    await ana.request('POST', '/v1/me/email-confirmation', {})
    const { userId, secret } = await fetchSentLinkSecret(w, ana.email)
    expect((await ana.ask(recovery.confirmEmailOperation, { userId, secret })).status).toBe(200)
    expect((await signIn(thiefs)).status).toBe(201)
    await ana.call(settings.changePasswordOperation, {
      currentPassword: testPassword,
      password: 'una nueva y larga',
    })
    expect(await signIn(thiefs)).toMatchObject(unknown)
    await expectRemovalEmailed(ana)
  })

  test("PKEY-07 the verified owner's first sign-in and a recovery email remove a stranger's passkey; older passkeys stay", async () => {
    const ana = await w.join('Ana')
    const claimed = await addPasskey(ana)
    const reset = async () => {
      await w.visitor.ask(recovery.requestPasswordResetOperation, { email: ana.email })
      const { userId, secret } = await fetchSentLinkSecret(w, ana.email)
      const password = `una nueva y larga ${userId}`
      return w.visitor.ask(recovery.resetPasswordOperation, { userId, secret, password })
    }
    const owner = extractCookieHeader(await reset())
    expect(await signIn(claimed)).toMatchObject(unknown)
    const begun = await at(owner)('POST', '/v1/me/passkeys/options', {})
    const own = createSoftwarePasskey(begun.body as unknown as Parameters<typeof createSoftwarePasskey>[0])
    await at(owner)('POST', '/v1/me/passkeys', { attestation: own.attestation, name: 'mía' })
    await rows('update accounts set email_proven_at = clock_timestamp() where public_id = $1', [
      ana.accountId,
    ])
    await reset()
    expect((await signIn(own)).status).toBe(201)
    const again = extractCookieHeader(await reset())
    const later = createSoftwarePasskey(
      (await at(again)('POST', '/v1/me/passkeys/options', {})).body as unknown as Parameters<
        typeof createSoftwarePasskey
      >[0],
    )
    await at(again)('POST', '/v1/me/passkeys', { attestation: later.attestation, name: 'de otra' })
    await reset()
    expect(await signIn(later)).toMatchObject(unknown)
    await expectRemovalEmailed(ana)
  })
})

describe('the host of passkeys', () => {
  test('PKEY-09 a node with another host refuses to start, and names the old host and what would be lost', async () => {
    const ana = await w.join('Ana')
    const passkey = await addPasskey(ana)
    // An earlier test has created the key that the nodes share.
    const SECRET_KEY = readFileSync(join(w.dataDir, 'secret.key'), 'latin1').trim()
    const other = { SECRET_KEY, PUBLIC_URL: 'http://juntas.localhost:3000' }
    await expect(startSecondServerNode(w.database, other)).rejects.toThrow(
      /were made for localhost and work there alone: \d+ passkeys of \d+ members would be lost/,
    )
    const none = { SECRET_KEY, PUBLIC_URL: 'http://127.0.0.1:3000' }
    await expect(startSecondServerNode(w.database, none)).rejects.toThrow(
      'PUBLIC_URL is http://127.0.0.1:3000',
    )
    // The port is not part of the passkey host.
    await (await startSecondServerNode(w.database, { SECRET_KEY, PUBLIC_URL: 'http://localhost:4000' })).end()
    const [{ count }] = (await rows('select count(*)::int from passkeys')) as [{ count: number }]
    const gone = await acceptNewPasskeyHost({ db: w.database.kysely, publicUrl: other.PUBLIC_URL })
    expect(gone).toBe(count)
    await (await startSecondServerNode(w.database, other)).end()
    expect(await signIn(passkey)).toMatchObject(unknown)
  })

  test('PKEY-10 an origin on which browsers cannot create passkeys offers none', async () => {
    expect(
      [
        'https://juntas.example',
        'http://localhost:3000',
        'http://127.0.0.1:3000',
        'http://juntas.example',
        'http://[::1]:3000',
      ].map((publicUrl) => getPasskeyHost({ publicUrl })),
    ).toEqual(['juntas.example', 'localhost', null, null, null])
    const plain = await createTestWorld({ PUBLIC_URL: 'http://127.0.0.1:3000' })
    try {
      const ana = await plain.join('Ana')
      expect((await ana.call(settings.getAccountSettingsOperation, {})).passkeyCount).toBeNull()
      for (const answer of [
        await plain.visitor.ask(passkeys.beginPasskeySignInOperation, {}),
        await ana.ask(passkeys.beginPasskeyOperation, {}),
      ])
        expect(answer).toMatchObject({ status: 501, body: { type: 'passkeys_unavailable' } })
    } finally {
      await plain.end()
    }
  })
})
