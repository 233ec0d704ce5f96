import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import { socketCloseCodes } from '#contract/realtime/socket-close-codes.ts'
import {
  bubble,
  conversationWith,
  messageList,
  messagesFrom,
  openConversation,
} from '#tests/support/component/chat.ts'
import { acceptSockets, countSockets, refuseSockets } from '#tests/support/component/live-socket.ts'
import { api } from '#tests/support/component/open-app.tsx'

const reconnecting = page.getByText('Reconnecting…')

async function openChat(...texts: string[]) {
  const withBea = conversationWith('Bea')
  const opened = await openConversation(withBea, { messages: messagesFrom(withBea, ...texts), live: true })
  await expect.poll(countSockets).toBe(1)
  return { ...opened, withBea }
}

test('after three seconds without a socket the chat says that it is reconnecting, until it has reconnected', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await openChat('hola')
  await expect.element(bubble('hola')).toBeVisible()
  refuseSockets(socketCloseCodes.restarting)
  vi.advanceTimersByTime(2000)
  await expect.poll(countSockets).toBeGreaterThan(1)
  expect(reconnecting.elements()).toEqual([])
  vi.advanceTimersByTime(1000)
  await expect.element(reconnecting).toBeVisible()
  acceptSockets()
  vi.advanceTimersByTime(5000)
  await expect.element(reconnecting).not.toBeInTheDocument()
})

test('RT-11 after the server refuses a socket with 1008, the chat does not reconnect and offers a reload', async () => {
  await openChat('hola')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  refuseSockets(socketCloseCodes.goAway)
  vi.advanceTimersByTime(10_000)
  vi.useRealTimers()
  await expect.element(page.getByText(/^Live updates stopped\./)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Reload the page' })).toBeVisible()
  expect(countSockets()).toBe(1)
})

test('RT-12 messages sent while the socket was disconnected appear after it reconnects', async () => {
  const { stored, withBea } = await openChat('antes')
  await expect.element(bubble('antes')).toBeVisible()
  const missed = messagesFrom(withBea, ...Array.from({ length: 60 }, (_, n) => `perdido ${n + 1}.`))
  stored.push(...missed)
  api.answer(catchUpOperation, {
    changes: missed.map((document) => ({
      collection: 'messages' as const,
      kind: 'create' as const,
      document,
    })),
    position: '3',
    resync: false,
  })
  refuseSockets(socketCloseCodes.restarting)
  acceptSockets()
  await expect.element(bubble('perdido 60.')).toBeVisible()
  await expect.poll(() => messageList.getByRole('listitem').elements().length).toBe(61)
  expect(countSockets()).toBe(2)
})

test('NAV-18 while offline the chat says that it is waiting for a connection', async () => {
  await openChat('hola')
  api.goOffline()
  await expect.element(page.getByText('Waiting for connection…')).toBeVisible()
  api.goOffline(false)
  await expect.element(page.getByText('Waiting for connection…')).not.toBeInTheDocument()
})
