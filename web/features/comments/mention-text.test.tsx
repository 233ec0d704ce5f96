import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { MentionText } from './mention-text.tsx'

const mentions = [
  { $id: 'id-bea', username: 'bea' },
  { $id: 'id-sol', username: 'bea.sol' },
]
const linksIn = (text: string) =>
  [
    ...renderToStaticMarkup(
      <MemoryRouter>
        <p>
          <MentionText text={text} mentions={mentions} />
        </p>
      </MemoryRouter>,
    ).matchAll(/href="\/profile\/([^"]*)"[^>]*>([^<]*)</g),
  ].map(([, id, name]) => `${name} ${id}`)

test('MEN-04 a mentioned name is a link to the profile, and every other name is text', () => {
  expect(linksIn('@bea @carla @nadie')).toEqual(['@bea id-bea'])
  expect(linksIn('Con @Bea.Sol, @bea. ¡@BEA!')).toEqual(['@Bea.Sol id-sol', '@bea id-bea', '@BEA id-bea'])
  expect(linksIn('beatriz@bea.example @beatriz @bea.x')).toEqual([])
})
