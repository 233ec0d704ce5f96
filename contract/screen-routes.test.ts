import { expect, test } from 'vitest'
import { isAddressOfOtherScreen, isAppPage } from './screen-routes.ts'

test('D07 a path with hundreds of thousands of dots is recognized as a page without delay', () => {
  expect(isAppPage(`/a${'.'.repeat(400_000)}/`)).toBe(true)
  expect(isAppPage(`/groups/a${'/.'.repeat(200_000)}`)).toBe(true)
  expect(isAppPage(`/a${'/.'.repeat(200_000)}`)).toBe(false)
})

test.each([
  '/',
  '/notes',
  '/v1.2/notes',
  '/places/St.%20Gallen',
  '/tags/v1.0',
  '/Tags/v1.0/',
  '/groups/odio.grupo',
  '/groups/odio.grupo/requests',
  '/profile/nadie.me',
  '/profile/nadie.me/liked-posts',
  '/profile/ana/no.such.tab',
  '/chat/una.charla',
  '/share',
])('%s is a page of the app, also after a reload', (path) => {
  expect(isAppPage(path)).toBe(true)
})

test.each([
  '/notes/missing.js',
  '/.env',
  '/favicon.png',
  '/sw.js',
  '/assets/x.js',
  '/assets/groups/x',
  '/v1/groups/odio.grupo',
  '/health',
  '/explore/x.js',
  '/tags/a/b.js',
])('%s is not a page of the app', (path) => {
  expect(isAppPage(path)).toBe(false)
})

test.each(['create', 'Create', 'CREATE'])('/groups/%s is not the page of a group', (id) => {
  expect(isAddressOfOtherScreen('group', id)).toBe(true)
})

test('a group or profile with any other id has its own page', () => {
  for (const id of ['abc', 'create2', 'requests', 'new', 'a.b'])
    expect(isAddressOfOtherScreen('group', id)).toBe(false)
  expect(isAddressOfOtherScreen('profile', 'create')).toBe(false)
})
