import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LinkedText } from './linked-text.tsx'

const shown = (text: string) => renderToStaticMarkup(<LinkedText text={text} />)
const linksIn = (text: string) => [...shown(text).matchAll(/href="([^"]*)"/g)].map(([, href]) => href)

test('CHAT-32 an address in a message is a link that tells the other page nothing', () => {
  expect(linksIn('Mira https://juntas.example/a?b=1, y (http://otra.example/x).')).toEqual([
    'https://juntas.example/a?b=1',
    'http://otra.example/x',
  ])
  expect(shown('https://juntas.example')).toContain('target="_blank" rel="noopener noreferrer nofollow"')
})

test('CHAT-32 nothing else is a link, and no word is lost', () => {
  for (const text of ['javascript:alert(1)', 'juntas.example', 'https://', 'data:text/html,x', 'http://['])
    expect(linksIn(text)).toEqual([])
  const text = 'a https://x.example b\nhttps://y.example'
  expect(shown(text).replace(/<[^>]+>/g, '')).toBe(
    'a https://x.example · x.example b\nhttps://y.example · y.example',
  )
})

test('CHPH-07 after a link stands the host that it leads to, as the network writes it', () => {
  // The first letters of the name are Cyrillic.
  expect(shown('https://раураl.com/pago')).toContain(' · xn--')
  expect(shown('https://juntas.example@otra.example:8080/')).toContain(' · otra.example:8080')
})
