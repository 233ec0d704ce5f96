import { afterAll, beforeAll, expect, test } from 'vitest'
import { appwriteFilesPath } from '#api-client/raw-multipart-upload.ts'
import * as settings from '#contract/account/account-settings.ts'
import { createGroupOperation, getGroupOperation } from '#contract/groups/groups.ts'
import { followOperation, getPersonOperation } from '#contract/people/people.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { fetchCodeSentTo, fetchSentLinkSecret, fetchSentMessagesTo } from '#tests/support/sent-messages.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

const signIn = ({ email }: MemberClient) =>
  w.visitor.request('POST', '/v1/sessions', { email, password: testPassword })
const seenBy = async (other: MemberClient, { id }: MemberClient) =>
  (await other.ask(getPersonOperation, { personId: id })).status
const close = (her: MemberClient) => her.call(settings.closeAccountOperation, {})

test('a temporarily closed account is hidden and signed out everywhere; signing in restores it', async () => {
  const [ana, bea] = [await w.join('Ana'), await w.join('Bea')]
  await bea.call(followOperation, { personId: ana.id })
  await close(ana)
  expect(await seenBy(bea, ana)).toBe(404)
  expect((await ana.request('GET', '/v1/me/session')).status).toBe(401)
  expect((await signIn(ana)).status).toBe(201)
  expect(await seenBy(bea, ana)).toBe(200)
  expect(await bea.call(getPersonOperation, { personId: ana.id })).toMatchObject({ followerCount: 1 })
  expect((await fetchSentMessagesTo(w, ana.email)).map(({ kind }) => kind)).toContain('account-reopened')
})

test("someone with a member's unlocked phone cannot close the account without re-authentication", async () => {
  const carla = await w.join('Carla')
  await w.database.pool.query("update sessions set proved_at = proved_at - interval '16 minutes'")
  const refused = await carla.ask(settings.closeAccountOperation, {})
  expect(refused).toMatchObject({ status: 401, body: { type: 'user_challenge_required' } })
  expect((await carla.request('GET', '/v1/me/session')).status).toBe(200)
})

test('a member who forgot the password reopens her closed account with a sign-in link', async () => {
  const dora = await w.join('Dora')
  await close(dora)
  await w.visitor.request('POST', '/v1/sign-in-link', { email: dora.email })
  const { userId, secret } = await fetchSentLinkSecret(w, dora.email)
  expect((await w.visitor.request('PUT', '/v1/sign-in-link', { userId, secret })).status).toBe(200)
  expect(await seenBy(await w.join('Eva'), dora)).toBe(200)
  expect((await fetchSentMessagesTo(w, dora.email)).map(({ kind }) => kind)).toContain('account-reopened')
})

test('Appwrite clients cannot sign in to a closed account, and a suspension takes precedence over closing', async () => {
  const fe = await w.join('Fe')
  await close(fe)
  const throughAppwrite = () =>
    w.visitor.request('POST', '/v1/account/sessions/email', { email: fe.email, password: testPassword })
  expect(await throughAppwrite()).toMatchObject({ status: 401, body: { type: 'user_blocked' } })
  await w.database.pool.query(
    `insert into suspensions (account_id, reason, ends_at, reopens)
     select a.id, 'Acoso', clock_timestamp() + interval '1 day', false from accounts a where a.email = $1`,
    [fe.email],
  )
  expect((await signIn(fe)).body).toMatchObject({ type: 'user_blocked' })
  await w.database.pool.query("update suspensions set ends_at = clock_timestamp() - interval '1 minute'")
  expect((await signIn(fe)).status).toBe(201)
  expect((await throughAppwrite()).status).toBe(201)
})

test('a member who lost her address to its verified owner signs in with a code to her phone, unless she is suspended', async () => {
  const [ines, other, phone] = [await w.join('Ines'), await w.join('Otra'), '+34600777001']
  await w.database.pool.query(
    'update accounts set email = null, phone = $1, phone_verified = true where public_id = $2',
    [phone, ines.accountId],
  )
  const signInByPhone = async (userId: string) => {
    await w.visitor.request('POST', '/v1/account/tokens/phone', { userId, phone })
    const secret = await fetchCodeSentTo(w, phone)
    return w.visitor.request('PUT', '/v1/account/sessions/phone', { userId, secret })
  }
  await close(ines)
  await w.database.pool.query(
    `insert into suspensions (account_id, reason, ends_at, reopens)
     select a.id, 'Acoso', clock_timestamp() + interval '1 day', false from accounts a where a.phone = $1`,
    [phone],
  )
  expect((await signInByPhone('ines1')).body).toMatchObject({ type: 'user_blocked' })
  await w.database.pool.query("update suspensions set ends_at = clock_timestamp() - interval '1 minute'")
  expect(await seenBy(other, ines)).toBe(404)
  expect(await signInByPhone('ines2')).toMatchObject({ status: 201, body: { userId: ines.accountId } })
  expect(await seenBy(other, ines)).toBe(200)
})

test('closing an account also hides the picture of a group without other members', async () => {
  const [ines, bea] = [await w.join('Ines'), await w.join('Bea')]
  const imageId = await ines.upload(await createJpeg())
  await ines.call(createGroupOperation, { name: 'Sola', imageId })
  const waysTo = [
    `/v1/files/${imageId}`,
    `/v1/files/${imageId}/content?width=64`,
    `${appwriteFilesPath}/${imageId}/view`,
  ]
  const seen = () => Promise.all(waysTo.map(async (path) => (await bea.request('GET', path)).status))
  expect(await seen()).toEqual([200, 200, 200])
  await close(ines)
  expect(await seen()).toEqual([404, 404, 404])
  expect((await signIn(ines)).status).toBe(201)
  expect(await seen()).toEqual([200, 200, 200])
})

test('when an admin closes her account, the group passes to its oldest member and stays there', async () => {
  const [gala, hana] = [await w.join('Gala'), await w.join('Hana')]
  const group = await gala.call(createGroupOperation, { name: 'Lectoras' })
  await w.database.pool.query(
    `insert into group_members (public_id, group_id, user_id, role)
     select 'hana-lee', g.id, u.id, 'member' from groups g, users u where g.public_id = $1 and u.public_id = $2`,
    [group.$id, hana.id],
  )
  await close(gala)
  await signIn(gala)
  expect(await hana.call(getGroupOperation, { groupId: group.$id })).toMatchObject({ adminId: hana.id })
})
