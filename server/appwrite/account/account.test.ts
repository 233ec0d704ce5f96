import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getCurrentMemberOperation } from '#contract/account/sign-up-and-sign-in.ts'
import type { ErrorResponseBody } from '#contract/errors.ts'
import { captureSqlStatements } from '#server/database/prepared-statements.ts'
import { raceTimeoutMs, runRaceRounds } from '#tests/support/run-race-rounds.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'
import {
  extractCookieHeader,
  fetchSentLinkSecret,
  fetchSentMessagesTo,
} from '../../../tests/support/sent-messages.ts'

type Account = Record<string, unknown> & { $id: string; email: string; name: string; prefs: object }

let w: TestWorld
let ana: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana Luz')
})
afterAll(() => w.end())

const creating = (more: Record<string, unknown>) => ({
  userId: 'unique()',
  password: testPassword,
  name: 'Vera',
  ...more,
})
const signIn = (email: string, secret = testPassword) =>
  w.visitor.request('POST', '/v1/account/sessions/email', { email, password: secret })

describe('creating an account', () => {
  test('SDK-01 the four fields of the specification create an account, return all of it and sign nobody in', async () => {
    const made = await w.visitor.request<Account>(
      'POST',
      '/v1/account',
      creating({ email: 'Vera@juntas.test' }),
    )
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ email: 'vera@juntas.test', name: 'Vera', status: true, prefs: {} })
    expect(made.body.$id).toMatch(/^[a-z0-9]{20}$/)
    expect(made.headers['set-cookie']).toBeUndefined()
    expect(made.body).not.toHaveProperty('password')
  })

  test("A22 an account gets the client's id, or a random id for unique(); a taken or malformed id is refused", async () => {
    const make = (userId: unknown, n: number) =>
      w.visitor.request<Account>('POST', '/v1/account', creating({ userId, email: `id${n}@juntas.test` }))
    for (const [n, userId] of ['constructor', 'admin', '64f0c1a2b3c4d5e6f708', 'a.b-c_D'].entries()) {
      expect((await make(userId, n)).body.$id).toBe(userId)
    }
    expect((await make('admin', 10)).body).toMatchObject({ code: 409, type: 'user_already_exists' })
    for (const userId of ['../x', 'x'.repeat(37), '_lead', '', 'a b', 5, { $id: 'x' }, '__proto__']) {
      expect(await make(userId, 11)).toMatchObject({
        status: 400,
        body: { type: 'general_argument_invalid', field: 'userId' },
      })
    }
    expect((await make(undefined, 12)).body).toMatchObject({ message: 'Param "userId" is not optional.' })
  })

  test('S16 a password has 8 to 256 characters and is used exactly as typed', async () => {
    const make = (secret: string, n: number) =>
      w.visitor.request('POST', '/v1/account', creating({ email: `long${n}@juntas.test`, password: secret }))
    for (const [n, secret] of ['seven77', 'x'.repeat(257), 'x'.repeat(10_000), 'nul\u0000inside'].entries()) {
      expect((await make(secret, n)).status).toBe(400)
    }
    // The bodies of visitors' requests are limited to 16 kB.
    expect((await make('x'.repeat(17_000), 4)).status).toBe(413)
    expect((await make('x'.repeat(1_000_000), 4)).status).toBe(413)
    const kept = ['x'.repeat(256), 'ocho son', '👩‍👩‍👧 familia', '  eight  ', 'cafe\u0301 con leche']
    for (const [n, secret] of kept.entries()) {
      expect((await make(secret, 10 + n)).status).toBe(201)
      expect((await signIn(`long${10 + n}@juntas.test`, secret)).status).toBe(201)
    }
    expect((await signIn('long14@juntas.test', 'caf\u00e9 con leche')).status).toBe(401)
    for (const [secret, status] of [
      ['eight', 400],
      ['x'.repeat(257), 400],
      ['x'.repeat(1_000_000), 413],
    ] as const) {
      // These passwords are refused before any hashing or database access.
      const { result, statements } = await captureSqlStatements(() => signIn('long13@juntas.test', secret))
      expect([result.status, statements]).toEqual([status, []])
    }
  })

  test('a sign-up with any other JSON body is answered with 400', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), async (body) => {
        const answer = await w.visitor.request('POST', '/v1/account', JSON.stringify(body), {
          'content-type': 'application/json',
        })
        expect(answer.status).toBe(400)
      }),
      { numRuns: 150 },
    )
  })
})

describe('the account of a member', () => {
  test('SDK-01 a member reads her account, and a visitor is refused', async () => {
    const { status, body, headers } = await ana.request<Account>('GET', '/v1/account')
    expect(status).toBe(200)
    expect(body).toMatchObject({ $id: ana.accountId, email: ana.email, emailVerification: false })
    expect(headers['cache-control']).toBe('no-store')
    expect((await w.visitor.request('GET', '/v1/account')).body).toEqual({
      message: 'User (role: guests) missing scope (account)',
      code: 401,
      type: 'general_unauthorized_scope',
      version: '1.4.14',
    })
  })

  test('A25 an account without a profile gets an error that names what is missing, unlike a visitor', async () => {
    const account = {
      userId: 'unique()',
      email: 'sinperfil@juntas.test',
      password: testPassword,
      name: 'Sin Perfil',
    }
    expect((await w.visitor.request('POST', '/v1/account', account)).status).toBe(201)
    const signedIn = await w.visitor.request('POST', '/v1/account/sessions/email', account)
    const named = { cookie: extractCookieHeader(signedIn) }
    const anonymous = await w.visitor.request('POST', '/v1/account/sessions/anonymous', {})
    const unnamed = { cookie: extractCookieHeader(anonymous) }
    const documents = '/v1/databases/main/collections/posts/documents'
    const describeAnswer = async (method: string, path: string, headers: Record<string, string>) => {
      const { status, body } = await w.visitor.request<ErrorResponseBody>(
        method,
        path,
        method === 'GET' ? undefined : {},
        headers,
      )
      return [status, body.type, body.message]
    }
    for (const [method, path] of [
      ['GET', documents],
      ['POST', documents],
      ['GET', '/v1/feed'],
      ['POST', '/v1/posts'],
      ['GET', '/v1/storage/buckets/media/files'],
    ] as const) {
      expect([path, await describeAnswer(method, path, named)]).toEqual([
        path,
        [401, 'general_unauthorized_scope', expect.stringContaining('is missing a profile: GET /v1/me')],
      ])
      expect([path, await describeAnswer(method, path, unnamed)]).toEqual([
        path,
        [401, 'general_unauthorized_scope', expect.stringContaining('is missing an email address')],
      ])
    }
    expect((await w.visitor.request('GET', '/v1/me', undefined, named)).status).toBe(200)
    expect((await w.visitor.request('GET', documents, undefined, named)).status).toBe(200)
  })

  test('A25 S08 a visitor gets 401 for every call that needs a session, before input is read, and nothing is cached', async () => {
    const calls = [
      ['GET', ''],
      ['GET', '/prefs'],
      ['PATCH', '/prefs'],
      ['PATCH', '/name'],
      ['PATCH', '/email'],
      ['PATCH', '/password'],
      ['PATCH', '/phone'],
      ['PATCH', '/status'],
      ['GET', '/logs'],
      ['GET', '/identities'],
      ['DELETE', '/identities/x'],
      ['GET', '/sessions'],
      ['DELETE', '/sessions'],
      ['GET', '/sessions/current'],
      ['PATCH', '/sessions/current'],
      ['DELETE', '/sessions/current'],
      ['POST', '/jwt'],
      ['POST', '/jwts'],
      ['POST', '/verification'],
      ['POST', '/verifications/email'],
      ['POST', '/verification/phone'],
      ['POST', '/verifications/phone'],
    ] as const
    const strangers: Record<string, string>[] = [
      {},
      { cookie: 'a_session_juntas=' },
      { cookie: 'a_session_juntas=bm90IGpzb24=' },
      { cookie: `a_session_juntas=${Buffer.from('{"id":"admin","secret":"x"}').toString('base64')}` },
      { cookie: ana.cookie.replace('_juntas=', '_other=') },
      { 'x-fallback-cookies': '' },
      { 'x-appwrite-session': 'nothing' },
    ]
    for (const [method, path] of calls) {
      for (const headers of strangers) {
        const body = method === 'GET' ? undefined : { password: 5 }
        const answer = await w.visitor.request(method, `/v1/account${path}`, body, headers)
        expect([path, answer.status, answer.body]).toMatchObject([
          path,
          401,
          { type: 'general_unauthorized_scope' },
        ])
        expect(answer.headers['cache-control']).toBe('no-store')
      }
    }
  })

  test('SDK-03 a member stores any object as preferences and reads back only that object', async () => {
    expect((await ana.request('GET', '/v1/account/prefs')).body).toEqual({})
    const prefs = { theme: 'dark', nested: { list: [1, null, 'ñ'] } }
    const saved = await ana.request<Account>('PATCH', '/v1/account/prefs', { prefs })
    expect(saved.body.prefs).toEqual(prefs)
    await ana.request('PATCH', '/v1/account/prefs', { prefs: { only: true } })
    expect((await ana.request('GET', '/v1/account/prefs')).body).toEqual({ only: true })
    for (const wrong of ['text', [], [1], 5, true, null, undefined, { big: 'x'.repeat(65_536) }]) {
      expect((await ana.request('PATCH', '/v1/account/prefs', { prefs: wrong })).status).toBe(400)
    }
    expect((await ana.request('GET', '/v1/account/prefs')).body).toEqual({ only: true })
  })

  test('SDK-02 a member changes the name of her account and of her profile together', async () => {
    const named = await ana.request<Account>('PATCH', '/v1/account/name', { name: ' Ana María ' })
    expect(named).toMatchObject({ status: 200, body: { name: 'Ana María' } })
    expect(await ana.call(getCurrentMemberOperation, {})).toMatchObject({ name: 'Ana María' })
    for (const name of ['', '   ', 'x'.repeat(129), 5, undefined]) {
      expect((await ana.request('PATCH', '/v1/account/name', { name })).status).toBe(400)
    }
  })

  test('SDK-02 a member sets an unverified phone number with her password', async () => {
    const answer = await ana.request('PATCH', '/v1/account/phone', {
      phone: '+34600111222',
      password: testPassword,
    })
    expect(answer).toMatchObject({ status: 200, body: { phone: '+34600111222', phoneVerification: false } })
    const wrong = await ana.request('PATCH', '/v1/account/phone', {
      phone: '+34600111223',
      password: 'another password',
    })
    expect(wrong.body).toMatchObject({ code: 401, type: 'user_invalid_credentials' })
    for (const phone of ['600111222', '+0600111222', '+1234567890123456', '+34 600 111 222', '+12345']) {
      expect(
        (await ana.request('PATCH', '/v1/account/phone', { phone, password: testPassword })).status,
      ).toBe(400)
    }
  })

  const phonesOf = async (...members: MemberClient[]) =>
    Promise.all(
      members.map(
        async (who) => (await who.request<Account & { phone: string }>('GET', '/v1/account')).body.phone,
      ),
    )

  test('SDK-02 bea can take a phone number that another account left unverified, but not a verified number', async () => {
    const [dora, bea] = [await w.join('Dora'), await w.join('Bea')]
    const take = (who: MemberClient) =>
      who.request('PATCH', '/v1/account/phone', { phone: '+34600111333', password: testPassword })
    expect((await take(dora)).status).toBe(200)
    expect(await take(bea)).toMatchObject({ status: 200, body: { phone: '+34600111333' } })
    expect(await phonesOf(dora, bea)).toEqual(['', '+34600111333'])
    const verify = 'update accounts set phone_verified = true where public_id = $1'
    await w.database.pool.query(verify, [bea.accountId])
    expect((await take(dora)).body).toMatchObject({ code: 409, type: 'user_phone_already_exists' })
    expect(await phonesOf(dora, bea)).toEqual(['', '+34600111333'])
  })

  test('SDK-02 only one of two accounts that take the same unverified phone number simultaneously gets it', {
    timeout: raceTimeoutMs,
  }, async () => {
    let both: MemberClient[] = []
    let round = 0
    await runRaceRounds(
      w.database,
      async () => {
        both = [await w.join('Elsa'), await w.join('Fina')]
        round += 1
        const phone = `+3460022${String(round).padStart(4, '0')}`
        return both.map(
          (who) => () => who.request('PATCH', '/v1/account/phone', { phone, password: testPassword }),
        )
      },
      async (answers) => {
        for (const { status } of answers) expect([200, 409]).toContain(status)
        expect((await phonesOf(...both)).filter((phone) => phone !== '')).toHaveLength(1)
      },
    )
  })
})

async function verifyEmail(her: MemberClient): Promise<void> {
  await her.request('POST', '/v1/account/verification', { url: 'http://localhost:3000/' })
  const { userId, secret } = await fetchSentLinkSecret(w, her.email)
  await her.request('PUT', '/v1/account/verification', { userId, secret })
}
async function changeEmail(email: string, cookie: string): Promise<void> {
  await w.visitor.request('PATCH', '/v1/account/email', { email, password: testPassword }, { cookie })
  const { userId, secret } = await fetchSentLinkSecret(w, email.toLowerCase())
  const answer = await w.visitor.request('POST', '/v1/auth/email-change', { userId, secret }, { cookie })
  expect(answer.status).toBe(200)
}

describe('S20 changing an email address', () => {
  test('SDK-02 an unverified email changes immediately with the password, and the new email is unverified too', async () => {
    const cleo = await w.join('Cleo')
    const other = { email: 'Cleo.Nueva@juntas.test' }
    expect((await cleo.request('PATCH', '/v1/account/email', other)).status).toBe(400)
    expect(
      (await cleo.request('PATCH', '/v1/account/email', { ...other, password: 'not hers at all' })).body,
    ).toMatchObject({ code: 401, type: 'user_invalid_credentials' })
    const taken = await cleo.request('PATCH', '/v1/account/email', {
      email: ana.email,
      password: testPassword,
    })
    expect(taken.body).toMatchObject({ code: 409, type: 'user_email_already_exists' })
    expect(await fetchSentMessagesTo(w, cleo.email)).toEqual([])

    const changed = await cleo.request('PATCH', '/v1/account/email', { ...other, password: testPassword })
    expect(changed.body).toMatchObject({ email: 'cleo.nueva@juntas.test', emailVerification: false })
    expect((await signIn('cleo.nueva@juntas.test')).status).toBe(201)
    expect((await signIn(cleo.email)).status).toBe(401)
  })

  test('the server notifies the old email address, which can undo the change for seven days', async () => {
    const url = '/v1/auth/email-undo'
    for (const [name, waited, status] of [
      ['Hilda', '6 days 23 hours', 200],
      ['Irma', '7 days', 401],
    ] as const) {
      const person = await w.join(name)
      await verifyEmail(person)
      await changeEmail(`${name}.2@juntas.test`, person.cookie)
      expect((await fetchSentMessagesTo(w, person.email)).at(-1)).toMatchObject({ kind: 'email-undo' })
      const { userId, secret } = await fetchSentLinkSecret(w, person.email)
      await w.database.pool.query(
        `update tokens set created_at = created_at - $1::interval, expires_at = expires_at - $1::interval
         where sent_to = $2 and used_at is null`,
        [waited, person.email],
      )
      expect((await w.visitor.request('POST', url, { userId, secret })).status).toBe(status)
    }
  })

  test('the owner of the old email address takes the account back, without the data that the thief added', async () => {
    const dora = await w.join('Dora')
    await verifyEmail(dora)
    const thief = await signIn(dora.email)
    const asThief = { cookie: extractCookieHeader(thief) }
    const { body: jwt } = await w.visitor.request<{ jwt: string }>('POST', '/v1/account/jwt', {}, asThief)
    for (const email of ['thief@evil.test', 'thief2@evil.test']) {
      await changeEmail(email, asThief.cookie)
    }
    await w.visitor.request(
      'PATCH',
      '/v1/account/phone',
      { phone: '+34699999999', password: testPassword },
      asThief,
    )
    const stolen = await fetchSentLinkSecret(w, 'thief@evil.test')

    const { link, userId, secret } = await fetchSentLinkSecret(w, dora.email)
    expect(link.pathname).toBe('/v1/auth/email-undo')
    const undone = await w.visitor.request<string>('POST', '/v1/auth/email-undo', { userId, secret })
    expect(undone.status).toBe(200)
    expect((await w.visitor.request('GET', '/v1/account', undefined, asThief)).status).toBe(401)
    expect(
      (await w.visitor.request('GET', '/v1/account', undefined, { 'x-appwrite-jwt': jwt.jwt })).status,
    ).toBe(401)
    expect((await signIn(dora.email)).status).toBe(401)
    // The undo link of the second change, which the thief received, no longer works.
    expect((await w.visitor.request('POST', '/v1/auth/email-undo', stolen)).status).toBe(401)

    const [, again = ''] = /name="secret" value="([0-9a-f]+)"/.exec(undone.body) ?? []
    const [, who = ''] = /name="userId" value="([^"]+)"/.exec(undone.body) ?? []
    const chosen = {
      userId: who,
      secret: again,
      password: 'una nueva y larga',
      passwordAgain: 'una nueva y larga',
    }
    expect((await w.visitor.request('POST', '/v1/auth/recovery', chosen)).status).toBe(200)
    const back = await signIn(dora.email, 'una nueva y larga')
    const account = await w.visitor.request('GET', '/v1/account', undefined, {
      cookie: extractCookieHeader(back),
    })
    expect(account.body).toMatchObject({
      $id: dora.accountId,
      email: dora.email,
      phone: '',
      emailVerification: true,
    })
  })
})

describe('S12 S20 changing a password', () => {
  test('SDK-02 a password changes only with the old password, and the change ends every other session and JWT', async () => {
    const eva = await w.join('Eva')
    const others = await Promise.all(Array.from({ length: 4 }, () => signIn(eva.email)))
    const jwt = (await eva.request<{ jwt: string }>('POST', '/v1/account/jwt')).body.jwt
    const asking = { password: 'la segunda es mejor' }
    for (const wrong of [{}, { oldPassword: 'not this one' }, { oldPassword: '' }]) {
      const refused = await eva.request('PATCH', '/v1/account/password', { ...asking, ...wrong })
      expect(refused.body).toMatchObject({ code: 401, type: 'user_invalid_credentials' })
    }
    const changed = await eva.request('PATCH', '/v1/account/password', {
      ...asking,
      oldPassword: testPassword,
    })
    expect(changed.status).toBe(200)

    expect((await eva.request('GET', '/v1/account')).status).toBe(200)
    for (const other of others) {
      const answer = await w.visitor.request('GET', '/v1/account', undefined, {
        cookie: extractCookieHeader(other),
      })
      expect(answer.status).toBe(401)
    }
    const byJwt = await w.visitor.request('GET', '/v1/account', undefined, { 'x-appwrite-jwt': jwt })
    expect(byJwt.status).toBe(401)
    expect((await signIn(eva.email)).status).toBe(401)
    expect((await signIn(eva.email, asking.password)).status).toBe(201)
  })
})

test('S12 only one of ten simultaneous password changes succeeds', async () => {
  const gala = await w.join('Gala')
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      gala.request('PATCH', '/v1/account/password', {
        password: `número ${n} de diez`,
        oldPassword: testPassword,
      }),
    ),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(9)
})

describe('SDK-02 A24 closing an account', () => {
  test('no session, JWT or password opens a closed account', async () => {
    const fe = await w.join('Fe')
    const second = extractCookieHeader(await signIn(fe.email))
    const jwt = (await fe.request<{ jwt: string }>('POST', '/v1/account/jwt')).body.jwt
    const closed = await fe.request('PATCH', '/v1/account/status')
    expect(closed).toMatchObject({ status: 200, body: { $id: fe.accountId, status: false } })
    expect(closed.headers['set-cookie']).toMatch(/^a_session_juntas=;.*Expires=Thu, 01 Jan 1970/)
    const ways: Record<string, string>[] = [
      { cookie: fe.cookie },
      { cookie: second },
      { 'x-appwrite-jwt': jwt },
    ]
    for (const headers of ways) {
      expect((await w.visitor.request('GET', '/v1/account', undefined, headers)).status).toBe(401)
    }
    expect((await signIn(fe.email)).body).toMatchObject({ code: 401, type: 'user_blocked' })
    expect((await signIn(fe.email, 'not her password')).body).toMatchObject({
      type: 'user_invalid_credentials',
    })
  })
})
