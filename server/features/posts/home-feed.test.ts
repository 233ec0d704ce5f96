import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGroupOperation } from '#contract/groups/groups.ts'
import { followOperation } from '#contract/people/people.ts'
import { createPostOperation, deletePostOperation, getHomeFeedOperation } from '#contract/posts/posts.ts'
import { seededRandom } from '#scripts/harness/seeded-random.ts'
import { captureSqlStatements } from '#server/database/prepared-statements.ts'
import { insertUploadedImageRow } from '#tests/support/group-factory.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let carla: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
  bea = await w.join('Bea')
  carla = await w.join('Carla')
  await ana.call(followOperation, { personId: bea.id })
})
afterAll(() => w.end())

const publish = async (who: MemberClient, caption: string, groupId?: string) =>
  who.call(createPostOperation, {
    caption,
    location: 'Aquí',
    tags: [],
    imageId: await insertUploadedImageRow(w.database, who),
    groupId,
  })
const captions = async (who: MemberClient) =>
  (await who.call(getHomeFeedOperation, {})).documents.map((post) => post.caption)

describe('the home feed', () => {
  test('HOME-02 HOME-03 HOME-06 the home feed has only posts by followed members and the caller, newest first', async () => {
    await publish(bea, 'P1 de Bea')
    await publish(ana, 'P2 de Ana')
    await publish(carla, 'P3 de Carla')
    expect(await captions(ana)).toEqual(['P2 de Ana', 'P1 de Bea'])
  })

  test("HOME-04 HOME-05 the home feed has posts of the caller's groups, even by members she does not follow, and of no other group", async () => {
    const hers = await ana.call(createGroupOperation, { name: 'G1' })
    const theirs = await bea.call(createGroupOperation, { name: 'G2' })
    await publish(ana, 'PG1 en el suyo', hers.$id)
    await publish(bea, 'PG2 en el otro', theirs.$id)
    expect(await captions(ana)).toContain('PG1 en el suyo')
    expect(await captions(ana)).not.toContain('PG2 en el otro')
    expect(await captions(bea)).toContain('PG2 en el otro')
  })

  test('HOME-07 HOME-20 the home feed comes in pages of twenty, newest first, down to the oldest post', async () => {
    for (let n = 0; n < 25; n += 1) await publish(bea, `Otra más, número ${n}`)
    const first = await ana.call(getHomeFeedOperation, {})
    expect(first.documents).toHaveLength(20)
    expect(first.documents[0]?.caption).toBe('Otra más, número 24')
    const second = await ana.call(getHomeFeedOperation, { cursor: first.next ?? '' })
    expect(second.next).toBeNull()
    expect(second.documents.map((post) => post.caption)).toEqual([
      ...[4, 3, 2, 1, 0].map((n) => `Otra más, número ${n}`),
      'PG1 en el suyo',
      'P2 de Ana',
      'P1 de Bea',
    ])
  })

  test('HOME-20 PERM-05 the home feed continues after a deleted post, but not after a post that the caller cannot read', async () => {
    const { next } = await ana.call(getHomeFeedOperation, {})
    const expected = await ana.call(getHomeFeedOperation, { cursor: next ?? '' })
    await bea.call(deletePostOperation, { postId: next ?? '' })
    expect(await ana.call(getHomeFeedOperation, { cursor: next ?? '' })).toEqual(expected)
    const closed = await bea.call(createGroupOperation, { name: 'G3' })
    const secret = await publish(bea, 'De G3', closed.$id)
    expect(await ana.refusal(getHomeFeedOperation, { cursor: secret.$id })).toMatchObject({
      type: 'general_cursor_not_found',
    })
  })

  test('HOME-13 the home feed of a new member is empty', async () => {
    const eva = await w.join('Eva')
    expect(await eva.call(getHomeFeedOperation, {})).toEqual({ documents: [], next: null })
  })
})

describe('size and number of SQL statements', () => {
  test('P14 a home page of twenty long captions with four photos each is at most 8 kB when compressed', async () => {
    const random = seededRandom(14)
    const letters = () => String.fromCharCode(97 + random(26))
    const word = () => Array.from({ length: 3 + random(6) }, letters).join('')
    for (let n = 0; n < 20; n += 1) {
      const photos = []
      for (let at = 0; at < 4; at += 1)
        photos.push({ imageId: await insertUploadedImageRow(w.database, bea), alt: '' })
      const caption = Array.from({ length: 25 }, word).join(' ')
      await bea.call(createPostOperation, { caption, location: 'Aquí', tags: [], photos })
    }
    const { raw } = await ana.request('GET', '/v1/feed')
    expect(gzipSync(raw).length).toBeLessThanOrEqual(8000)
  })

  test('P11 the home feed takes three statements, including the session look-up', async () => {
    await publish(ana, 'De ana')
    await publish(bea, 'De bea')
    const { statements } = await captureSqlStatements(() => ana.call(getHomeFeedOperation, {}))
    expect(statements).toHaveLength(3)
  })

  test('P11 creating a post takes three statements, including the session look-up', async () => {
    const imageId = await insertUploadedImageRow(w.database, ana)
    const words = { caption: 'Contada', location: 'Aquí', tags: [], imageId }
    const { statements } = await captureSqlStatements(() => ana.call(createPostOperation, words))
    expect(statements).toHaveLength(3)
    // A post outside groups needs no rules about members.
    expect(statements[1]).not.toContain('group_members')
    // A new post has no photo tags and no decisions of moderators.
    expect(statements[2]).not.toMatch(/post_people|moderation_cases/)
  })
})
