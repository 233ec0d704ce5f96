/** Test browsers have no push service: DevTools delivers, and a fake `PushManager` subscribes. */
import type { BrowserContext, Page } from '@playwright/test'
import { Client } from 'pg'
import type { PushMessage } from '#contract/notifications/push.ts'
import { expect, runInFullBrowser, test } from './fixtures.ts'
import { openWithServiceWorker } from './service-worker-steps.ts'

test.use({ serviceWorkers: 'allow', fresh: true })
runInFullBrowser()
// All tests share one worker, with its server and browser.
test.describe.configure({ mode: 'default' })

const main = (page: Page) => page.getByRole('main')

interface WorkerScope {
  registration: ServiceWorkerRegistration
  shown?: Promise<void>
}

/**
 * Chromium would drop the notification if queried before it appears.
 * @param message null has no content
 */
async function deliverPush(page: Page, message: PushMessage | null): Promise<void> {
  const [worker] = page.context().serviceWorkers()
  await worker?.evaluate(() => {
    const scope = self as unknown as WorkerScope
    const { registration } = scope
    scope.shown = new Promise((resolve, reject) => {
      registration.showNotification = async (...shown) => {
        Reflect.deleteProperty(registration, 'showNotification')
        await registration.showNotification(...shown).then(resolve, reject)
      }
    })
  })
  const devtools = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) =>
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations
      if (first) resolve(first.registrationId)
    }),
  )
  await devtools.send('ServiceWorker.enable')
  await devtools.send('ServiceWorker.deliverPushMessage', {
    origin: new URL(page.url()).origin,
    registrationId: await registered,
    data: JSON.stringify(message),
  })
  await devtools.detach()
  await worker?.evaluate(() => (self as unknown as WorkerScope).shown)
}

const shown = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    return (await registration.getNotifications()).map(({ title, body, tag, silent, data }) => ({
      title,
      body,
      tag,
      silent,
      data,
    }))
  })

async function stubPush(context: BrowserContext, { permission }: { permission: NotificationPermission }) {
  await context.addInitScript((answer) => {
    const state = { asked: 0, permission: sessionStorage.getItem('granted') ?? 'default' }
    Object.assign(globalThis, { pushState: state })
    Object.defineProperty(Notification, 'permission', { get: () => state.permission })
    Notification.requestPermission = async () => {
      state.asked += 1
      state.permission = answer
      sessionStorage.setItem('granted', answer)
      return answer
    }
    const bytes = (text: string) =>
      Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))
    const key = () => sessionStorage.getItem('pushKey')
    // The page may clear its storage.
    let current = sessionStorage.getItem('pushEndpoint')
    const subscription = (endpoint: string) => ({
      endpoint,
      options: { applicationServerKey: bytes(key() ?? '').buffer },
      toJSON: () => ({
        endpoint,
        keys: {
          p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
          auth: 'BTBZMqHH6r4Tts7J_aSIgg',
        },
      }),
      unsubscribe: async () => {
        current = null
        sessionStorage.removeItem('pushEndpoint')
        await (globalThis as unknown as { noteUnsubscribed?: () => Promise<void> }).noteUnsubscribed?.()
        return true
      },
    })
    Object.assign(PushManager.prototype, {
      getSubscription: async () => (current === null ? null : subscription(current)),
      subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
        current = `https://fcm.googleapis.com/fcm/send/${crypto.randomUUID()}`
        sessionStorage.setItem('pushEndpoint', current)
        sessionStorage.setItem('pushKey', applicationServerKey)
        return subscription(current)
      },
    })
  }, permission)
}

/** Clicks the only notification. @returns the URLs that it opened in new windows */
async function pressNotification(context: BrowserContext): Promise<string[] | undefined> {
  const [worker] = context.serviceWorkers()
  return worker?.evaluate(async () => {
    const scope = self as unknown as {
      registration: ServiceWorkerRegistration
      clients: { openWindow: (url: string) => Promise<null> }
    }
    const opened: string[] = []
    // Browsers open a window only after a real click.
    scope.clients.openWindow = async (url) => {
      opened.push(url)
      return null
    }
    const [notification] = await scope.registration.getNotifications()
    const event = new Event('notificationclick')
    const done: Promise<unknown>[] = []
    Object.assign(event, { notification, waitUntil: (promise: Promise<unknown>) => done.push(promise) })
    self.dispatchEvent(event)
    await Promise.all(done)
    return opened
  })
}

test('PUSH-02 PUSH-05 every push shows a notification, silent while a page is in front; pressing it opens its page in an open or a new tab', async ({
  signedUp,
}) => {
  const { page, context } = await signedUp('Ana')
  await context.grantPermissions(['notifications'])
  await openWithServiceWorker(page, '/saved')
  await deliverPush(page, { kind: 'message', badge: 1 })
  await expect
    .poll(() => shown(page))
    .toEqual([
      { title: 'Juntas', body: 'You have a new message', tag: 'message', silent: true, data: '/chat' },
    ])
  await deliverPush(page, { kind: 'message', name: 'Bea', badge: 1 })
  await deliverPush(page, { kind: 'news', badge: 2 })
  await expect
    .poll(async () => (await shown(page)).map(({ body }) => body).sort())
    .toEqual(['Bea wrote to you', 'There is news for you'])
  const [worker] = context.serviceWorkers()
  await worker?.evaluate(async () => {
    const { registration } = self as unknown as WorkerScope
    const [notification] = await registration.getNotifications({ tag: 'news' })
    const event = new Event('notificationclick')
    Object.assign(event, { notification, waitUntil: () => {} })
    self.dispatchEvent(event)
  })
  await expect(page).toHaveURL(/\/notifications$/)
  await expect.poll(async () => (await shown(page)).map(({ tag }) => tag)).toEqual(['message'])
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    for (const notification of await registration.getNotifications()) notification.close()
  })
  await expect.poll(() => shown(page)).toEqual([])

  const places: [PushMessage, string][] = [
    [{ kind: 'message', conversationId: 'charla', badge: 1 }, '/chat/charla'],
    [{ kind: 'like', postId: 'foto', badge: 1 }, '/posts/foto'],
    [{ kind: 'join-request', groupId: 'grupo', badge: 1 }, '/groups/grupo'],
    [{ kind: 'new-device', badge: 1 }, '/settings/security'],
    [{ kind: 'digest', badge: 1 }, '/notifications'],
    [{ kind: 'test', badge: 1 }, '/settings/notifications'],
  ]
  for (const [message, path] of places) {
    await deliverPush(page, message)
    await expect.poll(async () => (await shown(page)).length).toBe(1)
    expect(await pressNotification(context)).toEqual([])
    await expect(page).toHaveURL(path)
    await expect.poll(async () => (await shown(page)).length).toBe(0)
  }
  await deliverPush(page, { kind: 'like', postId: 'foto', badge: 1 })
  await expect.poll(async () => (await shown(page)).length).toBe(1)
  const { origin } = new URL(page.url())
  await page.goto('about:blank')
  expect(await pressNotification(context)).toEqual([`${origin}/posts/foto`])
})

test('OPD-10 a notification has the name of the community as its title', async ({ signedUp }) => {
  const { page, context } = await signedUp('Ana')
  await context.grantPermissions(['notifications'])
  await openWithServiceWorker(page, '/saved')
  const community = 'Las "Vecinas" & <b> 🏡'
  await deliverPush(page, { kind: 'message', community, badge: 1 })
  await expect.poll(async () => (await shown(page)).map(({ title }) => title)).toEqual([community])
})

test("PUSH-07 PUSH-09 PWA-07 push that ana turns on stays on after a reload; Logout ends her browser's push subscription", async ({
  signedUp,
}) => {
  const { page, context, request } = await signedUp('Ana')
  let ended = 0
  await context.exposeFunction('noteUnsubscribed', () => {
    ended += 1
  })
  await stubPush(context, { permission: 'granted' })
  await openWithServiceWorker(page, '/settings/notifications')
  await main(page).getByRole('button', { name: 'Turn on' }).click()
  await expect(main(page).getByText('Push is on for this device.')).toBeVisible()
  const endpoint = async () => (await (await request.get('/v1/me/push')).json()).endpoint
  const first = await endpoint()
  await page.evaluate(() => sessionStorage.removeItem('pushEndpoint'))
  await page.reload()
  await expect.poll(endpoint).not.toBe(first)
  await page.reload()
  await expect(main(page).getByText('Push is on for this device.')).toBeVisible()
  expect(ended).toBe(0)
  await page.getByRole('button', { name: 'Logout' }).first().click()
  await expect(page).toHaveURL(/\/sign-in$/)
  await expect.poll(() => ended).toBeGreaterThan(0)
})

const keepSomething = (page: Page) =>
  page.evaluate(async () => {
    await (await caches.open('juntas-pictures')).put('/secret', new Response('secret'))
    await new Promise((resolve) => {
      indexedDB.open('juntas-outgoing', 1).onsuccess = ({ target }) => {
        ;(target as IDBOpenDBRequest).result.close()
        resolve(undefined)
      }
    })
  })
const kept = (page: Page) =>
  page.evaluate(async () => [
    ...(await caches.keys()).filter((name) => !name.startsWith('juntas-app-')),
    ...(await indexedDB.databases()).map(({ name }) => name),
  ])
/** The service worker may reload the page meanwhile. */
const expectErased = (page: Page) =>
  expect(async () => {
    expect(await kept(page)).toEqual([])
    expect((await shown(page)).map(({ body }) => body)).toEqual(['You were logged out on this device'])
  }).toPass()

test("PUSH-09 SESS-04 an ended session's final push erases the browser's data and push subscription; an earlier session's final push erases nothing", async ({
  signedUp,
}) => {
  const { page, context, request } = await signedUp('Ana')
  await context.grantPermissions(['notifications'])
  await openWithServiceWorker(page, '/')
  const [worker] = context.serviceWorkers()
  // The service worker reads this subscription.
  await worker?.evaluate(() => {
    Object.assign(PushManager.prototype, {
      getSubscription: async () => ({
        unsubscribe: async () => {
          Object.assign(self, { isUnsubscribed: true })
          return true
        },
      }),
    })
  })
  const isUnsubscribed = () => worker?.evaluate(() => 'isUnsubscribed' in self)
  await keepSomething(page)
  // This push arrives days late, after Ana has signed in again.
  await deliverPush(page, { kind: 'farewell', badge: 0 })
  expect((await shown(page)).map(({ body, data }) => ({ body, data }))).toEqual([
    { body: 'An earlier session on this device was ended', data: '/settings/security' },
  ])
  expect(await kept(page)).toEqual(expect.arrayContaining(['juntas-pictures', 'juntas-outgoing']))
  await expect(page).toHaveURL(/\/$/)
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    for (const notification of await registration.getNotifications()) notification.close()
  })
  await worker?.evaluate(() => Reflect.deleteProperty(self, 'isUnsubscribed'))

  expect((await request.delete('/v1/sessions/current')).ok()).toBe(true)
  await expect(page).toHaveURL(/\/sign-in$/)
  await deliverPush(page, { kind: 'farewell', badge: 0 })
  await expectErased(page)
  await expect.poll(isUnsubscribed).toBe(true)
})

test("PUSH-09 SESS-04 the final push erases the browser's data even if the server does not answer whether the session has ended", async ({
  signedUp,
}) => {
  const { page, context, request } = await signedUp('Ana')
  await context.grantPermissions(['notifications'])
  await openWithServiceWorker(page, '/')
  expect((await request.delete('/v1/sessions/current')).ok()).toBe(true)
  await expect(page).toHaveURL(/\/sign-in$/)
  await keepSomething(page)
  const [worker] = context.serviceWorkers()
  await worker?.evaluate(() => {
    self.fetch = async () => {
      throw new TypeError('no connection')
    }
  })
  await deliverPush(page, { kind: 'farewell', badge: 0 })
  await expectErased(page)
})

test('OPD-10 after the operator renames the community, the cached page and a push without content have its new name', async ({
  signedUp,
  server,
}) => {
  const { page, context } = await signedUp('Ana')
  await context.grantPermissions(['notifications'])
  await openWithServiceWorker(page, '/saved')
  const db = new Client({ connectionString: server.databaseUrl() })
  await db.connect()
  try {
    await db.query(
      `insert into community (name) values ('Las Vecinas') on conflict (only_row) do update set name = excluded.name`,
    )
    const readCachedPage = () => page.evaluate(async () => (await caches.match('/'))?.text())
    await expect
      .poll(
        async () => {
          await page.reload()
          return readCachedPage()
        },
        { timeout: 60_000 },
      )
      .toContain(' data-community="Las Vecinas"')
    await deliverPush(page, null)
    await expect.poll(async () => (await shown(page)).map(({ title }) => title)).toEqual(['Las Vecinas'])
  } finally {
    await db.query('delete from community')
    await db.end()
  }
})
