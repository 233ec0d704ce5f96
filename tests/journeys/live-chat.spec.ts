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
  return { ana, bea, talk: await openConversationViaApi(ana, bea) }
}

test('CHAT-30 two tabs share one socket, a conversation read in one is read in the other, and signing out ends both @quick', async ({
  signedUp,
}) => {
  const { ana, bea, talk } = await talking(signedUp)
  await openPageWithSocket(ana.page, '/chat')
  const second = await ana.context.newPage()
  let sockets = 0
  second.on('websocket', () => {
    sockets += 1
  })
  await second.goto('/saved')
  await sendMessageViaApi(bea, talk, 'léeme')
  await expect(badge(ana.page)).toHaveText('unread conversations: 1')
  await expect(locateConversationRow(ana.page, 'bea').getByText('Unread')).toBeAttached()
  await second.bringToFront()
  await second.goto(`/chat/${talk}`)
  await expect(locateMessageBubble(second, 'léeme')).toBeVisible()
  await expect(badge(ana.page)).toHaveCount(0)
  await expect(locateConversationRow(ana.page, 'bea').getByText('Unread')).toHaveCount(0)
  expect(sockets).toBe(0)
  await ana.page.close()
  await sendMessageViaApi(bea, talk, 'y otra más')
  await expect(locateMessageBubble(second, 'y otra más')).toBeVisible()
  await expect.poll(() => sockets).toBe(1)

  const third = await ana.context.newPage()
  await third.goto('/saved')
  await third.getByRole('button', { name: 'Logout' }).click()
  await expect(third).toHaveURL('/sign-in')
  await expect(second).toHaveURL('/sign-in')
})
