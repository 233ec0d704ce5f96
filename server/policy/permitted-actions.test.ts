import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { requestToJoinOperation } from '#contract/groups/group-requests.ts'
import { createGroupOperation } from '#contract/groups/groups.ts'
import { followOperation, unfollowOperation } from '#contract/people/people.ts'
import { createPostOperation, likePostOperation, savePostOperation } from '#contract/posts/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ;[ana, bea] = [await w.join('Ana'), await w.join('Bea')]
})
afterAll(() => w.end())

test("PERM-02 ana can like and save bea's post, follow, unfollow and message bea, and ask to join her group", async () => {
  const imageId = await bea.upload(await createJpeg())
  const post = await bea.call(createPostOperation, { caption: 'De bea', location: 'Aquí', tags: [], imageId })
  const group = await bea.call(createGroupOperation, { name: 'De bea' })

  expect(await ana.call(likePostOperation, { postId: post.$id })).toEqual({ liked: true, likeCount: 1 })
  expect(await ana.call(savePostOperation, { postId: post.$id })).toEqual({ saved: true })
  expect(await ana.call(followOperation, { personId: bea.id })).toEqual({ following: true, requested: false })
  expect(await ana.call(unfollowOperation, { personId: bea.id })).toEqual({
    following: false,
    requested: false,
  })
  const conversation = await ana.call(openConversationOperation, { personId: bea.id })
  expect(
    await ana.call(sendMessageOperation, { conversationId: conversation.$id, content: 'Hola' }),
  ).toMatchObject({
    senderId: ana.id,
  })
  expect(await ana.call(requestToJoinOperation, { groupId: group.$id })).toMatchObject({ status: 'pending' })
})
