import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as settings from '#contract/account/account-settings.ts'
import { disconnectIdentityOperation } from '#contract/account/provider-sign-in.ts'
import { countResponsesByStatus, raceTimeoutMs, runRaceRounds } from '#tests/support/run-race-rounds.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

const gitlabIssuer = 'https://gitlab.com/'
const configured = Object.fromEntries(
  ['GOOGLE', 'GITLAB'].flatMap((name) => [
    [`OAUTH_${name}_ID`, 'juntas'],
    [`OAUTH_${name}_SECRET`, 'a secret between the two'],
  ]),
)

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld(configured)
})
afterAll(() => w.end())

describe('connected sign-in providers', () => {
  const issuers: Record<string, string> = { google: 'https://accounts.google.com/', gitlab: gitlabIssuer }
  const connect = async ({ accountId }: MemberClient, provider: string, issuer = issuers[provider]) =>
    w.database.pool.query(
      `insert into identities (public_id, account_id, provider, issuer, provider_uid, provider_email)
       select $2 || a.id, a.id, $2, $3, a.public_id, 'hana@proveedora.test' from accounts a where a.public_id = $1`,
      [accountId, provider, issuer],
    )
  const forgetPassword = ({ accountId }: MemberClient) =>
    w.database.pool.query('update accounts set password_hash = null where public_id = $1', [accountId])

  test("SET-11 SET-12 a member lists and disconnects providers through both APIs, but not her last sign-in method or another member's provider", async () => {
    const [hana, iris] = [await w.join('Hana'), await w.join('Iris')]
    for (const provider of ['google', 'gitlab']) await connect(hana, provider)
    await forgetPassword(hana)
    const { identities } = await hana.call(settings.getAccountSettingsOperation, {})
    expect(identities).toMatchObject([
      { provider: 'google', email: 'hana@proveedora.test' },
      { provider: 'gitlab' },
    ])
    const [google = '', gitlab = ''] = identities.map(({ $id }) => $id)
    expect((await iris.ask(disconnectIdentityOperation, { identityId: google })).status).toBe(204)
    for (const status of [204, 204])
      expect((await hana.ask(disconnectIdentityOperation, { identityId: google })).status).toBe(status)
    const last = { status: 409, body: { type: 'user_last_way_in' } }
    expect(await hana.ask(disconnectIdentityOperation, { identityId: gitlab })).toMatchObject(last)
    expect(await hana.request('DELETE', `/v1/account/identities/${gitlab}`)).toMatchObject(last)
    expect((await hana.call(settings.getAccountSettingsOperation, {})).identities).toMatchObject([
      { provider: 'gitlab' },
    ])
  })

  test('SET-11 a provider that is not configured, or not with the same issuer, does not count as a sign-in method', async () => {
    for (const [provider, issuer] of [
      ['former', 'https://former.test/'],
      ['gitlab', 'https://gitlab.example/'],
    ] as const) {
      const kira = await w.join('Kira')
      await connect(kira, 'google')
      await connect(kira, provider, issuer)
      await forgetPassword(kira)
      const { identities } = await kira.call(settings.getAccountSettingsOperation, {})
      const [google = '', other = ''] = identities.map(({ $id }) => $id)
      expect(await kira.ask(disconnectIdentityOperation, { identityId: google })).toMatchObject({
        status: 409,
        body: { type: 'user_last_way_in' },
      })
      expect((await kira.ask(disconnectIdentityOperation, { identityId: other })).status).toBe(204)
    }
  })

  test('SET-11 on a server that sends no email and no text messages, verified addresses do not count as sign-in methods', async () => {
    const silent = await createTestWorld({
      ...configured,
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://juntas.example',
    })
    await silent.database.pool.query(
      `insert into community (registration, set_up_at) values ('open', now())
       on conflict (only_row) do update set registration = 'open', set_up_at = now()`,
    )
    const results = []
    try {
      for (const world of [silent, w]) {
        const kira = await world.join('Kira')
        await world.database.pool.query(
          `insert into identities (public_id, account_id, provider, issuer, provider_uid)
           select 'kira-identity', id, 'google', $2, 'kira' from accounts where public_id = $1`,
          [kira.accountId, issuers.google],
        )
        await world.database.pool.query(
          `update accounts set email_verified = true, phone = '+34600111222', phone_verified = true, password_hash = null
           where public_id = $1`,
          [kira.accountId],
        )
        results.push((await kira.ask(disconnectIdentityOperation, { identityId: 'kira-identity' })).status)
      }
    } finally {
      await silent.end()
    }
    expect(results).toEqual([409, 204])
  })

  test('SET-16 hana must re-authenticate to disconnect a provider, through both APIs', async () => {
    const hana = await w.join('Hana')
    for (const provider of ['google', 'gitlab']) await connect(hana, provider)
    const { identities } = await hana.call(settings.getAccountSettingsOperation, {})
    const [google = '', gitlab = ''] = identities.map(({ $id }) => $id)
    await w.database.pool.query("update sessions set proved_at = proved_at - interval '16 minutes'")
    const refused = { status: 401, body: { type: 'user_challenge_required' } }
    expect(await hana.ask(disconnectIdentityOperation, { identityId: google })).toMatchObject(refused)
    expect(await hana.request('DELETE', `/v1/account/identities/${gitlab}`)).toMatchObject(refused)
    expect((await hana.call(settings.getAccountSettingsOperation, {})).identities).toHaveLength(2)
    await hana.call(settings.reauthenticateOperation, { password: testPassword })
    expect((await hana.ask(disconnectIdentityOperation, { identityId: google })).status).toBe(204)
    expect((await hana.request('DELETE', `/v1/account/identities/${gitlab}`)).status).toBe(204)
  })

  test('SET-11 one of two concurrent requests to disconnect the last two providers is refused', {
    timeout: raceTimeoutMs,
  }, async () => {
    await runRaceRounds(
      w.database,
      async () => {
        const juana = await w.join('Juana')
        for (const provider of ['google', 'gitlab']) await connect(juana, provider)
        await forgetPassword(juana)
        const { identities } = await juana.call(settings.getAccountSettingsOperation, {})
        return identities.map(
          ({ $id }) =>
            () =>
              juana.ask(disconnectIdentityOperation, { identityId: $id }),
        )
      },
      (answers) => expect(countResponsesByStatus(answers)).toEqual({ 204: 1, 409: 1 }),
    )
  })
})
