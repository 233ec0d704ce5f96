/** Answering a message, with what it answers in sight. */
import type { Page } from '@playwright/test'
import { findAxeProblems } from './axe-steps.ts'
import {
  locateMessageBubble,
  locateMessageInput,
  locateMessageThread,
  openConversationPage,
  openConversationViaApi,
  sendMessageViaApi,
  typeAndSendMessage,
} from './chat-steps.ts'
import {
  expect,
  fulfillWithServerError,
  type JourneyMember,
  type JourneyMemberWithPage,
  test,
} from './fixtures.ts'
import { followMemberViaApi } from './post-steps.ts'

const sending = /\/v1\/conversations\/[^/]+\/messages$/
const overTheBox = (page: Page, name: string) => page.getByText(`Reply to ${name}`, { exact: true })
const quoteIn = (page: Page, bubble: string) =>
  locateMessageBubble(page, bubble).getByRole('button', { name: /^Answer to / })

async function two(signedUp: (name: string) => Promise<JourneyMemberWithPage>) {
  const [ana, bea] = [await signedUp('Ana Soto'), await signedUp('Bea Luna')]
  return { ana, bea, talk: await openConversationViaApi(ana, bea) }
}

async function chooseReply(page: Page, text: string) {
  const bubble = locateMessageBubble(page, text)
  await bubble.hover()
  await bubble.getByRole('button', { name: 'Message options' }).click()
  await page.getByRole('menuitem', { name: 'Reply', exact: true }).click()
  await expect(locateMessageInput(page)).toBeFocused()
}

async function answerViaApi(one: JourneyMember, talk: string, content: string, replyTo: string) {
  const answer = await one.request.post(`/v1/conversations/${talk}/messages`, { data: { content, replyTo } })
  expect(answer.status()).toBe(201)
}

test('REPLY-01 REPLY-02 from the menu or by R the message stands over the box, and Escape takes it off', async ({
  signedUp,
}) => {
  const { ana, bea, talk } = await two(signedUp)
  await sendMessageViaApi(bea, talk, '¿La azul?\no la verde')
  const page = await openConversationPage(ana, talk)
  await openConversationPage(bea, talk)
  await chooseReply(page, '¿La azul?')
  await expect(overTheBox(page, 'Bea Luna')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(overTheBox(page, 'Bea Luna')).toHaveCount(0)
  await expect(locateMessageInput(page)).toBeFocused()

  await locateMessageBubble(page, '¿La azul?').getByRole('button', { name: 'Message options' }).focus()
  await page.keyboard.press('r')
  await expect(overTheBox(page, 'Bea Luna')).toBeVisible()
  await expect(locateMessageInput(page)).toBeFocused()
  expect(await findAxeProblems(page)).toEqual([])
  await typeAndSendMessage(page, 'la verde, sin pensarlo')
  await expect(overTheBox(page, 'Bea Luna')).toHaveCount(0)
  await expect(quoteIn(page, 'sin pensarlo')).toContainText('Bea Luna¿La azul?')
  await expect(quoteIn(bea.page, 'sin pensarlo')).toContainText('You¿La azul?')
  await expect(quoteIn(bea.page, 'sin pensarlo')).not.toContainText('o la verde')
})

test('REPLY-01 the quote survives a failed send, and waiting offline', async ({ signedUp }) => {
  const { ana, bea, talk } = await two(signedUp)
  await sendMessageViaApi(bea, talk, 'la pregunta')
  const page = await openConversationPage(ana, talk)
  await page.route(sending, (route) =>
    route.request().method() === 'POST' ? fulfillWithServerError(route) : route.fallback(),
  )
  await chooseReply(page, 'la pregunta')
  await typeAndSendMessage(page, 'respuesta fallida')
  await expect(locateMessageBubble(page, 'respuesta fallida')).toContainText('Not sent')
  await expect(quoteIn(page, 'respuesta fallida')).toContainText('la pregunta')
  await expect(overTheBox(page, 'Bea Luna')).toBeVisible()
  await page.unroute(sending)
  await locateMessageBubble(page, 'respuesta fallida').getByRole('button', { name: 'Try again' }).click()
  await expect(
    locateMessageBubble(page, 'respuesta fallida').getByRole('img', { name: 'Delivered' }),
  ).toBeVisible()
  await expect(quoteIn(page, 'respuesta fallida')).toContainText('la pregunta')
  await expect(overTheBox(page, 'Bea Luna')).toHaveCount(0)

  await ana.context.setOffline(true)
  await chooseReply(page, 'respuesta fallida')
  await expect(overTheBox(page, 'yourself')).toBeVisible()
  await typeAndSendMessage(page, 'desde el túnel')
  await expect(locateMessageBubble(page, 'desde el túnel')).toContainText('Waiting')
  await ana.context.setOffline(false)
  await expect(
    locateMessageBubble(page, 'desde el túnel').getByRole('img', { name: 'Delivered' }),
  ).toBeVisible()
  await expect(quoteIn(page, 'desde el túnel')).toContainText('Yourespuesta fallida')
})

test('REPLY-02 a press leads to the answered message, 200 messages up, and marks it', async ({
  signedUp,
}) => {
  const { ana, bea, talk } = await two(signedUp)
  await followMemberViaApi(ana, bea)
  await followMemberViaApi(bea, ana)
  const first = await sendMessageViaApi(bea, talk, 'la primera de todas')
  for (let n = 0; n < 200; n += 10)
    await Promise.all(
      Array.from({ length: 10 }, (_, m) => sendMessageViaApi(n % 20 ? ana : bea, talk, `nº ${n + m}`)),
    )
  await answerViaApi(bea, talk, 'a la primera', first)
  const page = await openConversationPage(ana, talk)
  const found = locateMessageThread(page).locator(`[data-message="${first}"]`)
  await expect(quoteIn(page, 'a la primera')).toBeVisible()
  await expect(found).toHaveCount(0)
  await quoteIn(page, 'a la primera').click()
  // First what goes again by itself.
  await expect(found).toHaveAttribute('data-marked', 'true')
  await expect(found).toBeInViewport()
  await expect(found).toBeFocused()
  await expect(found).not.toHaveAttribute('data-marked')
})

test('REPLY-03 once it is unsent the quote reads "Message unsent", for both @quick', async ({ signedUp }) => {
  const { ana, bea, talk } = await two(signedUp)
  const said = await sendMessageViaApi(bea, talk, 'ojalá no')
  await answerViaApi(ana, talk, 'ya te contesté', said)
  const page = await openConversationPage(ana, talk)
  await openConversationPage(bea, talk)
  for (const reader of [page, bea.page])
    await expect(quoteIn(reader, 'ya te contesté')).toContainText('ojalá no')
  expect((await bea.request.delete(`/v1/messages/${said}`)).status()).toBe(200)
  for (const reader of [page, bea.page]) {
    await expect(quoteIn(reader, 'ya te contesté')).toContainText('Message unsent')
    await expect(reader.getByText('ojalá no')).toHaveCount(0)
  }
})

/** Pushes a bubble to the right by so many pixels, as a finger does. */
const swipe = (page: Page, text: string, by: number) =>
  locateMessageBubble(page, text).evaluate((item, far) => {
    const { left, top, height } = item.getBoundingClientRect()
    const send = (type: string, x: number) => {
      const touch = new Touch({ identifier: 1, target: item, clientX: x, clientY: top + height / 2 })
      const touches = type === 'touchend' ? [] : [touch]
      item.dispatchEvent(new TouchEvent(type, { bubbles: true, touches, changedTouches: [touch] }))
    }
    send('touchstart', left + 60)
    send('touchmove', left + 60 + far / 2)
    send('touchmove', left + 60 + far)
    send('touchend', left + 60 + far)
  }, by)

test('REPLY-01 a swipe to the right, far enough, puts the message over the box @phone', async ({
  signedUp,
}) => {
  const { ana, bea, talk } = await two(signedUp)
  await sendMessageViaApi(bea, talk, 'desliza')
  const page = await openConversationPage(ana, talk)
  await swipe(page, 'desliza', 40)
  await expect(overTheBox(page, 'Bea Luna')).toHaveCount(0)
  await swipe(page, 'desliza', 64)
  await expect(overTheBox(page, 'Bea Luna')).toBeVisible()
  await page.getByRole('button', { name: 'Take the reply off' }).tap()
  await expect(overTheBox(page, 'Bea Luna')).toHaveCount(0)
})
