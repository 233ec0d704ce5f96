import type { Page } from '@playwright/test'
import { startDeploySimulatingProxy } from '#scripts/harness/deploy-simulating-proxy.ts'
import { expect, test, toastRegion } from './fixtures.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'
import { openWithServiceWorker, waitForServiceWorker, waitUntilHomeIsCached } from './service-worker-steps.ts'

// A service worker stays registered in its browser.
test.use({ serviceWorkers: 'allow', fresh: true })

const main = (page: Page) => page.getByRole('main')
const newVersion = (page: Page) => toastRegion(page).getByText('A new version is available.')

test('PWA-01 PWA-02 ana’s browser finds icons and shortcuts to install Juntas, and only the app’s own service worker can register', async ({
  signedUp,
  violations,
}) => {
  const { page, context, request } = await signedUp('Ana')
  await page.goto('/')
  await waitForServiceWorker(page)
  expect(await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.scriptURL)).toBe(
    new URL('/sw.js', page.url()).href,
  )
  expect(violations).toEqual([])
  const refused = await page.evaluate(async () => {
    const { trustedTypes } = globalThis as unknown as {
      trustedTypes: { createPolicy: (name: string, rules: object) => unknown }
    }
    const attempts: Record<string, () => unknown> = {
      address: () => navigator.serviceWorker.register('/sw.js'),
      other: () => trustedTypes.createPolicy('other', {}),
      second: () => trustedTypes.createPolicy('juntas-worker', {}),
    }
    const names: string[] = []
    for (const [name, attempt] of Object.entries(attempts)) {
      try {
        await attempt()
      } catch {
        names.push(name)
      }
    }
    return names
  })
  expect(refused).toEqual(['address', 'other', 'second'])
  await expect.poll(() => violations.length).toBeGreaterThanOrEqual(3)
  violations.length = 0

  await page.reload()
  const devtools = await context.newCDPSession(page)
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  // Test browsers are temporary, which causes the only error.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
  const { errors, data = '', manifest } = await devtools.send('Page.getAppManifest')
  expect(errors).toEqual([])
  expect(manifest.id).toBe(new URL('/', page.url()).href)
  const { icons, shortcuts } = JSON.parse(data)
  expect(icons).toEqual(
    expect.arrayContaining(
      ['any', 'maskable'].flatMap((purpose) =>
        [192, 512].map((size) => ({
          src: `/icon-${size}.png`,
          sizes: `${size}x${size}`,
          type: 'image/png',
          purpose,
        })),
      ),
    ),
  )
  for (const { src } of icons) expect((await request.get(src)).status()).toBe(200)
  expect(shortcuts.map(({ name, url }: { name: string; url: string }) => [name, url])).toEqual([
    ['Create Post', '/create-post'],
    ['Chat', '/chat'],
  ])
})

test('PWA-03 online every page comes from the server with its first data; offline the cached page opens', async ({
  signedUp,
  server,
}) => {
  await using proxy = await startDeploySimulatingProxy(server.url)
  const { page } = await signedUp('Ana')
  await openWithServiceWorker(page, proxy.url)
  await expect(main(page).getByRole('heading', { name: 'Following' })).toBeVisible()
  // Only the server's page has the `member` entry. If the server is slow, the worker shows the cached page.
  await expect(async () => {
    await page.reload()
    const [loads] = await page.evaluate(
      () => performance.getEntriesByType('navigation') as PerformanceNavigationTiming[],
    )
    expect(loads?.serverTiming.map(({ name }) => name)).toContain('member')
    await expect(main(page).getByRole('heading', { name: 'Following' })).toBeVisible()
    const asked = await page.evaluate(
      () => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/v1/feed')).length,
    )
    // Through the worker, the page also contains its first responses.
    expect(asked).toBe(0)
  }).toPass()
  await waitUntilHomeIsCached(page, 0)
  proxy.cut(true)
  await page.goto(`${proxy.url}/saved`)
  const notice = page.getByRole('status').filter({ hasText: 'Juntas isn’t answering.' })
  await expect(notice).toBeVisible()
  proxy.cut(false)
  await expect(notice).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Saved Posts' })).toBeVisible()
})

test('PWA-04 while the server does not answer, Home shows the cached posts, and all posts once the server answers', async ({
  signedUp,
  member,
  server,
}) => {
  await using proxy = await startDeploySimulatingProxy(server.url)
  const [ana, bea] = [await signedUp('Ana'), await member('Bea')]
  await followMemberViaApi(ana, bea)
  await publishPostViaApi(bea, { caption: 'El mar de hoy' })
  const { page } = ana
  await page.goto(proxy.url)
  await expect(main(page).getByText('El mar de hoy')).toBeVisible()
  await waitForServiceWorker(page)
  await waitUntilHomeIsCached(page, 1)
  await publishPostViaApi(bea, { caption: 'Y el monte' })
  const release = proxy.hold()
  await page.goto(proxy.url, { waitUntil: 'commit' })
  const notice = page.getByRole('status').filter({ hasText: 'Juntas isn’t answering.' })
  await expect(notice).toHaveText(/^Juntas isn’t answering\. You see what was loaded at \d{1,2}:\d\d\.$/)
  await expect(main(page).getByRole('article')).toHaveCount(1)
  await expect(main(page).locator('article [data-picture=shown]')).toHaveCount(1)
  release()
  await expect(main(page).getByText('Y el monte')).toBeVisible()
  await expect(notice).toHaveCount(0)
})

test('PWA-03 ana’s open page keeps working after a deploy', async ({ signedUp, server }) => {
  await using proxy = await startDeploySimulatingProxy(server.url)
  const { page } = await signedUp('Ana')
  await openWithServiceWorker(page, proxy.url)
  await expect(main(page).getByRole('heading', { name: 'Following' })).toBeVisible()
  proxy.deploy()
  const navigation = page.getByRole('navigation', { name: 'Main' })
  for (const [link, heading] of [
    ['Groups', 'Groups'],
    ['Create Post', 'Create Post'],
    ['People', 'People'],
  ] as const) {
    await navigation.getByRole('link', { name: link }).click()
    await expect(main(page).getByRole('heading', { level: 1 })).toContainText(heading)
  }
})

test.describe('in a browser without service workers', () => {
  test.use({ serviceWorkers: 'block' })

  test("PWA-03 after a deploy, bea's open page offers a reload when a file is missing", async ({
    signedUp,
    server,
  }) => {
    await using proxy = await startDeploySimulatingProxy(server.url)
    const { page } = await signedUp('Bea')
    await page.goto(proxy.url)
    await expect(main(page).getByRole('heading', { name: 'Following' })).toBeVisible()
    proxy.deploy()
    await page.getByRole('link', { name: 'Settings' }).first().click()
    await expect(main(page).getByText('Juntas has a new version.')).toBeVisible()
    await main(page).getByRole('button', { name: 'Reload' }).click()
    await expect(main(page).getByRole('heading', { name: 'Settings' })).toBeVisible()
  })
})

const askForUpdate = (page: Page) =>
  page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())?.update()))

const scriptsOf = (page: Page) =>
  page.evaluate(() => [...document.scripts].map((script) => script.getAttribute('src')).join())

test('PWA-12 Juntas announces a new version and loads it when ana presses “Update”, but not while she writes and never by itself', async ({
  signedUp,
  server,
}) => {
  await using proxy = await startDeploySimulatingProxy(server.url)
  const { page, context } = await signedUp('Ana')
  await openWithServiceWorker(page, `${proxy.url}/create-post`)
  await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('Create Post')
  await waitForServiceWorker(page)
  // The app offers no update during its first seconds.
  await page.waitForFunction(() => performance.now() > 6000)
  await page.getByLabel('Caption').fill('Una foto que todavía no está')
  await page.evaluate(() => Object.assign(globalThis, { stays: true }))
  const before = await scriptsOf(page)
  proxy.deploy()
  await askForUpdate(page)
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.ready).waiting?.state))
    .toBe('installed')
  await expect(newVersion(page)).toHaveCount(0)
  await page.getByLabel('Caption').fill('')
  await expect(newVersion(page)).toBeVisible()
  expect(await page.evaluate(() => 'stays' in globalThis)).toBe(true)

  const other = await context.newPage()
  await other.goto(`${proxy.url}/saved`)
  await other.evaluate(() => Object.assign(globalThis, { stays: true }))
  await toastRegion(page).getByRole('button', { name: 'Update' }).click()
  await expect.poll(() => scriptsOf(page).catch(() => before)).not.toBe(before)
  await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('Create Post')
  // The other page uses the new service worker without reloading.
  await expect
    .poll(() => other.evaluate(async () => (await navigator.serviceWorker.ready).waiting))
    .toBe(null)
  expect(await other.evaluate(() => 'stays' in globalThis)).toBe(true)
})

test('PWA-12 a new version takes over when Juntas is opened again', async ({ signedUp, server }) => {
  await using proxy = await startDeploySimulatingProxy(server.url)
  const { page, context } = await signedUp('Ana')
  await openWithServiceWorker(page, proxy.url)
  proxy.deploy()
  await askForUpdate(page)
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.ready).waiting?.state))
    .toBe('installed')
  await page.close()
  // Until the browser notices that the last page has closed, new pages use the old version.
  await expect(async () => {
    const later = await context.newPage()
    try {
      await later.goto(proxy.url)
      await expect(main(later).getByRole('heading', { name: 'Following' })).toBeVisible()
      const waiting = () => later.evaluate(async () => (await navigator.serviceWorker.ready).waiting)
      await expect.poll(waiting, { timeout: 2000 }).toBe(null)
      const versions = await later.evaluate(async () =>
        (await caches.keys()).filter((name) => name.startsWith('juntas-app-')),
      )
      expect(versions).toHaveLength(2)
    } finally {
      await later.close()
    }
  }).toPass()
})
