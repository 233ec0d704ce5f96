/** Taking a message back, for both. */
import type { Page } from '@playwright/test'
import { findAxeProblems } from './axe-steps.ts'
import {
  locateConversationRow,
  locateMessageBubble,
  locateMessageThread,
  openConversationPage,
  openConversationViaApi,
  sendMessageViaApi,
  typeAndSendMessage,
} from './chat-steps.ts'
import { expect, fulfillWithServerError, type JourneyMemberWithPage, test, toastRegion } from './fixtures.ts'

const question = (page: Page) =>
  page.getByRole('alertdialog', { name: 'Unsend this message for both of you?' })
const badge = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByText('unread conversations:')

async function two(signedUp: (name: string) => Promise<JourneyMemberWithPage>) {
  const [ana, bea] = [await signedUp('ana'), await signedUp('Bea Ruiz')]
  return { ana, bea, talk: await openConversationViaApi(ana, bea) }
}

async function openQuestion(page: Page, text: string) {
  const bubble = locateMessageBubble(page, text)
  await bubble.hover()
  await bubble.getByRole('button', { name: 'Message options' }).click()
  await page.getByRole('menuitem', { name: 'Unsend', exact: true }).click()
  await expect(question(page)).toBeVisible()
}

test('UNSEND-01 UNSEND-02 ana unsends a message, and both see that in its place @quick', async ({
  signedUp,
}) => {
  const { ana, bea, talk } = await two(signedUp)
  await sendMessageViaApi(bea, talk, 'de bea')
  await sendMessageViaApi(ana, talk, 'me equivoqué')
  await sendMessageViaApi(ana, talk, 'esto se queda')
  const page = await openConversationPage(ana, talk)
  await openConversationPage(bea, talk)
  await expect(locateMessageBubble(bea.page, 'me equivoqué')).toBeVisible()
  await locateMessageBubble(page, 'de bea').hover()
  await locateMessageBubble(page, 'de bea').getByRole('button', { name: 'Message options' }).click()
  await expect(page.getByRole('menuitem', { name: 'Reply', exact: true })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Unsend', exact: true })).toHaveCount(0)
  await page.keyboard.press('Escape')

  await openQuestion(page, 'me equivoqué')
  await question(page).getByRole('button', { name: 'Keep', exact: true }).click()
  await expect(question(page)).toHaveCount(0)
  await expect(
    locateMessageBubble(page, 'me equivoqué').getByRole('button', { name: 'Message options' }),
  ).toBeFocused()

  await page.route('**/v1/messages/*', fulfillWithServerError, { times: 1 })
  await openQuestion(page, 'me equivoqué')
  await question(page).getByRole('button', { name: 'Unsend', exact: true }).click()
  await expect(toastRegion(page)).toContainText('Something went wrong. Please try again.')
  await expect(locateMessageBubble(page, 'me equivoqué')).toBeVisible()

  await openQuestion(page, 'me equivoqué')
  await question(page).getByRole('button', { name: 'Unsend', exact: true }).click()
  for (const reader of [page, bea.page]) {
    const places = locateMessageThread(reader).getByRole('listitem')
    await expect(places.nth(1)).toContainText('Message unsent')
    await expect(places.nth(1).locator('time')).toBeVisible()
    await expect(places.nth(1).getByRole('button')).toHaveCount(0)
    await expect(places.nth(1).getByRole('img')).toHaveCount(0)
    await expect(places.nth(2)).toContainText('esto se queda')
    await expect(reader.getByText('me equivoqué')).toHaveCount(0)
  }
  await expect(locateMessageThread(page).getByRole('listitem').nth(1)).toBeFocused()
  expect(await findAxeProblems(page)).toEqual([])
  await page.reload()
  await expect(locateMessageBubble(page, 'Message unsent')).toBeVisible()
})

test('UNSEND-04 an unread message is unsent: no dot, the badge goes down, and the row shows what was said before', async ({
  signedUp,
}) => {
  const { ana, bea, talk } = await two(signedUp)
  await sendMessageViaApi(bea, talk, 'hola, ana')
  await bea.page.goto('/chat')
  const page = await openConversationPage(ana, talk)
  await typeAndSendMessage(page, 'olvídalo')
  await expect(locateConversationRow(bea.page, 'ana')).toContainText('olvídalo')
  await expect(locateConversationRow(bea.page, 'ana')).toContainText('Unread')
  await expect(badge(bea.page)).toHaveText('unread conversations: 1')
  await openQuestion(page, 'olvídalo')
  await question(page).getByRole('button', { name: 'Unsend', exact: true }).click()
  await expect(locateConversationRow(bea.page, 'ana')).toContainText('You: hola, ana')
  await expect(locateConversationRow(bea.page, 'ana')).not.toContainText('Unread')
  await expect(badge(bea.page)).toHaveCount(0)
})

test('UNSEND-01 by keyboard alone, and by touch @both', async ({ signedUp, isMobile }) => {
  const { ana, talk } = await two(signedUp)
  await sendMessageViaApi(ana, talk, 'fuera')
  const page = await openConversationPage(ana, talk)
  const options = locateMessageBubble(page, 'fuera').getByRole('button', { name: 'Message options' })
  if (isMobile) {
    await options.tap()
    await page.getByRole('menuitem', { name: 'Unsend', exact: true }).tap()
    await question(page).getByRole('button', { name: 'Unsend', exact: true }).tap()
  } else {
    await options.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Reply', exact: true })).toBeFocused()
    for (const name of ['React', 'Copy text']) {
      await page.keyboard.press('ArrowDown')
      await expect(page.getByRole('menuitem', { name, exact: true })).toBeFocused()
    }
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('menuitem', { name: 'Unsend', exact: true })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(question(page).getByRole('button', { name: 'Keep', exact: true })).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
  }
  await expect(locateMessageBubble(page, 'Message unsent')).toBeVisible()
})
