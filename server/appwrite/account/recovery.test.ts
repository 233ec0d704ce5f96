import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { captureSqlStatements } from '#server/database/prepared-statements.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'
import {
  extractCookieHeader,
  fetchCodeSentTo,
  fetchNewestMessageTo,
  fetchSentLinkSecret,
  fetchSentMessagesTo,
} from '../../../tests/support/sent-messages.ts'

let w: TestWorld
let ana: MemberClient
beforeAll(async () => {
  w = await createTestWorld({ ALLOWED_ORIGINS: 'https://app.example', PUBLIC_URL: '' })
  ana = await w.join('Ana')
})
afterAll(() => w.end())

const url = 'http://localhost:3000/v1/auth/recovery'
const chosen = { password: 'una nueva y larga', passwordAgain: 'una nueva y larga' }

const ask = (email: string, page: unknown = url) =>
  w.visitor.request<Record<string, string>>('POST', '/v1/account/recovery', { email, url: page })
const recover = (given: object) =>
  w.visitor.request<Record<string, string>>('PUT', '/v1/account/recovery', given)
const signIn = (email: string, secret: string) =>
  w.visitor.request('POST', '/v1/account/sessions/email', { email, password: secret })

/** Ages all emailed secrets by SQL. */
const age = (interval: string) =>
  w.database.pool.query(
    'update tokens set created_at = created_at - $1::interval, expires_at = expires_at - $1::interval where used_at is null',
    [interval],
  )

describe('a forgotten password', () => {
  test('SDK-04 an emailed link replaces a forgotten password and ends every session and JWT', async () => {
    const jwt = (await ana.request<{ jwt: string }>('POST', '/v1/account/jwt')).body.jwt
    const asked = await ask(ana.email.toUpperCase(), `${url}?from=app`)
    expect(asked.status).toBe(201)
    expect(asked.body.secret).toBe('')
    const message = await fetchNewestMessageTo(w, ana.email)
    expect(message).toMatchObject({ kind: 'recovery', to: ana.email })
    expect(message.text).toContain('contraseña')
    expect(message.text).toContain('password')
    const { link, userId, secret } = await fetchSentLinkSecret(w, ana.email)
    expect(`${link.origin}${link.pathname}`).toBe(url)
    expect(link.searchParams.get('from')).toBe('app')
    expect(link.searchParams.get('expire')).toBe(asked.body.expire)
    expect(secret).toMatch(/^[0-9a-f]{64}$/)

    const done = await recover({ userId, secret, ...chosen })
    expect(done.status).toBe(200)
    // The browser is known from then on, but nobody is signed in.
    expect(done.headers['set-cookie']).toMatch(/^device_juntas=[^\n]*$/)
    expect((await ana.request('GET', '/v1/account')).status).toBe(401)
    expect((await w.visitor.request('GET', '/v1/account', undefined, { 'x-appwrite-jwt': jwt })).status).toBe(
      401,
    )
    expect((await signIn(ana.email, testPassword)).status).toBe(401)
    const back = await signIn(ana.email, chosen.password)
    const account = await w.visitor.request('GET', '/v1/account', undefined, {
      cookie: extractCookieHeader(back),
    })
    expect(account.body).toMatchObject({ emailVerification: true })
  })

  test('recovery needs two equal valid passwords, and the link stays usable after a mistake', async () => {
    const bea = await w.join('Bea')
    await ask(bea.email)
    const { userId, secret } = await fetchSentLinkSecret(w, bea.email)
    const different = await recover({
      userId,
      secret,
      password: 'one of eight',
      passwordAgain: 'two of eight',
    })
    expect(different.body).toMatchObject({ code: 400, type: 'user_password_mismatch' })
    expect((await recover({ userId, secret, password: 'short' })).body).toMatchObject({ field: 'password' })
    expect((await recover({ userId, secret, password: chosen.password })).status).toBe(200)
    expect((await recover({ userId, secret, password: chosen.password })).body).toMatchObject({
      code: 401,
      type: 'user_invalid_token',
    })
  })

  test('S04 only one of fifty simultaneous uses of one secret succeeds', async () => {
    const cleo = await w.join('Cleo')
    await ask(cleo.email)
    const linkParameters = await fetchSentLinkSecret(w, cleo.email)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        recover({
          userId: linkParameters.userId,
          secret: linkParameters.secret,
          password: `contraseña ${n}`,
        }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(49)
  })

  test("recovery needs the member's own current secret for her current address", async () => {
    const dora = await w.join('Dora')
    await ask(dora.email)
    const { userId, secret } = await fetchSentLinkSecret(w, dora.email)
    const wrongs = [
      { userId, secret: '0'.repeat(64) },
      { userId, secret: secret.toUpperCase() },
      { userId: ana.accountId, secret },
    ]
    for (const wrong of wrongs) {
      expect((await recover({ ...wrong, ...chosen })).body).toMatchObject({ type: 'user_invalid_token' })
    }
    expect((await recover({ userId: 'nobody', secret, ...chosen })).body).toMatchObject({
      code: 404,
      type: 'user_not_found',
    })
    await age('61 minutes')
    expect((await recover({ userId, secret, ...chosen })).body).toMatchObject({ type: 'user_invalid_token' })

    await ask(dora.email)
    const given = await fetchSentLinkSecret(w, dora.email)
    await dora.request('PATCH', '/v1/account/email', {
      email: 'dora.nueva@juntas.test',
      password: testPassword,
    })
    expect((await recover({ userId: given.userId, secret: given.secret, ...chosen })).body).toMatchObject({
      type: 'user_invalid_token',
    })
    expect((await signIn('dora.nueva@juntas.test', testPassword)).status).toBe(201)
  })
})

describe('S12 S20 an email sent before a change to the account opens nothing', () => {
  const ways: [string, (her: MemberClient) => Promise<{ status: number }>][] = [
    [
      'she has recovered her account',
      async (her) => {
        await ask(her.email)
        const { userId, secret } = await fetchSentLinkSecret(w, her.email)
        return recover({ userId, secret, ...chosen })
      },
    ],
    [
      'she has changed her password, whose address is proven',
      async (her) => {
        await her.request('POST', '/v1/account/verification', { url })
        const { userId, secret } = await fetchSentLinkSecret(w, her.email)
        await her.request('PUT', '/v1/account/verification', { userId, secret })
        return her.request('PATCH', '/v1/account/password', {
          password: chosen.password,
          oldPassword: testPassword,
        })
      },
    ],
    [
      'she has taken her address back',
      async (her) => {
        await her.request('POST', '/v1/account/verification', { url })
        const first = await fetchSentLinkSecret(w, her.email)
        await her.request('PUT', '/v1/account/verification', { userId: first.userId, secret: first.secret })
        await her.request('PATCH', '/v1/account/email', { email: `x.${her.email}`, password: testPassword })
        const next = await fetchSentLinkSecret(w, `x.${her.email}`)
        await her.request('POST', '/v1/auth/email-change', { userId: next.userId, secret: next.secret })
        const { userId, secret } = await fetchSentLinkSecret(w, her.email)
        return w.visitor.request('POST', '/v1/auth/email-undo', { userId, secret })
      },
    ],
  ]

  test.each(ways)('an email sent earlier opens nothing after %s', async (_, renew) => {
    const her = await w.join('Hera')
    await ask(her.email)
    const recovery = await fetchSentLinkSecret(w, her.email)
    const asked = { userId: 'hera', email: her.email }
    await w.visitor.request('POST', '/v1/account/sessions/magic-url', asked)
    const link = await fetchSentLinkSecret(w, her.email)
    await w.visitor.request('POST', '/v1/account/tokens/email', asked)
    const code = await fetchCodeSentTo(w, her.email)
    expect((await renew(her)).status).toBe(200)
    for (const [method, path, userId, secret] of [
      ['PUT', '/recovery', recovery.userId, recovery.secret],
      ['PUT', '/sessions/magic-url', link.userId, link.secret],
      ['POST', '/sessions/token', link.userId, code],
    ] as const) {
      const answer = await w.visitor.request(method, `/v1/account${path}`, { userId, secret, ...chosen })
      expect(['user_invalid_token', 'user_not_found']).toContain((answer.body as { type?: string }).type)
    }
  })
})

describe('S03 recovery does not reveal which addresses have accounts', () => {
  test("recovery gives the same answer for unknown, closed and members' addresses", async () => {
    const eva = await w.join('Eva')
    const gone = await w.join('Fe')
    await w.database.pool.query('update accounts set email_verified = true where email = $1', [gone.email])
    await gone.request('PATCH', '/v1/account/status')
    const answers = [await ask(eva.email), await ask('nadie@juntas.test'), await ask(gone.email)]
    for (const { status, headers, body } of answers) {
      expect(status).toBe(201)
      expect(Object.keys(body)).toEqual(Object.keys(answers[0]?.body ?? {}))
      expect(Object.keys(headers)).toEqual(Object.keys(answers[0]?.headers ?? {}))
      expect(body.userId).toMatch(/^[a-z0-9]{20}$/)
      expect(body.userId).not.toBe(eva.accountId)
      // The user id in the response does not help, because every id gets the same refusal.
      const attempt = await recover({ userId: body.userId, secret: '0'.repeat(64), ...chosen })
      expect(attempt.body).toMatchObject({ code: 401, type: 'user_invalid_token' })
    }
    expect(await fetchSentMessagesTo(w, 'nadie@juntas.test')).toEqual([])
    expect(await fetchSentMessagesTo(w, gone.email)).toEqual([])
    expect(await fetchSentMessagesTo(w, eva.email)).toHaveLength(1)
    const [hers, ...others] = await Promise.all(
      [eva.email, 'nadie@juntas.test', gone.email].map((email) => captureSqlStatements(() => ask(email))),
    )
    expect(hers?.statements.length).toBeGreaterThan(2)
    for (const { statements } of others) expect(statements).toEqual(hers?.statements)
  })
})

describe('S06 the pages that an emailed link may lead to', () => {
  test.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'https://localhost:3000@evil.example',
    'https://app.example@evil.example/',
    'https://user:pass@app.example/',
    'https://app.example.evil.example',
    'https://sub.app.example',
    'http://app.example',
    'https://app.example:8443',
    'javascript:alert(1)',
    'data:text/html,x',
    '\t//evil.example',
    '%09//evil.example',
    'file:///etc/passwd',
    '/v1/auth/recovery',
    '',
    'x'.repeat(3000),
    5,
    undefined,
    { href: url },
  ])('an emailed link never leads to %j', async (page) => {
    const fe = await w.join('Fe')
    const asked = { userId: 'unique()', email: fe.email, url: page }
    const calls = ['/recovery', '/verification', '/verifications/email']
    // A sign-in link without a given page leads to our own page.
    if (page) calls.push('/sessions/magic-url', '/tokens/magic-url')
    for (const call of calls) {
      const answer = await fe.request('POST', `/v1/account${call}`, asked)
      expect([call, answer]).toMatchObject([
        call,
        { status: 400, body: { type: 'general_argument_invalid', field: 'url' } },
      ])
    }
    expect(await fetchSentMessagesTo(w, fe.email)).toEqual([])
  })

  test('an emailed link never leads to the host that the caller sends in a header', async () => {
    const fe = await w.join('Fe')
    const evil = { host: 'evil.test' }
    for (const call of ['/recovery', '/verification', '/sessions/magic-url']) {
      const asked = { userId: 'unique()', email: fe.email, url: 'http://evil.test/steal' }
      const answer = await fe.request('POST', `/v1/account${call}`, asked, evil)
      expect([call, answer]).toMatchObject([call, { status: 400, body: { field: 'url' } }])
    }
    for (const parameter of ['success', 'failure']) {
      const page = `/v1/account/sessions/oauth2/google?${parameter}=http://evil.test/steal`
      expect((await fe.request('GET', page, undefined, evil)).body).toMatchObject({
        code: 400,
        field: parameter,
      })
    }
    expect(await fetchSentMessagesTo(w, fe.email)).toEqual([])
    const page = { ...evil, origin: 'http://evil.test' }
    const read = await fe.request('GET', '/v1/ping', undefined, page)
    expect(read.headers).not.toHaveProperty('access-control-allow-origin')
    const written = await fe.request('PATCH', '/v1/account/name', { name: 'Otra' }, page)
    expect(written).toMatchObject({ status: 403, body: { type: 'general_unknown_origin' } })
  })

  test.each(['https://app.example/x?y=1', 'http://localhost:5173/cuenta', 'http://127.0.0.1:1/'])(
    'an emailed link can lead to %s',
    async (page) => {
      expect((await ask('nadie2@juntas.test', page)).status).toBe(201)
    },
  )
})
