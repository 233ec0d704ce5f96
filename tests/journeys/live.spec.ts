import type { Page, WebSocketRoute } from '@playwright/test'
import { box, bubble, list, open, row, say, talkOf, thread, write } from './chatting.ts'
import { expect, type Person, test } from './fixtures.ts'

const badge = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByText('unread conversations:')
const channel = (collection: string) => `databases.main.collections.${collection}.documents`

/** The page's way to the socket, in the hands of the test. */
async function socketsOf(page: Page) {
  const opened: WebSocketRoute[] = []
  await page.routeWebSocket('**/v1/realtime*', (route) => {
    opened.push(route)
    route.connectToServer()
  })
  return opened
}

async function talking(signedUp: (name: string) => Promise<Person>) {
  const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
  return { ana, bea, talk: await talkOf(ana, bea) }
}

test('RT-01 RT-02 her socket hears of messages and conversations', async ({ signedUp }) => {
  const { page } = await signedUp('ana')
  const opened = page.waitForEvent('websocket')
  await page.goto('/')
  const socket = await opened
  const greeting = await socket.waitForEvent('framereceived', (frame) =>
    String(frame.payload).includes('connected'),
  )
  const { channels } = JSON.parse(String(greeting.payload)).data
  expect(channels).toEqual(expect.arrayContaining([channel('messages'), channel('conversations')]))
})

test('RT-03 RT-04 what bea writes stands there without a reload, and so does that ana has read it', async ({
  signedUp,
}) => {
  const { ana, bea, talk } = await talking(signedUp)
  await open(ana, talk)
  await open(bea, talk)
  await write(bea.page, 'hola, ana')
  await expect(bubble(ana.page, 'hola, ana')).toBeVisible()
  await expect(bubble(bea.page, 'hola, ana').getByRole('img', { name: 'Read' })).toBeVisible()
  await expect(ana.page.getByRole('log')).toContainText('bea: hola, ana')
  await expect(bea.page.getByRole('log')).toHaveText('')
})

test('RT-05 RT-06 while she is in another thread: text, dot and badge; and a row for a chat that is new', async ({
  signedUp,
}) => {
  const { ana, bea, talk } = await talking(signedUp)
  const carla = await signedUp('carla')
  const page = await open(ana, talk)
  const fromCarla = await talkOf(carla, ana)
  await expect(row(page, 'carla')).toBeVisible()
  await say(carla, fromCarla, 'Soy nueva')
  await expect(list(page).getByRole('listitem').first()).toContainText('Soy nueva')
  await expect(row(page, 'carla').getByText('Unread')).toBeAttached()
  await expect(badge(page)).toHaveText('unread conversations: 1')
  await expect(bubble(page, 'Soy nueva')).toHaveCount(0)
  await say(bea, talk, 'Y yo aquí')
  await expect(bubble(page, 'Y yo aquí')).toBeVisible()
})

test('RT-12 what was written while the socket was gone is there once it is back', async ({ signedUp }) => {
  const { ana, bea, talk } = await talking(signedUp)
  const { page } = ana
  const sockets = await socketsOf(page)
  await page.goto(`/chat/${talk}`)
  await expect(page.getByText('No messages yet. Start the conversation!')).toBeVisible()
  await say(bea, talk, 'antes')
  await expect(bubble(page, 'antes')).toBeVisible()
  await sockets[0]?.close({ code: 1012 })
  for (let number = 1; number <= 60; number++) await say(bea, talk, `perdido ${number}.`)
  await expect(bubble(page, 'perdido 60.')).toBeVisible()
  await expect(thread(page).getByRole('listitem')).toHaveCount(61)
  expect(sockets).toHaveLength(2)
})

test('the bar says that it reconnects after three seconds, and goes when it has', async ({ signedUp }) => {
  const { ana, talk } = await talking(signedUp)
  const { page } = ana
  let away = false
  await page.routeWebSocket('**/v1/realtime*', (route) => {
    if (away) return route.close({ code: 1013 })
    route.connectToServer()
    sockets.push(() => route.close({ code: 1012 }))
  })
  const sockets: (() => Promise<void>)[] = []
  await page.goto(`/chat/${talk}`)
  await expect(box(page)).toBeVisible()
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
  await page.routeWebSocket('**/v1/realtime*', (route) => {
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
  await open(ana, talk)
  const second = await ana.context.newPage()
  let sockets = 0
  second.on('websocket', () => {
    sockets += 1
  })
  await second.goto('/saved')
  await say(bea, talk, 'para las dos')
  await expect(bubble(ana.page, 'para las dos')).toBeVisible()
  await second.goto(`/chat/${talk}`)
  await expect(bubble(second, 'para las dos')).toBeVisible()
  await say(bea, talk, 'otra')
  await expect(bubble(second, 'otra')).toBeVisible()
  expect(sockets).toBe(0)
  await ana.page.close()
  await say(bea, talk, 'y otra más')
  await expect(bubble(second, 'y otra más')).toBeVisible()
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
  await phone.request.post('/v1/account/sessions/email', { data: { email, password } })
  const other = await phone.newPage()
  await say(bea, talk, 'léeme')
  await other.goto('/chat')
  await expect(badge(other)).toHaveText('unread conversations: 1')
  await expect(row(other, 'bea').getByText('Unread')).toBeAttached()
  await open(ana, talk)
  await expect(bubble(ana.page, 'léeme')).toBeVisible()
  await expect(badge(other)).toHaveCount(0)
  await expect(row(other, 'bea').getByText('Unread')).toHaveCount(0)
  await phone.close()
})

test('CHAT-30 reading in one tab clears dot and badge in the others', async ({ signedUp }) => {
  const { ana, bea, talk } = await talking(signedUp)
  const other = await ana.context.newPage()
  await other.goto('/chat')
  await say(bea, talk, 'léeme')
  await expect(badge(other)).toHaveText('unread conversations: 1')
  await expect(row(other, 'bea').getByText('Unread')).toBeAttached()
  await ana.page.bringToFront()
  await ana.page.goto(`/chat/${talk}`)
  await expect(bubble(ana.page, 'léeme')).toBeVisible()
  await expect(badge(other)).toHaveCount(0)
  await expect(row(other, 'bea').getByText('Unread')).toHaveCount(0)
  await expect(badge(ana.page)).toHaveCount(0)
})

test('PERM-06 carla hears nothing of what ana and bea write', async ({ signedUp }) => {
  const { ana, bea, talk } = await talking(signedUp)
  const carla = await signedUp('carla')
  const heard: string[] = []
  carla.page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => heard.push(String(payload))),
  )
  const own = await talkOf(carla, ana)
  await open(carla, own)
  await say(bea, talk, 'secreto')
  await say(ana, own, 'para carla')
  await expect(bubble(carla.page, 'para carla')).toBeVisible()
  expect(heard.join('\n')).toContain('para carla')
  expect(heard.join('\n')).not.toContain(talk)
  expect(heard.join('\n')).not.toContain('secreto')
})

test('who signs out has no socket any more, in no tab', async ({ signedUp }) => {
  const { ana, talk } = await talking(signedUp)
  await open(ana, talk)
  const second = await ana.context.newPage()
  await second.goto('/saved')
  await second.getByRole('button', { name: 'Logout' }).click()
  await expect(second).toHaveURL('/sign-in')
  await expect(ana.page).toHaveURL('/sign-in')
})
