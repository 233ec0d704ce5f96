import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  countMessageRequestsOperation,
  listMessageRequestsOperation,
} from '#contract/chat/message-requests.ts'
import {
  approveFollowRequestOperation,
  countFollowRequestsOperation,
  declineFollowRequestOperation,
  listFollowRequestsOperation,
} from '#contract/people/follow-requests.ts'
import { getPersonOperation } from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import { appwriteDocumentsPath } from '#tests/support/appwrite-documents-client.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

/** Rate limits do not apply to local addresses. */
const far = { 'x-forwarded-for': '203.0.113.1' }
const crowd = 10_000
const maxPageBytes = 60_000
/** Two requests share each millisecond, so that pages end between equal times. */
const asked = `now()::date - (a.id / 2) * interval '1 millisecond'`

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'on' })
  ;[ana, bea] = [await w.join('Ana'), await w.join('Bea')]
  for (const who of [ana, bea])
    await who.call(updatePrivacySettingsOperation, { isPrivate: true, messagesFrom: 'ask' })
  // Each pair takes a lock, and one transaction cannot hold ten thousand.
  for (let first = 1; first < crowd; first += 500) {
    await w.database.pool.query(
      `with strangers as (
         insert into accounts (public_id) select 'extrana' || n from generate_series($2::int, $2 + 499) n returning id, public_id
       ), askers as (
         insert into users (public_id, account_id, name, username)
         select public_id, id, public_id, public_id from strangers order by id returning id
       ), follows as (
         insert into follow_requests (public_id, asker_id, asked_id, created_at)
         select 'sigue' || a.id, a.id, ana.id, ${asked} from askers a, users ana where ana.public_id = $1
       )
       insert into conversations (public_id, low_id, high_id)
       select 'escribe' || a.id, least(a.id, ana.id), greatest(a.id, ana.id) from askers a, users ana where ana.public_id = $1`,
      [ana.id, first],
    )
    await w.database.pool.query(
      `insert into messages (public_id, conversation_id, sender_id, content)
       select 'hola' || c.id, c.id, a.id, 'hola' from conversations c join users a on 'escribe' || a.id = c.public_id
       where c.last_message_id is null`,
    )
  }
  await w.database.pool.query(
    `update conversations c set updated_at = ${asked} from users a where 'escribe' || a.id = c.public_id`,
  )
})
afterAll(() => w.end())

test('M13 REQ-02 a member can send sixty follow requests an hour through both APIs, and repeated requests exist once', async () => {
  const iria = await w.join('Iria')
  const path = appwriteDocumentsPath('follows')
  const answers: number[] = []
  for (let n = 0; n < 40; n += 1) {
    answers.push((await iria.request('PUT', `/v1/people/${bea.id}/follow`, {}, far)).status)
    const data = { documentId: 'unique()', data: { followerId: iria.id, followingId: bea.id } }
    answers.push((await iria.request('POST', path, data, far)).status)
  }
  expect(answers.slice(0, 60).filter((status) => status === 429)).toEqual([])
  expect(answers.slice(60)).toEqual(Array(20).fill(429))
  expect(await bea.call(countFollowRequestsOperation, {})).toEqual({ count: 1 })
})

test('M13 REQ-03 ten thousand follow requests are listed once each, fifty per page, and any can be answered', async () => {
  expect(await ana.call(countFollowRequestsOperation, {})).toEqual({ count: crowd })
  const listed: string[] = []
  let cursor: string | undefined
  do {
    const { body, raw } = await ana.ask(listFollowRequestsOperation, { limit: 50, ...(cursor && { cursor }) })
    expect(raw.length).toBeLessThan(maxPageBytes)
    const page = body as Awaited<ReturnType<typeof ana.call<typeof listFollowRequestsOperation>>>
    listed.push(...page.documents.map(({ $id }) => $id))
    cursor = page.next ?? undefined
  } while (cursor)
  expect(listed).toHaveLength(crowd)
  expect(new Set(listed).size).toBe(crowd)
  await ana.call(approveFollowRequestOperation, { requestId: listed[5_000] ?? '' })
  await ana.call(declineFollowRequestOperation, { requestId: listed[9_999] ?? '' })
  expect(await ana.call(countFollowRequestsOperation, {})).toEqual({ count: crowd - 2 })
  expect(await ana.call(getPersonOperation, { personId: ana.id })).toMatchObject({ followerCount: 1 })
})

test('M13 MSGR-08 ten thousand message requests are listed once each, fifty per page', async () => {
  expect(await ana.call(countMessageRequestsOperation, {})).toMatchObject({ count: crowd })
  const listed: string[] = []
  let cursor: string | undefined
  do {
    const { body, raw } = await ana.ask(listMessageRequestsOperation, {
      limit: 50,
      ...(cursor && { cursor }),
    })
    expect(raw.length).toBeLessThan(maxPageBytes)
    const page = body as Awaited<ReturnType<typeof ana.call<typeof listMessageRequestsOperation>>>
    listed.push(...page.documents.map(({ conversation }) => conversation.$id))
    cursor = page.next ?? undefined
  } while (cursor)
  expect(listed).toHaveLength(crowd)
  expect(new Set(listed).size).toBe(crowd)
})
