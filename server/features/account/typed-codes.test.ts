import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as settings from '#contract/account/account-settings.ts'
import { extractCookieHeader, fetchCodeSentTo } from '#tests/support/sent-messages.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
})
afterAll(() => w.end())

const inFullWidth = (code: string) =>
  code.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))
const inArabic = (code: string) =>
  code.replace(/\d/g, (digit) => String.fromCodePoint(0x0660 + Number(digit)))
const waysToType: ((code: string) => string)[] = [
  (code) => `${code.slice(0, 3)} ${code.slice(3)}`,
  (code) => `${code.slice(0, 3)}-${code.slice(3)}`,
  (code) => ` ${[...code].join('\u00a0')} `,
  (code) => `\u202a${code}\u202c`,
  inFullWidth,
  inArabic,
]
const oddCodes = ['12345é', 'ééé', '😀😀😀', '１２３４５é', '12345\u0301', '12 34', '------', '1'.repeat(64)]

/** The codes can be used again. */
async function begin(her: MemberClient) {
  const { secret } = await her.call(settings.beginAuthenticatorOperation, {})
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  return async () => {
    await w.database.pool.query('update totp_secrets set last_step = 0, tries = 0, own_tries = 0')
    return totp.generate()
  }
}
async function signInHalf({ email }: MemberClient) {
  const answer = await w.visitor.request('POST', '/v1/sessions', { email, password: testPassword })
  const cookie = extractCookieHeader(answer)
  return (method: 'POST' | 'PUT', path: string, body: unknown) =>
    w.visitor.request<Record<string, string>>(method, path, body, { cookie })
}

test('MFA-21 ana turns two-step verification on with a code typed in groups', async () => {
  const ana = await w.join('Ana')
  const code = await begin(ana)
  expect(
    await ana.ask(settings.turnOnTwoFactorOperation, { code: waysToType[0]?.(await code()) ?? '' }),
  ).toMatchObject({
    status: 200,
  })
})

test('MFA-21 bea signs in with a code typed in groups, with dashes or in other digits, at both APIs', async () => {
  const bea = await w.join('Bea')
  const code = await begin(bea)
  const { recoveryCodes } = await bea.call(settings.turnOnTwoFactorOperation, { code: await code() })
  for (const typed of waysToType) {
    expect(await bea.ask(settings.reauthenticateOperation, { code: typed(await code()) })).toMatchObject({
      status: 204,
    })
  }
  for (const typed of waysToType) {
    const product = await signInHalf(bea)
    expect(
      await product('PUT', '/v1/sessions/current/second-step', { factor: 'totp', code: typed(await code()) }),
    ).toMatchObject({ status: 200 })
    const appwrite = await signInHalf(bea)
    const { body } = await appwrite('POST', '/v1/account/mfa/challenge', { factor: 'totp' })
    expect(
      await appwrite('PUT', '/v1/account/mfa/challenge', { challengeId: body.$id, otp: typed(await code()) }),
    ).toMatchObject({ status: 200 })
  }
  const session = await signInHalf(bea)
  expect(
    await session('PUT', '/v1/sessions/current/second-step', {
      factor: 'recoverycode',
      code: inFullWidth(recoveryCodes?.[0]?.toUpperCase().replace('-', ' – ') ?? ''),
    }),
  ).toMatchObject({ status: 200 })
})

test('MFA-22 every route refuses a code with unexpected characters', async () => {
  const cleo = await w.join('Cleo')
  const code = await begin(cleo)
  for (const odd of oddCodes) {
    await code()
    expect((await cleo.ask(settings.turnOnTwoFactorOperation, { code: odd })).status).toBeOneOf([400, 401])
    const put = await cleo.request('PUT', '/v1/account/mfa/authenticators/totp', { otp: odd })
    expect(put.status).toBeOneOf([400, 401])
  }
  await cleo.call(settings.turnOnTwoFactorOperation, { code: await code() })
  for (const odd of oddCodes) {
    await code()
    expect((await cleo.ask(settings.reauthenticateOperation, { code: odd })).status).toBeOneOf([400, 401])
    for (const factor of ['totp', 'recoverycode']) {
      const half = await signInHalf(cleo)
      expect((await half('PUT', '/v1/sessions/current/second-step', { factor, code: odd })).status).toBeOneOf(
        [400, 401],
      )
      const { body } = await half('POST', '/v1/account/mfa/challenge', { factor })
      const answer = await half('PUT', '/v1/account/mfa/challenge', { challengeId: body.$id, otp: odd })
      expect(answer.status).toBeOneOf([400, 401])
    }
    for (const [method, path] of [
      ['PUT', '/sessions/phone'],
      ['POST', '/sessions/token'],
      ['PUT', '/verification/phone'],
    ] as const) {
      const secret = { userId: cleo.accountId, secret: odd }
      expect((await w.visitor.request(method, `/v1/account${path}`, secret)).status).toBeOneOf([400, 401])
    }
  }
})

test('MFA-21 a code sent to a phone signs in however the member types it', async () => {
  for (const [at, typed] of waysToType.entries()) {
    const phone = `+3461100100${at}`
    const { body } = await w.visitor.request<{ userId: string }>('POST', '/v1/account/sessions/phone', {
      userId: 'unique()',
      phone,
    })
    const secret = typed(await fetchCodeSentTo(w, phone))
    expect(
      (await w.visitor.request('PUT', '/v1/account/sessions/phone', { userId: body.userId, secret })).status,
    ).toBe(201)
  }
})
