import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MemberClient } from '#api-client/member-client.ts'
import { createTestWorld, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
})
afterAll(() => w.end())

const get = (path: string, who: Pick<MemberClient, 'request'> = ana) =>
  who.request<{ type: string }>('GET', `/v1/avatars/${path}`)

/** Measures the side, the margin and the length of the first black run, which is seven modules long. */
async function corner(raw: Buffer): Promise<{ side: number; margin: number; run: number }> {
  const { data, info } = await sharp(raw).greyscale().raw().toBuffer({ resolveWithObject: true })
  const row = (y: number) =>
    [...data.subarray(y * info.width, (y + 1) * info.width)].map((value) => value < 128)
  const margin = Array.from({ length: info.height }, (_, y) => row(y)).findIndex((each) =>
    each.includes(true),
  )
  const black = row(margin).slice(margin)
  return { side: info.width, margin, run: black.indexOf(false) }
}

test('SDK-10 a QR code has the requested size and margin, and finder patterns of seven modules', async () => {
  const { headers, raw } = await get('qr?text=https%3A%2F%2Fjuntas.example')
  expect(headers['content-type']).toBe('image/png')
  // The code has 25 modules and a margin of one module per side. At 14 pixels per module, the rest is added
  // to the margin.
  expect(await corner(raw)).toEqual({ side: 400, margin: 25, run: 98 })
  expect(await corner((await get('qr?text=https%3A%2F%2Fjuntas.example&size=25&margin=0')).raw)).toEqual({
    side: 25,
    margin: 0,
    run: 7,
  })
  const file = await get('qr?text=hola&download=true')
  expect(file.headers['content-disposition']).toBe('attachment; filename="qr.png"')
})

test('a QR code holds up to 512 characters of any script, at any size', async () => {
  expect((await get(`qr?text=${encodeURIComponent('🌸'.repeat(256))}&size=1`)).status).toBe(200)
  expect((await get(`qr?text=${encodeURIComponent('ñ'.repeat(512))}&size=1000&margin=10`)).status).toBe(200)
  expect((await get(`qr?text=${encodeURIComponent('ñ'.repeat(513))}`)).status).toBe(400)
})

test.each([
  'qr',
  'qr?text=',
  `qr?text=${'x'.repeat(513)}`,
  'qr?text=a&size=0',
  'qr?text=a&size=1001',
  'qr?text=a&margin=11',
  'qr?text=a&download=yes',
])('FI12 the QR code request %s is refused', async (path) => {
  const { status, body } = await get(path)
  expect([status, body.type]).toEqual([400, 'general_argument_invalid'])
  expect((await get(path, w.visitor)).status).toBe(401)
})
