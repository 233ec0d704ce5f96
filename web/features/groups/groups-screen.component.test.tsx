import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { listGroupsOperation, searchGroupsOperation } from '#contract/groups.ts'
import { makeGroup } from '#tests/support/component/fixtures.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'

const main = page.getByRole('main')
const card = (name: string) => main.getByRole('article', { name })
const search = main.getByRole('searchbox', { name: 'Search groups...' })
const heading = (name: string) => main.getByRole('heading', { name })

test('GRP-01 GRP-03 GRP-09 GRP-11 GRP-12 CARD-09 a card says what the group is', async () => {
  const described = makeGroup({ description: 'palabra '.repeat(40).trim() })
  const bare = makeGroup({ name: 'W'.repeat(50), memberCount: 2 })
  api.answer(listGroupsOperation, { documents: [described, bare], next: null })
  await openApp('/groups')
  await expect.element(main.getByRole('heading', { level: 1 })).toHaveTextContent('Groups')
  await expect.element(main.getByRole('heading', { level: 2 })).toHaveTextContent('All Groups')
  await expect.element(search).toHaveAttribute('placeholder', 'Search groups...')
  const shown = card(described.name)
  await expect.element(shown.getByText('Private Group')).toBeVisible()
  await expect.element(shown.getByText('1 member', { exact: true })).toBeVisible()
  await expect.element(card(bare.name).getByText('2 members', { exact: true })).toBeVisible()
  const text = shown.getByText(described.description).element()
  expect(text.clientHeight).toBe(2 * Number.parseFloat(getComputedStyle(text).lineHeight))
  expect(text.scrollHeight).toBeGreaterThan(text.clientHeight)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(innerWidth)
  expect(main.getByText('Posted in').elements()).toEqual([])
  await main.getByRole('link', { name: 'Create Group' }).click()
  expect(location.pathname).toBe('/groups/create')
})

test('GRP-05 where no group exists, ana can create the first', async () => {
  api.answer(listGroupsOperation, { documents: [], next: null })
  await openApp('/groups')
  await expect.element(heading('No groups yet')).toBeVisible()
  await main.getByRole('link', { name: 'Create Your First Group' }).click()
  expect(location.pathname).toBe('/groups/create')
})

test('GRP-02 GRP-04 GRP-06 GRP-08 a search waits 500 ms and skips blanks', async () => {
  const group = makeGroup({ name: 'Cerámica fría' })
  api.answer(listGroupsOperation, { documents: [group], next: null })
  api.answer(searchGroupsOperation, ({ term }) => ({ documents: term === 'nada' ? [] : [group] }))
  await openApp('/groups')
  await expect.element(card(group.name)).toBeVisible()
  const asked = () => api.callsOf(searchGroupsOperation).map(({ term }) => term)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await search.fill('CERAMICA')
  vi.advanceTimersByTime(499)
  expect(asked()).toEqual([])
  vi.advanceTimersByTime(1)
  await expect.element(heading('Search Results')).toBeVisible()
  vi.useRealTimers()
  await expect.element(card(group.name)).toBeVisible()
  expect(asked()).toEqual(['CERAMICA'])
  await search.fill('nada')
  await expect.element(heading('No groups found')).toBeVisible()
  await expect.element(main.getByText('Try searching with different keywords')).toBeVisible()
  await search.fill('   ')
  await expect.element(heading('All Groups')).toBeVisible()
  expect(asked()).toEqual(['CERAMICA', 'nada'])
  await userEvent.clear(search)
})

test('a list that cannot be loaded is loaded on demand', async () => {
  api.refuse(listGroupsOperation, 'general_route_not_found')
  await openApp('/groups')
  await expect.element(main.getByRole('button', { name: 'Try again' })).toBeVisible()
  const group = makeGroup()
  api.answer(listGroupsOperation, { documents: [group], next: null })
  await main.getByRole('button', { name: 'Try again' }).click()
  await expect.element(card(group.name)).toBeVisible()
})
