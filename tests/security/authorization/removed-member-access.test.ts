/** Looks for leaks in every socket, API and cache after an acknowledged removal (attacks R02, F02). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MemberClient } from '#api-client/member-client.ts'
import { appwriteFilesPath } from '#api-client/raw-multipart-upload.ts'
import { buildDocumentsChannelName } from '#api-client/realtime-urls.ts'
import { removeGroupMemberOperation } from '#contract/groups/group-members.ts'
import { getGroupOperation, listGroupPostsOperation } from '#contract/groups/groups.ts'
import {
  createPostOperation,
  deletePostOperation,
  explorePostsOperation,
  getHomeFeedOperation,
  getPostOperation,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { waitForChangePosition } from '#tests/support/change-log-position.ts'
import { createGroupWithMembers } from '#tests/support/group-factory.ts'
import { createHttpCache } from '#tests/support/http-cache.ts'
import { type SecondServerNode, startSecondServerNode } from '#tests/support/second-node.ts'
import { collectSocketEvents, openTestSocket, type TestSocket } from '#tests/support/test-socket.ts'
import { createTestWorld, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let other: SecondServerNode
let ana: MemberClient
let gala: MemberClient
let mia: MemberClient
let eva: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  other = await startSecondServerNode(w.database)
  ;[ana, gala, mia, eva] = [
    await w.join('Ana'),
    await w.join('Gala'),
    await w.join('Mia'),
    await w.join('Eva'),
  ]
})
afterAll(async () => {
  await other.end()
  await w.end()
})

const publish = async (author: MemberClient, caption: string, groupId: string | null) =>
  await author.call(createPostOperation, {
    caption,
    location: 'Casa',
    tags: [],
    imageId: await author.upload(await createJpeg()),
    groupId,
  })

const everything = [
  'documents',
  '*',
  'files',
  ...['posts', 'groups', 'groupMembers'].map((name) => buildDocumentsChannelName(name)),
]
const since = (socket: TestSocket, moment: number) => JSON.stringify(socket.frames.slice(moment))

test('after mia is removed, none of her three sockets on two nodes receives content of other members', async () => {
  const group = await createGroupWithMembers(gala, ana, mia)
  const old = await publish(ana, 'Secreto viejo', group)
  const doomed = await publish(ana, 'Secreto breve', group)
  const sockets = await Promise.all(
    [w.app, w.app, other.app].map((node) => openTestSocket(node, { as: mia, channels: everything })),
  )
  const position = await waitForChangePosition(w.database, mia)
  const unseen = await publish(ana, 'Secreto que no vio', group)
  for (const socket of sockets)
    expect(JSON.stringify(await collectSocketEvents(socket, ana))).toContain('Secreto que no vio')

  await gala.call(removeGroupMemberOperation, { groupId: group, memberId: mia.id })
  const moments = sockets.map(({ frames }) => frames.length)
  await publish(ana, 'Secreto nuevo', group)
  await ana.call(updatePostOperation, { postId: old.$id, caption: 'Secreto cambiado' })
  await ana.call(deletePostOperation, { postId: doomed.$id })
  await gala.request('PATCH', `/v1/groups/${group}`, { description: 'Sin mia' })

  for (const [place, socket] of sockets.entries()) {
    const events = await collectSocketEvents(socket, ana)
    // She receives the lost posts' ids, but no content.
    const ofHerself = events.filter(({ payload }) => payload.userId === mia.id)
    expect(ofHerself.map(({ payload }) => payload.groupId)).toContain(group)
    expect(since(socket, moments[place] ?? 0)).not.toContain('Secreto')
    expect(since(socket, moments[place] ?? 0)).not.toContain(old.imageId)
    socket.close()
  }
  const missed = JSON.stringify(await mia.call(catchUpOperation, { since: position }))
  expect(missed).not.toContain('Secreto')
  expect(missed).not.toContain(unseen.imageId)
})

test("after mia is removed, neither her browser's cache nor a shared cache shows her the group's pictures or lists", async () => {
  const group = await createGroupWithMembers(gala, ana, mia)
  const hidden = await publish(ana, 'Secreto con foto', group)
  const shown = await publish(ana, 'Para todas', null)
  const ways = (id: string) =>
    ['view', 'download', 'preview?width=640', 'preview'].map((way) => `${appwriteFilesPath}/${id}/${way}`)
  const lists = [
    `/v1/groups/${group}/posts`,
    `/v1/posts/${hidden.$id}`,
    '/v1/feed',
    '/v1/explore',
    `/v1/databases/main/collections/posts/documents/${hidden.$id}`,
  ]
  const [browser, proxy] = [createHttpCache({ shared: false }), createHttpCache({ shared: true })]
  for (const path of [...ways(hidden.imageId), ...ways(shown.imageId), ...lists]) {
    for (const cache of [browser, proxy]) {
      expect([path, (await cache.get(mia, path)).status]).toEqual([path, 200])
      expect((await cache.get(mia, path)).status).toBe(200)
    }
  }
  // Her browser may store all pictures, the shared proxy none.
  expect([...browser.kept.keys()].sort()).toEqual([...ways(hidden.imageId), ...ways(shown.imageId)].sort())
  expect([...proxy.kept.keys()]).toEqual([])
  const public_ = '/v1/docs'
  for (const path of [public_, '/v1/avatars/initials?name=Ana']) await proxy.get(mia, path)
  expect([...proxy.kept.keys()]).toEqual([public_])

  await gala.call(removeGroupMemberOperation, { groupId: group, memberId: mia.id })
  for (const cache of [browser, proxy]) {
    for (const who of [mia, eva]) {
      for (const path of ways(hidden.imageId)) {
        const { status, raw } = await cache.get(who, path)
        expect([path, status, raw.includes('JFIF')]).toEqual([path, 404, false])
      }
      for (const path of lists) {
        expect(JSON.stringify((await cache.get(who, path)).body)).not.toContain('Secreto')
      }
    }
    for (const path of ways(hidden.imageId)) expect((await cache.get(ana, path)).status).toBe(200)
  }
})

test("as soon as mia's removal is acknowledged, both nodes answer her like a stranger", async () => {
  const group = await createGroupWithMembers(gala, ana)
  const hidden = await publish(ana, 'Secreto de siempre', group)
  const elsewhere = async (path: string) => {
    const answer = await other.app.inject({
      url: path,
      headers: { host: 'localhost:3000', cookie: mia.cookie },
    })
    return [answer.statusCode, answer.body.includes('Secreto')]
  }
  for (let round = 0; round < 5; round += 1) {
    await mia.request('POST', `/v1/groups/${group}/requests`, {})
    const { requestId } = await mia.call(getGroupOperation, { groupId: group })
    await gala.request('POST', `/v1/group-requests/${requestId}/approve`, {})
    expect((await mia.call(listGroupPostsOperation, { groupId: group })).documents).toHaveLength(1)

    let acknowledged = false
    const seenAfter: unknown[] = []
    const reading = async () => {
      while (!acknowledged) await mia.ask(listGroupPostsOperation, { groupId: group })
      for (const operation of [getHomeFeedOperation, explorePostsOperation, listGroupPostsOperation]) {
        const { body } = await mia.ask(
          operation,
          operation === listGroupPostsOperation ? { groupId: group } : {},
        )
        if (JSON.stringify(body).includes('Secreto')) seenAfter.push(operation.name)
      }
      if ((await mia.ask(getPostOperation, { postId: hidden.$id })).status !== 403) seenAfter.push('getPost')
    }
    const readers = [reading(), reading(), reading()]
    await gala.call(removeGroupMemberOperation, { groupId: group, memberId: mia.id })
    acknowledged = true
    await Promise.all(readers)
    expect(seenAfter).toEqual([])
    expect(await elsewhere(`/v1/groups/${group}/posts`)).toEqual([403, false])
    expect(await elsewhere(`${appwriteFilesPath}/${hidden.imageId}/view`)).toEqual([404, false])
  }
})
