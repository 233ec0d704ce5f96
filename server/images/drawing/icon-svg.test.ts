import { expect, test } from 'vitest'
import { browserIcons, countryFlagCodes, creditCardIcons } from './icon-codes.ts'
import { type IconCode, loadIconSvg } from './icon-svg.ts'

const all: IconCode[] = [
  ...[...browserIcons.keys()].map((code) => ({ set: 'browsers', code }) as const),
  ...[...creditCardIcons.keys()].map((code) => ({ set: 'credit-cards', code }) as const),
  ...[...countryFlagCodes].map((code) => ({ set: 'flags', code }) as const),
]

test('SDK-10 every code has a drawing: 14 browsers, 19 cards under old and new names, 195 flags', async () => {
  expect([browserIcons.size, creditCardIcons.size, countryFlagCodes.size]).toEqual([14, 19, 195])
  for (const icon of all) {
    const { svg } = await loadIconSvg(icon)
    expect(svg, icon.code).toMatch(/^<svg[\s\S]*<(path|rect|circle|g)[\s\S]*<\/svg>\s*$/)
    expect(svg, icon.code).not.toContain('NaN')
  }
})

test('an unknown icon code never becomes a file path', async () => {
  await expect(loadIconSvg({ set: 'flags', code: '../../package' })).rejects.toThrow('Not a flag')
  await expect(loadIconSvg({ set: 'browsers', code: 'constructor' })).rejects.toThrow('Not a browser')
  await expect(loadIconSvg({ set: 'credit-cards', code: 'toString' })).rejects.toThrow('Not a card')
})
