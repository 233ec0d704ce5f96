import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { captureSqlStatements } from '#server/database/prepared-statements.ts'
import { createTestWorld, type TestWorld, testPassword } from '#tests/support/world.ts'
import {
  extractCookieHeader,
  fetchCodeSentTo,
  fetchNewestMessageTo,
  fetchSentLinkSecret,
  fetchSentMessagesTo,
} from '../../../tests/support/sent-messages.ts'

type Token = Record<string, string>
type Session = { userId: string; provider: string }

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

const post = <T = Token>(path: string, body: object, headers: Record<string, string> = {}) =>
  w.visitor.request<T>('POST', `/v1/account${path}`, body, headers)
const put = (path: string, body: object) => w.visitor.request<Session>('PUT', `/v1/account${path}`, body)
const accountOf = (answer: { headers: Record<string, string> }) =>
  w.visitor.request<Record<string, unknown>>('GET', '/v1/account', undefined, {
    cookie: extractCookieHeader(answer),
  })

describe('signing in by a link', () => {
  test('SDK-06 at both paths a link creates an account with the requested id for a new address', async () => {
    for (const [n, path] of ['/sessions/magic-url', '/tokens/magic-url'].entries()) {
      const email = `nueva${n}@juntas.test`
      const asked = await post(path, { userId: `hers${n}`, email: email.toUpperCase() })
      expect(asked.status).toBe(201)
      expect(asked.body).toMatchObject({ userId: `hers${n}`, secret: '', phrase: '' })
      const { link, userId, secret } = await fetchSentLinkSecret(w, email)
      expect(link.href).toMatch(/^http:\/\/localhost:3000\/v1\/auth\/magic-url\?userId=/)
      expect(link.searchParams.get('project')).toBe('juntas')

      const begun = await put('/sessions/magic-url', { userId, secret })
      expect(begun.status).toBe(201)
      expect(begun.body).toMatchObject({ userId: `hers${n}`, provider: 'magic-url' })
      expect((await accountOf(begun)).body).toMatchObject({
        $id: `hers${n}`,
        email,
        emailVerification: true,
        passwordUpdate: '',
      })
      expect((await put('/sessions/magic-url', { userId, secret })).body).toMatchObject({
        code: 401,
        type: 'user_invalid_token',
      })
      // A later link to this address opens the same account, even if the client requests another id.
      const again = await post(path, { userId: 'unique()', email })
      expect(again.body.userId).toMatch(/^[a-z0-9]{20}$/)
      const later = await put('/sessions/magic-url', await fetchSentLinkSecret(w, email))
      expect(later.body.userId).toBe(`hers${n}`)
    }
  })

  test('S04 only one of fifty simultaneous uses of one link signs in, and one account is created', async () => {
    await post('/sessions/magic-url', { userId: 'unique()', email: 'carrera@juntas.test' })
    const { userId, secret } = await fetchSentLinkSecret(w, 'carrera@juntas.test')
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => put('/sessions/magic-url', { userId, secret })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(49)
    const { rows } = await w.database.pool.query(
      "select count(*) from accounts where email = 'carrera@juntas.test'",
    )
    expect(rows[0].count).toBe(1)
  })

  test('two links to one new address create one account, also when used simultaneously', async () => {
    const email = 'dos@juntas.test'
    await post('/sessions/magic-url', { userId: 'unique()', email })
    await post('/sessions/magic-url', { userId: 'unique()', email })
    const links = (await fetchSentMessagesTo(w, email)).map(
      ({ text }) => new URL(/https?:\S+/.exec(text)?.[0] ?? ''),
    )
    const begun = await Promise.all(
      links.map(({ searchParams }) =>
        put('/sessions/magic-url', {
          userId: searchParams.get('userId'),
          secret: searchParams.get('secret'),
        }),
      ),
    )
    expect(begun.map(({ status }) => status)).toEqual([201, 201])
    expect(new Set(begun.map(({ body }) => body.userId)).size).toBe(1)
  })

  test("S03 the response for a member's address looks like any other and does not contain her account id", async () => {
    const ana = await w.join('Ana')
    const hers = await post('/sessions/magic-url', { userId: 'asked', email: ana.email })
    const nobodys = await post('/sessions/magic-url', { userId: 'asked', email: 'nadie@juntas.test' })
    expect(Object.keys(hers.body)).toEqual(Object.keys(nobodys.body))
    expect([hers.body.userId, nobodys.body.userId]).toEqual(['asked', 'asked'])
    for (const path of ['/sessions/magic-url', '/tokens/email']) {
      const asking = (email: string) => captureSqlStatements(() => post(path, { userId: 'asked', email }))
      const [known, unknown] = [await asking(ana.email), await asking('nadie@juntas.test')]
      expect(known.statements.length).toBeGreaterThan(0)
      expect(unknown.statements).toEqual(known.statements)
    }
  })

  test('S05 a link gives the account to its owner, and a member who left the address unverified loses access', async () => {
    const email = 'victima@juntas.test'
    const made = await w.visitor.request<Token>('POST', '/v1/account', {
      userId: 'unique()',
      email,
      password: testPassword,
    })
    const squatter = await post('/sessions/email', { email, password: testPassword })
    await post('/sessions/magic-url', { userId: 'unique()', email })
    const begun = await put('/sessions/magic-url', await fetchSentLinkSecret(w, email))
    expect(begun.body.userId).toBe(made.body.$id)
    expect((await accountOf(squatter)).status).toBe(401)
    expect((await post('/sessions/email', { email, password: testPassword })).status).toBe(401)
    // Her address is now verified, so another link keeps her sessions and password.
    const changed = await w.visitor.request(
      'PATCH',
      '/v1/account/password',
      { password: 'la suya propia' },
      { cookie: extractCookieHeader(begun) },
    )
    expect(changed.status).toBe(200)
    await post('/sessions/magic-url', { userId: 'unique()', email })
    await put('/sessions/magic-url', await fetchSentLinkSecret(w, email))
    expect((await accountOf(begun)).status).toBe(200)
    expect((await post('/sessions/email', { email, password: 'la suya propia' })).status).toBe(201)
  })

  test('a link does not open a closed account', async () => {
    const bea = await w.join('Bea')
    await w.database.pool.query('update accounts set email_verified = true where email = $1', [bea.email])
    await bea.request('PATCH', '/v1/account/status')
    await post('/sessions/magic-url', { userId: 'unique()', email: bea.email })
    const refused = await put('/sessions/magic-url', await fetchSentLinkSecret(w, bea.email))
    expect(refused.body).toMatchObject({ code: 401, type: 'user_blocked' })
  })

  test('if the requested id is taken, the new account gets another id and keeps its address', async () => {
    await post('/sessions/magic-url', { userId: 'wanted', email: 'tarde@juntas.test' })
    await w.visitor.request('POST', '/v1/account', {
      userId: 'wanted',
      email: 'otra@juntas.test',
      password: testPassword,
    })
    const begun = await put('/sessions/magic-url', await fetchSentLinkSecret(w, 'tarde@juntas.test'))
    expect(begun.status).toBe(201)
    expect(begun.body.userId).not.toBe('wanted')
    expect((await accountOf(begun)).body).toMatchObject({ email: 'tarde@juntas.test' })
  })
})

describe('signing in by a code', () => {
  test('SDK-06 both paths send a code to a phone, and each code works at its path', async () => {
    const phone = '+34611000001'
    const ways = [
      ['/sessions/phone', 'PUT', '/sessions/phone'],
      ['/tokens/phone', 'POST', '/sessions/token'],
    ] as const
    for (const [ask, method, confirm] of ways) {
      const asked = await post(ask, { userId: 'unique()', phone })
      expect(asked.status).toBe(201)
      expect(await fetchNewestMessageTo(w, phone)).toMatchObject({ kind: 'phone-code' })
      const secret = await fetchCodeSentTo(w, phone)
      expect(secret).toMatch(/^\d{6}$/)
      const linkParameters = { userId: asked.body.userId, secret }
      const begun = await w.visitor.request<Session>(method, `/v1/account${confirm}`, linkParameters)
      expect(begun.status).toBe(201)
      expect(begun.body).toMatchObject({ provider: 'phone' })
      expect((await accountOf(begun)).body).toMatchObject({ phone, phoneVerification: true, email: '' })
      expect((await w.visitor.request(method, `/v1/account${confirm}`, linkParameters)).status).toBe(401)
    }
    const { rows } = await w.database.pool.query('select count(*) from accounts where phone = $1', [phone])
    expect(rows[0].count).toBe(1)
  })

  test('an emailed code comes with two words that the requesting screen also shows', async () => {
    const email = 'codigo@juntas.test'
    const asked = await post('/tokens/email', { userId: 'unique()', email, phrase: true })
    expect(asked.body.phrase).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/)
    const message = await fetchNewestMessageTo(w, email)
    expect(message.text).toContain(asked.body.phrase)
    const secret = await fetchCodeSentTo(w, email)
    const begun = await post<Session>('/sessions/token', { userId: asked.body.userId, secret })
    expect(begun.status).toBe(201)
    expect((await accountOf(begun)).body).toMatchObject({ email, emailVerification: true })
  })

  test('a code allows five attempts in fifteen minutes, and a newer code for the same user replaces the code', async () => {
    const phone = '+34611000002'
    const ask = async (userId = 'unique()') => {
      const { body } = await post('/sessions/phone', { userId, phone })
      return { userId: body.userId, secret: await fetchCodeSentTo(w, phone) }
    }
    const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

    const tried = await ask()
    for (let n = 0; n < 5; n += 1) {
      const wrong = await put('/sessions/phone', { ...tried, secret: other(tried.secret) })
      expect(wrong.body).toMatchObject({ code: 401, type: 'user_invalid_token' })
    }
    expect((await put('/sessions/phone', tried)).status).toBe(401)

    const late = await ask()
    await w.database.pool.query(
      "update tokens set created_at = created_at - interval '16 minutes', expires_at = expires_at - interval '16 minutes' where used_at is null",
    )
    expect((await put('/sessions/phone', late)).status).toBe(401)

    const first = await ask('marta')
    const second = await ask('marta')
    expect((await put('/sessions/phone', first)).status).toBe(first.secret === second.secret ? 201 : 401)
    if (first.secret !== second.secret) expect((await put('/sessions/phone', second)).status).toBe(201)
  })

  test.each([
    ['/tokens/email', 'email', '/sessions/token', 'POST'],
    ['/tokens/phone', 'phone', '/sessions/phone', 'PUT'],
    ['/tokens/magic-url', 'email', '/sessions/magic-url', 'PUT'],
  ] as const)(
    "S26 marta's code by %s works after a stranger requested another, and not for the stranger's request",
    async (ask, kind, confirm, method) => {
      const to = kind === 'email' ? `sola${ask.length}@juntas.test` : '+34611000012'
      const bring = (userId: string, secret: string) =>
        w.visitor.request<Session>(method, `/v1/account${confirm}`, { userId, secret })
      const sent = async () => {
        const { body } = await post(ask, { userId: 'unique()', [kind]: to })
        const { secret } =
          ask === '/tokens/magic-url'
            ? await fetchSentLinkSecret(w, to)
            : { secret: await fetchCodeSentTo(w, to) }
        return { userId: body.userId as string, secret }
      }
      const martas = await sent()
      const strangers = await sent()
      if (martas.secret !== strangers.secret)
        expect((await bring(strangers.userId, martas.secret)).status).toBe(401)
      expect((await bring(martas.userId, martas.secret)).status).toBe(201)
    },
  )

  test('S05 marta signs in with her address and phone, whatever other accounts did with them', async () => {
    const phone = '+34611000013'
    const eva = await w.join('Eva')
    const { email } = eva
    await eva.request('PATCH', '/v1/account/phone', { phone, password: testPassword })
    const asked = await Promise.all([
      post('/tokens/email', { userId: 'unique()', email }),
      post('/tokens/phone', { userId: 'unique()', phone }),
    ])
    const secrets = [await fetchCodeSentTo(w, email), await fetchCodeSentTo(w, phone)]
    const change = { password: 'otra y bien larga', oldPassword: testPassword }
    expect((await eva.request('PATCH', '/v1/account/password', change)).status).toBe(200)
    for (const [n, { body }] of asked.entries()) {
      const begun = await post<Session>('/sessions/token', { userId: body.userId, secret: secrets[n] })
      expect(begun.status).toBe(201)
    }
  })

  test('S04 only one of twenty simultaneous uses of one code succeeds', async () => {
    const phone = '+34611000003'
    const { body } = await post('/sessions/phone', { userId: 'unique()', phone })
    const secret = await fetchCodeSentTo(w, phone)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => put('/sessions/phone', { userId: body.userId, secret })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(19)
  })

  test('S05 a code sent to an unverified number of another account opens a new account', async () => {
    const phone = '+34611000004'
    const eva = await w.join('Eva')
    await eva.request('PATCH', '/v1/account/phone', { phone, password: testPassword })
    const { body } = await post('/sessions/phone', { userId: 'unique()', phone })
    const begun = await put('/sessions/phone', {
      userId: body.userId,
      secret: await fetchCodeSentTo(w, phone),
    })
    expect(begun.status).toBe(201)
    expect(begun.body.userId).not.toBe(eva.accountId)
    expect((await eva.request('GET', '/v1/account')).body).toMatchObject({ phone: '', email: eva.email })
  })

  test.each([
    ['/sessions/phone', { userId: 'unique()', phone: '611000' }, 'phone'],
    ['/tokens/phone', { phone: '+34611000005' }, 'userId'],
    ['/tokens/email', { userId: 'unique()', email: 'not an address' }, 'email'],
    ['/tokens/magic-url', { userId: '-x', email: 'x@juntas.test' }, 'userId'],
    ['/tokens/magic-url', { userId: 'unique()', email: 'x@juntas.test', url: 'https://evil.example' }, 'url'],
    ['/sessions/token', { userId: 'x' }, 'secret'],
    ['/sessions/token', { userId: 'x', secret: 'y'.repeat(257) }, 'secret'],
  ])('%s with %j is answered with a 400 that names %s', async (path, body, field) => {
    expect(await post(path, body)).toMatchObject({ status: 400, body: { field } })
  })
})

describe('verifying an address', () => {
  test('SDK-08 S04 an emailed link verifies an email at both paths, only once in fifty simultaneous uses', async () => {
    for (const [n, path] of ['/verification', '/verifications/email'].entries()) {
      const cleo = await w.join(`Cleo${n}`)
      const url = 'http://localhost:3000/v1/auth/verification'
      const asked = await cleo.request<Token>('POST', `/v1/account${path}`, { url })
      expect(asked.status).toBe(201)
      const { userId, secret } = await fetchSentLinkSecret(w, cleo.email)
      expect(userId).toBe(cleo.accountId)
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => cleo.request('PUT', `/v1/account${path}`, { userId, secret })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(49).fill(401)])
      expect((await cleo.request('GET', '/v1/account')).body).toMatchObject({ emailVerification: true })
      const again = await cleo.request('POST', `/v1/account${path}`, { url })
      expect(again.body).toMatchObject({ code: 409, type: 'user_email_already_verified' })
    }
  })

  test('a link sent to a former address does not verify the current address', async () => {
    const fe = await w.join('Fe')
    await fe.request('POST', '/v1/account/verification', { url: 'http://localhost:3000/' })
    const { userId, secret } = await fetchSentLinkSecret(w, fe.email)
    await fe.request('PATCH', '/v1/account/email', { email: 'fe.nueva@juntas.test', password: testPassword })
    expect((await put('/verification', { userId, secret })).body).toMatchObject({
      type: 'user_invalid_token',
    })
    expect((await fe.request('GET', '/v1/account')).body).toMatchObject({ emailVerification: false })
  })

  test('SDK-08 a code verifies a phone number at both paths', async () => {
    for (const [n, path] of ['/verification/phone', '/verifications/phone'].entries()) {
      const dora = await w.join(`Dora${n}`)
      const none = await dora.request('POST', `/v1/account${path}`)
      expect(none.body).toMatchObject({ code: 400, type: 'user_phone_not_found' })
      const phone = `+3462200000${n}`
      await dora.request('PATCH', '/v1/account/phone', { phone, password: testPassword })
      const asked = await dora.request<Token>('POST', `/v1/account${path}`)
      expect(asked.status).toBe(201)
      expect(await fetchNewestMessageTo(w, phone)).toMatchObject({ kind: 'phone-verification' })
      const linkParameters = { userId: dora.accountId, secret: await fetchCodeSentTo(w, phone) }
      expect((await put(path, linkParameters)).status).toBe(200)
      expect((await put(path, linkParameters)).status).toBe(401)
      expect((await dora.request('GET', '/v1/account')).body).toMatchObject({ phoneVerification: true })
      const again = await dora.request('POST', `/v1/account${path}`)
      expect(again.body).toMatchObject({ code: 409, type: 'user_phone_already_verified' })
    }
  })

  test('an account without an email address cannot request a verification', async () => {
    const anonymous = await post('/sessions/anonymous', {})
    const answer = await w.visitor.request(
      'POST',
      '/v1/account/verification',
      { url: 'http://localhost:3000/' },
      { cookie: extractCookieHeader(anonymous) },
    )
    expect(answer.body).toMatchObject({ code: 400, type: 'user_email_not_found' })
  })
})
