import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { muteQueryKeys, postQueryKeys } from '#web/api/query-keys.ts'
import { purgeMutedPostsFromCache } from './purge-muted-posts.ts'

const post = ($id: string, creator: string) => ({ $id, creator: { $id: creator } })
const pages = (...documents: unknown[]) => ({ pages: [{ documents, next: null }], pageParams: [undefined] })

test('MUTE-02 a muted member’s posts leave the loaded feeds, but stay on her profile, in groups, in Saved and on their pages', () => {
  const client = new QueryClient()
  const [hers, other] = [post('one', 'iria'), post('two', 'bea')]
  const quietened = [
    postQueryKeys.feed,
    postQueryKeys.exploreFrom('everyone'),
    postQueryKeys.ofTag('mar'),
    postQueryKeys.exploreFrom('groups'),
  ]
  const unchanged = [postQueryKeys.byPerson('iria'), postQueryKeys.ofGroup('knit'), postQueryKeys.saved]
  for (const key of [...quietened, ...unchanged]) client.setQueryData(key, pages(hers, other))
  client.setQueryData(postQueryKeys.search('mar'), { documents: [hers, other] })
  client.setQueryData(postQueryKeys.one('one'), hers)
  purgeMutedPostsFromCache(client, 'iria')
  for (const key of quietened) {
    expect(client.getQueryData(key)).toEqual(pages(other))
    expect(client.getQueryState(key)?.isInvalidated).toBe(true)
  }
  expect(client.getQueryData(postQueryKeys.search('mar'))).toEqual({ documents: [other] })
  for (const key of unchanged) {
    expect(client.getQueryData(key)).toEqual(pages(hers, other))
    expect(client.getQueryState(key)?.isInvalidated).toBe(false)
  }
  expect(client.getQueryData(postQueryKeys.one('one'))).toEqual(hers)
  expect(client.getQueryData(muteQueryKeys.justMuted)).toEqual(['iria'])
})
