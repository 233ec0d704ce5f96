import { SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
})
afterAll(() => w.end())

const issue = async (person: MemberClient, body?: object): Promise<string> =>
  (await person.request<{ jwt: string }>('POST', '/v1/account/jwt', body)).body.jwt
const whoIs = (jwt: string, headers: Record<string, string> = {}) =>
  w.visitor.request<{ $id: string; type: string }>('GET', '/v1/account', undefined, {
    'x-appwrite-jwt': jwt,
    ...headers,
  })
const claimsOf = (jwt: string) =>
  JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as Record<string, number>

describe('S17 a JWT', () => {
  test('SDK-06 both paths issue a JWT to a session, and the JWT opens its account for fifteen minutes', async () => {
    for (const path of ['/v1/account/jwt', '/v1/account/jwts']) {
      const given = await ana.request<{ jwt: string }>('POST', path)
      expect(given.status).toBe(201)
      const claims = claimsOf(given.body.jwt)
      expect(claims).toMatchObject({ userId: ana.accountId })
      expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(900)
      expect((await whoIs(given.body.jwt)).body.$id).toBe(ana.accountId)
    }
    const short = claimsOf(await issue(ana, { duration: 60 }))
    expect((short.exp ?? 0) - (short.iat ?? 0)).toBe(60)
    for (const duration of [-1, 3601, 1.5, '60']) {
      expect((await ana.request('POST', '/v1/account/jwts', { duration })).status).toBe(400)
    }
  })

  test('a JWT takes precedence over the cookie of another member', async () => {
    const bea = await w.join('Bea')
    expect((await whoIs(await issue(ana), { cookie: bea.cookie })).body.$id).toBe(ana.accountId)
  })

  test('a JWT without a signature, with another key, with changed claims or for another project is refused', async () => {
    const jwt = await issue(ana)
    const claims = claimsOf(jwt)
    const [header, , signature] = jwt.split('.')
    const longer = Buffer.from(JSON.stringify({ ...claims, exp: 4e9 })).toString('base64url')
    const bea = Buffer.from(JSON.stringify({ ...claims, userId: 'bea' })).toString('base64url')
    const forged = [
      new UnsecuredJWT(claims).encode(),
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from('secret'.repeat(6))),
      `${header}.${longer}.${signature}`,
      `${header}.${bea}.${signature}`,
      jwt.slice(0, -2),
      `${jwt}x`,
      'a.b.c',
      'not a token',
      'x'.repeat(5000),
    ]
    for (const token of forged) {
      const answer = await whoIs(token)
      expect(answer).toMatchObject({ status: 401, body: { type: 'user_jwt_invalid' } })
      expect(answer.body).toMatchObject({ message: expect.stringMatching(/^Failed to verify JWT\. /) })
    }
    const elsewhere = await whoIs(jwt, { 'x-appwrite-project': 'another' })
    expect(elsewhere).toMatchObject({ status: 404, body: { type: 'project_not_found' } })
  })

  test('a JWT ends when it expires, when its session ends and when the member signs out', async () => {
    const late = await issue(ana)
    await w.database.pool.query("update jwts set expires_at = clock_timestamp() - interval '1 second'")
    expect((await whoIs(late)).status).toBe(401)

    const cleo = await w.join('Cleo')
    const jwt = await issue(cleo)
    expect((await whoIs(jwt)).status).toBe(200)
    await w.database.pool.query(
      `update sessions set created_at = created_at - interval '91 days', expires_at = clock_timestamp() - interval '1 second'
       where account_id = (select id from accounts where public_id = $1)`,
      [cleo.accountId],
    )
    expect((await whoIs(jwt)).status).toBe(401)

    const dora = await w.join('Dora')
    const hers = await issue(dora)
    await dora.request('DELETE', '/v1/account/sessions/current', {})
    expect((await whoIs(hers)).status).toBe(401)
  })

  test('a JWT cannot issue another JWT', async () => {
    const jwt = { 'x-appwrite-jwt': await issue(ana) }
    const answer = await w.visitor.request('POST', '/v1/account/jwts', {}, jwt)
    expect(answer.body).toMatchObject({ code: 404, type: 'user_session_not_found' })
  })

  test('a stored token hash opens no account', async () => {
    await issue(ana)
    const { rows } = await w.database.pool.query<{ stored: string }>(
      "select encode(token_hash, 'hex') as stored from jwts union all select encode(secret_hash, 'hex') from sessions",
    )
    for (const { stored } of rows) {
      expect((await whoIs(stored)).status).toBe(401)
      const token = Buffer.from(JSON.stringify({ id: ana.accountId, secret: stored })).toString('base64')
      const answer = await w.visitor.request('GET', '/v1/account', undefined, {
        cookie: `a_session_juntas=${token}`,
      })
      expect(answer.status).toBe(401)
    }
    expect(JSON.stringify(rows)).not.toContain(testPassword)
  })
})
