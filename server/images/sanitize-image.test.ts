import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import type { ErrorType } from '#contract/errors.ts'
import {
  createAnimatedPng,
  createDisguisedFiles,
  createHugePngHeader,
  createManyScanJpeg,
  createPngColorProfileBomb,
  createPngTextBomb,
  insertPngChunks,
  maliciousSvgFixture,
} from '#scripts/harness/malicious-images.ts'
import { Failure } from '../errors.ts'
import { encodePngChunk } from './encode-png-chunk.ts'
import { writeExifOrientation } from './exif-orientation.ts'
import { sanitizeImage } from './sanitize-image.ts'

const place = 'CASA-DE-ANA-19.4326'

const whole = (bytes: Buffer) => Buffer.concat(sanitizeImage(bytes).parts)
const refusalOf = (bytes: Buffer): ErrorType | null => {
  try {
    sanitizeImage(bytes)
    return null
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown.type
    throw thrown
  }
}

/** The picture has stripes and noise, so that the file contains enough data. */
async function drawing(width = 90, height = 60) {
  const pixels = Buffer.from(
    Array.from(
      { length: width * height * 3 },
      (_, index) => (index * 37 + ((index >> 5) ^ (index >> 9))) & 255,
    ),
  )
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

const withPlace = (picture: Sharp) =>
  picture
    .withExif({ IFD0: { Model: place }, IFD3: { GPSMapDatum: place } })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${place}</x:xmpmeta>`)

async function samples(): Promise<Record<string, Buffer>> {
  const picture = await drawing()
  return {
    'baseline JPEG': await picture.clone().jpeg().toBuffer(),
    'progressive JPEG': await picture.clone().jpeg({ progressive: true }).toBuffer(),
    'JPEG with notes': await withPlace(picture.clone()).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    'CMYK JPEG': await picture.clone().toColourspace('cmyk').jpeg().toBuffer(),
    'grey JPEG': await picture.clone().greyscale().jpeg().toBuffer(),
    'JPEG with a profile': await picture.clone().withIccProfile('p3').jpeg().toBuffer(),
    PNG: await picture.clone().png().toBuffer(),
    'palette PNG': await picture.clone().png({ palette: true }).toBuffer(),
    'interlaced PNG': await picture.clone().png({ progressive: true }).toBuffer(),
    'PNG with notes': await withPlace(picture.clone()).withMetadata({ orientation: 8 }).png().toBuffer(),
    'PNG with a profile': await picture.clone().withIccProfile('p3').png().toBuffer(),
    '16-bit PNG': await picture.clone().toColourspace('rgb16').png().toBuffer(),
  }
}

const pictures = await samples()
describe('a valid picture', () => {
  for (const [name, bytes] of Object.entries(pictures)) {
    test(`F09 a ${name} loses its metadata and keeps every pixel`, async () => {
      const kept = whole(bytes)
      expect(kept.toString('latin1')).not.toContain(place)
      expect(kept.length).toBeLessThanOrEqual(bytes.length)
      const pixels = (picture: Buffer) => sharp(picture).raw().toBuffer()
      expect((await pixels(kept)).equals(await pixels(bytes))).toBe(true)
      const { icc } = await sharp(bytes).metadata()
      const after = await sharp(kept).metadata()
      expect(after.icc?.equals(icc as Buffer)).toBe(icc === undefined ? undefined : true)
      expect([after.xmp, after.iptc, after.comments]).toEqual([undefined, undefined, undefined])
    })

    test(`a sanitised ${name} stays the same when sanitised again`, () => {
      const once = whole(bytes)
      expect(whole(once).equals(once)).toBe(true)
    })

    test(`a ${name} truncated at any point is refused`, () => {
      for (let part = 1; part < 64; part += 1) {
        const cut = bytes.subarray(0, Math.floor((bytes.length * part) / 64))
        expect(refusalOf(cut), `${part}/64`).toBe('storage_file_damaged')
      }
    })

    test(`F07 data after the end of a ${name} is cut off`, () => {
      const tail = Buffer.from('<script>alert(1)</script>')
      expect(whole(Buffer.concat([bytes, tail])).equals(whole(bytes))).toBe(true)
    })

    test(`a ${name} with any bytes changed is sanitised or refused`, () => {
      fc.assert(
        fc.property(
          fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
          fc.tuple(fc.nat(bytes.length), fc.nat(300)),
          (changes, [from, length]) => {
            const changed = Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)])
            for (const [at, value] of changes) if (at < changed.length) changed[at] = value
            if (refusalOf(changed) !== null) return
            const once = whole(changed)
            expect(whole(once).equals(once)).toBe(true)
          },
        ),
        { numRuns: 300 },
      )
    })
  }
})

describe('orientation', () => {
  for (const orientation of [2, 3, 4, 5, 6, 7, 8] as const) {
    test(`a JPEG or PNG keeps only the orientation ${orientation} of its EXIF data`, async () => {
      const picture = (await drawing()).withMetadata({ orientation })
      for (const bytes of [await picture.clone().jpeg().toBuffer(), await picture.clone().png().toBuffer()]) {
        const kept = whole(bytes)
        expect(sanitizeImage(bytes).orientation).toBe(orientation)
        const metadata = await sharp(kept).metadata()
        expect(metadata.orientation).toBe(orientation)
        expect(kept.includes(writeExifOrientation(orientation))).toBe(true)
      }
    })
  }

  test('a PNG loses an orientation after its pixels, which browsers ignore', async () => {
    const png = await (await drawing()).png().toBuffer()
    const end = png.length - 12
    const late = encodePngChunk('eXIf', writeExifOrientation(6))
    const bytes = Buffer.concat([png.subarray(0, end), late, png.subarray(end)])
    expect(sanitizeImage(bytes).orientation).toBe(1)
    expect(whole(bytes).equals(whole(png))).toBe(true)
  })

  test('an upright picture keeps no EXIF data', async () => {
    const bytes = await (await drawing()).withMetadata({ orientation: 1 }).jpeg().toBuffer()
    expect((await sharp(whole(bytes)).metadata()).exif).toBeUndefined()
  })
})

describe('duplicate parts of a file', () => {
  const exif = (orientation: 3 | 6) => {
    const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), writeExifOrientation(orientation)])
    return Buffer.concat([Buffer.from([0xff, 0xe1, 0, body.length + 2]), body])
  }

  test('F09 of two EXIF segments only the orientation of the first is kept', async () => {
    const bytes = await withPlace(await drawing())
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const twice = Buffer.concat([bytes.subarray(0, 2), exif(3), exif(6), bytes.subarray(2)])
    const kept = whole(twice)
    expect(sanitizeImage(twice).orientation).toBe(3)
    expect((await sharp(kept).metadata()).orientation).toBe(3)
    expect(kept.toString('latin1').split('Exif\0\0')).toHaveLength(2)
    expect(kept.toString('latin1')).not.toContain(place)
  })

  test('F09 of two eXIf chunks or colour profiles, the first is kept', async () => {
    const png = await (await drawing()).png().toBuffer()
    const chunks = [3, 6].map((orientation) =>
      encodePngChunk('eXIf', writeExifOrientation(orientation as 3 | 6)),
    )
    const twice = insertPngChunks(png, ...chunks)
    expect(sanitizeImage(twice).orientation).toBe(3)
    expect(whole(twice).toString('latin1').split('eXIf')).toHaveLength(2)

    const profiled = await (await drawing()).withIccProfile('p3').png().toBuffer()
    const { icc } = await sharp(profiled).metadata()
    const profile = encodePngChunk(
      'iCCP',
      Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(icc as Buffer)]),
    )
    expect(whole(insertPngChunks(png, profile, profile)).equals(whole(insertPngChunks(png, profile)))).toBe(
      true,
    )
  })

  test('F09 of two Adobe segments the last defines the colours, as in decoders, and the first is dropped', async () => {
    const jpeg = await (await drawing()).toColourspace('cmyk').jpeg().toBuffer()
    const at = jpeg.indexOf(Buffer.of(0xff, 0xee))
    const first = Buffer.from(jpeg.subarray(at, at + 16))
    first[15] = 2
    const both = Buffer.concat([jpeg.subarray(0, at), first, jpeg.subarray(at)])
    expect(whole(both).equals(whole(jpeg))).toBe(true)
    const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer()
    expect((await pixels(both)).equals(await pixels(jpeg))).toBe(true)
  })
})

const others = await createDisguisedFiles()
describe('an invalid picture', () => {
  for (const [name, bytes] of Object.entries(others)) {
    test(`UPL-05 F06 ${name} is refused, whatever its file name`, () => {
      expect(refusalOf(bytes)).toBe('storage_file_type_unsupported')
    })
  }

  test('F07 a script that begins with the bytes of a PNG is refused', () => {
    const head = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    expect(refusalOf(Buffer.concat([head, Buffer.from('=1;alert(1)//'.repeat(9))]))).toBe(
      'storage_file_damaged',
    )
  })

  test('arbitrary bytes are refused', () => {
    const starts = [Buffer.of(0xff, 0xd8, 0xff), Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(0)]
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 400 }), (start, rest) => {
        expect(refusalOf(Buffer.concat([start, rest]))).not.toBeNull()
      }),
    )
  })
})

describe('excessive size', () => {
  test.each([
    [30_000, 30_000],
    [16_000, 16_000],
    [12_001, 1],
    [8_000, 6_251],
    [2 ** 31, 2 ** 31],
  ])('F08 a PNG that claims %i × %i pixels is refused', async (width, height) => {
    expect(refusalOf(await createHugePngHeader(width, height))).toBe('storage_image_too_large')
  })

  test.each([
    [8_000, 6_250],
    [12_000, 1],
    [4_166, 12_000],
  ])(
    'F08 a PNG of %i × %i pixels, within fifty megapixels and 12,000 per side, is accepted',
    async (width, height) => {
      expect(refusalOf(await createHugePngHeader(width, height))).toBeNull()
    },
  )

  test('F08 a JPEG that claims too many pixels is refused', async () => {
    const bytes = await (await drawing()).jpeg().toBuffer()
    const frame = bytes.indexOf(Buffer.of(0xff, 0xc0))
    bytes.writeUInt16BE(60_000, frame + 5)
    expect(refusalOf(bytes)).toBe('storage_image_too_large')
  })

  test('F08 a JPEG with 150 scans is accepted, and a JPEG with 200 scans is refused', async () => {
    expect(refusalOf(await createManyScanJpeg(150))).toBeNull()
    expect(refusalOf(await createManyScanJpeg(200))).toBe('storage_file_damaged')
  })

  test('F08 text and profile bombs are refused without being decompressed', async () => {
    for (const bomb of [
      await createPngTextBomb('zTXt'),
      await createPngTextBomb('iTXt'),
      await createPngColorProfileBomb(),
    ]) {
      expect(refusalOf(bomb)).toBe('storage_file_damaged')
    }
  })

  test('F08 one megabyte of text in a PNG is dropped, and ten megabytes are refused', async () => {
    const png = await (await drawing()).png().toBuffer()
    const body = Buffer.concat([
      Buffer.from('Comment\0\0', 'latin1'),
      deflateSync(Buffer.alloc(1024 * 1024, 'a')),
    ])
    const text = encodePngChunk('zTXt', body)
    expect(whole(insertPngChunks(png, text)).equals(whole(png))).toBe(true)
    expect(refusalOf(insertPngChunks(png, ...Array<Buffer>(10).fill(text)))).toBe('storage_file_damaged')
  })

  test('F08 a PNG with a hundred thousand chunks is refused', async () => {
    const png = await (await drawing()).png().toBuffer()
    const empty = encodePngChunk('teSt', Buffer.alloc(0))
    expect(refusalOf(insertPngChunks(png, ...Array<Buffer>(1000).fill(empty)))).toBeNull()
    expect(refusalOf(insertPngChunks(png, ...Array<Buffer>(100_001).fill(empty)))).toBe(
      'storage_file_damaged',
    )
  })

  test('F08 a JPEG with a million empty segments is refused', async () => {
    const jpeg = await (await drawing()).jpeg().toBuffer()
    const empty = Buffer.from([0xff, 0xdd, 0, 4, 0, 0])
    const bytes = Buffer.concat([
      jpeg.subarray(0, 2),
      ...Array<Buffer>(1_000_000).fill(empty),
      jpeg.subarray(2),
    ])
    expect(refusalOf(bytes)).toBe('storage_file_damaged')
  })

  test('F08 an animated PNG is refused', async () => {
    expect(refusalOf(await createAnimatedPng())).toBe('storage_file_type_unsupported')
  })
})

describe('hidden data in a part that sanitising keeps', () => {
  test('F09 an invalid colour profile is dropped, and so are bytes after a valid profile', async () => {
    const png = await (await drawing()).png().toBuffer()
    const name = Buffer.from('icc\0\0', 'latin1')
    const letter = Buffer.concat([name, deflateSync(Buffer.from(place.repeat(40)))])
    expect(whole(insertPngChunks(png, encodePngChunk('iCCP', letter))).includes('iCCP')).toBe(false)

    const real = (await sharp(await (await drawing()).withIccProfile('p3').png().toBuffer()).metadata())
      .icc as Buffer
    const loaded = Buffer.concat([name, deflateSync(real), Buffer.from(place)])
    const unloaded = whole(insertPngChunks(png, encodePngChunk('iCCP', loaded)))
    expect(unloaded.includes(place)).toBe(false)
    expect((await sharp(unloaded).metadata()).icc?.equals(real)).toBe(true)
    const plain = Buffer.concat([name, deflateSync(real)])
    expect(whole(insertPngChunks(png, encodePngChunk('iCCP', plain))).includes('iCCP')).toBe(true)
  })

  test('F09 bytes of an Adobe segment beyond the first twelve are dropped', async () => {
    const jpeg = await (await drawing()).toColourspace('cmyk').jpeg().toBuffer()
    const at = jpeg.indexOf(Buffer.of(0xff, 0xee))
    const longer = Buffer.concat([jpeg.subarray(0, at + 16), Buffer.from(place), jpeg.subarray(at + 16)])
    longer.writeUInt16BE(14 + place.length, at + 2)
    expect(whole(longer).equals(whole(jpeg))).toBe(true)
  })

  test('F07 an SVG inside a JPEG comment is dropped', async () => {
    const jpeg = await (await drawing()).jpeg().toBuffer()
    const comment = Buffer.concat([
      Buffer.from([0xff, 0xfe, 0, maliciousSvgFixture.length + 2]),
      maliciousSvgFixture,
    ])
    const bytes = Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)])
    expect(whole(bytes).equals(whole(jpeg))).toBe(true)
  })
})

/** Encodes numbers as PNG does, with 32 bits. */
const numbers = (...values: number[]) => {
  const bytes = Buffer.alloc(4 * values.length)
  values.forEach((value, index) => void bytes.writeUInt32BE(value, 4 * index))
  return bytes
}
const gamma = (value: number) => encodePngChunk('gAMA', numbers(value))
const primariesOfP3 = encodePngChunk(
  'cHRM',
  numbers(31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000),
)
const codePoints = (...values: number[]) => encodePngChunk('cICP', Buffer.from(values))
/** Decodes as the server does for uploads. */
const published = (bytes: Buffer) =>
  sharp(whole(bytes)).toColourspace('srgb').removeAlpha().raw({ depth: 'uchar' }).toBuffer()
const largestDifference = (one: Buffer, other: Buffer) =>
  one.reduce((most, value, index) => Math.max(most, Math.abs(value - (other[index] ?? -255))), 0)
const toSrgb = (light: number) => (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055)

describe('colour descriptions in a file', () => {
  const ramp = Buffer.from(Array.from({ length: 256 * 3 }, (_, index) => Math.floor(index / 3)))
  const rampPng = () =>
    sharp(ramp, { raw: { width: 256, height: 1, channels: 3 } })
      .png()
      .toBuffer()

  test.each([
    ['gAMA 1.0', [gamma(100_000)], 1],
    ['gAMA 0.56', [gamma(55_556)], 1.8],
    ['gAMA 0.45 with cHRM', [gamma(45_455), primariesOfP3], 2.2],
    ['cICP of linear light', [codePoints(1, 8, 0, 1)], 1],
    ['cICP of a camera', [codePoints(9, 14, 0, 1)], 2.4],
  ])('a PNG with %s is published in the colours that a browser shows', async (_name, chunks, exponent) => {
    const expected = Buffer.from(ramp.map((value) => Math.round(255 * toSrgb((value / 255) ** exponent))))
    const bytes = insertPngChunks(await rampPng(), ...chunks)
    expect(largestDifference(await published(bytes), expected)).toBeLessThanOrEqual(3)
    expect(whole(whole(bytes)).equals(whole(bytes))).toBe(true)
  })

  test.each([
    ['gAMA 0.45 alone', [gamma(45_455)]],
    ['cHRM alone', [primariesOfP3]],
    ['sRGB before another gAMA', [encodePngChunk('sRGB', Buffer.of(0)), gamma(100_000)]],
    ['cICP of sRGB', [codePoints(1, 13, 0, 1)]],
    ['a gAMA of nothing', [gamma(0)]],
  ])('a PNG with %s is published unchanged', async (_name, chunks) => {
    const bytes = insertPngChunks(await rampPng(), ...chunks)
    expect(largestDifference(await published(bytes), ramp)).toBeLessThanOrEqual(1)
  })

  test('a PNG in P3 has the same colours whether cICP, cHRM with gAMA or a profile describes them', async () => {
    const png = await (await drawing()).png().toBuffer()
    const { icc } = await sharp(await (await drawing()).withIccProfile('p3').png().toBuffer()).metadata()
    const profile = Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(icc as Buffer)])
    const expected = await published(insertPngChunks(png, encodePngChunk('iCCP', profile)))
    expect(largestDifference(expected, await published(png))).toBeGreaterThan(30)
    const byCodePoints = await published(insertPngChunks(png, codePoints(12, 13, 0, 1)))
    // Both profiles are approximations, each with its own tables.
    expect(largestDifference(byCodePoints, expected)).toBeLessThanOrEqual(6)
    const byPrimaries = await published(insertPngChunks(png, gamma(45_455), primariesOfP3))
    const byItsCodePoints = await published(insertPngChunks(png, codePoints(12, 4, 0, 1)))
    expect(largestDifference(byPrimaries, byItsCodePoints)).toBeLessThanOrEqual(1)
  })

  test('an HDR PNG is refused with a reason', async () => {
    expect(refusalOf(insertPngChunks(await rampPng(), codePoints(9, 16, 0, 1)))).toBe(
      'storage_file_type_unsupported',
    )
  })

  test('a grey PNG with gAMA is published as dark as a browser shows the picture', async () => {
    const grey = await sharp(ramp, { raw: { width: 256, height: 1, channels: 3 } })
      .toColourspace('b-w')
      .png()
      .toBuffer()
    const expected = Buffer.from(ramp.map((value) => Math.round(255 * toSrgb((value / 255) ** 1.8))))
    const difference = largestDifference(await published(insertPngChunks(grey, gamma(55_556))), expected)
    expect(difference).toBeLessThanOrEqual(3)
  })

  test('a JPEG with JFIF keeps its JFIF colours, although an Adobe segment says RGB', async () => {
    const jpeg = await (await drawing()).jpeg().toBuffer()
    const jfif = Buffer.from('\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')
    const adobe = Buffer.from('\xff\xee\0\x0eAdobe\0\x64\0\0\0\0\0', 'latin1')
    const bytes = Buffer.concat([jpeg.subarray(0, 2), jfif, adobe, jpeg.subarray(2)])
    expect((await published(bytes)).equals(await published(jpeg))).toBe(true)
    expect(whole(whole(bytes)).equals(whole(bytes))).toBe(true)
  })

  test('a CMYK JPEG keeps a colour profile of a megabyte', async () => {
    const jpeg = await (await drawing()).toColourspace('cmyk').withIccProfile('cmyk').jpeg().toBuffer()
    const { icc } = await sharp(jpeg).metadata()
    expect(icc?.length).toBeGreaterThan(900_000)
    expect((await sharp(whole(jpeg)).metadata()).icc?.equals(icc as Buffer)).toBe(true)
  })

  test('a palette PNG keeps a colour profile after its palette', async () => {
    const png = await (await drawing()).png({ palette: true }).toBuffer()
    const { icc } = await sharp(await (await drawing()).withIccProfile('p3').png().toBuffer()).metadata()
    const profile = encodePngChunk(
      'iCCP',
      Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(icc as Buffer)]),
    )
    const at = png.indexOf('IDAT') - 4
    const late = Buffer.concat([png.subarray(0, at), profile, png.subarray(at)])
    expect(whole(late).equals(whole(insertPngChunks(png, profile)))).toBe(true)
  })

  test('a JPEG keeps a colour profile with two bytes of padding, or with reordered parts', async () => {
    const jpeg = await (await drawing()).withIccProfile('p3').jpeg().toBuffer()
    const at = jpeg.indexOf('ICC_PROFILE') - 4
    const end = at + 2 + jpeg.readUInt16BE(at + 2)
    const profile = jpeg.subarray(at + 18, end)
    const part = (number: number, count: number, body: Buffer) => {
      const head = Buffer.from('\xff\xe2\0\0ICC_PROFILE\0\0\0', 'latin1')
      head.writeUInt16BE(16 + body.length, 2)
      head[16] = number
      head[17] = count
      return Buffer.concat([head, body])
    }
    const withProfile = (...parts: Buffer[]) =>
      Buffer.concat([jpeg.subarray(0, at), ...parts, jpeg.subarray(end)])
    const padded = withProfile(part(1, 1, Buffer.concat([profile, Buffer.alloc(2)])))
    const turned = withProfile(part(2, 2, profile.subarray(200)), part(1, 2, profile.subarray(0, 200)))
    for (const bytes of [padded, turned]) expect(whole(bytes).equals(whole(jpeg))).toBe(true)
    expect(whole(withProfile(part(2, 2, profile))).includes('ICC_PROFILE')).toBe(false)
  })
})
