/** A member who closes her account is found nowhere from then on (rows U1 and FO1 of docs/permissions.md). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listConversations, listMessages, openConversation, sendMessage } from '#contract/chat.ts'
import { type CollectionName, collectionNames } from '#contract/collection-names.ts'
import { checkMembership, listMembers } from '#contract/group-members.ts'
import {
  approveJoinRequest,
  getLatestJoinRequest,
  listPendingJoinRequests,
  requestToJoin,
} from '#contract/group-requests.ts'
import { getGroup, listGroupPosts, listGroups, listMyGroupsPosts } from '#contract/groups.ts'
import type { Operation } from '#contract/operation.ts'
import {
  follow,
  getPerson,
  isFollowing,
  listFollowers,
  listFollowing,
  listPeople,
  searchPeople,
  updateProfile,
} from '#contract/people.ts'
import {
  createPost,
  explorePosts,
  getHomeFeed,
  getPost,
  likePost,
  listLikers,
  listPersonPosts,
  listSavedPosts,
  savePost,
  searchPosts,
} from '#contract/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { createGroupWithMembers } from '#tests/support/group-factory.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'
import { appwriteDocumentsPath, createAppwriteDocumentsClient } from '../support/appwrite-documents.ts'

let w: TestWorld
/** Fio has something of everything, and ana and bea have to do with her. */
let ana: MemberClient
let bea: MemberClient
/** Follows nobody: what she reads on her home page comes from her group alone. */
let dora: MemberClient
let fio: MemberClient
let post: string
let picture: string
let portrait: string
let group: string
let asked: string
let request: string
let own: string
/** Bea's post that fio likes. */
let liked: string
let talk: string
beforeAll(async () => {
  w = await createTestWorld()
  ;[ana, bea, fio] = [await w.join('Ana'), await w.join('Bea'), await w.join('Fiorella')]
  dora = await w.join('Dora')
  portrait = await fio.upload(await createJpeg('#112233'))
  await fio.call(updateProfile, { personId: fio.id, imageId: portrait })
  group = await createGroupWithMembers(ana, bea, dora, fio)
  asked = await createGroupWithMembers(ana)
  own = await createGroupWithMembers(fio)
  request = (await fio.call(requestToJoin, { groupId: asked })).$id
  picture = await fio.upload(await createJpeg('#445566'))
  const words = { caption: 'Con Fiorella en la playa', location: 'Cádiz', tags: [] }
  post = (await fio.call(createPost, { ...words, imageId: picture })).$id
  const imageId = await fio.upload(await createJpeg('#778899'))
  await fio.call(createPost, { ...words, imageId, groupId: group })
  await bea.call(follow, { personId: fio.id })
  await fio.call(follow, { personId: bea.id })
  await bea.call(savePost, { postId: post })
  const beasPicture = await bea.upload(await createJpeg('#99aabb'))
  liked = (await bea.call(createPost, { ...words, caption: 'De bea', imageId: beasPicture })).$id
  await fio.call(likePost, { postId: liked })
  talk = (await bea.call(openConversation, { personId: fio.id })).$id
  await fio.call(sendMessage, { conversationId: talk, content: 'hola, bea' })
})
afterAll(() => w.end())

/** Every list, search and single look in which she stands while she is here. */
const looks = (): [MemberClient, Operation, Record<string, unknown>][] => [
  [bea, listPeople, { limit: 100 }],
  [bea, searchPeople, { term: 'fiorella' }],
  [bea, getPerson, { personId: fio.id }],
  [bea, listFollowers, { personId: bea.id }],
  [bea, listFollowing, { personId: bea.id }],
  [bea, getHomeFeed, {}],
  [dora, getHomeFeed, {}],
  [bea, explorePosts, {}],
  [bea, searchPosts, { term: 'playa' }],
  [bea, listSavedPosts, {}],
  [bea, getPost, { postId: post }],
  [bea, listLikers, { postId: liked }],
  [bea, listPersonPosts, { personId: fio.id }],
  [bea, listGroupPosts, { groupId: group }],
  [bea, listMyGroupsPosts, {}],
  [bea, listMembers, { groupId: group }],
  [bea, listGroups, { limit: 100 }],
  [bea, getGroup, { groupId: own }],
  [ana, listPendingJoinRequests, { groupId: asked }],
  [ana, getLatestJoinRequest, { groupId: asked, userId: fio.id }],
]
/** Who finds her in each collection of the document door. What two wrote to each other stays the other's. */
const documentReaders = (): Record<CollectionName, MemberClient> => ({
  users: bea,
  posts: bea,
  saves: bea,
  follows: bea,
  groups: bea,
  groupMembers: bea,
  groupRequests: ana,
  conversations: bea,
  messages: bea,
})
const staying: CollectionName[] = ['conversations', 'messages']
const pictures = () => [picture, portrait].map((id) => `/v1/storage/buckets/media/files/${id}/preview`)

/** Where ana and bea still find her. */
async function found(): Promise<string[]> {
  const places: string[] = []
  const isThere = ({ raw }: { raw: Buffer }) => raw.includes('Fiorella') || raw.includes(`"${fio.id}"`)
  for (const [who, operation, input] of looks())
    if (isThere(await who.ask(operation, input))) places.push(operation.path)
  for (const collection of collectionNames) {
    const reader = documentReaders()[collection]
    if (isThere(await reader.request('GET', appwriteDocumentsPath(collection)))) places.push(collection)
  }
  for (const path of pictures()) if ((await bea.request('GET', path)).status === 200) places.push(path)
  return places
}

test('U1 FO1 A24 who closes her account is gone from every list, search, post and picture, and there again when it is opened', async () => {
  const everywhere = await found()
  expect(everywhere).toHaveLength(looks().length + collectionNames.length + pictures().length)

  expect((await fio.request('PATCH', '/v1/account/status', {})).status).toBe(200)
  expect(await found()).toEqual(staying)
  expect(await bea.refusal(getPerson, { personId: fio.id })).toMatchObject({ code: 404 })
  expect(await bea.refusal(getPost, { postId: post })).toMatchObject({ code: 404 })
  expect(await bea.refusal(likePost, { postId: post })).toMatchObject({ code: 404 })
  expect(await ana.refusal(follow, { personId: fio.id })).toMatchObject({ code: 404 })
  expect(await bea.refusal(isFollowing, { personId: fio.id })).toMatchObject({ code: 404 })
  expect(await ana.refusal(openConversation, { personId: fio.id })).toMatchObject({ code: 404 })
  expect(await ana.refusal(approveJoinRequest, { requestId: request })).toMatchObject({ code: 403 })
  expect(await ana.call(getGroup, { groupId: asked })).toMatchObject({ pendingCount: 0 })
  expect(await bea.call(checkMembership, { groupId: group })).toMatchObject({ isMember: true })

  // What the two wrote is bea's too; nothing more goes there.
  expect((await bea.call(listMessages, { conversationId: talk })).documents).toHaveLength(1)
  expect((await bea.call(listConversations, {})).documents).toHaveLength(1)
  const sent = await bea.ask(sendMessage, { conversationId: talk, content: '¿sigues ahí?' })
  expect(sent.status).toBe(403)
  expect((await bea.call(listMessages, { conversationId: talk })).documents).toHaveLength(1)

  await w.database.pool.query(`update accounts set status = 'active' where public_id = $1`, [fio.accountId])
  expect(await found()).toEqual(everywhere)
})

test.each(['before', 'after'])(
  'U1 nobody writes to, or begins to talk with, a closed account that was made %s her own',
  async (when) => {
    const made = [await w.join('Noor'), await w.join('Olga'), await w.join('Pura')]
    if (when === 'after') made.reverse()
    const [closed, other, stranger] = made as [MemberClient, MemberClient, MemberClient]
    const { $id } = await other.call(openConversation, { personId: closed.id })
    await other.call(sendMessage, { conversationId: $id, content: 'hola' })
    expect((await closed.request('PATCH', '/v1/account/status', {})).status).toBe(200)
    const sent = await other.ask(sendMessage, { conversationId: $id, content: '¿sigues ahí?' })
    expect(sent.status).toBe(403)
    expect(await stranger.refusal(openConversation, { personId: closed.id })).toMatchObject({ code: 404 })
    const talk = { participants: [stranger.id, closed.id], type: 'direct' }
    expect(
      (await createAppwriteDocumentsClient(stranger, 'conversations').create(talk)).status,
    ).toBeGreaterThanOrEqual(401)
  },
)
