import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiClient, ApiResponse } from '#api-client/member-client.ts'
import { createApiClient } from '#api-client/member-client.ts'
import { appwriteFilesPath } from '#api-client/raw-multipart-upload.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { raceTimeoutMs, runRaceRounds } from '#tests/support/run-race-rounds.ts'
import { createTestWorld, type TestWorld, testPassword } from '#tests/support/world.ts'
import {
  type AppwriteTestDocument,
  buildAppwriteEqualQuery,
  createAppwriteDocumentsClient,
  documentIdsOf,
  postContentFixture,
} from '../../../tests/support/appwrite-documents-client.ts'

/**
 * An old client creates the profile before the session, sends whole arrays of likes, approves in three
 * writes, and writes the previews itself.
 */
type Old = { asked: ApiClient; id: string; name: string; accountId: string }

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

async function signUp(name: string): Promise<Old> {
  const username = name.toLowerCase()
  const email = `${username}@vieja.test`
  const account = await w.visitor.request<{ $id: string }>('POST', '/v1/account', {
    userId: 'unique()',
    email,
    password: testPassword,
    name,
  })
  const accountId = account.body.$id
  const profile = await createAppwriteDocumentsClient(w.visitor, 'users').made({
    accountId,
    name,
    email,
    username,
    imageUrl: `http://localhost/v1/avatars/initials?name=${name}`,
  })
  const session = await w.visitor.request('POST', '/v1/account/sessions/email', {
    email,
    password: testPassword,
  })
  const asked = createApiClient(w.app, (session.headers['set-cookie'] ?? '').split(';')[0] ?? '')
  return { asked, id: profile.$id, name, accountId }
}

const of = (person: Old, collection: string) => createAppwriteDocumentsClient(person.asked, collection)
const fine = <T>(answer: ApiResponse<T>): T => {
  expect(answer.status).toBeLessThan(300)
  return answer.body
}

test('an unmodified old client works, and every invariant holds afterwards', async () => {
  const ana = await signUp('Ana')
  const bea = await signUp('Bea')
  const [found] = await of(ana, 'users').all(buildAppwriteEqualQuery('accountId', ana.accountId))
  expect(found).toMatchObject({ $id: ana.id, name: 'Ana' })

  // Both members who like the post send the whole list that they have read.
  const imageId = await ana.asked.upload(await createJpeg())
  const post = await of(ana, 'posts').made({
    creator: ana.id,
    ...postContentFixture,
    imageId,
    imageUrl: 'http://x',
  })
  const likers = (seen: AppwriteTestDocument) => documentIdsOf(seen.likes as AppwriteTestDocument[])
  const [seenByAna, seenByBea] = [
    (await of(ana, 'posts').get(post.$id)).body,
    (await of(bea, 'posts').get(post.$id)).body,
  ]
  await of(ana, 'posts').patch(post.$id, { likes: [...likers(seenByAna), ana.id] })
  await of(bea, 'posts').patch(post.$id, { likes: [...likers(seenByBea), bea.id] })
  expect(likers((await of(ana, 'posts').get(post.$id)).body)).toEqual([bea.id, ana.id])
  const save = await of(bea, 'saves').made({ user: bea.id, post: post.$id })
  fine(await of(bea, 'saves').remove(save.$id))

  // The client creates a group with its first member, and approves a request in three writes.
  const group = await of(ana, 'groups').made({
    name: 'Tejer',
    description: '',
    adminId: ana.id,
    isPrivate: true,
    memberCount: 1,
  })
  const joinedAt = new Date().toISOString()
  const founder = { groupId: group.$id, userId: ana.id, role: 'admin', joinedAt }
  expect((await of(ana, 'groupMembers').made(founder)).role).toBe('admin')
  const request = await of(bea, 'groupRequests').made({
    groupId: group.$id,
    userId: bea.id,
    status: 'pending',
    requestedAt: new Date().toISOString(),
  })
  fine(await of(ana, 'groupRequests').patch(request.$id, { status: 'accepted' }))
  await of(ana, 'groupMembers').made({ groupId: group.$id, userId: bea.id, role: 'member', joinedAt })
  const counted = (await of(ana, 'groups').get(group.$id)).body
  const bumped = fine(
    await of(ana, 'groups').patch(group.$id, { memberCount: Number(counted.memberCount) + 1 }),
  )
  expect(bumped.memberCount).toBe(2)
  expect((await of(bea, 'groupMembers').list(buildAppwriteEqualQuery('groupId', group.$id))).body.total).toBe(
    2,
  )

  // The client creates a conversation, a message and its preview, and marks the message as read.
  const pair = [ana.id, bea.id].sort()
  const existing = await of(ana, 'conversations').all('equal("type", ["direct"])', 'limit(100)')
  expect(existing).toEqual([])
  const conversation = await of(ana, 'conversations').made({ participants: pair, type: 'direct' })
  const said = await of(ana, 'messages').made({
    conversationId: conversation.$id,
    senderId: ana.id,
    content: 'hola',
    type: 'text',
    readBy: [ana.id],
  })
  const preview = {
    lastMessage: 'hola',
    lastMessageTime: new Date().toISOString(),
    lastMessageSender: ana.id,
  }
  const shown = fine(await of(ana, 'conversations').patch(conversation.$id, preview))
  expect(shown).toMatchObject({
    lastMessage: 'hola',
    lastMessageSender: ana.id,
    lastMessageTime: said.$createdAt,
  })
  const read = fine(
    await of(bea, 'messages').patch(said.$id, { readBy: [...(said.readBy as string[]), bea.id] }),
  )
  expect(read.readBy).toEqual([ana.id, bea.id])

  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
})

/** A person asks to join, and the founder is notified. @returns the request's id */
async function requestOf(person: Old, groupId: string): Promise<string> {
  const requestedAt = new Date().toISOString()
  const asked = { groupId, userId: person.id, status: 'pending', requestedAt }
  return (await of(person, 'groupRequests').made(asked)).$id
}

/** Approves in three writes, with a member count that was read before the other writes. */
async function approve(admin: Old, newcomer: Old, groupId: string, requestId: string): Promise<ApiResponse> {
  const seen = (await of(admin, 'groups').get(groupId)).body
  const decided = await of(admin, 'groupRequests').patch(requestId, { status: 'accepted' })
  const joinedAt = new Date().toISOString()
  await of(admin, 'groupMembers').create({ groupId, userId: newcomer.id, role: 'member', joinedAt })
  await of(admin, 'groups').patch(groupId, { memberCount: Number(seen.memberCount) + 1 })
  return decided
}

describe('concurrent old clients that write back outdated data', () => {
  test(
    'two members approved simultaneously, one of them twice, make a group of three',
    async () => {
      const [gala, mia, noa] = [await signUp('Gala'), await signUp('Mia'), await signUp('Noa')]
      let groupId = ''
      const begin = async () => {
        groupId = (await of(gala, 'groups').made({ name: 'Remar', adminId: gala.id, memberCount: 1 })).$id
        const [ofMia, ofNoa] = [await requestOf(mia, groupId), await requestOf(noa, groupId)]
        return [
          () => approve(gala, mia, groupId, ofMia),
          () => approve(gala, noa, groupId, ofNoa),
          () => approve(gala, noa, groupId, ofNoa),
        ]
      }
      await runRaceRounds(w.database, begin, async (answers) => {
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409])
        expect((await of(mia, 'groups').get(groupId)).body.memberCount).toBe(3)
        const { total } = (await of(noa, 'groupMembers').list(buildAppwriteEqualQuery('groupId', groupId)))
          .body
        expect(total).toBe(3)
      })
    },
    raceTimeoutMs,
  )

  test(
    'three members who send likes based on the same empty list all like the post',
    async () => {
      const people = [await signUp('Olga'), await signUp('Paz'), await signUp('Rut')] as const
      let postId = ''
      const begin = async () => {
        const imageId = await people[0].asked.upload(await createJpeg())
        postId = (
          await of(people[0], 'posts').made({ creator: people[0].id, ...postContentFixture, imageId })
        ).$id
        return people.map((each) => () => of(each, 'posts').patch(postId, { likes: [each.id] }))
      }
      await runRaceRounds(w.database, begin, async () => {
        const { likes } = (await of(people[0], 'posts').get(postId)).body
        expect(documentIdsOf(likes as AppwriteTestDocument[]).sort()).toEqual(
          documentIdsOf(people.map(({ id }) => ({ $id: id }))).sort(),
        )
      })
    },
    raceTimeoutMs,
  )

  test(
    'a conversation shows its last message, even if a client writes another preview',
    async () => {
      const [sol, tea] = [await signUp('Sol'), await signUp('Tea')]
      const participants = [sol.id, tea.id].sort()
      const conversation = await of(sol, 'conversations').made({ participants, type: 'direct' })
      const say = (person: Old, text: string) => async () => {
        const { $id, $createdAt } = await of(person, 'messages').made({
          ...{ conversationId: conversation.$id, senderId: person.id, content: text, type: 'text' },
          readBy: [person.id],
        })
        const preview = { lastMessage: text, lastMessageTime: $createdAt, lastMessageSender: person.id }
        expect($id).toBeTruthy()
        return of(person, 'conversations').patch(conversation.$id, preview)
      }
      const begin = async (round: number) => [say(sol, `${round} sol`), say(tea, `${round} tea`)]
      await runRaceRounds(w.database, begin, async () => {
        const [last] = await of(tea, 'messages').all(
          buildAppwriteEqualQuery('conversationId', conversation.$id),
          'orderDesc("$createdAt")',
        )
        const shown = (await of(tea, 'conversations').get(conversation.$id)).body
        expect(shown).toMatchObject({ lastMessage: last?.content, lastMessageSender: last?.senderId })
        expect(shown.lastMessageTime).toBe(last?.$createdAt)
      })
    },
    raceTimeoutMs,
  )
})

test('PEDT-06 PDET-13 an old client replaces and deletes pictures and rejects and removes members, and all invariants hold', async () => {
  const [uma, vera] = [await signUp('Uma'), await signUp('Vera')]
  const before = await uma.asked.upload(await createJpeg())
  const post = await of(uma, 'posts').made({ creator: uma.id, ...postContentFixture, imageId: before })
  const after = await uma.asked.upload(await createJpeg('#208040'))
  const replaced = { ...postContentFixture, imageId: after, imageUrl: 'http://x', groupId: '' }
  expect(fine(await of(uma, 'posts').patch(post.$id, replaced)).imageId).toBe(after)
  const removeFile = async (id: string) =>
    (await uma.asked.request('DELETE', `${appwriteFilesPath}/${id}`)).status
  expect(await removeFile(before)).toBe(204)
  fine(await of(uma, 'posts').remove(post.$id))
  expect(await removeFile(after)).toBe(204)

  const group = await of(uma, 'groups').made({ name: 'Leer', adminId: uma.id, memberCount: 1 })
  const rejected = await requestOf(vera, group.$id)
  fine(await of(uma, 'groupRequests').patch(rejected, { status: 'rejected' }))
  const accepted = await requestOf(vera, group.$id)
  fine((await approve(uma, vera, group.$id, accepted)) as ApiResponse<AppwriteTestDocument>)
  const [membership] = await of(vera, 'groupMembers').all(buildAppwriteEqualQuery('userId', vera.id))
  fine(await of(vera, 'groupMembers').remove(membership?.$id ?? ''))
  const left = fine(await of(uma, 'groups').patch(group.$id, { memberCount: 1 }))
  expect(left.memberCount).toBe(1)
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
})
