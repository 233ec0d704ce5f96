import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { TextWithMentionsAndHashtags } from './text-with-mentions-and-hashtags.tsx'

const mentions = [
  { $id: 'id-bea', username: 'bea' },
  { $id: 'id-sol', username: 'bea.sol' },
]
const linksIn = (text: string) =>
  [
    ...renderToStaticMarkup(
      <MemoryRouter>
        <p>
          <TextWithMentionsAndHashtags text={text} mentions={mentions} />
        </p>
      </MemoryRouter>,
    ).matchAll(/href="\/profile\/([^"]*)"[^>]*>([^<]*)</g),
  ].map(([, id, name]) => `${name} ${id}`)

test('MEN-04 a mentioned name links to the profile, and every other name is plain text', () => {
  expect(linksIn('@bea @carla @nadie')).toEqual(['@bea id-bea'])
  expect(linksIn('Con @Bea.Sol, @bea. ¡@BEA!')).toEqual(['@Bea.Sol id-sol', '@bea id-bea', '@BEA id-bea'])
  expect(linksIn('beatriz@bea.example @beatriz @bea.x')).toEqual([])
})

const hashtagsIn = (text: string) =>
  [
    ...renderToStaticMarkup(
      <MemoryRouter>
        <p>
          <TextWithMentionsAndHashtags text={text} mentions={mentions} />
        </p>
      </MemoryRouter>,
    ).matchAll(/href="\/explore\?search=([^"]*)"[^>]*>([^<]*)</g),
  ].map(([, term = '', name]) => {
    expect(decodeURIComponent(term)).toBe(name)
    return name
  })

test('a hashtag in a caption links to a search for this hashtag', () => {
  expect(hashtagsIn('#barro y #Cerámica_fría, con @bea (#2026mar) 🌊#sal.')).toEqual([
    '#barro',
    '#Cerámica_fría',
    '#2026mar',
    '#sal',
  ])
  expect(
    hashtagsIn('nº #1, a#b, ##doble, https://x.example/#parte, https://x.example/?#barro, &#x27; #, #_'),
  ).toEqual([])
})

test('a hashtag ends at any punctuation, symbol or space, but includes combining marks', () => {
  const characters = Array.from({ length: 0x3100 }, (_, code) => String.fromCodePoint(code))
  const enders = characters.filter((char) => /(?![_#])[\p{P}\p{S}\p{Z}]/u.test(char))
  expect(enders.length).toBeGreaterThan(1000)
  expect(enders.filter((char) => hashtagsIn(`#mar${char}`)[0] !== '#mar')).toEqual([])
  expect(hashtagsIn('#हिन्दी #año2')).toEqual(['#हिन्दी', '#año2'])
})
