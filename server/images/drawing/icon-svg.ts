/** If no package has an icon's logo, the icon shows a word on a card. */
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findTextGlyphs, renderGlyphsAsSvgPath, sumGlyphWidths } from './glyph-paths.ts'
import {
  browserIcons,
  type CreditCardIcon,
  countryFlagCodes,
  creditCardIcons,
  type IconLogo,
  type IconWordMark,
} from './icon-codes.ts'

export type IconCode = { set: 'browsers' | 'credit-cards' | 'flags'; code: string }

const folderOf = (file: string) => dirname(fileURLToPath(file))
const flagPackage = folderOf(import.meta.resolve('flag-icons/package.json'))
const logoPackage = folderOf(import.meta.resolve('@iconify-json/logos/package.json'))

type Svg = {
  svg: string
  side: number
}

const flagSide = 512
const side = 256
/** Cards measure 85.6 × 54 mm. */
const cardHeight = 161
const cardRadius = 14
const cardColor = '#ffffff'
const edgeColor = '#dfdbe4'
const inset = 26
/** The maximum height of a capital letter. */
const wordHeight = 64

export async function loadIconSvg({ set, code }: IconCode): Promise<Svg> {
  if (set === 'flags') {
    if (!countryFlagCodes.has(code)) throw new Error('Not a flag')
    return {
      svg: await readFile(join(flagPackage, 'flags', '1x1', `${code}.svg`), 'utf8'),
      side: flagSide,
    }
  }
  if (set === 'browsers') return square(await browserSvg(browserIcons.get(code)))
  return square(await cardSvg(creditCardIcons.get(code)))
}

const square = (content: string): Svg => ({
  svg: `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${side}" height="${side}" viewBox="0 0 ${side} ${side}">${content}</svg>`,
  side,
})

async function browserSvg(browser: IconLogo | IconWordMark | undefined): Promise<string> {
  if (!browser) throw new Error('Not a browser')
  if ('logo' in browser) return logoSvg(browser.logo, { x: 0, y: 0, width: side, height: side })
  const [middle, radius] = [side / 2, side / 2]
  return `<circle cx="${middle}" cy="${middle}" r="${radius}" fill="${browser.color}"/>${await wordSvg(browser.word)}`
}

async function cardSvg(card: CreditCardIcon | undefined): Promise<string> {
  if (!card) throw new Error('Not a card')
  const top = (side - cardHeight) / 2
  const color = 'logo' in card ? cardColor : card.color
  const shape = `<rect x="1" y="${top}" width="${side - 2}" height="${cardHeight}" rx="${cardRadius}" fill="${color}" stroke="${edgeColor}" stroke-width="2"/>`
  if (!('logo' in card)) return shape + (await wordSvg(card.word))
  const box = { x: inset, y: top + inset, width: side - 2 * inset, height: cardHeight - 2 * inset }
  return shape + (await logoSvg(card.logo, box))
}

type Place = { x: number; y: number; width: number; height: number }

async function logoSvg(name: string, { x, y, width, height }: Place): Promise<string> {
  const { icons, ...usual } = await logos()
  const logo = icons[name]
  if (!logo) throw new Error(`The package has no logo ${name}`)
  const box = `0 0 ${logo.width ?? usual.width} ${logo.height ?? usual.height}`
  return `<svg x="${x}" y="${y}" width="${width}" height="${height}" viewBox="${box}">${logo.body}</svg>`
}

type Logos = {
  width: number
  height: number
  icons: Record<string, { body: string; width?: number; height?: number }>
}

let read: Promise<Logos> | undefined

function logos(): Promise<Logos> {
  read ??= readFile(join(logoPackage, 'icons.json'), 'utf8').then((text) => JSON.parse(text) as Logos)
  return read
}

async function wordSvg(word: string): Promise<string> {
  const letters = await findTextGlyphs(word)
  const capital = letters[0]?.capital ?? 1
  const size = Math.min((side - 2 * inset) / sumGlyphWidths(letters), wordHeight / capital)
  return `<path fill="#ffffff" d="${renderGlyphsAsSvgPath(letters, { width: side, height: side }, size)}"/>`
}
