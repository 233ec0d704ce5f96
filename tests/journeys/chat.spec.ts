import type { Locator, Page } from '@playwright/test'
import {
  locateConversationRow,
  locateMessageBubble,
  locateMessageInput,
  locateMessageThread,
  locateSendButton,
  locateUserSearchInput,
  openConversationPage,
  openConversationViaApi,
  sendMessageViaApi,
} from './chat-steps.ts'
import { expect, type JourneyMemberWithPage, test, toastRegion } from './fixtures.ts'
import { followMemberViaApi } from './post-steps.ts'

const sidebar = (page: Page) => page.locator('#chat-sidebar')
const option = (page: Page, person: Pick<JourneyMemberWithPage, 'username'>) =>
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
  await expect(locateUserSearchInput(page)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No conversations yet' })).toBeVisible()
  await expect(page.getByText("Start a conversation by visiting someone's profile")).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Welcome to Chat' })).toBeVisible()
  await expect(page.getByText('Elige una conversación para empezar a chatear.')).toHaveAttribute('lang', 'es')
  await page.getByRole('main').getByRole('link', { name: 'Find people' }).click()
  await expect(page).toHaveURL('/all-users')
})

test('CHAT-01 CHAT-02 CHAT-20 CHAT-24 the address says which conversation is open, and the path wins', async ({
  member,
  signedUp,
}) => {
  const [ana, bea, carla] = [await signedUp('ana'), await signedUp('Bea Ortiz'), await member('carla')]
  const [withBea, withCarla] = [
    await openConversationViaApi(ana, bea),
    await openConversationViaApi(ana, carla),
  ]
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
    await expect(locateConversationRow(page, person.name).getByRole('link')).toHaveAttribute(
      'aria-current',
      'true',
    )
  }
  expect((await sidebar(page).boundingBox())?.width).toBe(320)
})

test('CHAT-03 CHAT-06 CHAT-08 CHAT-09 CHAT-12 she finds carla by her name and opens the same conversation each time', async ({
  member,
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const carla = await member('Carla Pinto')
  const { page } = ana
  await page.goto('/chat')
  await locateUserSearchInput(page).fill('   ')
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await locateUserSearchInput(page).fill('nadie se llama así')
  await expect(page.getByText('No se encontraron usuarios')).toBeVisible()
  await locateUserSearchInput(page).fill(ana.username)
  await expect(page.getByText('No se encontraron usuarios')).toBeVisible()

  await locateUserSearchInput(page).fill(carla.username)
  await option(page, carla).click()
  await expect(page).toHaveURL(/\/chat\?conversation=/)
  const address = page.url()
  await page.goto('/chat')
  await locateUserSearchInput(page).fill(carla.username)
  const dropdown = page.getByRole('listbox').locator('..')
  await expect(option(page, carla)).toBeVisible()
  expect(await dropdown.evaluate((box) => getComputedStyle(box).maxHeight)).toBe('240px')
  await locateUserSearchInput(page).press('ArrowDown')
  await locateUserSearchInput(page).press('Enter')
  await expect(page).toHaveURL(address)
})

test('CHAT-07 CHAT-11 it searches 300 ms after the last letter and hides 200 ms after she leaves the box', async ({
  member,
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  const { page } = ana
  await page.clock.install()
  await page.goto('/chat')
  await expect(page.getByRole('heading', { name: 'No conversations yet' })).toBeVisible()
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/search/people') && asked.push(request.url()))
  const found = page.waitForResponse('**/v1/search/people?*')
  await page.clock.pauseAt(Date.now() + 60_000)
  await locateUserSearchInput(page).fill(bea.username)
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
  await locateUserSearchInput(page).blur()
  await page.clock.runFor(199)
  await expect(option(page, bea)).toBeVisible()
  await page.clock.runFor(1)
  await expect(option(page, bea)).toBeHidden()
  await locateUserSearchInput(page).focus()
  await expect(option(page, bea)).toBeVisible()
})

test('CHAT-13 a search that fails finds nobody and says nothing else', async ({ signedUp }) => {
  const { page } = await signedUp('ana')
  await page.route('**/v1/search/people*', (route) => route.fulfill({ status: 500, json: { message: 'no' } }))
  await page.goto('/chat')
  const logged = page.waitForEvent('console', (message) => message.type() === 'error')
  await locateUserSearchInput(page).fill('bea')
  await logged
  await expect(page.getByText('No se encontraron usuarios')).toBeVisible()
  await expect(toastRegion(page).getByRole('listitem')).toHaveCount(0)
})

test('CHAT-14 CHAT-17 a row tells who, what and when; a dot until it is opened', async ({
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

test('CHAT-21 the sidebar closes and opens', async ({ member, signedUp }) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  const { page } = ana
  await page.goto(`/chat/${await openConversationViaApi(ana, bea)}`)
  const close = page.getByRole('button', { name: 'Close sidebar' })
  await expect(close).toHaveAttribute('aria-expanded', 'true')
  await close.click()
  await expect(locateUserSearchInput(page)).toBeHidden()
  const opener = page.getByRole('button', { name: 'Open sidebar' })
  await expect(opener).toHaveAttribute('aria-expanded', 'false')
  await opener.click()
  await expect(locateUserSearchInput(page)).toBeVisible()
})

test('CHAT-23 below 768 px it closes once a conversation is selected, from there on it stays', async ({
  member,
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  const talk = await openConversationViaApi(ana, bea)
  await sendMessageViaApi(bea, talk, 'hola')
  const { page } = ana
  for (const [width, stays] of [
    [767, false],
    [768, true],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/chat')
    await locateConversationRow(page, 'bea').getByRole('link').click()
    await expect(page).toHaveURL(`/chat/${talk}`)
    await expect(locateMessageInput(page)).toBeVisible()
    await expect(locateUserSearchInput(page)).toBeVisible({ visible: stays })
  }
})

test('CHAT-22 on the phone the list covers the thread, and the menu brings it back @phone', async ({
  member,
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  const talk = await openConversationViaApi(ana, bea)
  const { page } = ana
  await page.goto('/chat')
  await expect(locateUserSearchInput(page)).toBeVisible()
  await page.goto(`/chat/${talk}`)
  await expect(locateMessageInput(page)).toBeVisible()
  await expect(locateUserSearchInput(page)).toBeHidden()
  await page.getByRole('button', { name: 'Open sidebar' }).tap()
  await expect(locateUserSearchInput(page)).toBeVisible()
  await expect(locateMessageInput(page)).toBeHidden()
  await page.getByRole('button', { name: 'Close sidebar' }).tap()
  await expect(locateMessageInput(page)).toBeVisible()
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

test('CHAT-27 a chat that cannot be started says so, from profile, card and search', async ({
  member,
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
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
  await locateUserSearchInput(page).fill(bea.username)
  await option(page, bea).click()
  await refused()
})

test('CHAT-29 the conversation of others is not found; nothing goes on loading, and a link leads to her own @both', async ({
  member,
  signedUp,
}) => {
  const [ana, bea, carla] = [await member('ana'), await member('bea'), await signedUp('carla')]
  const talk = await openConversationViaApi(ana, bea)
  const { page } = carla
  await page.goto(`/chat/${talk}`)
  const thread = page.getByRole('region', { name: 'Conversation', exact: true })
  await expect(thread.getByRole('heading', { name: 'Conversation not found' })).toBeVisible()
  await expect(locateMessageInput(page)).toHaveCount(0)
  await expect(thread.locator('[class*=animate-sweep]')).toHaveCount(0)
  await thread.getByRole('link', { name: 'Back to Chat' }).click()
  await expect(page).toHaveURL('/chat')
  await expect(locateUserSearchInput(page)).toBeVisible()
})

test('long words, right-to-left text and many lines stay inside their bubbles @both', async ({
  member,
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  const talk = await openConversationViaApi(ana, bea)
  for (const text of ['W'.repeat(4000), 'مرحبا يا صديقتي', '👩‍👩‍👧‍👧 '.repeat(20), 'a\nb\nc'])
    await sendMessageViaApi(bea, talk, text)
  const page = await openConversationPage(ana, talk)
  await expect(locateMessageBubble(page, 'مرحبا')).toBeVisible()
  const wide = await locateMessageThread(page).evaluate((all) => {
    const scroller = all.parentElement as HTMLElement
    return scroller.scrollWidth - scroller.clientWidth
  })
  expect(wide).toBe(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
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

test('a tap on Send sends, and she can write on @phone', async ({ member, signedUp }) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  const page = await openConversationPage(ana, await openConversationViaApi(ana, bea))
  const bar = page.getByRole('navigation', { name: 'Main' })
  await locateMessageInput(page).tap()
  await expect(bar).toBeHidden()
  await page.keyboard.type('Hola, bea')
  await locateSendButton(page).tap()
  await expect(locateMessageBubble(page, 'Hola, bea')).toBeVisible()
  await expect(locateMessageInput(page)).toHaveValue('')
  await expect(locateMessageInput(page)).toBeFocused()
  await expect(bar).toBeHidden()
})

test('a phone that is turned, and a window that changes its width, leave her at the newest message @phone', async ({
  member,
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  const talk = await openConversationViaApi(ana, bea)
  await sendMessageViaApi(bea, talk, 'Una carta entera. '.repeat(200))
  await sendMessageViaApi(bea, talk, 'La última.')
  const page = await openConversationPage(ana, talk)
  const last = locateMessageBubble(page, 'La última.')
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

test('CHAT-33 where there is a mouse she can write at once, in a conversation opened by address or from the list', async ({
  member,
  signedUp,
}) => {
  const [ana, bea, carla] = [await signedUp('ana'), await member('bea'), await member('carla')]
  const [withBea, withCarla] = [
    await openConversationViaApi(ana, bea),
    await openConversationViaApi(ana, carla),
  ]
  await sendMessageViaApi(bea, withBea, 'hola')
  await sendMessageViaApi(carla, withCarla, 'buenas')
  const page = await openConversationPage(ana, withBea)
  await expect(locateMessageInput(page)).toBeFocused()
  await locateConversationRow(page, carla.name).getByRole('link').click()
  await expect(locateMessageBubble(page, 'buenas')).toBeVisible()
  await expect(locateMessageInput(page)).toBeFocused()
})

test('CHAT-33 on a phone no keyboard comes up by itself @phone', async ({ member, signedUp }) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  const page = await openConversationPage(ana, await openConversationViaApi(ana, bea))
  await expect(locateMessageInput(page)).not.toBeFocused()
})

test('CHAT-34 the number of unread conversations stands in the title until they are read, on every page', async ({
  member,
  signedUp,
}) => {
  const [ana, bea, carla] = [await signedUp('ana'), await member('bea'), await member('carla')]
  const [withBea, withCarla] = [
    await openConversationViaApi(ana, bea),
    await openConversationViaApi(ana, carla),
  ]
  await sendMessageViaApi(bea, withBea, 'hola')
  const { page } = ana
  await page.goto('/')
  await expect(page).toHaveTitle('(1) Home · Juntas')
  await sendMessageViaApi(carla, withCarla, 'buenas')
  await expect(page).toHaveTitle('(2) Home · Juntas')
  await page.getByRole('link', { name: 'Saved', exact: true }).first().click()
  await expect(page).toHaveTitle('(2) Saved Posts · Juntas')
  await openConversationPage(ana, withBea)
  await expect(page).toHaveTitle('(1) Chat · Juntas')
  await locateConversationRow(page, carla.name).getByRole('link').click()
  await expect(page).toHaveTitle('Chat · Juntas')
})

test('CHAT-35 a message over 4,000 characters says so, is not sent and loses nothing', async ({
  member,
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  const page = await openConversationPage(ana, await openConversationViaApi(ana, bea))
  const [whole, long] = ['a'.repeat(4000), 'a'.repeat(4001)]
  await locateMessageInput(page).fill(long)
  await expect(page.getByText('At most 4,000 characters: 4001/4000')).toBeVisible()
  await expect(locateMessageInput(page)).toHaveAttribute('aria-invalid', 'true')
  await expect(locateMessageInput(page)).toHaveAccessibleDescription('At most 4,000 characters: 4001/4000')
  await expect(locateSendButton(page)).toBeDisabled()
  await locateMessageInput(page).press('Control+Enter')
  await expect(locateMessageInput(page)).toHaveValue(long)
  await locateMessageInput(page).fill(whole)
  await expect(locateMessageInput(page)).not.toHaveAttribute('aria-invalid')
  await expect(locateSendButton(page)).toBeEnabled()
})
