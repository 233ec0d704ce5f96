import { expect, test } from 'vitest'
import { readCommunityName, readPageIdentity } from './page-identity.ts'

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
  expect(readPageIdentity(page.replace('lang="en"', 'lang="es"'))).toBe(readPageIdentity(page))
  expect(readPageIdentity(named('Orilla'))).not.toBe(readPageIdentity(page))
  expect(readPageIdentity(page.replace('sea', 'clay'))).not.toBe(readPageIdentity(page))
  expect(readPageIdentity(render(''))).toBe('')
})
