/** Converts grey with a profile to sRGB. libvips loses dark tones, and refuses RGB profiles. */
import { getIccColorSpace, getIccTag } from './icc-profile.ts'

/** Encodes light from 0 to 1 as a byte of sRGB (IEC 61966-2-1). */
function encodeSrgb(light: number): number {
  if (light <= 0.0031308) return Math.round(255 * 12.92 * Math.max(0, light))
  return Math.round(255 * (1.055 * Math.min(1, light) ** (1 / 2.4) - 0.055))
}

type Curve = (stored: number) => number

/**
 * @param tag `curv` (ICC.1 §10.6) or `para` (§10.18)
 * @returns converts a stored value to light, both from 0 to 1. Null for a malformed tag
 */
function readCurve(tag: Buffer): Curve | null {
  const type = tag.toString('latin1', 0, 4)
  if (tag.length < 12) return null
  if (type === 'para') return readParametricCurve(tag)
  const count = tag.readUInt32BE(8)
  if (type !== 'curv' || tag.length < 12 + 2 * count) return null
  if (count === 0) return (stored) => stored
  if (count === 1) return (stored) => stored ** (tag.readUInt16BE(12) / 256)
  const table = Array.from({ length: count }, (_, index) => tag.readUInt16BE(12 + 2 * index) / 0xffff)
  return (stored) => interpolate(table, stored)
}

/** How many numbers each kind has: g, then a and b, then c, then d, then e and f. */
const parametersOfKind = [1, 3, 4, 5, 7]

function readParametricCurve(tag: Buffer): Curve | null {
  const kind = tag.readUInt16BE(8)
  const count = parametersOfKind[kind]
  if (!count || tag.length < 12 + 4 * count) return null
  const [g = 1, a = 1, b = 0, third = 0, fourth = 0, e = 0, f = 0] = Array.from(
    { length: count },
    (_, index) => tag.readInt32BE(12 + 4 * index) / 65_536,
  )
  const power = (stored: number) => Math.max(0, a * stored + b) ** g
  if (kind === 0) return power
  if (kind === 1) return (stored) => (a * stored + b >= 0 ? power(stored) : 0)
  if (kind === 2) return (stored) => third + (a * stored + b >= 0 ? power(stored) : 0)
  return (stored) => (stored >= fourth ? power(stored) + e : third * stored + f)
}

function interpolate(table: readonly number[], stored: number): number {
  const at = stored * (table.length - 1)
  const below = Math.floor(at)
  const from = table[below] ?? 0
  return from + (at - below) * ((table[below + 1] ?? from) - from)
}

/** Replaces the pixels. @param pixels RGB or RGBA. Unchanged if the profile's curve is not readable. */
export function convertGreyToSrgb(pixels: Buffer, channels: number, profile: Buffer): void {
  const tag = getIccTag(profile, getIccColorSpace(profile) === 'GRAY' ? 'kTRC' : 'gTRC')
  const curve = tag && readCurve(tag)
  if (!curve) return
  const shown = Uint8Array.from({ length: 256 }, (_, stored) => encodeSrgb(curve(stored / 255)))
  for (let at = 0; at < pixels.length; at += channels)
    for (let color = at; color < at + 3; color += 1) pixels[color] = shown[pixels[color] as number] as number
}
