import type { Models } from 'appwrite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MemberClient } from '#api-client/member-client.ts'
import { signInOperation, signUpOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { getCommunityOperation, setUpCommunityOperation } from '#contract/community/community.ts'
import { createInvitationOperation } from '#contract/community/invitations.ts'
import { loadNewestSdk, loadSdk, type SdkWindow } from '#tests/appwrite/sdk/load-sdk.ts'
import { fetchCodeSentTo, fetchSentLinkSecret } from '#tests/support/sent-messages.ts'
import { createTestWorld, type TestWorld, testPassword } from '#tests/support/world.ts'
import { issueCommunitySetupPath } from './setup-link.ts'

let strangers = 0
const stranger = () => {
  strangers += 1
  const username = `forastera${strangers}`
  return { name: 'Forastera', username, email: `${username}@juntas.test`, password: testPassword }
}

async function createClosedWorld(registration: string) {
  const w = await createTestWorld({
    REGISTRATION: registration,
    CONTACT: 'Colectiva Barro',
    LIMITS: 'off',
  })
  const secret = (await issueCommunitySetupPath(w.database.kysely))?.split('/').at(-1) ?? ''
  const account = stranger()
  await w.visitor.call(setUpCommunityOperation, {
    secret,
    community: { name: 'Juntas', registration: 'open', rules: [], contact: '' },
    account,
  })
  const session = await w.visitor.ask(signInOperation, account)
  return { w, cookie: session.headers['set-cookie']?.split(';')[0] ?? '', account }
}

const countAccounts = async (w: TestWorld): Promise<number> =>
  (await w.database.pool.query('select count(*)::int as count from accounts')).rows[0].count

type Attempt = (w: TestWorld, headers: Record<string, string>) => Promise<{ status: number; body: unknown }>

const post =
  (path: string, body: object): Attempt =>
  (w, headers) =>
    w.visitor.request('POST', path, body, headers)

const ways: Record<string, Attempt> = {
  'POST /v1/members': (w, headers) => w.visitor.request('POST', '/v1/members', stranger(), headers),
  'POST /v1/account': (w, headers) => post('/v1/account', { userId: 'unique()', ...stranger() })(w, headers),
  'an anonymous session': post('/v1/account/sessions/anonymous', {}),
  'a link by email': async (w, headers) => {
    const { email } = stranger()
    await w.visitor.request('POST', '/v1/account/tokens/magic-url', { userId: 'unique()', email })
    return w.visitor.request(
      'PUT',
      '/v1/account/sessions/magic-url',
      await fetchSentLinkSecret(w, email),
      headers,
    )
  },
  'our own link by email': async (w, headers) => {
    const { email } = stranger()
    await w.visitor.request('POST', '/v1/account/tokens/magic-url', { userId: 'unique()', email })
    const { userId, secret } = await fetchSentLinkSecret(w, email)
    return w.visitor.request('POST', '/v1/account/sessions/token', { userId, secret }, headers)
  },
  'a code by email': async (w, headers) => {
    const { email } = stranger()
    const asked = await w.visitor.request<{ userId: string }>('POST', '/v1/account/tokens/email', {
      userId: 'unique()',
      email,
    })
    const body = { userId: asked.body.userId, secret: await fetchCodeSentTo(w, email) }
    return w.visitor.request('POST', '/v1/account/sessions/token', body, headers)
  },
  'a code by phone': async (w, headers) => {
    strangers += 1
    const phone = `+3460000${String(1000 + strangers)}`
    const asked = await w.visitor.request<{ userId: string }>('POST', '/v1/account/tokens/phone', {
      userId: 'unique()',
      phone,
    })
    const body = { userId: asked.body.userId, secret: await fetchCodeSentTo(w, phone) }
    return w.visitor.request('PUT', '/v1/account/sessions/phone', body, headers)
  },
}

describe('a community in invitation mode', () => {
  let w: TestWorld
  let host: Pick<MemberClient, 'request'>
  let account: ReturnType<typeof stranger>
  beforeAll(async () => {
    const closed = await createClosedWorld('invite')
    w = closed.w
    account = closed.account
    host = {
      request: (method, path, body, headers) =>
        w.visitor.request(method, path, body, { cookie: closed.cookie, ...headers }),
    }
  })
  afterAll(() => w.end())

  const inviteCode = async () =>
    (
      await host.request<{ code: string }>(
        createInvitationOperation.method,
        `/v1${createInvitationOperation.path}`,
        {},
      )
    ).body.code

  test.each(Object.keys(ways))(
    'INV-06 in invitation mode, %s creates an account only with an invitation',
    async (way) => {
      const attempt = ways[way] as Attempt
      const before = await countAccounts(w)
      const refused = await attempt(w, {})
      expect(refused).toMatchObject({
        status: 403,
        body: { type: 'user_invite_required', message: 'Aquí se entra con invitación.' },
      })
      expect(await attempt(w, { 'x-juntas-invite': 'no such code' })).toMatchObject({ status: 410 })
      expect(await countAccounts(w)).toBe(before)
      const invite = await inviteCode()
      expect((await attempt(w, { 'x-juntas-invite': invite })).status).toBeLessThan(300)
      expect(await attempt(w, { 'x-juntas-invite': invite })).toMatchObject({ status: 410 })
      expect(await countAccounts(w)).toBe(before + 1)
    },
  )

  test('INV-06 in invitation mode, sign-up does not reveal whether an address has an account', async () => {
    const known = { ...stranger(), email: account.email }
    for (const invite of [undefined, 'no such code']) {
      const [taken, free] = [
        await w.visitor.refusal(signUpOperation, { ...known, invite }),
        await w.visitor.refusal(signUpOperation, { ...stranger(), invite }),
      ]
      expect(taken).toEqual(free)
    }
  })

  test('INV-06 in invitation mode, existing members sign in by password and by link', async () => {
    expect((await w.visitor.ask(signInOperation, account)).status).toBe(201)
    await w.visitor.request('POST', '/v1/account/tokens/magic-url', {
      userId: 'unique()',
      email: account.email,
    })
    const link = await fetchSentLinkSecret(w, account.email)
    expect((await w.visitor.request('PUT', '/v1/account/sessions/magic-url', link)).status).toBe(201)
  })

  test('INV-06 in invitation mode, both SDK generations receive 403', async () => {
    await w.app.listen({ port: 0, host: '127.0.0.1' })
    const address = w.app.server.address()
    const endpoint = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/v1`
    const refusal = { code: 403, type: 'user_invite_required' }
    const { email, password } = stranger()
    const window = { fetch, FormData, setTimeout, console } as SdkWindow
    const sdk = loadSdk(window)
    const old = new sdk.Account(new sdk.Client().setEndpoint(endpoint).setProject('juntas'))
    await expect(
      old.create('unique()', email, password) as Promise<Models.User<Models.Preferences>>,
    ).rejects.toMatchObject(refusal)
    await expect(old.createAnonymousSession()).rejects.toMatchObject(refusal)
    const newestSdk = loadNewestSdk(window)
    const newest = new newestSdk.Account(new newestSdk.Client().setEndpoint(endpoint).setProject('juntas'))
    await expect(newest.create({ userId: 'unique()', email, password })).rejects.toMatchObject(refusal)
    await expect(newest.createAnonymousSession()).rejects.toMatchObject(refusal)
  })
})

describe('a community where an operator approves members', () => {
  let w: TestWorld
  beforeAll(async () => {
    w = (await createClosedWorld('approval')).w
  })
  afterAll(() => w.end())

  test.each(Object.keys(ways))(
    'APR-03 in approval mode, %s creates no account and asks the visitor to apply',
    async (way) => {
      const before = await countAccounts(w)
      expect(await (ways[way] as Attempt)(w, {})).toMatchObject({
        status: 403,
        body: { type: 'application_required', message: 'Para unirte, envía una solicitud.' },
      })
      expect(await (ways[way] as Attempt)(w, { 'x-juntas-invite': 'no such code' })).toMatchObject({
        status: 410,
      })
      expect(await countAccounts(w)).toBe(before)
    },
  )
})

describe('a closed community', () => {
  let w: TestWorld
  beforeAll(async () => {
    w = (await createClosedWorld('closed')).w
  })
  afterAll(() => w.end())

  test.each(Object.keys(ways))(
    'INV-07 in a closed community, %s creates no account, even with an invitation',
    async (way) => {
      const before = await countAccounts(w)
      expect(await (ways[way] as Attempt)(w, { 'x-juntas-invite': 'a code' })).toMatchObject({
        status: 403,
        body: { type: 'registration_closed', message: 'Este lugar no admite cuentas nuevas.' },
      })
      expect(await countAccounts(w)).toBe(before)
    },
  )

  test('INV-07 a closed community shows visitors its state and contact', async () => {
    expect(await w.visitor.call(getCommunityOperation, {})).toMatchObject({
      registration: 'closed',
      contact: 'Colectiva Barro',
    })
  })
})
