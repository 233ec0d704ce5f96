import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listConversationsOperation, openConversationOperation } from '#contract/chat/conversations.ts'
import {
  listMessagesOperation,
  sendMessageOperation,
  unsendMessageOperation,
} from '#contract/chat/messages.ts'
import { listShareTargetsOperation } from '#contract/chat/share-targets.ts'
import { blockMemberOperation, unblockMemberOperation } from '#contract/people/blocks.ts'
import { createPostOperation, deletePostOperation, updatePostOperation } from '#contract/posts/posts.ts'
import { generateId } from '#server/ids.ts'
import { createAppwriteDocumentsClient } from '#tests/support/appwrite-documents-client.ts'
import { removeAllConversations } from '#tests/support/database.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import {
  createGroupWithMembers,
  createPostInGroup,
  insertUploadedImageRow,
} from '#tests/support/group-factory.ts'
import { publishPhotos, tagMember } from '#tests/support/publish-and-tag-photos.ts'
import { countResponsesByStatus, raceTimeoutMs, runRaceRounds } from '#tests/support/run-race-rounds.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let carla: MemberClient
let knit: string
let conversationId: string
beforeAll(async () => {
  w = await createTestWorld()
  ;[ana, bea, carla] = [await w.join('Ana'), await w.join('Bea'), await w.join('Carla')]
  knit = await createGroupWithMembers(bea, ana)
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})
beforeEach(async () => {
  await removeAllConversations(w.database)
  conversationId = (await ana.call(openConversationOperation, { personId: carla.id })).$id
})

const publish = async (author: MemberClient, groupId: string | null = null) =>
  (
    await author.call(createPostOperation, {
      ...{ caption: 'Una tarde juntas', location: 'Casa', tags: [], groupId },
      photos: [{ imageId: await insertUploadedImageRow(w.database, author) }],
    })
  ).$id
const share = (sharedPostId: string, more: object = {}) =>
  ana.call(sendMessageOperation, { conversationId, content: '', sharedPostId, ...more })
const sharedTo = async (who: MemberClient) =>
  (await who.call(listMessagesOperation, { conversationId })).documents[0]?.shared
const unavailable = { unavailable: true }

test('SHARE-02 carla sees a shared post that she can read; a shared group post is unavailable to her, without details', async () => {
  const open = await publish(bea)
  expect((await share(open)).shared).toEqual({ postId: open })
  expect(await sharedTo(carla)).toEqual({ postId: open })
  expect((await carla.call(listConversationsOperation, {})).documents[0]?.lastMessage).toBe('Post')
  const secret = await publish(bea, knit)
  expect((await share(secret, { content: 'Mira' })).shared).toEqual({ postId: secret })
  expect(await sharedTo(carla)).toEqual(unavailable)
  expect(JSON.stringify(await carla.call(listMessagesOperation, { conversationId }))).not.toContain(secret)
})

test('SHARE-04 a shared post is unavailable while the post itself is hidden from the recipient, and returns afterwards', async () => {
  const post = await publish(ana)
  await share(post)
  await ana.call(updatePostOperation, { postId: post, groupId: knit })
  expect(await sharedTo(carla)).toEqual(unavailable)
  expect(await sharedTo(ana)).toEqual({ postId: post })
  await ana.call(updatePostOperation, { postId: post, groupId: null })
  expect(await sharedTo(carla)).toEqual({ postId: post })
  await carla.call(blockMemberOperation, { personId: ana.id })
  expect(await sharedTo(carla)).toEqual(unavailable)
  await carla.call(unblockMemberOperation, { personId: ana.id })
  await w.database.pool.query(
    `update posts set hidden_by = 'moderator', hidden_at = now() where public_id = $1`,
    [post],
  )
  expect(await sharedTo(carla)).toEqual(unavailable)
  await ana.call(deletePostOperation, { postId: post })
  expect(await sharedTo(carla)).toEqual(unavailable)
  expect(await sharedTo(ana)).toEqual(unavailable)
})

test('SHARE-05 a member can share only a post that she can read; secret and unknown posts get the same refusal', async () => {
  const alone = await createGroupWithMembers(bea)
  const id = await createPostInGroup(w.database, bea, alone)
  const refused = await Promise.all(
    [id, generateId()].map((sharedPostId) =>
      ana.refusal(sendMessageOperation, { conversationId, content: 'Mira', sharedPostId }),
    ),
  )
  expect(refused[0]).toMatchObject({ code: 404, type: 'document_not_found' })
  expect(refused[1]).toEqual(refused[0])
  for (const postId of [id, generateId()])
    expect(await ana.refusal(listShareTargetsOperation, { postId })).toMatchObject({ code: 404 })
  expect(await sharedTo(carla)).toBeUndefined()
})

test('SHARE-01 SHARE-03 share targets list recent conversations first, a search finds others, and members of the group are marked', async () => {
  await ana.call(sendMessageOperation, { conversationId, content: 'hola' })
  const withBea = await ana.call(openConversationOperation, { personId: bea.id })
  await ana.call(sendMessageOperation, { conversationId: withBea.$id, content: 'hola' })
  const targets = async (who: MemberClient, postId: string, term?: string) =>
    (await who.call(listShareTargetsOperation, { postId, ...(term && { term }) })).documents.map(
      ({ person, inGroup }) => [person.$id, inGroup],
    )
  const [open, grouped] = [await publish(bea), await publish(bea, knit)]
  expect(await targets(ana, open)).toEqual([
    [bea.id, null],
    [carla.id, null],
  ])
  expect(await targets(ana, grouped)).toEqual([
    [bea.id, true],
    [carla.id, false],
  ])
  expect(await targets(ana, grouped, 'carl')).toEqual([[carla.id, false]])
  // The response does not reveal why a member cannot see the post.
  await carla.call(blockMemberOperation, { personId: ana.id })
  expect(await targets(ana, grouped)).toEqual([[bea.id, true]])
  expect(await targets(ana, grouped, 'carl')).toEqual([])
  await carla.call(unblockMemberOperation, { personId: ana.id })
})

test('SHARE-02 resending a shared post sends one message, the same id with another post is refused, and unsending removes the post', async () => {
  const [post, other] = [await publish(bea), await publish(bea)]
  const messageId = generateId()
  const first = await share(post, { messageId })
  expect(await share(post, { messageId })).toEqual(first)
  const again = { conversationId, messageId, content: '', sharedPostId: other }
  expect((await ana.ask(sendMessageOperation, again)).status).toBe(409)
  const documents = createAppwriteDocumentsClient(carla, 'messages')
  expect((await documents.get(messageId)).body).toMatchObject({ content: 'Post', type: 'text' })
  expect((await ana.call(unsendMessageOperation, { messageId })).shared).toBeNull()
  expect(await sharedTo(carla)).toBeNull()
})

test('SHARE-02 the id of a message that shares a post is refused for a message that shares none, at both APIs', async () => {
  const messageId = generateId()
  await share(await publish(bea), { messageId, content: 'Mira' })
  const again = { conversationId, content: 'Mira' }
  const refused = { status: 409, body: { type: 'document_already_exists' } }
  expect(await ana.ask(sendMessageOperation, { ...again, messageId })).toMatchObject(refused)
  const documents = createAppwriteDocumentsClient(ana, 'messages')
  expect(await documents.create({ ...again, senderId: ana.id }, messageId)).toMatchObject(refused)
})

test('SHARE-04 a post shared during its deletion is refused or shown as unavailable', {
  timeout: raceTimeoutMs,
}, async () => {
  await runRaceRounds(
    w.database,
    async () => {
      const postId = await publish(ana)
      return [
        () =>
          ana.request('POST', `/v1/conversations/${conversationId}/messages`, {
            content: 'mira',
            sharedPostId: postId,
          }),
        () => ana.request('DELETE', `/v1/posts/${postId}`),
      ]
    },
    (answers) => {
      const { 201: sent = 0, 404: refused = 0, 204: deleted } = countResponsesByStatus(answers)
      expect([sent + refused, deleted]).toEqual([1, 1])
    },
  )
})

test('SHARE-04 carla sees nothing of a post shared while it moves into a group or its photo is hidden', {
  timeout: raceTimeoutMs,
}, async () => {
  const sendShared = (who: MemberClient, postId: string) =>
    who.request('POST', `/v1/conversations/${conversationId}/messages`, {
      content: 'mira',
      sharedPostId: postId,
    })
  let camila: MemberClient | undefined
  await runRaceRounds(
    w.database,
    async (round) => {
      if (round % 2 === 0) {
        const postId = await publish(ana)
        return [
          () => sendShared(ana, postId),
          () => ana.request('PATCH', `/v1/posts/${postId}`, { groupId: knit }),
        ]
      }
      camila ??= await w.join('Camila')
      const { $id: postId, photos } = await publishPhotos(bea, 1)
      const imageId = photos[0]?.id ?? ''
      await tagMember(bea, camila, { $id: postId, imageId })
      const hides = () => camila?.request('PUT', `/v1/posts/${postId}/photos/${imageId}/withheld`)
      return [() => sendShared(ana, postId), hides as () => ReturnType<typeof sendShared>]
    },
    async (answers) => {
      const { 201: sent = 0, 404: refused = 0, 200: changed = 0 } = countResponsesByStatus(answers)
      expect([sent + refused, changed]).toEqual([1, 1])
      if (sent === 1) expect(await sharedTo(carla)).toEqual(unavailable)
    },
  )
})

test('SHARE-04 a post shared while the recipient or the author blocks the sender is refused or becomes unavailable', {
  timeout: raceTimeoutMs,
}, async () => {
  await runRaceRounds(
    w.database,
    async (round) => {
      const blocker = round % 2 === 0 ? carla : bea
      const postId = await publish(bea)
      return [
        () =>
          ana.request('POST', `/v1/conversations/${conversationId}/messages`, {
            content: 'mira',
            sharedPostId: postId,
          }),
        () => blocker.request('PUT', `/v1/people/${ana.id}/block`),
      ]
    },
    async (answers) => {
      const [sent, blocked] = answers.map(({ status }) => status)
      expect(sent).toBeOneOf([201, 403, 404])
      expect(blocked).toBeOneOf([200, 201, 204])
      const later = { conversationId, content: '', sharedPostId: await publish(bea) }
      expect((await ana.ask(sendMessageOperation, later)).status).toBeOneOf([403, 404])
      for (const blocker of [carla, bea]) await blocker.ask(unblockMemberOperation, { personId: ana.id })
    },
  )
})
