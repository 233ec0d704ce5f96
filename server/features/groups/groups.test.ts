import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listGroupMembersOperation } from '#contract/groups/group-members.ts'
import { rejectJoinRequestOperation, requestToJoinOperation } from '#contract/groups/group-requests.ts'
import {
  createGroupOperation,
  deleteGroupOperation,
  getGroupOperation,
  listGroupPostsOperation,
  listGroupsOperation,
  listMyGroupsOperation,
  listMyGroupsPostsOperation,
  searchGroupsOperation,
  updateGroupOperation,
} from '#contract/groups/groups.ts'
import { getHomeFeedOperation, getPostOperation } from '#contract/posts/posts.ts'
import { createAppwriteDocumentsClient } from '#tests/support/appwrite-documents-client.ts'
import { waitUntilDeletedGroupsCleared } from '#tests/support/deletion/hold-and-await-group-deletion.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import {
  createGroupWithMembers,
  createPostInGroup,
  insertUploadedImageRow,
} from '#tests/support/group-factory.ts'
import { describeRecordedChanges } from '#tests/support/recorded-changes.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let cleo: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana Luz')
  bea = await w.join('Bea Águila')
  cleo = await w.join('Cleo')
})
afterAll(() => w.end())

const stateOfFile = async (imageId: string) => {
  const { rows } = await w.database.pool.query('select state from files where public_id = $1', [imageId])
  return rows[0]?.state
}

describe('creating a group', () => {
  test.each(['create', 'Create'])('a new group cannot have the id of a form: %s', async (groupId) => {
    const input = { name: 'Tejer', groupId }
    expect(await ana.refusal(createGroupOperation, input)).toMatchObject({ type: 'document_already_exists' })
    const { status } = await createAppwriteDocumentsClient(ana, 'groups').create({ name: 'Tejer' }, groupId)
    expect(status).toBe(409)
    expect((await ana.ask(getGroupOperation, { groupId })).status).toBe(404)
  })

  test('GCRE-09 GCRE-10 GCRE-11 DATA-07 ana creates a group and is its admin and its only member', async () => {
    const group = await ana.call(createGroupOperation, { name: '  Tejer ', adminId: ana.id, isPrivate: true })
    expect(group).toMatchObject({
      name: 'Tejer',
      description: '',
      imageUrl: '',
      imageId: null,
      adminId: ana.id,
      isPrivate: true,
      memberCount: 1,
      membership: 'admin',
      can: { edit: true, delete: true, decide: true, leave: false },
    })
    const { documents } = await ana.call(listGroupMembersOperation, { groupId: group.$id })
    expect(documents).toMatchObject([{ userId: ana.id, role: 'admin', groupId: group.$id }])
    expect(Date.parse(documents[0]?.joinedAt ?? '')).not.toBeNaN()
  })

  test('GCRE-07 two concurrent requests under one chosen id create one group', async () => {
    const input = { name: 'De una vez', groupId: 'de-una-vez' }
    const sent = await Promise.allSettled([
      ana.call(createGroupOperation, input),
      ana.call(createGroupOperation, input),
    ])
    expect(sent.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await ana.call(getGroupOperation, { groupId: 'de-una-vez' })).toMatchObject({
      adminId: ana.id,
      memberCount: 1,
    })
    for (const who of [ana, bea])
      expect(await who.refusal(createGroupOperation, input)).toMatchObject({
        code: 409,
        type: 'document_already_exists',
      })
    await ana.call(deleteGroupOperation, { groupId: 'de-una-vez', name: 'De una vez' })
  })

  test("GCRE-05 a group photo must be the caller's own finished, unused upload, and then belongs to the group", async () => {
    const imageId = await insertUploadedImageRow(w.database, ana)
    const group = await ana.call(createGroupOperation, { name: 'Con foto', imageId })
    expect(group).toMatchObject({
      imageId,
      imageUrl: expect.stringContaining(`/v1/files/${imageId}/content?width=1920`),
    })
    expect(await ana.refusal(createGroupOperation, { name: 'Otra', imageId })).toMatchObject({
      code: 404,
      type: 'storage_file_not_found',
    })
    const beas = await insertUploadedImageRow(w.database, bea)
    expect(await ana.refusal(createGroupOperation, { name: 'Robada', imageId: beas })).toMatchObject({
      code: 404,
    })
  })

  test.each([
    [{ name: '' }, 'name', 'Group name is required'],
    [{ name: '   ' }, 'name', 'Group name is required'],
    [{ name: 'x'.repeat(51) }, 'name', 'Maximum 50 characters'],
    [{ name: 'Tejer', description: 'x'.repeat(201) }, 'description', 'Maximum 200 characters'],
    [{ name: 'Tejer', isPrivate: false }, 'isPrivate', 'Invalid value'],
    [{}, 'name', 'Required'],
  ])(
    'GCRE-02 GCRE-03 GCRE-04 creating a group with %j is refused, naming the field %s',
    async (input, field, message) => {
      expect(await ana.refusal(createGroupOperation, input)).toMatchObject({ code: 400, field, message })
    },
  )

  test('GCRE-03 GCRE-04 a name of fifty characters and a description of two hundred are accepted', async () => {
    const group = await ana.call(createGroupOperation, { name: 'x'.repeat(50), description: 'y'.repeat(200) })
    expect(group.description).toHaveLength(200)
  })

  test("PERM-07 PERM-04 nobody can create a group in another member's name", async () => {
    expect(await ana.refusal(createGroupOperation, { name: 'Suya', adminId: bea.id })).toMatchObject({
      code: 403,
      type: 'user_unauthorized',
    })
    expect(await w.visitor.refusal(createGroupOperation, { name: 'Nadie' })).toMatchObject({ code: 401 })
  })

  test('any group name is either accepted or refused with 400', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (name) => {
        const answer = await ana.request('POST', '/v1/groups', { name })
        expect([201, 400]).toContain(answer.status)
      }),
      { numRuns: 60 },
    )
  })
})

describe('finding groups', () => {
  test('GCRE-07 the list of groups is newest first, and its pages contain every group once', async () => {
    const w2 = await createTestWorld()
    const eva = await w2.join('Eva')
    const founded: string[] = []
    for (let n = 0; n < 23; n += 1) founded.push(await createGroupWithMembers(eva))
    const first = await eva.call(listGroupsOperation, {})
    expect(first.documents.map((group) => group.$id)).toEqual(founded.toReversed().slice(0, 20))
    const second = await eva.call(listGroupsOperation, { cursor: first.next as string })
    expect(second.documents.map((group) => group.$id)).toEqual(founded.slice(0, 3).reverse())
    expect(second.next).toBeNull()
    await w2.end()
  })

  test('GRP-07 the group search finds parts of names and descriptions, ignoring case and accents', async () => {
    const flores = await cleo.call(createGroupOperation, { name: 'Jardín de LAS flores' })
    const barrio = await cleo.call(createGroupOperation, {
      name: 'Barrio',
      description: 'Plantamos jardines',
    })
    for (let n = 0; n < 21; n += 1) await cleo.call(createGroupOperation, { name: `Relleno ${n}` })
    const found = await bea.call(searchGroupsOperation, { term: 'JARDI' })
    expect(found.documents.map((group) => group.$id)).toEqual([barrio.$id, flores.$id])
    expect((await bea.call(searchGroupsOperation, { term: 'relleno' })).documents).toHaveLength(20)
    expect((await bea.call(searchGroupsOperation, { term: 'barrio plantamos' })).documents).toEqual([])
    expect((await bea.call(searchGroupsOperation, { term: '%' })).documents).toEqual([])
  })

  test.each(['', '   ', '\t'])('GRP-08 a blank search (%j) finds nothing', async (term) => {
    expect(await ana.call(searchGroupsOperation, { term })).toEqual({ documents: [] })
  })

  test('GRP-14 GRP-15 GRP-16 GRP-17 each member sees her own relationship to the group', async () => {
    const dora = await w.join('Dora')
    const groupId = await createGroupWithMembers(ana, bea)
    const seen = async (person: MemberClient) =>
      (await person.call(getGroupOperation, { groupId })).membership
    await cleo.call(requestToJoinOperation, { groupId })
    const { $id: requestId } = await dora.call(requestToJoinOperation, { groupId })
    await ana.call(rejectJoinRequestOperation, { requestId })
    expect(await Promise.all([ana, bea, cleo, dora].map(seen))).toEqual([
      'admin',
      'member',
      'pending',
      'rejected',
    ])
    const stranger = await w.join('Fina')
    expect(await stranger.call(getGroupOperation, { groupId })).toMatchObject({
      membership: 'none',
      memberCount: 2,
      pendingCount: 0,
      can: { edit: false, delete: false, decide: false, leave: false },
    })
    expect(await ana.call(getGroupOperation, { groupId })).toMatchObject({ pendingCount: 1 })
    expect(await bea.call(getGroupOperation, { groupId })).toMatchObject({
      pendingCount: 0,
      can: { leave: true },
    })
  })

  test('GPAGE-01 an unknown group answers 404', async () => {
    expect(await ana.refusal(getGroupOperation, { groupId: 'nothing' })).toMatchObject({
      code: 404,
      message: 'Group not found',
    })
  })

  test("GPAGE-16 a member's own groups are the groups she belongs to, most recently joined first", async () => {
    const eva = await w.join('Eva')
    const [first, second] = [await createGroupWithMembers(eva), await createGroupWithMembers(ana, eva)]
    await createGroupWithMembers(ana)
    await eva.call(requestToJoinOperation, { groupId: await createGroupWithMembers(bea) })
    const mine = await eva.call(listMyGroupsOperation, { userId: eva.id, limit: 1 })
    expect(mine.documents).toMatchObject([{ $id: second, membership: 'member' }])
    const rest = await eva.call(listMyGroupsOperation, { cursor: mine.next as string })
    expect(rest.documents).toMatchObject([{ $id: first, membership: 'admin' }])
    expect(await ana.refusal(listMyGroupsOperation, { userId: eva.id })).toMatchObject({ code: 403 })
  })
})

describe('a group’s posts', () => {
  test('GPAGE-04 members read the newest twenty posts of a group, and the rest in pages', async () => {
    const groupId = await createGroupWithMembers(ana, bea)
    const posts: string[] = []
    for (let n = 0; n < 25; n += 1)
      posts.push(await createPostInGroup(w.database, n % 2 ? ana : bea, groupId))
    const first = await bea.call(listGroupPostsOperation, { groupId, userId: bea.id })
    expect(first.documents.map((post) => post.$id)).toEqual(posts.toReversed().slice(0, 20))
    expect(first.documents[0]?.group).toMatchObject({ $id: groupId })
    const second = await bea.call(listGroupPostsOperation, { groupId, cursor: first.next as string })
    expect(second).toMatchObject({ next: null })
    expect(second.documents.map((post) => post.$id)).toEqual(posts.slice(0, 5).reverse())
    expect((await bea.call(listMyGroupsPostsOperation, {})).documents.map((post) => post.$id)).toEqual(
      posts.toReversed().slice(0, 20),
    )
    expect((await bea.call(getHomeFeedOperation, {})).documents.map((post) => post.$id)).toEqual(
      expect.arrayContaining([posts.at(-1)]),
    )
  })

  test("GPAGE-14 GRP-25 PERM-05 non-members cannot read a group's posts, with or without a request", async () => {
    const groupId = await createGroupWithMembers(ana, bea)
    const postId = await createPostInGroup(w.database, bea, groupId)
    const refused = { code: 403, message: 'No tienes acceso a los posts de este grupo' }
    const dora = await w.join('Dora')
    expect(await dora.refusal(listGroupPostsOperation, { groupId })).toMatchObject(refused)
    await dora.call(requestToJoinOperation, { groupId })
    expect(await dora.refusal(listGroupPostsOperation, { groupId })).toMatchObject(refused)
    expect(await dora.refusal(getPostOperation, { postId })).toMatchObject(refused)
    expect((await dora.call(listMyGroupsPostsOperation, {})).documents).toEqual([])
    expect(await dora.refusal(listGroupPostsOperation, { groupId: 'nothing' })).toMatchObject({ code: 404 })
    expect(await dora.refusal(listGroupPostsOperation, { groupId, userId: bea.id })).toMatchObject({
      code: 403,
      type: 'user_unauthorized',
    })
  })
})

describe('changing a group', () => {
  test('the admin changes name, description and photo, and fields that she omits stay unchanged', async () => {
    const groupId = await createGroupWithMembers(ana)
    const [one, two] = [
      await insertUploadedImageRow(w.database, ana),
      await insertUploadedImageRow(w.database, ana),
    ]
    await ana.call(updateGroupOperation, { groupId, imageId: one, description: 'Los jueves' })
    expect(
      await ana.call(updateGroupOperation, { groupId, name: 'Otro nombre', imageId: two }),
    ).toMatchObject({
      name: 'Otro nombre',
      description: 'Los jueves',
      imageId: two,
    })
    expect([await stateOfFile(one), await stateOfFile(two)]).toEqual(['deleting', 'attached'])
    expect(await ana.call(updateGroupOperation, { groupId, imageId: null })).toMatchObject({ imageId: null })
    expect(await stateOfFile(two)).toBe('deleting')
  })

  test('PERM-04 A09 neither a member nor a stranger can change a group', async () => {
    const groupId = await createGroupWithMembers(ana, bea)
    const before = await ana.call(getGroupOperation, { groupId })
    for (const other of [bea, cleo]) {
      expect(await other.refusal(updateGroupOperation, { groupId, name: 'Mía' })).toMatchObject({ code: 403 })
      expect(await other.refusal(updateGroupOperation, { groupId, adminId: ana.id })).toMatchObject({
        code: 403,
      })
    }
    expect(await ana.call(getGroupOperation, { groupId })).toEqual(before)
    expect(await ana.refusal(updateGroupOperation, { groupId: 'nothing', name: 'x' })).toMatchObject({
      code: 404,
    })
  })
})

describe('deleting a group', () => {
  test("the admin confirms with the group's name, which deletes its posts, pictures, members and requests", async () => {
    const groupId = await createGroupWithMembers(ana, bea)
    const imageId = await insertUploadedImageRow(w.database, ana)
    const { name } = await ana.call(updateGroupOperation, { groupId, imageId })
    const posts = [
      await createPostInGroup(w.database, ana, groupId),
      await createPostInGroup(w.database, bea, groupId),
    ]
    await cleo.call(requestToJoinOperation, { groupId })

    expect(await ana.refusal(deleteGroupOperation, { groupId, name: 'otro' })).toMatchObject({
      code: 400,
      type: 'group_name_mismatch',
      field: 'name',
    })
    for (const other of [bea, cleo]) {
      expect(await other.refusal(deleteGroupOperation, { groupId, name })).toMatchObject({ code: 403 })
    }
    const files = await w.database.pool.query(
      `select f.public_id from files f join posts p on p.image_id = f.id where p.public_id = any ($1)`,
      [posts],
    )
    await ana.call(deleteGroupOperation, { groupId, name: ` ${name} `, currentUserId: ana.id })

    expect(await ana.refusal(getGroupOperation, { groupId })).toMatchObject({ code: 404 })
    for (const postId of posts)
      expect(await bea.refusal(getPostOperation, { postId })).toMatchObject({ code: 404 })
    await waitUntilDeletedGroupsCleared(w.database)
    const states = [imageId, ...files.rows.map((row) => row.public_id)].map(stateOfFile)
    expect(await Promise.all(states)).toEqual(['deleting', 'deleting', 'deleting'])
    expect(await ana.refusal(deleteGroupOperation, { groupId, name })).toMatchObject({ code: 404 })
    expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  })

  test('members and the person with a pending request are notified, each about what she could see', async () => {
    const groupId = await createGroupWithMembers(ana, bea)
    await createPostInGroup(w.database, bea, groupId)
    await cleo.call(requestToJoinOperation, { groupId })
    const { name } = await ana.call(getGroupOperation, { groupId })
    const changes = await describeRecordedChanges(w.database, [ana, bea, cleo], () =>
      ana.call(deleteGroupOperation, { groupId, name }),
    )
    expect(changes).toEqual([
      'delete groupMembers → Ana Luz',
      'delete groupMembers → Bea Águila',
      'delete groupRequests → Ana Luz, Bea Águila',
      'delete groupRequests → Ana Luz, Cleo',
      'delete groups → everyone',
      'delete posts → Ana Luz, Bea Águila',
    ])
  })
})
