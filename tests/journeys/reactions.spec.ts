/** Reacting to a message with one of six. */
import type { Page } from '@playwright/test'
import { findAxeProblems } from './axe-steps.ts'
import {
  locateConversationRow,
  locateMessageBubble,
  openConversationPage,
  openConversationViaApi,
  sendMessageViaApi,
} from './chat-steps.ts'
import { expect, fulfillWithServerError, type JourneyMemberWithPage, test, toastRegion } from './fixtures.ts'

const names = ['Love', 'Laugh', 'Wow', 'Sad', 'Applause', 'Thank you']
const choice = (page: Page, name: string) => page.getByRole('menuitemradio', { name, exact: true })
const chip = (page: Page, text: string, name: string) =>
  locateMessageBubble(page, text).getByRole('button', { name, exact: true })

async function two(signedUp: (name: string) => Promise<JourneyMemberWithPage>) {
  const [ana, bea] = [await signedUp('ana'), await signedUp('Bea Ruiz')]
  return { ana, bea, talk: await openConversationViaApi(ana, bea) }
}

async function openReactions(page: Page, text: string) {
  const bubble = locateMessageBubble(page, text)
  await bubble.hover()
  await bubble.getByRole('button', { name: 'React', exact: true }).click()
  await expect(choice(page, 'Love')).toBeFocused()
}

test('REACT-01 REACT-02 REACT-03 by mouse ana reacts, changes it and takes it back, and both see it @quick', async ({
  signedUp,
}) => {
  const { ana, bea, talk } = await two(signedUp)
  await sendMessageViaApi(bea, talk, 'salió del horno')
  const page = await openConversationPage(ana, talk)
  await openConversationPage(bea, talk)
  await openReactions(page, 'salió')
  for (const name of names) await expect(choice(page, name)).toBeVisible()
  await expect(page.getByRole('menuitemradio')).toHaveCount(6)
  expect(await findAxeProblems(page)).toEqual([])
  await choice(page, 'Love').click()
  await expect(chip(page, 'salió', 'Love, 1, yours')).toBeVisible()
  await expect(chip(bea.page, 'salió', 'Love, 1')).toBeVisible()

  await chip(bea.page, 'salió', 'Love, 1').click()
  for (const reader of [page, bea.page])
    await expect(chip(reader, 'salió', 'Love, 2, yours')).toContainText('2')
  expect(await findAxeProblems(page)).toEqual([])

  await locateMessageBubble(page, 'salió').hover()
  await locateMessageBubble(page, 'salió').getByRole('button', { name: 'React', exact: true }).click()
  await expect(choice(page, 'Love')).toHaveAttribute('aria-checked', 'true')
  await choice(page, 'Applause').click()
  await expect(chip(page, 'salió', 'Applause, 1, yours')).toBeVisible()
  await expect(chip(bea.page, 'salió', 'Applause, 1')).toBeVisible()
  await expect(chip(bea.page, 'salió', 'Love, 1, yours')).toBeVisible()
  await chip(page, 'salió', 'Applause, 1, yours').click()
  for (const reader of [page, bea.page])
    await expect(locateMessageBubble(reader, 'salió')).not.toContainText('👏')
  await page.reload()
  await expect(chip(page, 'salió', 'Love, 1')).toBeVisible()
})

test('REACT-01 by keyboard from the menu, and a reaction that fails is put back', async ({ signedUp }) => {
  const { ana, bea, talk } = await two(signedUp)
  await sendMessageViaApi(bea, talk, 'hola')
  // Before the page opens: a route that is set in the moment before a request may come too late for it.
  await ana.page.route('**/v1/messages/*/reaction', fulfillWithServerError, { times: 1 })
  const page = await openConversationPage(ana, talk)
  await locateMessageBubble(page, 'hola').getByRole('button', { name: 'Message options' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'React', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(choice(page, 'Love')).toBeFocused()
  for (const [key, name] of [
    ['ArrowRight', 'Laugh'],
    ['End', 'Thank you'],
    ['ArrowRight', 'Love'],
    ['ArrowLeft', 'Thank you'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(choice(page, name)).toBeFocused()
  }
  await page.keyboard.press('Enter')
  await expect(toastRegion(page)).toContainText('Something went wrong. Please try again.')
  await expect(locateMessageBubble(page, 'hola')).not.toContainText('🙏')
  await openReactions(page, 'hola')
  await page.keyboard.press('Escape')
  await expect(choice(page, 'Love')).toHaveCount(0)
})

test('REACT-04 an unsent message has no reaction, and the row of the list stays as it is', async ({
  signedUp,
}) => {
  const { ana, bea, talk } = await two(signedUp)
  const said = await sendMessageViaApi(bea, talk, 'ojalá no')
  const page = await openConversationPage(ana, talk)
  await openReactions(page, 'ojalá')
  await choice(page, 'Sad').click()
  await expect(chip(page, 'ojalá', 'Sad, 1, yours')).toBeVisible()
  await bea.page.goto('/chat')
  await expect(locateConversationRow(bea.page, 'ana')).toContainText('You: ojalá no')
  await expect(locateConversationRow(bea.page, 'ana')).not.toContainText('Unread')
  expect((await bea.request.delete(`/v1/messages/${said}`)).status()).toBe(200)
  await expect(locateMessageBubble(page, 'Message unsent')).toBeVisible()
  await expect(locateMessageBubble(page, 'Message unsent').getByRole('button')).toHaveCount(0)
})

test('REACT-01 a finger that rests on a bubble opens them @phone', async ({ signedUp }) => {
  const { ana, bea, talk } = await two(signedUp)
  await sendMessageViaApi(bea, talk, 'descansa')
  const page = await openConversationPage(ana, talk)
  await expect(locateMessageBubble(page, 'descansa').getByRole('button', { name: 'React' })).toBeHidden()
  await locateMessageBubble(page, 'descansa')
    .getByText('descansa', { exact: true })
    .evaluate((words) => {
      const { left, top } = words.getBoundingClientRect()
      const touch = new Touch({ identifier: 1, target: words, clientX: left + 4, clientY: top + 4 })
      words.dispatchEvent(
        new TouchEvent('touchstart', { bubbles: true, touches: [touch], changedTouches: [touch] }),
      )
    })
  await choice(page, 'Wow').tap()
  await expect(chip(page, 'descansa', 'Wow, 1, yours')).toBeVisible()
})
