import type { Page, Route } from '@playwright/test'
import {
  locateConversationList,
  locateConversationRow,
  locateMessageBubble,
  locateMessageInput,
  locateMessageThread,
  locateSendButton,
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
  toastRegion,
} from './fixtures.ts'
import { followMemberViaApi } from './post-steps.ts'

const sending = /\/v1\/conversations\/[^/]+\/messages$/
const isSend = (url: string, method: string) => method === 'POST' && sending.test(url)

/** Refuses what is sent until it is told to stop. */
async function refuseSending(page: Page): Promise<() => Promise<void>> {
  const refuse = (route: Route) =>
    route.request().method() === 'POST' ? fulfillWithServerError(route) : route.fallback()
  await page.route(sending, refuse)
  return () => page.unroute(sending, refuse)
}

async function two(signedUp: (name: string) => Promise<JourneyMemberWithPage>) {
  const [ana, bea] = [await signedUp('ana'), await signedUp('Bea Ortiz')]
  return { ana, bea, talk: await openConversationViaApi(ana, bea) }
}

const stored = async (person: JourneyMember, talk: string) => {
  const answer = await person.request.get(`/v1/conversations/${talk}/messages`)
  return ((await answer.json()) as { documents: { content: string; readBy: string[] }[] }).documents
}

const fromEnd = (page: Page) =>
  locateMessageThread(page).evaluate((all) => {
    const box = all.parentElement as HTMLElement
    return Math.round(box.scrollHeight - box.clientHeight - box.scrollTop)
  })

test('CMSG-01 CMSG-02 CMSG-03 CMSG-04 CMSG-06 an empty thread, and a box that sends no blanks', async ({
  signedUp,
}) => {
  const { ana, talk } = await two(signedUp)
  const page = await openConversationPage(ana, talk)
  await expect(page.getByText('No messages yet. Start the conversation!')).toBeVisible()
  await expect(locateSendButton(page)).toBeDisabled()
  await locateMessageInput(page).fill(' \n \u3000')
  await expect(locateSendButton(page)).toBeDisabled()
  await locateMessageInput(page).press('Enter')
  await locateMessageInput(page).fill('\u200b\u2060')
  await expect(locateSendButton(page)).toBeDisabled()
  await locateMessageInput(page).press('Enter')
  expect(await stored(ana, talk)).toEqual([])
  await locateMessageInput(page).fill('👍🏽')
  await expect(locateSendButton(page)).toBeEnabled()
  await locateMessageInput(page).fill('hola')
  await expect(locateSendButton(page)).toBeEnabled()
})

test('CMSG-05 CMSG-08 CMSG-09 CMSG-13 CMSG-16 CMSG-17 what ana writes is trimmed, stored once and on top of her list', async ({
  member,
  signedUp,
}) => {
  const { ana, bea, talk } = await two(signedUp)
  const carla = await member('carla')
  await sendMessageViaApi(ana, talk, 'Antes')
  const other = await openConversationViaApi(ana, carla)
  await sendMessageViaApi(carla, other, 'Buenas')
  const page = await openConversationPage(ana, talk)
  await expect(locateConversationList(page).getByRole('listitem').first()).toContainText('carla')
  const sent = page.waitForRequest((request) => isSend(request.url(), request.method()))
  await typeAndSendMessage(page, '  hola\nBea  ')
  expect((await sent).postDataJSON()).toEqual({
    messageId: expect.any(String),
    content: 'hola\nBea',
    type: 'text',
  })
  await expect(locateMessageInput(page)).toHaveValue('')
  await expect(locateMessageInput(page)).toBeFocused()
  await expect(locateMessageBubble(page, 'hola').getByRole('img', { name: 'Delivered' })).toBeVisible()
  await expect(locateConversationList(page).getByRole('listitem').first()).toContainText('You: hola')
  const [newest, ...rest] = await stored(bea, talk)
  expect(newest).toMatchObject({ content: 'hola\nBea', readBy: [ana.$id] })
  expect(rest).toHaveLength(1)

  await openConversationPage(bea, talk)
  await expect(locateMessageBubble(bea.page, 'hola')).toBeVisible()
  await expect(locateMessageThread(bea.page).getByRole('img')).toHaveCount(0)
})

test('CMSG-07 CMSG-15 while it is sent: a single check, Send disabled, and she can type on', async ({
  signedUp,
}) => {
  const { ana, talk } = await two(signedUp)
  const page = await openConversationPage(ana, talk)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(sending, async (route) => {
    if (route.request().method() === 'POST') await held
    await route.fallback()
  })
  await typeAndSendMessage(page, 'primero')
  await expect(locateMessageBubble(page, 'primero').getByRole('img', { name: 'Sent' })).toBeVisible()
  await locateMessageInput(page).fill('segundo')
  await expect(locateSendButton(page)).toBeDisabled()
  await locateMessageInput(page).press('Enter')
  release()
  await expect(locateMessageBubble(page, 'primero').getByRole('img', { name: 'Delivered' })).toBeVisible()
  await expect(locateSendButton(page)).toBeEnabled()
  await locateSendButton(page).click()
  await expect(locateMessageBubble(page, 'segundo').getByRole('img', { name: 'Delivered' })).toBeVisible()
  expect((await stored(ana, talk)).map(({ content }) => content)).toEqual(['segundo', 'primero'])
})

test('CMSG-11 CMSG-12 what was refused is back in the box, and either way of sending it again sends it once', async ({
  signedUp,
}) => {
  const { ana, talk } = await two(signedUp)
  const page = await openConversationPage(ana, talk)
  const allow = await refuseSending(page)
  await typeAndSendMessage(page, '¿Vienes el jueves?')
  await expect(toastRegion(page)).toContainText('Error')
  await expect(toastRegion(page)).toContainText('Failed to send message. Please try again.')
  await expect(locateMessageInput(page)).toHaveValue('¿Vienes el jueves?')
  expect(await locateMessageInput(page).evaluate((area: HTMLTextAreaElement) => area.selectionStart)).toBe(18)
  await expect(page.getByText('Not sent ·')).toBeVisible()
  await expect(locateMessageBubble(page, 'jueves').getByRole('img')).toHaveCount(0)
  await allow()

  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(locateMessageBubble(page, 'jueves').getByRole('img', { name: 'Delivered' })).toBeVisible()
  await expect(locateMessageInput(page)).toHaveValue('')

  const allowAgain = await refuseSending(page)
  await typeAndSendMessage(page, 'Trae pan')
  await expect(locateMessageInput(page)).toHaveValue('Trae pan')
  await allowAgain()
  await locateMessageInput(page).fill('Trae pan y sal')
  await locateMessageInput(page).press('Enter')
  await expect(
    locateMessageBubble(page, 'Trae pan y sal').getByRole('img', { name: 'Delivered' }),
  ).toBeVisible()
  await expect(page.getByText('Not sent')).toHaveCount(0)
  expect((await stored(ana, talk)).map(({ content }) => content)).toEqual([
    'Trae pan y sal',
    '¿Vienes el jueves?',
  ])
})

test('CMSG-11 what she has typed meanwhile follows on a new line; Discard takes back what failed alone', async ({
  signedUp,
}) => {
  const { ana, talk } = await two(signedUp)
  const page = await openConversationPage(ana, talk)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(sending, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await held
    await fulfillWithServerError(route)
  })
  await typeAndSendMessage(page, 'una cosa')
  await locateMessageInput(page).fill('y otra')
  release()
  await expect(locateMessageInput(page)).toHaveValue('una cosa\ny otra')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByText('Not sent')).toHaveCount(0)
  await expect(locateMessageInput(page)).toHaveValue('y otra')
  expect(await stored(ana, talk)).toEqual([])
})

test('CMSG-18 opening a conversation reads it: the check of the other one takes its colour', async ({
  signedUp,
}) => {
  const { ana, bea, talk } = await two(signedUp)
  await sendMessageViaApi(bea, talk, 'uno')
  await sendMessageViaApi(bea, talk, 'dos')
  await openConversationPage(bea, talk)
  await expect(locateMessageBubble(bea.page, 'dos').getByRole('img', { name: 'Delivered' })).toBeVisible()
  await openConversationPage(ana, talk)
  for (const text of ['uno', 'dos'])
    await expect(locateMessageBubble(bea.page, text).getByRole('img', { name: 'Read' })).toBeVisible()
  expect((await stored(bea, talk)).map(({ readBy }) => readBy)).toEqual([
    [bea.$id, ana.$id],
    [bea.$id, ana.$id],
  ])
})

test('CMSG-18 a conversation that is open in a hidden window reads nothing, until the window is in front again', async ({
  signedUp,
}) => {
  const { ana, bea, talk } = await two(signedUp)
  await sendMessageViaApi(bea, talk, 'uno')
  await openConversationPage(ana, talk)
  await expect.poll(async () => (await stored(bea, talk))[0]?.readBy).toEqual([bea.$id, ana.$id])
  const show = (state: DocumentVisibilityState) =>
    ana.page.evaluate((now) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, value: now })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  await show('hidden')
  const marks: string[] = []
  ana.page.on('request', (request) => {
    if (request.method() !== 'GET') marks.push(new URL(request.url()).pathname)
  })
  await sendMessageViaApi(bea, talk, 'dos')
  await expect(locateMessageBubble(ana.page, 'dos')).toBeVisible()
  await sendMessageViaApi(bea, talk, 'tres')
  await expect(locateMessageBubble(ana.page, 'tres')).toBeVisible()
  expect(marks).toEqual([])
  expect((await stored(bea, talk)).map(({ readBy }) => readBy)).toContainEqual([bea.$id])
  await show('visible')
  await expect
    .poll(async () => (await stored(bea, talk)).every(({ readBy }) => readBy.includes(ana.$id)))
    .toBe(true)
})

test('CMSG-14 CMSG-19 it opens at the end after 100 ms, and older messages come as she scrolls up', async ({
  signedUp,
}) => {
  const { ana, bea, talk } = await two(signedUp)
  await followMemberViaApi(ana, bea)
  for (let number = 1; number <= 120; number++) await sendMessageViaApi(bea, talk, `Mensaje ${number}.`)
  const { page } = ana
  await page.clock.install()
  await page.goto(`/chat/${talk}`)
  await expect(locateMessageThread(page).getByRole('listitem')).toHaveCount(50, { timeout: 20_000 })
  await page.clock.runFor(100)
  await expect.poll(() => fromEnd(page)).toBe(0)
  await page.clock.resume()

  const oldest = locateMessageBubble(page, 'Mensaje 71.')
  await locateMessageThread(page).evaluate((all) =>
    (all.parentElement as HTMLElement).scrollTo({ top: 150, behavior: 'instant' }),
  )
  const before = await oldest.evaluate((line) => line.getBoundingClientRect().bottom)
  await expect(locateMessageThread(page).getByRole('listitem')).toHaveCount(100)
  expect(
    Math.abs((await oldest.evaluate((line) => line.getBoundingClientRect().bottom)) - before),
  ).toBeLessThan(60)
  await locateMessageThread(page).evaluate((all) =>
    (all.parentElement as HTMLElement).scrollTo({ top: 0, behavior: 'instant' }),
  )
  await expect(locateMessageThread(page).getByRole('listitem')).toHaveCount(120)
  expect(await locateMessageThread(page).getByRole('listitem').first().textContent()).toContain('Mensaje 1.')
})

test('CMSG-20 new messages carry her along at the end; further up a pill tells of them', async ({
  signedUp,
}) => {
  const { ana, bea, talk } = await two(signedUp)
  await followMemberViaApi(ana, bea)
  for (let number = 1; number <= 40; number++) await sendMessageViaApi(bea, talk, `Mensaje ${number}.`)
  const page = await openConversationPage(ana, talk)
  await expect.poll(() => fromEnd(page)).toBe(0)
  await sendMessageViaApi(bea, talk, 'Una nueva')
  await expect(locateMessageBubble(page, 'Una nueva')).toBeInViewport()
  await expect.poll(() => fromEnd(page)).toBe(0)

  await locateMessageThread(page).evaluate((all) =>
    (all.parentElement as HTMLElement).scrollTo({ top: 300, behavior: 'instant' }),
  )
  await sendMessageViaApi(bea, talk, 'Otra')
  const pill = page.getByRole('button', { name: 'New messages' })
  await expect(pill).toBeVisible()
  await sendMessageViaApi(bea, talk, 'Y otra más')
  await expect(page.getByRole('button', { name: '2 new messages' })).toBeVisible()
  await expect(locateMessageBubble(page, 'Y otra más')).not.toBeInViewport()
  await page.getByRole('button', { name: '2 new messages' }).press('Enter')
  await expect.poll(() => fromEnd(page)).toBe(0)
  await expect(page.getByRole('button', { name: 'new messages' })).toHaveCount(0)
})

test('CMSG-21 coming back asks for the messages again', async ({ signedUp }) => {
  const { ana, bea, talk } = await two(signedUp)
  await sendMessageViaApi(bea, talk, 'hola')
  const page = await openConversationPage(ana, talk)
  await expect(locateMessageBubble(page, 'hola')).toBeVisible()
  await page.getByRole('link', { name: 'Saved' }).click()
  await expect(page.getByRole('heading', { name: 'Saved Posts' })).toBeVisible()
  const again = page.waitForRequest((request) => sending.test(request.url()))
  await page.goBack()
  await again
  await expect(locateMessageBubble(page, 'hola')).toBeVisible()
})

test('CMSG-10 what is sent is the last message of the conversation, with its time and sender', async ({
  signedUp,
}) => {
  const { ana, bea, talk } = await two(signedUp)
  await sendMessageViaApi(ana, talk, 'El último')
  const answer = await bea.request.get(`/v1/conversations/${talk}`)
  const { lastMessage, lastMessageTime, lastMessageSender } = await answer.json()
  expect({ lastMessage, lastMessageSender }).toEqual({ lastMessage: 'El último', lastMessageSender: ana.$id })
  expect(lastMessageTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|\+00:00)$/)
})

test('a draft is there again after a reload, in its own conversation', async ({ signedUp }) => {
  const { ana, bea, talk } = await two(signedUp)
  const other = await openConversationViaApi(ana, await signedUp('carla'))
  const page = await openConversationPage(ana, talk)
  await locateMessageInput(page).fill('a medias')
  await openConversationPage(ana, other)
  await expect(locateMessageInput(page)).toHaveValue('')
  await openConversationPage(ana, talk)
  await expect(locateMessageInput(page)).toHaveValue('a medias')
  await locateConversationRow(page, bea.name).getByRole('link').click()
  await expect(locateMessageInput(page)).toHaveValue('a medias')
})

/** How many messages her browser keeps for the next start. */
const countKeptMessages = (page: Page) =>
  page.evaluate(async () => {
    const name = 'juntas-outgoing'
    // Opening one that is not there yet would make it, without what belongs in it.
    if (!(await indexedDB.databases()).some((database) => database.name === name)) return 0
    return new Promise<number>((resolve, reject) => {
      const opening = indexedDB.open(name)
      opening.onerror = () => reject(opening.error)
      opening.onsuccess = () => {
        const counting = opening.result.transaction('messages').objectStore('messages').count()
        counting.onsuccess = () => {
          opening.result.close()
          resolve(counting.result)
        }
      }
    })
  })

test('NAV-18 offline, messages wait, survive a reload, and go out once in their order; a logout asks before it drops them', async ({
  signedUp,
}) => {
  const { ana, bea, talk } = await two(signedUp)
  const page = await openConversationPage(ana, talk)
  await ana.context.setOffline(true)
  await expect(page.getByText('Waiting for connection…')).toBeVisible()
  for (const text of ['uno', 'dos', 'tres']) await typeAndSendMessage(page, text)
  await expect(locateMessageBubble(page, 'tres')).toContainText('Waiting')
  await expect.poll(() => countKeptMessages(page)).toBe(3)
  await page.close()
  await ana.context.setOffline(false)
  const later = await ana.context.newPage()
  await later.goto('/')
  await expect
    .poll(async () => (await stored(bea, talk)).map(({ content }) => content))
    .toEqual(['tres', 'dos', 'uno'])

  await later.goto(`/chat/${talk}`)
  await expect(locateMessageBubble(later, 'tres').getByRole('img', { name: 'Delivered' })).toBeVisible()
  await ana.context.setOffline(true)
  await typeAndSendMessage(later, 'nunca')
  await expect(locateMessageBubble(later, 'nunca')).toContainText('Waiting')
  const logout = later.getByRole('button', { name: 'Logout' })
  const question = later.getByRole('alertdialog', { name: 'Log out now?' })
  await logout.click()
  await expect(question).toContainText('1 message has not been sent yet. Logging out deletes it.')
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(question).toBeHidden()
  await expect(locateMessageBubble(later, 'nunca')).toContainText('Waiting')
  await logout.click()
  await question.getByRole('button', { name: 'Log out' }).click()
  await expect(later).toHaveURL('/sign-in')
  await ana.context.setOffline(false)
  const kept = await later.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))
  expect(kept).toEqual([])
})
