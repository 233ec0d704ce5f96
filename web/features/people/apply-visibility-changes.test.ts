import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import type { CollectionChange } from '#contract/realtime/realtime.ts'
import { followRequestQueryKeys, peopleQueryKeys, postQueryKeys } from '#web/api/query-keys.ts'
import { applyVisibilityChanges } from './apply-visibility-changes.ts'

const post = ($id: string, creator: string) => ({
  $id,
  creator: { $id: creator },
  can: { delete: creator === 'ana' },
})
const pages = (...documents: unknown[]) => ({ pages: [{ documents, next: null }], pageParams: [undefined] })
const person = ($id: string, requested: boolean) => ({ $id, requested, following: false })

let client: QueryClient
beforeEach(() => {
  client = new QueryClient()
})

const apply = (...changes: object[]) => applyVisibilityChanges(client, 'ana', changes as CollectionChange[])
const lost = (...ids: string[]) =>
  apply(...ids.map(($id) => ({ collection: 'posts', kind: 'delete', document: { $id, creatorId: null } })))
const isInvalidated = (key: readonly unknown[]) => client.getQueryState(key)?.isInvalidated

test('PRIV-06 posts that ana can no longer see leave every list and their pages; only lists with more posts of the author reload', () => {
  const more = postQueryKeys.exploreFrom('everyone')
  client.setQueryData(postQueryKeys.feed, pages(post('one', 'petra'), post('two', 'bea')))
  client.setQueryData(more, pages(post('one', 'petra'), post('older', 'petra')))
  client.setQueryData(postQueryKeys.saved, pages(post('two', 'bea')))
  client.setQueryData(postQueryKeys.one('one'), post('one', 'petra'))
  client.setQueryData(peopleQueryKeys.one('petra'), person('petra', false))
  lost('one')
  expect(client.getQueryData(postQueryKeys.feed)).toEqual(pages(post('two', 'bea')))
  expect(client.getQueryData(postQueryKeys.one('one'))).toBeUndefined()
  expect([more, postQueryKeys.feed, postQueryKeys.saved].map(isInvalidated)).toEqual([true, false, false])
  expect(isInvalidated(peopleQueryKeys.one('petra'))).toBe(true)
})

test("PRIV-06 a post of ana's that is deleted elsewhere stays cached for the page that deletes it", () => {
  client.setQueryData(postQueryKeys.one('mine'), post('mine', 'ana'))
  lost('mine')
  expect(client.getQueryData(postQueryKeys.one('mine'))).toBeDefined()
})

test('REQ-05 an answered follow request reloads lists with a member whom ana asked to follow, but not other lists of people', () => {
  client.setQueryData(peopleQueryKeys.home, { documents: [person('petra', true)], next: null })
  client.setQueryData(peopleQueryKeys.everybody, pages(person('bea', false)))
  client.setQueryData(postQueryKeys.byPerson('petra'), pages())
  client.setQueryData(postQueryKeys.feed, pages())
  client.setQueryData(followRequestQueryKeys.count, 1)
  apply({ collection: 'follows', kind: 'create', document: { followerId: 'bea', followingId: 'petra' } })
  expect(isInvalidated(peopleQueryKeys.home)).toBe(false)
  apply({ collection: 'followRequests', kind: 'delete', document: { $id: 'r' } })
  expect(isInvalidated(followRequestQueryKeys.count)).toBe(true)
  expect(isInvalidated(peopleQueryKeys.home)).toBe(true)
  expect(isInvalidated(peopleQueryKeys.everybody)).toBe(false)
  expect(isInvalidated(postQueryKeys.feed)).toBe(true)
  expect(client.getQueryData(postQueryKeys.byPerson('petra'))).toBeUndefined()
})
