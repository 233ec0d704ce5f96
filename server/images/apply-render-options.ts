/** Options are applied in Appwrite's order: crop, opacity, background, border, rounded corners, rotation. */
import sharp, { type Sharp } from 'sharp'
import type { VariantFormat } from './variant-widths.ts'

export type CropGravity = keyof typeof positions

/** The options are sent as JSON. Colours are six hex digits. */
export type RenderOptions = {
  width: number
  height: number
  gravity: CropGravity
  /** 0 to 1. */
  opacity: number
  background: string | null
  border: { width: number; color: string }
  radius: number
  /** Degrees, clockwise. */
  rotation: number
  format: VariantFormat | 'gif'
  /** 0 to 100 for lossy formats. Null for the default. */
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

/** @param picture upright, and at least as large as the box if the original is */
export async function applyRenderOptions(picture: Sharp, wanted: RenderOptions): Promise<Sharp> {
  const { width, height, gravity, background, border, radius, rotation } = wanted
  const cut = await toPixels(picture.resize({ width, height, fit: 'cover', position: positions[gravity] }))
  fade(cut, wanted.opacity)
  let current = cut
  if (background) current = await toPixels(fromPixels(current).flatten({ background: `#${background}` }))
  if (border.width > 0) {
    const sides = splitSides(border.width, border.width)
    current = await toPixels(fromPixels(current).extend({ ...sides, background: `#${border.color}` }))
  }
  roundCorners(current, radius)
  return fromPixels(rotation % 360 === 0 ? current : await rotate(current, rotation))
}

const fromPixels = ({ data, width, height }: Pixels) => sharp(data, { raw: { width, height, channels: 4 } })

async function toPixels(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

const splitSides = (across: number, along: number) => ({
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

function roundCorners({ data, width, height }: Pixels, asked: number): void {
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

async function rotate(pixels: Pixels, degrees: number): Promise<Pixels> {
  const result = await toPixels(fromPixels(pixels).rotate(degrees, { background: transparent }))
  const canvas = rotatedCanvas(pixels, degrees)
  const [across, along] = [canvas.width - result.width, canvas.height - result.height]
  if (across <= 0 && along <= 0) return result
  const sides = splitSides(Math.max(0, across) / 2, Math.max(0, along) / 2)
  return toPixels(fromPixels(result).extend({ ...sides, background: transparent }))
}

/** Appwrite adds half a pixel around the corners, then rounds. */
function rotatedCanvas({ width, height }: Pixels, degrees: number): { width: number; height: number } {
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
