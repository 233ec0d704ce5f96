import type { Page } from '@playwright/test'
import {
  locateConversationRow,
  locateMessageBubble,
  openConversationViaApi,
  sendMessageViaApi,
} from './chat-steps.ts'
import { expect, type JourneyMemberWithPage, openPageWithSocket, test } from './fixtures.ts'

const badge = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByText('unread conversations:')

async function talking(signedUp: (name: string) => Promise<JourneyMemberWithPage>) {
  const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
  return { ana, bea, conversation: await openConversationViaApi(ana, bea) }
}

test('CHAT-30 two tabs share one socket, a conversation read in one tab is read in both, and signing out signs out both @quick', async ({
  signedUp,
}) => {
  const { ana, bea, conversation } = await talking(signedUp)
  await openPageWithSocket(ana.page, '/chat')
  const second = await ana.context.newPage()
  let sockets = 0
  second.on('websocket', () => {
    sockets += 1
  })
  await second.goto('/saved')
  await sendMessageViaApi(bea, conversation, 'léeme')
  await expect(badge(ana.page)).toHaveText('unread conversations: 1')
  await expect(locateConversationRow(ana.page, 'bea').getByText('Unread')).toBeAttached()
  await second.bringToFront()
  await second.goto(`/chat/${conversation}`)
  await expect(locateMessageBubble(second, 'léeme')).toBeVisible()
  await expect(badge(ana.page)).toHaveCount(0)
  await expect(locateConversationRow(ana.page, 'bea').getByText('Unread')).toHaveCount(0)
  expect(sockets).toBe(0)
  await ana.page.close()
  await sendMessageViaApi(bea, conversation, 'y otra más')
  await expect(locateMessageBubble(second, 'y otra más')).toBeVisible()
  await expect.poll(() => sockets).toBe(1)

  const third = await ana.context.newPage()
  await third.goto('/saved')
  await third.getByRole('button', { name: 'Logout' }).click()
  await expect(third).toHaveURL('/sign-in')
  await expect(second).toHaveURL('/sign-in')
})

test('RT-11 after the server refuses a socket with 1008, the page does not reconnect until ana reloads it', async ({
  signedUp,
}) => {
  const { ana, conversation } = await talking(signedUp)
  const { page } = ana
  let opened = 0
  await page.routeWebSocket('**/v1/live', (route) => {
    opened += 1
    route.send(JSON.stringify({ type: 'error', data: { code: 1008, message: 'Go away' } }))
    void route.close({ code: 3000 })
  })
  await page.clock.install()
  await page.goto(`/chat/${conversation}`)
  await expect(page.getByText('Live updates stopped.')).toBeVisible()
  await page.clock.runFor(10_000)
  expect(opened).toBe(1)
  await page.getByRole('button', { name: 'Reload the page' }).click()
  await expect.poll(() => opened).toBe(2)
})
