import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiClient } from '#api-client/member-client.ts'
import {
  countUnreadConversationsOperation,
  getConversationOperation,
  listConversationsOperation,
  markConversationReadOperation,
  openConversationOperation,
} from '#contract/chat/conversations.ts'
import { listMessagesOperation, sendMessageOperation } from '#contract/chat/messages.ts'
import { listGroupMembersOperation, removeGroupMemberOperation } from '#contract/groups/group-members.ts'
import {
  approveJoinRequestOperation,
  getLatestJoinRequestOperation,
  listPendingJoinRequestsOperation,
  requestToJoinOperation,
} from '#contract/groups/group-requests.ts'
import {
  getGroupOperation,
  listGroupPostsOperation,
  listMyGroupsPostsOperation,
} from '#contract/groups/groups.ts'
import type { Operation } from '#contract/operation.ts'
import {
  blockMemberOperation,
  listBlocksOperation,
  previewBlockOperation,
  setBlockNewerAccountsOperation,
  unblockMemberOperation,
} from '#contract/people/blocks.ts'
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
  explorePostsOperation,
  getHomeFeedOperation,
  getPostOperation,
  likePostOperation,
  listLikedPostsOperation,
  listLikersOperation,
  listPersonPostsOperation,
  listSavedPostsOperation,
  savePostOperation,
  searchPostsOperation,
} from '#contract/posts/posts.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import {
  buildAppwriteEqualQuery,
  createAppwriteDocumentsClient,
} from '#tests/support/appwrite-documents-client.ts'
import { waitForChangePosition } from '#tests/support/change-log-position.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createGroupWithMembers, createPostInGroup } from '#tests/support/group-factory.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

/** Headers for a request of the whole file, of a part, and with a tag that the client knows. */
const known = (etag: string): Record<string, string>[] => [
  {},
  { range: 'bytes=0-9' },
  { 'if-none-match': etag },
]

const block = (who: MemberClient, whom: MemberClient) => who.call(blockMemberOperation, { personId: whom.id })
const unblock = (who: MemberClient, whom: MemberClient) =>
  who.call(unblockMemberOperation, { personId: whom.id })
const members = <Name extends string>(...names: Name[]) => Promise.all(names.map((name) => w.join(name)))

async function pair() {
  const [ana, iria, bea] = (await members('Ana', 'Iria', 'Bea')) as [MemberClient, MemberClient, MemberClient]
  const group = await createGroupWithMembers(bea, ana, iria)
  const posts = new Map<MemberClient, { open: string; grouped: string }>()
  for (const [author, other] of [
    [ana, iria],
    [iria, ana],
  ] as const) {
    await author.call(followOperation, { personId: other.id })
    await author.call(updateProfileOperation, {
      personId: author.id,
      imageId: await author.upload(await createJpeg()),
    })
    const open = await createPostInGroup(w.database, author, null)
    const grouped = await createPostInGroup(w.database, author, group)
    posts.set(author, { open, grouped })
  }
  for (const [who, other] of [
    [ana, iria],
    [iria, ana],
  ] as const) {
    const { open } = posts.get(other) as { open: string }
    await who.call(likePostOperation, { postId: open })
    await who.call(savePostOperation, { postId: open })
  }
  const conversation = (await ana.call(openConversationOperation, { personId: iria.id })).$id
  await ana.call(sendMessageOperation, { conversationId: conversation, content: 'hola' })
  await iria.call(sendMessageOperation, { conversationId: conversation, content: '¿qué tal?' })
  const of = (person: MemberClient) => posts.get(person) as { open: string; grouped: string }
  return { ana, iria, bea, group, conversation, of, both: [[ana, iria] as const, [iria, ana] as const] }
}

describe('two blocked members', () => {
  let scene: Awaited<ReturnType<typeof pair>>
  let before: Awaited<ReturnType<typeof found>>
  beforeAll(async () => {
    scene = await pair()
    before = await found(scene)
    await block(scene.ana, scene.iria)
  })

  async function found({ both, group, of }: Awaited<ReturnType<typeof pair>>): Promise<string[]> {
    const places: string[] = []
    for (const [who, other] of both) {
      const { open, grouped } = of(other)
      const lists: [Operation, Record<string, unknown>][] = [
        [listPeopleOperation, { limit: 100 }],
        [listPeopleOperation, { limit: 10, who: 'others' }],
        [searchPeopleOperation, { term: other.name }],
        [listFollowersOperation, { personId: who.id }],
        [listFollowingOperation, { personId: who.id }],
        [listGroupMembersOperation, { groupId: group }],
        [getHomeFeedOperation, {}],
        [explorePostsOperation, { limit: 100 }],
        [explorePostsOperation, { from: 'following' }],
        [explorePostsOperation, { from: 'groups' }],
        [listLikersOperation, { postId: of(who).open }],
        [searchPostsOperation, { term: 'tarde' }],
        [listPersonPostsOperation, { personId: other.id }],
        [listSavedPostsOperation, {}],
        [listLikedPostsOperation, {}],
        [listGroupPostsOperation, { groupId: group }],
        [listMyGroupsPostsOperation, {}],
      ]
      for (const [operation, input] of lists) {
        const { raw } = await who.ask(operation, input)
        if ([other.id, open, grouped].some((id) => raw.includes(`"${id}"`))) places.push(operation.path)
      }
      const filters: Record<string, string[]> = {
        users: ['limit(100)'],
        posts: ['limit(100)'],
        saves: ['limit(100)'],
        follows: [buildAppwriteEqualQuery('followerId', other)],
        groupMembers: [buildAppwriteEqualQuery('groupId', group)],
      }
      for (const [collection, queries] of Object.entries(filters)) {
        const { documents, total } = (await createAppwriteDocumentsClient(who, collection).list(...queries))
          .body
        const said = JSON.stringify(documents)
        if ([other.id, open, grouped].some((id) => said.includes(`"${id}"`))) places.push(collection)
        expect(total).toBe(documents.length)
      }
    }
    return places
  }

  test('BLK-06 BLK-07 BLK-22 A23 blocked members appear in no list, search or group of each other, through both APIs', async () => {
    expect(before).toHaveLength(2 * (17 + 5))
    expect(await found(scene)).toEqual([])
    const { bea, group, ana, iria } = scene
    const seen = JSON.stringify(await bea.call(listGroupMembersOperation, { groupId: group }))
    expect([ana.id, iria.id].every((id) => seen.includes(id))).toBe(true)
    expect(await iria.call(getGroupOperation, { groupId: group })).toMatchObject({ memberCount: 3 })
  })

  test("BLK-05 BLK-08 for blocked members each other's profile, posts and pictures do not exist, on any path", async () => {
    for (const [who, other] of scene.both) {
      const { open, grouped } = scene.of(other)
      expect(await who.refusal(getPersonOperation, { personId: other.id })).toMatchObject({
        type: 'user_not_found',
      })
      expect((await createAppwriteDocumentsClient(who, 'users').get(other.id)).body.type).toBe(
        'document_not_found',
      )
      for (const postId of [open, grouped]) {
        expect(await who.refusal(getPostOperation, { postId })).toMatchObject({ code: 404 })
        expect((await createAppwriteDocumentsClient(who, 'posts').get(postId)).status).toBe(404)
      }
      const { rows } = await w.database.pool.query<{ id: string }>(
        `select f.public_id as id from files f join users u on u.id = f.owner_id where u.public_id = $1`,
        [other.id],
      )
      expect(rows).toHaveLength(3)
      for (const { id } of rows) {
        const api = `/v1/storage/buckets/media/files/${id}`
        const ways = ['', '/view', '/download', '/preview?width=64', '/preview?width=640'].map(
          (way) => api + way,
        )
        for (const path of [...ways, `/v1/files/${id}/content?width=320`]) {
          const { etag = '"none"' } = (await other.request('GET', path)).headers
          for (const headers of known(etag))
            expect([path, (await who.request('GET', path, undefined, headers)).status]).toEqual([path, 404])
        }
      }
    }
  })

  test('BLK-09 BLK-11 nested documents leave out the other blocked member, and counts stay the same', async () => {
    const { ana, iria, bea, of } = scene
    const likes = async (who: MemberClient) => {
      const { body } = await createAppwriteDocumentsClient(who, 'posts').get(of(ana).open)
      return { ids: (body.likes as { $id: string }[]).map(({ $id }) => $id), total: body.likesTotal }
    }
    expect(await likes(bea)).toEqual({ ids: [iria.id], total: 1 })
    expect(await likes(ana)).toEqual({ ids: [], total: 1 })
    expect(await bea.call(getPostOperation, { postId: of(ana).open })).toMatchObject({ likeCount: 1 })
    const own = (await createAppwriteDocumentsClient(iria, 'users').get(iria.id)).body
    expect([own.save, own.liked]).toEqual([[], []])
  })

  test('BLK-12 blocked members cannot like, save, follow, open conversations or send messages, through both APIs', async () => {
    for (const [who, other] of scene.both) {
      const postId = scene.of(other).open
      const refused = async (operation: Operation, input: Record<string, unknown>) =>
        (await who.ask(operation, input)).status
      expect(await refused(likePostOperation, { postId })).toBe(404)
      expect(await refused(savePostOperation, { postId })).toBe(404)
      expect(await refused(followOperation, { personId: other.id })).toBe(404)
      expect(await refused(isFollowingOperation, { personId: other.id })).toBe(404)
      expect(await refused(openConversationOperation, { personId: other.id })).toBe(404)
      expect(
        await refused(sendMessageOperation, { conversationId: scene.conversation, content: 'hola' }),
      ).toBe(403)
      const created = async (collection: string, attributes: object) =>
        (await createAppwriteDocumentsClient(who, collection).create(attributes)).status
      expect(
        (await createAppwriteDocumentsClient(who, 'posts').patch(postId, { likes: [who.id] })).status,
      ).toBe(404)
      expect(await created('saves', { user: who.id, post: postId })).toBe(404)
      expect(await created('follows', { followerId: who.id, followingId: other.id })).toBe(404)
      expect(await created('conversations', { participants: [who.id, other.id] })).toBe(404)
      const message = { conversationId: scene.conversation, senderId: who.id, content: 'hola' }
      expect(await created('messages', message)).toBe(401)
    }
  })

  test('BLK-10 a block ends both follows permanently; likes and saves return after the block', async () => {
    const { ana, iria, of } = scene
    expect(await unblock(ana, iria)).toEqual({ blocked: false })
    for (const [who, other] of scene.both) {
      expect(await who.call(getPersonOperation, { personId: other.id })).toMatchObject({
        following: false,
        followerCount: 0,
        followingCount: 0,
      })
      expect((await who.call(listSavedPostsOperation, {})).documents.map(({ $id }) => $id)).toEqual([
        of(other).open,
      ])
      expect((await who.call(listLikedPostsOperation, {})).documents).toHaveLength(1)
    }
    expect((await iria.call(listConversationsOperation, {})).documents[0]?.other.visible).toBe(true)
    await block(ana, iria)
  })
})

test("BLK-15 a member's follow counts match her lists after a block, just as after a closed account", async () => {
  const iria = await w.join('Iria')
  const others = (await members('Ana', 'Gala', 'Bea', 'Cleo', 'Dora')) as MemberClient[]
  for (const other of others) {
    await iria.call(followOperation, { personId: other.id })
    await other.call(followOperation, { personId: iria.id })
  }
  const shown = async () => {
    const { followerCount, followingCount } = await iria.call(getPersonOperation, { personId: iria.id })
    const listed = await Promise.all(
      [listFollowersOperation, listFollowingOperation].map((list) => iria.call(list, { personId: iria.id })),
    )
    expect(listed.map(({ documents }) => documents.length)).toEqual([followerCount, followingCount])
    return `${followerCount}/${followingCount}`
  }
  const [ana, gala, bea] = others as [MemberClient, MemberClient, MemberClient]
  const beas = await iria.call(getPersonOperation, { personId: bea.id })
  expect(await shown()).toBe('5/5')
  await block(ana, iria)
  expect(await shown()).toBe('4/4')
  expect((await gala.request('PATCH', '/v1/account/status', {})).status).toBe(200)
  expect(await shown()).toBe('3/3')
  expect(await iria.call(getPersonOperation, { personId: bea.id })).toEqual(beas)
})

describe('the conversation of two blocked members', () => {
  test('BLK-18 CHAT-30 the blocker reads the conversation unnoticed, and the conversation is neither listed nor counted', async () => {
    const { ana, iria, conversation } = await pair()
    expect((await ana.call(countUnreadConversationsOperation, {})).count).toBe(1)
    await block(ana, iria)
    expect((await ana.call(countUnreadConversationsOperation, {})).count).toBe(0)
    expect((await ana.call(listConversationsOperation, {})).documents).toEqual([])
    expect((await iria.call(listConversationsOperation, {})).documents.map(({ $id }) => $id)).toEqual([
      conversation,
    ])
    const asIria = () => iria.call(listMessagesOperation, { conversationId: conversation })
    const unread = await asIria()
    const readLastChange = async () =>
      // Notifications are written late, so an earlier one may arrive now.
      (await w.database.pool.query(`select max(id) as last from changes where collection <> 'notifications'`))
        .rows
    const changes = await readLastChange()
    expect((await ana.call(listMessagesOperation, { conversationId: conversation })).documents).toHaveLength(
      2,
    )
    await ana.call(markConversationReadOperation, { conversationId: conversation })
    const [newest] = unread.documents
    await createAppwriteDocumentsClient(ana, 'messages').patch(String(newest?.$id), {
      readBy: [ana.id, iria.id],
    })
    expect(await asIria()).toEqual(unread)
    expect(await readLastChange()).toEqual(changes)
  })

  test("the blocked member's read mark still moves, and the blocker is not notified", async () => {
    const { ana, iria, conversation } = await pair()
    await ana.call(sendMessageOperation, { conversationId: conversation, content: 'adiós' })
    await block(ana, iria)
    const { rows } = await w.database.pool.query<{ last: number }>('select max(id) as last from changes')
    expect(await iria.call(markConversationReadOperation, { conversationId: conversation })).toMatchObject({
      unread: false,
    })
    const recorded = await w.database.pool.query(
      `select distinct u.public_id as id from changes c join users u on u.id = any (c.member_ids)
       where c.id > $1 and c.collection <> 'notifications'`,
      [rows[0]?.last],
    )
    expect(recorded.rows).toEqual([{ id: iria.id }])
  })

  test('after a block each member sees the name that the other had then, without a picture, as with a closed account', async () => {
    const { ana, iria, conversation } = await pair()
    const gala = await w.join('Gala')
    const other = (await iria.call(openConversationOperation, { personId: gala.id })).$id
    const shown = (conversationId: string) => iria.call(getConversationOperation, { conversationId })
    const before = await shown(conversation)
    expect(before).toMatchObject({ other: { visible: true }, can: { write: true, block: true } })
    expect(before.other.imageId).not.toBe(null)
    await block(ana, iria)
    await ana.call(updateProfileOperation, { personId: ana.id, name: 'Anabel' })
    await gala.request('PATCH', '/v1/account/status', {})
    const initials = (name: string) => expect.stringContaining(`/v1/people/avatars/initials?name=${name}`)
    for (const [id, name] of [
      [conversation, 'Ana'],
      [other, 'Gala'],
    ] as const) {
      expect(await shown(id)).toMatchObject({
        other: { name, imageId: null, imageUrl: initials(name), visible: false },
        can: { write: false, block: true },
      })
    }
    // Iria still sees the name if both members block each other.
    await block(iria, ana)
    expect((await iria.call(listBlocksOperation, {})).documents[0]?.person.name).toBe('Ana')
    await unblock(ana, iria)
    expect((await shown(conversation)).other.name).toBe('Ana')
  })
})

describe('blocking', () => {
  test('the preview of a block shows the groups, conversation and follows of the two members', async () => {
    const { ana, iria, bea, group, conversation } = await pair()
    const own = await createGroupWithMembers(ana, iria)
    const preview = await ana.call(previewBlockOperation, { personId: iria.id })
    expect(preview).toMatchObject({ conversationId: conversation, following: true, followsMe: true })
    expect(new Map(preview.groups.map(({ $id, admin }) => [$id, admin]))).toEqual(
      new Map([
        [group, null],
        [own, 'me'],
      ]),
    )
    expect((await iria.call(previewBlockOperation, { personId: bea.id })).groups).toMatchObject([
      { admin: 'other' },
    ])
    await block(ana, iria)
    for (const [who, whom] of [
      [ana, iria],
      [iria, ana],
    ] as const)
      expect(await who.refusal(previewBlockOperation, { personId: whom.id })).toMatchObject({
        type: 'user_not_found',
      })
  })

  test('a member cannot block herself or an unknown member, and can remove the other only from her own groups', async () => {
    const { ana, iria, bea, group } = await pair()
    expect(await ana.refusal(blockMemberOperation, { personId: ana.id })).toMatchObject({ code: 400 })
    expect(await ana.refusal(previewBlockOperation, { personId: ana.id })).toMatchObject({ code: 400 })
    expect(await ana.refusal(blockMemberOperation, { personId: 'nobody' })).toMatchObject({
      type: 'user_not_found',
    })
    for (const [removeFrom, code] of [
      [[group], 403],
      [['nowhere'], 404],
      ['text', 400],
    ] as const)
      expect(await ana.refusal(blockMemberOperation, { personId: iria.id, removeFrom })).toMatchObject({
        code,
        field: 'removeFrom',
      })
    expect((await ana.call(listBlocksOperation, {})).documents).toEqual([])
    const own = await createGroupWithMembers(ana, iria, bea)
    await ana.call(blockMemberOperation, { personId: iria.id, removeFrom: [own] })
    expect(await bea.call(getGroupOperation, { groupId: own })).toMatchObject({ memberCount: 2 })
    expect(await bea.call(getGroupOperation, { groupId: group })).toMatchObject({ memberCount: 3 })
  })

  test('BLK-28 the list of blocks shows blocked members, newest first in pages, until the caller unblocks them', async () => {
    const ana = await w.join('Ana')
    const others = await members('Uma', 'Vera', 'Zoe')
    for (const other of others) await block(ana, other)
    const first = await ana.call(listBlocksOperation, { limit: 2 })
    expect(first.documents.map(({ person }) => person.name)).toEqual(['Zoe', 'Vera'])
    expect(first.documents[0]).toMatchObject({ newerAccounts: true, conversationId: null, groupsInCommon: 0 })
    const rest = await ana.call(listBlocksOperation, { limit: 2, cursor: String(first.next) })
    expect(rest).toMatchObject({ documents: [{ person: { name: 'Uma' } }], next: null })
    const [uma] = others as [MemberClient]
    const again = await block(ana, uma)
    expect(again.blockId).toBe(rest.documents[0]?.$id)
    expect(await uma.call(listBlocksOperation, {})).toEqual({ documents: [], next: null })
    expect(
      await uma.refusal(setBlockNewerAccountsOperation, { blockId: again.blockId, newerAccounts: false }),
    ).toMatchObject({
      code: 404,
    })
    expect(await uma.refusal(listBlocksOperation, { cursor: again.blockId })).toMatchObject({
      type: 'general_cursor_not_found',
    })
    await unblock(uma, ana)
    expect(await uma.refusal(getPersonOperation, { personId: ana.id })).toMatchObject({ code: 404 })
    await unblock(ana, uma)
    expect(await uma.call(getPersonOperation, { personId: ana.id })).toMatchObject({
      name: 'Ana',
      can: { block: true },
    })
    expect(await unblock(ana, uma)).toEqual({ blocked: false })
    expect((await ana.call(listBlocksOperation, {})).documents).toHaveLength(2)
  })

  test('BLK-30 a blocked member can block back, and they stay blocked until both unblock', async () => {
    const { ana, iria, conversation } = await pair()
    await block(ana, iria)
    expect(await iria.call(getConversationOperation, { conversationId: conversation })).toMatchObject({
      can: { block: true },
    })
    const { blockId } = await block(iria, ana)
    expect(await iria.call(getConversationOperation, { conversationId: conversation })).toMatchObject({
      can: { block: false },
    })
    expect((await iria.call(listConversationsOperation, {})).documents).toEqual([])
    await unblock(ana, iria)
    for (const [who, other] of [
      [ana, iria],
      [iria, ana],
    ] as const)
      expect(await who.refusal(getPersonOperation, { personId: other.id })).toMatchObject({ code: 404 })
    expect((await iria.call(listBlocksOperation, {})).documents).toMatchObject([{ $id: blockId }])
    await unblock(iria, ana)
    expect(await ana.call(getPersonOperation, { personId: iria.id })).toMatchObject({ name: 'Iria' })
  })
})

describe('a group in which the admin blocked a member', () => {
  test("BLK-24 BLK-25 a blocking admin still moderates the member's content, shown covered, until the member blocks the admin too", async () => {
    const { ana, iria, bea } = await pair()
    const group = await createGroupWithMembers(ana, iria, bea)
    const post = await createPostInGroup(w.database, iria, group)
    const hers = await createPostInGroup(w.database, ana, group)
    await block(ana, iria)
    const asAna = async () => (await ana.call(listGroupPostsOperation, { groupId: group })).documents
    expect((await asAna()).find(({ $id }) => $id === post)).toMatchObject({
      blocked: true,
      creator: { $id: iria.id, imageId: null },
    })
    expect((await asAna()).find(({ $id }) => $id === hers)).not.toHaveProperty('blocked')
    const list = await ana.call(listGroupMembersOperation, { groupId: group })
    expect(list.documents.find(({ userId }) => userId === iria.id)).toMatchObject({
      blocked: true,
      user: { imageId: null },
      can: { remove: true },
    })
    expect(list.blockedCount).toBe(1)
    expect(await ana.call(getPostOperation, { postId: post })).toMatchObject({ blocked: true })
    const picture = (await ana.call(getPostOperation, { postId: post })).imageUrl
    expect(picture).toContain('/v1/files/')
    for (const operation of [likePostOperation, savePostOperation])
      expect(await ana.refusal(operation, { postId: post })).toMatchObject({ code: 404 })
    // Only the group's own list contains the post.
    for (const [operation, input] of [
      [explorePostsOperation, { limit: 100 }],
      [searchPostsOperation, { term: 'tarde' }],
      [getHomeFeedOperation, {}],
      [listMyGroupsPostsOperation, {}],
    ] as const)
      expect((await ana.ask(operation, input)).raw.includes(post)).toBe(false)
    expect(
      (
        await createAppwriteDocumentsClient(ana, 'posts').list(buildAppwriteEqualQuery('groupId', group))
      ).raw.includes(post),
    ).toBe(false)
    // The blocked member cannot see how many members the admin has blocked.
    const asIria = await iria.call(listGroupMembersOperation, { groupId: group })
    expect(asIria).not.toHaveProperty('blockedCount')
    expect(
      JSON.stringify([asIria, await iria.call(listGroupPostsOperation, { groupId: group })]),
    ).not.toContain(ana.id)
    const asBea = await bea.call(listGroupMembersOperation, { groupId: group })
    expect(asBea).not.toHaveProperty('blockedCount')

    await block(iria, ana)
    expect((await asAna()).map(({ $id }) => $id)).toEqual([hers])
    expect((await ana.call(listGroupMembersOperation, { groupId: group })).documents).toHaveLength(2)
    expect(await ana.call(listGroupMembersOperation, { groupId: group })).not.toHaveProperty('blockedCount')
    expect(
      await ana.refusal(removeGroupMemberOperation, { groupId: group, memberId: iria.id }),
    ).toMatchObject({
      code: 404,
    })
    await unblock(iria, ana)
    expect(await ana.call(removeGroupMemberOperation, { groupId: group, memberId: iria.id })).toMatchObject({
      memberCount: 2,
    })
  })

  test('BLK-26 a member blocked by the admin can request to join, and the admin does not see the request', async () => {
    const { ana, iria } = await pair()
    const group = await createGroupWithMembers(ana)
    const asked = await iria.call(requestToJoinOperation, { groupId: group })
    await block(ana, iria)
    expect((await iria.call(getLatestJoinRequestOperation, { groupId: group })).request).toMatchObject({
      status: 'pending',
    })
    expect(await ana.call(listPendingJoinRequestsOperation, {})).toMatchObject({ documents: [] })
    expect(await ana.call(getGroupOperation, { groupId: group })).toMatchObject({ pendingCount: 0 })
    expect(await ana.refusal(approveJoinRequestOperation, { requestId: asked.$id })).toMatchObject({
      code: 403,
    })
    expect((await createAppwriteDocumentsClient(ana, 'groupRequests').get(asked.$id)).status).toBe(404)
    const another = await createGroupWithMembers(ana)
    expect(await iria.call(requestToJoinOperation, { groupId: another })).toMatchObject({ status: 'pending' })
    expect(await ana.call(listPendingJoinRequestsOperation, {})).toMatchObject({ documents: [] })
  })
})

describe("newer accounts from a blocked member's browser", () => {
  let joined = 0
  /** The browser gets its id when it first signs in. */
  const signIn = async (person: { email: string }, device = '') => {
    const answer = await createApiClient(w.app, device).request('POST', '/v1/sessions', {
      email: person.email,
      password: testPassword,
    })
    expect(answer.status).toBe(201)
    return /(?:^|\n)([^=\n]*device_juntas=[^;]+)/.exec(String(answer.headers['set-cookie']))?.[1] ?? device
  }
  const newcomer = async () => {
    joined += 1
    return w.join(`Nueva${joined}`)
  }
  const areApart = async (one: MemberClient, other: MemberClient) => {
    const seen = await Promise.all([
      one.ask(getPersonOperation, { personId: other.id }),
      other.ask(getPersonOperation, { personId: one.id }),
    ])
    expect(seen[0]?.status).toBe(seen[1]?.status)
    return seen[0]?.status === 404
  }

  test("BLK-29 a new account that signs in from the blocked member's browser is blocked too, and its follow ends", async () => {
    const [ana, iria] = (await members('Ana', 'Iria')) as [MemberClient, MemberClient]
    const browser = await signIn(iria)
    const early = await newcomer()
    await early.call(followOperation, { personId: ana.id })
    const { blockId } = await block(ana, iria)
    const late = await newcomer()
    const elsewhere = await newcomer()
    expect(await areApart(ana, late)).toBe(false)
    for (const one of [early, late]) {
      await signIn(one, browser)
      expect(await areApart(ana, one)).toBe(true)
    }
    expect(await areApart(ana, elsewhere)).toBe(false)
    expect(await ana.call(getPersonOperation, { personId: ana.id })).toMatchObject({ followerCount: 0 })
    expect(await ana.call(setBlockNewerAccountsOperation, { blockId, newerAccounts: false })).toMatchObject({
      newerAccounts: false,
    })
    expect(await areApart(ana, late)).toBe(false)
    expect(await areApart(ana, iria)).toBe(true)
    await ana.call(setBlockNewerAccountsOperation, { blockId, newerAccounts: true })
    expect(await areApart(ana, late)).toBe(true)
    await unblock(ana, iria)
    expect(await areApart(ana, late)).toBe(false)
    expect(await areApart(ana, iria)).toBe(false)
  })

  test('BLK-29 an existing account created in the week before the block is blocked too', async () => {
    const [ana, iria] = (await members('Ana', 'Iria')) as [MemberClient, MemberClient]
    const browser = await signIn(iria)
    const [prepared, older] = [await newcomer(), await newcomer()]
    await signIn(prepared, browser)
    await signIn(older, browser)
    await w.database.pool.query(
      `update users set created_at = created_at - interval '8 days' where public_id = $1`,
      [older.id],
    )
    await block(ana, iria)
    expect(await areApart(ana, prepared)).toBe(true)
    expect(await areApart(ana, older)).toBe(false)
    await signIn(older, browser)
    expect(await areApart(ana, older)).toBe(false)
  })

  test('BLK-29 after mutual blocks, a new account from the same browser is not blocked, and nobody is notified', async () => {
    const [stalker, iria] = (await members('Acecha', 'Iria')) as [MemberClient, MemberClient]
    const { $id: conversationId } = await iria.call(openConversationOperation, { personId: stalker.id })
    await iria.call(sendMessageOperation, { conversationId, content: 'Hola' })
    const browser = await signIn(iria)
    await block(stalker, iria)
    const early = await newcomer()
    const since = await waitForChangePosition(w.database, stalker)
    await signIn(early, browser)
    expect(await areApart(stalker, early)).toBe(true)
    const { changes } = await stalker.call(catchUpOperation, { since })
    expect(JSON.stringify(changes)).not.toContain(early.id)
    const before = await waitForChangePosition(w.database, stalker)
    await block(iria, stalker)
    expect(await areApart(stalker, early)).toBe(false)
    const late = await newcomer()
    await signIn(late, browser)
    expect(await areApart(stalker, late)).toBe(false)
    expect(await areApart(stalker, iria)).toBe(true)
    const after = await stalker.call(catchUpOperation, { since: before, collections: 'users' })
    expect(after.changes.filter(({ kind }) => kind === 'delete')).toEqual([])
  })

  test('BLK-29 a browser that the blocker also signed in from blocks no other account', async () => {
    const [ana, iria] = (await members('Ana', 'Iria')) as [MemberClient, MemberClient]
    const shared = await signIn(iria)
    await signIn(ana, shared)
    await block(ana, iria)
    const housemate = await newcomer()
    await signIn(housemate, shared)
    expect(await areApart(ana, housemate)).toBe(false)
    expect(await areApart(ana, iria)).toBe(true)
  })
})
