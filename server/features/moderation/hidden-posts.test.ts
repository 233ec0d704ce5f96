import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createExportDownloadLinkOperation,
  getExportOperation,
  requestExportOperation,
} from '#contract/data-export/account-export.ts'
import { leaveGroupOperation } from '#contract/groups/group-members.ts'
import { requestToJoinOperation } from '#contract/groups/group-requests.ts'
import {
  getGroupOperation,
  listGroupsOperation,
  searchGroupsOperation,
  updateGroupOperation,
} from '#contract/groups/groups.ts'
import { claimCaseOperation, decideCaseOperation, getCaseOperation } from '#contract/moderation/cases.ts'
import { followOperation, getPersonOperation } from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import {
  createPostOperation,
  deletePostOperation,
  getHomeFeedOperation,
  getPostOperation,
  likePostOperation,
  type Post,
  savePostOperation,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import { readZipFiles } from '#scripts/harness/check-zip-with-installed-readers.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import {
  createAppwriteDocumentsClient,
  buildAppwriteEqualQuery as equal,
} from '#tests/support/appwrite-documents-client.ts'
import { waitForChangePosition } from '#tests/support/change-log-position.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { findPathsToPost } from '#tests/support/find-paths-to-post.ts'
import { createGroupWithMembers, createPostInGroup } from '#tests/support/group-factory.ts'
import { appointModeratorOnDuty, claimAndDecide, reportSubject } from '#tests/support/report-and-moderate.ts'
import { raceTimeoutMs, runRaceRounds } from '#tests/support/run-race-rounds.ts'
import { collectSocketEvents, openTestSocket, type TestSocket } from '#tests/support/test-socket.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let mo: MemberClient
let iria: MemberClient
/** Bea follows iria and is a member of iria's group. */
let bea: MemberClient
/** Ana has no relation to iria. */
let ana: MemberClient
let group: string

const hide = { decision: 'hide', text: 'Busca a una persona' } as const

beforeAll(async () => {
  w = await createTestWorld()
  ;[mo, iria, bea, ana] = [await w.join('Mo'), await w.join('Iria'), await w.join('Bea'), await w.join('Ana')]
  await appointModeratorOnDuty(w.database, mo)
  await bea.call(followOperation, { personId: iria.id })
  group = await createGroupWithMembers(iria, bea)
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

async function postOf(author: MemberClient, groupId: string | null) {
  const imageId = await author.upload(await createJpeg('#7a1f4d'))
  return author.call(createPostOperation, {
    ...{ caption: 'Quién la conoce', location: 'Gijón', tags: ['busca'] },
    ...{ imageId, groupId },
  })
}
const hidePost = async (postId: string) => {
  const { caseId } = await reportSubject(w.database, bea, { kind: 'post', id: postId })
  await claimAndDecide(mo, caseId, hide)
  return caseId
}

let start = ''
const pathsTo = (who: MemberClient, post: Post) =>
  findPathsToPost(who, post, { author: iria, group, since: start })

describe('a hidden post', () => {
  test.each([
    ['of everybody', () => null],
    ['of a group', () => group],
  ])(
    'MOD-12 a hidden post %s is 404 on every path for all but its creator, including its picture, and counts for nobody',
    async (_, where) => {
      start = await waitForChangePosition(w.database, bea)
      const post = await postOf(iria, where())
      for (const who of where() ? [bea] : [bea, ana]) {
        await who.call(likePostOperation, { postId: post.$id })
        await who.call(savePostOperation, { postId: post.$id })
      }
      const countFor = async (who: MemberClient) => [
        (await who.call(getPersonOperation, { personId: iria.id })).postCount,
        (await createAppwriteDocumentsClient(who, 'users').get(iria.id)).body.postsTotal,
        (await createAppwriteDocumentsClient(who, 'posts').list(equal('creator', iria))).body.total,
      ]
      const people = [bea, ana, mo, iria]
      const before = await Promise.all(people.map(countFor))
      expect((await pathsTo(bea, post)).length).toBeGreaterThan(15)
      await hidePost(post.$id)
      for (const who of [bea, ana, mo]) expect([who.name, await pathsTo(who, post)]).toEqual([who.name, []])
      expect(await bea.ask(getPostOperation, { postId: post.$id })).toMatchObject({
        status: 404,
        body: { type: 'document_not_found' },
      })
      expect(await ana.ask(getPostOperation, { postId: post.$id })).toMatchObject({ status: 404 })
      expect(await pathsTo(iria, post)).toEqual(
        expect.arrayContaining([
          'explore',
          'search',
          'person',
          'one',
          'documents',
          'document',
          'picture',
          'preview',
        ]),
      )
      expect(await iria.call(getPostOperation, { postId: post.$id })).toMatchObject({
        hidden: { by: 'moderator', reason: 'Busca a una persona' },
      })
      const after = await Promise.all(people.map(countFor))
      const sees = where() ? [1, 0, 0, 0] : [1, 1, 1, 0]
      expect(after).toEqual(before.map((counts, n) => counts.map((count) => Number(count) - (sees[n] ?? 0))))
    },
  )

  test("MOD-12 a private account's hidden post is not in the post count that followers see", async () => {
    const petra = await w.join('Petra')
    await bea.call(followOperation, { personId: petra.id })
    await petra.call(updatePrivacySettingsOperation, { isPrivate: true })
    await createPostInGroup(w.database, petra, null)
    const id = await createPostInGroup(w.database, petra, null)
    const count = async (who: MemberClient) =>
      (await who.call(getPersonOperation, { personId: petra.id })).postCount
    expect(await Promise.all([bea, ana, petra].map(count))).toEqual([2, 0, 2])
    await hidePost(id)
    expect(await Promise.all([bea, ana, petra].map(count))).toEqual([1, 0, 2])
  })

  test.each([
    ['of everybody', () => null],
    ['of a group', () => group],
  ])(
    'MOD-12 hiding a post %s sends readers a deletion and its creator a change, on both sockets and in catch-up',
    async (_, where) => {
      const post = await createPostInGroup(w.database, iria, where())
      const people = [bea, ana, iria]
      const listening = await Promise.all(
        people.map(async (as) => ({
          as,
          live: await openTestSocket(w.app, { as, path: '/v1/live' }),
          appwrite: await openTestSocket(w.app, {
            as,
            channels: ['databases.main.collections.posts.documents'],
          }),
        })),
      )
      const since = await waitForChangePosition(w.database, bea)
      const answers = async () =>
        Object.fromEntries(
          await Promise.all(
            listening.map(async ({ as, live, appwrite }) => {
              const [, events] = await Promise.all([
                collectSocketEvents(live, as),
                collectSocketEvents(appwrite, as),
              ])
              const { changes } = await as.call(catchUpOperation, { since })
              return [
                as.name,
                {
                  live: kindsOf(live, post),
                  appwrite: events.flatMap(({ payload, events: [exact = ''] }) =>
                    payload.$id === post ? [exact.split('.').at(-1)] : [],
                  ),
                  missed: changes.flatMap(({ kind, document }) => (document.$id === post ? [kind] : [])),
                },
              ] as const
            }),
          ),
        )
      const by = (...kinds: string[]) => ({ live: kinds, appwrite: kinds, missed: kinds.slice(-1) })
      await hidePost(post)
      const stranger = where() ? by() : by('delete')
      expect(await answers()).toEqual({ Bea: by('delete'), Ana: stranger, Iria: by('update') })
      await iria.call(deletePostOperation, { postId: post })
      expect(await answers()).toEqual({ Bea: by('delete'), Ana: stranger, Iria: by('update', 'delete') })
      for (const { live, appwrite } of listening) for (const socket of [live, appwrite]) socket.close()
    },
  )

  test('MOD-13 a hidden post cannot be edited or moved through either API, but can be deleted, and the case stays', async () => {
    const post = await postOf(iria, group)
    const caseId = await hidePost(post.$id)
    const before = await mo.call(getCaseOperation, { caseId })
    const api = createAppwriteDocumentsClient(iria, 'posts')
    for (const change of [{ caption: 'Otra cosa' }, { groupId: null }, { location: 'Aquí' }]) {
      expect(await iria.ask(updatePostOperation, { postId: post.$id, ...change })).toMatchObject({
        status: 403,
        body: { type: 'user_unauthorized' },
      })
      expect((await api.patch(post.$id, change)).status).toBe(401)
    }
    expect((await iria.call(getPostOperation, { postId: post.$id })).can).toEqual({
      edit: false,
      delete: true,
    })
    for (const who of [bea, ana])
      for (const operation of [updatePostOperation, deletePostOperation])
        expect((await who.ask(operation, { postId: post.$id })).status).toBe(404)
    await iria.call(deletePostOperation, { postId: post.$id })
    expect(await mo.call(getCaseOperation, { caseId })).toEqual({ ...before, deletedAt: expect.any(String) })
    expect((await bea.ask(getHomeFeedOperation, { cursor: post.$id })).status).toBe(400)
  })

  test('messages and members cannot be hidden, and deleted content stays deleted', async () => {
    const about = await reportSubject(w.database, bea, { kind: 'member', id: iria.id })
    await mo.call(claimCaseOperation, { caseId: about.caseId })
    expect(await mo.refusal(decideCaseOperation, { caseId: about.caseId, ...hide })).toMatchObject({
      code: 400,
      field: 'decision',
    })
    await claimAndDecide(mo, about.caseId, { decision: 'dismiss', text: 'No' })
    const post = await createPostInGroup(w.database, iria, null)
    const { caseId } = await reportSubject(w.database, bea, { kind: 'post', id: post })
    await iria.call(deletePostOperation, { postId: post })
    expect((await claimAndDecide(mo, caseId, hide)).decision).toBe('hide')
  })

  test(
    'MOD-12 MOD-13 hiding a post during its deletion or editing leaves it deleted and the case decided',
    async () => {
      let post = ''
      let caseId = ''
      await runRaceRounds(
        w.database,
        async () => {
          post = await createPostInGroup(w.database, iria, null)
          caseId = (await reportSubject(w.database, bea, { kind: 'post', id: post })).caseId
          await mo.call(claimCaseOperation, { caseId })
          return [
            () => mo.ask(decideCaseOperation, { caseId, ...hide }),
            () => iria.ask(updatePostOperation, { postId: post, caption: 'Otra cosa' }),
            () => iria.ask(deletePostOperation, { postId: post }),
          ]
        },
        async ([decided, edited, deleted]) => {
          expect([decided?.status, deleted?.status]).toEqual([200, 204])
          expect([200, 403, 404]).toContain(edited?.status)
          expect((await iria.ask(getPostOperation, { postId: post })).status).toBe(404)
        },
      )
    },
    raceTimeoutMs,
  )
})

describe('a hidden group', () => {
  test('MOD-12 a hidden group shows its summary only to its members and accepts no requests to join', async () => {
    const hidden = await createGroupWithMembers(iria, bea)
    const names = async (who: MemberClient) => [
      (await who.call(listGroupsOperation, {})).documents.some(({ $id }) => $id === hidden),
      (await who.call(searchGroupsOperation, { term: 'Tejer' })).documents.some(({ $id }) => $id === hidden),
      (await who.ask(getGroupOperation, { groupId: hidden })).status === 200,
      (await createAppwriteDocumentsClient(who, 'groups').get(hidden)).status === 200,
    ]
    expect(await names(ana)).toEqual([true, true, true, true])
    const live = await openTestSocket(w.app, { as: ana, path: '/v1/live' })
    const { caseId } = await reportSubject(w.database, ana, { kind: 'group', id: hidden })
    await claimAndDecide(mo, caseId, hide)
    expect(await names(ana)).toEqual([false, false, false, false])
    for (const who of [bea, iria]) expect(await names(who)).toEqual([true, true, true, true])
    const listPostsOf = (id: string) => createAppwriteDocumentsClient(ana, 'posts').list(equal('groupId', id))
    const none = await listPostsOf('no-such-group')
    expect(none.status).toBe(200)
    expect(await listPostsOf(hidden)).toMatchObject({ status: 200, body: none.body })
    expect((await ana.ask(requestToJoinOperation, { groupId: hidden })).status).toBe(404)
    await collectSocketEvents(live, ana)
    expect(kindsOf(live, hidden)).toEqual(['delete'])
    live.close()
  })

  test("MOD-12 iria's own post in a hidden group does not name the group after she left or asked to rejoin", async () => {
    const name = 'Contraseña del grupo'
    const hidden = await createGroupWithMembers(bea, iria)
    await bea.call(updateGroupOperation, { groupId: hidden, name })
    const left = await postOf(iria, hidden)
    const open = await postOf(iria, await createGroupWithMembers(bea, iria))
    await iria.call(leaveGroupOperation, { groupId: hidden })
    await iria.call(leaveGroupOperation, { groupId: open.groupId as string })
    await iria.call(requestToJoinOperation, { groupId: hidden })
    const read = (postId: string) => iria.call(getPostOperation, { postId })
    expect((await read(left.$id)).group).toEqual({ $id: hidden, name })
    const { caseId } = await reportSubject(w.database, ana, { kind: 'group', id: hidden })
    await claimAndDecide(mo, caseId, hide)
    expect(await read(left.$id)).toMatchObject({ groupId: hidden, group: null, can: { takeAlong: true } })
    expect((await read(open.$id)).group).toMatchObject({ $id: open.groupId })
    const answers = [
      await iria.request('GET', `/v1/people/${iria.id}/posts`),
      await createAppwriteDocumentsClient(iria, 'posts').get(left.$id),
      await createAppwriteDocumentsClient(iria, 'groupRequests').all(),
    ]
    expect(JSON.stringify(answers)).not.toContain(name)
    await iria.call(requestExportOperation, {})
    await waitFor(async () =>
      expect((await iria.call(getExportOperation, {})).export).toMatchObject({ state: 'ready' }),
    )
    const { path } = await iria.call(createExportDownloadLinkOperation, {})
    const files = readZipFiles((await iria.request('GET', path)).raw)
    expect(String([...files.values()])).not.toContain(name)
    const dataOf = (document: string) => JSON.parse(String(files.get(`data/${document}.json`)))
    const asked = dataOf('groups').requests.map((each: { group: string | null }) => each.group)
    expect(asked).toEqual([null, expect.stringContaining('Tejer'), null])
    expect(dataOf('posts').posts.find(({ id }: { id: string }) => id === left.$id)).toMatchObject({
      group: null,
    })
  })
})

const kindsOf = ({ frames }: TestSocket, id: string) =>
  frames.flatMap(({ type, data }) =>
    type === 'change' && (data?.document as { $id?: string } | undefined)?.$id === id
      ? [String(data?.kind)]
      : [],
  )
