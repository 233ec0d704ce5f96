import { expect, test } from 'vitest'
import { browsers, cards, flags } from './icon-codes.ts'
import { type Icon, iconSvg } from './icons.ts'

const all: Icon[] = [
  ...[...browsers.keys()].map((code) => ({ set: 'browsers', code }) as const),
  ...[...cards.keys()].map((code) => ({ set: 'credit-cards', code }) as const),
  ...[...flags].map((code) => ({ set: 'flags', code }) as const),
]

test('SDK-10 every code has a drawing: 14 browsers, 19 cards under old and new names, 195 flags', async () => {
  expect([browsers.size, cards.size, flags.size]).toEqual([14, 19, 195])
  for (const icon of all) {
    const { svg } = await iconSvg(icon)
    expect(svg, icon.code).toMatch(/^<svg[\s\S]*<(path|rect|circle|g)[\s\S]*<\/svg>\s*$/)
    expect(svg, icon.code).not.toContain('NaN')
  }
})

test('nothing but a known code becomes a path', async () => {
  await expect(iconSvg({ set: 'flags', code: '../../package' })).rejects.toThrow('Not a flag')
  await expect(iconSvg({ set: 'browsers', code: 'constructor' })).rejects.toThrow('Not a browser')
  await expect(iconSvg({ set: 'credit-cards', code: 'toString' })).rejects.toThrow('Not a card')
})
