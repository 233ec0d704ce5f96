/** The page's colour shows through the letters. */
import sharp, { type Sharp } from 'sharp'
import { findTextGlyphs, renderGlyphsAsSvgPath } from './glyph-paths.ts'

export type InitialsImageOptions = {
  initials: string
  width: number
  height: number
  background: string
  /** Bold is our style, not Appwrite's. */
  bold: boolean
}

const looks = { regular: { size: 0.5, weight: 400 }, bold: { size: 0.38, weight: 700 } } as const

/** The size of the silhouette's box, as a fraction of the picture's smaller side. */
const silhouetteSize = 0.55
/** Shapes in units of that box, around its centre. */
const silhouette = '<circle cy="-.2" r=".18"/><path d="M-.32 .375a.32 .32 0 0 1 .64 0z"/>'

/** Draws a silhouette if the font lacks the letters. */
export async function drawInitialsImage(picture: InitialsImageOptions): Promise<Sharp> {
  const { width, height, background } = picture
  // Cutting the letters out is twice as fast as masking, and one colour compresses better.
  const holes = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${await shapeOf(picture)}</svg>`,
  )
  const ground = await sharp(holes).extractChannel('alpha').negate().raw().toBuffer()
  return sharp({ create: { width, height, channels: 3, background: `#${background}` } }).joinChannel(ground, {
    raw: { width, height, channels: 1 },
  })
}

async function shapeOf({ initials, width, height, bold }: InitialsImageOptions): Promise<string> {
  const { size, weight } = bold ? looks.bold : looks.regular
  const smaller = Math.min(width, height)
  const letters = await findTextGlyphs(initials, weight)
  if (letters.length > 0)
    return `<path d="${renderGlyphsAsSvgPath(letters, { width, height }, smaller * size)}"/>`
  return `<g transform="translate(${width / 2} ${height / 2}) scale(${smaller * silhouetteSize})">${silhouette}</g>`
}
