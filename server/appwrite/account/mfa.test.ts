/** Tests two-factor authentication for Appwrite clients that support it and for clients that do not. */
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { extractCookieHeader } from '#tests/support/sent-messages.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

const enroll = async (her: MemberClient) => {
  const { body } = await her.request<{ secret: string }>('POST', '/v1/account/mfa/authenticators/totp')
  const totp = new TOTP({ secret: Secret.fromBase32(body.secret) })
  const verified = await her.request('PUT', '/v1/account/mfa/authenticators/totp', { otp: totp.generate() })
  expect(verified).toMatchObject({ status: 200, body: { mfa: false } })
  expect(await her.request('PATCH', '/v1/account/mfa', { mfa: true })).toMatchObject({ body: { mfa: true } })
  return totp
}
const signIn = async ({ email }: MemberClient) => {
  const answer = await w.visitor.request<{ factors: string[] }>('POST', '/v1/account/sessions/email', {
    email,
    password: testPassword,
  })
  return { ...answer, cookie: extractCookieHeader(answer) }
}
const as = (cookie: string) => ({
  request: (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
    w.visitor.request<Record<string, unknown>>(method, path, body, { cookie }),
})

test('MFA-18 sign-in is unchanged without a second factor; an older client with a second factor is not signed in', async () => {
  const [ana, bea] = [await w.join('Ana'), await w.join('Bea')]
  await enroll(bea)
  const plain = await signIn(ana)
  expect([plain.status, plain.body.factors]).toEqual([201, ['password']])
  expect((await as(plain.cookie).request('GET', '/v1/account')).status).toBe(200)
  const half = await signIn(bea)
  expect(half.status).toBe(201)
  for (const path of [
    '/v1/account',
    '/v1/account/sessions',
    '/v1/databases/main/collections/posts/documents',
  ])
    expect(await as(half.cookie).request('GET', path)).toMatchObject({
      status: 401,
      body: { type: 'user_more_factors_required' },
    })
  expect((await as(half.cookie).request('POST', '/v1/account/jwts')).status).toBe(401)
})

test('MFA-09 a two-factor challenge belongs to its session and allows five attempts', async () => {
  const cleo = await w.join('Cleo')
  const totp = await enroll(cleo)
  await w.database.pool.query('update totp_secrets set last_step = 0')
  const right = totp.generate()
  const wrong = String((Number(right) + 1) % 1_000_000).padStart(6, '0')
  const [one, other] = [await signIn(cleo), await signIn(cleo)]
  const asked = await as(one.cookie).request('POST', '/v1/account/mfa/challenges', { factor: 'totp' })
  expect(asked).toMatchObject({ status: 201, body: { userId: cleo.accountId } })
  const challengeId = asked.body.$id
  const answer = (cookie: string, otp: string) =>
    as(cookie).request('PUT', '/v1/account/mfa/challenge', { challengeId, otp })
  const refused = { status: 401, body: { type: 'user_invalid_token' } }
  expect(await answer(other.cookie, right)).toMatchObject(refused)
  for (let n = 0; n < 5; n += 1) expect(await answer(one.cookie, wrong)).toMatchObject(refused)
  expect(await answer(one.cookie, right)).toMatchObject(refused)
})

test("MFA-06 the account's two-factor flag has no effect without an authenticator app", async () => {
  const dora = await w.join('Dora')
  await dora.request('PATCH', '/v1/account/mfa', { mfa: true })
  const session = await signIn(dora)
  expect((await as(session.cookie).request('GET', '/v1/account')).status).toBe(200)
})
