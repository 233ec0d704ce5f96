import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as settings from '#contract/account/account-settings.ts'
import { getCurrentMemberOperation } from '#contract/account/sign-up-and-sign-in.ts'
import * as contract from '#contract/deletion/deletion.ts'
import { apiOperations } from '#contract/index.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import { followOperation, getPersonOperation, searchPeopleOperation } from '#contract/people/people.ts'
import {
  createPostOperation,
  getPostOperation,
  likePostOperation,
  listLikersOperation,
} from '#contract/posts/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createGroupWithMembers } from '#tests/support/group-factory.ts'
import { raceTimeoutMs } from '#tests/support/run-race-rounds.ts'
import {
  extractCookieHeader,
  fetchNewestMessageTo,
  fetchSentLinkSecret,
} from '#tests/support/sent-messages.ts'
import { openTestSocket } from '#tests/support/test-socket.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

const usernameOf = async (who: MemberClient) => (await who.call(getCurrentMemberOperation, {})).username
const statusOf = async ({ accountId }: MemberClient) =>
  (await w.database.pool.query('select status from accounts where public_id = $1', [accountId])).rows[0]
    ?.status
const adminOf = async (group: string) =>
  (
    await w.database.pool.query(
      'select u.public_id as id from groups g join users u on u.id = g.admin_id where g.public_id = $1',
      [group],
    )
  ).rows[0]?.id

async function ask(who: MemberClient, more: Record<string, unknown> = {}) {
  return who.call(contract.requestDeletionOperation, {
    username: await usernameOf(who),
    password: testPassword,
    ...more,
  })
}

async function signInAnew({ email }: MemberClient) {
  const answer = await w.visitor.request('POST', '/v1/sessions', { email, password: testPassword })
  const cookie = extractCookieHeader(answer)
  return {
    answer,
    request: (method: string, path: string, body?: unknown) =>
      w.visitor.request<Record<string, unknown>>(method, path, body, { cookie }),
  }
}

const publish = async (who: MemberClient) =>
  who.call(createPostOperation, {
    caption: 'Un día de sol',
    location: 'Aquí',
    tags: [],
    imageId: await who.upload(await createJpeg('#336699')),
  })

test('DEL-01 hana first reads what will be deleted, what others keep, and who takes over her groups', async () => {
  const [hana, bea, cleo] = [await w.join('Hana'), await w.join('Bea'), await w.join('Cleo')]
  const post = await publish(hana)
  await hana.call(likePostOperation, { postId: post.$id })
  const group = await createGroupWithMembers(hana, bea, cleo)
  const alone = await createGroupWithMembers(hana)
  const plan = await hana.call(contract.getDeletionPlanOperation, {})
  expect(plan).toMatchObject({
    counts: { posts: 1, photos: 1, likes: 1, saves: 0, comments: 0, messages: 0 },
    asksForPassword: true,
    asksForCode: false,
  })
  expect(plan.groups.find(({ $id }) => $id === group)?.heirs.map(({ $id }) => $id)).toEqual([bea.id, cleo.id])
  expect(plan.groups.find(({ $id }) => $id === alone)?.heirs).toEqual([])
  const days = (new Date(plan.eraseAfter).getTime() - Date.now()) / 86_400_000
  expect(Math.round(days)).toBe(14)
  // The plan also hides the name of a blocked member.
  await bea.call(blockMemberOperation, { personId: hana.id })
  const { groups } = await hana.call(contract.getDeletionPlanOperation, {})
  expect(groups.find(({ $id }) => $id === group)?.heirs.map(({ $id }) => $id)).toEqual([cleo.id])
  expect(await w.visitor.ask(contract.getDeletionPlanOperation, {})).toMatchObject({ status: 401 })
})

test('DEL-02 a wrong username or password requests no deletion, and a second step is required', async () => {
  const gala = await w.join('Gala')
  const username = await usernameOf(gala)
  const wrong = { username: 'somebody', password: testPassword }
  expect(await gala.refusal(contract.requestDeletionOperation, wrong)).toMatchObject({
    type: 'username_mismatch',
    message: 'That is not your username.',
    field: 'username',
  })
  expect(
    await gala.refusal(contract.requestDeletionOperation, { username, password: 'otra cosa distinta' }),
  ).toMatchObject({ type: 'user_invalid_credentials', field: 'password' })
  await w.database.pool.query(`update sessions set proved_at = clock_timestamp() - interval '1 hour'`)
  expect(await gala.refusal(contract.requestDeletionOperation, { username })).toMatchObject({
    type: 'user_challenge_required',
  })
  await gala.call(settings.reauthenticateOperation, { password: testPassword })
  const { secret } = await gala.call(settings.beginAuthenticatorOperation, {})
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  await gala.call(settings.turnOnTwoFactorOperation, { code: totp.generate() })
  await w.database.pool.query(
    `update sessions set second_proved_at = null where account_id = (select id from accounts where public_id = $1)`,
    [gala.accountId],
  )
  const known = { username, password: testPassword }
  expect(await gala.refusal(contract.requestDeletionOperation, known)).toMatchObject({
    type: 'user_challenge_required',
  })
  expect(await gala.refusal(contract.requestDeletionOperation, { ...known, code: '000000' })).toMatchObject({
    type: 'user_invalid_token',
  })
  expect(await statusOf(gala)).toBe('active')
  await w.database.pool.query('update totp_secrets set last_step = 0')
  await gala.call(contract.requestDeletionOperation, { ...known, code: totp.generate() })
  expect(await statusOf(gala)).toBe('blocked')
})

test("DEL-03 each group passes immediately to hana's choice or its oldest member, never to an outsider", async () => {
  const [hana, bea, cleo, outsider] = await Promise.all(
    ['Hana', 'Bea', 'Cleo', 'Olga'].map((name) => w.join(name)),
  )
  if (!hana || !bea || !cleo || !outsider) throw new Error()
  const chosen = await createGroupWithMembers(hana, bea, cleo)
  const left = await createGroupWithMembers(hana, bea, cleo)
  const beas = await createGroupWithMembers(bea, hana)
  const username = await usernameOf(hana)
  for (const heirs of [{ [chosen]: outsider.id }, { [beas]: hana.id }, { [chosen]: hana.id }])
    expect(
      await hana.refusal(contract.requestDeletionOperation, { username, password: testPassword, heirs }),
    ).toMatchObject({ type: 'group_member_not_found' })
  expect(await adminOf(chosen)).toBe(hana.id)
  await ask(hana, { heirs: { [chosen]: cleo.id } })
  expect([await adminOf(chosen), await adminOf(left), await adminOf(beas)]).toEqual([cleo.id, bea.id, bea.id])
})

test('DEL-04 DEL-05 a deletion request hides hana from everyone, ends every session, and emails a link to keep the account', async () => {
  const [hana, bea] = [await w.join('Hana'), await w.join('Bea')]
  const [post, beas] = [await publish(hana), await publish(bea)]
  await hana.call(likePostOperation, { postId: beas.$id })
  const elsewhere = await signInAnew(hana)
  const { eraseAfter, receiptId } = await ask(hana)
  for (const client of [hana, elsewhere])
    expect(await client.request('GET', '/v1/me/session')).toMatchObject({ status: 401 })
  expect(await bea.ask(getPersonOperation, { personId: hana.id })).toMatchObject({ status: 404 })
  expect(await bea.ask(getPostOperation, { postId: post.$id })).toMatchObject({ status: 404 })
  expect((await bea.call(listLikersOperation, { postId: beas.$id })).documents).toEqual([])
  expect(
    (await bea.call(searchPeopleOperation, { term: 'Hana' })).documents.map(({ $id }) => $id),
  ).not.toContain(hana.id)
  expect(await bea.ask(followOperation, { personId: hana.id })).toMatchObject({ status: 404 })

  const received = await fetchNewestMessageTo(w, hana.email)
  expect(received.kind).toBe('deletion-asked')
  expect(received.text).toContain(
    new Intl.DateTimeFormat('es', { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(
      new Date(eraseAfter),
    ),
  )
  expect(await w.visitor.call(contract.getReceiptOperation, { receiptId })).toMatchObject({
    state: 'waiting',
    receipt: null,
  })
  const { secret, link } = await fetchSentLinkSecret(w, hana.email)
  expect(link.pathname).toBe('/sign-in/keep')
  expect(
    await w.visitor.refusal(contract.keepAccountByEmailLinkOperation, { secret: 'guessed' }),
  ).toMatchObject({
    type: 'user_invalid_token',
  })
  await w.visitor.call(contract.keepAccountByEmailLinkOperation, { secret })
  expect(await bea.ask(getPersonOperation, { personId: hana.id })).toMatchObject({ status: 200 })
  expect(await w.visitor.refusal(contract.keepAccountByEmailLinkOperation, { secret })).toMatchObject({
    type: 'user_invalid_token',
  })
})

test('DEL-05 a member without an email address keeps her account with a link sent by text message', async () => {
  const flor = await w.join('Flor')
  const phone = '+34611000777'
  await w.database.pool.query(
    'update accounts set email = null, email_verified = false, phone = $1, phone_verified = true where public_id = $2',
    [phone, flor.accountId],
  )
  await ask(flor)
  expect(await statusOf(flor)).toBe('blocked')
  expect(await fetchNewestMessageTo(w, phone)).toMatchObject({ kind: 'deletion-asked' })
  const { secret, link } = await fetchSentLinkSecret(w, phone)
  expect(link.pathname).toBe('/sign-in/keep')
  await w.visitor.call(contract.keepAccountByEmailLinkOperation, { secret })
  expect(await statusOf(flor)).toBe('active')
})

test('DEL-12 reading the receipt keys creates no key, and without a key no receipt is valid', async () => {
  const fresh = await createTestWorld()
  try {
    expect(await fresh.visitor.call(contract.getReceiptKeysOperation, {})).toEqual({ keys: [] })
    expect(await fresh.visitor.call(contract.checkReceiptOperation, { signed: 'a.b.c' })).toEqual({
      valid: false,
    })
    expect(
      (await fresh.database.pool.query('select from instance where key_fingerprint is not null')).rows,
    ).toEqual([])
  } finally {
    await fresh.end()
  }
})

test('DEL-06 DEL-16 signing in before the erasure only lets hana keep, erase or export, and Appwrite clients are refused', async () => {
  const hana = await w.join('Hana')
  await ask(hana)
  const again = await signInAnew(hana)
  expect(again.answer.status).toBe(201)
  const allowed = apiOperations.filter(({ allowsClosing }) => allowsClosing).map(({ name }) => name)
  expect(allowed.sort()).toEqual(
    [
      ...['getExport', 'requestExport', 'discardExport', 'createExportDownloadLink', 'downloadExport'],
      'beginPasskeyReauthentication',
      'eraseNow',
      'getDeletion',
      'keepAccount',
      'reauthenticate',
      'reauthenticateByPasskey',
      'signOut',
    ].sort(),
  )
  const open: string[] = []
  for (const { name, method, path, who, allowsClosing, allowsPending } of apiOperations) {
    if (who === 'visitor' || allowsClosing || allowsPending) continue
    const at = `/v1${path.replace(/:\w+/g, hana.id)}`
    const { status, body } = await again.request(method, at, method === 'GET' ? undefined : {})
    if (status !== 401 || body.type !== 'account_closing') open.push(`${name}: ${status} ${body.type}`)
  }
  expect(open).toEqual([])
  expect((await again.request('GET', '/v1/me/deletion/state')).body).toMatchObject({
    name: 'Hana',
    asksForPassword: true,
  })
  expect(await again.request('GET', '/v1/account')).toMatchObject({ status: 401 })
  expect(
    await w.visitor.request('POST', '/v1/account/sessions/email', {
      email: hana.email,
      password: testPassword,
    }),
  ).toMatchObject({ status: 401, body: { type: 'user_blocked' } })
  const password = 'otra cosa distinta'
  expect(await w.visitor.request('POST', '/v1/sessions', { email: hana.email, password })).toMatchObject({
    status: 401,
    body: { type: 'user_invalid_credentials' },
  })
  expect(await again.request('DELETE', '/v1/sessions/current')).toMatchObject({ status: 204 })
  expect(await statusOf(hana)).toBe('blocked')
})

test('DEL-06 with two-factor authentication, keeping and erasing are unavailable before the second step', async () => {
  const hana = await w.join('Hana')
  const { secret } = await hana.call(settings.beginAuthenticatorOperation, {})
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  await hana.call(settings.turnOnTwoFactorOperation, { code: totp.generate() })
  await w.database.pool.query('update totp_secrets set last_step = 0')
  await ask(hana, { code: totp.generate() })
  const half = await signInAnew(hana)
  expect(half.answer.body).toMatchObject({ secondStep: true })
  for (const [method, path] of [
    ['GET', '/v1/me/deletion/state'],
    ['DELETE', '/v1/me/deletion'],
    ['PUT', '/v1/me/deletion'],
  ] as const)
    expect(await half.request(method, path, method === 'PUT' ? {} : undefined)).toMatchObject({
      status: 401,
      body: { type: 'user_more_factors_required' },
    })
  await w.database.pool.query('update totp_secrets set last_step = 0')
  const code = { factor: 'totp', code: totp.generate() }
  const whole = await half.request('PUT', '/v1/sessions/current/second-step', code)
  expect(whole.status).toBe(200)
  const cookie = extractCookieHeader(whole)
  const kept = await w.visitor.request('DELETE', '/v1/me/deletion', undefined, { cookie })
  expect(kept.status).toBe(204)
  expect(await statusOf(hana)).toBe('active')
})

test('DEL-06 MFA-06 no socket reveals the deletion before the second step', async () => {
  const [hana, eva] = [await w.join('Hana'), await w.join('Eva')]
  const codes = new Map<MemberClient, string>()
  for (const who of [hana, eva]) {
    const { secret } = await who.call(settings.beginAuthenticatorOperation, {})
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    const { recoveryCodes } = await who.call(settings.turnOnTwoFactorOperation, { code })
    codes.set(who, recoveryCodes?.[0] ?? '')
  }
  await ask(hana, { code: codes.get(hana) })
  const answers = await Promise.all(
    [hana, eva].map(async (who) => {
      const { answer } = await signInAnew(who)
      const cookie = extractCookieHeader(answer)
      const session = decodeURIComponent(cookie.slice(cookie.indexOf('=') + 1))
      const live = await openTestSocket(w.app, { as: { cookie }, path: '/v1/live' })
      const sdk = await openTestSocket(w.app, { as: { cookie } })
      sdk.send({ type: 'authentication', data: { session } })
      const { data } = await sdk.until(({ type }) => type === 'error')
      const frames = sdk.frames.map(({ type }) => type)
      sdk.close()
      return { live: await live.closed, frames, data }
    }),
  )
  expect(answers[0]).toEqual(answers[1])
  expect(answers[0]).toMatchObject({
    frames: ['connected', 'error'],
    data: { message: 'Session is not valid.' },
  })
})

test('DEL-07 keeping the account restores everything except the groups that were handed over', async () => {
  const [hana, bea] = [await w.join('Hana'), await w.join('Bea')]
  const post = await publish(hana)
  await bea.call(followOperation, { personId: hana.id })
  const group = await createGroupWithMembers(hana, bea)
  const tables = ['posts', 'follows', 'group_members', 'files', 'messages', 'post_likes']
  const dump = async () =>
    Promise.all(
      ['users', ...tables].map(
        async (table) =>
          (await w.database.pool.query(`select to_jsonb(t) - 'role' as row from ${table} t order by 1`)).rows,
      ),
    )
  const before = await dump()
  await ask(hana)
  const again = await signInAnew(hana)
  expect(await again.request('DELETE', '/v1/me/deletion')).toMatchObject({ status: 204 })
  expect(await dump()).toEqual(before)
  expect(await adminOf(group)).toBe(bea.id)
  expect(await again.request('GET', '/v1/me')).toMatchObject({ status: 200, body: { $id: hana.id } })
  expect(await bea.ask(getPostOperation, { postId: post.$id })).toMatchObject({ status: 200 })
  expect(await again.request('DELETE', '/v1/me/deletion')).toMatchObject({
    status: 404,
    body: { type: 'deletion_not_found' },
  })
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
})

test('DEL-06 a suspended member cannot keep her account before the suspension ends', async () => {
  const hana = await w.join('Hana')
  await ask(hana)
  const { rows } = await w.database.pool.query('select id from accounts where public_id = $1', [
    hana.accountId,
  ])
  await w.database.pool.query(
    `insert into suspensions (account_id, reason, ends_at, reopens) values ($1, 'Acoso', clock_timestamp() + interval '1 day', false)`,
    [rows[0].id],
  )
  expect((await signInAnew(hana)).answer).toMatchObject({ status: 401, body: { type: 'user_blocked' } })
  const { secret } = await fetchSentLinkSecret(w, hana.email)
  await w.visitor.call(contract.keepAccountByEmailLinkOperation, { secret })
  expect(await statusOf(hana)).toBe('blocked')
  await w.database.pool.query(`update suspensions set ends_at = clock_timestamp() - interval '1 second'`)
  expect((await signInAnew(hana)).answer).toMatchObject({ status: 201 })
})

test('DEL-02 DEL-07 only one of two concurrent deletion requests succeeds, and only one of keeping and erasing an account concurrently', {
  timeout: raceTimeoutMs,
}, async () => {
  for (let round = 0; round < 8; round += 1) {
    const hana = await w.join('Hana')
    const username = await usernameOf(hana)
    const asked = await Promise.all(
      [1, 2].map(() => hana.ask(contract.requestDeletionOperation, { username, password: testPassword })),
    )
    expect(asked.map(({ status }) => status).sort()).toEqual([200, 401])
    const again = await signInAnew(hana)
    const [kept, erased] = await Promise.all([
      again.request('DELETE', '/v1/me/deletion'),
      again.request('PUT', '/v1/me/deletion', { username, password: testPassword }),
    ])
    expect([kept.status === 204, erased.status === 200].filter(Boolean)).toHaveLength(1)
    expect(await statusOf(hana)).toBe(kept.status === 204 ? 'active' : 'blocked')
  }
})
