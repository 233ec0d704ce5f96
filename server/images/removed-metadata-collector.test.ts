import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import type { RemovedMetadata } from '#contract/files/files.ts'
import { createExifPointerBomb, insertPngChunks } from '#scripts/harness/malicious-images.ts'
import { encodePngChunk } from './encode-png-chunk.ts'
import { readExifMetadataKinds } from './exif-metadata-kinds.ts'
import { createRemovedMetadataCollector } from './removed-metadata-collector.ts'
import { sanitizeImage } from './sanitize-image.ts'

const drawing = () => sharp({ create: { width: 40, height: 30, channels: 3, background: '#c8321e' } })
const gps = { GPSLatitude: '19/1 25/1 5736/100', GPSLongitude: '99/1 8/1 100/100' }
const removed = (bytes: Buffer) => sanitizeImage(bytes).removed
const whole = (bytes: Buffer) => Buffer.concat(sanitizeImage(bytes).parts)

const jpeg = await drawing().jpeg().toBuffer()
const png = await drawing().png().toBuffer()

/** Inserts the segment after the first marker. */
function withSegment(code: number, ...body: (string | Buffer)[]): Buffer {
  const bytes = Buffer.concat(
    body.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  )
  const head = Buffer.from([0xff, code, (bytes.length + 2) >> 8, (bytes.length + 2) & 255])
  return Buffer.concat([jpeg.subarray(0, 2), head, bytes, jpeg.subarray(2)])
}
const withChunk = (type: string, body: string | Buffer) =>
  insertPngChunks(png, encodePngChunk(type, typeof body === 'string' ? Buffer.from(body, 'latin1') : body))

const xmp = (inner: string) => `<x:xmpmeta xmlns:x="adobe:ns:meta/">${inner}</x:xmpmeta>`
const iptc = (number: number, value: string) =>
  Buffer.concat([Buffer.from([0x1c, 2, number, 0, value.length]), Buffer.from(value, 'latin1')])
function resource(number: number, body: Buffer): Buffer {
  const head = Buffer.from('8BIM\0\0\0\0\0\0\0\0', 'latin1')
  head.writeUInt16BE(number, 4)
  head.writeUInt32BE(body.length, 8)
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)])
}
/** Creates big-endian EXIF with a second directory for the thumbnail. */
function exifWithThumbnail(): Buffer {
  const tiff = Buffer.alloc(8 + 6 + 18)
  tiff.write('MM\0*', 0, 'latin1')
  tiff.writeUInt32BE(8, 4)
  tiff.writeUInt32BE(14, 10)
  tiff.writeUInt16BE(1, 14)
  tiff.writeUInt16BE(0x0201, 16)
  return tiff
}
const exifOf = async (picture: Sharp) =>
  (await sharp(await picture.jpeg().toBuffer()).metadata()).exif as Buffer
const place = (await exifOf(drawing().withExif({ IFD3: gps }))).subarray(6)

const files: Record<string, [bytes: Buffer, removed: RemovedMetadata[]]> = {
  'a plain JPEG': [jpeg, []],
  'a plain PNG': [png, []],
  'a JPEG that says which way is up': [
    await drawing().withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    [],
  ],
  'a JPEG of a phone': [
    await drawing()
      .withExif({ IFD0: { Make: 'Telefono', DateTime: '2026:05:01 10:00:00' }, IFD3: gps })
      .jpeg()
      .toBuffer(),
    ['place', 'camera', 'time'],
  ],
  'a JPEG of a camera': [
    await drawing()
      .withExif({
        IFD0: { Model: 'Reflex' },
        IFD2: { DateTimeOriginal: '2026:05:01 10:00:00', FNumber: '28/10' },
      })
      .jpeg()
      .toBuffer(),
    ['camera', 'time'],
  ],
  'a JPEG with a description': [
    await drawing()
      .withExif({ IFD0: { ImageDescription: 'Mi casa', Artist: 'Ana' } })
      .jpeg()
      .toBuffer(),
    ['text'],
  ],
  'a JPEG with a blank description': [
    await drawing()
      .withExif({ IFD0: { ImageDescription: '          ' } })
      .jpeg()
      .toBuffer(),
    [],
  ],
  'a JPEG with a thumbnail': [withSegment(0xe1, 'Exif\0\0', exifWithThumbnail()), ['thumbnail']],
  'a JPEG with a JFIF thumbnail': [
    withSegment(0xe0, 'JFIF\0\x01\x02\0\0\x01\0\x01\x01\x01', Buffer.alloc(3)),
    ['thumbnail'],
  ],
  'a JPEG with further pictures': [withSegment(0xe2, 'MPF\0', Buffer.alloc(20)), ['thumbnail']],
  'a JPEG with a comment': [withSegment(0xfe, 'hecho en casa'), ['text']],
  'a JPEG with XMP': [
    withSegment(
      0xe1,
      'http://ns.adobe.com/xap/1.0/\0',
      xmp('<exif:GPSLatitude>19,25N</exif:GPSLatitude><xmp:CreateDate/><tiff:Make/><dc:title/>'),
    ),
    ['place', 'camera', 'time', 'text'],
  ],
  'a JPEG with XMP of nothing known': [
    withSegment(0xe1, 'http://ns.adobe.com/xap/1.0/\0', xmp('hola')),
    ['text'],
  ],
  'a JPEG of an editor': [
    withSegment(
      0xed,
      'Photoshop 3.0\0',
      resource(0x0404, Buffer.concat([iptc(90, 'Tonala'), iptc(55, '20260501'), iptc(120, 'Sol')])),
      resource(0x040c, Buffer.alloc(9)),
      resource(0x0422, place),
    ),
    ['place', 'time', 'text', 'thumbnail'],
  ],
  'a PNG of a phone': [
    await drawing()
      .withExif({ IFD0: { Make: 'Telefono' }, IFD3: gps })
      .png()
      .toBuffer(),
    ['place', 'camera'],
  ],
  'a PNG with a time': [withChunk('tIME', Buffer.alloc(7)), ['time']],
  'a PNG with a text': [withChunk('tEXt', 'Title\0Mi casa'), ['text']],
  'a PNG with an empty text': [withChunk('tEXt', 'Title\0 '), []],
  'a PNG with deflated XMP': [
    withChunk(
      'iTXt',
      Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\x01\0\0\0'), deflateSync(xmp('<exif:GPSLongitude/>'))]),
    ),
    ['place'],
  ],
  'a PNG with EXIF in digits': [
    withChunk(
      'zTXt',
      Buffer.concat([
        Buffer.from('Raw profile type exif\0\0'),
        deflateSync(`\nexif\n      ${place.length}\n${place.toString('hex').replace(/.{72}/g, '$&\n')}\n`),
      ]),
    ),
    ['place'],
  ],
  'a PNG with a position in words': [withChunk('tEXt', 'exif:GPSLatitude\x0019/1'), ['place']],
}

describe('metadata removed from a picture', () => {
  for (const [name, [bytes, lost]] of Object.entries(files)) {
    test(`AUD-08 sanitising ${name} removes ${lost.join(', ') || 'nothing'}`, () =>
      expect(removed(bytes)).toEqual(lost))
    test(`AUD-08 ${name} has no metadata left to remove after it was sanitised`, () =>
      expect(removed(whole(bytes))).toEqual([]))
  }
})

describe('arbitrary metadata bytes', () => {
  const bytes = fc.uint8Array({ maxLength: 2000 }).map((array) => Buffer.from(array))
  const tiff = fc.tuple(fc.constantFrom('II*\0\x08\0\0\0', 'MM\0*\0\0\0\x08'), bytes)

  test('AUD-08 arbitrary metadata is read without an error', () => {
    fc.assert(
      fc.property(tiff, bytes, fc.string(), ([order, rest], note, name) => {
        const lost = createRemovedMetadataCollector()
        readExifMetadataKinds(Buffer.concat([Buffer.from(order, 'latin1'), rest]))
        lost.addExif(note)
        lost.addXmp(note)
        lost.addComment(note)
        lost.addPhotoshopResources(Buffer.concat([Buffer.from('8BIM\x04\x04\0\0', 'latin1'), note]))
        for (const keyword of [name, 'Raw profile type exif', 'Raw profile type 8bim'])
          lost.addKeyword(keyword, note)
        expect(new Set(lost.list()).size).toBe(lost.list().length)
      }),
      { numRuns: 1000 },
    )
  })

  test('AUD-08 each EXIF directory is read once, however many entries point to it', async () => {
    for (const tag of [0x8769, 0x8825])
      expect(removed(await createExifPointerBomb(tag))).not.toContain('text')
  })

  test('AUD-08 at most four EXIF blocks of a picture are read', () => {
    const listAfter = (blocks: number) => {
      const lost = createRemovedMetadataCollector()
      for (let n = 0; n < blocks; n += 1) lost.addExif(Buffer.alloc(8))
      lost.addExif(place)
      return lost.list()
    }
    expect(listAfter(3)).toEqual(['place'])
    expect(listAfter(4)).toEqual([])
  })

  test('AUD-08 reading eight megabytes of metadata takes linear time', () => {
    const lost = createRemovedMetadataCollector()
    for (const piece of ['8BIM', '\x1c\x02\x5a\0\0', '\nexif\n 1\n', 'ab ', ' ', 'dc:']) {
      const note = Buffer.from(piece.repeat(Math.ceil(8_000_000 / piece.length)), 'latin1')
      lost.addPhotoshopResources(note)
      lost.addXmp(note)
      lost.addKeyword('Raw profile type iptc', note)
    }
  })
})
