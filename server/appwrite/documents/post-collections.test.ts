import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createGroupWithMembers, insertUploadedImageRow } from '#tests/support/group-factory.ts'
import {
  countResponsesByStatus,
  createArrayByIndex,
  raceTimeoutMs,
  runRaceRounds,
} from '#tests/support/run-race-rounds.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'
import {
  type AppwriteTestDocument,
  buildAppwriteEqualQuery,
  createAppwriteDocumentsClient,
  documentAlreadyExistsRefusalText,
  documentIdsOf,
  documentNotFoundRefusalText,
  formatRefusalText,
  invalidStructureRefusalText,
  postContentFixture,
  unauthorizedRefusalText,
} from '../../../tests/support/appwrite-documents-client.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let eva: MemberClient
let knit: string
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana Luz')
  bea = await w.join('Bea')
  eva = await w.join('Eva')
  knit = await createGroupWithMembers(ana, bea)
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

const posts = (person: MemberClient) => createAppwriteDocumentsClient(person, 'posts')
async function published(author: MemberClient, more: object = {}): Promise<AppwriteTestDocument> {
  return posts(author).made({
    ...postContentFixture,
    imageId: await insertUploadedImageRow(w.database, author),
    ...more,
  })
}
const likersOf = (post: AppwriteTestDocument) => documentIdsOf(post.likes as AppwriteTestDocument[])

describe('publishing', () => {
  test("PCRE-17 DATA-03 a client's payload creates a post with its creator nested", async () => {
    const imageId = await insertUploadedImageRow(w.database, ana)
    const sent = {
      creator: ana.id,
      ...postContentFixture,
      imageId,
      imageUrl: 'http://elsewhere/x.png',
      groupId: knit,
    }
    const { status, body } = await posts(ana).create(sent, 'my-own.id_1')
    expect(status).toBe(201)
    expect(body).toMatchObject({
      $id: 'my-own.id_1',
      $collectionId: 'posts',
      $databaseId: 'main',
      caption: 'Una tarde juntas',
      location: 'Casa',
      tags: ['sol', 'mar'],
      groupId: knit,
      imageId,
      imageUrl: `http://localhost:3000/v1/storage/buckets/media/files/${imageId}/preview`,
      creator: {
        $id: ana.id,
        name: 'Ana Luz',
        username: 'ana',
        imageUrl: expect.stringContaining('/initials'),
      },
      likes: [],
      likesTotal: 0,
    })
    expect(body.$permissions).toEqual(
      ['read', 'update', 'delete'].map((kind) => `${kind}("user:${ana.accountId}")`),
    )
    expect((await posts(ana).get('my-own.id_1')).body).toEqual(body)
  })

  test('a post with an empty group is public, and fields that the server derives are ignored', async () => {
    const post = await published(ana, {
      groupId: '',
      likes: [eva.id],
      creator: { $id: ana.id, name: 'owned' },
    })
    expect(post).toMatchObject({ groupId: null, likes: [], creator: { name: 'Ana Luz' } })
  })

  test('PERM-07 A12 the creator of a post must be the caller: an empty creator or another member is refused', async () => {
    const imageId = await insertUploadedImageRow(w.database, eva)
    for (const creator of ['', null]) {
      const empty = await posts(eva).create({ ...postContentFixture, imageId, creator })
      expect(formatRefusalText(empty)).toBe('400 post_invalid_user')
      expect(empty.body.message).toBe('Usuario no válido para crear el post')
    }
    for (const creator of [ana.id, { $id: ana.id }, { name: 'x' }]) {
      const answer = await posts(eva).create({ ...postContentFixture, imageId, creator })
      expect([unauthorizedRefusalText, '400 post_invalid_user']).toContain(formatRefusalText(answer))
    }
    expect((await posts(eva).list(buildAppwriteEqualQuery('creator', eva))).body.total).toBe(0)
  })

  test('a post with an empty string as its only tag is stored without tags', async () => {
    const imageId = await insertUploadedImageRow(w.database, ana)
    const post = await posts(ana).made({ ...postContentFixture, imageId, tags: [''] })
    expect(post.tags).toEqual([])
    expect((await posts(ana).patch(post.$id, { tags: [' ', '#Sol'] })).body.tags).toEqual(['Sol'])
  })

  test.each([
    ['caption', { caption: 'hola' }, 'Minimum 5 characters.'],
    ['caption', { caption: undefined }, 'Missing required attribute "caption"'],
    ['caption', { caption: 5 }, 'Expected string, received number'],
    ['location', { location: '' }, 'This field is required'],
    ['tags', { tags: 'sol' }, 'Expected array, received string'],
    ['imageId', { imageId: undefined }, 'Missing required attribute "imageId"'],
    ['imageId', { imageId: '../x' }, 'Value must be the id of a document'],
    ['isAdmin', { isAdmin: true }, 'Unknown attribute: "isAdmin"'],
    ['creator.name', { 'creator.name': 'x' }, 'Unknown attribute: "creator.name"'],
  ])('a post with a wrong %s is refused with the name of the field', async (field, wrong, words) => {
    const imageId = await insertUploadedImageRow(w.database, ana)
    const answer = await posts(ana).create({ ...postContentFixture, imageId, ...wrong })
    expect(formatRefusalText(answer)).toBe(invalidStructureRefusalText)
    expect(answer.body).toMatchObject({ field, message: expect.stringContaining(words) })
    expect(answer.body.message).toMatch(/^Invalid document structure: /)
  })

  test("A15 a post needs an uploaded picture of the caller's own that no other post uses", async () => {
    const post = await published(bea, { groupId: knit })
    const taken = { ...postContentFixture, imageId: post.imageId }
    const noFile = '404 storage_file_not_found'
    expect(formatRefusalText(await posts(eva).create(taken))).toBe(noFile)
    expect(formatRefusalText(await posts(bea).create(taken))).toBe(noFile)
    expect(formatRefusalText(await posts(eva).create({ ...postContentFixture, imageId: 'nothing' }))).toBe(
      noFile,
    )
    // Only its creator can move the post out of her group.
    expect(formatRefusalText(await posts(eva).patch(post.$id, { groupId: null }))).toBe(
      documentNotFoundRefusalText,
    )
    expect(formatRefusalText(await posts(ana).patch(post.$id, { groupId: null }))).toBe(
      unauthorizedRefusalText,
    )
    expect((await posts(bea).get(post.$id)).body).toEqual(post)
  })

  test('PG4 only members publish in a group, and an unknown group is refused in the same way', async () => {
    for (const groupId of [knit, 'nothing']) {
      const answer = await posts(eva).create({
        ...postContentFixture,
        groupId,
        imageId: await insertUploadedImageRow(w.database, eva),
      })
      expect(formatRefusalText(answer)).toBe(unauthorizedRefusalText)
      expect(answer.body.message).toBe('No tienes acceso a los posts de este grupo')
    }
  })

  test('A22 a post id that is taken, too long or malformed is refused, and unique() creates a new id', async () => {
    const post = await published(ana)
    const sent = { ...postContentFixture, imageId: await insertUploadedImageRow(w.database, eva) }
    expect(formatRefusalText(await posts(eva).create(sent, post.$id))).toBe(documentAlreadyExistsRefusalText)
    for (const id of ['x'.repeat(37), '../x', '-x', 'a b', '']) {
      expect(formatRefusalText(await posts(eva).create(sent, id))).toBe('400 general_argument_invalid')
    }
    expect((await posts(eva).made(sent, 'constructor')).$id).toBe('constructor')
    expect((await published(eva)).$id).toMatch(/^[a-z0-9]{20}$/)
  })
})

describe('editing', () => {
  test('PEDT-06 an update changes the post and its $updatedAt, and repeating the update changes nothing', async () => {
    const post = await published(ana)
    const { imageId, imageUrl } = post
    const sent = { caption: 'Otra tarde', location: 'Playa', tags: [], groupId: null, imageId, imageUrl }
    const { body } = await posts(ana).patch(post.$id, sent)
    expect(body).toMatchObject({ caption: 'Otra tarde', location: 'Playa', tags: [], imageId })
    expect(body.$updatedAt > post.$updatedAt).toBe(true)
    expect((await posts(ana).patch(post.$id, sent)).body.$updatedAt).toBe(body.$updatedAt)
  })

  test('PEDT-08 an update replaces the picture of a post and deletes the old picture', async () => {
    const post = await published(ana)
    const imageId = await insertUploadedImageRow(w.database, ana)
    expect((await posts(ana).patch(post.$id, { imageId })).body).toMatchObject({ imageId })
    const { rows } = await w.database.pool.query('select state from files where public_id = $1', [
      post.imageId,
    ])
    expect(rows).toEqual([{ state: 'deleting' }])
  })

  test('A12 PERM-03 nobody can edit, take over or delete the post of another member', async () => {
    const post = await published(ana)
    for (const change of [
      { caption: 'hacked by eva' },
      { creator: eva.id },
      { creator: { $id: ana.id, name: 'owned' }, caption: 'hacked by eva' },
      { groupId: knit },
      { isAdmin: true },
    ]) {
      expect(formatRefusalText(await posts(eva).patch(post.$id, change))).toBe(unauthorizedRefusalText)
    }
    expect(formatRefusalText(await posts(eva).remove(post.$id))).toBe(unauthorizedRefusalText)
    // Unchanged values have no effect, and values in nested documents are ignored.
    expect((await posts(eva).patch(post.$id, { creator: { $id: ana.id, name: 'owned' } })).status).toBe(200)
    expect((await posts(ana).get(post.$id)).body).toEqual(post)
    // The name in a nested document cannot be changed.
    await posts(ana).patch(post.$id, { creator: { $id: ana.id, name: 'owned' } })
    expect((await createAppwriteDocumentsClient(ana, 'users').get(ana.id)).body.name).toBe('Ana Luz')
    expect(formatRefusalText(await posts(ana).patch(post.$id, { creator: eva.id }))).toBe(
      invalidStructureRefusalText,
    )
  })

  test('the creator moves her post between her groups and the public, but not into other groups', async () => {
    const post = await published(bea, { groupId: knit })
    const other = await createGroupWithMembers(ana)
    expect(formatRefusalText(await posts(bea).patch(post.$id, { groupId: other }))).toBe(
      unauthorizedRefusalText,
    )
    expect((await posts(bea).get(post.$id)).body.groupId).toBe(knit)
    expect((await posts(bea).patch(post.$id, { groupId: null })).body.groupId).toBeNull()
    expect((await posts(eva).get(post.$id)).status).toBe(200)
    expect((await posts(bea).patch(post.$id, { groupId: knit })).body.groupId).toBe(knit)
    expect(formatRefusalText(await posts(eva).get(post.$id))).toBe(documentNotFoundRefusalText)
  })

  test('A21 permissions and system attributes in a body change nothing', async () => {
    const post = await published(ana)
    const id = `/v1/databases/main/collections/posts/documents/${post.$id}`
    const sent = {
      data: { $id: 'other', $createdAt: '2001-01-01', $permissions: ['read("any")'], $collectionId: 'users' },
      permissions: ['read("any")', 'write("users")'],
    }
    expect((await ana.request('PATCH', id, sent)).body).toEqual(post)
    expect((await ana.request('PATCH', id, { permissions: ['read("any")'] })).body).toEqual(post)
    const made = await ana.request<AppwriteTestDocument>(
      'POST',
      '/v1/databases/main/collections/posts/documents',
      {
        documentId: 'chosen',
        data: { ...postContentFixture, imageId: await insertUploadedImageRow(w.database, ana), ...sent.data },
        permissions: sent.permissions,
      },
    )
    expect(made.body).toMatchObject({
      $id: 'chosen',
      $collectionId: 'posts',
      $permissions: post.$permissions,
    })
    expect(made.body.$createdAt > post.$createdAt).toBe(true)
    for (const permissions of [['create("any")'], ['read("*")'], ['read(any)'], 'read("any")', [{}]]) {
      const answer = await ana.request<{ type: string }>('PATCH', id, { data: {}, permissions })
      expect(`${answer.status} ${answer.body.type}`).toBe('400 general_argument_invalid')
    }
  })
})

describe('deleting', () => {
  test('PDET-13 deleting a post deletes its likes, saves and picture, and a second delete finds no post', async () => {
    const post = await published(ana)
    await posts(bea).patch(post.$id, { likes: [bea.id] })
    const save = await createAppwriteDocumentsClient(bea, 'saves').made({ user: bea.id, post: post.$id })
    expect((await posts(ana).remove(post.$id)).status).toBe(204)
    expect(formatRefusalText(await posts(ana).remove(post.$id))).toBe(documentNotFoundRefusalText)
    expect(formatRefusalText(await posts(ana).get(post.$id))).toBe(documentNotFoundRefusalText)
    expect(formatRefusalText(await createAppwriteDocumentsClient(bea, 'saves').get(save.$id))).toBe(
      documentNotFoundRefusalText,
    )
    expect((await createAppwriteDocumentsClient(bea, 'users').get(bea.id)).body).toMatchObject({
      liked: [],
      likedTotal: 0,
      save: [],
    })
    const { rows } = await w.database.pool.query('select state from files where public_id = $1', [
      post.imageId,
    ])
    expect(rows).toEqual([{ state: 'deleting' }])
  })
})

test(
  'C10 a post deleted while others like, save and change it is deleted completely',
  { timeout: raceTimeoutMs },
  () =>
    runRaceRounds(
      w.database,
      async () => {
        const post = await published(ana)
        const { $id } = post
        return [
          () => posts(ana).remove($id),
          () => posts(bea).patch($id, { likes: [bea.id] }),
          () => posts(eva).patch($id, { likes: [eva.id] }),
          () => createAppwriteDocumentsClient(bea, 'saves').create({ post: $id }),
          () => posts(ana).patch($id, { caption: 'Otra tarde' }),
          () => posts(bea).get($id),
        ]
      },
      ([removed, ...others]) => {
        expect(removed?.status).toBe(204)
        for (const { status } of others) expect([200, 201, 404]).toContain(status)
      },
    ),
)

describe('the id of a deleted document', () => {
  test("nobody else can reuse the id of a deleted post, of a deleted group or of the group's posts", async () => {
    const group = await createGroupWithMembers(ana, bea)
    const alone = await published(ana)
    const within = await published(ana, { groupId: group })
    expect((await posts(ana).remove(alone.$id)).status).toBe(204)
    const groups = createAppwriteDocumentsClient(ana, 'groups')
    expect((await groups.remove(group)).status).toBe(204)
    // Makes the deletions older than the day for which `deleted_rows` is kept.
    await w.database.pool.query("update deleted_rows set deleted_at = deleted_at - interval '30 days'")
    for (const taken of [alone.$id, within.$id])
      for (const who of [bea, ana]) {
        const imageId = await insertUploadedImageRow(w.database, who)
        const again = await posts(who).create({ ...postContentFixture, imageId }, taken)
        expect(formatRefusalText(again)).toBe(documentAlreadyExistsRefusalText)
      }
    const grabbed = await createAppwriteDocumentsClient(bea, 'groups').create({ name: 'Otra' }, group)
    expect(formatRefusalText(grabbed)).toBe(documentAlreadyExistsRefusalText)
    expect((await posts(bea).get(alone.$id)).status).toBe(404)
  })

  test(
    'C12 nobody can reuse the id of a post at the moment of its deletion',
    async () => {
      await runRaceRounds(
        w.database,
        async () => {
          const gone = await published(ana)
          const imageId = await insertUploadedImageRow(w.database, bea)
          const grab = () => posts(bea).create({ ...postContentFixture, imageId }, gone.$id)
          return [() => posts(ana).remove(gone.$id), grab, grab, grab]
        },
        (answers) => expect(countResponsesByStatus(answers)).toEqual({ 204: 1, 409: 3 }),
      )
    },
    raceTimeoutMs,
  )
})

describe('liking by sending the whole list of likes', () => {
  test('LIKE-05 A13 a member who sends any list of likes changes only her own like', async () => {
    const post = await published(ana)
    await posts(bea).patch(post.$id, { likes: [bea.id] })
    const all = await posts(eva).patch(post.$id, { likes: [eva.id, ana.id, bea.id, 'nobody'] })
    expect(all.body.likesTotal).toBe(2)
    expect(likersOf(all.body)).toEqual([eva.id, bea.id])
    const none = await posts(eva).patch(post.$id, { likes: [] })
    expect(likersOf(none.body)).toEqual([bea.id])
    const nested = await posts(eva).patch(post.$id, { likes: [{ $id: eva.id, name: 'owned' }] })
    expect(likersOf(nested.body)).toEqual([eva.id, bea.id])
    expect(nested.body.$updatedAt).toBe(post.$updatedAt)
    expect((await createAppwriteDocumentsClient(eva, 'users').get(eva.id)).body.name).toBe('Eva')
  })

  test('A14 an edit sent together with a like is refused, and the post does not change', async () => {
    const post = await published(ana)
    expect(formatRefusalText(await posts(eva).patch(post.$id, { likes: [eva.id], caption: 'hacked' }))).toBe(
      unauthorizedRefusalText,
    )
    expect((await posts(ana).get(post.$id)).body).toEqual(post)
  })

  test('PERM-05 a member cannot like a post that she cannot read', async () => {
    const post = await published(bea, { groupId: knit })
    expect(formatRefusalText(await posts(eva).patch(post.$id, { likes: [eva.id] }))).toBe(
      documentNotFoundRefusalText,
    )
    expect((await posts(ana).patch(post.$id, { likes: [ana.id] })).body.likesTotal).toBe(1)
    expect(formatRefusalText(await posts(bea).patch(post.$id, { likes: 'bea' }))).toBe(
      invalidStructureRefusalText,
    )
  })

  test('a like by a member who blocked the reader takes no place in the list of likes', async () => {
    const [eve, ivy] = [await w.join('Eve'), await w.join('Ivy')]
    await ivy.call(blockMemberOperation, { personId: eve.id })
    const post = await published(ana)
    const crowd = await Promise.all(createArrayByIndex(10, (n) => w.join(`Fan ${n}`)))
    for (const liker of crowd) await posts(liker).patch(post.$id, { likes: [liker.id] })
    const likers = async () => {
      const [listed] = await posts(eve).all(buildAppwriteEqualQuery('$id', post.$id))
      return listed && likersOf(listed)
    }
    const before = await likers()
    expect(before).toEqual(crowd.map(({ id }) => id).toReversed())
    await posts(ivy).patch(post.$id, { likes: [ivy.id] })
    expect(await likers()).toEqual(before)
  })

  test('C02 fifty simultaneous likes count as fifty', { timeout: raceTimeoutMs }, async () => {
    const crowd = await Promise.all(createArrayByIndex(50, (n) => w.join(`Liker ${n}`)))
    let post: AppwriteTestDocument
    await runRaceRounds(
      w.database,
      async () => {
        post = await published(ana)
        return crowd.map((liker) => () => posts(liker).patch(post.$id, { likes: [liker.id] }))
      },
      async (answers) => {
        expect(countResponsesByStatus(answers)).toEqual({ 200: 50 })
        const { likes, likesTotal } = (await posts(ana).get(post.$id)).body
        expect(likesTotal).toBe(50)
        expect(likes).toHaveLength(50)
      },
    )
  })

  test('C01 ten concurrent likes and saves by one member, through both APIs, count once', {
    timeout: raceTimeoutMs,
  }, async () => {
    let post: AppwriteTestDocument
    await runRaceRounds(
      w.database,
      async () => {
        post = await published(ana)
        return createArrayByIndex(5, () => [
          () => posts(bea).patch(post.$id, { likes: [bea.id] }),
          () => bea.request('PUT', `/v1/posts/${post.$id}/like`, {}),
          () => createAppwriteDocumentsClient(bea, 'saves').create({ post: post.$id }),
          () => bea.request('PUT', `/v1/posts/${post.$id}/save`, {}),
        ]).flat()
      },
      async (answers) => {
        expect(countResponsesByStatus(answers)).toEqual({ 200: 15, 201: 5 })
        const saved = answers.flatMap(({ status, body }) =>
          status === 201 ? [(body as AppwriteTestDocument).$id] : [],
        )
        expect(new Set(saved).size).toBe(1)
        expect((await posts(ana).get(post.$id)).body.likesTotal).toBe(1)
        expect(
          await createAppwriteDocumentsClient(bea, 'saves').all(buildAppwriteEqualQuery('post', post.$id)),
        ).toHaveLength(1)
      },
    )
  })
})

describe('saving', () => {
  test('DATA-04 LIKE-07 LIKE-08 LIKE-10 repeated saves create one record, and deleting the record ends the save', async () => {
    const post = await published(ana)
    const saves = createAppwriteDocumentsClient(bea, 'saves')
    const save = await saves.made({ user: bea.id, post: post.$id })
    expect(save).toMatchObject({ user: { $id: bea.id }, post: { $id: post.$id, creator: { $id: ana.id } } })
    expect((await saves.made({ user: bea.id, post: { $id: post.$id } })).$id).toBe(save.$id)
    expect(
      documentIdsOf(
        await saves.all(buildAppwriteEqualQuery('user', bea), buildAppwriteEqualQuery('post', post.$id)),
      ),
    ).toEqual([save.$id])
    expect((await saves.remove(save.$id)).status).toBe(204)
    expect(formatRefusalText(await saves.remove(save.$id))).toBe(documentNotFoundRefusalText)
  })

  test('A18 SV1 SV2 SV5 a member does not see the saves of another member', async () => {
    const post = await published(ana)
    const save = await createAppwriteDocumentsClient(bea, 'saves').made({ post: post.$id })
    const others = createAppwriteDocumentsClient(eva, 'saves')
    expect((await others.list(buildAppwriteEqualQuery('user', bea))).body).toEqual({
      total: 0,
      documents: [],
    })
    expect(formatRefusalText(await others.get(save.$id))).toBe(documentNotFoundRefusalText)
    expect(formatRefusalText(await others.remove(save.$id))).toBe(documentNotFoundRefusalText)
    expect(formatRefusalText(await others.create({ user: bea.id, post: post.$id }))).toBe(
      unauthorizedRefusalText,
    )
    await posts(bea).patch(post.$id, { likes: [bea.id] })
    const { body: profile } = await createAppwriteDocumentsClient(eva, 'users').get(bea.id)
    expect(profile).toMatchObject({ save: [], liked: [] })
    expect(Object.keys(profile)).not.toContain('likedTotal')
  })

  test('SV3 SV4 a member cannot save an unreadable post, and nobody can change a save', async () => {
    const hidden = await published(bea, { groupId: knit })
    const open = await published(ana)
    expect(
      formatRefusalText(await createAppwriteDocumentsClient(eva, 'saves').create({ post: hidden.$id })),
    ).toBe(documentNotFoundRefusalText)
    const save = await createAppwriteDocumentsClient(eva, 'saves').made({ post: open.$id })
    expect(
      formatRefusalText(
        await createAppwriteDocumentsClient(eva, 'saves').patch(save.$id, { post: hidden.$id }),
      ),
    ).toBe(unauthorizedRefusalText)
  })

  test('a saved post that a member can no longer read leaves her lists, and returns when she can read it again', async () => {
    const post = await published(bea)
    const save = await createAppwriteDocumentsClient(eva, 'saves').made({ post: post.$id })
    await posts(eva).patch(post.$id, { likes: [eva.id] })
    await posts(bea).patch(post.$id, { groupId: knit })
    const profile = async () => (await createAppwriteDocumentsClient(eva, 'users').get(eva.id)).body
    expect(documentIdsOf(await createAppwriteDocumentsClient(eva, 'saves').all())).not.toContain(save.$id)
    expect(documentIdsOf((await profile()).save as AppwriteTestDocument[])).not.toContain(save.$id)
    expect(documentIdsOf((await profile()).liked as AppwriteTestDocument[])).not.toContain(post.$id)
    expect((await createAppwriteDocumentsClient(eva, 'saves').get(save.$id)).body.post).toBeNull()
    await posts(bea).patch(post.$id, { groupId: null })
    expect(documentIdsOf(await createAppwriteDocumentsClient(eva, 'saves').all())).toContain(save.$id)
  })
})

describe('several photos', () => {
  const images = (count: number) =>
    Promise.all(createArrayByIndex(count, () => insertUploadedImageRow(w.database, ana)))
  const read = async (id: string) => (await posts(bea).get(id)).body
  const patched = (post: AppwriteTestDocument, data: object) =>
    ana.request<AppwriteTestDocument & { code?: number }>(
      'PATCH',
      `/v1/databases/main/collections/posts/documents/${post.$id}`,
      { data },
    )
  const previews = (ids: readonly string[]) =>
    ids.map((id) => `http://localhost:3000/v1/storage/buckets/media/files/${id}/preview`)

  test('OLD-01 a post of four photos has its cover and the lists of all photos, and sending it back changes nothing', async () => {
    const imageIds = await images(4)
    const [imageId] = imageIds
    const post = await published(ana, { imageId, imageIds, imageAlts: ['The sea', '', 'A boat'] })
    const { likes, likesTotal, creator, ...document } = await read(post.$id)
    expect(document).toMatchObject({ imageId, imageUrl: previews(imageIds)[0] })
    expect(document).toMatchObject({ imageIds, imageUrls: previews(imageIds) })
    expect(document.imageAlts).toEqual(['The sea', '', 'A boat', ''])
    // Only changes of posts count here, because notification jobs record their own changes.
    const changes = async () =>
      (await w.database.pool.query(`select count(*)::int as count from changes where collection = 'posts'`))
        .rows[0].count
    const before = await changes()
    const answer = await patched(post, { ...document, creator: ana.id })
    expect(answer.body).toMatchObject({ $updatedAt: post.$updatedAt, imageIds })
    expect(await changes()).toBe(before)
  })

  test('a client that knows only one photo per post still creates and reads posts', async () => {
    const post = await published(ana)
    expect(post).toMatchObject({ imageIds: [post.imageId], imageUrls: [post.imageUrl], imageAlts: [''] })
  })

  test('OLD-02 a new imageId replaces only the cover, and the other photos stay', async () => {
    const imageIds = await images(3)
    const post = await published(ana, { imageId: imageIds[0], imageIds })
    const [next = ''] = await images(1)
    await patched(post, { ...postContentFixture, imageId: next, imageIds })
    expect(await read(post.$id)).toMatchObject({ imageId: next, imageIds: [next, imageIds[1], imageIds[2]] })
    const { rows } = await w.database.pool.query('select state from files where public_id = $1', [
      imageIds[0],
    ])
    expect(rows).toEqual([{ state: 'deleting' }])
  })

  test('imageIds sets the whole order, a new imageId becomes the first photo, and imageAlts follow by position', async () => {
    const imageIds = await images(3)
    const [one, two, three] = imageIds
    const post = await published(ana, { imageId: one, imageIds, imageAlts: ['1', '2', '3'] })
    await patched(post, { imageIds: [three, one] })
    expect(await read(post.$id)).toMatchObject({
      imageId: three,
      imageIds: [three, one],
      imageAlts: ['3', '1'],
    })
    const [next = ''] = await images(1)
    await patched(post, { imageId: next, imageIds: [one, three], imageAlts: ['new'] })
    expect(await read(post.$id)).toMatchObject({ imageIds: [next, one, three], imageAlts: ['new', '1', '3'] })
    await patched(post, { imageIds: [] })
    expect(await read(post.$id)).toMatchObject({ imageIds: [next] })
    expect(two).toBeTruthy()
  })

  test.each([
    ['imageIds', 'a text'],
    ['imageIds', ['no id!']],
    ['imageIds', Array.from({ length: 11 }, (_, n) => `photo-${n}`)],
    ['imageAlts', ['x'.repeat(1001)]],
    ['imageAlts', ['one', 'and one too many']],
  ])('a post with a wrong %s is refused and does not change', async (attribute, wrong) => {
    const post = await published(ana)
    const refused = await patched(post, { [attribute]: wrong })
    expect(refused.body).toMatchObject({ code: 400, type: 'document_invalid_structure', field: attribute })
    const imageId = await insertUploadedImageRow(w.database, ana)
    expect(
      (await posts(ana).create({ ...postContentFixture, imageId, [attribute]: wrong })).body,
    ).toMatchObject({ code: 400 })
  })

  test("an eleventh photo, a repeated photo or another member's photo is refused", async () => {
    const imageIds = await images(11)
    const [first, ...others] = imageIds
    const make = async (given: object) => (await posts(ana).create({ ...postContentFixture, ...given })).body
    expect(await make({ imageId: first, imageIds: others })).toMatchObject({ code: 400 })
    expect(await make({ imageId: first, imageIds: [first, others[0], others[0]] })).toMatchObject({
      code: 400,
      type: 'post_photo_twice',
    })
    const foreign = await insertUploadedImageRow(w.database, bea)
    expect(await make({ imageId: first, imageIds: [first, foreign] })).toMatchObject({ code: 404 })
  })
})
