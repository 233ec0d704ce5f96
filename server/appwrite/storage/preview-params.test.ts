import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MemberClient } from '#api-client/member-client.ts'
import { appwriteFilesPath, sendRawUpload } from '#api-client/raw-multipart-upload.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { listFilePathsBelow } from '#tests/support/list-files-below.ts'
import { createTestWorld, type TestWorld } from '../../../tests/support/world.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'juntas-preview-'))
let w: TestWorld
let ana: MemberClient
let photo: string
let quarters: string

const [red, green, blue, white] = [
  [200, 0, 0],
  [0, 180, 0],
  [0, 0, 220],
  [255, 255, 255],
]

beforeAll(async () => {
  w = await createTestWorld({ DATA_DIR: dataDir })
  ana = await w.join('Ana')
  photo = await ana.upload(await createJpeg('#c80000', 800, 600), 'photo.jpg')
  quarters = await ana.upload(await fourColors(), 'quarters.png')
})
afterAll(async () => {
  await w.end()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Creates a picture of 400 × 400 pixels: red and green on top, blue and white below. */
function fourColors(): Promise<Buffer> {
  const tile = ([r = 0, g = 0, b = 0]: number[] = []) => ({
    create: { width: 200, height: 200, channels: 3 as const, background: { r, g, b } },
  })
  return sharp({ create: { width: 400, height: 400, channels: 3, background: '#000' } })
    .composite([
      { input: tile(red), left: 0, top: 0 },
      { input: tile(green), left: 200, top: 0 },
      { input: tile(blue), left: 0, top: 200 },
      { input: tile(white), left: 200, top: 200 },
    ])
    .png()
    .toBuffer()
}

const get = (id: string, query: string, headers = {}) =>
  ana.request('GET', `${appwriteFilesPath}/${id}/preview?${query}`, undefined, headers)

/** Returns a preview's size, format and RGBA pixels. */
async function shown(id: string, query: string, headers = {}) {
  const answer = await get(id, query, headers)
  expect(answer.status).toBe(200)
  const { format } = await sharp(answer.raw).metadata()
  expect(answer.headers['content-type']).toBe(`image/${format}`)
  const { data, info } = await sharp(answer.raw).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return {
    what: `${format} ${info.width}×${info.height}`,
    at: (x: number, y: number) => [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)],
  }
}

test('SDK-14 a rotated picture has the canvas size of the Appwrite API and transparent corners', async () => {
  const turned = await shown(photo, 'width=300&height=100&rotation=45&output=png')
  expect(turned.what).toBe('png 284×284')
  expect([turned.at(0, 0)[3], turned.at(283, 283)[3], turned.at(142, 142)[3]]).toEqual([0, 0, 255])
  expect((await shown(photo, 'width=300&height=100&rotation=-315&output=png')).what).toBe('png 284×284')
  expect((await shown(photo, 'width=300&height=100&rotation=90')).what).toBe('jpeg 100×300')
  expect((await shown(photo, 'width=300&height=100&rotation=-360')).what).toBe('jpeg 300×100')
})

test('SDK-14 a border adds its width to every side of a picture', async () => {
  const framed = await shown(quarters, 'width=200&height=80&borderWidth=5&borderColor=0F0')
  expect(framed.what).toBe('png 210×90')
  expect([framed.at(0, 0), framed.at(209, 89), framed.at(4, 45)]).toEqual(Array(3).fill([0, 255, 0, 255]))
  expect(framed.at(6, 6)).toEqual([...(red as number[]), 255])
})

test.each([
  ['center', red, white],
  ['top-left', red, green],
  ['top', red, green],
  ['top-right', red, green],
  ['bottom', blue, white],
  ['bottom-right', blue, white],
])('SDK-14 gravity %s decides which part of a picture fills the box', async (gravity, first, last) => {
  const cut = await shown(quarters, `width=400&height=100&gravity=${gravity}`)
  expect(cut.what).toBe('png 400×100')
  expect([cut.at(10, 10), cut.at(390, 90)]).toEqual([
    [...(first as number[]), 255],
    [...(last as number[]), 255],
  ])
})

test.each([
  ['left', red],
  ['right', green],
])('SDK-14 gravity %s decides which side of a picture is visible', async (gravity, color) => {
  const cut = await shown(quarters, `width=100&height=400&gravity=${gravity}`)
  expect(cut.at(50, 10)).toEqual([...(color as number[]), 255])
})

test('SDK-14 opacity is applied first, then the background, the border and the rounded corners', async () => {
  const faded = await shown(quarters, 'width=100&height=100&opacity=0.5')
  expect(faded.at(10, 10)).toEqual([200, 0, 0, 128])
  const laid = await shown(quarters, 'width=100&height=100&opacity=0.5&background=00f')
  expect(laid.at(10, 10)[3]).toBe(255)
  expect(laid.at(10, 10)[2]).toBeGreaterThan(100)
  const all = await shown(
    quarters,
    'width=100&height=100&opacity=0&background=00f&borderWidth=10&borderColor=0f0&borderRadius=60',
  )
  expect(all.what).toBe('png 120×120')
  expect([all.at(0, 0)[3], all.at(119, 0)[3], all.at(0, 119)[3], all.at(119, 119)[3]]).toEqual([0, 0, 0, 0])
  expect([all.at(60, 2), all.at(60, 60)]).toEqual([
    [0, 255, 0, 255],
    [0, 0, 255, 255],
  ])
})

test("SDK-14 a preview has the requested format or the picture's own, and WebP only for clients that accept WebP", async () => {
  const webp = { accept: 'image/webp,*/*' }
  const box = 'width=50&height=50'
  expect((await shown(photo, `${box}&output=gif`)).what).toBe('gif 50×50')
  expect((await shown(photo, `${box}&output=png`, webp)).what).toBe('png 50×50')
  expect((await shown(photo, box)).what).toBe('jpeg 50×50')
  expect((await shown(quarters, box)).what).toBe('png 50×50')
  expect((await shown(quarters, box, webp)).what).toBe('webp 50×50')
  expect((await shown(quarters, `${box}&output=webp`)).what).toBe('jpeg 50×50')
})

test('SDK-14 lower quality gives fewer bytes, and a missing side is computed from the given side', async () => {
  const noisy = await ana.upload(
    await sharp({
      create: {
        width: 400,
        height: 300,
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .jpeg()
      .toBuffer(),
  )
  const [poor, good] = await Promise.all([
    get(noisy, 'width=200&quality=5'),
    get(noisy, 'width=200&quality=95'),
  ])
  expect(poor.raw.length).toBeLessThan(good.raw.length / 2)
  expect((await shown(photo, 'height=150&quality=0')).what).toBe('jpeg 200×150')
  expect((await shown(photo, 'quality=50')).what).toBe('jpeg 800×600')
})

test('F12 no preview exceeds the largest width, and previews of custom sizes are not stored', async () => {
  await get(photo, 'width=1280')
  const before = listFilePathsBelow(dataDir).length
  expect((await shown(photo, 'width=4000&height=2000')).what).toBe('jpeg 1920×960')
  for (let width = 100; width < 130; width += 1)
    await get(photo, `width=${width}&height=10&rotation=${width}`)
  expect(listFilePathsBelow(dataDir).length).toBe(before)
})

test('F12 requests for a thousand widths store only the fixed widths, in two formats', async () => {
  const large = await ana.upload(await createJpeg('#00c800', 2000, 1500))
  const before = new Set(listFilePathsBelow(dataDir))
  for (let width = 1; width <= 1000; width += 1)
    await get(large, `width=${width}`, width % 2 ? { accept: 'image/webp' } : {})
  const made = listFilePathsBelow(dataDir).filter((path) => !before.has(path))
  // The upload created four WebP variants up to 1280. The first request creates all other variants, and JPEG.
  expect(made.map((path) => path.split('/').at(-1)).sort()).toEqual(
    [
      ...['128', '256', '480', '960'].map((width) => `${width}.webp`),
      ...['64', '128', '256', '320', '480', '640', '960', '1280'].map((width) => `${width}.jpg`),
    ].sort(),
  )
})

test('a repeated request gets 304, and a new picture under the same id is sent in full', async () => {
  const parameters = 'width=20&height=20'
  const upload = async (color: string) =>
    expect((await sendRawUpload(ana, { bytes: await createJpeg(color), fileId: 'again' })).status).toBe(201)
  await upload('#c80000')
  const { headers } = await get('again', parameters)
  const known = { 'if-none-match': headers.etag as string }
  expect((await get('again', parameters, known)).status).toBe(304)
  expect((await get('again', 'width=20&height=21', known)).status).toBe(200)

  await ana.request('DELETE', `${appwriteFilesPath}/again`)
  expect((await get('again', parameters, known)).status).toBe(404)
  await upload('#0000dc')
  expect((await get('again', parameters, known)).status).toBe(200)
  expect((await shown('again', parameters)).at(10, 10)[2]).toBeGreaterThan(200)
})
