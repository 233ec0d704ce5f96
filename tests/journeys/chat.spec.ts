import type { Locator, Page } from '@playwright/test'
import {
  locateConversationRow,
  locateMessageBubble,
  locateMessageInput,
  locateSendButton,
  openConversationPage,
  openConversationViaApi,
  sendMessageViaApi,
} from './chat-steps.ts'
import { expect, test } from './fixtures.ts'
import { followMemberViaApi } from './post-steps.ts'

const badge = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByText('unread conversations:')

test('CHAT-14 CHAT-17 a row tells who, what and when; a dot until it is opened @quick', async ({
  member,
  signedUp,
}) => {
  const [ana, bea, carla] = [await signedUp('ana'), await member('Bea Ortiz'), await member('carla')]
  const withBea = await openConversationViaApi(ana, bea)
  await sendMessageViaApi(bea, withBea, '¿Nos vemos el domingo?')
  await sendMessageViaApi(ana, await openConversationViaApi(ana, carla), 'Hola, carla')
  const { page } = ana
  await page.goto('/chat')
  const unread = locateConversationRow(page, 'Bea Ortiz')
  await expect(unread).toContainText('¿Nos vemos el domingo?')
  await expect(unread).toContainText('Just now')
  await expect(unread.getByText('Unread')).toBeAttached()
  await expect(unread.locator('[data-generated="BO"]')).toBeVisible()
  await expect(locateConversationRow(page, 'carla')).toContainText('You: Hola, carla')
  await expect(locateConversationRow(page, 'carla').getByText('Unread')).toHaveCount(0)
  await expect(badge(page)).toHaveText('unread conversations: 1')
  await unread.getByRole('link').click()
  await expect(page).toHaveURL(`/chat/${withBea}`)
  await expect(locateMessageBubble(page, 'domingo')).toBeVisible()
  await expect(unread.getByText('Unread')).toHaveCount(0)
  await expect(badge(page)).toHaveCount(0)
  await page.reload()
  await expect(locateConversationRow(page, 'carla')).toBeVisible()
  await expect(unread.getByText('Unread')).toHaveCount(0)
})

test('PROF-11 PROF-12 USR-07 USR-09 CHAT-25 a Chat button on her profile and her card, never on one’s own', async ({
  member,
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  const talk = await openConversationViaApi(bea, ana)
  const { page } = ana
  await page.goto(`/profile/${bea.$id}`)
  await page.getByRole('button', { name: 'Chat with bea' }).click()
  await expect(page).toHaveURL(`/chat?conversation=${talk}`)

  await page.goto('/all-users')
  const cards = page.getByRole('main').getByRole('listitem')
  await cards
    .filter({ hasText: `@${bea.username}` })
    .getByRole('button', { name: 'Chat with bea' })
    .click()
  await expect(page).toHaveURL(`/chat?conversation=${talk}`)

  await page.goto('/all-users')
  const own = cards.filter({ hasText: `@${ana.username}` })
  await expect(own).toBeVisible()
  await expect(own.getByRole('button', { name: /Chat/ })).toHaveCount(0)
  await page.goto(`/profile/${ana.$id}`)
  await expect(page.getByRole('link', { name: 'Edit Profile' })).toBeVisible()
  await expect(page.getByRole('button', { name: /Follow|Chat/ })).toHaveCount(0)
  const refused = await ana.request.post('/v1/conversations', { data: { personId: ana.$id } })
  expect(refused.status()).toBe(400)
})

test('with the keyboard of a phone open, the box stands above it and the newest message in sight @phone', async ({
  member,
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  const talk = await openConversationViaApi(ana, bea)
  await followMemberViaApi(ana, bea)
  for (let number = 1; number <= 20; number++) await sendMessageViaApi(bea, talk, `Mensaje ${number}.`)
  // A test has no keyboard: this is how a browser tells of one that covers the page.
  await ana.page.addInitScript(() => {
    const seen = Object.assign(new EventTarget(), { scale: 1, offsetTop: 0, height: innerHeight })
    Object.defineProperty(window, 'visualViewport', { value: seen })
    addEventListener('keyboard', () => {
      seen.height = innerHeight - 300
      seen.dispatchEvent(new Event('resize'))
    })
  })
  const page = await openConversationPage(ana, talk)
  await expect(locateMessageBubble(page, 'Mensaje 20.')).toBeInViewport()
  const bottomOf = async (part: Locator) => {
    const place = await part.boundingBox()
    return (place?.y ?? 0) + (place?.height ?? 0)
  }
  await page.evaluate(() => dispatchEvent(new Event('keyboard')))
  await expect.poll(() => bottomOf(locateMessageInput(page))).toBeLessThanOrEqual(844 - 300)
  const last = locateMessageBubble(page, 'Mensaje 20.')
  await expect
    .poll(async () => (await bottomOf(last)) < ((await locateMessageInput(page).boundingBox())?.y ?? 0))
    .toBe(true)
})

test('CHAT-33 on a phone no keyboard opens by itself, and a tap on Send keeps it open @phone', async ({
  member,
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  const page = await openConversationPage(ana, await openConversationViaApi(ana, bea))
  const bar = page.getByRole('navigation', { name: 'Main' })
  await expect(locateMessageInput(page)).not.toBeFocused()
  await locateMessageInput(page).tap()
  await expect(bar).toBeHidden()
  await page.keyboard.type('Hola, bea')
  await locateSendButton(page).tap()
  await expect(locateMessageBubble(page, 'Hola, bea')).toBeVisible()
  await expect(locateMessageInput(page)).toHaveValue('')
  await expect(locateMessageInput(page)).toBeFocused()
  await expect(bar).toBeHidden()
})
