import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'
import { extractCookieHeader } from '../../../tests/support/sent-messages.ts'

type Session = Record<string, unknown> & { $id: string; userId: string; current: boolean }
type SessionList = { total: number; sessions: Session[] }

let w: TestWorld
let ana: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
})
afterAll(() => w.end())

const signIn = (email: string, headers: Record<string, string> = {}) =>
  w.visitor.request<Session>('POST', '/v1/account/sessions/email', { email, password: testPassword }, headers)
const whoIs = (headers: Record<string, string>) =>
  w.visitor.request<{ $id: string }>('GET', '/v1/account', undefined, headers)

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/70.0.3538.77 Safari/537.36'

describe('signing in', () => {
  test('SDK-06 an email and password start a session at both paths', async () => {
    for (const path of ['/v1/account/sessions/email', '/v1/account/sessions']) {
      const begun = await w.visitor.request<Session>(
        'POST',
        path,
        { email: ana.email, password: testPassword },
        { 'user-agent': chrome },
      )
      expect(begun.status).toBe(201)
      expect(begun.body).toMatchObject({
        userId: ana.accountId,
        provider: 'email',
        providerUid: ana.email,
        current: true,
        ip: '127.0.0.1',
        osCode: 'WIN',
        osName: 'Windows',
        osVersion: '10',
        clientType: 'browser',
        clientCode: 'CH',
        clientName: 'Chrome',
        clientVersion: '70.0',
        clientEngine: 'Blink',
        deviceName: 'desktop',
        deviceBrand: '',
        deviceModel: '',
        countryCode: '--',
        countryName: 'Unknown',
      })
      expect(begun.headers['set-cookie']).toMatch(
        /^a_session_juntas=[^;]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/m,
      )
      expect(begun.headers).not.toHaveProperty('x-fallback-cookies')
    }
  })

  test('S11 a sign-in creates a new session and ends the session that the client sent', async () => {
    const planted = { cookie: 'a_session_juntas=planted-by-somebody' }
    const first = await signIn(ana.email, planted)
    expect(extractCookieHeader(first)).not.toBe(planted.cookie)
    const second = await signIn(ana.email, { cookie: extractCookieHeader(first) })
    expect((await whoIs({ cookie: extractCookieHeader(first) })).status).toBe(401)
    expect((await whoIs({ cookie: extractCookieHeader(second) })).status).toBe(200)
  })

  test('SDK-06 a visitor signs in anonymously, and adding an email makes her a member', async () => {
    const begun = await w.visitor.request<Session>('POST', '/v1/account/sessions/anonymous')
    expect(begun.status).toBe(201)
    expect(begun.body).toMatchObject({ provider: 'anonymous', providerUid: '' })
    const asHer = { cookie: extractCookieHeader(begun) }
    const again = await w.visitor.request('POST', '/v1/account/sessions/anonymous', undefined, asHer)
    expect(again.body).toMatchObject({ code: 401, type: 'user_session_already_exists' })
    const account = await whoIs(asHer)
    expect(account.body).toMatchObject({ email: '', name: '', passwordUpdate: '' })
    expect((await w.visitor.request('GET', '/v1/me', undefined, asHer)).status).toBe(401)
    expect((await w.visitor.request('GET', '/v1/people', undefined, asHer)).status).toBe(401)

    const email = { email: 'anonima@juntas.test', password: testPassword }
    expect((await w.visitor.request('PATCH', '/v1/account/email', email, asHer)).status).toBe(200)
    const me = await w.visitor.request('GET', '/v1/me', undefined, asHer)
    expect(me.body).toMatchObject({ username: 'anonima', accountId: begun.body.userId })
    expect((await signIn(email.email)).status).toBe(201)
  })
})

describe('the sessions of a member', () => {
  test('SDK-05 a member lists, reads, prolongs and ends her sessions', async () => {
    const bea = await w.join('Bea')
    const other = await signIn(bea.email, { 'user-agent': chrome })
    const third = await signIn(bea.email)
    const list = await bea.request<SessionList>('GET', '/v1/account/sessions')
    expect(list.body.total).toBe(3)
    expect(list.body.sessions.map(({ current }) => current)).toEqual([true, false, false])
    expect(list.body.sessions.slice(1).map(({ $id }) => $id)).toEqual([other.body.$id, third.body.$id])
    await bea.request('DELETE', `/v1/account/sessions/${third.body.$id}`, {})

    const current = await bea.request<Session>('GET', '/v1/account/sessions/current')
    expect(current).toMatchObject({ status: 200, body: { current: true, userId: bea.accountId } })
    const shown = await bea.request<Session>('GET', `/v1/account/sessions/${other.body.$id}`)
    expect(shown.body).toEqual({ ...other.body, current: false })

    const putOff = await bea.request<Session>('PATCH', `/v1/account/sessions/${other.body.$id}`, {})
    expect(putOff).toMatchObject({ status: 200, body: { $id: other.body.$id, expire: other.body.expire } })

    const ended = await bea.request('DELETE', `/v1/account/sessions/${other.body.$id}`, {})
    expect(ended.status).toBe(204)
    expect(ended.headers['content-type']).toBeUndefined()
    expect(ended.headers['set-cookie']).toBeUndefined()
    expect((await whoIs({ cookie: extractCookieHeader(other) })).status).toBe(401)
    expect((await bea.request('GET', '/v1/account')).status).toBe(200)
  })

  test('SDK-05 a member ends all her sessions at once, and her browser deletes its cookie', async () => {
    const cleo = await w.join('Cleo')
    const other = await signIn(cleo.email)
    const ended = await cleo.request('DELETE', '/v1/account/sessions', {})
    expect(ended.status).toBe(204)
    expect(ended.headers['set-cookie']).toMatch(/^a_session_juntas=;/)
    for (const cookie of [cleo.cookie, extractCookieHeader(other)]) {
      expect((await whoIs({ cookie })).status).toBe(401)
    }
  })

  test("S19 sessions are private: eva cannot see, prolong or end ana's", async () => {
    const eva = await w.join('Eva')
    const { body } = await ana.request<Session>('GET', '/v1/account/sessions/current')
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      for (const id of [body.$id, 'nope', '../current', 'CURRENT']) {
        const path = `/v1/account/sessions/${encodeURIComponent(id)}`
        const answer = await eva.request(method, path, method === 'GET' ? undefined : {})
        expect(answer.body).toMatchObject({ code: 404, type: 'user_session_not_found' })
      }
    }
    expect((await ana.request('GET', '/v1/account')).status).toBe(200)
  })

  test('only one of five simultaneous calls that end one session succeeds', async () => {
    const fe = await w.join('Fe')
    const { body } = await signIn(fe.email)
    const ends = await Promise.all(
      Array.from({ length: 5 }, () => fe.request('DELETE', `/v1/account/sessions/${body.$id}`, {})),
    )
    expect(ends.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404])
  })
})

test.each([`a\0b`, '\ud800', 'x'.repeat(400), '', 7, null])(
  'the invalid session id %j finds no session',
  async (id) => {
    const token = Buffer.from(JSON.stringify({ id, secret: 'x' })).toString('base64')
    const ways: Record<string, string>[] = [
      { cookie: `a_session_juntas=${token}` },
      { 'x-appwrite-session': token },
    ]
    for (const headers of ways) {
      expect(await whoIs(headers)).toMatchObject({
        status: 401,
        body: { type: 'general_unauthorized_scope' },
      })
    }
  },
)

describe('a client with its own project id', () => {
  const project = { 'x-appwrite-project': 'old-app' }
  let own: TestWorld
  let eva: MemberClient
  beforeAll(async () => {
    own = await createTestWorld({ ALIAS_PROJECT: 'old-app' })
    eva = await own.join('Eva')
  })
  afterAll(() => own.end())
  const begin = (headers: Record<string, string>) =>
    own.visitor.request(
      'POST',
      '/v1/account/sessions/email',
      { email: eva.email, password: testPassword },
      headers,
    )
  const ask = (path: string, headers: Record<string, string>) =>
    own.visitor.request<{ $id: string }>('GET', path, undefined, headers)

  test('SDK-02 a client finds its session in a cookie named after its project id', async () => {
    const begun = await begin(project)
    expect(begun.headers['set-cookie']).toMatch(/^a_session_old-app=/)
    const cookie = begun.headers['set-cookie']?.split(';')[0] ?? ''
    expect((await ask('/v1/account', { ...project, cookie })).body.$id).toBe(eva.accountId)
    // Image URLs name the server's own project id.
    expect((await ask('/v1/account?project=juntas', { cookie })).body.$id).toBe(eva.accountId)
    expect((await ask('/v1/me', { cookie })).status).toBe(200)

    const ended = await own.visitor.request(
      'DELETE',
      '/v1/account/sessions/current',
      {},
      { ...project, cookie },
    )
    expect(ended.headers['set-cookie']).toMatch(/^a_session_old-app=;/)
  })

  test('SDK-02 a client on another origin finds its session in the fallback header', async () => {
    const far = { ...project, origin: 'http://localhost:5555' }
    const begun = await begin(far)
    const fallback = begun.headers['x-fallback-cookies'] ?? ''
    expect(Object.keys(JSON.parse(fallback))).toEqual(['a_session_old-app'])
    const kept = { ...far, 'x-fallback-cookies': fallback }
    expect((await ask('/v1/account', kept)).body.$id).toBe(eva.accountId)
  })

  test("the client's session takes precedence over the session of the web app in the same browser", async () => {
    const bea = await own.join('Bea')
    const cookie = `${bea.cookie}; ${(await begin(project)).headers['set-cookie']?.split(';')[0]}`
    expect((await ask('/v1/account', { ...project, cookie })).body.$id).toBe(eva.accountId)
    expect((await ask('/v1/account', { cookie })).body.$id).toBe(bea.accountId)
  })
})

describe('a client of another origin', () => {
  const origin = { origin: 'http://localhost:5555' }

  test('AUTH-14 AUTH-15 a client of another origin gets and sends its session in the fallback header, `[]` after sign-out', async () => {
    const begun = await signIn(ana.email, { ...origin, 'x-fallback-cookies': '' })
    expect(begun.headers['access-control-allow-origin']).toBe(origin.origin)
    expect(begun.headers['access-control-expose-headers']).toContain('X-Fallback-Cookies')
    const fallback = begun.headers['x-fallback-cookies'] ?? ''
    expect(Object.keys(JSON.parse(fallback))).toEqual(['a_session_juntas'])

    const kept = { ...origin, 'x-fallback-cookies': fallback }
    expect((await whoIs(kept)).body.$id).toBe(ana.accountId)
    const out = await w.visitor.request('DELETE', '/v1/account/sessions/current', {}, kept)
    expect(out).toMatchObject({ status: 204, headers: { 'x-fallback-cookies': '[]' } })
    expect((await whoIs(kept)).status).toBe(401)
    expect((await whoIs({ ...origin, 'x-fallback-cookies': '[]' })).status).toBe(401)
  })

  test('the fallback header opens no session for our own origin or an unknown origin', async () => {
    const begun = await signIn(ana.email, origin)
    const fallback = { 'x-fallback-cookies': begun.headers['x-fallback-cookies'] ?? '' }
    expect((await whoIs(fallback)).status).toBe(401)
    expect((await whoIs({ ...fallback, origin: 'http://localhost:3000' })).status).toBe(401)
    const evil = await whoIs({ ...fallback, origin: 'https://evil.example' })
    expect(evil.status).toBe(401)
    expect(evil.headers).not.toHaveProperty('access-control-allow-origin')
  })

  test('a client without cookies can send the session in the X-Appwrite-Session header', async () => {
    const token = decodeURIComponent(
      /^a_session_juntas=([^;]+)/.exec(extractCookieHeader(await signIn(ana.email)))?.[1] ?? '',
    )
    expect((await whoIs({ 'x-appwrite-session': token })).body.$id).toBe(ana.accountId)
    expect((await whoIs({ 'x-appwrite-session': token.slice(0, -8) })).status).toBe(401)
  })
})
