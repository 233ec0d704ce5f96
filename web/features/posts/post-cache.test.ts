import { QueryClient } from '@tanstack/react-query'
import { describe, expect, test } from 'vitest'
import type { Post } from '#contract/posts.ts'
import { dropPost, findPost, patchPost } from './post-cache.ts'
import { postKeys } from './queries.ts'

const post = (id: string) => ({ $id: id, likeCount: 1, liked: false }) as Post

/** P1 in all the shapes that the cache holds posts in, P2 beside it. */
function cacheOfLists() {
  const client = new QueryClient()
  client.setQueryData(postKeys.feed, { documents: [post('p1'), post('p2')] })
  client.setQueryData(postKeys.explore, {
    pages: [
      { documents: [post('p2')], next: 'p2' },
      { documents: [post('p1')], next: null },
    ],
    pageParams: [undefined, 'p2'],
  })
  client.setQueryData(postKeys.one('p1'), post('p1'))
  return client
}

const all = (client: QueryClient) =>
  JSON.stringify(client.getQueriesData({ queryKey: postKeys.all }).map(([, cached]) => cached))

describe('one post in many lists', () => {
  test('CACHE-06 LIKE-02 changes in all of them, and the others stay', () => {
    const client = cacheOfLists()
    patchPost(client, 'p1', ({ likeCount }) => ({ liked: true, likeCount: likeCount + 1 }))
    expect(all(client).match(/"likeCount":2,"liked":true/g)).toHaveLength(3)
    expect(all(client).match(/"likeCount":1,"liked":false/g)).toHaveLength(2)
  })

  test('PDET-11 is taken out of every list, and its pages go on where they did', () => {
    const client = cacheOfLists()
    dropPost(client, postKeys.all, 'p1')
    client.removeQueries({ queryKey: postKeys.one('p1') })
    expect(all(client)).not.toContain('p1')
    expect(client.getQueryData(postKeys.explore)).toMatchObject({
      pages: [{ next: 'p2' }, { documents: [], next: null }],
      pageParams: [undefined, 'p2'],
    })
  })

  test('CACHE-06 makes no list newer than it was, and what is to be asked for again is so still', async () => {
    const client = cacheOfLists()
    client.setQueryData(postKeys.saved, { pages: [{ documents: [], next: null }] }, { updatedAt: 5 })
    await client.invalidateQueries({ queryKey: postKeys.explore })
    patchPost(client, 'p1', () => ({ liked: true }))
    expect(client.getQueryState(postKeys.saved)?.dataUpdatedAt).toBe(5)
    expect(client.getQueryState(postKeys.explore)?.dataUpdatedAt).toBe(0)
  })

  test('is found wherever it stands', () => {
    const client = cacheOfLists()
    expect(findPost(client, 'p2')?.$id).toBe('p2')
    expect(findPost(client, 'p9')).toBeUndefined()
  })
})
