import type { BrowserContext, Page, Route } from '@playwright/test'
import { Pool } from 'pg'
import { createHttpTransport } from '#api-client/http-transport.ts'
import { startServer } from '#scripts/harness/server-process.ts'
import { buildDemoEmail, createDemoData, demoPassword } from '#scripts/seed/create-demo-data.ts'
import { expect, type JourneyMemberWithPage, test as journey, toastRegion } from '#tests/journeys/fixtures.ts'

export { expect }

/** Sizes in pixels, as in the mock-ups. */
const viewports = [
  { width: 360, height: 740 },
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 1000 },
]
const themes = ['light', 'dark'] as const

type AtHand = {
  neighbour: (username: string) => Promise<JourneyMemberWithPage>
}

export const test = journey.extend<AtHand>({
  server: [
    async ({ ownServer: _ }, use) => {
      const server = await startServer({ durable: false, env: { LIMITS: 'off' } })
      const pool = new Pool({ connectionString: server.databaseUrl() })
      await createDemoData({ api: createHttpTransport(server.url), pool, say: () => {} })
      await pool.end()
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 600_000 },
  ],

  neighbour: async ({ browser, server }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (username) => {
      const context = await browser.newContext({ baseURL: server.url })
      contexts.push(context)
      const email = buildDemoEmail(username)
      await context.request.post('/v1/sessions', { data: { email, password: demoPassword } })
      const me = await (await context.request.get('/v1/me')).json()
      return {
        ...me,
        username,
        email,
        password: demoPassword,
        context,
        request: context.request,
        page: await context.newPage(),
      }
    })
    for (const context of contexts) await context.close()
  },
})

/**
 * Saves `.cache/screens/<screen>-<state>-<width>-<theme>.png`.
 * @param options.whole captures the whole page instead of the visible window
 */
export async function takeResponsiveScreenshots(
  page: Page,
  screen: string,
  state: string,
  options: { whole?: boolean } = {},
): Promise<void> {
  const { whole = false } = options
  for (const viewport of viewports) {
    await page.setViewportSize(viewport)
    // Otherwise the fixed bars would appear in the middle of the screenshot.
    if (whole) {
      const height = await page.evaluate(() => document.documentElement.scrollHeight)
      await page.setViewportSize({ ...viewport, height })
    }
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme })
      await allPictures(page)
      await page.screenshot({
        path: `.cache/screens/${screen}-${state}-${viewport.width}-${colorScheme}.png`,
        animations: 'disabled',
      })
    }
  }
}

/** Saves `.cache/screens/<screen>-<state>-<width>-forced-<theme>.png` and `…-still.png` for phone and desktop. */
export async function takeForcedColorsScreenshots(page: Page, screen: string, state: string): Promise<void> {
  for (const viewport of viewports.filter(({ width }) => [390, 1440].includes(width))) {
    await page.setViewportSize(viewport)
    const path = `.cache/screens/${screen}-${state}-${viewport.width}`
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme, forcedColors: 'active' })
      await allPictures(page)
      await page.screenshot({ path: `${path}-forced-${colorScheme}.png`, animations: 'disabled' })
    }
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none', reducedMotion: 'reduce' })
    await allPictures(page)
    await page.screenshot({ path: `${path}-still.png` })
    await page.emulateMedia({ reducedMotion: 'no-preference' })
  }
}

/** Pictures that fail count as loaded. */
async function allPictures(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready
    const seen = [...document.images].filter((image) => {
      const { top, bottom } = image.getBoundingClientRect()
      return bottom > 0 && top < innerHeight
    })
    await Promise.all(seen.map((image) => image.decode().catch(() => {})))
  })
}

const api = (path: RegExp) => (url: URL) => url.pathname.startsWith('/v1/') && path.test(url.pathname)

export const leaveApiRequestsPending = (page: Page, path: RegExp) => page.route(api(path), () => {})

/** The app does not retry this error. */
export const failApiRequests = (page: Page, path: RegExp) =>
  page.route(api(path), (route: Route) => route.fulfill({ status: 400, json: { message: '', code: 400 } }))

type Screen = {
  name: string
  by: string
  address: string | ((me: JourneyMemberWithPage) => string | Promise<string>)
  asks: RegExp
}

export function defineScreenStateScreenshots({ name, by, address, asks }: Screen): void {
  const addressFor = (me: JourneyMemberWithPage) => (typeof address === 'string' ? address : address(me))

  test(`${name} while it loads`, async ({ neighbour }) => {
    const me = await neighbour(by)
    const where = await addressFor(me)
    await leaveApiRequestsPending(me.page, asks)
    await me.page.goto(where)
    await expect(me.page.getByText('Still loading…').first()).toBeVisible()
    await takeResponsiveScreenshots(me.page, name, 'loading')
  })

  test(`${name} when it fails`, async ({ neighbour }) => {
    const me = await neighbour(by)
    const where = await addressFor(me)
    await failApiRequests(me.page, asks)
    await me.page.goto(where)
    await expect(me.page.getByRole('alert').or(toastRegion(me.page).getByRole('listitem'))).toBeVisible()
    await takeResponsiveScreenshots(me.page, name, 'failed')
  })

  test(`${name} offline`, async ({ neighbour }) => {
    const me = await neighbour(by)
    const where = await addressFor(me)
    await me.page.goto(where)
    // Each width has its own pictures, which could not load offline.
    for (const viewport of viewports) {
      await me.page.setViewportSize(viewport)
      await me.page.waitForLoadState('networkidle')
    }
    await me.context.setOffline(true)
    await expect(me.page.getByText('You’re offline.')).toBeVisible()
    await takeResponsiveScreenshots(me.page, name, 'offline')
  })
}

export async function findDemoDocument<T>(
  me: JourneyMemberWithPage,
  path: string,
  which: (document: T) => boolean,
): Promise<T> {
  const { documents }: { documents: T[] } = await (await me.request.get(path)).json()
  const found = documents.find(which)
  if (!found) throw new Error(`${path} has none of these`)
  return found
}
