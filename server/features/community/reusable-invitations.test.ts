import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MemberClient } from '#api-client/member-client.ts'
import { getCurrentMemberOperation, signUpOperation } from '#contract/account/sign-up-and-sign-in.ts'
import {
  createInvitationOperation,
  getInvitationOperation,
  listInvitationsOperation,
  revokeInvitationOperation,
} from '#contract/community/invitations.ts'
import { countResponsesByStatus, createArrayByIndex, raceTimeoutMs } from '#tests/support/run-race-rounds.ts'
import { createTestWorld, type TestWorld, testPassword } from '#tests/support/world.ts'
import { promoteToOperator } from './promote-to-operator.ts'

let w: TestWorld
let ana: MemberClient
let olga: MemberClient
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  ana = await w.join('Ana')
  olga = await w.join('Olga')
  await promoteToOperator(w.database.kysely, 'olga2')
  await w.database.pool.query(
    `insert into community (registration) values ('invite') on conflict (only_row) do update set registration = 'invite'`,
  )
})
afterAll(() => w.end())

let guests = 0
const guest = () => {
  guests += 1
  return {
    name: 'Amina',
    username: `amina${guests}`,
    email: `amina${guests}@juntas.test`,
    password: testPassword,
  }
}

const openLink = async () => {
  const { $id, code } = await olga.call(createInvitationOperation, { reusable: true })
  if (code === null) throw new Error('an open invitation has a code')
  return { $id, code }
}

test('INV-15 several people join concurrently with one reusable link, which counts them', {
  timeout: raceTimeoutMs,
}, async () => {
  const { $id, code } = await openLink()
  const answers = await Promise.all(
    createArrayByIndex(5, () => w.visitor.ask(signUpOperation, { ...guest(), invite: code })),
  )
  expect(countResponsesByStatus(answers)).toEqual({ 201: 5 })
  const [shown] = (await olga.call(listInvitationsOperation, {})).documents
  expect(shown).toMatchObject({ $id, code, state: 'open', reusable: true, uses: 5, guest: null })
})

test('INV-15 a reusable link works for thirty days, unless its operator ends it earlier', async () => {
  const { $id, code } = await openLink()
  const { expiresAt } = await w.visitor.call(getInvitationOperation, { code })
  const days = (Date.parse(expiresAt) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(29.9)
  expect(days).toBeLessThanOrEqual(30)
  await olga.call(revokeInvitationOperation, { invitationId: $id })
  expect((await w.visitor.ask(signUpOperation, { ...guest(), invite: code })).status).toBe(410)
})

test('INV-15 ana cannot create a reusable link', async () => {
  expect(await ana.refusal(createInvitationOperation, { reusable: true })).toMatchObject({
    code: 403,
    field: 'reusable',
  })
  expect((await ana.call(listInvitationsOperation, {})).documents).toEqual([])
})

test("INV-15 a former operator's reusable link admits nobody, but stays open", async () => {
  const { code } = await openLink()
  await w.database.pool.query(`update accounts set labels = '{}' where labels @> array['operator']`)
  expect((await w.visitor.ask(signUpOperation, { ...guest(), invite: code })).status).toBe(410)
  await promoteToOperator(w.database.kysely, 'olga2')
  expect((await w.visitor.ask(signUpOperation, { ...guest(), invite: code })).status).toBe(201)
})

test('INV-05 an operator has at most fifty open invitations', async () => {
  const answers = await Promise.all(
    createArrayByIndex(55, () => olga.ask(createInvitationOperation, { reusable: true })),
  )
  expect(countResponsesByStatus(answers)[409]).toBeGreaterThan(0)
  const open = (await olga.call(listInvitationsOperation, {})).documents.filter(
    ({ state }) => state === 'open',
  )
  expect(open).toHaveLength(50)
})

test('INV-16 members can invite with open registration or by invitation, but not in a closed community', async () => {
  for (const [registration, invites] of [
    ['invite', true],
    ['open', true],
    ['closed', undefined],
  ]) {
    await w.database.pool.query('update community set registration = $1', [registration])
    expect((await ana.call(getCurrentMemberOperation, {})).invites).toBe(invites)
  }
})
