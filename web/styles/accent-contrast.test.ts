/** Computes the contrasts of every accent (WCAG 2), as the design's table does for the default. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { accentNames } from '#contract/community/community-limits.ts'

type LinearRgb = readonly [number, number, number]

const css = readFileSync(join(import.meta.dirname, 'colors.css'), 'utf8')
const [, own = '', ownDark = ''] =
  /:root \{([\s\S]*?)\n\}[\s\S]*?:root \{\s*@variant dark \{([\s\S]*?)\n {2}\}/.exec(css) ?? []
const [, accent = '', accentDark = ''] =
  /:root\[data-accent\] \{([\s\S]*?)\n\}\s*:root\[data-accent\] \{\s*@variant dark \{([\s\S]*?)\n {2}\}/.exec(
    css,
  ) ?? []
const hues = new Map(
  [...css.matchAll(/\[data-accent="(\w+)"\] \{\s*--hue: ([\d.]+);\s*--vividness: ([\d.]+);/g)].map(
    ([, name, hue, vividness]) => [name, { hue: Number(hue), vividness: Number(vividness) }],
  ),
)

/** Converts by CSS Color 4. A display cannot show values outside 0 to 1. */
function fromOklch(lightness: number, chroma: number, hue: number): LinearRgb {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

function fromHex(hex: string): LinearRgb {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [channel(1), channel(3), channel(5)]
}

const luminance = ([red, green, blue]: LinearRgb) => 0.2126 * red + 0.7152 * green + 0.0722 * blue

function contrast(one: LinearRgb, other: LinearRgb): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

const declared = (block: string, name: string) => new RegExp(`--${name}: ([^;]+);`).exec(block)?.[1]

function colorOf(role: string, theme: 'light' | 'dark', name: string): LinearRgb {
  const { hue, vividness } = hues.get(name) ?? { hue: Number.NaN, vividness: Number.NaN }
  const blocks = theme === 'dark' ? [accentDark, accent, ownDark, own] : [accent, own]
  const value = blocks.map((block) => declared(block, role)).find(Boolean) ?? ''
  const [, lightness, chroma] =
    /^oklch\(([\d.]+) calc\(([\d.]+) \* var\(--vividness\)\) var\(--hue\)\)$/.exec(value) ?? []
  return lightness ? fromOklch(Number(lightness), Number(chroma) * vividness, hue) : fromHex(value)
}

const pairs = [
  ['on-brand', 'brand', 4.5],
  ['on-brand', 'brand-hover', 4.5],
  ['on-brand', 'brand-press', 4.5],
  ['brand', 'surface', 3],
  ['brand', 'canvas', 3],
  ['brand-text', 'brand-soft', 4.5],
  ['brand-text', 'brand-soft-hover', 4.5],
  ['brand-text', 'surface', 4.5],
  ['brand-text', 'canvas', 4.5],
  ['text', 'bubble-me', 4.5],
  ['meta-me', 'bubble-me', 4.5],
  ['read', 'bubble-me', 4.5],
  ['focus', 'brand-soft', 3],
  ['text', 'wall', 4.5],
] as const

test.each(accentNames)('OPD-02 with the accent %s all text is readable in light and dark', (name) => {
  for (const theme of ['light', 'dark'] as const) {
    for (const [foreground, background, least] of pairs) {
      const ratio = contrast(colorOf(foreground, theme, name), colorOf(background, theme, name))
      expect(ratio, `${foreground} on ${background}, ${theme}`).toBeGreaterThanOrEqual(least)
    }
    for (const role of [
      'brand',
      'brand-hover',
      'brand-press',
      'brand-soft',
      'brand-text',
      'bubble-me',
      'mark',
    ])
      for (const channel of colorOf(role, theme, name)) {
        expect(channel, `${role}, ${theme}`).toBeGreaterThan(-0.001)
        expect(channel, `${role}, ${theme}`).toBeLessThan(1.001)
      }
  }
})

test('white on the brand colour has a contrast of 6.66', () => {
  expect(contrast(fromHex('#ffffff'), fromHex('#b3174f'))).toBeCloseTo(6.66, 2)
})
