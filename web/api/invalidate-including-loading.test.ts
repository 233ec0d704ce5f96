import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { invalidateQueriesIncludingLoading } from './invalidate-including-loading.ts'

test('CACHE-06 invalidating a query that is loading for the first time requests it once more', async () => {
  const queryClient = new QueryClient()
  const asked: ((answer: string) => void)[] = []
  const queryFn = () => new Promise<string>((answer) => asked.push(answer))
  const observer = new QueryObserver(queryClient, { queryKey: ['unread'], queryFn })
  observer.subscribe(() => {})
  expect(asked).toHaveLength(1)
  const again = invalidateQueriesIncludingLoading(queryClient, ['unread'])
  asked[0]?.('before the change')
  await expect.poll(() => asked.length).toBe(2)
  asked[1]?.('after it')
  await again
  expect(observer.getCurrentResult().data).toBe('after it')

  const once = invalidateQueriesIncludingLoading(queryClient, ['unread'])
  expect(asked).toHaveLength(3)
  asked[2]?.('later')
  await once
  expect(asked).toHaveLength(3)
})

test('CACHE-06 a page that loads ahead of a link’s click, while its data changes, loads again when it opens', async () => {
  const queryClient = new QueryClient()
  const loading = Promise.withResolvers<string>()
  const options = { queryKey: ['groups', 'one'], staleTime: Number.POSITIVE_INFINITY }
  const ahead = queryClient.prefetchQuery({ ...options, queryFn: () => loading.promise })
  const invalidated = invalidateQueriesIncludingLoading(queryClient, ['groups'])
  loading.resolve('before the change')
  await Promise.all([ahead, invalidated])
  expect(queryClient.getQueryState(options.queryKey)).toMatchObject({ isInvalidated: true })
})
