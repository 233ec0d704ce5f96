import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { insertPngChunks } from '#scripts/harness/malicious-images.ts'
import { encodePngChunk } from './encode-png-chunk.ts'
import { createIccProfile, srgbPrimaries } from './icc-profile.ts'
import { createImageProcessor } from './image-processor.ts'

const root = mkdtempSync(join(tmpdir(), 'juntas-colors-'))
const images = createImageProcessor()
afterAll(() => {
  images.close()
  rmSync(root, { recursive: true })
})

const side = 64
const drawOneColor = (r: number, g: number, b: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: { r, g, b } } })
const drawGrey = (level: number) => drawOneColor(level, level, level).toColourspace('b-w')
const drawDeepGrey = (level: number) => drawOneColor(level, level, level).toColourspace('grey16')

const cicpOfDisplayP3 = encodePngChunk('cICP', Buffer.of(12, 13, 0, 1))
const profileChunk = (profile: Buffer) =>
  encodePngChunk('iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(profile)]))
const linearGamma = encodePngChunk('gAMA', Buffer.of(0, 1, 0x86, 0xa0))

function withProfile(jpeg: Buffer, profile: Buffer): Buffer {
  const head = Buffer.from('\xff\xe2\0\0ICC_PROFILE\0\x01\x01', 'latin1')
  head.writeUInt16BE(16 + profile.length, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, profile, jpeg.subarray(2)])
}
/** Browsers ignore a profile that says nothing about colours. */
function withoutTags(profile: Buffer): Buffer {
  const empty = Buffer.from(profile)
  empty.writeUInt32BE(0, 128)
  return empty
}
function emptyCmykProfile(): Buffer {
  const profile = withoutTags(rgbProfileOfGamma(2.2))
  profile.write('CMYKLab ', 16, 'latin1')
  return profile
}
const rgbProfileOfGamma = (gamma: number) => createIccProfile(srgbPrimaries, [gamma]) as Buffer

/** Turns blue into inks, with libvips' profile, and drops that profile. */
const bluePrint = () => drawOneColor(30, 60, 160).toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer()

/** Multiplies what each ink leaves of the light, as browsers do without a profile. */
async function mixedInks(jpeg: Buffer): Promise<number[]> {
  const [c = 0, m = 0, y = 0, k = 0] = await sharp(jpeg)
    .pipelineColourspace('cmyk')
    .toColourspace('cmyk')
    .raw()
    .toBuffer()
  return [c, m, y].map((ink) => ((255 - ink) * (255 - k)) / 255)
}

async function publishedColor(bytes: Buffer, name: string): Promise<number[]> {
  const folder = join(root, name)
  mkdirSync(folder)
  writeFileSync(`${folder}.upload`, bytes)
  await images.ingest(1, `${folder}.upload`, folder)
  const { channels } = await sharp(join(folder, '64.webp')).stats()
  return channels.slice(0, 3).map(({ mean }) => mean)
}

const files: [name: string, make: () => Promise<Buffer>, shown: (bytes: Buffer) => Promise<number[]>][] = [
  ['CMYK JPEG without a profile', bluePrint, mixedInks],
  [
    'CMYK JPEG with an RGB profile',
    async () => withProfile(await bluePrint(), rgbProfileOfGamma(2.2)),
    mixedInks,
  ],
  [
    'grey JPEG with an RGB profile',
    async () => withProfile(await drawGrey(96).jpeg().toBuffer(), rgbProfileOfGamma(1.8)),
    async () => [115, 115, 115],
  ],
  [
    'CMYK JPEG with an empty CMYK profile',
    async () => withProfile(await bluePrint(), emptyCmykProfile()),
    mixedInks,
  ],
  [
    'grey PNG with an RGB profile',
    async () => insertPngChunks(await drawGrey(96).png().toBuffer(), profileChunk(rgbProfileOfGamma(1.8))),
    async () => [115, 115, 115],
  ],
  [
    'grey PNG with transparency and an RGB profile',
    async () =>
      insertPngChunks(
        await drawGrey(96).ensureAlpha(0.5).png().toBuffer(),
        profileChunk(rgbProfileOfGamma(1.8)),
      ),
    async () => [115, 115, 115],
  ],
  [
    'dark grey PNG of linear light',
    async () => insertPngChunks(await drawGrey(2).png().toBuffer(), linearGamma),
    async () => [22, 22, 22],
  ],
  [
    'dark 16-bit grey PNG of linear light',
    async () => insertPngChunks(await drawDeepGrey(2).png().toBuffer(), linearGamma),
    async () => [22, 22, 22],
  ],
  [
    'PNG of linear light with an empty profile',
    async () =>
      insertPngChunks(
        await drawOneColor(64, 64, 64).png().toBuffer(),
        profileChunk(withoutTags(rgbProfileOfGamma(2.2))),
        linearGamma,
      ),
    async () => [137, 137, 137],
  ],
  [
    '16-bit PNG in Display P3',
    async () =>
      insertPngChunks(
        await drawOneColor(230, 180, 60).toColourspace('rgb16').png().toBuffer(),
        cicpOfDisplayP3,
      ),
    async () => [239, 178, 0],
  ],
  [
    '8-bit PNG in Display P3',
    async () => insertPngChunks(await drawOneColor(230, 180, 60).png().toBuffer(), cicpOfDisplayP3),
    async () => [239, 178, 0],
  ],
  [
    '16-bit grey PNG of linear light',
    async () => insertPngChunks(await drawDeepGrey(64).png().toBuffer(), linearGamma),
    async () => [137, 137, 137],
  ],
  [
    'PNG of linear light with an invalid profile',
    async () =>
      insertPngChunks(
        await drawOneColor(64, 64, 64).png().toBuffer(),
        encodePngChunk('iCCP', Buffer.from('icc\0\0not compressed', 'latin1')),
        linearGamma,
      ),
    async () => [137, 137, 137],
  ],
]

/** The colours are those that Chromium shows for the same files. */
test.each(files)("a member sees ana's %s in the colours of the original", async (name, make, shown) => {
  const bytes = await make()
  const expected = await shown(bytes)
  const published = await publishedColor(bytes, name.replaceAll(' ', '-'))
  const differences = published.map((value, index) => Math.abs(value - (expected[index] ?? -255)))
  expect(Math.max(...differences), `${published} instead of ${expected}`).toBeLessThanOrEqual(3)
})
