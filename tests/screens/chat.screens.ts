import type { Page } from '@playwright/test'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import {
  locateConversationList,
  locateConversationRow,
  locateMessageBubble,
  locateMessageInput,
  locateMessageList,
  locateUserSearchInput,
  openConversationPage,
  openConversationViaApi,
  sendMessageViaApi,
  typeAndSendMessage,
} from '#tests/journeys/chat-steps.ts'
import type { JourneyMemberWithPage } from '#tests/journeys/fixtures.ts'
import {
  expect,
  failApiRequests,
  leaveApiRequestsPending,
  takeResponsiveScreenshots,
  test,
} from './screenshot-fixtures.ts'

async function withMarisol(neighbour: (username: string) => Promise<JourneyMemberWithPage>) {
  const [lucia, marisol] = [await neighbour('lucia.ferrer'), await neighbour('marisol.barro')]
  return { lucia, marisol, conversation: await openConversationViaApi(lucia, marisol) }
}

const shown = (page: Page) => expect(locateMessageList(page)).toHaveCSS('opacity', '1')

test('Chat with nothing selected', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await page.goto('/chat')
  await expect(locateConversationList(page).getByRole('listitem')).toHaveCount(8)
  await takeResponsiveScreenshots(page, 'chat', 'list')
})

test('Chat of a new member', async ({ signedUp }) => {
  const { page } = await signedUp('Ana Sol')
  await page.goto('/chat')
  await expect(page.getByText('No conversations yet')).toBeVisible()
  await takeResponsiveScreenshots(page, 'chat', 'empty')
})

test('A conversation', async ({ neighbour }) => {
  const { lucia, marisol, conversation } = await withMarisol(neighbour)
  const paloma = await neighbour('paloma.r')
  await sendMessageViaApi(
    paloma,
    await openConversationViaApi(paloma, lucia),
    '¿Nos vemos el domingo entonces? Llevo yo las naranjas.',
  )
  for (const text of [
    'Acabo de abrir el horno y salió todo entero',
    'Ni una grieta.',
    '¡Te guardé la taza azul!',
  ])
    await sendMessageViaApi(marisol, conversation, text)
  for (const text of [
    'No puede ser, es la que quería',
    'Paso mañana a las seis por ella. Y llevo pan dulce para todas',
  ])
    await sendMessageViaApi(lucia, conversation, text)
  await openConversationPage(marisol, conversation)
  const page = await openConversationPage(lucia, conversation)
  await expect(locateMessageBubble(page, 'pan dulce').getByRole('img', { name: 'Read' })).toBeVisible()
  await shown(page)
  await takeResponsiveScreenshots(page, 'chat', 'thread')
})

test('Messages with four thousand characters, emoji and right-to-left text', async ({
  neighbour,
  signedUp,
}) => {
  const { lucia } = await withMarisol(neighbour)
  const noor = await signedUp('نور الحداد')
  const conversation = await openConversationViaApi(lucia, noor)
  await sendMessageViaApi(noor, conversation, 'Una carta entera. '.repeat(222))
  await sendMessageViaApi(lucia, conversation, `https://example.org/${'muylargo'.repeat(20)}`)
  await sendMessageViaApi(noor, conversation, 'مرحبا، هل نلتقي يوم الأحد؟')
  await sendMessageViaApi(lucia, conversation, 'نعم! a las 18:30, con pan 🥖')
  await sendMessageViaApi(noor, conversation, '😀')
  await sendMessageViaApi(lucia, conversation, '👩‍👩‍👧‍👧 🏳️‍🌈 🏺'.repeat(6))
  await sendMessageViaApi(noor, conversation, 'Dos\n\nlíneas')
  const page = await openConversationPage(lucia, conversation)
  await expect(locateMessageBubble(page, 'líneas')).toBeVisible()
  await shown(page)
  await takeResponsiveScreenshots(page, 'chat', 'scripts')
  await locateMessageInput(page).fill(`${'Cuatro mil y una. '.repeat(222)}12345`)
  await takeResponsiveScreenshots(page, 'chat', 'too-long')
  await locateMessageInput(page).fill('Una línea\ny otra\ny otra')
  await takeResponsiveScreenshots(page, 'chat', 'writing')
})

test('A conversation with the on-screen keyboard open', async ({ neighbour }) => {
  const { lucia, conversation } = await withMarisol(neighbour)
  // Test browsers have no on-screen keyboard, so this simulates one that covers the page.
  await lucia.page.addInitScript(() => {
    const seen = Object.assign(new EventTarget(), { scale: 1, offsetTop: 0, height: innerHeight })
    Object.defineProperty(window, 'visualViewport', { value: seen })
    addEventListener('resize', () => {
      seen.height = innerHeight - (innerWidth < 768 ? 320 : 0)
      seen.dispatchEvent(new Event('resize'))
    })
  })
  const page = await openConversationPage(lucia, conversation)
  await shown(page)
  await locateMessageInput(page).fill('¿La blanca o la azul?')
  await takeResponsiveScreenshots(page, 'chat', 'keyboard')
})

test('Photos in a conversation', async ({ neighbour }) => {
  const { lucia, marisol, conversation } = await withMarisol(neighbour)
  const files = (...colors: string[]) =>
    Promise.all(
      colors.map(async (color, n) => ({
        name: `foto${n}.jpg`,
        mimeType: 'image/jpeg',
        buffer: Buffer.from(await createJpeg(color, 800, 1000)),
      })),
    )
  await openConversationPage(marisol, conversation)
  const choosing = marisol.page.locator('input[type=file]')
  await choosing.setInputFiles(await files('#7a4a2b', '#c9a35f'))
  await locateMessageInput(marisol.page).fill('Salieron del horno. ¿Cuál es la tuya?')
  await marisol.page.getByRole('button', { name: 'Send', exact: true }).click()
  const page = await openConversationPage(lucia, conversation)
  await expect(locateMessageBubble(page, 'Salieron del horno').getByRole('img')).toHaveCount(2)
  await page.locator('input[type=file]').setInputFiles(await files('#2f6db3', '#4b8f5a', '#b33f2f'))
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(locateMessageList(page).getByRole('link').getByRole('img')).toHaveCount(5)
  await page.locator('input[type=file]').setInputFiles(await files('#2f6db3', '#4b8f5a'))
  await expect(page.getByRole('list', { name: 'Photos of this message' }).getByRole('listitem')).toHaveCount(
    2,
  )
  await shown(page)
  await takeResponsiveScreenshots(page, 'chat', 'photos')
})

test('Searching for a member to chat with', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await page.goto('/chat')
  await locateUserSearchInput(page).fill('ma')
  await expect(page.getByRole('option').first()).toBeVisible()
  await takeResponsiveScreenshots(page, 'chat', 'search')
  await locateUserSearchInput(page).fill('nadie se llama así')
  await expect(page.getByText('No se encontraron usuarios')).toBeVisible()
  await takeResponsiveScreenshots(page, 'chat', 'search-nobody')
})

test('A conversation that is not found', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await page.goto('/chat/nothingatallishere')
  await expect(page.getByText('Conversation not found')).toBeVisible()
  await takeResponsiveScreenshots(page, 'chat', 'not-found')
})

test('Chat while loading and after a failure', async ({ neighbour }) => {
  const { lucia, conversation } = await withMarisol(neighbour)
  const { page } = lucia
  await leaveApiRequestsPending(page, /conversations/)
  await page.goto(`/chat/${conversation}`)
  await expect(locateMessageInput(page)).toBeVisible()
  await takeResponsiveScreenshots(page, 'chat', 'loading')
  await page.unrouteAll()
  await failApiRequests(page, /conversations$|messages$/)
  await page.reload()
  await expect(page.getByText('We couldn’t load this.').first()).toBeVisible()
  await takeResponsiveScreenshots(page, 'chat', 'failed')
})

test('Messages that are waiting, failed or unread', async ({ neighbour }) => {
  const { lucia, marisol, conversation } = await withMarisol(neighbour)
  const page = await openConversationPage(lucia, conversation)
  await shown(page)
  await failApiRequests(page, /messages$/)
  await typeAndSendMessage(page, 'Esto no llegó')
  await expect(page.getByText('Not sent')).toBeVisible()
  await takeResponsiveScreenshots(page, 'chat', 'not-sent')
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.unrouteAll()
  await lucia.context.setOffline(true)
  await typeAndSendMessage(page, 'Esto sale cuando vuelva la red')
  await expect(locateMessageBubble(page, 'vuelva la red')).toContainText('Waiting')
  await takeResponsiveScreenshots(page, 'chat', 'offline')
  await lucia.context.setOffline(false)
  await expect(locateMessageBubble(page, 'vuelva la red')).not.toContainText('Waiting')
  for (let number = 1; number <= 30; number++)
    await sendMessageViaApi(marisol, conversation, `Pieza número ${number} del catálogo.`)
  await expect(locateMessageBubble(page, 'número 30')).toBeVisible()
  await page.setViewportSize({ width: 360, height: 640 })
  await locateMessageList(page).hover()
  await page.mouse.wheel(0, -600)
  for (const text of ['¿Sigues ahí?', 'Bueno, mañana.']) await sendMessageViaApi(marisol, conversation, text)
  await expect(page.getByRole('button', { name: '2 new messages' })).toBeVisible()
  await takeResponsiveScreenshots(page, 'chat', 'new-messages')
})

test('Chat after live updates have stopped', async ({ neighbour }) => {
  const { lucia, conversation } = await withMarisol(neighbour)
  const { page } = lucia
  await page.routeWebSocket('**/v1/live', (route) => void route.close({ code: 1008 }))
  await page.goto(`/chat/${conversation}`)
  await expect(page.getByText('Live updates stopped.')).toBeVisible()
  await shown(page)
  await takeResponsiveScreenshots(page, 'chat', 'stopped')
})

test('A conversation list with unread messages', async ({ neighbour, signedUp }) => {
  const lucia = await neighbour('lucia.ferrer')
  for (const name of ['Camila Duarte', 'Amina Haddad', 'Wanjiru Kamau del Campo de la Frontera', 'Yuki'])
    await (async (person) =>
      sendMessageViaApi(
        person,
        await openConversationViaApi(person, lucia),
        `¿Nos vemos el domingo entonces, o ya no?`,
      ))(await signedUp(name))
  const { page } = lucia
  await page.goto('/chat')
  await expect(locateConversationRow(page, 'Camila').getByText('Unread')).toBeAttached()
  await takeResponsiveScreenshots(page, 'chat', 'unread')
})

test('Message requests, an open request and a restricted member', async ({ neighbour, signedUp, member }) => {
  const lucia = await neighbour('lucia.ferrer')
  const asks = { data: { messagesFrom: 'ask' } }
  expect((await lucia.request.patch('/v1/me/privacy', asks)).ok()).toBe(true)
  const ines = await signedUp('Inés Robledo')
  const conversation = await openConversationViaApi(ines, lucia)
  await ines.request.put(`/v1/people/${lucia.$id}/follow`, { data: {} })
  for (const text of ['Vi tu cuenco azul. ¿Qué esmalte usaste?', 'Me salen todos grises :)'])
    await sendMessageViaApi(ines, conversation, text)
  const berta = await member('Berta Llanos')
  await sendMessageViaApi(berta, await openConversationViaApi(berta, lucia), 'hola guapa')
  const olga = await member('Olga Restringida')
  await sendMessageViaApi(olga, await openConversationViaApi(olga, lucia), '¿por qué no contestas?')
  await lucia.request.put(`/v1/people/${olga.$id}/restriction`, { data: {} })
  const { page } = lucia
  await page.goto('/message-requests')
  await expect(page.getByRole('main').getByRole('button', { name: /^Accept/ })).toHaveCount(2)
  await takeResponsiveScreenshots(page, 'message-requests', 'waiting')
  await page.goto(`/chat/${conversation}`)
  await shown(page)
  await expect(page.getByRole('button', { name: 'Accept' })).toBeVisible()
  await takeResponsiveScreenshots(page, 'chat', 'asked')
  await ines.page.goto(`/chat/${conversation}`)
  await expect(ines.page.getByText('You can send 1 more until she answers.')).toBeVisible()
  await takeResponsiveScreenshots(ines.page, 'chat', 'asking')
})

test('Searching messages, a typing indicator and link previews', async ({ neighbour }) => {
  const { lucia, marisol, conversation } = await withMarisol(neighbour)
  for (const { request } of [lucia, marisol])
    expect((await request.patch('/v1/me/privacy', { data: { showsTyping: true } })).ok()).toBe(true)
  const page = await openConversationPage(lucia, conversation)
  await sendMessageViaApi(marisol, conversation, `Mira ${new URL(page.url()).origin}/profile/${marisol.$id}`)
  await expect(locateMessageBubble(page, 'Mira').getByText('@marisol.barro')).toBeVisible()
  await takeResponsiveScreenshots(page, 'chat', 'cards')
  await openConversationPage(marisol, conversation)
  await page.clock.install()
  await locateMessageInput(marisol.page).pressSequentially('y')
  await expect(page.getByText('is typing…')).toBeVisible()
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 100)
  await takeResponsiveScreenshots(page, 'chat', 'typing')

  await page.clock.resume()
  await page.goto('/chat')
  await page.getByRole('button', { name: 'Search messages' }).click()
  await page.getByRole('searchbox', { name: 'Search messages' }).fill('mira')
  await expect(page.getByRole('list', { name: 'Search results' })).toBeVisible()
  await takeResponsiveScreenshots(page, 'chat', 'search-messages')
})
