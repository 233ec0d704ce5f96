import { afterAll, beforeAll, expect, test } from 'vitest'
import { listConversationsOperation, openConversationOperation } from '#contract/chat/conversations.ts'
import { listMessagesOperation, sendMessageOperation } from '#contract/chat/messages.ts'
import { type CollectionName, collectionNames } from '#contract/collection-names.ts'
import { createCommentOperation, listCommentsOperation } from '#contract/comments/comments.ts'
import { getGroupMembershipOperation, listGroupMembersOperation } from '#contract/groups/group-members.ts'
import {
  approveJoinRequestOperation,
  getLatestJoinRequestOperation,
  listPendingJoinRequestsOperation,
  requestToJoinOperation,
} from '#contract/groups/group-requests.ts'
import {
  getGroupOperation,
  listGroupPostsOperation,
  listGroupsOperation,
  listMyGroupsPostsOperation,
} from '#contract/groups/groups.ts'
import type { Operation } from '#contract/operation.ts'
import {
  followOperation,
  getPersonOperation,
  isFollowingOperation,
  listFollowersOperation,
  listFollowingOperation,
  listPeopleOperation,
  searchPeopleOperation,
  updateProfileOperation,
} from '#contract/people/people.ts'
import {
  createPostOperation,
  explorePostsOperation,
  getHomeFeedOperation,
  getPostOperation,
  likePostOperation,
  listLikersOperation,
  listPersonPostsOperation,
  listSavedPostsOperation,
  savePostOperation,
  searchPostsOperation,
} from '#contract/posts/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { createGroupWithMembers } from '#tests/support/group-factory.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'
import { appwriteDocumentsPath, createAppwriteDocumentsClient } from '../support/appwrite-documents-client.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
/** Dora follows nobody, so Home contains only posts of her group. */
let dora: MemberClient
let fio: MemberClient
let post: string
let picture: string
let portrait: string
let group: string
let asked: string
let request: string
let own: string
let liked: string
let conversation: string
beforeAll(async () => {
  w = await createTestWorld()
  ;[ana, bea, fio] = [await w.join('Ana'), await w.join('Bea'), await w.join('Fiorella')]
  dora = await w.join('Dora')
  portrait = await fio.upload(await createJpeg('#112233'))
  await fio.call(updateProfileOperation, { personId: fio.id, imageId: portrait })
  group = await createGroupWithMembers(ana, bea, dora, fio)
  asked = await createGroupWithMembers(ana)
  own = await createGroupWithMembers(fio)
  request = (await fio.call(requestToJoinOperation, { groupId: asked })).$id
  picture = await fio.upload(await createJpeg('#445566'))
  const words = { caption: 'Con Fiorella en la playa', location: 'Cádiz', tags: [] }
  post = (await fio.call(createPostOperation, { ...words, imageId: picture })).$id
  const imageId = await fio.upload(await createJpeg('#778899'))
  await fio.call(createPostOperation, { ...words, imageId, groupId: group })
  await bea.call(followOperation, { personId: fio.id })
  await fio.call(followOperation, { personId: bea.id })
  await bea.call(savePostOperation, { postId: post })
  const beasPicture = await bea.upload(await createJpeg('#99aabb'))
  liked = (await bea.call(createPostOperation, { ...words, caption: 'De bea', imageId: beasPicture })).$id
  await fio.call(likePostOperation, { postId: liked })
  await fio.call(createCommentOperation, { postId: liked, content: 'Qué bonito' })
  conversation = (await bea.call(openConversationOperation, { personId: fio.id })).$id
  await fio.call(sendMessageOperation, { conversationId: conversation, content: 'hola, bea' })
})
afterAll(() => w.end())

const looks = (): [MemberClient, Operation, Record<string, unknown>][] => [
  [bea, listPeopleOperation, { limit: 100 }],
  [bea, searchPeopleOperation, { term: 'fiorella' }],
  [bea, getPersonOperation, { personId: fio.id }],
  [bea, listFollowersOperation, { personId: bea.id }],
  [bea, listFollowingOperation, { personId: bea.id }],
  [bea, getHomeFeedOperation, {}],
  [dora, getHomeFeedOperation, {}],
  [bea, explorePostsOperation, {}],
  [bea, searchPostsOperation, { term: 'playa' }],
  [bea, listSavedPostsOperation, {}],
  [bea, getPostOperation, { postId: post }],
  [bea, listLikersOperation, { postId: liked }],
  [bea, listCommentsOperation, { postId: liked }],
  [bea, listPersonPostsOperation, { personId: fio.id }],
  [bea, listGroupPostsOperation, { groupId: group }],
  [bea, listMyGroupsPostsOperation, {}],
  [bea, listGroupMembersOperation, { groupId: group }],
  [bea, listGroupsOperation, { limit: 100 }],
  [bea, getGroupOperation, { groupId: own }],
  [ana, listPendingJoinRequestsOperation, { groupId: asked }],
  [ana, getLatestJoinRequestOperation, { groupId: asked, userId: fio.id }],
]
const documentReader = (collection: CollectionName): MemberClient =>
  collection === 'groupRequests' ? ana : bea
/** Conversations stay visible to the other participant. */
const staying: CollectionName[] = ['conversations', 'messages']
const pictures = () => [picture, portrait].map((id) => `/v1/storage/buckets/media/files/${id}/preview`)

async function found(): Promise<string[]> {
  const places: string[] = []
  const isThere = ({ raw }: { raw: Buffer }) => raw.includes('Fiorella') || raw.includes(`"${fio.id}"`)
  for (const [who, operation, input] of looks())
    if (isThere(await who.ask(operation, input))) places.push(operation.path)
  for (const collection of collectionNames) {
    if (isThere(await documentReader(collection).request('GET', appwriteDocumentsPath(collection))))
      places.push(collection)
  }
  for (const path of pictures()) if ((await bea.request('GET', path)).status === 200) places.push(path)
  return places
}

test('U1 FO1 A24 a closed account disappears from every list, search, post and picture, and returns when reopened', async () => {
  const everywhere = await found()
  expect(everywhere).toHaveLength(looks().length + collectionNames.length + pictures().length)

  expect((await fio.request('PATCH', '/v1/account/status', {})).status).toBe(200)
  expect(await found()).toEqual(staying)
  expect(await bea.refusal(getPersonOperation, { personId: fio.id })).toMatchObject({ code: 404 })
  expect(await bea.refusal(getPostOperation, { postId: post })).toMatchObject({ code: 404 })
  expect(await bea.refusal(likePostOperation, { postId: post })).toMatchObject({ code: 404 })
  expect(await ana.refusal(followOperation, { personId: fio.id })).toMatchObject({ code: 404 })
  expect(await bea.refusal(isFollowingOperation, { personId: fio.id })).toMatchObject({ code: 404 })
  expect(await ana.refusal(openConversationOperation, { personId: fio.id })).toMatchObject({ code: 404 })
  expect(await ana.refusal(approveJoinRequestOperation, { requestId: request })).toMatchObject({ code: 403 })
  expect(await ana.call(getGroupOperation, { groupId: asked })).toMatchObject({ pendingCount: 0 })
  expect(await bea.call(getGroupMembershipOperation, { groupId: group })).toMatchObject({ isMember: true })

  // Bea still sees the conversation, but it accepts no new messages.
  expect((await bea.call(listMessagesOperation, { conversationId: conversation })).documents).toHaveLength(1)
  expect((await bea.call(listConversationsOperation, {})).documents).toHaveLength(1)
  const sent = await bea.ask(sendMessageOperation, { conversationId: conversation, content: '¿sigues ahí?' })
  expect(sent.status).toBe(403)
  expect((await bea.call(listMessagesOperation, { conversationId: conversation })).documents).toHaveLength(1)

  await w.database.pool.query(`update accounts set status = 'active' where public_id = $1`, [fio.accountId])
  expect(await found()).toEqual(everywhere)
})

test.each(['before', 'after'])(
  'U1 nobody can write to or open a conversation with a closed account that was created %s her own',
  async (when) => {
    const made = [await w.join('Noor'), await w.join('Olga'), await w.join('Pura')]
    if (when === 'after') made.reverse()
    const [closed, other, stranger] = made as [MemberClient, MemberClient, MemberClient]
    const { $id } = await other.call(openConversationOperation, { personId: closed.id })
    await other.call(sendMessageOperation, { conversationId: $id, content: 'hola' })
    expect((await closed.request('PATCH', '/v1/account/status', {})).status).toBe(200)
    const sent = await other.ask(sendMessageOperation, { conversationId: $id, content: '¿sigues ahí?' })
    expect(sent.status).toBe(403)
    expect(await stranger.refusal(openConversationOperation, { personId: closed.id })).toMatchObject({
      code: 404,
    })
    const conversation = { participants: [stranger.id, closed.id], type: 'direct' }
    expect(
      (await createAppwriteDocumentsClient(stranger, 'conversations').create(conversation)).status,
    ).toBeGreaterThanOrEqual(401)
  },
)
