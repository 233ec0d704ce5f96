/** PNG of few colours (PNG §11): one byte a pixel, which names an entry of the palette. */
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { pngChunk } from '../png-chunk.ts'

/** 0 to 255 each; alpha 0 is transparent. */
export type Colour = { red: number; green: number; blue: number; alpha: number }

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const compress = promisify(deflate)
const [eightBits, byPalette] = [8, 3]

/** @param palette at most 256 colours; `pixels` are indices into it, row by row */
export async function encodePng(
  { width, height, pixels }: { width: number; height: number; pixels: Uint8Array },
  palette: Colour[],
): Promise<Buffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = eightBits
  header[9] = byPalette

  // Every row begins with its filter: 0, none.
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y += 1)
    rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)

  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('PLTE', Buffer.from(palette.flatMap(({ red, green, blue }) => [red, green, blue]))),
    pngChunk('tRNS', Buffer.from(palette.map(({ alpha }) => alpha))),
    pngChunk('IDAT', await compress(rows, { level: 6 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}
