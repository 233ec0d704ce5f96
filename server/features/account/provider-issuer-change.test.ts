/** Tests what happens to connected accounts when the operator changes a provider's issuer or removes the provider. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type ApiClient, createApiClient } from '#api-client/member-client.ts'
import * as settings from '#contract/account/account-settings.ts'
import * as contract from '#contract/account/provider-sign-in.ts'
import { type FakeOAuthProvider, startFakeOAuthProvider } from '#tests/doubles/oauth-provider.ts'
import { startSecondServerNode } from '#tests/support/second-node.ts'
import { extractCookieHeader } from '#tests/support/sent-messages.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

const callback = 'http://localhost:3000/v1/sign-in-providers/casa/callback'
/** Neither provider has verified an address. */
const emails = { lena: 'lena@proveedora.test?', mara: 'mara@proveedora.test?' }
const unknown = '/sign-in?problem=user_oauth2_email_missing'

const configure = ({ issuer }: FakeOAuthProvider) => ({
  OAUTH_CASA_ID: 'juntas-at-the-provider',
  OAUTH_CASA_SECRET: 'a secret between the two',
  OAUTH_CASA_ISSUER: issuer,
})

let before: FakeOAuthProvider
let after: FakeOAuthProvider
let w: TestWorld
beforeAll(async () => {
  // This hides the provider's production warnings.
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.spyOn(console, 'info').mockImplementation(() => {})
  before = await startFakeOAuthProvider(callback, emails)
  after = await startFakeOAuthProvider(callback, emails)
  w = await createTestWorld(configure(before))
})
afterAll(async () => {
  await w.end()
  await before.stop()
  await after.stop()
})

/** Restarts with other settings, as an operator does: the database stays the same. */
async function withSettings<T>(
  env: Record<string, string>,
  work: (visitor: ApiClient) => Promise<T>,
): Promise<T> {
  const node = await startSecondServerNode(w.database, env)
  try {
    return await work(createApiClient(node.app, ''))
  } finally {
    await node.end()
  }
}

/** @returns where the browser ends up, and the account that it opened */
async function signIn(visitor: ApiClient, provider: FakeOAuthProvider, login: string) {
  const begun = await visitor.ask(contract.beginProviderSignInOperation, { provider: 'casa' })
  const url = await provider.visit((begun.body as { url: string }).url, login)
  const back = await visitor.request('GET', `${url.pathname}${url.search}`, undefined, {
    cookie: extractCookieHeader(begun),
  })
  const cookie = /a_session_\w+=[^;]+/.exec(extractCookieHeader(back))?.[0] ?? ''
  const me = await visitor.request<{ accountId?: string }>('GET', '/v1/me', undefined, { cookie })
  return { location: back.headers.location, accountId: me.body.accountId }
}

async function connect(member: MemberClient, visitor: ApiClient, provider: FakeOAuthProvider, login: string) {
  const begun = await visitor.request<{ url: string }>(
    'POST',
    '/v1/me/identities',
    { provider: 'casa' },
    { cookie: member.cookie },
  )
  const url = await provider.visit(begun.body.url, login)
  const cookie = `${extractCookieHeader(begun)}; ${member.cookie}`
  return (await visitor.request('GET', `${url.pathname}${url.search}`, undefined, { cookie })).headers
    .location
}

test("OIDC-12 after a change of issuer, the new issuer's lena neither opens the account of the old issuer's lena nor keeps her from connecting again", async () => {
  const lena = await w.join('Lena')
  const mara = await w.join('Mara')
  const connected = '/settings/account?connected=casa'
  expect(await connect(lena, w.visitor, before, 'lena')).toBe(connected)
  await withSettings(configure(after), async (visitor) => {
    expect(await signIn(visitor, after, 'lena')).toEqual({ location: unknown, accountId: undefined })
    expect(await connect(mara, visitor, after, 'lena')).toBe(connected)
    expect(await signIn(visitor, after, 'lena')).toMatchObject({ accountId: mara.accountId })
    expect(await connect(lena, visitor, after, 'mara')).toBe(connected)
    expect(await signIn(visitor, after, 'mara')).toMatchObject({ accountId: lena.accountId })
    const { body } = await visitor.request<{ identities: unknown }>('GET', '/v1/me/settings', undefined, {
      cookie: lena.cookie,
    })
    expect(body.identities).toMatchObject([{ usable: false }, { usable: true }])
  })
  expect(await signIn(w.visitor, before, 'lena')).toMatchObject({ accountId: lena.accountId })
})

test('OIDC-13 connected accounts without a stored issuer receive the configured one at the next start', async () => {
  const nora = await w.join('Nora')
  const insert = (provider: string, subject: string) =>
    w.database.pool.query(
      `insert into identities (public_id, account_id, provider, provider_uid)
       select $2 || a.id, a.id, $2, $3 from accounts a where a.public_id = $1`,
      [nora.accountId, provider, subject],
    )
  await insert('casa', 'nora')
  await insert('former', 'nora')
  expect(await signIn(w.visitor, before, 'nora')).toMatchObject({ location: unknown })
  await withSettings(configure(before), async (visitor) => {
    expect(await signIn(visitor, before, 'nora')).toMatchObject({ accountId: nora.accountId })
  })
  await withSettings(configure(after), async (visitor) => {
    expect(await signIn(visitor, after, 'nora')).toMatchObject({ location: unknown })
  })
  const { rows } = await w.database.pool.query(
    'select provider, issuer from identities where provider_uid = $1 order by provider',
    ['nora'],
  )
  expect(rows).toEqual([
    { provider: 'casa', issuer: `${before.issuer}/` },
    { provider: 'former', issuer: '' },
  ])
  expect((await nora.call(settings.getAccountSettingsOperation, {})).identities).toMatchObject([
    { provider: 'casa', usable: true },
    { provider: 'former', usable: false },
  ])
})
