/** What every picture of a screen has at hand: a neighbourhood that is lived in, its people, and a camera. */
import type { BrowserContext, Page, Route } from '@playwright/test'
import { Pool } from 'pg'
import { expect, test as journey, type Person } from '#tests/journeys/fixtures.ts'
import { remote } from '#tests/remote.ts'
import { startServer } from '#tests/server.ts'
import { emailOf, moveIn, password } from '../../scripts/seed/move-in.ts'

export { expect }

/** Pixels, as the mock-ups have them. */
const viewports = [
  { width: 360, height: 740 },
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 1000 },
]
const themes = ['light', 'dark'] as const

type AtHand = {
  /** One of the neighbours, signed in. */
  neighbour: (username: string) => Promise<Person>
}

export const test = journey.extend<AtHand>({
  server: [
    async ({ alone: _ }, use) => {
      const server = await startServer({ env: { LIMITS: 'off' } })
      const pool = new Pool({ connectionString: server.databaseUrl() })
      await moveIn({ door: remote(server.url), pool, say: () => {} })
      await pool.end()
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],

  neighbour: async ({ browser, server }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (username) => {
      const context = await browser.newContext({ baseURL: server.url })
      contexts.push(context)
      const email = emailOf(username)
      await context.request.post('/v1/account/sessions/email', { data: { email, password } })
      const me = await (await context.request.get('/v1/me')).json()
      return {
        ...me,
        username,
        email,
        password,
        context,
        request: context.request,
        page: await context.newPage(),
      }
    })
    for (const context of contexts) await context.close()
  },
})

/**
 * Takes a screen in one state at every width, light and dark: `.cache/screens/<screen>-<state>-<width>-<theme>.png`.
 * @param options.whole down to its end, not as far as the window shows it
 */
export async function photograph(
  page: Page,
  screen: string,
  state: string,
  options: { whole?: boolean } = {},
): Promise<void> {
  const { whole = false } = options
  for (const viewport of viewports) {
    await page.setViewportSize(viewport)
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme })
      await allPictures(page, whole)
      await page.screenshot({
        path: `.cache/screens/${screen}-${state}-${viewport.width}-${colorScheme}.png`,
        fullPage: whole,
        animations: 'disabled',
      })
    }
  }
}

/** Waits for the fonts and for every picture that will be seen; one that fails has arrived, too. */
async function allPictures(page: Page, whole: boolean): Promise<void> {
  await page.evaluate(async (whole) => {
    if (whole) for (const image of document.images) image.loading = 'eager'
    await document.fonts.ready
    const seen = [...document.images].filter(
      (image) => image.loading === 'eager' || image.getBoundingClientRect().top < innerHeight,
    )
    await Promise.all(seen.map((image) => image.decode().catch(() => {})))
  }, whole)
}

const api = (path: RegExp) => (url: URL) => url.pathname.startsWith('/v1/') && path.test(url.pathname)

/** Leaves what a page asks of a path without an answer. */
export const keepWaiting = (page: Page, path: RegExp) => page.route(api(path), () => {})

/** Fails what a page asks of a path, in a way that is not tried again. */
export const breakDown = (page: Page, path: RegExp) =>
  page.route(api(path), (route: Route) => route.fulfill({ status: 400, json: { message: '', code: 400 } }))
