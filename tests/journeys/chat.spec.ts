import AxeBuilder from '@axe-core/playwright'
import type { Locator, Page } from '@playwright/test'
import { box, bubble, list, open, row, say, search, sendButton, talkOf, thread } from './chatting.ts'
import { expect, type Person, test, toastRegion } from './fixtures.ts'

const sidebar = (page: Page) => page.locator('#chat-sidebar')
const option = (page: Page, person: Pick<Person, 'username'>) =>
  page.getByRole('option').filter({ hasText: `@${person.username}` })
const badge = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByText('unread conversations:')

test('CHAT-04 CHAT-05 CHAT-16 CHAT-18 CHAT-19 eva, who is new, finds nothing selected and nobody yet', async ({
  signedUp,
}) => {
  const { page } = await signedUp('eva')
  await page.goto('/chat')
  await expect(page).toHaveTitle('Chat · Juntas')
  await expect(page.getByRole('heading', { level: 2, name: 'Messages' })).toBeVisible()
  await expect(search(page)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No conversations yet' })).toBeVisible()
  await expect(page.getByText("Start a conversation by visiting someone's profile")).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Welcome to Chat' })).toBeVisible()
  await expect(page.getByText('Elige una conversación para empezar a chatear.')).toHaveAttribute('lang', 'es')
})

test('CHAT-01 CHAT-02 CHAT-20 CHAT-24 the address says which conversation is open, and the path wins', async ({
  signedUp,
}) => {
  const [ana, bea, carla] = [await signedUp('ana'), await signedUp('Bea Ortiz'), await signedUp('carla')]
  const [withBea, withCarla] = [await talkOf(ana, bea), await talkOf(ana, carla)]
  const { page } = ana
  const head = page.getByRole('region', { name: 'Conversation' }).getByRole('link').first()
  for (const [address, person] of [
    [`/chat/${withBea}`, bea],
    [`/chat?conversation=${withCarla}`, carla],
    [`/chat/${withBea}?conversation=${withCarla}`, bea],
  ] as const) {
    await page.goto(address)
    await expect(head).toContainText(person.name)
    await expect(head).toContainText(`@${person.username}`)
    await expect(head).toHaveAttribute('href', `/profile/${person.$id}`)
    await expect(row(page, person.name).getByRole('link')).toHaveAttribute('aria-current', 'true')
  }
  expect((await sidebar(page).boundingBox())?.width).toBe(320)
})

test('CHAT-03 CHAT-06 CHAT-08 CHAT-09 CHAT-12 she finds carla by her name and opens the same conversation each time', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const carla = await signedUp('Carla Pinto')
  const { page } = ana
  await page.goto('/chat')
  await search(page).fill('   ')
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await search(page).fill('nadie se llama así')
  await expect(page.getByText('No se encontraron usuarios')).toBeVisible()
  await search(page).fill(ana.username)
  await expect(page.getByText('No se encontraron usuarios')).toBeVisible()

  await search(page).fill(carla.username)
  await option(page, carla).click()
  await expect(page).toHaveURL(/\/chat\?conversation=/)
  const address = page.url()
  await page.goto('/chat')
  await search(page).fill(carla.username)
  const dropdown = page.getByRole('listbox').locator('..')
  await expect(option(page, carla)).toBeVisible()
  expect(await dropdown.evaluate((box) => getComputedStyle(box).maxHeight)).toBe('240px')
  await search(page).press('ArrowDown')
  await search(page).press('Enter')
  await expect(page).toHaveURL(address)
})

test('CHAT-07 CHAT-11 it searches 300 ms after the last letter and hides 200 ms after she leaves the box', async ({
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
  const { page } = ana
  await page.clock.install()
  await page.goto('/chat')
  await expect(page.getByRole('heading', { name: 'No conversations yet' })).toBeVisible()
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/search/people') && asked.push(request.url()))
  const found = page.waitForResponse('**/v1/search/people?*')
  await page.clock.pauseAt(Date.now() + 60_000)
  await search(page).fill(bea.username)
  await page.clock.runFor(299)
  expect(asked).toEqual([])
  await page.clock.runFor(1)
  await (await found).finished()
  // What the page does with the answer takes a moment of its own clock.
  await expect(async () => {
    await page.clock.runFor(5)
    await expect(option(page, bea)).toBeVisible({ timeout: 200 })
  }).toPass()
  expect(asked).toHaveLength(1)
  await search(page).blur()
  await page.clock.runFor(199)
  await expect(option(page, bea)).toBeVisible()
  await page.clock.runFor(1)
  await expect(option(page, bea)).toBeHidden()
  await search(page).focus()
  await expect(option(page, bea)).toBeVisible()
})

test('CHAT-13 a search that fails finds nobody and says nothing else', async ({ signedUp }) => {
  const { page } = await signedUp('ana')
  await page.route('**/v1/search/people*', (route) => route.fulfill({ status: 500, json: { message: 'no' } }))
  await page.goto('/chat')
  const logged = page.waitForEvent('console', (message) => message.type() === 'error')
  await search(page).fill('bea')
  await logged
  await expect(page.getByText('No se encontraron usuarios')).toBeVisible()
  await expect(toastRegion(page).getByRole('listitem')).toHaveCount(0)
})

test('CHAT-14 CHAT-17 a row tells who, what and when; a dot until it is opened', async ({ signedUp }) => {
  const [ana, bea, carla] = [await signedUp('ana'), await signedUp('Bea Ortiz'), await signedUp('carla')]
  const withBea = await talkOf(ana, bea)
  await say(bea, withBea, '¿Nos vemos el domingo?')
  await say(ana, await talkOf(ana, carla), 'Hola, carla')
  const { page } = ana
  await page.goto('/chat')
  const unread = row(page, 'Bea Ortiz')
  await expect(unread).toContainText('¿Nos vemos el domingo?')
  await expect(unread).toContainText('Just now')
  await expect(unread.getByText('Unread')).toBeAttached()
  await expect(unread.locator('img')).toBeVisible()
  await expect(row(page, 'carla')).toContainText('You: Hola, carla')
  await expect(row(page, 'carla').getByText('Unread')).toHaveCount(0)
  await expect(badge(page)).toHaveText('unread conversations: 1')
  await unread.getByRole('link').click()
  await expect(page).toHaveURL(`/chat/${withBea}`)
  await expect(bubble(page, 'domingo')).toBeVisible()
  await expect(unread.getByText('Unread')).toHaveCount(0)
  await expect(badge(page)).toHaveCount(0)
  await page.reload()
  await expect(row(page, 'carla')).toBeVisible()
  await expect(unread.getByText('Unread')).toHaveCount(0)
})

test('CHAT-21 the sidebar closes and opens', async ({ signedUp }) => {
  const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
  const { page } = ana
  await page.goto(`/chat/${await talkOf(ana, bea)}`)
  const close = page.getByRole('button', { name: 'Close sidebar' })
  await expect(close).toHaveAttribute('aria-expanded', 'true')
  await close.click()
  await expect(search(page)).toBeHidden()
  const opener = page.getByRole('button', { name: 'Open sidebar' })
  await expect(opener).toHaveAttribute('aria-expanded', 'false')
  await opener.click()
  await expect(search(page)).toBeVisible()
})

test('CHAT-23 below 768 px it closes once a conversation is selected, from there on it stays', async ({
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
  const talk = await talkOf(ana, bea)
  const { page } = ana
  for (const [width, stays] of [
    [767, false],
    [768, true],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/chat')
    await row(page, 'bea').getByRole('link').click()
    await expect(page).toHaveURL(`/chat/${talk}`)
    await expect(box(page)).toBeVisible()
    await expect(search(page)).toBeVisible({ visible: stays })
  }
})

test('CHAT-22 on the phone the list covers the thread, and the menu brings it back @phone', async ({
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
  const talk = await talkOf(ana, bea)
  const { page } = ana
  await page.goto('/chat')
  await expect(search(page)).toBeVisible()
  await page.goto(`/chat/${talk}`)
  await expect(box(page)).toBeVisible()
  await expect(search(page)).toBeHidden()
  await page.getByRole('button', { name: 'Open sidebar' }).tap()
  await expect(search(page)).toBeVisible()
  await expect(box(page)).toBeHidden()
  await page.getByRole('button', { name: 'Close sidebar' }).tap()
  await expect(box(page)).toBeVisible()
})

test('PROF-11 PROF-12 USR-07 USR-09 CHAT-25 a Chat button on her profile and her card, never on one’s own', async ({
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
  const talk = await talkOf(bea, ana)
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

test('CHAT-27 a chat that cannot be started says so, from profile, card and search', async ({ signedUp }) => {
  const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
  const { page } = ana
  await page.route('**/v1/conversations', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 500, json: { message: 'Server Error', code: 500 } })
      : route.fallback(),
  )
  const refused = async () => {
    await expect(toastRegion(page)).toContainText('Error')
    await expect(toastRegion(page)).toContainText('Failed to start conversation. Please try again.')
  }
  await page.goto(`/profile/${bea.$id}`)
  await page.getByRole('button', { name: 'Chat with bea' }).click()
  await refused()
  await page.goto('/all-users')
  const card = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: `@${bea.username}` })
  await card.getByRole('button', { name: 'Chat with bea' }).click()
  await refused()
  await page.goto('/chat')
  await search(page).fill(bea.username)
  await option(page, bea).click()
  await refused()
})

test('CHAT-29 the conversation of others is not found; nothing goes on loading, and a link leads to her own @both', async ({
  signedUp,
}) => {
  const [ana, bea, carla] = [await signedUp('ana'), await signedUp('bea'), await signedUp('carla')]
  const talk = await talkOf(ana, bea)
  const { page } = carla
  await page.goto(`/chat/${talk}`)
  const thread = page.getByRole('region', { name: 'Conversation', exact: true })
  await expect(thread.getByRole('heading', { name: 'Conversation not found' })).toBeVisible()
  await expect(box(page)).toHaveCount(0)
  await expect(thread.locator('[class*=animate-sweep]')).toHaveCount(0)
  await thread.getByRole('link', { name: 'Back to Chat' }).click()
  await expect(page).toHaveURL('/chat')
  await expect(search(page)).toBeVisible()
})

test('long words, right-to-left text and many lines stay inside their bubbles @both', async ({
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
  const talk = await talkOf(ana, bea)
  for (const text of ['W'.repeat(4000), 'مرحبا يا صديقتي', '👩‍👩‍👧‍👧 '.repeat(20), 'a\nb\nc'])
    await say(bea, talk, text)
  const page = await open(ana, talk)
  await expect(bubble(page, 'مرحبا')).toBeVisible()
  const wide = await thread(page).evaluate((all) => {
    const scroller = all.parentElement as HTMLElement
    return scroller.scrollWidth - scroller.clientWidth
  })
  expect(wide).toBe(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
})

test('with the keyboard of a phone open, the box stands above it and the newest message in sight @phone', async ({
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
  const talk = await talkOf(ana, bea)
  for (let number = 1; number <= 20; number++) await say(bea, talk, `Mensaje ${number}.`)
  // A test has no keyboard: this is how a browser tells of one that covers the page.
  await ana.page.addInitScript(() => {
    const seen = Object.assign(new EventTarget(), { scale: 1, offsetTop: 0, height: innerHeight })
    Object.defineProperty(window, 'visualViewport', { value: seen })
    addEventListener('keyboard', () => {
      seen.height = innerHeight - 300
      seen.dispatchEvent(new Event('resize'))
    })
  })
  const page = await open(ana, talk)
  await expect(bubble(page, 'Mensaje 20.')).toBeInViewport()
  const bottomOf = async (part: Locator) => {
    const place = await part.boundingBox()
    return (place?.y ?? 0) + (place?.height ?? 0)
  }
  await page.evaluate(() => dispatchEvent(new Event('keyboard')))
  await expect.poll(() => bottomOf(box(page))).toBeLessThanOrEqual(844 - 300)
  const last = bubble(page, 'Mensaje 20.')
  await expect.poll(async () => (await bottomOf(last)) < ((await box(page).boundingBox())?.y ?? 0)).toBe(true)
})

test('a tap on Send sends, and she can write on @phone', async ({ signedUp }) => {
  const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
  const page = await open(ana, await talkOf(ana, bea))
  const bar = page.getByRole('navigation', { name: 'Main' })
  await box(page).tap()
  await expect(bar).toBeHidden()
  await page.keyboard.type('Hola, bea')
  await sendButton(page).tap()
  await expect(bubble(page, 'Hola, bea')).toBeVisible()
  await expect(box(page)).toHaveValue('')
  await expect(box(page)).toBeFocused()
  await expect(bar).toBeHidden()
})

test('a phone that is turned, and a window that changes its width, leave her at the newest message @phone', async ({
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
  const talk = await talkOf(ana, bea)
  await say(bea, talk, 'Una carta entera. '.repeat(200))
  await say(bea, talk, 'La última.')
  const page = await open(ana, talk)
  const last = bubble(page, 'La última.')
  await expect(last).toBeInViewport({ ratio: 1 })
  for (const [width, height] of [
    [844, 390],
    [390, 844],
    [768, 1024],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height })
    await expect(last).toBeInViewport({ ratio: 1 })
  }
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing in list, thread and search, ${colorScheme} @both`, async ({ signedUp }) => {
    const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
    const talk = await talkOf(ana, bea)
    await say(ana, talk, 'Hola, bea')
    await say(bea, talk, 'Hola, ana')
    await ana.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const page = await open(ana, talk)
    await expect(bubble(page, 'Hola, ana')).toBeVisible()
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
    await page.goto('/chat')
    await expect(list(page)).toBeVisible()
    await search(page).fill(bea.username)
    await expect(option(page, bea)).toBeVisible()
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  })
}
