import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiResponse } from '#api-client/member-client.ts'
import { blockMemberOperation, unblockMemberOperation } from '#contract/people/blocks.ts'
import {
  approveFollowRequestOperation,
  declineFollowRequestOperation,
  listFollowRequestsOperation,
} from '#contract/people/follow-requests.ts'
import { followOperation, isFollowingOperation, unfollowOperation } from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import { createPostOperation } from '#contract/posts/posts.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { insertUploadedImageRow } from '#tests/support/group-factory.ts'
import { waitForLockWaits } from '#tests/support/lock-waits.ts'
import { createArrayByIndex, raceTimeoutMs, runRaceRounds } from '#tests/support/run-race-rounds.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
/** Ana's key is lower than petra's, and Zoe's is higher. */
let ana: MemberClient
let petra: MemberClient
let zoe: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
  petra = await w.join('Petra')
  zoe = await w.join('Zoe')
})
afterAll(() => w.end())

const rounds = Number(process.env.RACE_ROUNDS ?? 5)
const query = (text: string, values: unknown[] = []) => w.database.pool.query(text, values)
const numberOf = async (text: string): Promise<number> =>
  (await query(`select (${text})::int as number`)).rows[0].number
const key = (person: MemberClient) => `(select id from users where public_id = '${person.id}')`
const goPrivate = () => petra.ask(updatePrivacySettingsOperation, { isPrivate: true })
const goPublic = () =>
  petra.ask(updatePrivacySettingsOperation, { isPrivate: false, earlierPosts: 'everyone' })

async function reset(isPrivate: boolean): Promise<void> {
  for (const who of [ana, zoe]) {
    await petra.call(unblockMemberOperation, { personId: who.id })
    await who.call(unfollowOperation, { personId: petra.id })
  }
  await query('delete from follow_requests')
  await (isPrivate ? goPrivate() : goPublic())
}

/**
 * Makes a write wait midway while the account becomes private.
 * @returns whether the switch was acknowledged before the write continued
 */
async function switchDuring(
  hold: string,
  write: () => Promise<ApiResponse>,
): Promise<{ acknowledged: boolean; written: ApiResponse }> {
  const holder = await w.database.pool.connect()
  await holder.query('begin')
  await holder.query(hold)
  const writing = write()
  await waitForLockWaits(w.database, 1, writing)
  let acknowledged = false
  const switching = goPrivate().then((answer) => {
    acknowledged = true
    return answer
  })
  await waitForLockWaits(w.database, 2, switching)
  const before = acknowledged
  await holder.query('rollback')
  holder.release()
  const [written, switched] = await Promise.all([writing, switching])
  expect(switched.status).toBe(200)
  expect(written.status).toBeLessThan(300)
  return { acknowledged: before, written }
}

/** @returns the rounds in which the account had a new follower after it became private */
async function unaskedFollows(count: number): Promise<number> {
  let unasked = 0
  for (let round = 0; round < count; round += 1) {
    await reset(false)
    const who = round % 2 === 0 ? ana : zoe
    const { acknowledged, written } = await switchDuring(
      `select from users where id = ${key(who)} for no key update`,
      () => who.ask(followOperation, { personId: petra.id }),
    )
    const follows = await numberOf('select count(*) from follows')
    expect(written.body).toEqual({ following: follows === 1, requested: follows === 0 })
    if (acknowledged && follows > 0) unasked += 1
  }
  return unasked
}

/** @returns the rounds in which the account had a public post after it became private */
async function openPosts(count: number): Promise<number> {
  for (let round = 0; round < count; round += 1) {
    await reset(false)
    const imageId = await insertUploadedImageRow(w.database, petra)
    await switchDuring(`select from files where public_id = '${imageId}' for update`, () =>
      petra.ask(createPostOperation, { caption: 'A la vez', location: 'Aquí', tags: [], imageId }),
    )
  }
  return numberOf('select count(*) from posts where not followers_only')
}

async function without<T>(table: string, trigger: string, work: () => Promise<T>): Promise<T> {
  await query(`alter table ${table} disable trigger ${trigger}`)
  try {
    return await work()
  } finally {
    await query(`alter table ${table} enable trigger ${trigger}`)
  }
}

test('PRIV-15 a follow in progress while the account becomes private becomes a request', {
  timeout: raceTimeoutMs,
}, async () => {
  expect(await unaskedFollows(rounds)).toBe(0)
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
})

test('without the database trigger, a request in progress would become a follow', {
  timeout: raceTimeoutMs,
}, async () => {
  expect(await without('follows', 'follows_by_request', () => unaskedFollows(2))).toBeGreaterThan(0)
})

test('PRIV-15 a post in progress while the account becomes private is for followers only', {
  timeout: raceTimeoutMs,
}, async () => {
  expect(await openPosts(rounds)).toBe(0)
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
})

test('without the database trigger, a post in progress would be public', {
  timeout: raceTimeoutMs,
}, async () => {
  expect(await without('posts', 'posts_share', () => openPosts(2))).toBeGreaterThan(0)
  await query('update posts set followers_only = true')
  await query('update users set followers_post_count = post_count')
})

test('PRIV-15 concurrent posts, edits, deletions, follows and switches in both directions all succeed', {
  timeout: raceTimeoutMs,
}, async () => {
  let ids: string[] = []
  await runRaceRounds(
    w.database,
    async (round) => {
      await reset(round % 2 === 0)
      const images = await Promise.all(createArrayByIndex(4, () => insertUploadedImageRow(w.database, petra)))
      const post = (imageId: string) => ({ caption: 'Entre todo', location: 'Aquí', tags: [], imageId })
      ids = await Promise.all(
        images.slice(2).map(async (imageId) => (await petra.call(createPostOperation, post(imageId))).$id),
      )
      return [
        ...images.slice(0, 2).map((imageId) => () => petra.ask(createPostOperation, post(imageId))),
        () => petra.request('PATCH', `/v1/posts/${ids[0]}`, { caption: 'Cambiada a la vez' }),
        () => petra.request('DELETE', `/v1/posts/${ids[1]}`),
        ...[ana, zoe].map((who) => () => who.ask(followOperation, { personId: petra.id })),
        round % 2 === 0 ? goPublic : goPrivate,
      ]
    },
    async (answers) => {
      expect(answers.filter(({ status }) => status >= 300).map(({ body }) => body)).toEqual([])
    },
  )
})

test('PRIV-15 a follow request in progress while the account becomes public becomes a follow', {
  timeout: raceTimeoutMs,
}, async () => {
  await runRaceRounds(
    w.database,
    async () => {
      await reset(true)
      return [ana, zoe].map((who) => () => who.ask(followOperation, { personId: petra.id })).concat(goPublic)
    },
    async () => {
      expect(await numberOf('select count(*) from follow_requests')).toBe(0)
      expect(await numberOf('select count(*) from follows')).toBe(2)
    },
  )
})

async function holdRowOf(person: MemberClient): Promise<() => Promise<void>> {
  const holder = await w.database.pool.connect()
  await holder.query('begin')
  await holder.query(`select from users where id = ${key(person)} for no key update`)
  return async () => {
    await holder.query('rollback')
    holder.release()
  }
}
const stateOf = (who: MemberClient) => who.call(isFollowingOperation, { personId: petra.id })
const waits = { following: false, requested: true }

test('PRIV-15 REQ-08 petra opens her account and closes it again at once, and nobody is admitted afterwards', {
  timeout: raceTimeoutMs,
}, async () => {
  await reset(true)
  for (const who of [ana, zoe]) await who.call(followOperation, { personId: petra.id })
  const release = await holdRowOf(ana)
  const opening = goPublic()
  await waitForLockWaits(w.database, 1, opening)
  expect(await goPrivate()).toMatchObject({ status: 200, body: { isPrivate: true } })
  await release()
  expect(await opening).toMatchObject({ status: 200, body: { isPrivate: true, followRequestCount: 2 } })
  expect(await Promise.all([ana, zoe].map(stateOf))).toEqual([waits, waits])
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
})

test('REQ-08 a follower waiting behind a hundred others is admitted even if one of the others withdraws meanwhile', {
  timeout: raceTimeoutMs,
}, async () => {
  await reset(true)
  await ana.call(followOperation, { personId: petra.id })
  await query(
    `with made as (insert into accounts (public_id) select 'crowd' || n from generate_series(1, 100) n returning id, public_id),
       crowd as (insert into users (public_id, account_id, name, username) select public_id, id, 'Fan', public_id from made returning id, public_id)
     insert into follow_requests (public_id, asker_id, asked_id) select 'asks' || public_id, id, ${key(petra)} from crowd`,
  )
  const release = await holdRowOf(ana)
  const opening = goPublic()
  await waitForLockWaits(w.database, 1, opening)
  await query(`delete from follow_requests where public_id = 'askscrowd7'`)
  await release()
  expect(await opening).toMatchObject({ status: 200, body: { followRequestCount: 0, followerCount: 100 } })
  expect(await numberOf('select count(*) from follow_requests')).toBe(0)
  await query(`delete from follows`)
  await query(`delete from accounts where public_id like 'crowd%'`)
})

test('REQ-12 if approval, decline and withdrawal happen concurrently, only one succeeds, and nobody gets two outcomes', {
  timeout: raceTimeoutMs,
}, async () => {
  await runRaceRounds(
    w.database,
    async () => {
      await reset(true)
      await ana.call(followOperation, { personId: petra.id })
      const [request] = (await petra.call(listFollowRequestsOperation, {})).documents
      const requestId = request?.$id ?? ''
      return [
        () => petra.ask(approveFollowRequestOperation, { requestId }),
        () => petra.ask(declineFollowRequestOperation, { requestId }),
        () => petra.ask(approveFollowRequestOperation, { requestId }),
        () => ana.ask(unfollowOperation, { personId: petra.id }),
      ]
    },
    async (answers) => {
      const decided = answers.slice(0, 3)
      expect(decided.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
      for (const { status, body } of decided)
        if (status !== 200) expect(body).toMatchObject({ type: 'follow_request_not_found' })
      expect(answers[3]).toMatchObject({ status: 200, body: { following: false, requested: false } })
    },
  )
})

test('REQ-12 approving or requesting during a block leaves neither a follow nor a request', {
  timeout: raceTimeoutMs,
}, async () => {
  await runRaceRounds(
    w.database,
    async (round) => {
      await reset(true)
      await ana.call(followOperation, { personId: petra.id })
      const [request] = (await petra.call(listFollowRequestsOperation, {})).documents
      const requestId = request?.$id ?? ''
      const [who, whom] = round % 2 ? [ana, petra] : [petra, ana]
      if (round % 3 === 0) await ana.call(unfollowOperation, { personId: petra.id })
      return [
        () => petra.ask(approveFollowRequestOperation, { requestId }),
        () => who.ask(blockMemberOperation, { personId: whom.id }),
        () => ana.ask(followOperation, { personId: petra.id }),
      ]
    },
    async (answers) => {
      expect(answers[1]?.status).toBe(200)
      expect(await numberOf('select count(*) from follows')).toBe(0)
      expect(await numberOf('select count(*) from follow_requests')).toBe(0)
      for (const [who, whom] of [
        [ana, petra],
        [petra, ana],
      ] as const)
        await who.call(unblockMemberOperation, { personId: whom.id })
    },
  )
})
