import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import type { CollectionChange } from '#contract/realtime/realtime.ts'
import {
  chatQueryKeys,
  groupQueryKeys,
  notificationQueryKeys,
  peopleQueryKeys,
  postQueryKeys,
} from '#web/api/query-keys.ts'
import { purgeGoneMembersFromCache } from './purge-member-from-cache.ts'

const iria = { $id: 'iria', name: 'Iria', imageId: 'photo' }
const bea = { $id: 'bea', name: 'Bea', imageId: null }
const post = ($id: string, creator: typeof iria | typeof bea) => ({ $id, creator })
const pages = (...documents: unknown[]) => ({ pages: [{ documents, next: null }], pageParams: [undefined] })

let client: QueryClient
beforeEach(() => {
  client = new QueryClient()
})

const gone = (kind: 'update' | 'delete' = 'delete') =>
  purgeGoneMembersFromCache(client, [
    { collection: 'users', kind, document: { $id: 'iria' } } as CollectionChange,
  ])

test("BLK-19 a hidden member's rows leave posts, people and members, and other rows stay", () => {
  client.setQueryData(postQueryKeys.feed, pages(post('one', iria), post('two', bea)))
  client.setQueryData(peopleQueryKeys.home, { documents: [iria, bea], next: null })
  client.setQueryData(peopleQueryKeys.search('i'), [iria, bea])
  client.setQueryData(
    groupQueryKeys.members('group'),
    pages({ $id: 'm1', user: iria }, { $id: 'm2', user: bea }),
  )
  gone()
  expect(client.getQueryData(postQueryKeys.feed)).toEqual(pages(post('two', bea)))
  expect(client.getQueryData(peopleQueryKeys.home)).toEqual({ documents: [bea], next: null })
  expect(client.getQueryData(peopleQueryKeys.search('i'))).toEqual([bea])
  expect(client.getQueryData(groupQueryKeys.members('group'))).toEqual(pages({ $id: 'm2', user: bea }))
})

test('BLK-19 NOT-06 notifications with a hidden member leave the list, and the list and its counts reload', () => {
  const list = notificationQueryKeys.list('all')
  client.setQueryData(
    list,
    pages({ $id: 'n1', people: [bea, iria], count: 3 }, { $id: 'n2', people: [bea], count: 1 }),
  )
  client.setQueryData(notificationQueryKeys.counts, { unseen: 2, unread: 2, requests: 0 })
  gone()
  expect(client.getQueryData(list)).toEqual(pages({ $id: 'n2', people: [bea], count: 1 }))
  for (const key of [list, notificationQueryKeys.counts])
    expect(client.getQueryState(key)?.isInvalidated).toBe(true)
})

test('BLK-19 data about only the hidden member is dropped: her profile, its lists and her posts', () => {
  const keys = [
    peopleQueryKeys.one('iria'),
    peopleQueryKeys.followers('iria'),
    postQueryKeys.byPerson('iria'),
    postQueryKeys.related('iria', 'x'),
  ]
  for (const key of keys) client.setQueryData(key, pages(post('x', bea)))
  client.setQueryData(postQueryKeys.one('one'), post('one', iria))
  client.setQueryData(postQueryKeys.one('two'), post('two', bea))
  gone()
  for (const key of [...keys, postQueryKeys.one('one')]) expect(client.getQueryData(key)).toBeUndefined()
  expect(client.getQueryData(postQueryKeys.one('two'))).toEqual(post('two', bea))
})

test('BLK-16 the conversation with a hidden member stays with its messages, closed and without her picture', () => {
  const conversation = { $id: 'talk', other: { ...iria, visible: true }, can: { write: true, block: true } }
  const messages = { messages: [{ $id: 'm', senderId: 'iria' }] }
  client.setQueryData(chatQueryKeys.list, [conversation])
  client.setQueryData(chatQueryKeys.one('talk'), conversation)
  client.setQueryData(chatQueryKeys.messages('talk'), messages)
  gone()
  const closed = {
    $id: 'talk',
    other: { ...iria, imageId: null, visible: false },
    can: { write: false, block: true },
  }
  expect(client.getQueryData(chatQueryKeys.list)).toEqual([closed])
  expect(client.getQueryData(chatQueryKeys.one('talk'))).toEqual(closed)
  expect(client.getQueryState(chatQueryKeys.list)?.isInvalidated).toBe(true)
  expect(client.getQueryData(chatQueryKeys.messages('talk'))).toBe(messages)
  expect(client.getQueryState(chatQueryKeys.messages('talk'))?.isInvalidated).toBe(false)
})

test('BLK-21 hiding a member without cached data causes no reload, and an update of a member removes nothing', () => {
  client.setQueryData(postQueryKeys.feed, pages(post('two', bea)))
  client.setQueryData(chatQueryKeys.unread, 0)
  gone()
  expect(client.getQueryState(postQueryKeys.feed)?.isInvalidated).toBe(false)
  expect(client.getQueryState(chatQueryKeys.unread)?.isInvalidated).toBe(false)
  client.setQueryData(postQueryKeys.feed, pages(post('one', iria)))
  gone('update')
  expect(client.getQueryData(postQueryKeys.feed)).toEqual(pages(post('one', iria)))
})
