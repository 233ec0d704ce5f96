/** The attacker knows a member's password before she turns two-factor authentication on. */
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiClient } from '#api-client/member-client.ts'
import * as settings from '#contract/account/account-settings.ts'
import { addPasskeyOperation, beginPasskeyOperation } from '#contract/account/passkeys.ts'
import { completeSecondStepOperation } from '#contract/account/sign-up-and-sign-in.ts'
import type { OperationOutput } from '#contract/operation.ts'
import { createSoftwarePasskey } from '#tests/doubles/software-authenticator.ts'
import { waitForLockWaits } from '#tests/support/lock-waits.ts'
import { extractCookieHeader } from '#tests/support/sent-messages.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

async function withPassword({ email }: MemberClient) {
  const answer = await w.visitor.request<{ secondStep: boolean }>('POST', '/v1/sessions', {
    email,
    password: testPassword,
  })
  expect(answer.status).toBe(201)
  return { secondStep: answer.body.secondStep, ...createApiClient(w.app, extractCookieHeader(answer)) }
}

type Thief = Awaited<ReturnType<typeof withPassword>>

const authenticator = '/v1/account/mfa/authenticators/totp'
const recoveryCodes = '/v1/account/mfa/recovery-codes'
const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate()

async function askRecoveryCodes(who: Pick<Thief, 'request'>): Promise<string[]> {
  const answer = await who.request<{ recoveryCodes: string[] }>('POST', recoveryCodes, {})
  expect(answer.status).toBe(201)
  return answer.body.recoveryCodes
}

const ways: [string, (owner: MemberClient) => Promise<void>][] = [
  [
    'in the settings',
    async (owner) => {
      const { secret } = await owner.call(settings.beginAuthenticatorOperation, {})
      const turnedOn = await owner.call(settings.turnOnTwoFactorOperation, { code: codeOf(secret) })
      expect(turnedOn.recoveryCodes).toHaveLength(10)
    },
  ],
  [
    'by an Appwrite client',
    async (owner) => {
      const { secret } = (await owner.request<{ secret: string }>('POST', authenticator, {})).body
      expect((await owner.request('PUT', authenticator, { otp: codeOf(secret) })).status).toBe(200)
      expect((await owner.request('PATCH', '/v1/account/mfa', { mfa: true })).status).toBe(200)
    },
  ],
]

async function expectNothingOpens(owner: MemberClient, { codes = [] as string[], secret = '' }) {
  const again = await withPassword(owner)
  expect(again.secondStep).toBe(true)
  for (const code of codes.slice(0, 2)) {
    const step = await again.ask(completeSecondStepOperation, { factor: 'recoverycode', code })
    expect(step).toMatchObject({ status: 401, body: { type: 'user_invalid_token' } })
  }
  if (secret) {
    await w.database.pool.query('update totp_secrets set last_step = 0')
    const challenge = await again.request<{ $id: string }>('POST', '/v1/account/mfa/challenges', {
      factor: 'totp',
    })
    const otp = codeOf(secret)
    const given = { challengeId: challenge.body.$id, otp }
    expect((await again.request('PUT', '/v1/account/mfa/challenges', given)).status).toBe(401)
  }
  expect(await again.request('GET', '/v1/account')).toMatchObject({
    status: 401,
    body: { type: 'user_more_factors_required' },
  })
}

test.each(ways)(
  'recovery codes that a password thief created stop working when ana turns two-factor authentication on %s',
  async (_, turnOn) => {
    const ana = await w.join('Ana')
    const codes = await askRecoveryCodes(await withPassword(ana))
    await turnOn(ana)
    await expectNothingOpens(ana, { codes })
  },
)

test.each(ways)(
  "a thief's authenticator neither opens the account nor prevents ana from turning on her own %s",
  async (_, turnOn) => {
    const ana = await w.join('Ana')
    const thief = await withPassword(ana)
    const { secret } = (await thief.request<{ secret: string }>('POST', authenticator, {})).body
    expect((await thief.request('PUT', authenticator, { otp: codeOf(secret) })).status).toBe(200)
    const codes = await askRecoveryCodes(thief)
    expect((await ana.ask(beginPasskeyOperation, {})).status).toBe(200)
    await turnOn(ana)
    await expectNothingOpens(ana, { codes, secret })
  },
)

test('ana can remove an authenticator that a thief left', async () => {
  const ana = await w.join('Ana')
  const thief = await withPassword(ana)
  const { secret } = (await thief.request<{ secret: string }>('POST', authenticator, {})).body
  await thief.request('PUT', authenticator, { otp: codeOf(secret) })
  expect((await ana.request('DELETE', authenticator)).status).toBe(204)
})

test("turning two-factor authentication on does not activate an authenticator that replaced ana's", async () => {
  const ana = await w.join('Ana')
  const thief = await withPassword(ana)
  const hers = (await ana.request<{ secret: string }>('POST', authenticator, {})).body.secret
  expect((await ana.request('PUT', authenticator, { otp: codeOf(hers) })).status).toBe(200)
  const { secret } = (await thief.request<{ secret: string }>('POST', authenticator, {})).body
  expect((await thief.request('PUT', authenticator, { otp: codeOf(secret) })).status).toBe(200)
  expect(await ana.request('PATCH', '/v1/account/mfa', { mfa: true })).toMatchObject({
    status: 401,
    body: { type: 'user_challenge_required' },
  })
  expect((await withPassword(ana)).secondStep).toBe(false)
})

test('recovery codes that someone else requested before ana turned two-factor authentication on are invalid', async () => {
  const ana = await w.join('Ana')
  const thief = await withPassword(ana)
  const hers = (await ana.request<{ secret: string }>('POST', authenticator, {})).body.secret
  expect((await ana.request('PUT', authenticator, { otp: codeOf(hers) })).status).toBe(200)
  const codes = await askRecoveryCodes(thief)
  expect((await ana.request('PATCH', '/v1/account/mfa', { mfa: true })).status).toBe(200)
  await expectNothingOpens(ana, { codes })
})

test("a thief of ana's session cannot turn two-factor authentication on without a code, and her codes stay valid", async () => {
  const ana = await w.join('Ana')
  const codes = await askRecoveryCodes(ana)
  const { secret } = (await ana.request<{ secret: string }>('POST', authenticator, {})).body
  await ana.request('PUT', authenticator, { otp: codeOf(secret) })
  for (const mfa of [true, false])
    expect((await ana.request('PATCH', '/v1/account/mfa', { mfa })).status).toBe(200)
  await w.database.pool.query(
    `update sessions s set proved_at = null, second_proved_at = second_proved_at - interval '16 minutes'
     from accounts a where a.id = s.account_id and a.public_id = $1`,
    [ana.accountId],
  )
  const turnOn = () => ana.request('PATCH', '/v1/account/mfa', { mfa: true })
  expect(await turnOn()).toMatchObject({ status: 401, body: { type: 'user_challenge_required' } })
  const challenges = '/v1/account/mfa/challenges'
  for (const [factor, otp] of [
    ['totp', codeOf(secret)],
    ['recoverycode', codes[0]],
  ]) {
    await w.database.pool.query(
      "update totp_secrets set last_step = 0, verified_at = verified_at - interval '1 day'",
    )
    const { body } = await ana.request<{ $id: string }>('POST', challenges, { factor })
    expect((await ana.request('PUT', challenges, { challengeId: body.$id, otp })).status).toBe(200)
    expect((await turnOn()).status).toBe(200)
  }
})

test('a passkey registration that a thief began cannot finish after ana turns two-factor authentication on; hers can', async () => {
  const ana = await w.join('Ana')
  const thief = await withPassword(ana)
  const begin = (who: Pick<Thief, 'ask'>) => who.ask(beginPasskeyOperation, {})
  const begun = await begin(thief)
  const { secret } = await ana.call(settings.beginAuthenticatorOperation, {})
  await ana.call(settings.turnOnTwoFactorOperation, { code: codeOf(secret) })
  const add = (who: Pick<Thief, 'ask'>, { body }: Awaited<ReturnType<typeof begin>>) =>
    who.ask(addPasskeyOperation, {
      attestation: createSoftwarePasskey(body as OperationOutput<typeof beginPasskeyOperation>).attestation,
      name: 'Pixel',
    })
  expect(await add(thief, begun)).toMatchObject({ status: 401, body: { type: 'user_challenge_required' } })
  const hers = await begin(ana)
  await w.database.pool.query(
    "update sessions set proved_at = proved_at - interval '9 minutes', second_proved_at = second_proved_at - interval '9 minutes'",
  )
  await w.database.pool.query("update totp_secrets set verified_at = verified_at - interval '10 minutes'")
  expect((await add(ana, hers)).status).toBe(201)
})

describe('while ana turns two-factor authentication on', () => {
  test.each([
    ['another authenticator', 'POST', authenticator, 409],
    ['the end of two-factor authentication', 'PATCH', '/v1/account/mfa', 401],
    ['the end of her authenticator', 'DELETE', authenticator, 401],
    ['recovery codes', 'POST', recoveryCodes, 401],
  ] as const)(
    'while ana turns two-factor authentication on, a password thief cannot request %s',
    async (_, method, path, status) => {
      const ana = await w.join('Ana')
      const thief = await withPassword(ana)
      const { secret } = await ana.call(settings.beginAuthenticatorOperation, {})
      const holding = await w.database.pool.connect()
      let answers: [{ status: number }, { status: number }]
      try {
        await holding.query('begin')
        await holding.query('select from accounts where public_id = $1 for no key update', [ana.accountId])
        const turning = ana.ask(settings.turnOnTwoFactorOperation, { code: codeOf(secret) })
        await waitForLockWaits(w.database, 1, turning)
        const taking = thief.request(method, path, method === 'PATCH' ? { mfa: false } : {})
        await waitForLockWaits(w.database, 2, taking)
        await holding.query('commit')
        answers = await Promise.all([turning, taking])
      } finally {
        holding.release()
      }
      expect(answers.map((answer) => answer.status)).toEqual([200, status])
      await w.database.pool.query('update totp_secrets set last_step = 0')
      expect((await ana.ask(settings.reauthenticateOperation, { code: codeOf(secret) })).status).toBe(204)
      await expectNothingOpens(ana, {})
    },
  )
})

test('codes that ana requested before her authenticator in the same session stay valid', async () => {
  const ana = await w.join('Ana')
  const codes = await askRecoveryCodes(ana)
  const { secret } = (await ana.request<{ secret: string }>('POST', authenticator, {})).body
  expect((await ana.request('PUT', authenticator, { otp: codeOf(secret) })).status).toBe(200)
  expect((await ana.request('PATCH', '/v1/account/mfa', { mfa: true })).status).toBe(200)
  const again = await withPassword(ana)
  expect(again.secondStep).toBe(true)
  const { body } = await again.request<{ $id: string }>('POST', '/v1/account/mfa/challenges', {
    factor: 'recoverycode',
  })
  const given = { challengeId: body.$id, otp: codes[0] }
  expect((await again.request('PUT', '/v1/account/mfa/challenges', given)).status).toBe(200)
})

test('the security log records each request for recovery codes', async () => {
  const ana = await w.join('Ana')
  await askRecoveryCodes(await withPassword(ana))
  const { documents } = await ana.call(settings.listSecurityEventsOperation, {})
  expect(documents[0]?.event).toBe('mfa.codes')
})
