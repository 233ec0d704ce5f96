import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConversation, sendMessage } from '#contract/chat.ts'
import { requestToJoin } from '#contract/group-requests.ts'
import { createGroup } from '#contract/groups.ts'
import { follow, unfollow } from '#contract/people.ts'
import { createPost, likePost, savePost } from '#contract/posts.ts'
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

test('PERM-02 ana may like, save, follow, unfollow, chat and ask to join, all of it with what is bea’s', async () => {
  const imageId = await bea.upload(await createJpeg())
  const post = await bea.call(createPost, { caption: 'De bea', location: 'Aquí', tags: [], imageId })
  const group = await bea.call(createGroup, { name: 'De bea' })

  expect(await ana.call(likePost, { postId: post.$id })).toEqual({ liked: true, likeCount: 1 })
  expect(await ana.call(savePost, { postId: post.$id })).toEqual({ saved: true })
  expect(await ana.call(follow, { personId: bea.id })).toEqual({ following: true, requested: false })
  expect(await ana.call(unfollow, { personId: bea.id })).toEqual({ following: false, requested: false })
  const talk = await ana.call(openConversation, { personId: bea.id })
  expect(await ana.call(sendMessage, { conversationId: talk.$id, content: 'Hola' })).toMatchObject({
    senderId: ana.id,
  })
  expect(await ana.call(requestToJoin, { groupId: group.$id })).toMatchObject({ status: 'pending' })
})
