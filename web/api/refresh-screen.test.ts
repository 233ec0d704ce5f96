import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { refreshScreen } from './refresh-screen.ts'

test('NAV-15 refreshing reloads only the current screen, and reloads a long list from its first page', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  const asked: unknown[] = []
  const answer = (what: unknown) => {
    asked.push(what)
    return Promise.resolve({ documents: [], next: null })
  }
  client.setQueryData(['posts', 'feed'], {
    pages: [{ next: 'a' }, { next: null }],
    pageParams: [undefined, 'a'],
  })
  client.setQueryData(['posts', 'saved'], { pages: [{ next: null }], pageParams: [undefined] })
  client.setQueryData(['me'], { $id: 'ana' })
  const feed = new InfiniteQueryObserver(client, {
    queryKey: ['posts', 'feed'],
    queryFn: ({ pageParam }) => answer(['feed', pageParam]),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  })
  const me = new QueryObserver(client, { queryKey: ['me'], queryFn: () => answer('me') })
  const stops = [feed.subscribe(() => {}), me.subscribe(() => {})]
  await refreshScreen(client)
  expect(asked).toEqual([['feed', undefined]])
  expect(client.getQueryData(['posts', 'feed'])).toMatchObject({ pages: [{ documents: [] }] })
  for (const stop of stops) stop()
})
