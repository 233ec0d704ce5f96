/** Real pictures for tests, made on the spot: what phones, screens and attackers upload. */
import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'

const red = '#c8321e'
const blue = '#1e50c8'

/** Where the phone's picture was taken, as text that is found again wherever it leaks. */
export const gpsPositionFixture = 'CASA-DE-ANA-19.4326'

/**
 * A 12-megapixel JPEG as a phone writes it: stored lying (4032 × 3024), EXIF orientation 6 turns it upright
 * (3024 × 4032) with red on top and blue below; GPS position, maker and time in the EXIF; over 5 MB.
 */
export async function createPhoneJpegWithGps(): Promise<Buffer> {
  const [width, height] = [4032, 3024]
  const grain = await noise(width, height)
  return sharp({ create: { width, height, channels: 3, background: blue } })
    .composite([
      // Column 0 of the stored rows is the top of what one sees.
      { input: { create: { width: width / 2, height, channels: 3, background: red } }, left: 0, top: 0 },
      { input: grain, raw: { width, height, channels: 4 }, blend: 'over' },
    ])
    .withExif({
      IFD0: { Make: 'Telefono', Model: gpsPositionFixture },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '19/1 25/1 5736/100',
        GPSLongitudeRef: 'W',
        GPSLongitude: '99/1 8/1 100/100',
        GPSMapDatum: gpsPositionFixture,
      },
    })
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 95 })
    .toBuffer()
}

/** Faint grain with an alpha of its own, so that the colours below stay what they are on the average. */
async function noise(width: number, height: number): Promise<Buffer> {
  const pixels = randomBytes(width * height * 4)
  for (let alpha = 3; alpha < pixels.length; alpha += 4) pixels[alpha] = 56
  return pixels
}

/** A flat PNG in one colour. */
export function createPng(color = red, width = 640, height = 480): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: color } })
    .png()
    .toBuffer()
}

/** A JPEG of one colour, the smallest that is still a picture. */
export function createJpeg(color = blue, width = 640, height = 480): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: color } })
    .jpeg()
    .toBuffer()
}

/** A PNG of noise, which does not compress: about 3 bytes a pixel. */
export function createNoisePng(width: number, height: number): Promise<Buffer> {
  return sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer()
}

/**
 * The same picture, exactly `size` bytes long: random bytes in ancillary chunks before the end of the file, which a
 * decoder skips.
 */
export function padPngToSize(picture: Buffer, size: number): Buffer {
  const missing = size - picture.length
  if (missing < 12) throw new Error(`A picture of ${picture.length} bytes cannot be padded to ${size}`)
  const end = picture.subarray(-12)
  return Buffer.concat([picture.subarray(0, -12), pngChunk('juNk', randomBytes(missing - 12)), end])
}

/** The same picture with nothing but what draws it: its size, its pixels and its end. */
export function stripPngMetadata(picture: Buffer): Buffer {
  const kept = [picture.subarray(0, 8)]
  for (let at = 8; at < picture.length; ) {
    const next = at + 12 + picture.readUInt32BE(at)
    const name = picture.toString('latin1', at + 4, at + 8)
    if (['IHDR', 'IDAT', 'IEND'].includes(name)) kept.push(picture.subarray(at, next))
    at = next
  }
  return Buffer.concat(kept)
}

function pngChunk(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length, 0)
  head.write(type, 4, 'latin1')
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(Buffer.concat([head.subarray(4), body])), 0)
  return Buffer.concat([head, body, check])
}
