import type { Page, WebSocketRoute } from '@playwright/test'
import {
  locateConversationList,
  locateConversationRow,
  locateMessageBubble,
  locateMessageInput,
  locateMessageThread,
  openConversationPage,
  openConversationViaApi,
  sendMessageViaApi,
  typeAndSendMessage,
} from './chat-steps.ts'
import { expect, type JourneyMemberWithPage, test } from './fixtures.ts'
import { followMemberViaApi } from './post-steps.ts'

const badge = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByText('unread conversations:')

/** The page's way to the socket, in the hands of the test. */
async function socketsOf(page: Page) {
  const opened: WebSocketRoute[] = []
  await page.routeWebSocket('**/v1/live', (route) => {
    opened.push(route)
    route.connectToServer()
  })
  return opened
}

async function talking(signedUp: (name: string) => Promise<JourneyMemberWithPage>) {
  const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
  return { ana, bea, talk: await openConversationViaApi(ana, bea) }
}

test('RT-01 RT-02 her socket hears of messages and conversations', async ({ signedUp }) => {
  const { page } = await signedUp('ana')
  const opened = page.waitForEvent('websocket')
  await page.goto('/')
  const socket = await opened
  const greeting = await socket.waitForEvent('framereceived', (frame) =>
    String(frame.payload).includes('connected'),
  )
  const { collections } = JSON.parse(String(greeting.payload)).data
  expect(collections).toEqual(expect.arrayContaining(['messages', 'conversations']))
})

test('RT-03 RT-04 what bea writes stands there without a reload, and so does that ana has read it @quick', async ({
  signedUp,
}) => {
  const { ana, bea, talk } = await talking(signedUp)
  await openConversationPage(ana, talk)
  await openConversationPage(bea, talk)
  await typeAndSendMessage(bea.page, 'hola, ana')
  await expect(locateMessageBubble(ana.page, 'hola, ana')).toBeVisible()
  await expect(locateMessageBubble(bea.page, 'hola, ana').getByRole('img', { name: 'Read' })).toBeVisible()
  await expect(ana.page.getByRole('log')).toContainText('bea: hola, ana')
  await expect(bea.page.getByRole('log')).toHaveText('')
})

test('RT-05 RT-06 while she is in another thread: text, dot and badge; and a row for a chat that is new', async ({
  member,
  signedUp,
}) => {
  const { ana, bea, talk } = await talking(signedUp)
  const carla = await member('carla')
  const page = await openConversationPage(ana, talk)
  const fromCarla = await openConversationViaApi(carla, ana)
  // Nobody learns that somebody pressed Chat and left.
  await expect(locateConversationRow(page, 'carla')).toHaveCount(0)
  await sendMessageViaApi(carla, fromCarla, 'Soy nueva')
  // The open conversation, in which nothing was said, stays at the head of the list.
  await expect(locateConversationList(page).getByRole('listitem')).toHaveText([/bea/, /carla.*Soy nueva/])
  await expect(locateConversationRow(page, 'carla').getByText('Unread')).toBeAttached()
  await expect(badge(page)).toHaveText('unread conversations: 1')
  await expect(locateMessageBubble(page, 'Soy nueva')).toHaveCount(0)
  await sendMessageViaApi(bea, talk, 'Y yo aquí')
  await expect(locateMessageBubble(page, 'Y yo aquí')).toBeVisible()
})

test('RT-12 what was written while the socket was gone is there once it is back', async ({ signedUp }) => {
  const { ana, bea, talk } = await talking(signedUp)
  const { page } = ana
  const sockets = await socketsOf(page)
  await page.goto(`/chat/${talk}`)
  await expect(page.getByText('No messages yet. Start the conversation!')).toBeVisible()
  await sendMessageViaApi(bea, talk, 'antes')
  await expect(locateMessageBubble(page, 'antes')).toBeVisible()
  await sockets[0]?.close({ code: 1012 })
  await followMemberViaApi(ana, bea)
  for (let number = 1; number <= 60; number++) await sendMessageViaApi(bea, talk, `perdido ${number}.`)
  await expect(locateMessageBubble(page, 'perdido 60.')).toBeVisible()
  await expect(locateMessageThread(page).getByRole('listitem')).toHaveCount(61)
  expect(sockets).toHaveLength(2)
})

test('the bar says that it reconnects after three seconds, and goes when it has', async ({ signedUp }) => {
  const { ana, talk } = await talking(signedUp)
  const { page } = ana
  let away = false
  await page.routeWebSocket('**/v1/live', (route) => {
    if (away) return route.close({ code: 1013 })
    route.connectToServer()
    sockets.push(() => route.close({ code: 1012 }))
  })
  const sockets: (() => Promise<void>)[] = []
  await page.goto(`/chat/${talk}`)
  await expect(locateMessageInput(page)).toBeVisible()
  await expect.poll(() => sockets.length).toBe(1)
  away = true
  await sockets[0]?.()
  await expect(page.getByText('Reconnecting…')).toBeVisible()
  away = false
  await expect(page.getByText('Reconnecting…')).toBeHidden()
})

test('RT-11 sent away with 1008 it stays away, and says so', async ({ signedUp }) => {
  const { ana, talk } = await talking(signedUp)
  const { page } = ana
  let opened = 0
  await page.routeWebSocket('**/v1/live', (route) => {
    opened += 1
    route.send(JSON.stringify({ type: 'error', data: { code: 1008, message: 'Go away' } }))
    void route.close({ code: 3000 })
  })
  await page.clock.install()
  await page.goto(`/chat/${talk}`)
  await expect(page.getByText('Live updates stopped.')).toBeVisible()
  await page.clock.runFor(10_000)
  expect(opened).toBe(1)
  await page.getByRole('button', { name: 'Reload the page' }).click()
  await expect.poll(() => opened).toBe(2)
})

test('two tabs have one socket; when the one with it closes, the other goes on', async ({ signedUp }) => {
  const { ana, bea, talk } = await talking(signedUp)
  await openConversationPage(ana, talk)
  const second = await ana.context.newPage()
  let sockets = 0
  second.on('websocket', () => {
    sockets += 1
  })
  await second.goto('/saved')
  await sendMessageViaApi(bea, talk, 'para las dos')
  await expect(locateMessageBubble(ana.page, 'para las dos')).toBeVisible()
  await second.goto(`/chat/${talk}`)
  await expect(locateMessageBubble(second, 'para las dos')).toBeVisible()
  await sendMessageViaApi(bea, talk, 'otra')
  await expect(locateMessageBubble(second, 'otra')).toBeVisible()
  expect(sockets).toBe(0)
  await ana.page.close()
  await sendMessageViaApi(bea, talk, 'y otra más')
  await expect(locateMessageBubble(second, 'y otra más')).toBeVisible()
  await expect.poll(() => sockets).toBe(1)
})

test('CHAT-30 reading on one device clears dot and badge on the other', async ({
  signedUp,
  browser,
  server,
}) => {
  const { ana, bea, talk } = await talking(signedUp)
  const phone = await browser.newContext({ baseURL: server.url })
  const { email, password } = ana
  await phone.request.post('/v1/sessions', { data: { email, password } })
  const other = await phone.newPage()
  await sendMessageViaApi(bea, talk, 'léeme')
  await other.goto('/chat')
  await expect(badge(other)).toHaveText('unread conversations: 1')
  await expect(locateConversationRow(other, 'bea').getByText('Unread')).toBeAttached()
  await openConversationPage(ana, talk)
  await expect(locateMessageBubble(ana.page, 'léeme')).toBeVisible()
  await expect(badge(other)).toHaveCount(0)
  await expect(locateConversationRow(other, 'bea').getByText('Unread')).toHaveCount(0)
  await phone.close()
})

test('CHAT-30 reading in one tab clears dot and badge in the others', async ({ signedUp }) => {
  const { ana, bea, talk } = await talking(signedUp)
  const other = await ana.context.newPage()
  await other.goto('/chat')
  await sendMessageViaApi(bea, talk, 'léeme')
  await expect(badge(other)).toHaveText('unread conversations: 1')
  await expect(locateConversationRow(other, 'bea').getByText('Unread')).toBeAttached()
  await ana.page.bringToFront()
  await ana.page.goto(`/chat/${talk}`)
  await expect(locateMessageBubble(ana.page, 'léeme')).toBeVisible()
  await expect(badge(other)).toHaveCount(0)
  await expect(locateConversationRow(other, 'bea').getByText('Unread')).toHaveCount(0)
  await expect(badge(ana.page)).toHaveCount(0)
})

test('PERM-06 carla hears nothing of what ana and bea write', async ({ signedUp }) => {
  const { ana, bea, talk } = await talking(signedUp)
  const carla = await signedUp('carla')
  const heard: string[] = []
  carla.page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => heard.push(String(payload))),
  )
  const own = await openConversationViaApi(carla, ana)
  await openConversationPage(carla, own)
  await sendMessageViaApi(bea, talk, 'secreto')
  await sendMessageViaApi(ana, own, 'para carla')
  await expect(locateMessageBubble(carla.page, 'para carla')).toBeVisible()
  expect(heard.join('\n')).toContain('para carla')
  expect(heard.join('\n')).not.toContain(talk)
  expect(heard.join('\n')).not.toContain('secreto')
})

test('who signs out has no socket any more, in no tab', async ({ signedUp }) => {
  const { ana, talk } = await talking(signedUp)
  await openConversationPage(ana, talk)
  const second = await ana.context.newPage()
  await second.goto('/saved')
  await second.getByRole('button', { name: 'Logout' }).click()
  await expect(second).toHaveURL('/sign-in')
  await expect(ana.page).toHaveURL('/sign-in')
})
