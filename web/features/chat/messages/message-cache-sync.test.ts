import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { Message } from '#contract/chat/messages.ts'
import { setupBrowserWithServer } from '#tests/support/browser-globals.ts'
import { cacheMessage, markMessageListsStale } from './message-cache-sync.ts'
import { messageListQuery } from './message-list-query.ts'

const at = setupBrowserWithServer()

const message = (number: number): Message => ({
  $id: `m${number}`,
  $createdAt: new Date(Date.UTC(2026, 0, 1, 12, 0, number)).toISOString(),
  conversationId: 'c',
  senderId: 'ana',
  content: `Número ${number}`,
  photos: [],
  shared: null,
  type: 'text',
  readBy: ['ana'],
  replyTo: null,
  reactions: [],
  unsentAt: null,
})

function threadOnScreen() {
  const asked: ((newestFirst: Message[]) => void)[] = []
  at.answer = (_, response) => {
    asked.push((documents) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ documents, more: false }))
    })
  }
  const queryClient = new QueryClient()
  const observer = new QueryObserver(queryClient, messageListQuery('c'))
  observer.subscribe(() => {})
  const shown = () => observer.getCurrentResult().data?.messages.map(({ $id }) => $id)
  return { queryClient, asked, shown }
}

test('RT-03 a message that arrives while the list first loads is kept', async () => {
  const { queryClient, asked, shown } = threadOnScreen()
  await expect.poll(() => asked.length).toBe(1)
  cacheMessage(queryClient, message(2))
  expect(shown()).toBeUndefined()
  asked[0]?.([message(1)])
  await expect.poll(shown).toEqual(['m1', 'm2'])
})

test('RT-03 a message that arrives while the list reloads is kept', async () => {
  const { queryClient, asked, shown } = threadOnScreen()
  await expect.poll(() => asked.length).toBe(1)
  asked[0]?.([message(1)])
  await expect.poll(shown).toEqual(['m1'])
  const again = queryClient.invalidateQueries()
  await expect.poll(() => asked.length).toBe(2)
  cacheMessage(queryClient, message(3))
  asked[1]?.([message(2), message(1)])
  await again
  expect(shown()).toEqual(['m1', 'm2', 'm3'])
})

test('RT-12 after a gap, a reload drops the older loaded messages', async () => {
  const { queryClient, asked, shown } = threadOnScreen()
  await expect.poll(() => asked.length).toBe(1)
  asked[0]?.([message(2), message(1)])
  await expect.poll(shown).toEqual(['m1', 'm2'])
  markMessageListsStale(queryClient)
  cacheMessage(queryClient, message(9))
  const again = queryClient.invalidateQueries()
  await expect.poll(() => asked.length).toBe(2)
  asked[1]?.([message(9)])
  await again
  expect(shown()).toEqual(['m9'])
})
