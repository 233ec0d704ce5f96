import { QueryClient } from '@tanstack/react-query'
import { describe, expect, test } from 'vitest'
import type { Post } from '#contract/posts/posts.ts'
import { postQueryKeys } from '#web/api/query-keys.ts'
import { findCachedPost, patchCachedPost, removePostFromCachedLists } from './post-cache.ts'

const post = (id: string) => ({ $id: id, likeCount: 1, liked: false }) as Post

function cacheOfLists() {
  const client = new QueryClient()
  client.setQueryData(postQueryKeys.search('p'), { documents: [post('p1'), post('p2')] })
  client.setQueryData(postQueryKeys.explore, {
    pages: [
      { documents: [post('p2')], next: 'p2' },
      { documents: [post('p1')], next: null },
    ],
    pageParams: [undefined, 'p2'],
  })
  client.setQueryData(postQueryKeys.one('p1'), post('p1'))
  return client
}

const all = (client: QueryClient) =>
  JSON.stringify(client.getQueriesData({ queryKey: postQueryKeys.all }).map(([, cached]) => cached))

describe('a post cached in many lists', () => {
  test('CACHE-06 LIKE-02 a change updates the post in every list, and other posts stay unchanged', () => {
    const client = cacheOfLists()
    patchCachedPost(client, 'p1', ({ likeCount }) => ({ liked: true, likeCount: likeCount + 1 }))
    expect(all(client).match(/"likeCount":2,"liked":true/g)).toHaveLength(3)
    expect(all(client).match(/"likeCount":1,"liked":false/g)).toHaveLength(2)
  })

  test('PDET-11 a deleted post leaves every list, and paging continues unchanged', () => {
    const client = cacheOfLists()
    removePostFromCachedLists(client, postQueryKeys.all, 'p1')
    client.removeQueries({ queryKey: postQueryKeys.one('p1') })
    expect(all(client)).not.toContain('p1')
    expect(client.getQueryData(postQueryKeys.explore)).toMatchObject({
      pages: [{ next: 'p2' }, { documents: [], next: null }],
      pageParams: [undefined, 'p2'],
    })
  })

  test('CACHE-06 updating a cached post neither marks a stale list as fresh nor cancels its reload', async () => {
    const client = cacheOfLists()
    client.setQueryData(postQueryKeys.saved, { pages: [{ documents: [], next: null }] }, { updatedAt: 5 })
    await client.invalidateQueries({ queryKey: postQueryKeys.explore })
    patchCachedPost(client, 'p1', () => ({ liked: true }))
    expect(client.getQueryState(postQueryKeys.saved)?.dataUpdatedAt).toBe(5)
    expect(client.getQueryState(postQueryKeys.explore)?.dataUpdatedAt).toBe(0)
  })

  test('a post is found in any list', () => {
    const client = cacheOfLists()
    expect(findCachedPost(client, 'p2')?.$id).toBe('p2')
    expect(findCachedPost(client, 'p9')).toBeUndefined()
  })
})
