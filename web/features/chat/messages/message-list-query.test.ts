import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { chatQueryKeys } from '#web/api/query-keys.ts'
import { loadOlderMessages, trimOlderMessages } from './message-list-query.ts'

test('CMSG-19 loading older messages does not skip messages that are loaded but not shown yet', async () => {
  const queryClient = new QueryClient()
  const arrived = { messages: [{ $id: 'older' }, { $id: 'drawn' }], hasOlder: true }
  queryClient.setQueryData(chatQueryKeys.messages('c1'), arrived)
  await loadOlderMessages(queryClient, 'c1', 'drawn')
  expect(queryClient.getQueryData(chatQueryKeys.messages('c1'))).toEqual(arrived)
  await expect(loadOlderMessages(queryClient, 'c1', 'older')).rejects.toThrow()
})

test('after a long scroll back, only the newest messages stay in memory, and scrolling up loads the older ones again', () => {
  const queryClient = new QueryClient()
  const key = chatQueryKeys.messages('c1')
  const thread = (count: number) => ({
    messages: Array.from({ length: count }, (_, number) => ({ $id: `m${number}` })),
    hasOlder: false,
  })
  for (const [count, left] of [
    [400, 400],
    [401, 100],
  ] as const) {
    queryClient.setQueryData(key, thread(count))
    trimOlderMessages(queryClient, 'c1')
    const after = queryClient.getQueryData<ReturnType<typeof thread>>(key)
    expect(after?.messages).toEqual(thread(count).messages.slice(-left))
    expect(after?.hasOlder).toBe(left < count)
  }
})
