/** What every journey has at hand: a real server of its own worker, and people who have just signed up. */
import {
  type APIRequestContext,
  type BrowserContext,
  test as base,
  expect,
  type LaunchOptions,
  type Page,
  type Route,
  type WebSocket,
} from '@playwright/test'
import { findChromium } from '#scripts/find-chromium.ts'
import { type RunningServer, startServer } from '#scripts/harness/server-process.ts'
import { type ContextPool, createContextPool } from './context-pool.ts'

export { expect }

/** Somebody with an account, who is signed in. */
export type JourneyMember = {
  /** Her profile's id. */
  $id: string
  accountId: string
  name: string
  username: string
  email: string
  password: string
  /** Calls in her name; paths from the server's root, e.g. `/v1/feed`. */
  request: APIRequestContext
}

/** A member with the browser in which she is signed in. */
export type JourneyMemberWithPage = JourneyMember & { page: Page; context: BrowserContext }

type Journey = {
  /** What a page's policy stopped it from doing, as the browser reports it: after every journey there must be nothing. */
  violations: string[]
  /** Signs somebody up through the API; her username is the name with a number, so that every test has its own. */
  member: (name: string) => Promise<JourneyMember>
  /** In browsers that have never been to Juntas: their caches are empty. */
  fresh: boolean
  /** Opens a browser of somebody's own, in which nobody is signed in. */
  newBrowser: () => Promise<BrowserContext>
  /** As `member`, with a browser of her own. */
  signedUp: (name: string) => Promise<JourneyMemberWithPage>
}

let count = 0
const plain = (name: string) =>
  name
    .normalize('NFD')
    .replace(/[^a-zA-Z0-9]+/g, '')
    .toLowerCase()
    .slice(0, 12)

/** What a sign-up form wants to know of somebody new. */
export function signUpFormFixture(name: string) {
  count += 1
  const username = `${plain(name)}${process.pid}${count}`
  return { name, username, email: `${username}@juntas.test`, password: 'una clave larga' }
}

type Place = {
  server: RunningServer
  /** A name for journeys that share a server with none but those of the same name. Every name is another worker. */
  ownServer: string
  /** Whether the server speaks the Appwrite dialect. */
  dialect: boolean
  contextPool: ContextPool
}

export const test = base.extend<Journey, Place>({
  ownServer: ['', { option: true, scope: 'worker' }],
  dialect: [true, { option: true, scope: 'worker' }],

  server: [
    async ({ ownServer: _, dialect }, use) => {
      const by = dialect ? 'sources' : 'product'
      const server = await startServer({ by, durable: false, env: { LIMITS: 'off' } })
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

  contextPool: [
    async ({ browser, server }, use) => use(createContextPool(browser, server.url)),
    { scope: 'worker' },
  ],

  fresh: [false, { option: true }],

  newBrowser: async ({ contextPool, fresh, viewport, violations }, use, info) => {
    const kind = fresh ? `fresh ${info.testId}` : JSON.stringify(viewport)
    const contexts: BrowserContext[] = []
    await use(async () => {
      const context = await contextPool.open(kind, violations)
      contexts.push(context)
      return context
    })
    const keep = !fresh && info.status === info.expectedStatus
    for (const context of contexts) await contextPool.close(context, keep)
  },

  context: async ({ newBrowser }, use) => use(await newBrowser()),

  member: async ({ playwright, server }, use) => {
    const requests: APIRequestContext[] = []
    await use(async (name) => {
      const request = await playwright.request.newContext({ baseURL: server.url })
      requests.push(request)
      return { ...(await signUp(request, name)), request }
    })
    for (const request of requests) await request.dispose()
  },

  signedUp: async ({ newBrowser }, use) => {
    await use(async (name) => {
      const context = await newBrowser()
      const { request } = context
      return { ...(await signUp(request, name)), request, context, page: await context.newPage() }
    })
  },
})

/**
 * Runs the journeys of a file in the whole browser: the headless shell keeps no page for Back and crashes where it is to show a
 * notification.
 */
export const runInFullBrowser = (more: LaunchOptions = {}) =>
  test.use({
    launchOptions: [
      async ({ launchOptions }, use) => {
        const executablePath = findChromium()
        await use({ ...launchOptions, ...more, ...(executablePath ? { executablePath } : {}) })
      },
      { scope: 'worker' },
    ],
  })

/** Whoever calls with `request` is she from then on. */
async function signUp(request: APIRequestContext, name: string): Promise<Omit<JourneyMember, 'request'>> {
  const form = signUpFormFixture(name)
  // A kept connection may be closed by the server in the moment it is used again.
  const registered = await request.post('/v1/members', { data: form, maxRetries: 2 })
  expect(registered.status()).toBe(201)
  const { email, password } = form
  const session = await request.post('/v1/sessions', { data: { email, password } })
  expect(session.status()).toBe(201)
  const ids: { $id: string; accountId: string } = await registered.json()
  return { ...form, ...ids }
}

/** The one toast region of the page. */
export const toastRegion = (page: Page) =>
  page.getByRole('region', { name: /^(Notifications|Avisos) \(F8\)$/ })

/** Lets the next `POST` to a path arrive, and its answer get lost on the way. */
export async function loseNextPostResponse(page: Page, path: string): Promise<void> {
  let lost = false
  await page.route(`**${path}`, async (route) => {
    if (lost || route.request().method() !== 'POST') return route.fallback()
    lost = true
    expect((await route.fetch()).status()).toBe(201)
    await route.abort()
  })
}

/** How long a page may take that sends a picture first, and the server decodes it: longer than all else. */
export const uploadExpectTimeoutOptions = { timeout: 60_000 }

/** Opens a page and waits until its socket is greeted: what happens from then on is heard. */
export async function openPageWithSocket(page: Page, path: string): Promise<Page> {
  const greeted = Promise.withResolvers<void>()
  const listen = (socket: WebSocket) => socket.once('framereceived', () => greeted.resolve())
  // Of the new page alone: the one before may just be opening a socket, which nobody greets any more.
  page.once('framenavigated', () => page.on('websocket', listen))
  await page.goto(path)
  await greeted.promise
  page.off('websocket', listen)
  return page
}

/** What a server that is broken answers. */
export const fulfillWithServerError = (route: Route) =>
  route.fulfill({ status: 500, json: { message: 'Server Error', code: 500 } })
