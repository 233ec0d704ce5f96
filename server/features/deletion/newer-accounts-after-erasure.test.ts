import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiClient } from '#api-client/member-client.ts'
import { getCurrentMemberOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { getReceiptOperation, requestDeletionOperation } from '#contract/deletion/deletion.ts'
import { blockMemberOperation, setBlockNewerAccountsOperation } from '#contract/people/blocks.ts'
import { getPersonOperation } from '#contract/people/people.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld({ DELETION_GRACE_DAYS: '0' })
})
afterAll(() => w.end())

/** The browser gets its id when it first signs in. */
async function signIn(person: { email: string }, browser = ''): Promise<string> {
  const answer = await createApiClient(w.app, browser).request('POST', '/v1/sessions', {
    email: person.email,
    password: testPassword,
  })
  expect(answer.status).toBe(201)
  return /(?:^|\n)([^=\n]*device_juntas=[^;]+)/.exec(String(answer.headers['set-cookie']))?.[1] ?? browser
}

async function eraseAccountOf(person: MemberClient): Promise<void> {
  const { username } = await person.call(getCurrentMemberOperation, {})
  const { receiptId } = await person.call(requestDeletionOperation, { username, password: testPassword })
  await waitFor(async () =>
    expect((await w.visitor.call(getReceiptOperation, { receiptId })).state).toBe('done'),
  )
}

async function listVisiblePeople(of: MemberClient, people: Record<string, MemberClient>): Promise<string[]> {
  const seen = await Promise.all(
    Object.entries(people).map(async ([name, { id }]) => {
      const { status } = await of.ask(getPersonOperation, { personId: id })
      return status === 200 ? [name] : []
    }),
  )
  return seen.flat()
}

async function listVisiblePeopleAroundSwitch(
  stalker: MemberClient,
  blockId: string,
  people: Record<string, MemberClient>,
): Promise<string[][]> {
  const seen = [await listVisiblePeople(stalker, people)]
  for (const newerAccounts of [false, true]) {
    await stalker.call(setBlockNewerAccountsOperation, { blockId, newerAccounts })
    seen.push(await listVisiblePeople(stalker, people))
  }
  return seen
}

test("BLK-29 DEL-09 after mutual blocks, his block does not find Uma's new accounts once her old account is erased", async () => {
  const [stalker, uma] = [await w.join('Ronda'), await w.join('Uma')]
  const { $id: conversationId } = await uma.call(openConversationOperation, { personId: stalker.id })
  await uma.call(sendMessageOperation, { conversationId, content: 'Hola' })
  const browser = await signIn(uma)
  const { blockId } = await stalker.call(blockMemberOperation, { personId: uma.id })
  await uma.call(blockMemberOperation, { personId: stalker.id })
  const early = await w.join('Temprana')
  await signIn(early, browser)
  await eraseAccountOf(uma)
  const late = await w.join('Anonima')
  for (const person of [late, early]) await signIn(person, browser)
  const everyone = ['early', 'late']
  expect(await listVisiblePeopleAroundSwitch(stalker, blockId, { early, late })).toEqual([
    everyone,
    everyone,
    everyone,
  ])
})

test('BLK-29 DEL-09 accounts blocked through another account stay blocked after its erasure, and later accounts are not blocked', async () => {
  const [stalker, iria] = [await w.join('Acecha'), await w.join('Iria')]
  const browser = await signIn(iria)
  const { blockId } = await stalker.call(blockMemberOperation, { personId: iria.id })
  const early = await w.join('Pronta')
  await signIn(early, browser)
  expect(await listVisiblePeople(stalker, { early })).toEqual([])
  await eraseAccountOf(iria)
  const late = await w.join('Tardia')
  await signIn(late, browser)
  expect(await listVisiblePeopleAroundSwitch(stalker, blockId, { early, late })).toEqual([
    ['late'],
    ['early', 'late'],
    ['early', 'late'],
  ])
})

test('BLK-29 DEL-09 browsers that an older node stored for an erased account do not link new accounts to a block', async () => {
  const [stalker, olga] = [await w.join('Sombra'), await w.join('Olga')]
  const browser = await signIn(olga)
  const { blockId } = await stalker.call(blockMemberOperation, { personId: olga.id })
  const { rows } = await w.database.pool.query(
    `select d.device_hash, d.account_id from known_devices d join accounts a on a.id = d.account_id where a.public_id = $1
     order by d.seen_at desc limit 1`,
    [olga.accountId],
  )
  await eraseAccountOf(olga)
  // A node of the previous version leaves this state.
  await w.database.pool.query(
    'insert into known_devices (device_hash, account_id) values ($1, $2) on conflict do nothing',
    [rows[0].device_hash, rows[0].account_id],
  )
  const late = await w.join('Nueva')
  await signIn(late, browser)
  expect(await listVisiblePeopleAroundSwitch(stalker, blockId, { late })).toEqual([
    ['late'],
    ['late'],
    ['late'],
  ])
})
