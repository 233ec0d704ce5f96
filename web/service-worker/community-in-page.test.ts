import { expect, test } from 'vitest'
import { readCommunityAttributes, readCommunityName } from './community-in-page.ts'

const render = (attributes: string) =>
  `<!doctype html><html${attributes} lang="en"><p data-community="no"></p>`
const named = (escapedName: string) => render(` data-community="${escapedName}" data-accent="sea"`)

test('OPD-10 the worker reads the community’s name from the cached page', () => {
  expect(readCommunityName(named('Barro'))).toBe('Barro')
  expect(readCommunityName(named('Las &quot;Vecinas&quot; &amp; &lt;b&gt; 🏡'))).toBe(
    'Las "Vecinas" & <b> 🏡',
  )
  expect(readCommunityName(named('L&#39;Orilla &amp;amp;'))).toBe("L'Orilla &amp;")
  expect(readCommunityName(render(''))).toBeUndefined()
})

test('OPD-10 another name, accent or logo gives another identity, another language does not', () => {
  const page = named('Barro')
  expect(readCommunityAttributes(page.replace('lang="en"', 'lang="es"'))).toBe(readCommunityAttributes(page))
  expect(readCommunityAttributes(named('Orilla'))).not.toBe(readCommunityAttributes(page))
  expect(readCommunityAttributes(page.replace('sea', 'clay'))).not.toBe(readCommunityAttributes(page))
  expect(readCommunityAttributes(render(''))).toBe('')
})
