/** Uses a real OpenID Connect provider on loopback. */
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ApiResponse } from '#api-client/member-client.ts'
import * as settings from '#contract/account/account-settings.ts'
import { providerProblems } from '#contract/account/provider-problems.ts'
import * as contract from '#contract/account/provider-sign-in.ts'
import { createInvitationOperation } from '#contract/community/invitations.ts'
import { translateSentence } from '#contract/language.ts'
import { type FakeOAuthProvider, startFakeOAuthProvider } from '#tests/doubles/oauth-provider.ts'
import { raceTimeoutMs, runRaceRounds } from '#tests/support/run-race-rounds.ts'
import { extractCookieHeader, fetchSentMessagesTo } from '#tests/support/sent-messages.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

const callback = 'http://localhost:3000/v1/sign-in-providers/casa/callback'
/** Logins that are not listed have no email. A `?` marks an unverified email. */
const emails: Record<string, string> = {
  ana: 'ana@proveedora.test',
  bea: 'bea@proveedora.test',
  dora: 'dora@proveedora.test?',
  eva: 'eva@proveedora.test',
  fay: 'fay@proveedora.test',
  gala: 'gala@proveedora.test',
  hana: 'hana@proveedora.test',
}

let provider: FakeOAuthProvider
let w: TestWorld
beforeAll(async () => {
  // This hides the provider's production warnings.
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.spyOn(console, 'info').mockImplementation(() => {})
  provider = await startFakeOAuthProvider(callback, emails)
  w = await createTestWorld({
    TRUSTED_PROXIES: 'loopback',
    OAUTH_CASA_ID: 'juntas-at-the-provider',
    OAUTH_CASA_SECRET: 'a secret between the two',
    OAUTH_CASA_ISSUER: provider.issuer,
    OAUTH_CASA_LABEL: 'La Casa',
    OAUTH_AWAY_ID: 'x',
    OAUTH_AWAY_SECRET: 'y',
    OAUTH_AWAY_ISSUER: 'http://127.0.0.1:9',
  })
})
afterAll(async () => {
  await w.end()
  await provider.stop()
})

const sql = async (text: string, values: unknown[] = []) => (await w.database.pool.query(text, values)).rows
const get = (path: string, cookie = '') =>
  w.visitor.request<Record<string, unknown>>('GET', path, undefined, { cookie })
const begin = (invite?: string) =>
  w.visitor.ask(contract.beginProviderSignInOperation, { provider: 'casa', ...(invite && { invite }) })
const urlOf = (begun: ApiResponse) => (begun.body as { url: string }).url
const comeBack = (url: URL, ...cookies: string[]) => get(`${url.pathname}${url.search}`, cookies.join('; '))
const sessionIn = (answer: ApiResponse) => /a_session_\w+=[^;]+/.exec(extractCookieHeader(answer))?.[0] ?? ''
const problem = (type: string, page = '/sign-in') => `${page}?problem=${type}`

async function signInAs(login: string, invite?: string) {
  const begun = await begin(invite)
  return comeBack(await provider.visit(urlOf(begun), login), extractCookieHeader(begun))
}

const beginConnecting = (who: MemberClient) =>
  who.ask(contract.connectIdentityOperation, { provider: 'casa' })

/** @param as the session cookie at the callback, if it is not the member's own */
async function connectAs(who: MemberClient, login: string, as = who.cookie) {
  const begun = await beginConnecting(who)
  return comeBack(await provider.visit(urlOf(begun), login), extractCookieHeader(begun), as)
}

describe('signing in with a provider', () => {
  test('OIDC-01 visitors see only the names of the sign-in providers', async () => {
    expect((await get('/v1/sign-in-providers')).body).toEqual({
      documents: [
        { name: 'away', label: 'Away' },
        { name: 'casa', label: 'La Casa' },
      ],
    })
  })

  test('OIDC-02 a new member signs up with PKCE, state and nonce, and returns signed in at Home', async () => {
    const begun = await begin()
    const there = new URL(urlOf(begun))
    expect(there.origin).toBe(provider.issuer)
    expect(Object.fromEntries(there.searchParams)).toMatchObject({
      redirect_uri: callback,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
    const back = await comeBack(await provider.visit(there.href, 'bea'), extractCookieHeader(begun))
    expect(back).toMatchObject({ status: 302, headers: { location: '/', 'cache-control': 'no-store' } })
    // Her page requests the feed before the request for her profile is answered.
    expect((await get('/v1/feed', sessionIn(back))).status).toBe(200)
    expect((await get('/v1/me', sessionIn(back))).body).toMatchObject({ name: 'bea Pérez' })
    const again = await signInAs('bea')
    expect((await get('/v1/me', sessionIn(again))).body.accountId).toBe(
      (await get('/v1/me', sessionIn(back))).body.accountId,
    )
  })

  test("OIDC-03 the provider's callback works once, within ten minutes, only in the same browser and only on the web", async () => {
    const begun = await begin()
    const url = await provider.visit(urlOf(begun), 'bea')
    const cookie = extractCookieHeader(begun)
    const over = problem('user_oauth2_bad_request')
    const without = new URL(url)
    without.searchParams.delete('state')
    const doubled = new URL(url)
    doubled.searchParams.append('state', 'x')
    for (const [address, who] of [
      [without, cookie],
      [doubled, cookie],
      [url, ''],
      [url, extractCookieHeader(await begin())],
    ] as const)
      expect((await comeBack(address, who)).headers.location).toBe(over)
    const atAppwrite = `/v1/account/sessions/oauth2/callback/casa/juntas${url.search}`
    expect((await get(atAppwrite, cookie)).body).toMatchObject({ type: 'user_oauth2_bad_request' })
    expect((await comeBack(url, cookie)).headers.location).toBe('/')
    expect((await comeBack(url, cookie)).headers.location).toBe(over)
    const late = await begin()
    const lateUrl = await provider.visit(urlOf(late), 'bea')
    await sql("update oauth_attempts set expires_at = clock_timestamp() - interval '1 second'")
    expect((await comeBack(lateUrl, extractCookieHeader(late))).headers.location).toBe(over)
  })

  test('OIDC-04 cancelling, a forged code and an unverified address each lead to their own error', async () => {
    const begun = await begin()
    const cancelled = await provider.cancel(urlOf(begun))
    expect((await comeBack(cancelled, extractCookieHeader(begun))).headers.location).toBe(
      problem('user_oauth2_denied'),
    )
    const again = await begin()
    const forged = await provider.visit(urlOf(again), 'bea')
    forged.searchParams.set('code', 'forged')
    const refused = await comeBack(forged, extractCookieHeader(again))
    expect(refused.headers.location).toBe(problem('user_oauth2_unauthorized'))
    expect(sessionIn(refused)).toBe('')
    expect((await signInAs('dora')).headers.location).toBe(problem('user_oauth2_email_missing'))
    expect(await sql("select from accounts where email like 'dora@%'")).toEqual([])
  })

  test('OIDC-04 an unknown or unresponsive provider is refused before the browser leaves Juntas', async () => {
    const ask = (provider: string) => w.visitor.ask(contract.beginProviderSignInOperation, { provider })
    expect(await ask('nobody')).toMatchObject({ status: 412, body: { type: 'project_provider_disabled' } })
    expect(await ask('away')).toMatchObject({ status: 424, body: { type: 'user_oauth2_provider_error' } })
    expect(await ask('x'.repeat(65))).toMatchObject({ status: 400, body: { field: 'provider' } })
    expect((await get('/v1/sign-in-providers/nobody/callback?state=x')).headers.location).toBe(
      problem('user_oauth2_bad_request'),
    )
  })

  test('OIDC-04 each provider error has a sentence in Spanish and in English', () => {
    for (const sentence of Object.values(providerProblems))
      expect(translateSentence(sentence, 'en')).not.toBe(translateSentence(sentence, 'es'))
  })

  test('OIDC-05 a provider sign-in opens an account with the same address only if that account has verified it', async () => {
    const ana = await w.join('Ana')
    await sql('update accounts set email = $1 where public_id = $2', [emails.ana, ana.accountId])
    expect((await signInAs('ana')).headers.location).toBe(problem('user_email_already_exists'))
    await sql('update accounts set email_verified = true where public_id = $1', [ana.accountId])
    const back = await signInAs('ana')
    expect((await get('/v1/me', sessionIn(back))).body).toMatchObject({ accountId: ana.accountId })
    expect((await fetchSentMessagesTo(w, emails.ana ?? '')).map(({ kind }) => kind)).toContain(
      'identity-added',
    )
    const { documents } = await ana.call(settings.listSecurityEventsOperation, {})
    expect(documents.map(({ event }) => event)).toContain('identity.create')
  })

  test('OIDC-06 with two-factor authentication on, signing in with a provider is only the first step', async () => {
    const gala = await w.join('Gala')
    await sql('update accounts set email = $1, email_verified = true where public_id = $2', [
      emails.gala,
      gala.accountId,
    ])
    const { secret } = await gala.call(settings.beginAuthenticatorOperation, {})
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    await gala.call(settings.turnOnTwoFactorOperation, { code: totp.generate() })
    await sql('update totp_secrets set last_step = 0')
    const cookie = sessionIn(await signInAs('gala'))
    expect((await get('/v1/me', cookie)).body).toMatchObject({ type: 'user_more_factors_required' })
    const code = { factor: 'totp', code: totp.generate() }
    const whole = await w.visitor.request('PUT', '/v1/sessions/current/second-step', code, { cookie })
    expect(whole.status).toBe(200)
    expect((await get('/v1/me', sessionIn(whole))).body).toMatchObject({ accountId: gala.accountId })
  })

  test('OIDC-07 INV-06 in invitation mode, an invitation admits one person who signs up with a provider', async () => {
    const inviter = await w.join('Iris')
    const { code } = await inviter.call(createInvitationOperation, {})
    await sql(
      "insert into community (registration) values ('invite') on conflict (only_row) do update set registration = 'invite'",
    )
    try {
      expect((await signInAs('fay')).headers.location).toBe(problem('user_invite_required'))
      expect((await signInAs('fay', 'no such code')).headers.location).toBe(problem('invitation_over'))
      expect(sessionIn(await signInAs('fay', code ?? ''))).not.toBe('')
      expect((await signInAs('hana', code ?? '')).headers.location).toBe(problem('invitation_over'))
      expect(sessionIn(await signInAs('fay'))).not.toBe('')
      await sql('update community set takes_applications = true')
      expect((await signInAs('hana')).headers.location).toBe(problem('application_required'))
      await sql("update community set registration = 'closed'")
      expect((await signInAs('hana')).headers.location).toBe(problem('registration_closed'))
      expect(await sql('select from accounts where email = $1', [emails.hana])).toEqual([])
    } finally {
      await sql("update community set registration = 'open'")
    }
  })

  test('OIDC-08 signing in with a provider reopens a closed account and reports a suspension', async () => {
    const cookie = sessionIn(await signInAs('eva'))
    await get('/v1/me', cookie)
    expect((await w.visitor.request('POST', '/v1/me/closing', {}, { cookie })).status).toBe(204)
    expect(sessionIn(await signInAs('eva'))).not.toBe('')
    await sql("update accounts set status = 'blocked' where email = $1", [emails.eva])
    expect((await signInAs('eva')).headers.location).toBe(problem('user_blocked'))
    await sql("update accounts set status = 'active' where email = $1", [emails.eva])
  })
})

describe('connecting a provider', () => {
  const account = '/settings/account'

  test('OIDC-09 lena connects a provider account with another address, receives an email, and signs in with it', async () => {
    const lena = await w.join('Lena')
    expect((await connectAs(lena, 'dora')).headers.location).toBe(`${account}?connected=casa`)
    expect((await connectAs(lena, 'dora')).headers.location).toBe(`${account}?connected=casa`)
    const { identities, providers } = await lena.call(settings.getAccountSettingsOperation, {})
    expect(identities).toMatchObject([{ provider: 'casa', email: '' }])
    expect(providers).toContainEqual({ name: 'casa', label: 'La Casa' })
    expect((await fetchSentMessagesTo(w, lena.email)).map(({ kind }) => kind)).toEqual(['identity-added'])
    expect((await get('/v1/me', sessionIn(await signInAs('dora')))).body).toMatchObject({
      accountId: lena.accountId,
    })
    await lena.call(contract.disconnectIdentityOperation, { identityId: identities[0]?.$id ?? '' })
    expect((await signInAs('dora')).headers.location).toBe(problem('user_oauth2_email_missing'))
  })

  test('OIDC-09 connecting a provider needs re-authentication', async () => {
    const mara = await w.join('Mara')
    await sql("update sessions set proved_at = proved_at - interval '16 minutes'")
    expect(await beginConnecting(mara)).toMatchObject({
      status: 401,
      body: { type: 'user_challenge_required' },
    })
    expect(await w.visitor.ask(contract.connectIdentityOperation, { provider: 'casa' })).toMatchObject({
      status: 401,
    })
  })

  test("OIDC-10 nora cannot connect a provider in olga's session, without a live session, or if another member uses it", async () => {
    const [nora, olga] = [await w.join('Nora'), await w.join('Olga')]
    const refused = problem('user_oauth2_bad_request', account)
    expect((await connectAs(nora, 'hana', olga.cookie)).headers.location).toBe(refused)
    expect((await connectAs(nora, 'hana', '')).headers.location).toBe(refused)
    const begun = await beginConnecting(nora)
    const url = await provider.visit(urlOf(begun), 'hana')
    await sql('delete from sessions where account_id = (select id from accounts where public_id = $1)', [
      nora.accountId,
    ])
    expect((await comeBack(url, extractCookieHeader(begun), nora.cookie)).headers.location).toBe(refused)
    expect((await connectAs(olga, 'bea')).headers.location).toBe(problem('user_identity_taken', account))
    expect(await sql("select from identities where provider_uid = 'hana'")).toEqual([])
  })

  test('OIDC-10 only one of two members who connect the same provider account concurrently succeeds', {
    timeout: raceTimeoutMs,
  }, async () => {
    await runRaceRounds(
      w.database,
      async () => {
        await sql("delete from identities where provider_uid = 'hana'")
        const two = [await w.join('Pia'), await w.join('Quena')]
        return Promise.all(
          two.map(async (each) => {
            const begun = await beginConnecting(each)
            const url = await provider.visit(urlOf(begun), 'hana')
            return () => comeBack(url, extractCookieHeader(begun), each.cookie)
          }),
        )
      },
      (answers) =>
        expect(answers.map(({ headers }) => headers.location).sort()).toEqual([
          `${account}?connected=casa`,
          problem('user_identity_taken', account),
        ]),
    )
  })
})

test('OIDC-11 provider callbacks are rate limited, and the browser shows the limit on a page', async () => {
  const far = { 'x-forwarded-for': '203.0.113.1' }
  const answers = []
  for (let call = 0; call < 26; call += 1)
    answers.push(
      await w.visitor.request('GET', '/v1/sign-in-providers/casa/callback?state=x', undefined, far),
    )
  expect(answers.at(24)?.headers.location).toBe(problem('user_oauth2_bad_request'))
  expect(answers.at(25)?.headers.location).toBe(problem('general_rate_limit_exceeded'))
})
