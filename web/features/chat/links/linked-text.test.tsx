import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LinkedText } from './linked-text.tsx'

const shown = (text: string) => renderToStaticMarkup(<LinkedText text={text} />)
const linksIn = (text: string) => [...shown(text).matchAll(/href="([^"]*)"/g)].map(([, href]) => href)

test('CHAT-32 a URL in a message becomes a link without referrer or opener', () => {
  expect(linksIn('Mira https://juntas.example/a?b=1, y (http://otra.example/x).')).toEqual([
    'https://juntas.example/a?b=1',
    'http://otra.example/x',
  ])
  expect(shown('https://juntas.example')).toContain('target="_blank" rel="noopener noreferrer nofollow"')
})

test('CHAT-32 text that is not a URL is not linked, and no word is lost', () => {
  for (const text of ['javascript:alert(1)', 'juntas.example', 'https://', 'data:text/html,x', 'http://['])
    expect(linksIn(text)).toEqual([])
  const text = 'a https://x.example b\nhttps://y.example'
  expect(shown(text).replace(/<[^>]+>/g, '')).toBe(
    'a https://x.example · x.example b\nhttps://y.example · y.example',
  )
})

const url = 'https://juntas.example/a'

test.each([
  ['https://es.wikipedia.org/wiki/Mercurio_(planeta)', ['https://es.wikipedia.org/wiki/Mercurio_(planeta)']],
  [
    '(véase https://es.wikipedia.org/wiki/Mercurio_(planeta))',
    ['https://es.wikipedia.org/wiki/Mercurio_(planeta)'],
  ],
  [`${url}/ñ?q=día&x=1#más`, [`${url}/ñ?q=d%C3%ADa&amp;x=1#más`]],
  [`${url} ${url}`, [url, url]],
  [`x${url}`, []],
])('CHAT-32 the links in “%s” are %j', (text, expected) => {
  expect(linksIn(text).map((link) => link && decodeURI(link))).toEqual(
    expected.map((link) => decodeURI(link)),
  )
})

const enders = Array.from({ length: 0x3100 }, (_, code) => String.fromCodePoint(code)).filter((char) =>
  /[\p{Pe}\p{Pf}\p{Po}\p{Z}\p{Cf}]/u.test(char),
)
const partsOfUrls = ['#', '%', '&', '*', '/', '@', '\\']

test('CHAT-32 a closing bracket, quote, full stop, space or invisible character after a URL is not part of its link', () => {
  expect(enders.length).toBeGreaterThan(300)
  const swallowed = enders.filter((char) => linksIn(`${url}${char}`)[0] !== url)
  expect(swallowed.filter((char) => !partsOfUrls.includes(char))).toEqual([])
})

test('CHPH-07 a link is followed by its real host, in Punycode', () => {
  // The name starts with Cyrillic letters that look like Latin ones.
  expect(shown('https://раураl.com/pago')).toContain(' · xn--')
  expect(shown('https://otra.example:8080/')).toContain(' · otra.example:8080')
  // An @ in the URL would make the text before it a username.
  expect(linksIn('https://juntas.example@otra.example/')).toEqual(['https://juntas.example'])
})
