import { afterAll, beforeAll, expect, test } from 'vitest'
import { extractCookieHeader, fetchSentLinkSecret } from '#tests/support/sent-messages.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

const query = async <T = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await w.database.pool.query(text, values)).rows

const change = (set: string) => (who: MemberClient) =>
  query(`update accounts set ${set} where public_id = $1`, [who.accountId])
const withoutPassword = change('password_hash = null, password_updated_at = null')
const withVerifiedAddress = change('email_verified = true, email_proven_at = clock_timestamp()')
const asItIs = async () => {}

const usernameOf = ({ email }: MemberClient) => email.split('@')[0]
const newPassword = 'una nueva y bien larga'

const read = async ({ accountId }: MemberClient) =>
  query(
    `select a.email, a.email_verified, a.phone, a.password_hash, a.status, a.reopens_on_sign_in, d.state as deletion,
       (select count(*)::int from tokens t where t.account_id = a.id and t.used_at is null) as letters,
       (select count(*)::int from account_events e where e.account_id = a.id) as events
     from accounts a left join deletions d on d.account_id = a.id where a.public_id = $1`,
    [accountId],
  )

async function endSessionWhile(who: MemberClient, ask: () => Promise<{ status: number }>) {
  const owner = await w.database.pool.connect()
  try {
    await owner.query('begin')
    const { rows } = await owner.query('select id from accounts where public_id = $1 for update', [
      who.accountId,
    ])
    const account = rows[0].id
    await owner.query('select from deletions where account_id = $1 for update', [account])
    const { rows: backends } = await owner.query('select pg_backend_pid() as pid')
    const asked = ask()
    await waitFor(async () =>
      expect(
        await query('select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))', [backends[0].pid]),
      ).toHaveLength(1),
    )
    await owner.query('delete from sessions where account_id = $1', [account])
    await owner.query('commit')
    return await asked
  } finally {
    owner.release()
  }
}

type Ask = (who: MemberClient) => Promise<{ status: number }>

const confirmNewAddress: Ask = async (who) => {
  const { userId, secret } = await fetchSentLinkSecret(w, `nueva-${who.email}`)
  return who.request('PUT', '/v1/email-confirmation', { userId, secret })
}

test.each<[string, (who: MemberClient) => Promise<unknown>, Ask]>([
  [
    'chooses no first password',
    withoutPassword,
    (who) => who.request('PUT', '/v1/me/password', { password: newPassword }),
  ],
  [
    'changes no password',
    asItIs,
    (who) => who.request('PUT', '/v1/me/password', { currentPassword: testPassword, password: newPassword }),
  ],
  [
    'chooses no first password by an Appwrite client',
    withoutPassword,
    (who) => who.request('PATCH', '/v1/account/password', { password: newPassword }),
  ],
  [
    'writes no other address in place of one that nobody has proven',
    asItIs,
    (who) => who.request('POST', '/v1/me/email', { email: `nueva-${who.email}`, password: testPassword }),
  ],
  [
    'asks for no change of one that is proven',
    withVerifiedAddress,
    (who) => who.request('POST', '/v1/me/email', { email: `nueva-${who.email}`, password: testPassword }),
  ],
  [
    'writes no other address by an Appwrite client, nor a password with it',
    withoutPassword,
    (who) => who.request('PATCH', '/v1/account/email', { email: `otra-${who.email}`, password: newPassword }),
  ],
  [
    'confirms no new address',
    async (who) => {
      await withVerifiedAddress(who)
      await who.request('POST', '/v1/me/email', { email: `nueva-${who.email}`, password: testPassword })
    },
    confirmNewAddress,
  ],
  ['closes nothing', asItIs, (who) => who.request('POST', '/v1/me/closing', {})],
  ['closes nothing by an Appwrite client', asItIs, (who) => who.request('PATCH', '/v1/account/status', {})],
  [
    'has nothing deleted',
    asItIs,
    (who) => who.request('POST', '/v1/me/deletion', { username: usernameOf(who), password: testPassword }),
  ],
])(
  'SESS-03 a session that is ended while its request waits for the account row %s',
  async (_, prepare, ask) => {
    const eva = await w.join('Eva')
    await prepare(eva)
    const before = await read(eva)
    expect((await endSessionWhile(eva, () => ask(eva))).status).toBe(401)
    expect(await read(eva)).toEqual(before)
  },
)

test('SESS-03 DEL-08 a session that is ended while its request waits for the account row cannot erase the account early', async () => {
  const eva = await w.join('Eva')
  const given = { username: usernameOf(eva), password: testPassword }
  expect((await eva.request('POST', '/v1/me/deletion', given)).status).toBe(200)
  const signedIn = await w.visitor.request('POST', '/v1/sessions', {
    email: eva.email,
    password: testPassword,
  })
  const cookie = extractCookieHeader(signedIn)
  const before = await read(eva)
  const eraseNow = () => w.visitor.request('PUT', '/v1/me/deletion', given, { cookie })
  expect((await endSessionWhile(eva, eraseNow)).status).toBe(401)
  expect(await read(eva)).toEqual(before)
})
