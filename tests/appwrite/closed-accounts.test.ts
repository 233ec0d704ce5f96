/** Who closes her account is nowhere to be found from then on (security reference §5.9; authz.tsv U1, FO1). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listConversations, listMessages, openConversation, sendMessage } from '#contract/chat.ts'
import { checkMembership, listMembers } from '#contract/group-members.ts'
import { pendingRequests, requestToJoin } from '#contract/group-requests.ts'
import { getGroup, groupPosts, myGroupsPosts } from '#contract/groups.ts'
import type { Operation } from '#contract/operation.ts'
import {
  follow,
  getPerson,
  isFollowing,
  listFollowers,
  listFollowing,
  listPeople,
  searchPeople,
  updatePerson,
} from '#contract/people.ts'
import {
  createPost,
  explorePosts,
  getPost,
  homeFeed,
  likePost,
  postsByPerson,
  savedPosts,
  savePost,
  searchPosts,
} from '#contract/posts.ts'
import { groupOf } from '#tests/groups.ts'
import { jpeg } from '#tests/pictures.ts'
import { type Person, type World, world } from '#tests/world.ts'
import { pathOf } from './documents.ts'

let w: World
/** Fio has something of everything, and ana and bea have to do with her. */
let ana: Person
let bea: Person
let fio: Person
let post: string
let picture: string
let portrait: string
let group: string
let asked: string
let talk: string
beforeAll(async () => {
  w = await world()
  ;[ana, bea, fio] = [await w.join('Ana'), await w.join('Bea'), await w.join('Fiorella')]
  portrait = await fio.upload(await jpeg('#112233'))
  await fio.call(updatePerson, { personId: fio.id, imageId: portrait })
  group = await groupOf(ana, bea, fio)
  asked = await groupOf(ana)
  await fio.call(requestToJoin, { groupId: asked })
  picture = await fio.upload(await jpeg('#445566'))
  const words = { caption: 'Con Fiorella en la playa', location: 'Cádiz', tags: [] }
  post = (await fio.call(createPost, { ...words, imageId: picture })).$id
  const imageId = await fio.upload(await jpeg('#778899'))
  await fio.call(createPost, { ...words, imageId, groupId: group })
  await bea.call(follow, { personId: fio.id })
  await fio.call(follow, { personId: bea.id })
  await bea.call(savePost, { postId: post })
  talk = (await bea.call(openConversation, { personId: fio.id })).$id
  await fio.call(sendMessage, { conversationId: talk, content: 'hola, bea' })
})
afterAll(() => w.end())

/** Every list, search and single look in which she stands while she is here. */
const looks = (): [Person, Operation, Record<string, unknown>][] => [
  [bea, listPeople, { limit: 100 }],
  [bea, searchPeople, { term: 'fiorella' }],
  [bea, getPerson, { personId: fio.id }],
  [bea, listFollowers, { personId: bea.id }],
  [bea, listFollowing, { personId: bea.id }],
  [bea, homeFeed, {}],
  [bea, explorePosts, {}],
  [bea, searchPosts, { term: 'playa' }],
  [bea, savedPosts, {}],
  [bea, getPost, { postId: post }],
  [bea, postsByPerson, { personId: fio.id }],
  [bea, groupPosts, { groupId: group }],
  [bea, myGroupsPosts, {}],
  [bea, listMembers, { groupId: group }],
  [ana, pendingRequests, { groupId: asked }],
]
const documentLists = ['users', 'posts', 'follows', 'groupMembers']
const pictures = () => [picture, portrait].map((id) => `/v1/storage/buckets/media/files/${id}/preview`)

/** Where ana and bea still find her. */
async function found(): Promise<string[]> {
  const places: string[] = []
  const isThere = ({ raw }: { raw: Buffer }) => raw.includes('Fiorella') || raw.includes(`"${fio.id}"`)
  for (const [who, operation, input] of looks())
    if (isThere(await who.ask(operation, input))) places.push(operation.path)
  for (const collection of documentLists)
    if (isThere(await bea.request('GET', pathOf(collection)))) places.push(collection)
  for (const path of pictures()) if ((await bea.request('GET', path)).status === 200) places.push(path)
  return places
}

test('U1 FO1 A24 who closes her account is gone from every list, search, post and picture, and there again when it is opened', async () => {
  const everywhere = await found()
  expect(everywhere).toHaveLength(looks().length + documentLists.length + pictures().length)

  expect((await fio.request('PATCH', '/v1/account/status', {})).status).toBe(200)
  expect(await found()).toEqual([])
  expect(await bea.refusal(getPerson, { personId: fio.id })).toMatchObject({ code: 404 })
  expect(await bea.refusal(getPost, { postId: post })).toMatchObject({ code: 404 })
  expect(await bea.refusal(likePost, { postId: post })).toMatchObject({ code: 404 })
  expect(await ana.refusal(follow, { personId: fio.id })).toMatchObject({ code: 404 })
  expect(await bea.refusal(isFollowing, { personId: fio.id })).toMatchObject({ code: 404 })
  expect(await ana.refusal(openConversation, { personId: fio.id })).toMatchObject({ code: 404 })
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
