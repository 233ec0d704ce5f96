import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { canChatWith, chatKeys, forgetOlder, loadOlder } from './queries.ts'

test('CHAT-28 USR-09 a chat begins with nobody while it is not known who asks, and never with herself', () => {
  expect(canChatWith(undefined, 'bea')).toBe(false)
  expect(canChatWith({ $id: '' }, 'bea')).toBe(false)
  expect(canChatWith({ $id: 'ana' }, 'ana')).toBe(false)
  expect(canChatWith({ $id: 'ana' }, 'bea')).toBe(true)
})

test('CACHE-05 conversations, messages and the unread count have keys of their own', () => {
  expect(chatKeys.list).toEqual(['conversations', 'list'])
  expect(chatKeys.unread).toEqual(['conversations', 'unread'])
  expect(chatKeys.messages('c1')).toEqual(['messages', 'c1'])
})

test('CMSG-19 older messages that arrived and are not drawn yet are not asked past', async () => {
  const queryClient = new QueryClient()
  const arrived = { messages: [{ $id: 'older' }, { $id: 'drawn' }], more: true }
  queryClient.setQueryData(chatKeys.messages('c1'), arrived)
  // There is no server here: a request would be refused.
  await loadOlder(queryClient, 'c1', 'drawn')
  expect(queryClient.getQueryData(chatKeys.messages('c1'))).toEqual(arrived)
  await expect(loadOlder(queryClient, 'c1', 'older')).rejects.toThrow()
})

test('a thread read back through for long is forgotten but for its newest messages, which scrolling up goes on from', () => {
  const queryClient = new QueryClient()
  const key = chatKeys.messages('c1')
  const thread = (count: number) => ({
    messages: Array.from({ length: count }, (_, number) => ({ $id: `m${number}` })),
    more: false,
  })
  for (const [count, left] of [
    [400, 400],
    [401, 100],
  ] as const) {
    queryClient.setQueryData(key, thread(count))
    forgetOlder(queryClient, 'c1')
    const after = queryClient.getQueryData<ReturnType<typeof thread>>(key)
    expect(after?.messages).toEqual(thread(count).messages.slice(-left))
    expect(after?.more).toBe(left < count)
  }
})
