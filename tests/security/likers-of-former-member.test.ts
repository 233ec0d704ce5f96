/** A former member of a group still sees how many people like her post there, but no names except her own. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDocumentsChannelName } from '#api-client/realtime-urls.ts'
import { removeGroupMemberOperation } from '#contract/groups/group-members.ts'
import { likePostOperation, listLikersOperation } from '#contract/posts/posts.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import { appwriteDocumentsPath } from '#tests/support/appwrite-documents-client.ts'
import { waitForChangePosition } from '#tests/support/change-log-position.ts'
import { createGroupWithMembers, createPostInGroup } from '#tests/support/group-factory.ts'
import { openTestSocket } from '#tests/support/test-socket.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  ana = await w.join('Ana')
  bea = await w.join('Bea')
})
afterAll(() => w.end())

test('a former member sees the number of likes of her post in the group, and no names but her own', async () => {
  const [mia, later] = [await w.join('Mia'), await w.join('Later')]
  const group = await createGroupWithMembers(ana, mia, bea, later)
  const post = await createPostInGroup(w.database, mia, group)
  for (const person of [ana, bea, mia]) await person.call(likePostOperation, { postId: post })
  await ana.call(removeGroupMemberOperation, { groupId: group, memberId: mia.id })
  const since = await waitForChangePosition(w.database, mia)
  const socket = await openTestSocket(w.app, { as: mia, channels: [buildDocumentsChannelName('posts')] })
  await later.call(likePostOperation, { postId: post })
  const likesOf = (document: unknown) => {
    const { likes, likesTotal } = document as { likes: { $id: string }[]; likesTotal: number }
    return [likes.map(({ $id }) => $id), likesTotal]
  }
  const path = appwriteDocumentsPath('posts')
  expect(likesOf((await mia.request('GET', `${path}/${post}`)).body)).toEqual([[mia.id], 4])
  const listed = await mia.request<{ documents: { $id: string }[] }>('GET', path)
  expect(likesOf(listed.body.documents.find(({ $id }) => $id === post))).toEqual([[mia.id], 4])
  const likers = await mia.call(listLikersOperation, { postId: post })
  expect(likers.documents.map(({ $id }) => $id)).toEqual([mia.id])
  const { changes } = await mia.call(catchUpOperation, { since, collections: 'posts' })
  expect(changes.map(({ document }) => document)).toEqual([{ $id: post, creatorId: mia.id, groupId: group }])
  expect(likesOf((await socket.event('posts', 'update')).payload)).toEqual([[mia.id], 4])
  socket.close()
  const [seen] = likesOf((await bea.request('GET', `${path}/${post}`)).body)
  expect(seen).toEqual([later.id, mia.id, bea.id, ana.id])
})
