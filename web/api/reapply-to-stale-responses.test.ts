import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { reapplyToStaleResponses } from './reapply-to-stale-responses.ts'

type Page = { liked: boolean }
type Pages = { pages: Page[]; pageParams: number[] }

function openList() {
  const client = new QueryClient()
  const requests: ((page: Page) => void)[] = []
  const queryKey = ['posts', 'feed']
  const observer = new InfiniteQueryObserver(client, {
    queryKey,
    queryFn: () => new Promise<Page>((answer) => requests.push(answer)),
    initialPageParam: 0,
    getNextPageParam: (_, pages) => pages.length,
  })
  observer.subscribe(() => {})
  const like = (liked: boolean) => () =>
    client.setQueryData<Pages>(
      queryKey,
      (list) => list && { ...list, pages: list.pages.map((page, n) => (n === 0 ? { liked } : page)) },
    )
  const shown = () => client.getQueryData<Pages>(queryKey)?.pages.map(({ liked }) => liked)
  const answer = async (n: number) => {
    const received = new Promise<void>((resolve) => {
      client.getQueryCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'success' && !event.action.manual) resolve()
      })
    })
    requests[n]?.({ liked: false })
    await received
  }
  return { client, observer, requests, like, shown, answer }
}

test('LIKE-02 a page that was requested before a like does not undo the like', async () => {
  const { client, observer, like, shown, answer } = openList()
  await answer(0)
  const next = observer.fetchNextPage()
  const stored = reapplyToStaleResponses(client, 'like p', ['posts'], like(true))
  like(true)()
  stored()
  await answer(1)
  await next
  expect(shown()).toEqual([true, false])
})

test('LIKE-02 SAV-02 a like and a save are both applied to a late response', async () => {
  const { client, observer, like, shown, answer } = openList()
  await answer(0)
  const next = observer.fetchNextPage()
  let applied = 0
  reapplyToStaleResponses(client, 'like p', ['posts'], like(true))()
  reapplyToStaleResponses(client, 'save p', ['posts'], () => {
    applied += 1
  })()
  await answer(1)
  await next
  expect(shown()).toEqual([true, false])
  expect(applied).toBe(1)
})

test("LIKE-02 a request sent after the change shows the server's state", async () => {
  const { client, observer, requests, like, shown, answer } = openList()
  await answer(0)
  const stored = reapplyToStaleResponses(client, 'like p', ['posts'], like(true))
  like(true)()
  stored()
  const anew = observer.refetch()
  await expect.poll(() => requests.length).toBe(2)
  await answer(1)
  await anew
  expect(shown()).toEqual([false])
})

test('LIKE-11 only the newer of two changes to the same like is applied to a late response', async () => {
  const { client, observer, like, shown, answer } = openList()
  await answer(0)
  const next = observer.fetchNextPage()
  reapplyToStaleResponses(client, 'like p', ['posts'], like(true))()
  reapplyToStaleResponses(client, 'like p', ['posts'], like(false))()
  await answer(1)
  await next
  expect(shown()).toEqual([false, false])
})

test('LIKE-02 after a failed response a change is no longer reapplied', async () => {
  const client = new QueryClient()
  const { promise, reject } = Promise.withResolvers<never>()
  const failing = client.fetchQuery({ queryKey: ['posts', 'one'], queryFn: () => promise, retry: false })
  let applied = 0
  reapplyToStaleResponses(client, 'like p', ['posts'], () => {
    applied += 1
  })()
  reject(new Error('no'))
  await expect(failing).rejects.toThrow('no')
  await client.fetchQuery({ queryKey: ['posts', 'one'], queryFn: () => true })
  expect(applied).toBe(0)
})
