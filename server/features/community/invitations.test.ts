import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MemberClient } from '#api-client/member-client.ts'
import { closeAccountOperation } from '#contract/account/account-settings.ts'
import { signUpOperation } from '#contract/account/sign-up-and-sign-in.ts'
import {
  createInvitationOperation,
  getInvitationOperation,
  listInvitationsOperation,
  revokeInvitationOperation,
} from '#contract/community/invitations.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import {
  countResponsesByStatus,
  createArrayByIndex,
  raceTimeoutMs,
  runRaceRounds,
} from '#tests/support/run-race-rounds.ts'
import { createTestWorld, type TestWorld, testPassword } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  ana = await w.join('Ana')
  bea = await w.join('Bea')
})
afterAll(() => w.end())

const sql = (text: string, values: unknown[] = []) => w.database.pool.query(text, values)
const letOnlyInvitedIn = () =>
  sql(
    `insert into community (registration) values ('invite') on conflict (only_row) do update set registration = 'invite'`,
  )
const letEverybodyIn = () => sql(`update community set registration = 'open'`)

let strangers = 0
const stranger = () => {
  strangers += 1
  const username = `forastera${strangers}`
  return { name: 'Forastera', username, email: `${username}@juntas.test`, password: testPassword }
}
const invite = async (who: MemberClient) => {
  const { $id, code } = await who.call(createInvitationOperation, {})
  if (code === null) throw new Error('an open invitation has a code')
  return { $id, code }
}
const over = { code: 410, type: 'invitation_over', message: 'Esta invitación ya no vale.' }

describe('an invitation', () => {
  test('INV-02 an invitation code shows the inviter, the community and the expiry', async () => {
    const { code } = await invite(ana)
    const read = await w.visitor.call(getInvitationOperation, { code: code.toUpperCase() })
    expect(read).toMatchObject({ inviter: { name: 'Ana' }, community: { name: 'Juntas', membersAtLeast: 0 } })
    const days = (Date.parse(read.expiresAt) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(6.9)
    expect(days).toBeLessThanOrEqual(7)
    expect(JSON.stringify(read)).not.toContain('ana@juntas.test')
  })

  test('INV-02 an invitation gives a rough number of members, which one closed account or block does not change', async () => {
    const { code } = await invite(ana)
    const read = async () => (await w.visitor.call(getInvitationOperation, { code })).community.membersAtLeast
    const leaving = await w.join('Leonor')
    await w.database.pool.query(
      `with made as (
         insert into accounts (public_id)
         select 'crowd' || n from generate_series(1, 25 - (select count(*) from users)::int) n returning id, public_id
       )
       insert into users (public_id, account_id, name, username) select public_id, id, 'Socia', public_id from made`,
    )
    expect(await read()).toBe(25)
    await leaving.call(closeAccountOperation, {})
    expect(await read()).toBe(25)
  })

  test('INV-01 only the inviter sees an invitation: its code while open, and the invited member after use', async () => {
    const { $id, code } = await invite(bea)
    expect((await bea.call(listInvitationsOperation, {})).documents[0]).toMatchObject({
      $id,
      state: 'open',
      code,
      guest: null,
    })
    await w.visitor.call(signUpOperation, { ...stranger(), name: 'Amina', invite: code })
    expect((await bea.call(listInvitationsOperation, {})).documents[0]).toMatchObject({
      $id,
      state: 'used',
      code: null,
      guest: { name: 'Amina' },
    })
    expect((await ana.call(listInvitationsOperation, {})).documents.map((each) => each.$id)).not.toContain(
      $id,
    )
  })

  test('a guest who blocked her inviter looks like a deleted member to the inviter', async () => {
    const { code } = await invite(bea)
    const guest = stranger()
    await w.visitor.call(signUpOperation, { ...guest, invite: code })
    const session = await w.visitor.request('POST', '/v1/sessions', guest)
    const cookie = session.headers['set-cookie']?.split(';')[0] ?? ''
    const path = blockMemberOperation.path.replace(':personId', bea.id)
    expect(
      (await w.visitor.request(blockMemberOperation.method, `/v1${path}`, {}, { cookie })).status,
    ).toBeLessThan(300)
    expect((await bea.call(listInvitationsOperation, {})).documents[0]).toMatchObject({
      state: 'used',
      guest: null,
    })
  })

  test('INV-04 a revoked invitation ends immediately and answers like an unknown, used or expired one, even with open registration', async () => {
    const cleo = await w.join('Cleo')
    const [ended, used, old] = [await invite(cleo), await invite(cleo), await invite(cleo)]
    await cleo.call(revokeInvitationOperation, { invitationId: ended.$id })
    await w.visitor.call(signUpOperation, { ...stranger(), invite: used.code })
    await sql(
      `update invitations set created_at = created_at - interval '8 days', expires_at = expires_at - interval '8 days'
      where public_id = $1`,
      [old.$id],
    )
    for (const registration of [letEverybodyIn, letOnlyInvitedIn]) {
      await registration()
      for (const code of [ended.code, used.code, old.code, '0000-0000-00000', "' or true --"]) {
        expect(await w.visitor.refusal(getInvitationOperation, { code })).toMatchObject(over)
        expect(await w.visitor.refusal(signUpOperation, { ...stranger(), invite: code })).toMatchObject(over)
      }
    }
    await letEverybodyIn()
    await cleo.call(revokeInvitationOperation, { invitationId: used.$id })
    expect((await cleo.call(listInvitationsOperation, {})).documents.map(({ state }) => state)).toEqual([
      'ended',
      'used',
      'ended',
    ])
  })

  test("INV-04 another member cannot revoke an invitation, and an invitation ends with its inviter's account", async () => {
    const dora = await w.join('Dora')
    const { $id, code } = await invite(dora)
    expect(await ana.refusal(revokeInvitationOperation, { invitationId: $id })).toMatchObject({ code: 404 })
    await w.visitor.call(getInvitationOperation, { code })
    await dora.request('PATCH', '/v1/account/status', { password: testPassword })
    expect(await w.visitor.refusal(getInvitationOperation, { code })).toMatchObject(over)
  })

  test('INV-03 only one of two concurrent sign-ups with the same invitation succeeds', {
    timeout: raceTimeoutMs,
  }, async () => {
    await letOnlyInvitedIn()
    await runRaceRounds(
      w.database,
      async () => {
        const { code } = await invite(ana)
        return createArrayByIndex(
          2,
          () => () => w.visitor.ask(signUpOperation, { ...stranger(), invite: code }),
        )
      },
      (answers) => {
        expect(countResponsesByStatus(answers)).toEqual({ 201: 1, 410: 1 })
      },
    )
    await letEverybodyIn()
  })

  test('INV-05 a member has at most five open invitations, even if ten are created concurrently', {
    timeout: raceTimeoutMs,
  }, async () => {
    const eva = await w.join('Eva')
    const answers = await Promise.all(createArrayByIndex(10, () => eva.ask(createInvitationOperation, {})))
    expect(countResponsesByStatus(answers)).toEqual({ 201: 5, 409: 5 })
    expect(await eva.refusal(createInvitationOperation, {})).toMatchObject({
      type: 'invitation_limit',
      message: 'You have five open invitations.',
    })
  })
})

test("INV-05 a member's eleventh invitation of a day is refused", async () => {
  const limited = await createTestWorld()
  try {
    const fay = await limited.join('Fay')
    // Requests from this machine are exempt from limits, so these come from another address.
    const create = () =>
      fay.request<{ $id: string }>(
        'POST',
        `/v1${createInvitationOperation.path}`,
        {},
        { 'x-forwarded-for': '203.0.113.9' },
      )
    for (let n = 0; n < 10; n += 1) {
      const { status, body } = await create()
      expect(status).toBe(201)
      await fay.call(revokeInvitationOperation, { invitationId: body.$id })
    }
    expect(await create()).toMatchObject({ status: 429 })
  } finally {
    await limited.end()
  }
})
