import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { createPhoneJpegWithGps } from '#scripts/harness/image-fixtures.ts'
import { createHugePngHeader } from '#scripts/harness/malicious-images.ts'
import { estimateDecodeCostBytes } from './decode-cost.ts'

const folder = mkdtempSync(join(tmpdir(), 'juntas-announced-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Returns the estimate without twice the file's bytes. */
async function announced(bytes: Buffer): Promise<number> {
  const path = join(folder, 'picture')
  writeFileSync(path, bytes)
  return (await estimateDecodeCostBytes(path)) - 2 * bytes.length
}

const flat = (channels: 3 | 4 = 3) =>
  sharp({ create: { width: 100, height: 50, channels, background: '#34567880' } })

test.each<[string, Sharp, number]>([
  ['a PNG of three colours', flat().png(), 3],
  ['with transparency', flat(4).png(), 4],
  ['of 16 bits a colour', flat().toColourspace('rgb16').png(), 6],
  ['of grey', flat().toColourspace('b-w').png(), 1],
  ['of a palette', flat().png({ palette: true, colours: 2 }), 1],
  ['interlaced', flat().png({ progressive: true }), 6],
  ['a baseline JPEG', flat().jpeg(), 1],
  ['a progressive JPEG', flat().jpeg({ progressive: true }), 6],
])('D07 the announced cost of a picture is its bytes per pixel: %s', async (_, picture, bytes) => {
  expect(await announced(await picture.toBuffer())).toBe(5000 * bytes)
})

test("D07 the size of a phone's photo is found after metadata and fill bytes", async () => {
  const photo = await createPhoneJpegWithGps()
  expect(await announced(photo)).toBe(4032 * 3024)
  const frame = photo.indexOf(Buffer.of(0xff, 0xc0))
  const filled = Buffer.concat([photo.subarray(0, frame), Buffer.alloc(3, 0xff), photo.subarray(frame)])
  expect(await announced(filled)).toBe(4032 * 3024)
})

test('D07 a file of unusual structure counts as most expensive', async () => {
  const photo = await flat().jpeg().toBuffer()
  const frame = photo.indexOf(Buffer.of(0xff, 0xc0))
  const stray = Buffer.concat([photo.subarray(0, frame), Buffer.of(0), photo.subarray(frame)])
  const comment = Buffer.of(0xff, 0xfe, 0, 2)
  const manyParts = Buffer.concat([
    photo.subarray(0, frame),
    ...Array(100).fill(comment),
    photo.subarray(frame),
  ])
  const png = await flat().png().toBuffer()
  png.write('tEXt', 12, 'latin1')
  const odd = [stray, manyParts, png, png.subarray(0, 20), photo.subarray(0, 40), Buffer.from('GIF89a')]
  for (const bytes of odd) expect(await announced(bytes)).toBe(Number.POSITIVE_INFINITY)
  expect(await announced(await createHugePngHeader(7000, 7000))).toBeGreaterThan(80e6)
})
