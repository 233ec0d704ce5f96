import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listPostEditsOperation } from '#contract/posts/post-edits.ts'
import {
  createPostOperation,
  deletePostOperation,
  getPostOperation,
  type Post,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import { createAppwriteDocumentsClient } from '#tests/support/appwrite-documents-client.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createGroupWithMembers, insertUploadedImageRow } from '#tests/support/group-factory.ts'
import { countResponsesByStatus, raceTimeoutMs, runRaceRounds } from '#tests/support/run-race-rounds.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let carla: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ;[ana, bea, carla] = [await w.join('Ana'), await w.join('Bea'), await w.join('Carla')]
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

const words = { caption: 'Cinco letras', location: 'Valencia', tags: ['sol'] }
const image = () => insertUploadedImageRow(w.database, ana)
const publish = async (more: object = {}): Promise<Post> =>
  ana.call(createPostOperation, { ...words, imageId: await image(), ...more })
const update = (post: Post, change: object) => ana.call(updatePostOperation, { postId: post.$id, ...change })
const editsOf = async (post: Post) => (await ana.call(listPostEditsOperation, { postId: post.$id })).documents

async function age(post: Post, time: string): Promise<void> {
  await w.database.pool.query(
    'update posts set created_at = clock_timestamp() - $2::interval where public_id = $1',
    [post.$id, time],
  )
}

async function publishEarlier(more: object = {}): Promise<Post> {
  const post = await publish(more)
  await age(post, '1 hour')
  return post
}

describe('the edited mark', () => {
  const changes: Record<string, () => object | Promise<object>> = {
    caption: () => ({ caption: 'Otra frase' }),
    location: () => ({ location: 'Soria' }),
    tags: () => ({ tags: ['sol', 'mar'] }),
    cover: async () => ({ imageId: await image() }),
    'a photo more': async () => ({ imageIds: [await image()] }),
  }
  for (const [changed, change] of Object.entries(changes)) {
    test(`EDIT-01 a change more than five minutes after publishing marks the post as edited for everybody: ${changed}`, async () => {
      const post = await publishEarlier()
      const { imageIds, ...given } = (await change()) as { imageIds?: string[] }
      const photos = imageIds && [post.imageId, ...imageIds].map((imageId) => ({ imageId }))
      const edited = await update(post, { ...given, photos })
      expect(edited.editedAt).not.toBeNull()
      expect(await bea.call(getPostOperation, { postId: post.$id })).toMatchObject({
        editedAt: edited.editedAt,
      })
      const document = await createAppwriteDocumentsClient(bea, 'posts').get(post.$id)
      expect(document.body).toMatchObject({ editedAt: edited.editedAt })
    })
  }

  test('EDIT-01 reordering or removing photos marks the post as edited too', async () => {
    const [first, second, third] = [await image(), await image(), await image()]
    const photosOf = (ids: string[]) => ({ photos: ids.map((imageId) => ({ imageId })) })
    const post = await publishEarlier({ imageId: undefined, ...photosOf([first, second, third]) })
    const { editedAt } = await update(post, photosOf([first, third, second]))
    expect(editedAt).not.toBeNull()
    const shorter = await update(post, photosOf([first, third]))
    expect(Date.parse(shorter.editedAt ?? '')).toBeGreaterThan(Date.parse(editedAt ?? ''))
  })

  test('EDIT-02 changing descriptions, group or comment setting, or nothing, creates no earlier version', async () => {
    const post = await publishEarlier()
    const group = await createGroupWithMembers(ana, bea)
    const same = { caption: post.caption, location: post.location, tags: post.tags, imageId: post.imageId }
    for (const change of [
      { photos: [{ imageId: post.imageId, alt: 'Una barca' }] },
      { groupId: group },
      { commentsFrom: 'nobody' },
      same,
    ])
      expect(await update(post, change)).toMatchObject({ editedAt: null })
    const document = createAppwriteDocumentsClient(ana, 'posts')
    const { body } = await document.get(post.$id)
    expect((await document.patch(post.$id, body as object)).status).toBe(200)
    expect(await ana.call(getPostOperation, { postId: post.$id })).toMatchObject({ editedAt: null })
    expect(await editsOf(post)).toEqual([])
  })

  test('EDIT-02 a change within five minutes of publishing leaves no edited mark, but a later change does', async () => {
    const post = await publish()
    await age(post, '4 minutes 50 seconds')
    expect(await update(post, { caption: 'Una letra menos' })).toMatchObject({ editedAt: null })
    await age(post, '5 minutes 1 second')
    expect((await update(post, { caption: 'Y otra más' })).editedAt).not.toBeNull()
  })
})

describe('earlier versions', () => {
  test('EDIT-03 two edits create two earlier versions with their end times, visible only to the author', async () => {
    const post = await publishEarlier()
    await update(post, { caption: 'Segunda versión', tags: [] })
    const second = await update(post, { location: 'Soria' })
    expect(await editsOf(post)).toMatchObject([
      { caption: 'Segunda versión', location: 'Valencia', tags: [], until: expect.any(String) },
      { ...words, until: expect.any(String) },
    ])
    const [last, first] = await editsOf(post)
    expect(Date.parse(last?.until ?? '')).toBeGreaterThan(Date.parse(first?.until ?? ''))
    expect(Date.parse(second.editedAt ?? '')).toBeGreaterThan(Date.parse(first?.until ?? ''))
    for (const other of [bea, carla])
      expect(await other.ask(listPostEditsOperation, { postId: post.$id })).toMatchObject({
        status: 403,
        body: { type: 'user_unauthorized' },
      })
  })

  test('EDIT-03 members who cannot see a post cannot see its earlier versions, and nobody sees them after its deletion', async () => {
    const group = await createGroupWithMembers(ana, bea)
    const post = await publish({ groupId: group })
    await update(post, { caption: 'Para el grupo' })
    await update(post, { caption: 'Para todas ellas' })
    const ask = async (who: MemberClient) =>
      (await who.ask(listPostEditsOperation, { postId: post.$id })).status
    expect([await ask(ana), await ask(bea), await ask(carla)]).toEqual([200, 403, 404])
    await ana.call(deletePostOperation, { postId: post.$id })
    expect(await ask(ana)).toBe(404)
    const { rows } = await w.database.pool.query("select from post_edits where caption = 'Para el grupo'")
    expect(rows).toHaveLength(0)
  })

  test('EDIT-03 no other response contains the earlier text of a post', async () => {
    const secret = 'Calle de las Huertas 12, tercero'
    const post = await publishEarlier({ caption: secret })
    await update(post, { caption: 'Mejor sin la calle' })
    const responses = [
      await bea.ask(getPostOperation, { postId: post.$id }),
      await ana.ask(getPostOperation, { postId: post.$id }),
      await createAppwriteDocumentsClient(ana, 'posts').get(post.$id),
    ]
    expect(JSON.stringify(responses.map(({ body }) => body))).not.toContain('Huertas')
    const { rows } = await w.database.pool.query("select from changes where state::text like '%Huertas%'")
    expect(rows).toHaveLength(0)
    expect(JSON.stringify(await editsOf(post))).toContain('Huertas')
  })

  test('EDIT-03 a post keeps its newest fifty earlier versions', async () => {
    const post = await publish()
    await w.database.pool.query(
      `do $$ begin for n in 1..60 loop
         update posts set caption = 'Número ' || n where public_id = '${post.$id}';
       end loop; end $$`,
    )
    const edits = await editsOf(post)
    expect(edits).toHaveLength(50)
    expect([edits[0]?.caption, edits[49]?.caption]).toEqual(['Número 59', 'Número 10'])
  })
})

describe('two conflicting edits', () => {
  test('EDIT-04 the later of two conflicting edits is refused and changes nothing, but may be sent anyway', async () => {
    const post = await publish()
    const ifUpdatedAt = post.$updatedAt
    const first = await update(post, { caption: 'La primera', ifUpdatedAt })
    expect(
      await ana.ask(updatePostOperation, { postId: post.$id, caption: 'La segunda', ifUpdatedAt }),
    ).toMatchObject({ status: 409, body: { type: 'document_update_conflict' } })
    expect(await ana.call(getPostOperation, { postId: post.$id })).toEqual(first)
    expect(await update(post, { caption: 'La segunda' })).toMatchObject({ caption: 'La segunda' })
  })

  test('EDIT-04 a stranger cannot learn when a post was changed', async () => {
    const post = await publish()
    const early = '2020-01-01T00:00:00.000Z'
    const ask = async (who: MemberClient, postId: string) =>
      (await who.ask(updatePostOperation, { postId, caption: 'De otra', ifUpdatedAt: early })).body
    const group = await createGroupWithMembers(ana, bea)
    const hidden = await publish({ groupId: group })
    expect(await ask(bea, post.$id)).toMatchObject({ type: 'user_unauthorized' })
    expect(await ask(carla, hidden.$id)).toMatchObject({ type: 'document_not_found' })
  })

  test(
    'EDIT-04 of several concurrent edits one is stored, and the others get a conflict',
    async () => {
      let post: Post
      await runRaceRounds(
        w.database,
        async () => {
          post = await publish()
          return ['La primera', 'La segunda', 'La tercera', 'La cuarta'].map(
            (caption) => () =>
              ana.ask(updatePostOperation, { postId: post.$id, caption, ifUpdatedAt: post.$updatedAt }),
          )
        },
        async (answers) => {
          expect(countResponsesByStatus(answers)).toEqual({ 200: 1, 409: 3 })
          expect(await editsOf(post)).toHaveLength(1)
        },
      )
    },
    raceTimeoutMs,
  )
})
