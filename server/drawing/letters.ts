/** Letters as outlines, from the font that the package ships: Inter, for Latin, Greek and Cyrillic writing. */
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Font, PathCommand } from 'opentype.js'

export type Point = { x: number; y: number }

/** Closed lines, in units of the letters' size; y grows downwards from the baseline. */
export type Outline = {
  contours: Point[][]
  /** How far the next letter stands. */
  width: number
  /** Height of a capital above the baseline. */
  capital: number
}

/** Of the strokes, as the font counts it. */
export type Weight = 400 | 700

/** In the order they are looked through. */
const scripts = [
  'latin',
  'latin-ext',
  'greek',
  'greek-ext',
  'cyrillic',
  'cyrillic-ext',
  'vietnamese',
] as const
/** Straight lines for one curve; invisible up to a letter of a thousand pixels. */
const steps = 12

/** Share of the size that a capital is high, where the font does not say. */
const usualCapital = 0.7

const font = dirname(fileURLToPath(import.meta.resolve('@fontsource/inter/package.json')))
const fonts = new Map<string, Promise<Font>>()

function fontOf(script: string, weight: Weight): Promise<Font> {
  const name = `inter-${script}-${weight}-normal.woff`
  const known = fonts.get(name)
  if (known) return known
  const reading = readFont(name)
  fonts.set(name, reading)
  return reading
}

async function readFont(name: string): Promise<Font> {
  const path = join(font, 'files', name)
  const [{ default: opentype }, bytes] = await Promise.all([import('opentype.js'), readFile(path)])
  return opentype.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
}

/** One letter; null when the font does not know it. */
export async function outlineOf(letter: string, weight: Weight = 400): Promise<Outline | null> {
  for (const script of scripts) {
    const font = await fontOf(script, weight)
    if (font.charToGlyphIndex(letter) === 0) continue
    const glyph = font.charToGlyph(letter)
    const em = font.unitsPerEm
    return {
      contours: contoursOf(glyph.getPath(0, 0, 1).commands),
      width: (glyph.advanceWidth ?? em) / em,
      capital: (font.tables.os2?.sCapHeight ?? em * usualCapital) / em,
    }
  }
  return null
}

/** Curves become short straight lines. */
function contoursOf(commands: PathCommand[]): Point[][] {
  const contours: Point[][] = []
  let current: Point[] = []
  for (const command of commands) {
    if (command.type === 'Z') continue
    const to = { x: command.x, y: command.y }
    if (command.type === 'M') {
      current = [to]
      contours.push(current)
      continue
    }
    const from = current.at(-1) as Point
    if (command.type === 'L') current.push(to)
    else if (command.type === 'Q') {
      const control = { x: command.x1, y: command.y1 }
      // A quadratic curve as a cubic one.
      current.push(...curve(from, between(from, control, 2 / 3), between(to, control, 2 / 3), to))
    } else {
      current.push(...curve(from, { x: command.x1, y: command.y1 }, { x: command.x2, y: command.y2 }, to))
    }
  }
  return contours
}

const between = (from: Point, to: Point, share: number): Point => ({
  x: from.x + (to.x - from.x) * share,
  y: from.y + (to.y - from.y) * share,
})

function curve(from: Point, first: Point, second: Point, to: Point): Point[] {
  return Array.from({ length: steps }, (_, index) => {
    const t = (index + 1) / steps
    const [a, b, c] = [between(from, first, t), between(first, second, t), between(second, to, t)]
    return between(between(a, b, t), between(b, c, t), t)
  })
}
