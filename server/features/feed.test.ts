import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGroup } from '#contract/groups.ts'
import { follow } from '#contract/people.ts'
import { createPost, homeFeed } from '#contract/posts.ts'
import { countStatements } from '#server/database/statements.ts'
import { jpeg } from '#tests/pictures.ts'
import { randomness } from '#tests/randomness.ts'
import { type Person, type World, world } from '#tests/world.ts'

let w: World
let ana: Person
let bea: Person
let carla: Person
let picture: Buffer
beforeAll(async () => {
  w = await world()
  ana = await w.join('Ana')
  bea = await w.join('Bea')
  carla = await w.join('Carla')
  picture = await jpeg()
  await ana.call(follow, { personId: bea.id })
})
afterAll(() => w.end())

const publish = async (who: Person, caption: string, groupId?: string) =>
  who.call(createPost, { caption, location: 'Aquí', tags: [], imageId: await who.upload(picture), groupId })
const captions = async (who: Person) => (await who.call(homeFeed, {})).documents.map((post) => post.caption)

describe('the home feed', () => {
  test('HOME-02 HOME-03 HOME-06 holds the posts of the followed and her own, newest first, and nobody else’s', async () => {
    await publish(bea, 'P1 de Bea')
    await publish(ana, 'P2 de Ana')
    await publish(carla, 'P3 de Carla')
    expect(await captions(ana)).toEqual(['P2 de Ana', 'P1 de Bea'])
  })

  test('HOME-04 HOME-05 holds the posts of her groups, also by those she does not follow, and of no other group', async () => {
    const hers = await ana.call(createGroup, { name: 'G1' })
    const theirs = await bea.call(createGroup, { name: 'G2' })
    await publish(ana, 'PG1 en el suyo', hers.$id)
    await publish(bea, 'PG2 en el otro', theirs.$id)
    expect(await captions(ana)).toContain('PG1 en el suyo')
    expect(await captions(ana)).not.toContain('PG2 en el otro')
    expect(await captions(bea)).toContain('PG2 en el otro')
  })

  test('HOME-07 ends at twenty', async () => {
    for (let n = 0; n < 25; n += 1) await publish(bea, `Otra más, número ${n}`)
    const feed = await captions(ana)
    expect(feed).toHaveLength(20)
    expect(feed[0]).toBe('Otra más, número 24')
  })

  test('HOME-13 is empty for somebody new', async () => {
    const eva = await w.join('Eva')
    expect(await eva.call(homeFeed, {})).toEqual({ documents: [] })
  })
})

describe('what a request costs', () => {
  test('P14 a home page full of long captions is at most 8 kB, gzipped', async () => {
    const random = randomness(14)
    const letters = () => String.fromCharCode(97 + random(26))
    const word = () => Array.from({ length: 3 + random(6) }, letters).join('')
    for (let n = 0; n < 20; n += 1) await publish(bea, Array.from({ length: 25 }, word).join(' '))
    const { raw } = await ana.request('GET', '/v1/feed')
    expect(gzipSync(raw).length).toBeLessThanOrEqual(8000)
  })

  test('P11 the home feed sends three statements, the session look-up among them', async () => {
    await publish(ana, 'De ana')
    await publish(bea, 'De bea')
    const { statements } = await countStatements(() => ana.call(homeFeed, {}))
    expect(statements).toHaveLength(3)
  })

  test('P11 creating a post sends three statements, the session look-up among them', async () => {
    const imageId = await ana.upload(picture)
    const words = { caption: 'Contada', location: 'Aquí', tags: [], imageId }
    const { statements } = await countStatements(() => ana.call(createPost, words))
    expect(statements).toHaveLength(3)
  })
})
