import { afterAll, beforeEach, expect, test } from 'vitest'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { leaveGroupOperation } from '#contract/groups/group-members.ts'
import {
  approveFollowRequestOperation,
  declineFollowRequestOperation,
  listFollowRequestsOperation,
} from '#contract/people/follow-requests.ts'
import {
  followOperation,
  getPersonOperation,
  removeFollowerOperation,
  unfollowOperation,
  updateProfileOperation,
} from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import { deletePostOperation, getPostOperation, updatePostOperation } from '#contract/posts/posts.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import { waitForChangePosition } from '#tests/support/change-log-position.ts'
import { createGroupWithMembers, createPostInGroup } from '#tests/support/group-factory.ts'
import { collectSocketEvents, openTestSocket, type TestSocket } from '#tests/support/test-socket.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

const w: TestWorld = await createTestWorld()
afterAll(() => w.end())

let petra: MemberClient
/** Bea follows petra. */
let bea: MemberClient
/** Ana does not follow petra. */
let ana: MemberClient
let people: MemberClient[]

beforeEach(async () => {
  people = await Promise.all(['Petra', 'Bea', 'Ana'].map((name) => w.join(name)))
  ;[petra, bea, ana] = people as [MemberClient, MemberClient, MemberClient]
  await bea.call(followOperation, { personId: petra.id })
})

const goPrivate = () => petra.call(updatePrivacySettingsOperation, { isPrivate: true })

/** Returns what all three members receive by socket and by catching up, such as `posts delete`. */
async function receivedBy(
  ids: () => string[],
  work: () => Promise<unknown>,
): Promise<Record<string, string[]>> {
  const collections = ['posts', 'follows', 'users']
  const channels = collections.map((name) => `databases.main.collections.${name}.documents`)
  const since = await waitForChangePosition(w.database, petra)
  const listening = await Promise.all(
    people.map(async (as) => ({
      as,
      live: await openTestSocket(w.app, { as, path: '/v1/live' }),
      appwrite: await openTestSocket(w.app, { as, channels }),
    })),
  )
  await work()
  const received = await Promise.all(
    listening.map(async ({ as, live, appwrite }) => {
      const [, events] = await Promise.all([collectSocketEvents(live, as), collectSocketEvents(appwrite, as)])
      const { changes } = await as.call(catchUpOperation, { since })
      for (const socket of [live, appwrite]) socket.close()
      const ofLive = framesOf(live).flatMap(({ id, what }) => (ids().includes(id) ? [what] : []))
      const ofAppwrite = events.flatMap(({ payload, events: [exact = ''] }) =>
        ids().includes(payload.$id) ? [`${payload.$collectionId} ${exact.split('.').at(-1)}`] : [],
      )
      const caughtUp = changes.flatMap(({ collection, kind, document }) =>
        ids().includes(document.$id) ? [`${collection} ${kind}`] : [],
      )
      const documents = ofLive.filter((what) => !what.startsWith('followRequests'))
      const ends = (changed: readonly string[]) =>
        new Set(changed.filter((what) => what.endsWith(' delete') || what === 'users update'))
      expect([as.name, new Set(ofAppwrite)]).toEqual([as.name, new Set(documents)])
      expect([as.name, ends(caughtUp)]).toEqual([as.name, ends(documents)])
      return [as.name, [...new Set(ofLive)].sort()] as const
    }),
  )
  return Object.fromEntries(received)
}

const framesOf = ({ frames }: TestSocket) =>
  frames.flatMap(({ type, data }) =>
    type === 'change'
      ? [
          {
            id: String((data?.document as { $id?: string } | undefined)?.$id),
            what: `${data?.collection} ${data?.kind}`,
          },
        ]
      : [],
  )

test('PRIV-06 switching to private sends the ids of removed posts to members who lose access, but not to followers', async () => {
  const ids = await Promise.all([1, 2, 3].map(() => createPostInGroup(w.database, petra, null)))
  expect(await receivedBy(() => ids, goPrivate)).toEqual({ Petra: [], Bea: [], Ana: ['posts delete'] })
  const { imageId } = await bea.call(getPostOperation, { postId: ids[0] ?? '' })
  expect((await ana.request('GET', `/v1/files/${imageId}/content?width=64`)).status).toBe(404)
})

test('PRIV-06 only the author and followers receive creation, changes, move and deletion of a followers-only post', async () => {
  await goPrivate()
  const group = await createGroupWithMembers(petra, ana)
  let id = ''
  const ids = () => [id]
  const made = async () => {
    id = await createPostInGroup(w.database, petra, null)
  }
  const changed = { Petra: ['posts update'], Bea: ['posts update'], Ana: [] }
  expect(await receivedBy(ids, made)).toEqual({ Petra: ['posts create'], Bea: ['posts create'], Ana: [] })
  expect(
    await receivedBy(ids, () => petra.call(updatePostOperation, { postId: id, caption: 'Otra cosa' })),
  ).toEqual(changed)
  const moveTo = (groupId: string | null) => () => petra.call(updatePostOperation, { postId: id, groupId })
  expect(await receivedBy(ids, moveTo(group))).toEqual({
    Petra: ['posts update'],
    Bea: ['posts delete'],
    Ana: ['posts update'],
  })
  expect(await receivedBy(ids, moveTo(null))).toEqual({
    Petra: ['posts update'],
    Bea: ['posts update'],
    Ana: ['posts delete'],
  })
  expect(await receivedBy(ids, () => petra.call(deletePostOperation, { postId: id }))).toEqual({
    Petra: ['posts delete'],
    Bea: ['posts delete'],
    Ana: [],
  })
})

test('PRIV-06 when an author without followers moves a followers-only post into a group, nobody else receives the move', async () => {
  await bea.call(unfollowOperation, { personId: petra.id })
  await goPrivate()
  const group = await createGroupWithMembers(petra)
  const id = await createPostInGroup(w.database, petra, null)
  const received = await receivedBy(
    () => [id],
    () => petra.call(updatePostOperation, { postId: id, groupId: group }),
  )
  expect(received).toEqual({ Petra: ['posts update'], Bea: [], Ana: [] })
})

test("MUTE-10 MUTE-11 a removed follower receives the deletion of a private account's posts, but not of the follow", async () => {
  await goPrivate()
  const id = await createPostInGroup(w.database, petra, null)
  const { body } = await bea.request<{ documents: { $id: string }[] }>(
    'GET',
    `/v1/databases/main/collections/follows/documents?queries[0]=${encodeURIComponent(`equal("followerId", ["${bea.id}"])`)}`,
  )
  const edge = body.documents[0]?.$id ?? ''
  expect(edge).not.toBe('')
  const received = await receivedBy(
    () => [id, edge],
    () => petra.call(removeFollowerOperation, { personId: bea.id }),
  )
  expect(received).toEqual({ Petra: ['follows delete'], Bea: ['posts delete'], Ana: [] })
})

test('MUTE-13 only the two members receive changes of a follow while the lists are hidden', async () => {
  const edges = async () => {
    const { rows } = await w.database.pool.query<{ public_id: string }>(
      `select f.public_id from follows f join users u on u.id = f.follower_id where u.public_id = $1`,
      [bea.id],
    )
    return rows.map(({ public_id }) => public_id)
  }
  let known = await edges()
  await petra.call(updatePrivacySettingsOperation, { listsFor: 'followers' })
  expect(
    await receivedBy(
      () => known,
      () => bea.call(unfollowOperation, { personId: petra.id }),
    ),
  ).toEqual({
    Petra: ['follows delete'],
    Bea: ['follows delete'],
    Ana: [],
  })
  const again = async () => {
    await bea.call(followOperation, { personId: petra.id })
    known = await edges()
  }
  expect(await receivedBy(() => known, again)).toEqual({
    Petra: ['follows create'],
    Bea: ['follows create'],
    Ana: [],
  })
})

test('REQ-06 REQ-09 REQ-10 both members receive a follow request and its approval; a decline reaches only the member who declines', async () => {
  await goPrivate()
  let id = ''
  const ids = () => [id]
  const request = async () => {
    await ana.call(followOperation, { personId: petra.id })
    id = (await petra.call(listFollowRequestsOperation, {})).documents[0]?.$id ?? ''
  }
  const nobody = { Petra: [], Bea: [], Ana: [] }
  const created = { ...nobody, Petra: ['followRequests create'], Ana: ['followRequests create'] }
  expect(await receivedBy(ids, request)).toEqual(created)
  expect(await receivedBy(ids, () => ana.call(unfollowOperation, { personId: petra.id }))).toEqual({
    ...nobody,
    Petra: ['followRequests delete'],
    Ana: ['followRequests delete'],
  })
  await request()
  expect(await receivedBy(ids, () => petra.call(approveFollowRequestOperation, { requestId: id }))).toEqual({
    Petra: ['followRequests delete', 'follows create'],
    // Bea also follows petra, and petra's lists are visible to followers.
    Bea: ['follows create'],
    Ana: ['follows create'],
  })
  await petra.call(removeFollowerOperation, { personId: ana.id })
  await request()
  expect(await receivedBy(ids, () => petra.call(declineFollowRequestOperation, { requestId: id }))).toEqual({
    ...nobody,
    Petra: ['followRequests delete'],
  })
  const again = async () => {
    await ana.call(unfollowOperation, { personId: petra.id })
    await ana.call(followOperation, { personId: petra.id })
    const { rows } = await w.database.pool.query('select public_id from follow_requests')
    id = rows[0]?.public_id
  }
  expect(await receivedBy(ids, again)).toEqual({ ...nobody, Ana: ['followRequests create'] })
  expect(await ana.call(getPersonOperation, { personId: petra.id })).toMatchObject({ requested: true })
})

test('MUTE-14 live changes of an unlisted profile reach only members who know her; others can still read it by address', async () => {
  await petra.call(updatePrivacySettingsOperation, { isListed: false })
  const rename = (name: string) => () => petra.call(updateProfileOperation, { personId: petra.id, name })
  const log = ['users update']
  const ids = () => [petra.id]
  expect(await receivedBy(ids, rename('Petra Dos'))).toEqual({ Petra: log, Bea: log, Ana: [] })
  expect(await ana.call(getPersonOperation, { personId: petra.id })).toMatchObject({ name: 'Petra Dos' })
  await petra.call(followOperation, { personId: ana.id })
  expect(await receivedBy(ids, rename('Petra Tres'))).toEqual({ Petra: log, Bea: log, Ana: log })
  await petra.call(unfollowOperation, { personId: ana.id })
  expect(await receivedBy(ids, rename('Petra Cuatro'))).toEqual({ Petra: log, Bea: log, Ana: [] })
  const { $id: conversationId } = await ana.call(openConversationOperation, { personId: petra.id })
  expect(await receivedBy(ids, rename('Petra Cinco'))).toEqual({ Petra: log, Bea: log, Ana: [] })
  await ana.call(sendMessageOperation, { conversationId, content: '¿Estás?' })
  expect(await receivedBy(ids, rename('Petra Seis'))).toEqual({ Petra: log, Bea: log, Ana: log })
})

test('MUTE-14 a member of the same group receives changes of an unlisted profile until leaving the group', async () => {
  await petra.call(updatePrivacySettingsOperation, { isListed: false })
  const group = await createGroupWithMembers(petra, ana)
  const rename = (bio: string) => () => petra.call(updateProfileOperation, { personId: petra.id, bio })
  const log = ['users update']
  expect((await receivedBy(() => [petra.id], rename('Una'))).Ana).toEqual(log)
  await ana.call(leaveGroupOperation, { groupId: group })
  expect((await receivedBy(() => [petra.id], rename('Dos'))).Ana).toEqual([])
})
