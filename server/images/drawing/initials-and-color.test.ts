import sharp from 'sharp'
import { expect, test } from 'vitest'
import { drawInitialsIconOrQrCodeAsPng } from './draw-initials-icon-or-qr-code.ts'
import { chooseAppwriteInitialsColor, extractNameInitials } from './initials-and-color.ts'

test.each([
  ['María José', 'MJ'],
  ['ana', 'A'],
  ['W (Hello) W', 'WW'],
  ['ana_bea_cleo', 'AB'],
  ['Ángela ñandú', 'ÁÑ'],
  ['A\u0301ngela', 'Á'],
  ['Жанна Ωmega', 'ЖΩ'],
  ['  bea   lopez  ', 'BL'],
  ['🌸 Flor', 'F'],
  ['¿?', ''],
  ['', ''],
])('SUP-15 the initials of "%s" are "%s"', (name, initials) => {
  expect(extractNameInitials(name)).toBe(initials)
})

test('the letters of the initials determine the colour', () => {
  // M 77 + J 74 = 151, and 151 modulo 5 is 1.
  expect(chooseAppwriteInitialsColor('MJ')).toBe('fe9567')
  expect(chooseAppwriteInitialsColor('')).toBe('fd366e')
})

const drawInitials = (
  initials: string,
  { bold = false, ...picture }: { width: number; height: number; background: string; bold?: boolean },
) => drawInitialsIconOrQrCodeAsPng({ kind: 'initials', initials, bold, ...picture })

/** Returns the pixels of the row at a fraction of the height as runs: `#` for colour, `.` for a letter. */
async function row(picture: Buffer, share: number): Promise<string> {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const start = Math.floor(info.height * share) * info.width
  const alphas = Array.from({ length: info.width }, (_, x) => data[(start + x) * 4 + 3] as number)
  return alphas
    .map((alpha) => (alpha < 128 ? '.' : '#'))
    .join('')
    .replace(/(.)\1+/g, '$1')
}

test('SUP-15 the letters are cut out of the coloured square', async () => {
  const picture = await drawInitials('HI', { width: 200, height: 200, background: 'fe9567' })
  const { width, height } = await sharp(picture).metadata()
  expect([width, height]).toEqual([200, 200])
  expect(await row(picture, 0.05)).toBe('#')
  // The row crosses two stems of the H and one of the I. In the middle, the bar joins the stems.
  expect(await row(picture, 0.4)).toBe('#.#.#.#')
  expect(await row(picture, 0.5)).toBe('#.#.#')
  const [red, green, blue] = await sharp(picture).raw().toBuffer()
  expect([red, green, blue]).toEqual([0xfe, 0x95, 0x67])
})

test('the background has one colour, also at the edges of the letters', async () => {
  const picture = await drawInitials('Ñß', { width: 90, height: 70, background: '7c67fe' })
  const { data } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  expect(new Set(data.toString('hex').match(/.{6}/g))).toEqual(new Set(['7c67fe']))
})

test('a letter with a hole is drawn with its hole', async () => {
  const picture = await drawInitials('O', { width: 300, height: 100, background: '000000' })
  expect(await row(picture, 0.5)).toBe('#.#.#')
})

test.each(['Ñ', 'Ő', 'Ω', 'Ж', 'Ợ'])('the letter %s is drawn', async (letter) => {
  const picture = await drawInitials(letter, { width: 100, height: 100, background: '000000' })
  expect(await row(picture, 0.5)).toContain('.')
})

test.each(['بيا', '李 小龙', 'גל', '¿?', ''])(
  'SUP-15 a silhouette is drawn if the font has no letter of "%s"',
  async (name) => {
    for (const bold of [true, false]) {
      const size = { width: 120, height: 100, background: '7c67fe' }
      const picture = await drawInitials(extractNameInitials(name), { ...size, bold })
      expect(await row(picture, 0.1)).toBe('#')
      const [head, neck, shoulders] = [0.4, 0.497, 0.68]
      expect(await row(picture, head)).toBe('#.#')
      expect(await row(picture, neck)).toBe('#')
      expect(await row(picture, shoulders)).toBe('#.#')
      expect(await row(picture, 0.9)).toBe('#')
    }
  },
)

test('of two letters, only the letter that the font has is drawn', async () => {
  const size = { width: 100, height: 100, background: '000000' }
  expect(await drawInitials('I王', size)).toEqual(await drawInitials('I', size))
})

test('bold initials are smaller and have relatively wider strokes', async () => {
  const size = { width: 200, height: 200, background: 'fe9567' }
  const runs = async (picture: Buffer, share: number) => {
    const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    const start = Math.floor(info.height * share) * info.width
    const cut = Array.from({ length: info.width }, (_, x) => (data[(start + x) * 4 + 3] as number) < 128)
    return cut.filter(Boolean).length
  }
  const [bold, regular] = [
    await drawInitials('I', { ...size, bold: true }),
    await drawInitials('I', { ...size, width: 152, height: 152 }),
  ]
  // 38 % of 200 px are 50 % of 152 px.
  expect(await runs(bold, 0.5)).toBeGreaterThan(1.3 * (await runs(regular, 0.5)))
  expect(await runs(bold, 0.34)).toBe(0)
})
