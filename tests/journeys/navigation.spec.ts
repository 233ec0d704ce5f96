import { readFileSync } from 'node:fs'
import { expect, test } from './fixtures.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'
import { holdRequestsToUrl } from './request-steps.ts'

/** Omits Home, whose code the layout includes. */
function screenFiles(): string[] {
  const manifest: Record<string, { file: string }> = JSON.parse(
    readFileSync('dist/web/.vite/manifest.json', 'utf8'),
  )
  return Object.entries(manifest)
    .filter(([source]) => /-screens?\.tsx$/.test(source) && !source.includes('features/admin/'))
    .map(([, { file }]) => file)
}

test('a page opened by URL starts at the top, whatever the previous scroll position; a reload keeps the position', async ({
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

test('AUTH-17 a member’s page requests its code and data in parallel with the session, each once; a visitor’s page requests neither @quick', async ({
  signedUp,
  page: visitor,
}) => {
  const { page } = await signedUp('ana')
  const asked: string[] = []
  const said: string[] = []
  page.on('request', (request) => asked.push(request.url().slice(new URL(request.url()).origin.length)))
  page.on('console', (message) => said.push(message.text()))
  const release = await holdRequestsToUrl(page, '**/v1/me/session')
  await page.goto('/explore')
  const wanted = ['/v1/me/session', '/v1/me', '/v1/explore']
  await expect.poll(() => wanted.filter((path) => !asked.includes(path))).toEqual([])
  await expect.poll(() => asked.some((path) => /^\/assets\/member-frame-/.test(path))).toBe(true)
  release()
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
  expect(wanted.map((path) => asked.filter((other) => other === path).length)).toEqual([1, 1, 1])
  await page.unroute('**/v1/me/session')

  const initiators = () =>
    page.evaluate(() =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).map(
        ({ name, initiatorType }) => [new URL(name).pathname, initiatorType] as const,
      ),
    )
  for (const [address, first] of [
    ['/explore', ['/v1/explore']],
    ['/all-users', ['/v1/people']],
    ['/groups', ['/v1/groups']],
    ['/saved', ['/v1/saved']],
    ['/chat', ['/v1/conversations']],
  ] as const) {
    asked.length = 0
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
    await page.waitForLoadState('networkidle')
    for (const path of ['/v1/me/session', '/v1/me'])
      expect(asked.filter((other) => other === path)).toHaveLength(1)
    const begun = await initiators()
    for (const path of ['/v1/me/session', '/v1/me', ...first])
      expect(begun.find(([name]) => name === path)?.[1], `${address}: ${path}`).toBe('link')
  }
  // The browser would warn about unused preloads. The journeys block the service worker, which a slow page tells too.
  expect(said.filter((text) => !text.startsWith('Service Worker registration blocked'))).toEqual([])

  const askedByVisitor: string[] = []
  visitor.on('request', (request) => askedByVisitor.push(new URL(request.url()).pathname))
  await visitor.goto('/sign-in')
  await expect(visitor.getByLabel('Email')).toBeVisible()
  await visitor.waitForLoadState('networkidle')
  const ownParts = ['/v1/me/session', '/v1/sessions/passkey-options', '/v1/sign-in-providers']
  expect(askedByVisitor.filter((path) => path.startsWith('/v1/') && !ownParts.includes(path))).toEqual([])
  expect(askedByVisitor).toContain('/v1/me/session')
  expect(askedByVisitor.some((path) => /^\/assets\/member-frame-/.test(path))).toBe(false)
})

test.describe('in a browser without a cache', () => {
  test.use({ fresh: true })

  test('Home loads at most 172 kB of code before it preloads the other screens when idle', async ({
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
    // The page preloads after five idle seconds of its own clock, however long Home takes to appear.
    let passed = 0
    await expect(async () => {
      const step = Math.min(100, 4900 - passed)
      passed += step
      await page.clock.runFor(step)
      await expect(page.getByRole('main').getByRole('button', { name: 'Share' })).toBeVisible({
        timeout: 100,
      })
    }).toPass({ intervals: [100] })
    await page.clock.runFor(4900 - passed)
    await page.waitForLoadState('networkidle')
    const loaded = (await Promise.all(sizes)).reduce((all, size) => all + size, 0)
    expect(loaded).toBeGreaterThan(100_000)
    expect(loaded).toBeLessThanOrEqual(172_000)
  })

  test('NAV-17 a screen opened offline loads when the connection returns, and after an idle minute every screen opens offline', async ({
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
    await context.setOffline(true)
    await page.getByRole('link', { name: 'Groups', exact: true }).first().click()
    await expect(main.getByRole('button', { name: 'Try again' })).toBeVisible()
    await expect(page.getByText('Unexpected Application Error!')).toHaveCount(0)
    await context.setOffline(false)
    await expect(main.getByRole('heading', { level: 1 })).toHaveText('Groups')
    await page.getByRole('link', { name: 'Home', exact: true }).first().click()
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
