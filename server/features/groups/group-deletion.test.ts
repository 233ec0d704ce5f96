import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createCommentOperation, listCommentsOperation } from '#contract/comments/comments.ts'
import { deleteGroupOperation, getGroupOperation } from '#contract/groups/groups.ts'
import { getPersonOperation } from '#contract/people/people.ts'
import {
  createPostOperation,
  deletePostOperation,
  explorePostsOperation,
  getHomeFeedOperation,
  getPostOperation,
  likePostOperation,
  listPersonPostsOperation,
  savePostOperation,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import { listTagPostsOperation } from '#contract/posts/posts-by-tag-or-place.ts'
import { collectionEffects } from '#server/features/collection-effects.ts'
import { createServerLogger } from '#server/log.ts'
import { createTransactionalStore } from '#server/store/store.ts'
import { timeoutsWithShortLockWait } from '#tests/support/database.ts'
import {
  lockGroupPosts,
  waitUntilDeletedGroupsCleared,
} from '#tests/support/deletion/hold-and-await-group-deletion.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import {
  createGroupWithMembers,
  createPostInGroup,
  insertUploadedImageRow,
} from '#tests/support/group-factory.ts'
import { reportSubject } from '#tests/support/report-and-moderate.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'
import { deleteNextPostBatch } from './delete-posts-of-deleted-groups.ts'
import { startGroupDeletionWorker } from './group-deletion-worker.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
beforeAll(async () => {
  // The tests lock rows for which the deletion job waits, and the waiting job blocks other requests.
  w = await createTestWorld({}, undefined, timeoutsWithShortLockWait)
  ;[ana, bea] = [await w.join('Ana'), await w.join('Bea')]
})
let release = async () => {}
afterEach(async () => {
  await release()
  release = async () => {}
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
})
afterAll(() => w.end())

const query = async (text: string, values: unknown[] = []) => (await w.database.pool.query(text, values)).rows
const count = async (text: string, values: unknown[] = []) => Number((await query(text, values))[0]?.count)
/** Returns the store of another node, which does not wake this node's job. */
const elsewhere = () => ({ store: createTransactionalStore(w.database, collectionEffects, () => {}) })

async function deleteGroup(admin: MemberClient, groupId: string): Promise<void> {
  const { name } = await admin.call(getGroupOperation, { groupId })
  await admin.call(deleteGroupOperation, { groupId, name })
}

/** Deletes only the group's row, so that the test can delete the posts batch by batch. */
async function deleteGroupRow(groupId: string): Promise<void> {
  await query('delete from groups where public_id = $1', [groupId])
}

test('PERM-05 a post in a deleted group is hidden even from its author before its rows are deleted', async () => {
  const groupId = await createGroupWithMembers(ana, bea)
  const older = await bea.call(createPostOperation, {
    caption: 'Antes',
    location: 'Casa',
    tags: ['lana'],
    imageId: await insertUploadedImageRow(w.database, bea),
  })
  const postId = await createPostInGroup(w.database, bea, groupId)
  await bea.call(updatePostOperation, { postId, tags: ['lana'] })
  const { $id: commentId } = await ana.call(createCommentOperation, { postId, content: 'Qué bonito' })
  for (const member of [ana, bea]) {
    await member.call(likePostOperation, { postId })
    await member.call(savePostOperation, { postId })
  }
  expect(await bea.call(getPersonOperation, { personId: bea.id })).toMatchObject({ postCount: 2 })

  release = await lockGroupPosts(w.database, groupId)
  await deleteGroup(ana, groupId)
  expect(await count('select count(*) from posts where public_id = $1', [postId])).toBe(1)

  for (const member of [ana, bea]) {
    for (const operation of [getPostOperation, listCommentsOperation, likePostOperation, savePostOperation])
      expect(await member.refusal(operation, { postId })).toMatchObject({ code: 404 })
    expect(
      (await member.request('GET', `/v1/databases/main/collections/posts/documents/${postId}`)).status,
    ).toBe(404)
    for (const collection of ['posts', 'saves', 'comments'])
      expect(
        JSON.stringify(
          (await member.request('GET', `/v1/databases/main/collections/${collection}/documents`)).body,
        ),
      ).not.toContain(postId)
    const lists = [
      await member.call(explorePostsOperation, {}),
      await member.call(listPersonPostsOperation, { personId: bea.id }),
      await member.call(listTagPostsOperation, { tag: 'lana' }),
    ]
    for (const { documents } of lists) expect(documents.map(({ $id }) => $id)).toEqual([older.$id])
  }
  expect(await bea.refusal(updatePostOperation, { postId, caption: 'Otra cosa' })).toMatchObject({
    code: 404,
  })
  expect(await bea.refusal(deletePostOperation, { postId })).toMatchObject({ code: 404 })
  expect(await bea.request('DELETE', `/v1/comments/${commentId}`)).toMatchObject({ status: 404 })
  expect(await bea.call(getPersonOperation, { personId: bea.id })).toMatchObject({ postCount: 1 })
  // A cursor at the deleted post is still valid.
  expect(await bea.call(getHomeFeedOperation, { cursor: postId })).toMatchObject({
    documents: [{ $id: older.$id }],
  })
  const after = `{"method":"cursorAfter","values":["${postId}"]}`
  expect(
    await bea.request(
      'GET',
      `/v1/databases/main/collections/posts/documents?queries[]=${encodeURIComponent(after)}`,
    ),
  ).toMatchObject({ status: 200 })

  await release()
  release = async () => {}
  while (await deleteNextPostBatch(elsewhere()));
  expect(await count('select count(*) from posts where public_id = $1', [postId])).toBe(0)
})

async function addPosts(author: MemberClient, groupId: string, posts: number): Promise<void> {
  const name = groupId.slice(0, 8)
  await query(
    `with made as (
       insert into files (public_id, owner_id, state, purpose, name, storage_key, announced_size, size, chunks_total, mime_type,
         signature, sha256, width, height, thumbhash)
       select $3 || n, u.id, 'attached', 'post', 'foto.jpg', md5($3 || n), 9, 9, 1, 'image/jpeg', md5($3 || n), sha256(($3 || n)::bytea),
         4, 3, 'pixels'::bytea
       from generate_series(1, $4::int) n, users u where u.public_id = $1 returning id, public_id, owner_id
     )
     insert into posts (public_id, creator_id, group_id, caption, location, image_id)
     select made.public_id, made.owner_id, g.id, 'Relleno', 'Casa', made.id from made join groups g on g.public_id = $2`,
    [author.id, groupId, name, posts],
  )
}

test("a deleted group's rows are removed in bounded batches, and its pictures are released", async () => {
  const groupId = await createGroupWithMembers(ana, bea)
  await addPosts(bea, groupId, 230)
  const [group] = await query('select id from groups where public_id = $1', [groupId])
  const [most] = await query('select id, image_id from posts where group_id = $1 order by id desc limit 1', [
    group.id,
  ])
  await query(
    `insert into comments (public_id, post_id, author_id, content) select 'said' || n, $1, u.id, 'Qué bonito ' || n from generate_series(1, 2100) n, users u
     where u.public_id = $2`,
    [most.id, ana.id],
  )
  const pictures = await query('select image_id from posts where group_id = $1', [group.id])
  await deleteGroupRow(groupId)
  const left = async () => [
    await count('select count(*) from posts where group_id = $1', [group.id]),
    await count('select count(*) from comments where post_id = $1', [most.id]),
  ]
  const seen = [await left()]
  while (await deleteNextPostBatch(elsewhere())) {
    seen.push(await left())
    expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  }
  expect(seen).toEqual([
    [230, 2100],
    [230, 1600],
    [230, 1100],
    [230, 600],
    [230, 100],
    [130, 0],
    [30, 0],
    [0, 0],
    [0, 0],
  ])
  expect(await query('select from deleted_groups')).toEqual([])
  expect(
    await query('select distinct state from files where id = any ($1)', [
      pictures.map(({ image_id }) => image_id),
    ]),
  ).toEqual([{ state: 'deleting' }])
})

test("a starting node continues another node's group deletion, and two concurrent nodes finish every group", async () => {
  const groups = [await createGroupWithMembers(ana, bea), await createGroupWithMembers(bea, ana)]
  for (const groupId of groups) {
    await addPosts(bea, groupId, 150)
    await deleteGroupRow(groupId)
  }
  await deleteNextPostBatch(elsewhere())
  const nodes = [1, 2].map(() =>
    startGroupDeletionWorker({ ...elsewhere(), log: createServerLogger('silent') }),
  )
  await waitUntilDeletedGroupsCleared(w.database)
  for (const node of nodes) await node.close()
  expect(await count(`select count(*) from posts where caption = 'Relleno'`)).toBe(0)
})

test("REP-07 a case about a deleted group's post or comment says that the content is deleted", async () => {
  const groupId = await createGroupWithMembers(ana, bea)
  const postId = await createPostInGroup(w.database, bea, groupId)
  const { $id: commentId } = await bea.call(createCommentOperation, { postId, content: 'Algo feo' })
  const cases = [
    await reportSubject(w.database, ana, { kind: 'post', id: postId }),
    await reportSubject(w.database, ana, { kind: 'comment', id: commentId }),
  ]
  await deleteGroup(ana, groupId)
  await waitUntilDeletedGroupsCleared(w.database)
  expect(
    await query(
      'select distinct subject_deleted_at is not null as announced from moderation_cases where public_id = any ($1)',
      [cases.map(({ caseId }) => caseId)],
    ),
  ).toEqual([{ announced: true }])
})

test("a post that enters a group during the group's deletion is refused, or deleted with the group", async () => {
  for (let round = 0; round < 5; round += 1) {
    const groupId = await createGroupWithMembers(ana, bea)
    const imageId = await insertUploadedImageRow(w.database, bea)
    const { $id: moved } = await bea.call(createPostOperation, {
      caption: 'De fuera',
      location: 'Casa',
      tags: [],
      imageId: await insertUploadedImageRow(w.database, bea),
    })
    const content = { caption: 'Justo ahora', location: 'Casa', tags: [], imageId, groupId }
    const [published, changed] = await Promise.all([
      bea.ask(createPostOperation, content),
      bea.ask(updatePostOperation, { postId: moved, groupId }),
      deleteGroup(ana, groupId),
    ])
    for (const { status } of [published, changed]) expect([200, 201, 403, 404]).toContain(status)
    await waitUntilDeletedGroupsCleared(w.database)
    expect(
      await count(
        `select count(*) from posts p where p.group_id is not null and not exists (select from groups g where g.id = p.group_id)`,
      ),
    ).toBe(0)
  }
})

test('only the store can put a post into a group, and the store refuses a missing group', async () => {
  const groupId = await createGroupWithMembers(ana, bea)
  const postId = await createPostInGroup(w.database, bea, groupId)
  for (const statement of [
    `update posts set group_id = 987654321 where public_id = $1`,
    `insert into posts (public_id, creator_id, group_id, caption, location, image_id)
     select 'nowhere', creator_id, 987654321, caption, location, image_id from posts where public_id = $1`,
  ])
    await expect(query(statement, [postId])).rejects.toMatchObject({
      code: expect.stringMatching(/^23(503|505)$/),
    })
})
