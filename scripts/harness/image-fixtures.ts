import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'

const red = '#c8321e'
const blue = '#1e50c8'

/** Test pictures contain this text in their metadata. If the server sends it, the location has leaked. */
export const gpsPositionFixture = 'CASA-DE-ANA-19.4326'

/**
 * The picture has 12 megapixels, more than 5 MB, a GPS position, maker and model. EXIF orientation 6:
 * upright, red is above blue.
 */
export async function createPhoneJpegWithGps(): Promise<Buffer> {
  const [width, height] = [4032, 3024]
  const grain = await noise(width, height)
  return sharp({ create: { width, height, channels: 3, background: blue } })
    .composite([
      // After rotation, column 0 of the stored rows is at the top.
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

/** The noise is faint enough to keep the average colours. */
async function noise(width: number, height: number): Promise<Buffer> {
  const pixels = randomBytes(width * height * 4)
  for (let alpha = 3; alpha < pixels.length; alpha += 4) pixels[alpha] = 56
  return pixels
}

export function createPng(color = red, width = 640, height = 480): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: color } })
    .png()
    .toBuffer()
}

export function createJpeg(color = blue, width = 640, height = 480): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: color } })
    .jpeg()
    .toBuffer()
}

/** The picture cannot be compressed, and has about 3 bytes per pixel. */
export function createNoisePng(width: number, height: number): Promise<Buffer> {
  return sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer()
}

/** Pads a PNG to exactly `size` bytes, with chunks that decoders skip. */
export function padPngToSize(picture: Buffer, size: number): Buffer {
  const missing = size - picture.length
  if (missing < 12) throw new Error(`A picture of ${picture.length} bytes cannot be padded to ${size}`)
  const end = picture.subarray(-12)
  return Buffer.concat([picture.subarray(0, -12), pngChunk('juNk', randomBytes(missing - 12)), end])
}

/** Keeps only the size, the pixels and the end. */
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
