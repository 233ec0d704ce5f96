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

export type JourneyMember = {
  $id: string
  accountId: string
  name: string
  username: string
  email: string
  password: string
  /** Sends requests in the member's session, for example to `/v1/feed`. */
  request: APIRequestContext
}

export type JourneyMemberWithPage = JourneyMember & { page: Page; context: BrowserContext }

type Journey = {
  violations: string[]
  /** Signs up through the API. Numbers make usernames unique. */
  member: (name: string) => Promise<JourneyMember>
  fresh: boolean
  newBrowser: () => Promise<BrowserContext>
  signedUp: (name: string) => Promise<JourneyMemberWithPage>
}

let count = 0
const plain = (name: string) =>
  name
    .normalize('NFD')
    .replace(/[^a-zA-Z0-9]+/g, '')
    .toLowerCase()
    .slice(0, 12)

export function signUpFormFixture(name: string) {
  count += 1
  const username = `${plain(name)}${process.pid}${count}`
  return { name, username, email: `${username}@juntas.test`, password: 'una clave larga' }
}

type Place = {
  server: RunningServer
  /** Tests with the same name share a server that no other tests use. */
  ownServer: string
  withAppwrite: boolean
  contextPool: ContextPool
}

export const test = base.extend<Journey, Place>({
  ownServer: ['', { option: true, scope: 'worker' }],
  withAppwrite: [true, { option: true, scope: 'worker' }],

  server: [
    async ({ ownServer: _, withAppwrite }, use) => {
      const by = withAppwrite ? 'sources' : 'product'
      const server = await startServer({ by, durable: false, env: { LIMITS: 'off' } })
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 300_000 },
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

/** The headless shell has no back/forward cache and crashes when it shows notifications. */
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

async function signUp(request: APIRequestContext, name: string): Promise<Omit<JourneyMember, 'request'>> {
  const form = signUpFormFixture(name)
  // The server may close an idle connection just as the request uses it.
  const registered = await request.post('/v1/members', { data: form, maxRetries: 2 })
  expect(registered.status()).toBe(201)
  const { email, password } = form
  const session = await request.post('/v1/sessions', { data: { email, password } })
  expect(session.status()).toBe(201)
  const ids: { $id: string; accountId: string } = await registered.json()
  return { ...form, ...ids }
}

export const toastRegion = (page: Page) =>
  page.getByRole('region', { name: /^(Notifications|Avisos) \(F8\)$/ })

export async function loseNextPostResponse(page: Page, path: string): Promise<void> {
  let lost = false
  await page.route(`**${path}`, async (route) => {
    if (lost || route.request().method() !== 'POST') return route.fallback()
    lost = true
    expect((await route.fetch()).status()).toBe(201)
    await route.abort()
  })
}

/** Uploads are slow because the server decodes the pictures. */
export const uploadExpectTimeoutOptions = { timeout: 60_000 }

/** Waits for the socket's first frame. */
export async function openPageWithSocket(page: Page, path: string): Promise<Page> {
  const greeted = Promise.withResolvers<void>()
  const listen = (socket: WebSocket) => socket.once('framereceived', () => greeted.resolve())
  // Ignores the previous page's socket.
  page.once('framenavigated', () => page.on('websocket', listen))
  await page.goto(path)
  await greeted.promise
  page.off('websocket', listen)
  return page
}

export const fulfillWithServerError = (route: Route) =>
  route.fulfill({ status: 500, json: { message: 'Server Error', code: 500 } })
