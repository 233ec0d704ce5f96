/**
 * Letters are drawn as paths of the packaged Inter font (Latin, Greek, Cyrillic), because SVG text would
 * depend on the machine's fonts.
 */
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import opentype, { type Font, type Glyph } from 'opentype.js'

export type PlacedGlyph = {
  glyph: Glyph
  /** Units of the font size. */
  width: number
  capital: number
}

export type FontWeight = 400 | 700

const scripts = [
  'latin',
  'latin-ext',
  'greek',
  'greek-ext',
  'cyrillic',
  'cyrillic-ext',
  'vietnamese',
] as const

const usualCapital = 0.7
const decimals = 2

const folder = dirname(fileURLToPath(import.meta.resolve('@fontsource/inter/package.json')))
const fonts = new Map<string, Promise<Font>>()

function fontOf(script: string, weight: FontWeight): Promise<Font> {
  const name = `inter-${script}-${weight}-normal.woff`
  const reading = fonts.get(name) ?? readFont(name)
  fonts.set(name, reading)
  return reading
}

async function readFont(name: string): Promise<Font> {
  const bytes = await readFile(join(folder, 'files', name))
  return opentype.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
}

/** Omits letters that the font lacks. */
export async function findTextGlyphs(text: string, weight: FontWeight = 400): Promise<PlacedGlyph[]> {
  const found = await Promise.all([...text].map((letter) => letterOf(letter, weight)))
  return found.filter((letter) => letter !== null)
}

async function letterOf(letter: string, weight: FontWeight): Promise<PlacedGlyph | null> {
  for (const script of scripts) {
    const font = await fontOf(script, weight)
    if (font.charToGlyphIndex(letter) === 0) continue
    const glyph = font.charToGlyph(letter)
    const em = font.unitsPerEm
    return {
      glyph,
      width: (glyph.advanceWidth ?? em) / em,
      capital: (font.tables.os2?.sCapHeight ?? em * usualCapital) / em,
    }
  }
  return null
}

export const sumGlyphWidths = (letters: readonly PlacedGlyph[]): number =>
  letters.reduce((sum, letter) => sum + letter.width, 0)

/** SVG path data, centred in a box. */
export function renderGlyphsAsSvgPath(
  letters: readonly PlacedGlyph[],
  box: { width: number; height: number },
  size: number,
): string {
  const baseline = (box.height + (letters[0]?.capital ?? 0) * size) / 2
  let left = (box.width - sumGlyphWidths(letters) * size) / 2
  return letters
    .map(({ glyph, width }) => {
      const path = glyph.getPath(left, baseline, size)
      left += width * size
      return path.toPathData(decimals)
    })
    .join('')
}
