import type { Page } from '@playwright/test'
import { box, bubble, list, open, row, say, search, talkOf, thread, write } from '#tests/journeys/chatting.ts'
import type { Person } from '#tests/journeys/fixtures.ts'
import { breakDown, expect, keepWaiting, photograph, test } from './camera.ts'

/** The one of the mock-up. */
async function withMarisol(neighbour: (username: string) => Promise<Person>) {
  const [lucia, marisol] = [await neighbour('lucia.ferrer'), await neighbour('marisol.barro')]
  return { lucia, marisol, talk: await talkOf(lucia, marisol) }
}

const shown = (page: Page) => expect(thread(page)).toHaveCSS('opacity', '1')

test('Chat with nothing selected', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await page.goto('/chat')
  await expect(list(page).getByRole('listitem')).toHaveCount(2)
  await photograph(page, 'chat', 'list')
})

test('Chat of somebody new', async ({ signedUp }) => {
  const { page } = await signedUp('Ana Sol')
  await page.goto('/chat')
  await expect(page.getByText('No conversations yet')).toBeVisible()
  await photograph(page, 'chat', 'empty')
})

test('A conversation', async ({ neighbour }) => {
  const { lucia, marisol, talk } = await withMarisol(neighbour)
  const paloma = await neighbour('paloma.r')
  await say(paloma, await talkOf(paloma, lucia), '¿Nos vemos el domingo entonces? Llevo yo las naranjas.')
  for (const text of [
    'Acabo de abrir el horno y salió todo entero',
    'Ni una grieta.',
    '¡Te guardé la taza azul!',
  ])
    await say(marisol, talk, text)
  for (const text of [
    'No puede ser, es la que quería',
    'Paso mañana a las seis por ella. Y llevo pan dulce para todas',
  ])
    await say(lucia, talk, text)
  await open(marisol, talk)
  const page = await open(lucia, talk)
  await expect(bubble(page, 'pan dulce').getByRole('img', { name: 'Read' })).toBeVisible()
  await shown(page)
  await photograph(page, 'chat', 'thread')
})

test('Four thousand characters, emoji and words from right to left', async ({ neighbour, signedUp }) => {
  const { lucia } = await withMarisol(neighbour)
  const noor = await signedUp('نور الحداد')
  const talk = await talkOf(lucia, noor)
  await say(noor, talk, 'Una carta entera. '.repeat(222))
  await say(lucia, talk, `https://example.org/${'muylargo'.repeat(20)}`)
  await say(noor, talk, 'مرحبا، هل نلتقي يوم الأحد؟')
  await say(lucia, talk, 'نعم! a las 18:30, con pan 🥖')
  await say(noor, talk, '😀')
  await say(lucia, talk, '👩‍👩‍👧‍👧 🏳️‍🌈 🏺'.repeat(6))
  await say(noor, talk, 'Dos\n\nlíneas')
  const page = await open(lucia, talk)
  await expect(bubble(page, 'líneas')).toBeVisible()
  await shown(page)
  await photograph(page, 'chat', 'scripts')
  await box(page).fill(`${'Cuatro mil y una. '.repeat(222)}12345`)
  await photograph(page, 'chat', 'too-long')
  await box(page).fill('Una línea\ny otra\ny otra')
  await photograph(page, 'chat', 'writing')
})

test('A conversation with the keyboard of a phone open', async ({ neighbour }) => {
  const { lucia, talk } = await withMarisol(neighbour)
  // A test has no keyboard: this is how a browser tells of one that covers the page.
  await lucia.page.addInitScript(() => {
    const seen = Object.assign(new EventTarget(), { scale: 1, offsetTop: 0, height: innerHeight })
    Object.defineProperty(window, 'visualViewport', { value: seen })
    addEventListener('resize', () => {
      seen.height = innerHeight - (innerWidth < 768 ? 320 : 0)
      seen.dispatchEvent(new Event('resize'))
    })
  })
  const page = await open(lucia, talk)
  await shown(page)
  await box(page).fill('¿La blanca o la azul?')
  await photograph(page, 'chat', 'keyboard')
})

test('Searching for somebody to chat with', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await page.goto('/chat')
  await search(page).fill('ma')
  await expect(page.getByRole('option').first()).toBeVisible()
  await photograph(page, 'chat', 'search')
  await search(page).fill('nadie se llama así')
  await expect(page.getByText('No se encontraron usuarios')).toBeVisible()
  await photograph(page, 'chat', 'search-nobody')
})

test('A conversation that is not hers', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await page.goto('/chat/nothingatallishere')
  await expect(page.getByText('Conversation not found')).toBeVisible()
  await photograph(page, 'chat', 'not-found')
})

test('Chat while it loads, and when it fails', async ({ neighbour }) => {
  const { lucia, talk } = await withMarisol(neighbour)
  const { page } = lucia
  await keepWaiting(page, /conversations/)
  await page.goto(`/chat/${talk}`)
  await expect(box(page)).toBeVisible()
  await photograph(page, 'chat', 'loading')
  await page.unrouteAll()
  await breakDown(page, /conversations$|messages$/)
  await page.reload()
  await expect(page.getByText('We couldn’t load this.').first()).toBeVisible()
  await photograph(page, 'chat', 'failed')
})

test('Messages that wait, that failed, and that she has not seen', async ({ neighbour }) => {
  const { lucia, marisol, talk } = await withMarisol(neighbour)
  const page = await open(lucia, talk)
  await shown(page)
  await breakDown(page, /messages$/)
  await write(page, 'Esto no llegó')
  await expect(page.getByText('Not sent')).toBeVisible()
  await photograph(page, 'chat', 'not-sent')
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.unrouteAll()
  await lucia.context.setOffline(true)
  await write(page, 'Esto sale cuando vuelva la red')
  await expect(bubble(page, 'vuelva la red')).toContainText('Waiting')
  await photograph(page, 'chat', 'offline')
  await lucia.context.setOffline(false)
  await expect(bubble(page, 'vuelva la red')).not.toContainText('Waiting')
  for (let number = 1; number <= 30; number++)
    await say(marisol, talk, `Pieza número ${number} del catálogo.`)
  await expect(bubble(page, 'número 30')).toBeVisible()
  await page.setViewportSize({ width: 360, height: 640 })
  await thread(page).hover()
  await page.mouse.wheel(0, -600)
  for (const text of ['¿Sigues ahí?', 'Bueno, mañana.']) await say(marisol, talk, text)
  await expect(page.getByRole('button', { name: '2 new messages' })).toBeVisible()
  await photograph(page, 'chat', 'new-messages')
})

test('Live updates that stopped', async ({ neighbour }) => {
  const { lucia, talk } = await withMarisol(neighbour)
  const { page } = lucia
  await page.routeWebSocket('**/v1/realtime*', (route) => void route.close({ code: 1008 }))
  await page.goto(`/chat/${talk}`)
  await expect(page.getByText('Live updates stopped.')).toBeVisible()
  await shown(page)
  await photograph(page, 'chat', 'stopped')
})

test('A list with what she has not read', async ({ neighbour, signedUp }) => {
  const lucia = await neighbour('lucia.ferrer')
  for (const name of ['Camila Duarte', 'Amina Haddad', 'Wanjiru Kamau del Campo de la Frontera', 'Yuki'])
    await (async (person) =>
      say(person, await talkOf(person, lucia), `¿Nos vemos el domingo entonces, o ya no?`))(
      await signedUp(name),
    )
  const { page } = lucia
  await page.goto('/chat')
  await expect(row(page, 'Camila').getByText('Unread')).toBeAttached()
  await photograph(page, 'chat', 'unread')
})
