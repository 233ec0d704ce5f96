import fc from 'fast-check'
import { expect, test } from 'vitest'
import { extractFaviconUrls, isIco } from './extract-favicon-urls.ts'

const base = new URL('https://site.test/a/page')
const links = (html: string) => extractFaviconUrls(html, base).map(String)

test('the largest icon of a page comes first, with its URL resolved', () => {
  const html = `<html><head><title>x</title>
    <LINK REL="shortcut icon" HREF=small.ico>
    <link rel='icon' type="image/png" sizes='16x16 64x64' href='//cdn.test/64.png?a=1&amp;b=2'>
    <link href="/32.png" sizes="32x32" rel="icon"/>
    <link rel="stylesheet" href="icon.css"><link rel="apple-touch-icon" href="apple.png">`
  expect(links(html)).toEqual([
    'https://cdn.test/64.png?a=1&b=2',
    'https://site.test/32.png',
    'https://site.test/a/small.ico',
  ])
})

test('X01 SVG files, scripts and malformed links are not accepted as icons', () => {
  expect(
    links(`<link rel=icon href=a.svg><link rel=icon type="image/svg+xml" href=b><link rel=icon href="javascript:1">
      <link rel=icon href="data:image/png;base64,AAAA"><link rel=icon><link rel=icon href="http://[">`),
  ).toEqual([])
})

test('F08 a page of any content and length is parsed without an exception', () => {
  const piece = fc.constantFrom(
    '<link ',
    'rel="icon"',
    ' href=',
    '"',
    "'",
    'x',
    '=',
    '>',
    '<',
    ' ',
    'sizes=9x9',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 400 }), (pieces) => {
      for (const url of extractFaviconUrls(pieces.join(''), base)) expect(url.protocol).toMatch(/^https?:$/)
    }),
    { numRuns: 300 },
  )
  expect(links('<link '.repeat(40_000))).toEqual([])
  expect(links(`<link ${'a='.repeat(120_000)}`)).toEqual([])
})

/** Creates an .ico file with one picture of that size and offset. */
function ico(start: number, size: number, bytes = 100): Buffer {
  const file = Buffer.alloc(bytes)
  file.writeUInt16LE(1, 2)
  file.writeUInt16LE(1, 4)
  file.writeUInt32LE(size, 14)
  file.writeUInt32LE(start, 18)
  return file
}

test('an .ico file is valid if its pictures lie within the file', () => {
  expect(isIco(ico(22, 78))).toBe(true)
  for (const wrong of [ico(22, 79), ico(21, 10), ico(22, 0), ico(4e9, 4e9), Buffer.from('<svg>')]) {
    expect(isIco(wrong)).toBe(false)
  }
  fc.assert(fc.property(fc.uint8Array(), (bytes) => typeof isIco(Buffer.from(bytes)) === 'boolean'))
})
