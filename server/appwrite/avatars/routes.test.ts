import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestWorld, type TestWorld } from '../../../tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

const initials = (query: string, headers = {}) =>
  w.visitor.request<{ type: string; message: string }>(
    'GET',
    `/v1/avatars/initials${query}`,
    undefined,
    headers,
  )

test('SUP-15 visitors see the initials of María José, who has no picture yet', async () => {
  const { status, headers, raw } = await initials('?name=Mar%C3%ADa%20Jos%C3%A9&project=juntas')
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'private, max-age=2592000',
    'content-length': String(raw.length),
  })
  expect(await sharp(raw).metadata()).toMatchObject({
    format: 'png',
    width: 500,
    height: 500,
    hasAlpha: true,
  })
  const same = await initials('?name=MJ')
  expect(same.raw.equals(raw)).toBe(false)
  expect((await initials('?name=Mona%20Jung')).raw.equals(raw)).toBe(true)
})

test("a member's initials are bolder and smaller on our screens than in the Appwrite API", async () => {
  const eva = await w.join('Eva Marín')
  const { imageUrl } = (
    await eva.request<{ imageUrl: string }>('GET', `/v1/databases/main/collections/users/documents/${eva.id}`)
  ).body
  const { pathname, search, searchParams } = new URL(imageUrl)
  expect(searchParams.get('bold')).toBe('1')
  const hers = await w.visitor.request('GET', pathname + search)
  expect(hers.status).toBe(200)
  searchParams.delete('bold')
  expect(hers.raw.equals((await initials(`?${searchParams}`)).raw)).toBe(false)
})

test('initials have the requested size and background, and zero means the default size', async () => {
  const { raw } = await initials('?name=Ana&width=80&height=40&background=0F0')
  const { data, info } = await sharp(raw).raw().toBuffer({ resolveWithObject: true })
  expect([info.width, info.height]).toEqual([80, 40])
  expect([...data.subarray(0, 4)]).toEqual([0, 255, 0, 255])
  expect(await sharp((await initials('?name=Ana&width=0')).raw).metadata()).toMatchObject({ width: 500 })
})

test("a request without a name returns the caller's own initials, which no cache stores", async () => {
  const ana = await w.join('Ana Lopez')
  const own = await ana.request('GET', '/v1/avatars/initials?width=50')
  expect(own.headers['cache-control']).toBe('private, no-store')
  expect(own.raw.equals((await initials('?name=A%20L&width=50')).raw)).toBe(true)
  expect((await initials('')).status).toBe(200)
})

test.each([
  'width=2001',
  'height=-1',
  'width=a',
  'background=zzz',
  'background=%23fff',
  'bold=very',
  `name=${'x'.repeat(129)}`,
])('initials?%s is refused with an error that names the parameter', async (query) => {
  const { status, body } = await initials(`?${query}`)
  expect([status, body.type]).toEqual([400, 'general_argument_invalid'])
  expect(body.message).toContain(`\`${query.split('=')[0]}\``)
})
