import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ApiResponse } from '#api-client/member-client.ts'
import { waitForLockWaits } from '#tests/support/lock-waits.ts'
import { createTestWorld, type TestWorld, testPassword } from '#tests/support/world.ts'
import { type FakeOAuthProvider, startFakeOAuthProvider } from '../../../tests/doubles/oauth-provider.ts'
import {
  extractCookieHeader,
  fetchSentLinkSecret,
  fetchSentMessagesTo,
} from '../../../tests/support/sent-messages.ts'

const callback = 'http://localhost:3000/v1/account/sessions/oauth2/callback/oidc/juntas'
const emails = {
  ana: 'ana@juntas.test',
  bea: 'bea.por.oidc@juntas.test',
  cleo: 'cleo@juntas.test',
  dora: 'dora@juntas.test?',
  eva: 'eva@juntas.test',
  fay: 'fay@juntas.test',
  gala: 'gala@juntas.test',
  ines: 'ines@juntas.test?',
}

let provider: FakeOAuthProvider
let w: TestWorld
beforeAll(async () => {
  // This hides the provider's production warnings.
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.spyOn(console, 'info').mockImplementation(() => {})
  provider = await startFakeOAuthProvider(callback, emails)
  w = await createTestWorld({
    OAUTH_OIDC_ID: 'juntas-at-the-provider',
    OAUTH_OIDC_SECRET: 'a secret between the two',
    OAUTH_OIDC_ISSUER: provider.issuer,
    OAUTH_AWAY_ID: 'x',
    OAUTH_AWAY_SECRET: 'y',
    OAUTH_AWAY_ISSUER: 'http://127.0.0.1:9',
    ALLOWED_ORIGINS: 'https://app.example',
  })
})
afterAll(async () => {
  await w.end()
  await provider.stop()
})

const get = (path: string, headers: Record<string, string> = {}) =>
  w.visitor.request<Record<string, unknown>>('GET', path, undefined, headers)
const begin = (query: Record<string, string> = {}, kind = 'sessions') =>
  get(`/v1/account/${kind}/oauth2/oidc?${new URLSearchParams({ project: 'juntas', ...query })}`)
const backWith = (url: URL, cookie: string) => get(`${url.pathname}${url.search}`, { cookie })
const locationOf = (answer: ApiResponse) => new URL(answer.headers.location ?? 'about:blank')
const errorIn = (answer: ApiResponse) => JSON.parse(locationOf(answer).searchParams.get('error') ?? '{}')

/** Signs up with an unverified address. @returns the session */
async function member(email: string): Promise<string> {
  await w.visitor.request('POST', '/v1/account', { userId: 'unique()', email, password: testPassword })
  return extractCookieHeader(
    await w.visitor.request('POST', '/v1/account/sessions/email', { email, password: testPassword }),
  )
}

async function signInAs(login: string, query: Record<string, string> = {}, kind = 'sessions') {
  const begun = await begin(query, kind)
  const url = await provider.visit(locationOf(begun).href, login)
  return backWith(url, extractCookieHeader(begun))
}

/**
 * Pauses a sign-in between finding its account and starting its session, by locking the session that it
 * replaces.
 */
async function whileHeldUp<A, B>(
  presented: string,
  signIn: () => Promise<A>,
  meanwhile: () => Promise<B>,
): Promise<[A, B]> {
  const holding = await w.database.pool.connect()
  try {
    await holding.query('begin')
    await holding.query(
      'select from sessions where account_id = (select id from accounts where email = $1) for update',
      [presented],
    )
    const signingIn = signIn()
    await waitForLockWaits(w.database, 1)
    const happening = meanwhile()
    await waitForLockWaits(w.database, 2, happening)
    await holding.query('commit')
    return await Promise.all([signingIn, happening])
  } finally {
    holding.release()
  }
}

/** Returns only the session's cookie, because the answer also clears the cookie of the attempt. */
const sessionIn = (answer: ApiResponse) =>
  extractCookieHeader(answer)
    .split('; ')
    .find((cookie) => cookie.startsWith('a_session_')) ?? ''

describe('SDK-09 signing in through a provider', () => {
  test('sign-in redirects to the provider with PKCE and state, and returns to the requesting page with a session', async () => {
    const begun = await begin({ success: 'https://app.example/bienvenida?x=1', 'scopes[0]': 'address' })
    expect(begun.status).toBe(302)
    expect(begun.headers['cache-control']).toBe('no-store')
    const there = locationOf(begun)
    expect(there.origin).toBe(provider.issuer)
    expect(Object.fromEntries(there.searchParams)).toMatchObject({
      redirect_uri: callback,
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid email profile address',
    })
    const browser = extractCookieHeader(begun)
    expect(begun.headers['set-cookie']).toMatch(/^oauth_juntas=[\w-]{43}; .*HttpOnly; SameSite=Lax$/m)
    expect(there.href).not.toContain(browser.split('=')[1])

    const back = await backWith(await provider.visit(there.href, 'bea'), browser)
    expect(back.status).toBe(302)
    expect(back.headers.location).toBe('https://app.example/bienvenida?x=1')
    const account = await get('/v1/account', { cookie: sessionIn(back) })
    expect(account.body).toMatchObject({
      email: 'bea.por.oidc@juntas.test',
      emailVerification: true,
      name: 'bea Pérez',
    })
    const session = await get('/v1/account/sessions/current', { cookie: sessionIn(back) })
    expect(session.body).toMatchObject({ provider: 'oidc', providerUid: 'bea', providerAccessToken: '' })
    const me = await get('/v1/me', { cookie: sessionIn(back) })
    expect(me.body).toMatchObject({ username: 'bea.por.oidc' })
  })

  test('a second sign-in opens the same account, and a client of another origin gets a one-time secret', async () => {
    const first = await signInAs('bea')
    expect(first.headers.location).toBe('http://localhost:3000/')
    const token = await signInAs('bea', { success: 'https://app.example/' }, 'tokens')
    expect(sessionIn(token)).toBe('')
    const { userId, secret } = Object.fromEntries(locationOf(token).searchParams)
    const account = await get('/v1/account', { cookie: sessionIn(first) })
    expect(userId).toBe(account.body.$id)
    const spend = () => w.visitor.request('POST', '/v1/account/sessions/token', { userId, secret })
    const answers = await Promise.all([spend(), spend(), spend()])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401])
    expect(answers.find(({ status }) => status === 201)?.body).toMatchObject({ provider: 'oauth2', userId })
  })

  test.each(['sessions', 'tokens'])(
    'a provider sign-in reopens an account without email that its owner closed temporarily (%s)',
    async (kind) => {
      const cookie = sessionIn(await signInAs('gala'))
      const { accountId } = (await get('/v1/me', { cookie })).body
      const status = async () =>
        (await w.database.pool.query('select status from accounts where public_id = $1', [accountId])).rows[0]
      await w.visitor.request('POST', '/v1/me/closing', {}, { cookie })
      // As long as her account has an email address, she can reopen it only through Juntas' own API.
      expect(errorIn(await signInAs('gala', {}, kind))).toMatchObject({ type: 'user_blocked' })
      await w.database.pool.query('update accounts set email = null where public_id = $1', [accountId])
      const back = await signInAs('gala', {}, kind)
      if (kind === 'tokens') {
        const secret = Object.fromEntries(locationOf(back).searchParams)
        expect((await w.visitor.request('POST', '/v1/account/sessions/token', secret)).status).toBe(201)
      } else expect((await get('/v1/me', { cookie: sessionIn(back) })).body).toMatchObject({ accountId })
      expect(await status()).toEqual({ status: 'active' })
      await w.database.pool.query('update accounts set email = $1 where public_id = $2', [
        emails.gala,
        accountId,
      ])
    },
  )

  test('SDK-07 a provider sign-in creates an identity that only the member sees and removes', async () => {
    const cookie = sessionIn(await signInAs('bea'))
    const list = await get('/v1/account/identities', { cookie })
    const [identity] = list.body.identities as Record<string, unknown>[]
    expect(list.body.total).toBe(1)
    expect(identity).toMatchObject({ provider: 'oidc', providerUid: 'bea', providerEmail: emails.bea })

    const stranger = await w.join('Fe')
    const path = `/v1/account/identities/${identity?.$id}`
    expect((await stranger.request('GET', '/v1/account/identities')).body).toEqual({
      total: 0,
      identities: [],
    })
    expect((await stranger.request('DELETE', path)).body).toMatchObject({ type: 'user_identity_not_found' })
    expect((await w.visitor.request('DELETE', path, {}, { cookie })).status).toBe(204)
    expect((await w.visitor.request('DELETE', path, {}, { cookie })).body).toMatchObject({ code: 404 })
    // Her address is verified, so the provider leads to the same account.
    const again = await get('/v1/account', { cookie: sessionIn(await signInAs('bea')) })
    expect(again.body.$id).toBe(identity?.userId)
  })

  test('two simultaneous first sign-ins create one account', async () => {
    const begun = await Promise.all([begin(), begin()])
    const urls = await Promise.all(begun.map((each) => provider.visit(locationOf(each).href, 'eva')))
    const back = await Promise.all(
      urls.map((url, n) => backWith(url, extractCookieHeader(begun[n] as ApiResponse))),
    )
    const accounts = await Promise.all(back.map((each) => get('/v1/account', { cookie: sessionIn(each) })))
    expect(accounts[0]?.body.$id).toBe(accounts[1]?.body.$id)
    const { rows } = await w.database.pool.query(
      "select count(*) from accounts where email = 'eva@juntas.test'",
    )
    expect(rows[0].count).toBe(1)
  })
})

describe("S05 an account that a squatter created with the owner's email address", () => {
  test('a provider sign-in does not open the account until its address is verified', async () => {
    const squatter = await member(emails.ana)
    const refused = await signInAs('ana')
    expect(`${locationOf(refused).origin}${locationOf(refused).pathname}`).toBe(
      'http://localhost:3000/sign-in',
    )
    expect(errorIn(refused)).toMatchObject({ type: 'user_email_already_exists', code: 409 })
    expect(sessionIn(refused)).toBe('')
    expect((await get('/v1/account/identities', { cookie: squatter })).body).toMatchObject({ total: 0 })

    const cookie = await member(emails.cleo)
    const url = 'http://localhost:3000/'
    await w.visitor.request('POST', '/v1/account/verification', { url }, { cookie })
    await w.visitor.request('PUT', '/v1/account/verification', await fetchSentLinkSecret(w, emails.cleo), {
      cookie,
    })
    const cleo = await get('/v1/account', { cookie })
    const linked = await signInAs('cleo')
    // She gets an email about the new sign-in method and one about the new browser.
    expect((await fetchSentMessagesTo(w, emails.cleo)).slice(-2).map(({ kind }) => kind)).toEqual([
      'identity-added',
      'new-device',
    ])
    const account = await get('/v1/account', { cookie: sessionIn(linked) })
    expect(account.body.$id).toBe(cleo.body.$id)
    const withPassword = { email: emails.cleo, password: testPassword }
    expect((await w.visitor.request('POST', '/v1/account/sessions/email', withPassword)).status).toBe(201)
  })

  test('a provider sign-in with an unverified address opens and creates no account', async () => {
    expect(errorIn(await signInAs('dora'))).toMatchObject({ type: 'user_oauth2_unauthorized', code: 401 })
    const { rows } = await w.database.pool.query("select count(*) from accounts where email like 'dora@%'")
    expect(rows[0].count).toBe(0)
  })

  test('an unused sign-in secret becomes invalid when the member disconnects the provider', async () => {
    const cookie = sessionIn(await signInAs('bea'))
    const token = await signInAs('bea', { success: 'https://app.example/' }, 'tokens')
    const linkParameters = Object.fromEntries(locationOf(token).searchParams)
    const { identities } = (await get('/v1/account/identities', { cookie })).body as {
      identities: { $id: string }[]
    }
    const gone = await w.visitor.request(
      'DELETE',
      `/v1/account/identities/${identities[0]?.$id}`,
      undefined,
      {
        cookie,
      },
    )
    expect(gone.status).toBe(204)
    const spent = await w.visitor.request('POST', '/v1/account/sessions/token', linkParameters)
    expect(spent).toMatchObject({ status: 401, body: { type: 'user_invalid_token' } })
  })

  test('S12 a provider sign-in that runs while the owner changes her password gives no valid session', async () => {
    const owner = await member('hana@juntas.test')
    await w.database.pool.query(
      `insert into identities (public_id, account_id, provider, issuer, provider_uid, provider_email)
       select 'hanas-thief', id, 'oidc', $1, 'ines', 'ines@juntas.test' from accounts where email = 'hana@juntas.test'`,
      [new URL(provider.issuer).href],
    )
    // The sign-in replaces the thief's own session. It pauses after looking up the identity.
    const own = await member('ines.la.otra@juntas.test')
    const begun = await begin()
    const url = await provider.visit(locationOf(begun).href, 'ines')
    const given = { password: 'una nueva y larga', oldPassword: testPassword }
    const [signedIn, changed] = await whileHeldUp(
      'ines.la.otra@juntas.test',
      () => backWith(url, `${extractCookieHeader(begun)}; ${own}`),
      () => w.visitor.request('PATCH', '/v1/account/password', given, { cookie: owner }),
    )
    expect(changed.status).toBe(200)
    expect((await get('/v1/account', { cookie: sessionIn(signedIn) })).status).toBe(401)
    expect(errorIn(await signInAs('ines'))).toMatchObject({ type: 'user_oauth2_unauthorized' })
  })

  test('S12 a secret used while the owner closes her account gives no valid session after she returns', async () => {
    const cookie = sessionIn(await signInAs('gala'))
    const token = await signInAs('gala', { success: 'https://app.example/' }, 'tokens')
    const linkParameters = Object.fromEntries(locationOf(token).searchParams)
    const own = await member('julia@juntas.test')
    const [signedIn, closed] = await whileHeldUp(
      'julia@juntas.test',
      () => w.visitor.request('POST', '/v1/account/sessions/token', linkParameters, { cookie: own }),
      () => w.visitor.request('POST', '/v1/me/closing', {}, { cookie }),
    )
    expect(closed.status).toBe(204)
    await w.database.pool.query("update accounts set status = 'active' where email = $1", [emails.gala])
    expect((await get('/v1/account', { cookie: sessionIn(signedIn) })).status).toBe(401)
  })

  test('a provider sign-in does not reopen an account closed through the Appwrite API', async () => {
    const cookie = sessionIn(await signInAs('bea'))
    await w.visitor.request('PATCH', '/v1/account/status', {}, { cookie })
    expect(errorIn(await signInAs('bea'))).toMatchObject({ type: 'user_blocked' })
    await w.database.pool.query("update accounts set status = 'active'")
  })
})

describe('S07 the OAuth callback', () => {
  test('a state works once and in one browser: a missing, reused, foreign or expired state is refused', async () => {
    const begun = await begin()
    const url = await provider.visit(locationOf(begun).href, 'bea')
    const cookie = extractCookieHeader(begun)
    const other = extractCookieHeader(await begin())
    const without = new URL(url)
    without.searchParams.delete('state')
    const changed = new URL(url)
    changed.searchParams.set('state', 'x'.repeat(43))
    for (const [address, who] of [
      [without, cookie],
      [changed, cookie],
      [url, ''],
      [url, other],
    ] as const) {
      expect((await backWith(address, who)).body).toMatchObject({
        code: 400,
        type: 'user_oauth2_bad_request',
      })
    }
    const elsewhere = await get(`${url.pathname.replace('/oidc/', '/away/')}${url.search}`, { cookie })
    expect(elsewhere.status).toBe(400)

    expect((await backWith(url, cookie)).status).toBe(302)
    expect((await backWith(url, cookie)).status).toBe(400)

    const late = await begin()
    const lateUrl = await provider.visit(locationOf(late).href, 'bea')
    await w.database.pool.query(
      "update oauth_attempts set expires_at = clock_timestamp() - interval '1 second'",
    )
    expect((await backWith(lateUrl, extractCookieHeader(late))).status).toBe(400)
  })

  test('a forged or used code, or the code of another browser, leads to the failure page', async () => {
    const first = await begin()
    const spent = await provider.visit(locationOf(first).href, 'bea')
    expect(sessionIn(await backWith(spent, extractCookieHeader(first)))).not.toBe('')
    const anothers = await provider.visit(locationOf(await begin()).href, 'bea')
    const codes = ['forged', spent.searchParams.get('code'), anothers.searchParams.get('code')]
    for (const code of codes) {
      const begun = await begin({ failure: 'https://app.example/no' })
      const url = await provider.visit(locationOf(begun).href, 'bea')
      url.searchParams.set('code', code ?? '')
      const back = await backWith(url, extractCookieHeader(begun))
      expect(locationOf(back).href).toMatch(/^https:\/\/app\.example\/no\?error=/)
      expect(errorIn(back)).toMatchObject({ type: 'user_oauth2_unauthorized', code: 401 })
      expect(sessionIn(back)).toBe('')
    }
  })

  test('the redirect address sent to the provider comes from the settings, not from the request', async () => {
    const query = new URLSearchParams({ project: 'juntas', redirect_uri: 'https://evil.example/' })
    const begun = await get(`/v1/account/sessions/oauth2/oidc?${query}`, {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
    })
    expect(locationOf(begun).searchParams.get('redirect_uri')).toBe(callback)
  })

  test('a refusal at the provider leads to the failure page', async () => {
    const begun = await begin()
    const denied = new URL(callback)
    const state = locationOf(begun).searchParams.get('state') ?? ''
    denied.search = String(new URLSearchParams({ error: 'access_denied', state, iss: provider.issuer }))
    const back = await backWith(denied, extractCookieHeader(begun))
    expect(errorIn(back)).toMatchObject({ type: 'user_oauth2_unauthorized' })
  })
})

describe('S06 the pages that a provider sign-in may redirect to', () => {
  test.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'https://app.example@evil.example',
    'javascript:alert(1)',
    '%09//evil.example',
    'http://app.example/',
    'https://app.example:444/',
  ])('a provider sign-in never redirects to %s', async (page) => {
    for (const parameter of ['success', 'failure']) {
      const answer = await begin({ [parameter]: page })
      expect(answer).toMatchObject({ status: 400, body: { field: parameter } })
      expect(answer.headers).not.toHaveProperty('location')
    }
  })

  test('an unconfigured provider redirects to the failure page, and an unknown provider is answered with 400', async () => {
    const off = await get('/v1/account/sessions/oauth2/google?project=juntas')
    expect(errorIn(off)).toMatchObject({ type: 'project_provider_disabled', code: 412 })
    const unknown = await get('/v1/account/sessions/oauth2/nobody')
    expect(unknown.body).toMatchObject({ code: 400, field: 'provider' })
    const away = await get('/v1/account/sessions/oauth2/away')
    expect(errorIn(away)).toMatchObject({ type: 'user_oauth2_provider_error', code: 424 })
  })
})

test.each([
  ['INV-06 with invitations only', false, 'user_invite_required'],
  ['APR-03 where an operator approves', true, 'application_required'],
] as const)(
  "%s, a provider's new user is refused and an existing member signs in",
  async (_where, approves, type) => {
    await w.database.pool.query(
      "insert into community (registration, takes_applications) values ('invite', $1)",
      [approves],
    )
    try {
      for (const kind of ['sessions', 'tokens'])
        expect(errorIn(await signInAs('fay', {}, kind))).toMatchObject({
          code: 403,
          type,
        })
      const { rows } = await w.database.pool.query('select from accounts where email = $1', [emails.fay])
      expect(rows).toHaveLength(0)
      expect(sessionIn(await signInAs('bea'))).not.toBe('')
    } finally {
      await w.database.pool.query('delete from community')
    }
  },
)
