/** What every journey has at hand: a real server of its own worker, and people who have just signed up. */
import {
  type APIRequestContext,
  type BrowserContext,
  test as base,
  expect,
  type Locator,
  type Page,
} from '@playwright/test'
import { type RunningServer, startServer } from '#tests/server.ts'

export { expect }

/** Somebody with an account, and a browser in which she is signed in. */
export type Person = {
  /** Her profile's id. */
  $id: string
  accountId: string
  name: string
  username: string
  email: string
  password: string
  page: Page
  context: BrowserContext
  /** Calls in her name; paths from the server's root, e.g. `/v1/feed`. */
  request: APIRequestContext
}

type Journey = {
  /** What a page's policy stopped it from doing, as the browser reports it: after every journey there must be nothing. */
  violations: string[]
  /** Signs somebody up through the API; her username is the name with a number, so that every test has its own. */
  signedUp: (name: string) => Promise<Person>
}

let count = 0
const plain = (name: string) =>
  name
    .normalize('NFD')
    .replace(/[^a-zA-Z0-9]+/g, '')
    .toLowerCase()
    .slice(0, 12)

/** What a sign-up form wants to know of somebody new. */
export function newcomer(name: string) {
  count += 1
  const username = `${plain(name)}${process.pid}${count}`
  return { name, username, email: `${username}@juntas.test`, password: 'una clave larga' }
}

type Place = {
  server: RunningServer
  /** On a server where no other journey has been. */
  alone: boolean
}

export const test = base.extend<Journey, Place>({
  alone: [false, { option: true, scope: 'worker' }],

  server: [
    async ({ alone: _ }, use) => {
      const server = await startServer({ env: { LIMITS: 'off' } })
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],

  baseURL: async ({ server }, use) => use(server.url),

  violations: async ({ browserName: _ }, use) => {
    const violations: string[] = []
    await use(violations)
    expect(violations).toEqual([])
  },

  context: async ({ context, violations }, use) => {
    await collectViolations(context, violations)
    await use(context)
  },

  signedUp: async ({ browser, server, violations }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (name) => {
      const context = await browser.newContext({ baseURL: server.url })
      contexts.push(context)
      await collectViolations(context, violations)
      const form = newcomer(name)
      const registered = await context.request.post('/v1/members', { data: form })
      expect(registered.status()).toBe(201)
      const { email, password } = form
      const session = await context.request.post('/v1/account/sessions/email', { data: { email, password } })
      expect(session.status()).toBe(201)
      const ids: { $id: string; accountId: string } = await registered.json()
      return { ...form, ...ids, context, request: context.request, page: await context.newPage() }
    })
    for (const context of contexts) await context.close()
  },
})

async function collectViolations(context: BrowserContext, violations: string[]): Promise<void> {
  await context.exposeBinding('reportViolation', (_, report: string) => void violations.push(report))
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { violatedDirective, blockedURI, sample, sourceFile } = event
      // The tracer's own: it loads a chosen picture that failed once more, from outside of any script.
      if (violatedDirective === 'connect-src' && blockedURI === 'blob' && !sourceFile) return
      const { reportViolation } = globalThis as unknown as { reportViolation: (report: string) => void }
      reportViolation(`${violatedDirective} ${blockedURI} ${sample} in ${sourceFile}`)
    })
  })
}

/** The one toast region of the page. */
export const toastRegion = (page: Page) =>
  page.getByRole('region', { name: /^(Notifications|Avisos) \(F8\)$/ })

/** Lets the next `POST` to a path arrive, and its answer get lost on the way. */
export async function loseAnswer(page: Page, path: string): Promise<void> {
  let lost = false
  await page.route(`**${path}`, async (route) => {
    if (lost || route.request().method() !== 'POST') return route.fallback()
    lost = true
    expect((await route.fetch()).status()).toBe(201)
    await route.abort()
  })
}

/** Presses a button again before the page has heard of the first press, as a doubled Enter can. */
export const pressTwice = (button: Locator) =>
  button.evaluate((element: HTMLElement) => {
    element.click()
    element.click()
  })

/**
 * Lets no live update reach the page: it shows what it asked for itself, and asks for nothing again because it has begun to
 * listen.
 */
export const unheard = (page: Page) => page.routeWebSocket('**/v1/realtime?*', () => {})
