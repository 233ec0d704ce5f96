import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  approveFollowRequestOperation,
  countFollowRequestsOperation,
  declineFollowRequestOperation,
  listFollowRequestsOperation,
} from '#contract/people/follow-requests.ts'
import {
  followOperation,
  getPersonOperation,
  isFollowingOperation,
  listFollowersOperation,
  listFollowingOperation,
  listPeopleOperation,
  removeFollowerOperation,
  searchPeopleOperation,
  unfollowOperation,
} from '#contract/people/people.ts'
import {
  getPrivacySettingsOperation,
  updatePrivacySettingsOperation,
} from '#contract/people/privacy-settings.ts'
import {
  explorePostsOperation,
  getHomeFeedOperation,
  getPostOperation,
  likePostOperation,
  listLikedPostsOperation,
  listPersonPostsOperation,
  listSavedPostsOperation,
  savePostOperation,
  searchPostsOperation,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import {
  createAppwriteDocumentsClient as documentsOf,
  buildAppwriteEqualQuery as equal,
} from '#tests/support/appwrite-documents-client.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createGroupWithMembers, createPostInGroup } from '#tests/support/group-factory.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

let w: TestWorld
let petra: MemberClient
let bea: MemberClient
/** Ana has no relation to petra. */
let ana: MemberClient
/** Cleo is in petra's group but does not follow petra. */
let cleo: MemberClient
let open: string
let grouped: string
let group: string

const query = (text: string, values: unknown[] = []) => w.database.pool.query(text, values)
const goPrivate = (member: MemberClient) => member.call(updatePrivacySettingsOperation, { isPrivate: true })
const goPublic = (member: MemberClient, earlierPosts: 'everyone' | 'followers' = 'everyone') =>
  member.call(updatePrivacySettingsOperation, { isPrivate: false, earlierPosts })
const requestsOf = async (member: MemberClient) =>
  (await member.call(listFollowRequestsOperation, {})).documents
const stateOf = (who: MemberClient, of: MemberClient) => who.call(isFollowingOperation, { personId: of.id })

beforeAll(async () => {
  w = await createTestWorld()
  ;[petra, bea, ana, cleo] = [
    await w.join('Petra'),
    await w.join('Bea'),
    await w.join('Ana'),
    await w.join('Cleo'),
  ]
  await bea.call(followOperation, { personId: petra.id })
  open = await createPostInGroup(w.database, petra, null)
  group = await createGroupWithMembers(petra, cleo)
  grouped = await createPostInGroup(w.database, petra, group)
  for (const who of [ana, bea]) {
    await who.call(likePostOperation, { postId: open })
    await who.call(savePostOperation, { postId: open })
  }
  await goPrivate(petra)
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

async function pathsTo(who: MemberClient, postId: string): Promise<string[]> {
  const has = ({ documents }: { documents: { $id: string }[] }) => documents.some(({ $id }) => $id === postId)
  const lists = {
    explore: has(await who.call(explorePostsOperation, { limit: 100 })),
    search: has(await who.call(searchPostsOperation, { term: 'tarde' })),
    person: has(await who.call(listPersonPostsOperation, { personId: petra.id })),
    saved: has(await who.call(listSavedPostsOperation, {})),
    liked: has(await who.call(listLikedPostsOperation, {})),
    home: has(await who.call(getHomeFeedOperation, {})),
    following: has(await who.call(explorePostsOperation, { from: 'following' })),
    documents: has({ documents: await documentsOf(who, 'posts').all(equal('creator', petra)) }),
    nested: JSON.stringify((await documentsOf(who, 'users').get(petra.id)).body.posts).includes(postId),
    saves: JSON.stringify(await documentsOf(who, 'saves').all()).includes(postId),
    one: (await who.ask(getPostOperation, { postId })).status === 200,
    document: (await documentsOf(who, 'posts').get(postId)).status === 200,
    cursor: (await who.ask(getHomeFeedOperation, { cursor: postId })).status === 200,
  }
  return Object.entries(lists).flatMap(([path, found]) => (found ? [path] : []))
}

describe('without private accounts', () => {
  test('PRIV-01 a new account is public through both APIs, and a stranger can read its posts', async () => {
    const nora = await w.join('Nora')
    const made = await w.visitor.request<{ $id: string }>('POST', '/v1/account', {
      userId: 'unique()',
      email: 'olga@juntas.test',
      password: testPassword,
      name: 'Olga',
    })
    expect(made.status).toBe(201)
    expect(await nora.call(getPrivacySettingsOperation, {})).toMatchObject({
      isPrivate: false,
      isListed: true,
    })
    const { rows } = await query(
      `select bool_or(is_private) as private from users u join accounts a on a.id = u.account_id
       where a.public_id = any($1)`,
      [[nora.accountId, made.body.$id]],
    )
    expect(rows[0].private).not.toBe(true)
    const postId = await createPostInGroup(w.database, nora, null)
    expect((await ana.ask(getPostOperation, { postId })).status).toBe(200)
    const pia = await w.join('Pia')
    expect(await pia.call(followOperation, { personId: nora.id })).toEqual({
      following: true,
      requested: false,
    })
  })
})

describe('readers of a private account', () => {
  test("PRIV-04 only the author and followers can read a private account's post outside groups, on every path", async () => {
    expect(await pathsTo(ana, open)).toEqual([])
    expect(await pathsTo(cleo, open)).toEqual([])
    expect((await pathsTo(bea, open)).length).toBe(13)
    expect(await pathsTo(petra, open)).toEqual(
      expect.arrayContaining([
        'explore',
        'search',
        'person',
        'home',
        'documents',
        'one',
        'document',
        'cursor',
      ]),
    )
    expect((await w.visitor.request('GET', `/v1/posts/${open}`)).status).toBe(401)
    expect(await ana.ask(getPostOperation, { postId: open })).toMatchObject({
      status: 404,
      body: { type: 'document_not_found' },
    })
  })

  test("PRIV-04 the picture of a private account's post is 404 to others, in any size, any range and with a known ETag", async () => {
    const { imageId } = await petra.call(getPostOperation, { postId: open })
    for (const path of [`/v1/files/${imageId}`, `/v1/storage/buckets/media/files/${imageId}`]) {
      expect((await ana.request('GET', path)).status).toBe(404)
      expect((await bea.request('GET', path)).status).toBe(200)
    }
    for (const path of ['view', 'preview?width=64', 'download'])
      for (const headers of [{}, { range: 'bytes=0-3' }, { 'if-none-match': '*' }] as Record<
        string,
        string
      >[])
        expect(
          (await ana.request('GET', `/v1/storage/buckets/media/files/${imageId}/${path}`, undefined, headers))
            .status,
        ).toBe(404)
  })

  test("PRIV-05 a private member's post in a group is visible to the group, including non-followers", async () => {
    expect((await cleo.ask(getPostOperation, { postId: grouped })).status).toBe(200)
    expect((await bea.ask(getPostOperation, { postId: grouped })).status).toBe(403)
  })

  test('PRIV-13 the post count and the follow lists of a private account show only what the caller may see', async () => {
    const seenBy = (who: MemberClient) => who.call(getPersonOperation, { personId: petra.id })
    expect(await seenBy(ana)).toMatchObject({
      isPrivate: true,
      postCount: 0,
      followerCount: null,
      followingCount: null,
      listsFor: 'followers',
      can: { seePosts: false, seeLists: false },
    })
    expect(await seenBy(bea)).toMatchObject({
      postCount: 1,
      followerCount: 1,
      can: { seePosts: true, seeLists: true },
    })
    expect(await seenBy(cleo)).toMatchObject({ postCount: 1, can: { seePosts: false } })
    expect(await seenBy(petra)).toMatchObject({ postCount: 2, followerCount: 1 })
    const totalFor = async (who: MemberClient) =>
      (await documentsOf(who, 'users').get(petra.id)).body.postsTotal
    expect(await Promise.all([ana, bea, cleo, petra].map(totalFor))).toEqual([0, 1, 1, 2])
  })

  test("PRIV-14 a private account's post is for followers after leaving a group, and for members after entering a group", async () => {
    const id = await createPostInGroup(w.database, petra, group)
    const statuses = async () =>
      Promise.all(
        [ana, bea, cleo].map(async (who) => (await who.ask(getPostOperation, { postId: id })).status),
      )
    expect(await statuses()).toEqual([403, 403, 200])
    await petra.call(updatePostOperation, { postId: id, groupId: null })
    expect(await statuses()).toEqual([404, 200, 404])
    expect((await documentsOf(petra, 'posts').patch(id, { groupId: group })).status).toBe(200)
    expect(await statuses()).toEqual([403, 403, 200])
    expect((await documentsOf(petra, 'posts').patch(id, { groupId: null })).status).toBe(200)
    expect(await statuses()).toEqual([404, 200, 404])
    await petra.request('DELETE', `/v1/posts/${id}`)
  })
})

describe('requests to follow', () => {
  test('REQ-03 REQ-10 following a private account sends a request, which nobody else sees', async () => {
    expect(await ana.call(followOperation, { personId: petra.id })).toEqual({
      following: false,
      requested: true,
    })
    expect(await ana.call(followOperation, { personId: petra.id })).toEqual({
      following: false,
      requested: true,
    })
    expect(await ana.call(getPersonOperation, { personId: petra.id })).toMatchObject({
      following: false,
      requested: true,
    })
    const [request, ...more] = await requestsOf(petra)
    expect(more).toEqual([])
    expect(request).toMatchObject({
      person: { $id: ana.id },
      why: { following: false, groupsInCommon: 0, joinedAt: expect.any(String) },
    })
    expect(await petra.call(countFollowRequestsOperation, {})).toEqual({ count: 1 })
    expect(await petra.call(getPrivacySettingsOperation, {})).toMatchObject({ followRequestCount: 1 })
    for (const who of [bea, cleo, ana]) expect(await requestsOf(who)).toEqual([])
    expect(await bea.call(getPersonOperation, { personId: petra.id })).toMatchObject({ followerCount: 1 })
    const requestId = request?.$id ?? ''
    for (const who of [ana, bea, cleo])
      for (const operation of [approveFollowRequestOperation, declineFollowRequestOperation])
        expect(await who.ask(operation, { requestId })).toMatchObject({
          status: 404,
          body: { type: 'follow_request_not_found', message: 'Solicitud no encontrada' },
        })
  })

  test('REQ-03 follow requests are listed newest first in pages, even if the last one of a page was answered', async () => {
    await bea.call(updatePrivacySettingsOperation, { isPrivate: true })
    for (const who of [ana, cleo, petra]) await who.call(followOperation, { personId: bea.id })
    const first = await bea.call(listFollowRequestsOperation, { limit: 2 })
    expect(first.documents.map(({ person }) => person.$id)).toEqual([petra.id, cleo.id])
    await bea.call(declineFollowRequestOperation, { requestId: first.documents[1]?.$id ?? '' })
    const rest = await bea.call(listFollowRequestsOperation, { limit: 2, cursor: first.next ?? '' })
    expect(rest).toMatchObject({ documents: [{ person: { $id: ana.id } }], next: null })
    expect((await bea.ask(listFollowRequestsOperation, { cursor: 'nothing' })).status).toBe(400)
    await goPublic(bea)
    for (const who of [ana, cleo, petra]) await who.call(unfollowOperation, { personId: bea.id })
  })

  test('REQ-02 pressing Follow again withdraws the request', async () => {
    expect(await ana.call(unfollowOperation, { personId: petra.id })).toEqual({
      following: false,
      requested: false,
    })
    expect(await stateOf(ana, petra)).toEqual({ following: false, requested: false })
    expect(await requestsOf(petra)).toEqual([])
  })

  test('REQ-04 a request shows its reasons: the account follows her, they share groups, or she joined in the last week', async () => {
    await petra.call(followOperation, { personId: cleo.id })
    await query(`update users set created_at = now() - interval '8 days' where public_id = $1`, [cleo.id])
    await cleo.call(followOperation, { personId: petra.id })
    const [request] = await requestsOf(petra)
    expect(request?.why).toEqual({ following: true, groupsInCommon: 1, joinedAt: null })
    await cleo.call(unfollowOperation, { personId: petra.id })
    await petra.call(unfollowOperation, { personId: cleo.id })
  })

  test('REQ-05 an approved member follows under the id of the request and reads what followers read', async () => {
    await ana.call(followOperation, { personId: petra.id })
    const [request] = await requestsOf(petra)
    expect(await petra.call(approveFollowRequestOperation, { requestId: request?.$id ?? '' })).toEqual({
      followsMe: true,
    })
    expect(await stateOf(ana, petra)).toEqual({ following: true, requested: false })
    const [document] = await documentsOf(ana, 'follows').all(equal('followerId', ana))
    expect(document?.$id).toBe(request?.$id)
    expect((await ana.ask(getPostOperation, { postId: open })).status).toBe(200)
    expect(await ana.call(followOperation, { personId: petra.id })).toEqual({
      following: true,
      requested: false,
    })
    expect(await petra.ask(approveFollowRequestOperation, { requestId: request?.$id ?? '' })).toMatchObject({
      status: 404,
    })
  })

  test('MUTE-10 MUTE-11 a removed follower loses access immediately, and removing her again answers the same', async () => {
    expect(await petra.call(removeFollowerOperation, { personId: ana.id })).toEqual({ removed: true })
    expect(await petra.call(removeFollowerOperation, { personId: ana.id })).toEqual({ removed: true })
    expect(await pathsTo(ana, open)).toEqual([])
    expect(await stateOf(ana, petra)).toEqual({ following: false, requested: false })
    expect((await petra.ask(removeFollowerOperation, { personId: 'nobody' })).status).toBe(404)
  })

  test('REQ-06 REQ-07 after a decline the requester sees no difference, and asking again notifies nobody for 30 days', async () => {
    const seen = async () => [
      await stateOf(ana, petra),
      await ana.call(getPersonOperation, { personId: petra.id }),
      await ana.call(listPeopleOperation, {}),
    ]
    await ana.call(followOperation, { personId: petra.id })
    const before = await seen()
    const [request] = await requestsOf(petra)
    await petra.call(declineFollowRequestOperation, { requestId: request?.$id ?? '' })
    expect(await seen()).toEqual(before)
    expect(await requestsOf(petra)).toEqual([])
    expect(await ana.call(followOperation, { personId: petra.id })).toEqual({
      following: false,
      requested: true,
    })
    expect(await ana.call(unfollowOperation, { personId: petra.id })).toEqual({
      following: false,
      requested: false,
    })
    expect(await stateOf(ana, petra)).toEqual({ following: false, requested: false })
    expect(await ana.call(followOperation, { personId: petra.id })).toEqual({
      following: false,
      requested: true,
    })
    expect(await stateOf(ana, petra)).toEqual({ following: false, requested: true })
    expect(await requestsOf(petra)).toEqual([])
    await query(`update follow_requests set decided_at = decided_at - interval '31 days'`)
    expect(await stateOf(ana, petra)).toEqual({ following: false, requested: false })
    expect(await ana.call(followOperation, { personId: petra.id })).toEqual({
      following: false,
      requested: true,
    })
    expect(await requestsOf(petra)).toHaveLength(1)
    await ana.call(unfollowOperation, { personId: petra.id })
  })
})

describe('through the documents API', () => {
  test('REQ-11 following a private account answers 201 with the id of a request, which only its sender can read and delete', async () => {
    const follows = documentsOf(ana, 'follows')
    const attributes = { followerId: ana.id, followingId: petra.id }
    const made = await follows.create(attributes, 'asked-by-ana')
    expect(made).toMatchObject({ status: 201, body: { $id: 'asked-by-ana', ...attributes } })
    const ofBea = (await documentsOf(bea, 'follows').all(equal('followerId', bea)))[0]
    expect(Object.keys(made.body).sort()).toEqual(Object.keys(ofBea ?? {}).sort())
    expect(made.body.$permissions).toHaveLength(2)
    expect((await requestsOf(petra)).map(({ $id }) => $id)).toEqual(['asked-by-ana'])
    expect((await follows.create(attributes, 'asked-again')).body.$id).toBe('asked-by-ana')
    expect(await follows.get('asked-by-ana')).toMatchObject({ status: 200, body: attributes })
    expect((await follows.list(equal('followerId', ana))).body.total).toBe(0)
    expect((await follows.list('equal("$id", ["asked-by-ana"])')).body.total).toBe(0)
    for (const who of [petra, bea]) {
      expect((await documentsOf(who, 'follows').get('asked-by-ana')).status).toBe(404)
      expect((await documentsOf(who, 'follows').remove('asked-by-ana')).status).toBe(404)
    }
    for (const name of ['followRequests', 'follow_requests'])
      expect((await documentsOf(ana, name).list()).body).toMatchObject({ type: 'collection_not_found' })
    expect((await follows.remove('asked-by-ana')).status).toBe(204)
    expect((await follows.get('asked-by-ana')).status).toBe(404)
    expect(await requestsOf(petra)).toEqual([])
  })

  test('REQ-02 REQ-11 repeated follow requests under one id notify once, and once more after a withdrawal', async () => {
    const follows = documentsOf(ana, 'follows')
    const ask = () => follows.create({ followerId: ana.id, followingId: petra.id }, 'of-ana-again')
    const countChanges = async () => {
      const { rows } = await w.database.pool.query<{ recorded: number }>(
        `select count(*)::int as recorded from changes c join accounts a on a.id = c.account_id
         where c.collection = 'followRequests' and c.kind = 'create' and c.public_id = 'of-ana-again' and a.public_id = $1`,
        [petra.accountId],
      )
      return rows[0]?.recorded
    }
    for (let n = 0; n < 3; n += 1) expect((await ask()).body.$id).toBe('of-ana-again')
    expect(await countChanges()).toBe(1)
    await ana.call(unfollowOperation, { personId: petra.id })
    await Promise.all([ask(), ask(), ask()])
    expect(await countChanges()).toBe(2)
    await ana.call(unfollowOperation, { personId: petra.id })
  })

  test('REQ-11 approving a follow request works even if the sender used its id for another follow meanwhile', async () => {
    const follows = documentsOf(ana, 'follows')
    await follows.create({ followerId: ana.id, followingId: petra.id }, 'of-ana')
    await petra.call(approveFollowRequestOperation, { requestId: 'of-ana' })
    expect(await follows.get('of-ana')).toMatchObject({ body: { followingId: petra.id } })
    await petra.call(removeFollowerOperation, { personId: ana.id })
    await follows.create({ followerId: ana.id, followingId: petra.id }, 'twice')
    expect((await follows.create({ followerId: ana.id, followingId: bea.id }, 'twice')).status).toBe(201)
    await petra.call(approveFollowRequestOperation, { requestId: 'twice' })
    expect(await stateOf(ana, petra)).toEqual({ following: true, requested: false })
    await petra.call(removeFollowerOperation, { personId: ana.id })
    await ana.call(unfollowOperation, { personId: bea.id })
  })

  test('PRIV-16 private accounts add no attribute to members and posts in the documents API', async () => {
    const mine = await documentsOf(petra, 'users').get(petra.id)
    expect(Object.keys(mine.body).filter((name) => /private|listed|lists|followers/i.test(name))).toEqual([])
    const post = await documentsOf(petra, 'posts').get(open)
    expect(Object.keys(post.body).filter((name) => /followers|private/i.test(name))).toEqual([])
    expect((await documentsOf(petra, 'users').patch(petra.id, { isPrivate: false })).status).toBe(400)
    expect((await documentsOf(petra, 'posts').patch(open, { followersOnly: false })).status).toBe(400)
    expect(await petra.call(getPrivacySettingsOperation, {})).toMatchObject({ isPrivate: true })
  })
})

describe('switching between private and public', () => {
  test('PRIV-06 PRIV-07 switching to private hides earlier posts at once; likes and saves are hidden and return', async () => {
    const luz = await w.join('Luz')
    const post = await createPostInGroup(w.database, luz, null)
    const before = await luz.call(getPostOperation, { postId: post })
    await ana.call(likePostOperation, { postId: post })
    await ana.call(savePostOperation, { postId: post })
    expect(await goPrivate(luz)).toMatchObject({ isPrivate: true, followersOnlyPostCount: 1 })
    expect((await ana.ask(getPostOperation, { postId: post })).status).toBe(404)
    const ids = async () =>
      [await ana.call(listLikedPostsOperation, {}), await ana.call(listSavedPostsOperation, {})].map(
        ({ documents }) => documents.map(({ $id }) => $id).includes(post),
      )
    expect(await ids()).toEqual([false, false])
    expect(await luz.call(getPostOperation, { postId: post })).toEqual({ ...before, likeCount: 1 })
    await goPublic(luz)
    expect(await ids()).toEqual([true, true])
  })

  test('PRIV-09 PRIV-10 switching to public requires a choice about earlier posts, and applies that choice', async () => {
    const luz = await w.join('Lupe')
    await goPrivate(luz)
    const earlier = await createPostInGroup(w.database, luz, null)
    expect(await luz.ask(updatePrivacySettingsOperation, { isPrivate: false })).toMatchObject({
      status: 400,
      body: {
        type: 'privacy_earlier_posts_required',
        message: 'Elige quién verá tus publicaciones anteriores',
        field: 'earlierPosts',
      },
    })
    expect(await luz.call(getPrivacySettingsOperation, {})).toMatchObject({ isPrivate: true })
    expect(await goPublic(luz, 'followers')).toMatchObject({ isPrivate: false, followersOnlyPostCount: 1 })
    const later = await createPostInGroup(w.database, luz, null)
    const statuses = async () =>
      Promise.all(
        [earlier, later].map(async (postId) => (await ana.ask(getPostOperation, { postId })).status),
      )
    expect(await statuses()).toEqual([404, 200])
    expect(await ana.call(getPersonOperation, { personId: luz.id })).toMatchObject({ postCount: 1 })
    // Saving the post without a change of group does not make it public.
    await luz.call(updatePostOperation, { postId: earlier, groupId: null, caption: 'La misma de antes' })
    expect(await statuses()).toEqual([404, 200])
    await goPrivate(luz)
    expect(await statuses()).toEqual([404, 404])
    await goPublic(luz, 'everyone')
    expect(await statuses()).toEqual([200, 200])
  })

  test('PRIV-11 switching to public needs the password unless the session was re-authenticated recently', async () => {
    const luz = await w.join('Lola')
    await goPrivate(luz)
    expect(await luz.call(getPrivacySettingsOperation, {})).toMatchObject({ takesPassword: false })
    await query(
      `update sessions set proved_at = now() - interval '16 minutes'
       where account_id = (select id from accounts where public_id = $1)`,
      [luz.accountId],
    )
    expect(await luz.call(getPrivacySettingsOperation, {})).toMatchObject({ takesPassword: true })
    const opening = { isPrivate: false, earlierPosts: 'everyone' } as const
    expect(await luz.ask(updatePrivacySettingsOperation, opening)).toMatchObject({
      status: 401,
      body: { type: 'user_challenge_required' },
    })
    expect(
      await luz.ask(updatePrivacySettingsOperation, { ...opening, password: 'otra contraseña larga' }),
    ).toMatchObject({ status: 401, body: { type: 'user_invalid_credentials', field: 'password' } })
    expect(await luz.call(getPrivacySettingsOperation, {})).toMatchObject({ isPrivate: true })
    const opened = await luz.call(updatePrivacySettingsOperation, { ...opening, password: testPassword })
    expect(opened).toMatchObject({ isPrivate: false, takesPassword: false })
  })

  test('REQ-08 going public approves pending requests, but not declined ones', async () => {
    const luz = await w.join('Lina')
    await goPrivate(luz)
    for (const who of [ana, bea]) await who.call(followOperation, { personId: luz.id })
    const declined = (await requestsOf(luz)).find(({ person }) => person.$id === bea.id)?.$id ?? ''
    await luz.call(declineFollowRequestOperation, { requestId: declined })
    await goPublic(luz)
    expect(await stateOf(ana, luz)).toEqual({ following: true, requested: false })
    expect(await stateOf(bea, luz)).toEqual({ following: false, requested: true })
    expect(await bea.call(followOperation, { personId: luz.id })).toEqual({
      following: true,
      requested: false,
    })
  })
})

describe('lists of followers and followed members', () => {
  test('MUTE-12 MUTE-13 closed follow lists are empty with null counts, from the side of either member', async () => {
    const [luz, mar, sol] = [await w.join('Lara'), await w.join('Mar'), await w.join('Sol')]
    await mar.call(followOperation, { personId: luz.id })
    await luz.call(followOperation, { personId: sol.id })
    const seenBy = async (who: MemberClient) => {
      const { followerCount, followingCount, can } = await who.call(getPersonOperation, { personId: luz.id })
      const ids = ({ documents }: { documents: { $id: string }[] }) => documents.map(({ $id }) => $id)
      return {
        counts: [followerCount, followingCount],
        seeLists: can.seeLists,
        followers: ids(await who.call(listFollowersOperation, { personId: luz.id })),
        following: ids(await who.call(listFollowingOperation, { personId: luz.id })),
        ofMar: ids(await who.call(listFollowingOperation, { personId: mar.id })),
        ofSol: ids(await who.call(listFollowersOperation, { personId: sol.id })),
        documents: (await documentsOf(who, 'follows').list(equal('followingId', luz))).body.total,
      }
    }
    const all = {
      counts: [1, 1],
      seeLists: true,
      followers: [mar.id],
      following: [sol.id],
      ofMar: [luz.id],
      ofSol: [luz.id],
      documents: 1,
    }
    const closed = { counts: [null, null], seeLists: false, followers: [], following: [] }
    expect(await luz.call(getPrivacySettingsOperation, {})).toMatchObject({ listsFor: 'everyone' })
    expect(await seenBy(ana)).toEqual(all)
    await luz.call(updatePrivacySettingsOperation, { listsFor: 'followers' })
    expect(await seenBy(ana)).toEqual({ ...closed, ofMar: [], ofSol: [], documents: 0 })
    expect(await seenBy(mar)).toEqual(all)
    expect(await seenBy(luz)).toEqual(all)
    await luz.call(updatePrivacySettingsOperation, { listsFor: 'me' })
    expect(await seenBy(ana)).toEqual({ ...closed, ofMar: [], ofSol: [], documents: 0 })
    expect(await seenBy(mar)).toEqual({ ...closed, ofMar: [luz.id], ofSol: [], documents: 1 })
    expect(await seenBy(luz)).toEqual(all)
    await luz.call(updatePrivacySettingsOperation, { listsFor: 'everyone', isPrivate: true })
    expect(await seenBy(ana)).toMatchObject({ ...closed, documents: 0 })
  })

  test('MUTE-14 an unlisted member appears in no member list or search, except to herself', async () => {
    const luz = await w.join('Escondida')
    const found = async (who: MemberClient) => [
      (await who.call(listPeopleOperation, { limit: 100 })).documents.some(({ $id }) => $id === luz.id),
      (await who.call(searchPeopleOperation, { term: 'escondida' })).documents.some(
        ({ $id }) => $id === luz.id,
      ),
      (await documentsOf(who, 'users').list(equal('$id', luz))).body.total,
      (await documentsOf(who, 'users').list('search("name", ["Escondida"])')).body.total,
    ]
    expect(await found(ana)).toEqual([true, true, 1, 1])
    expect(await luz.call(updatePrivacySettingsOperation, { isListed: false })).toMatchObject({
      isListed: false,
    })
    expect(await found(ana)).toEqual([false, false, 0, 0])
    expect(await found(luz)).toEqual([true, true, 1, 1])
    expect((await ana.ask(getPersonOperation, { personId: luz.id })).status).toBe(200)
    expect((await documentsOf(ana, 'users').get(luz.id)).status).toBe(200)
  })
})
