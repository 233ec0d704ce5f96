/**
 * A picture as a client of the dialect asks for it (platform reference §9.4), in its order: cut to the box, made
 * see-through, laid on a background, framed, rounded, turned.
 */
import sharp, { type Sharp } from 'sharp'
import type { VariantFormat } from './widths.ts'

export type Gravity = keyof typeof positions

/** All of it travels as JSON; colours are six hex digits. */
export type Composition = {
  width: number
  height: number
  gravity: Gravity
  /** 0 to 1. */
  opacity: number
  background: string | null
  border: { width: number; colour: string }
  radius: number
  /** Degrees, clockwise. */
  rotation: number
  format: VariantFormat | 'gif'
  /** 0 to 100, of the formats that lose something; null for the usual one. */
  quality: number | null
}

const positions = {
  auto: 'attention',
  center: 'centre',
  'top-left': 'left top',
  top: 'top',
  'top-right': 'right top',
  left: 'left',
  right: 'right',
  'bottom-left': 'left bottom',
  bottom: 'bottom',
  'bottom-right': 'right bottom',
} as const

const transparent = { r: 0, g: 0, b: 0, alpha: 0 }

type Pixels = { data: Buffer; width: number; height: number }

/** Everything but the encoding. @param picture upright, at least as large as the box where the original is */
export async function composed(picture: Sharp, wanted: Composition): Promise<Sharp> {
  const { width, height, gravity, background, border, radius, rotation } = wanted
  const cut = await pixelsOf(picture.resize({ width, height, fit: 'cover', position: positions[gravity] }))
  fade(cut, wanted.opacity)
  let current = cut
  if (background) current = await pixelsOf(sharpOf(current).flatten({ background: `#${background}` }))
  if (border.width > 0) {
    const sides = sidesOf(border.width, border.width)
    current = await pixelsOf(sharpOf(current).extend({ ...sides, background: `#${border.colour}` }))
  }
  round(current, radius)
  return sharpOf(rotation % 360 === 0 ? current : await turned(current, rotation))
}

const sharpOf = ({ data, width, height }: Pixels) => sharp(data, { raw: { width, height, channels: 4 } })

async function pixelsOf(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

const sidesOf = (across: number, along: number) => ({
  left: Math.floor(across),
  right: Math.ceil(across),
  top: Math.floor(along),
  bottom: Math.ceil(along),
})

function fade({ data }: Pixels, opacity: number): void {
  if (opacity === 1) return
  for (let alpha = 3; alpha < data.length; alpha += 4)
    data[alpha] = Math.round((data[alpha] as number) * opacity)
}

/** Takes the corners away, with soft edges. */
function round({ data, width, height }: Pixels, asked: number): void {
  const radius = Math.min(asked, width / 2, height / 2)
  const reach = Math.ceil(radius)
  for (let y = 0; y < reach; y += 1) {
    for (let x = 0; x < reach; x += 1) {
      const outside = Math.hypot(radius - x - 0.5, radius - y - 0.5) - radius
      const left = Math.min(1, Math.max(0, 0.5 - outside))
      for (const row of new Set([y, height - 1 - y])) {
        for (const column of new Set([x, width - 1 - x])) {
          const alpha = (row * width + column) * 4 + 3
          data[alpha] = Math.round((data[alpha] as number) * left)
        }
      }
    }
  }
}

/** On a canvas that holds all of it. */
async function turned(pixels: Pixels, degrees: number): Promise<Pixels> {
  const result = await pixelsOf(sharpOf(pixels).rotate(degrees, { background: transparent }))
  const canvas = canvasOf(pixels, degrees)
  const [across, along] = [canvas.width - result.width, canvas.height - result.height]
  if (across <= 0 && along <= 0) return result
  const sides = sidesOf(Math.max(0, across) / 2, Math.max(0, along) / 2)
  return pixelsOf(sharpOf(result).extend({ ...sides, background: transparent }))
}

/** As large as the dialect's own: half a pixel around the turned corners, and then whole pixels. */
function canvasOf({ width, height }: Pixels, degrees: number): { width: number; height: number } {
  if (degrees % 90 === 0) return { width: 0, height: 0 }
  const angle = (degrees * Math.PI) / 180
  const [sin, cos] = [Math.abs(Math.sin(angle)), Math.abs(Math.cos(angle))]
  const whole = (middle: number, reach: number) =>
    Math.ceil(middle + reach + 0.5) - Math.floor(middle - reach - 0.5)
  return {
    width: whole(width / 2, (width * cos + height * sin) / 2),
    height: whole(height / 2, (width * sin + height * cos) / 2),
  }
}
