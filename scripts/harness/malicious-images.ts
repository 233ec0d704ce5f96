import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { encodePngChunk } from '#server/images/encode-png-chunk.ts'

const megabyte = 1024 * 1024

export function insertPngChunks(png: Buffer, ...chunks: Buffer[]): Buffer {
  const header = 8 + 25
  return Buffer.concat([png.subarray(0, header), ...chunks, png.subarray(header)])
}

const dot = () =>
  sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } })
    .png()
    .toBuffer()

/** One pixel with twenty texts of 50 MB each. */
export async function createPngTextBomb(kind: 'zTXt' | 'iTXt'): Promise<Buffer> {
  const deflated = deflateSync(Buffer.alloc(50 * megabyte), { level: 9 })
  const head = kind === 'zTXt' ? 'Comment\0\0' : 'Comment\0\x01\0\0\0'
  const text = encodePngChunk(kind, Buffer.concat([Buffer.from(head, 'latin1'), deflated]))
  return insertPngChunks(await dot(), ...Array<Buffer>(20).fill(text))
}

/** One pixel with a colour profile of 200 MB. */
export async function createPngColorProfileBomb(): Promise<Buffer> {
  const deflated = deflateSync(Buffer.alloc(200 * megabyte), { level: 9 })
  return insertPngChunks(
    await dot(),
    encodePngChunk('iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflated])),
  )
}

/** One pixel whose EXIF data has `entries` pointers with this `tag` to their own directory. */
export async function createExifPointerBomb(tag: number, entries = 65_535): Promise<Buffer> {
  const tiff = Buffer.alloc(10 + entries * 12)
  tiff.write('MM\0*', 0, 'latin1')
  tiff.writeUInt32BE(8, 4)
  tiff.writeUInt16BE(entries, 8)
  for (let at = 10; at < tiff.length; at += 12) {
    tiff.writeUInt16BE(tag, at)
    tiff.writeUInt32BE(8, at + 8)
  }
  return insertPngChunks(await dot(), encodePngChunk('eXIf', tiff))
}

/** Claims `width` × `height` pixels with almost no data. */
export async function createHugePngHeader(width: number, height: number): Promise<Buffer> {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const pixels = encodePngChunk('IDAT', deflateSync(Buffer.alloc(1000)))
  return Buffer.concat([
    (await dot()).subarray(0, 8),
    encodePngChunk('IHDR', header),
    pixels,
    encodePngChunk('IEND', Buffer.alloc(0)),
  ])
}

export async function createAnimatedPng(): Promise<Buffer> {
  return insertPngChunks(await dot(), encodePngChunk('acTL', Buffer.from([0, 0, 0, 1, 0, 0, 0, 0])))
}

/** Repeats the last scan of a progressive JPEG. */
export async function createManyScanJpeg(scans: number): Promise<Buffer> {
  const jpeg = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
    .jpeg({ progressive: true })
    .toBuffer()
  const last = jpeg.lastIndexOf(Buffer.of(0xff, 0xda))
  const scan = jpeg.subarray(last, -2)
  return Buffer.concat([jpeg.subarray(0, -2), ...Array<Buffer>(scans).fill(scan), jpeg.subarray(-2)])
}

export const maliciousSvgFixture = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="alert(1)"><rect width="9" height="9"/></svg>',
)

/** Files of other types named `.png` (attack F06). */
export async function createDisguisedFiles(): Promise<Record<string, Buffer>> {
  const plain = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
  const gif = await plain.clone().gif().toBuffer()
  const webp = await plain.clone().webp().toBuffer()
  const avif = await plain.clone().avif().toBuffer()
  const tiff = await plain.clone().tiff().toBuffer()
  return {
    text: Buffer.from('Hello, I am a text.\n'),
    html: Buffer.from('<!doctype html><script>alert(1)</script>'),
    svg: maliciousSvgFixture,
    gif,
    webp,
    avif,
    tiff,
    pdf: Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n'),
    zip: Buffer.from('PK\x03\x04\x14\0\0\0', 'latin1'),
    mvg: Buffer.from('push graphic-context\nviewbox 0 0 9 9\npop graphic-context\n'),
    'two bytes': Buffer.of(0xff, 0xd8),
  }
}
