/** Tests that a member who loses more rows than the change log lists loads everything again. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leaveGroupOperation, removeGroupMemberOperation } from '#contract/groups/group-members.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import { socketCloseCodes } from '#contract/realtime/socket-close-codes.ts'
import { waitForChangePosition } from '#tests/support/change-log-position.ts'
import { createGroupWithMembers, createPostInGroup } from '#tests/support/group-factory.ts'
import { openTestSocket } from '#tests/support/test-socket.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  ana = await w.join('Ana')
})
afterAll(() => w.end())

async function groupWithPosts(author: MemberClient, count: number, ...members: MemberClient[]) {
  const groupId = await createGroupWithMembers(ana, ...members)
  for (let post = 0; post < count; post += 1) await createPostInGroup(w.database, author, groupId)
  return groupId
}

test('RT-14 a member removed from a group with more than a hundred posts loads everything again, on her sockets and when she catches up', async () => {
  const bea = await w.join('Bea')
  const groupId = await groupWithPosts(ana, 101, bea)
  const since = await waitForChangePosition(w.database, bea)
  const product = await openTestSocket(w.app, { as: bea, path: '/v1/live' })
  const appwrite = await openTestSocket(w.app, { as: bea, channels: ['documents'] })
  const anas = await openTestSocket(w.app, { as: ana, path: '/v1/live' })
  await ana.call(removeGroupMemberOperation, { groupId, memberId: bea.id, currentUserId: ana.id })
  expect([await product.closed, await appwrite.closed]).toEqual([
    socketCloseCodes.refresh,
    socketCloseCodes.refresh,
  ])
  expect(anas.isOpen).toBe(true)
  anas.close()
  expect((await bea.call(catchUpOperation, { since, collections: 'posts' })).resync).toBe(true)
  expect((await bea.call(catchUpOperation, { since, collections: 'messages' })).resync).toBe(false)
})

test('RT-14 a member removed from a group with a hundred posts learns which they are', async () => {
  const bea = await w.join('Bea')
  const groupId = await groupWithPosts(ana, 100, bea)
  const since = await waitForChangePosition(w.database, bea)
  await ana.call(removeGroupMemberOperation, { groupId, memberId: bea.id, currentUserId: ana.id })
  const { changes, resync } = await bea.call(catchUpOperation, { since, collections: 'posts' })
  expect([changes.length, resync]).toEqual([100, false])
})

test.each([
  [
    'removes her',
    (groupId: string, bea: MemberClient) =>
      ana.call(removeGroupMemberOperation, { groupId, memberId: bea.id, currentUserId: ana.id }),
  ],
  [
    'sees her leave',
    (groupId: string, bea: MemberClient) => bea.call(leaveGroupOperation, { groupId, userId: bea.id }),
  ],
])(
  'RT-14 when the admin %s, bea cannot infer from the number of changes that a member who blocked her posted',
  async (_, end) => {
    const [bea, dora] = [await w.join('Bea'), await w.join('Dora')]
    const groupId = await groupWithPosts(ana, 60, bea, dora)
    await createPostInGroup(w.database, dora, groupId)
    for (let post = 0; post < 40; post += 1) await createPostInGroup(w.database, ana, groupId)
    await dora.call(blockMemberOperation, { personId: bea.id })
    const since = await waitForChangePosition(w.database, bea)
    await end(groupId, bea)
    const { changes, resync } = await bea.call(catchUpOperation, { since, collections: 'posts' })
    expect([changes.length, resync]).toEqual([100, false])
  },
)

test('RT-14 when an author leaves a group and hides more than a hundred posts, only readers of the group load everything again', async () => {
  const [bea, cleo, eva] = [await w.join('Bea'), await w.join('Cleo'), await w.join('Eva')]
  const groupId = await groupWithPosts(bea, 101, bea, cleo)
  const positions = await Promise.all([cleo, eva].map((each) => waitForChangePosition(w.database, each)))
  await bea.call(leaveGroupOperation, { groupId, userId: bea.id, posts: 'take' })
  const caughtUp = await Promise.all(
    [cleo, eva].map((each, i) => each.call(catchUpOperation, { since: positions[i], collections: 'posts' })),
  )
  expect(caughtUp.map(({ resync }) => resync)).toEqual([true, false])
})
