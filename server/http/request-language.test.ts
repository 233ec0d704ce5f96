import { afterAll, beforeAll, expect, test } from 'vitest'
import { setLanguageOperation } from '#contract/account/account-settings.ts'
import { createTestWorld, type TestWorld } from '#tests/support/world.ts'
import type { Config } from '../config.ts'
import { resolveLanguageSet } from './request-language.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

test('LANG-08 errors follow the language of our web app, and stay the same for other clients', async () => {
  const ana = await w.join('Ana')
  const refused = async (path: string, language?: string) => {
    const answer = await ana.request('GET', path, undefined, language ? { 'juntas-language': language } : {})
    return (answer.body as { message: string }).message
  }
  const group = '/v1/groups/nowhere'
  expect(await refused(group)).toBe('Group not found')
  expect(await refused(group, 'en')).toBe('Group not found')
  expect(await refused(group, 'es')).toBe('No encontramos ese grupo')
  expect(await refused(group, 'fr')).toBe('Group not found')
})

test('LANG-08 Spanish errors are translated for English readers, including validation', async () => {
  const ana = await w.join('Ana')
  const say = async (method: string, path: string, body: object, language?: string) => {
    const answer = await ana.request(method, path, body, language ? { 'juntas-language': language } : {})
    return (answer.body as { message: string }).message
  }
  const follow = (language?: string) => say('PUT', `/v1/people/${ana.id}/follow`, {}, language)
  expect(await follow()).toBe('No puedes seguirte a ti misma')
  expect(await follow('es')).toBe('No puedes seguirte a ti misma')
  expect(await follow('en')).toBe("You can't follow yourself")
})

test('LANG-09 errors are Portuguese for Portuguese readers, and Spanish where the catalogue has none', async () => {
  const ana = await w.join('Ana')
  const refused = async (method: string, path: string) => {
    const answer = await ana.request(method, path, {}, { 'juntas-language': 'pt' })
    return (answer.body as { message: string }).message
  }
  expect(await refused('PUT', `/v1/people/${ana.id}/follow`)).toBe('Você não pode seguir a si mesma')
  expect(await refused('GET', '/v1/groups/nowhere')).toBe('Grupo não encontrado')
  expect(await refused('GET', '/v1/nowhere')).toBe('Esta dirección no existe.')
})

test("ana's choice of language applies only to her account, and an unknown language is refused", async () => {
  const [ana, bea] = [await w.join('Ana'), await w.join('Bea')]
  await ana.call(setLanguageOperation, { language: 'es' })
  const languageOf = async (who: { id: string }) =>
    (
      await w.database.pool.query(
        'select a.language from accounts a join users u on u.account_id = a.id where u.public_id = $1',
        [who.id],
      )
    ).rows[0].language
  expect(await languageOf(ana)).toBe('es')
  await ana.call(setLanguageOperation, { language: 'pt' })
  expect(await languageOf(ana)).toBe('pt')
  expect(await languageOf(bea)).toBeNull()
  expect(await ana.request('PUT', '/v1/me/language', { language: 'fr' })).toMatchObject({
    status: 400,
    body: { field: 'language' },
  })
})

const languageSetOf = (url: string, language: Config['language'], header?: string, cookie?: string) =>
  resolveLanguageSet(
    { url, cookies: { 'juntas-language': cookie }, headers: { 'accept-language': header } } as never,
    { language } as Config,
  )

test("INV-13 the set-up page uses the browser's language", () => {
  const choose = (header?: string, cookie?: string) =>
    languageSetOf('/setup/secret', undefined, header, cookie)
  expect(choose('es-MX,es;q=0.9')).toBe('es')
  expect(choose('en-GB')).toBe('en')
  expect(choose('pt-BR,pt;q=0.9,en;q=0.5')).toBe('pt')
  expect(choose('fr')).toBe('en')
  expect(choose()).toBe('en')
  expect(choose('en', 'es')).toBe('es')
})

test('LANG-09 an account whose catalogue was removed uses the language of the browser', () => {
  const request = {
    url: '/',
    caller: { account: { language: 'xx' } },
    cookies: { 'juntas-language': 'es' },
    headers: {},
  }
  expect(resolveLanguageSet(request as never, {} as Config)).toBe('es')
})

test("LANG-01 the browser's preference applies only if the operator allows it", () => {
  const choose = (language: Config['language'], header?: string, cookie?: string) =>
    languageSetOf('/sign-in', language, header, cookie)
  for (const header of ['es-MX', 'en-GB', '', 'fr']) expect(choose(undefined, header)).toBe('as-it-comes')
  expect(choose('auto', 'es-MX,es;q=0.9,en;q=0.8')).toBe('es')
  expect(choose('auto', 'fr, en-GB;q=0.7, es;q=0.3')).toBe('en')
  expect(choose('auto', 'pt-PT, es;q=0.3')).toBe('pt')
  expect(choose('auto', 'fr, es;q=0')).toBe('as-it-comes')
  expect(choose('auto')).toBe('as-it-comes')
  expect(choose('auto', 'es', 'en')).toBe('en')
  expect(choose(undefined, 'es', 'nonsense')).toBe('as-it-comes')
})
