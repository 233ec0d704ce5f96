import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { leaveGroupOperation } from '#contract/groups/group-members.ts'
import { approveJoinRequestOperation, requestToJoinOperation } from '#contract/groups/group-requests.ts'
import { getGroupOperation } from '#contract/groups/groups.ts'
import {
  countNotificationsOperation,
  listNotificationsOperation,
  markNotificationsReadOperation,
  markNotificationsSeenOperation,
  type Notification,
} from '#contract/notifications/notifications.ts'
import { blockMemberOperation, unblockMemberOperation } from '#contract/people/blocks.ts'
import {
  listMutedMembersOperation,
  listRestrictedMembersOperation,
  muteMemberOperation,
  restrictMemberOperation,
  unmuteMemberOperation,
  unrestrictMemberOperation,
} from '#contract/people/mutes-and-restrictions.ts'
import { followOperation, getPersonOperation, unfollowOperation } from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import {
  deletePostOperation,
  getPostOperation,
  likePostOperation,
  listLikersOperation,
  unlikePostOperation,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import { createNotificationWriter } from '#server/features/notifications/write-notifications.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createGroupWithMembers, createPostInGroup } from '#tests/support/group-factory.ts'
import { createArrayByIndex, raceTimeoutMs } from '#tests/support/run-race-rounds.ts'
import { startSecondServerNode } from '#tests/support/second-node.ts'
import { readNotifications, settleNotifications } from '#tests/support/settle-notifications.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

const rounds = Number(process.env.RACE_ROUNDS ?? 5)
const seed = Number(process.env.FUZZ_SEED ?? 20261123)

const w: TestWorld = await createTestWorld({ LIMITS: 'off' })
afterAll(() => w.end())

/** Lists every act with which a member changes what others can see. */
const acts = {
  like: (by, { post }) => by.ask(likePostOperation, { postId: post }),
  unlike: (by, { post }) => by.ask(unlikePostOperation, { postId: post }),
  follow: (by, { of }) => by.ask(followOperation, { personId: of.id }),
  unfollow: (by, { of }) => by.ask(unfollowOperation, { personId: of.id }),
  block: (by, { of }) => by.ask(blockMemberOperation, { personId: of.id }),
  unblock: (by, { of }) => by.ask(unblockMemberOperation, { personId: of.id }),
  mute: (by, { of }) => by.ask(muteMemberOperation, { personId: of.id }),
  unmute: (by, { of }) => by.ask(unmuteMemberOperation, { personId: of.id }),
  restrict: (by, { of }) => by.ask(restrictMemberOperation, { personId: of.id }),
  unrestrict: (by, { of }) => by.ask(unrestrictMemberOperation, { personId: of.id }),
  hide: (by) => by.ask(updatePrivacySettingsOperation, { isPrivate: true }),
  open: (by) => by.ask(updatePrivacySettingsOperation, { isPrivate: false }),
  close: (by) => setStatus(by, 'blocked'),
  reopen: (by) => setStatus(by, 'active'),
  leave: (by, { group }) => by.ask(leaveGroupOperation, { groupId: group }),
  join: async (by, { group, admin }) => {
    const asked = await by.ask(requestToJoinOperation, { groupId: group })
    if (asked.status === 201)
      await admin.ask(approveJoinRequestOperation, { requestId: (asked.body as { $id: string }).$id })
  },
  askToJoin: (by, { group }) => by.ask(requestToJoinOperation, { groupId: group }),
  name: (by, { of, post, groupOf }) =>
    by.ask(updatePostOperation, {
      postId: post,
      caption: `Con @${of.email.split('@')[0]}`,
      location: 'Casa',
      tags: [],
      groupId: groupOf,
    }),
  move: (by, { post, group }) =>
    by.ask(updatePostOperation, {
      postId: post,
      caption: 'Ya no',
      location: 'Casa',
      tags: [],
      groupId: group,
    }),
  remove: (by, { post }) => by.ask(deletePostOperation, { postId: post }),
} satisfies Record<string, (by: MemberClient, scene: Scene) => Promise<unknown>>

type Scene = {
  of: MemberClient
  post: string
  group: string
  groupOf: string | null
  admin: MemberClient
}

const setStatus = ({ id }: MemberClient, status: string) =>
  w.database.pool.query(
    `update accounts set status = $2, closed_at = case when $2 = 'blocked' then clock_timestamp() end
     where id = (select account_id from users where public_id = $1)`,
    [id, status],
  )

const step = fc.record({
  act: fc.constantFrom(...(Object.keys(acts) as (keyof typeof acts)[])),
  by: fc.nat(3),
  of: fc.nat(3),
  post: fc.nat(5),
  looks: fc.boolean(),
})

/** Requests all content that a notification names. Hidden content would return 404. */
async function expectNamedContentVisible(reader: MemberClient, row: Notification): Promise<void> {
  const refused = async (what: string, answer: Promise<{ status: number }>) => {
    const { status } = await answer
    return status === 200 ? [] : [`${what} ${status}`]
  }
  const quiet = new Set(
    [
      ...(await reader.call(listMutedMembersOperation, { limit: 100 })).documents,
      ...(await reader.call(listRestrictedMembersOperation, { limit: 100 })).documents,
    ].map(({ person }) => person.$id),
  )
  const likers =
    row.kind === 'like' && row.post
      ? (await reader.call(listLikersOperation, { postId: row.post.$id, limit: 100 })).documents.map(
          ({ $id }) => $id,
        )
      : null
  const broken = [
    ...(row.post ? await refused('post', reader.ask(getPostOperation, { postId: row.post.$id })) : []),
    ...(row.group ? await refused('group', reader.ask(getGroupOperation, { groupId: row.group.$id })) : []),
    ...row.people.flatMap(({ $id }) => (quiet.has($id) ? ['muted or restricted'] : [])),
    ...row.people.flatMap(({ $id }) => (likers && !likers.includes($id) ? ['likes no more'] : [])),
  ]
  for (const { $id } of row.people)
    broken.push(...(await refused('person', reader.ask(getPersonOperation, { personId: $id }))))
  if (row.kind === 'group-post' || row.kind === 'join-approved') {
    const { membership } = await reader.call(getGroupOperation, { groupId: row.group?.$id ?? '' })
    if (membership !== 'member' && membership !== 'admin') broken.push(`of a group: ${membership}`)
  }
  expect([row.kind, broken]).toEqual([row.kind, []])
}

test(`NOT-06 NOT-07 NOT-08 random actions of four members never notify anyone of hidden content (seed ${seed})`, {
  timeout: raceTimeoutMs,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60 }), async (steps) => {
      const people = await Promise.all(['Ana', 'Bea', 'Cora', 'Dora'].map((name) => w.join(name)))
      const [ana, bea, cora] = people as [MemberClient, MemberClient, MemberClient, MemberClient]
      const group = await createGroupWithMembers(ana, bea, cora)
      const posts = await Promise.all(
        [ana, bea, ana, bea, cora, ana].map(async (author, n) => {
          const groupOf = n < 2 ? group : null
          return { post: await createPostInGroup(w.database, author, groupOf), groupOf }
        }),
      )
      for (const { act, by, of, post, looks } of steps) {
        const [actor, other, about] = [people[by], people[of], posts[post]]
        if (!actor || !other || !about) continue
        await acts[act](actor, { of: other, ...about, group, admin: ana })
        if (!looks) continue
        const reader = people[(by + of) % people.length] ?? ana
        await settleNotifications(w.database)
        const listed = await reader.ask(listNotificationsOperation, { limit: 100 })
        if (listed.status !== 200) continue
        const rows = (listed.body as { documents: Notification[] }).documents
        for (const row of rows) await expectNamedContentVisible(reader, row)
        const counts = await reader.call(countNotificationsOperation, {})
        expect(counts.unread).toBe(rows.filter(({ unread }) => unread).length)
      }
      const broken = await findBrokenDatabaseInvariants(w.database)
      expect(broken.filter(({ invariant }) => invariant.includes('notification'))).toEqual([])
    }),
    { numRuns: Math.max(3, Math.floor(rounds / 2)), seed, endOnFailure: true },
  )
})

test('NOT-10 a notification that arrives during Mark all as read stays unread', {
  timeout: raceTimeoutMs,
}, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const [ana, bea, cora] = await Promise.all([w.join('Ana'), w.join('Bea'), w.join('Cora')])
    const post = await createPostInGroup(w.database, ana, null)
    await bea.call(likePostOperation, { postId: post })
    const [before] = await readNotifications(w.database, ana)
    const upTo = before?.seq ?? 0
    await Promise.all([
      ana.call(markNotificationsReadOperation, { upTo }),
      ana.call(markNotificationsReadOperation, { upTo, postId: post }),
      cora.call(likePostOperation, { postId: post }).then(() => settleNotifications(w.database)),
    ])
    expect(await readNotifications(w.database, ana)).toMatchObject([{ unread: true, count: 2 }])
  }
})

test('NOT-09 if two devices mark different positions as seen, the higher position counts', {
  timeout: raceTimeoutMs,
}, async () => {
  const [ana, bea] = await Promise.all([w.join('Ana'), w.join('Bea')])
  for (let round = 0; round < rounds; round += 1) {
    const post = await createPostInGroup(w.database, ana, null)
    await bea.call(likePostOperation, { postId: post })
    const [newest] = await readNotifications(w.database, ana)
    const upTo = newest?.seq ?? 0
    await Promise.all(
      [upTo, upTo - 1, 0].map((n) => ana.call(markNotificationsSeenOperation, { upTo: Math.max(0, n) })),
    )
    expect(await ana.call(countNotificationsOperation, {})).toMatchObject({ unseen: 0 })
  }
})

test('NOT-13 a thousand likes of one post within a second cause at most two upserts', {
  timeout: raceTimeoutMs,
}, async () => {
  const ana = await w.join('Ana')
  const post = await createPostInGroup(w.database, ana, null)
  await settleNotifications(w.database)
  for (const from of [0, 500]) {
    await w.database.pool.query(
      `with fans as (
         insert into accounts (public_id, email) select 'fan' || n, 'fan' || n || '@example.org'
         from generate_series($1::int + 1, $1::int + 500) n returning id, public_id
       ), people as (
         insert into users (public_id, account_id, name, username) select public_id, id, 'Fan', public_id from fans returning id
       ), liked as (
         insert into post_likes (post_id, user_id) select p.id, people.id from posts p, people where p.public_id = $2 returning *
       )
       insert into changes (collection, kind, row_id, public_id, state)
       select 'posts', 'update', l.post_id, $2, jsonb_build_object('caused_by', jsonb_build_array(l.user_id)) from liked l`,
      [from, post],
    )
    await settleNotifications(w.database)
  }
  const rows = await readNotifications(w.database, ana)
  expect(rows).toMatchObject([{ count: 100 }])
  expect(rows[0]?.seq).toBeLessThanOrEqual(2)
})

test('NOT-14 two concurrent nodes create every notification exactly once', {
  timeout: raceTimeoutMs,
}, async () => {
  const second = await startSecondServerNode(w.database)
  try {
    const ana = await w.join('Ana')
    const fans = await Promise.all(createArrayByIndex(6, (n) => w.join(`Lea${n}`)))
    for (let round = 0; round < rounds; round += 1) {
      const posts = await Promise.all(createArrayByIndex(6, () => createPostInGroup(w.database, ana, null)))
      const [before] = await readNotifications(w.database, ana)
      await Promise.all([
        ...posts.map((postId, n) => fans[n]?.call(likePostOperation, { postId })),
        ...createArrayByIndex(4, () => createNotificationWriter(w.database, () => {})()),
      ])
      await settleNotifications(w.database)
      const rows = await readNotifications(w.database, ana)
      const changes = rows.filter(({ seq }) => seq > (before?.seq ?? 0))
      expect(changes.map(({ post }) => post?.$id).toSorted()).toEqual(posts.toSorted())
      expect(new Set(changes.map(({ seq }) => seq)).size).toBe(posts.length)
      expect(changes[0]?.seq).toBe((before?.seq ?? 0) + posts.length)
    }
  } finally {
    await second.end()
  }
})

test('NOT-14 a notification round that is cut off before its commit runs again, and nothing is lost or duplicated', async () => {
  const [ana, bea] = await Promise.all([w.join('Ana'), w.join('Bea')])
  await settleNotifications(w.database)
  const post = await createPostInGroup(w.database, ana, null)
  await bea.call(likePostOperation, { postId: post })
  // A change that commits late is read after its commit. A job that runs before skips it.
  const slow = await w.database.pool.connect()
  try {
    await slow.query('begin')
    await slow.query(
      `insert into changes (collection, kind, row_id, public_id, state)
       select 'posts', 'update', p.id, p.public_id, jsonb_build_object('caused_by', jsonb_build_array(u.id))
       from posts p, users u where p.public_id = $1 and u.public_id = $2`,
      [post, bea.id],
    )
    for (let n = 0; n < 3; n += 1) await settleNotifications(w.database)
    const [first] = await readNotifications(w.database, ana)
    await slow.query('commit')
    expect(await readNotifications(w.database, ana)).toMatchObject([{ seq: first?.seq, count: 1 }])
  } finally {
    slow.release()
  }
  const killed = await w.database.pool.connect()
  const cora = await w.join('Cora')
  await killed.query('begin')
  await killed.query(`select pg_advisory_xact_lock(hashtext('notifications'))`)
  await cora.call(likePostOperation, { postId: post })
  expect(await createNotificationWriter(w.database, () => {})()).toBe('busy')
  killed.release(true)
  expect(await readNotifications(w.database, ana)).toMatchObject([{ count: 2 }])
})

test('events before the first notification round notify nobody', async () => {
  const [ana, bea] = await Promise.all([w.join('Ana'), w.join('Bea')])
  await settleNotifications(w.database)
  const old = await createPostInGroup(w.database, ana, null)
  await bea.call(likePostOperation, { postId: old })
  await w.database.pool.query('delete from notification_cursor')
  await settleNotifications(w.database)
  const fresh = await createPostInGroup(w.database, ana, null)
  await bea.call(likePostOperation, { postId: fresh })
  expect((await readNotifications(w.database, ana)).map(({ post }) => post?.$id)).toEqual([fresh])
})
