import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { holdRequestsToUrl } from './network-steps.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'

const entries = [
  ['Home', '/'],
  ['Explore', '/explore'],
  ['People', '/all-users'],
  ['Groups', '/groups'],
  ['Chat', '/chat'],
  ['Saved', '/saved'],
  ['Create Post', '/create-post'],
]

/** The files of the built web that hold screens. Home's code comes with what surrounds every screen. */
function screenFiles(): string[] {
  const manifest: Record<string, { file: string }> = JSON.parse(
    readFileSync('dist/web/.vite/manifest.json', 'utf8'),
  )
  return Object.entries(manifest)
    .filter(([source]) => /-screens?\.tsx$/.test(source))
    .map(([, { file }]) => file)
}

const main = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const sidebar = (page: Page) => page.getByRole('complementary', { name: 'Sidebar' })
const links = (page: Page) =>
  main(page)
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute('href')]))
const current = (page: Page) => main(page).locator('[aria-current=page]')

test('NAV-01 NAV-02 NAV-06 NAV-07 the sidebar: brand, profile block, the seven entries in order', async ({
  signedUp,
}) => {
  const { page, $id, username } = await signedUp('ana')
  await page.goto('/')
  await expect(sidebar(page).getByRole('link', { name: 'Juntas' })).toHaveAttribute('href', '/')
  const block = sidebar(page).getByRole('link', { name: `@${username}` })
  await expect(block).toContainText('ana')
  await expect(block).toHaveAttribute('href', `/profile/${$id}`)
  expect(await links(page)).toEqual(entries)
  expect((await sidebar(page).boundingBox())?.width).toBe(256)
  await expect(page.getByRole('banner')).toHaveCount(0)

  await page.setViewportSize({ width: 1024, height: 800 })
  expect((await sidebar(page).boundingBox())?.width).toBe(92)
  expect(await links(page)).toEqual(entries)
})

test('NAV-01 NAV-03 NAV-11 NAV-12 on the phone: top bar, and the same entries in the bottom bar @phone @quick', async ({
  signedUp,
}) => {
  const { page, $id } = await signedUp('ana')
  await page.goto('/')
  await expect(sidebar(page)).toHaveCount(0)
  const top = page.getByRole('banner')
  await expect(top.getByRole('link', { name: 'Your profile' })).toHaveAttribute('href', `/profile/${$id}`)
  expect(await links(page)).toEqual(
    entries.map(([label, href]) => [label === 'Create Post' ? 'Create' : label, href]),
  )
  for (const link of await main(page).getByRole('link').all()) {
    const box = await link.boundingBox()
    expect(box?.width).toBeGreaterThanOrEqual(44)
    expect(box?.height).toBeGreaterThanOrEqual(44)
  }
  await top.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/sign-in')
})

test('NAV-04 NAV-09 each entry leads to its page without a reload, and only it is marked @both @quick', async ({
  signedUp,
}) => {
  const { page } = await signedUp('ana')
  await page.goto('/')
  await page.evaluate(() => document.body.setAttribute('data-same-load', 'yes'))
  for (const [label = '', path = ''] of [...entries].reverse()) {
    await main(page).locator(`a[href="${path}"]`).click()
    await expect(page).toHaveURL(path)
    await expect(current(page)).toHaveCount(1)
    await expect(current(page)).toHaveText(new RegExp(`^${label.split(' ')[0]}`))
  }
  await expect(page.locator('body')).toHaveAttribute('data-same-load', 'yes')
})

test('NAV-09 pages below an entry keep it marked, pages of no entry mark none', async ({ signedUp }) => {
  const { page, $id } = await signedUp('ana')
  for (const [path, label] of [
    ['/groups/knit', 'Groups'],
    ['/groups/create', 'Groups'],
    ['/update-group/knit', 'Groups'],
    ['/chat?conversation=somebody', 'Chat'],
  ] as const) {
    await page.goto(path)
    await expect(current(page)).toHaveText(label)
  }
  await page.goto(`/profile/${$id}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(current(page)).toHaveCount(0)
})

test('a new page starts at its heading and its top; Back returns to the place and to the link', async ({
  signedUp,
}) => {
  const { page } = await signedUp('ana')
  await page.setViewportSize({ width: 1280, height: 320 })
  await page.goto('/')
  const link = page.getByRole('link', { name: 'Explore users to follow →' })
  await link.focus()
  await page.evaluate(() => scrollTo(0, 110))
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(110)
  await link.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Explore' })).toBeFocused()
  await expect(page).toHaveTitle('Explore · Juntas')
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await page.goBack()
  await expect(page).toHaveTitle('Home · Juntas')
  await expect(link).toBeFocused()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(110)
})

test('a page that is opened by its address begins at its top, however far another was scrolled; a reload returns to the place', async ({
  signedUp,
}) => {
  const { page } = await signedUp('ana')
  const top = () => page.evaluate(() => scrollY)
  await page.setViewportSize({ width: 1280, height: 320 })
  await page.goto('/settings/privacy')
  await expect(page.getByRole('heading', { name: 'In conversations' })).toBeAttached()
  await page.evaluate(() => scrollTo(0, 300))
  await page.reload()
  await expect.poll(top).toBe(300)
  await page.goto('/settings/notifications')
  await expect(page.getByRole('main').getByRole('switch').first()).toBeAttached()
  await page.waitForFunction(() => document.documentElement.scrollHeight - innerHeight > 300)
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  expect(await top()).toBe(0)
})

test('Home asks for its code and its contents together with the question who she is, and for nothing twice', async ({
  signedUp,
}) => {
  const { page } = await signedUp('ana')
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const release = await holdRequestsToUrl(page, '**/v1/me/session')
  await page.goto('/')
  const wanted = ['/v1/me/session', '/v1/me', '/v1/feed', '/v1/people']
  await expect.poll(() => wanted.filter((path) => !asked.includes(path))).toEqual([])
  await expect.poll(() => asked.some((path) => /^\/assets\/member-/.test(path))).toBe(true)
  release()
  await expect(page.getByText('No posts available')).toBeVisible()
  expect(wanted.map((path) => asked.filter((other) => other === path).length)).toEqual([1, 1, 1, 1])
})

test('the document itself asks what Home begins with, each once, and the browser finds all of it used', async ({
  signedUp,
}) => {
  const { page } = await signedUp('ana')
  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))
  await page.goto('/')
  await expect(page.getByText('No posts available')).toBeVisible()
  const begunBy = await page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).map(
      ({ name, initiatorType }) => [new URL(name).pathname, initiatorType] as const,
    ),
  )
  for (const path of ['/v1/me/session', '/v1/me', '/v1/feed', '/v1/people']) {
    expect(begunBy.filter(([asked]) => asked === path)).toEqual([[path, 'link']])
  }
  expect(said).toEqual([])
})

for (const address of ['/explore', '/all-users', '/groups', '/saved', '/chat']) {
  test(`the document itself asks what ${address} begins with`, async ({ signedUp }) => {
    const { page } = await signedUp('ana')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
    await page.waitForLoadState('networkidle')
    const first =
      address === '/all-users' ? '/v1/people' : address === '/chat' ? '/v1/conversations' : `/v1${address}`
    for (const path of ['/v1/me/session', '/v1/me'])
      expect(asked.filter((other) => other === path)).toHaveLength(1)
    const begun = await page.evaluate(
      (path) =>
        (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
          .filter(({ name }) => new URL(name).pathname === path)
          .map(({ initiatorType }) => initiatorType)
          .at(0),
      first,
    )
    expect(begun).toBe('link')
  })
}

test('a visitor’s page asks for nothing of a member’s', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto('/sign-in')
  await expect(page.getByLabel('Email')).toBeVisible()
  await page.waitForLoadState('networkidle')
  const ownParts = ['/v1/me/session', '/v1/sessions/passkey-options']
  expect(asked.filter((path) => path.startsWith('/v1/') && !ownParts.includes(path))).toEqual([])
  expect(asked).toContain('/v1/me/session')
  expect(asked.some((path) => /^\/assets\/member-/.test(path))).toBe(false)
})

test('the first tab stop skips to the content', async ({ signedUp }) => {
  const { page } = await signedUp('ana')
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Tab')
  const skip = page.getByRole('button', { name: 'Skip to content' })
  await expect(skip).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

test('offline is said while it lasts, in the language of the page @both', async ({
  signedUp,
  page,
  context,
}) => {
  const ana = await signedUp('ana')
  await ana.page.goto('/saved')
  await expect(ana.page.getByRole('heading', { name: 'Saved Posts' })).toBeVisible()
  await ana.context.setOffline(true)
  const bar = ana.page.getByText('You’re offline. We’ll refresh when you’re back.')
  await expect(bar).toBeVisible()
  await ana.context.setOffline(false)
  await expect(bar).toHaveCount(0)

  await page.goto('/sign-in')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await context.setOffline(true)
  await expect(page.getByText('Estás sin conexión. Lo intentamos en cuanto vuelva.')).toBeVisible()
})

test('no page of the frame needs sideways scrolling, down to 320 px', async ({ signedUp, page }) => {
  const ana = await signedUp('ana')
  for (const [who, path] of [
    [page, '/sign-in'],
    [page, '/sign-up'],
    [ana.page, '/saved'],
    [ana.page, '/nowhere'],
  ] as const) {
    await who.goto(path)
    await expect(who.getByRole('heading', { level: 1 })).toBeVisible()
    for (const width of [320, 360, 390, 768, 900, 1024, 1100, 1280, 1440]) {
      await who.setViewportSize({ width, height: 700 })
      const wide = await who.evaluate(() => document.documentElement.scrollWidth)
      expect(wide, `${path} at ${width}`).toBeLessThanOrEqual(width)
    }
  }
})

test.describe('in a browser that has not been here', () => {
  test.use({ fresh: true })

  test('a screen first opened offline says so, and comes by itself when the connection is back', async ({
    signedUp,
  }) => {
    const { page, context } = await signedUp('ana')
    await page.goto('/')
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveText('Following')
    await context.setOffline(true)
    await page.getByRole('link', { name: 'Groups', exact: true }).first().click()
    await expect(page.getByRole('main').getByRole('button', { name: 'Try again' })).toBeVisible()
    await expect(page.getByText('Unexpected Application Error!')).toHaveCount(0)
    await context.setOffline(false)
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveText('Groups')
  })

  test('Home at rest has loaded at most 165 kB of code, before the other screens come', async ({
    member,
    signedUp,
  }) => {
    const [ana, bea] = [await signedUp('ana'), await member('bea')]
    await followMemberViaApi(ana, bea)
    await publishPostViaApi(bea, { caption: 'Para @nadie' })
    const { page } = ana
    const sizes: Promise<number>[] = []
    page.on('requestfinished', (request) => {
      if (/\.(js|css)$/.test(new URL(request.url()).pathname))
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
    })
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 1000)
    await page.goto('/')
    let passed = 0
    await expect(async () => {
      passed += 100
      await page.clock.runFor(100)
      await expect(page.getByRole('main').getByRole('button', { name: 'Share' })).toBeVisible({
        timeout: 100,
      })
    }).toPass({ intervals: [100] })
    await page.clock.runFor(Math.max(0, 4900 - passed))
    await page.waitForLoadState('networkidle')
    const loaded = (await Promise.all(sizes)).reduce((all, size) => all + size, 0)
    expect(loaded).toBeGreaterThan(100_000)
    expect(loaded).toBeLessThanOrEqual(165_000)
  })

  test('NAV-17 after the first idle minute every screen opens offline, as far as it needs no answer', async ({
    signedUp,
  }) => {
    const { page, context } = await signedUp('ana')
    const missing = new Set(screenFiles())
    expect(missing.size).toBeGreaterThan(20)
    page.on('requestfinished', (request) => missing.delete(new URL(request.url()).pathname.slice(1)))
    await page.clock.install()
    await page.goto('/')
    const main = page.getByRole('main')
    await expect(main.getByRole('heading', { level: 1 })).toHaveText('Following')
    let seconds = 0
    await expect(async () => {
      seconds += 1
      await page.clock.runFor(1000)
      expect([...missing]).toEqual([])
    }).toPass({ intervals: [100] })
    expect(seconds).toBeLessThanOrEqual(60)
    await context.setOffline(true)
    for (const [entry, heading] of [
      ['Explore', 'Explore'],
      ['People', 'People'],
      ['Groups', 'Groups'],
      ['Chat', 'Chat'],
      ['Saved', 'Saved Posts'],
      ['Create Post', 'Create Post'],
    ] as const) {
      await page.getByRole('link', { name: entry, exact: true }).first().click()
      await expect(main.getByRole('heading', { level: 1 })).toHaveText(heading)
      await expect(main.getByText('We couldn’t load this.')).toHaveCount(0)
    }
  })
})
