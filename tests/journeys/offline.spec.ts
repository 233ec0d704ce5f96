import type { BrowserContext, Page } from '@playwright/test'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { locateMessageInput, openConversationViaApi, sendMessageViaApi } from './chat-steps.ts'
import { expect, type JourneyMemberWithPage, test } from './fixtures.ts'
import { answerJoinRequest, createGroupViaApi, submitJoinRequest } from './group-steps.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'
import { waitForServiceWorker, waitUntilHomeIsCached } from './service-worker-steps.ts'

// A service worker stays registered in its browser.
test.use({ serviceWorkers: 'allow', fresh: true })

const main = (page: Page) => page.getByRole('main')
const offlineSentence = /^You’re offline. You see what was loaded at \d{1,2}:\d\d\.$/
const groupsSentence = 'Posts of your groups are not kept on this device.'

/** Returns text without the app's files. Binary data is read as Latin-1. */
async function readStorages(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const found: string[] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const kept = await cache.match(request)
        // The app may have deleted the entry since the listing.
        if (!kept) continue
        const bytes = new Uint8Array(await kept.arrayBuffer())
        found.push(`${name} ${request.url}`, new TextDecoder('utf-8').decode(bytes), String(bytes.length))
      }
    }
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name)
        opening.onsuccess = () => resolve(opening.result)
        opening.onerror = () => reject(opening.error)
      })
      for (const store of database.objectStoreNames) {
        const all = database.transaction(store).objectStore(store).getAll()
        await new Promise((resolve) => {
          all.onsuccess = resolve
        })
        found.push(`${name} ${store} ${JSON.stringify(all.result)}`)
      }
      database.close()
    }
    found.push(JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }))
    return found.join('\n')
  })
}

async function listStored(page: Page, context: BrowserContext): Promise<string[]> {
  const names = await page.evaluate(async () => [
    ...(await caches.keys()).filter((name) => !name.startsWith('juntas-app-')).map((name) => `cache ${name}`),
    ...(await indexedDB.databases()).map(({ name }) => `database ${name}`),
    ...Object.keys(localStorage).map((key) => `local ${key}`),
    ...Object.keys(sessionStorage).map((key) => `session ${key}`),
  ])
  // The server detects unknown browsers by this cookie.
  const cookies = (await context.cookies()).filter(({ name }) => !name.endsWith('device_juntas'))
  // These are the scroll positions of this tab.
  const storageKeys = names.filter((name) => name !== 'session juntas:places')
  return [...storageKeys, ...cookies.map(({ name }) => `cookie ${name}`)]
}

/** Her stored Home has two public posts and one group post. */
async function openKeptHome(
  signedUp: (name: string) => Promise<JourneyMemberWithPage>,
  member: Parameters<Parameters<typeof test>[2]>[0]['member'],
) {
  const [ana, bea] = [await signedUp('Ana'), await member('Bea')]
  await followMemberViaApi(ana, bea)
  const group = await createGroupViaApi(bea, { name: 'Grupo secreto', description: 'Nadie lo sabe' })
  await answerJoinRequest(bea, 'approve', await submitJoinRequest(ana, group))
  const jpeg = (color: string) => createJpeg(color, 1200, 900)
  const posts = [
    await publishPostViaApi(bea, { caption: 'El mar de hoy', picture: await jpeg('#3252a8') }),
    await publishPostViaApi(bea, { caption: 'Y el monte', picture: await jpeg('#32a852') }),
  ]
  const secret = await publishPostViaApi(bea, {
    caption: 'Sólo para el grupo',
    groupId: group.$id,
    picture: await jpeg('#a83232'),
  })
  const { page } = ana
  await page.goto('/')
  await expect(main(page).getByText('Sólo para el grupo')).toBeVisible()
  await waitForServiceWorker(page)
  await waitUntilHomeIsCached(page, 2)
  return { ana, bea, group, posts, secret, page }
}

test('PWA-04 PWA-06 offline Home shows ana public posts, pictures and the load time after a reload or reopening, but no group posts @quick', async ({
  signedUp,
  member,
}) => {
  const { ana, page } = await openKeptHome(signedUp, member)
  await ana.context.setOffline(true)
  await page.reload()
  const seesKeptHome = async (at: Page) => {
    await expect(at.getByRole('status').filter({ hasText: 'offline' })).toHaveText(offlineSentence)
    await expect(main(at).getByRole('article')).toHaveCount(2)
    await expect(main(at).getByText('El mar de hoy')).toBeVisible()
    await expect(main(at).getByText(groupsSentence)).toBeVisible()
    await expect(at.getByText('Sólo para el grupo')).toHaveCount(0)
    await main(at).getByText('El mar de hoy').scrollIntoViewIfNeeded()
    await expect(main(at).locator('article [data-picture=shown]')).toHaveCount(2)
    // Suggestions are not stored, and their absence must not look like an empty list.
    await expect(at.getByText('Nobody here yet')).toHaveCount(0)
  }
  await seesKeptHome(page)
  await page.close()
  const later = await ana.context.newPage()
  await later.goto('/')
  await seesKeptHome(later)

  await ana.context.setOffline(false)
  await expect(main(later).getByText('Sólo para el grupo')).toBeVisible()
  await expect(later.getByText(offlineSentence)).toHaveCount(0)
  await expect(later.getByText(groupsSentence)).toHaveCount(0)
})

test('PWA-04 offline without cached data, ana reads that Juntas is unreachable, and the page opens when the connection returns', async ({
  signedUp,
}) => {
  const { page, context } = await signedUp('Ana')
  await page.goto('/saved')
  await waitForServiceWorker(page)
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'We can’t reach Juntas' })).toBeVisible()
  await context.setOffline(false)
  await expect(main(page).getByRole('heading', { name: 'Saved Posts' })).toBeVisible()
})

test('PWA-04 LANG-02 offline pages are in Spanish for a member who chose Spanish', async ({ signedUp }) => {
  const { page, context } = await signedUp('Ana')
  await page.request.put('/v1/me/language', { data: { language: 'es' } })
  await page.goto('/')
  await waitForServiceWorker(page)
  await waitUntilHomeIsCached(page, 0)
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByRole('status').filter({ hasText: 'sin conexión' })).toHaveText(
    /^Estás sin conexión\. Ves lo que se cargó a las \d+:\d\d\.$/,
  )
  await expect(main(page).getByRole('heading', { name: 'Siguiendo' })).toBeVisible()
})

test("PWA-05 after ana opens every page, the cache holds nothing private, and none of bea’s posts once bea's account is private", async ({
  signedUp,
  member,
}) => {
  const { ana, bea, group, posts, secret, page } = await openKeptHome(signedUp, member)
  const conversation = await openConversationViaApi(bea, ana)
  await sendMessageViaApi(bea, conversation, 'Un mensaje que nadie más lee')
  await bea.request.put(`/v1/people/${ana.$id}/follow`, { data: {} })
  for (const path of [
    `/groups/${group.$id}`,
    `/posts/${secret.$id}`,
    `/posts/${posts[0]?.$id}`,
    '/groups',
    `/chat/${conversation}`,
    '/notifications',
    '/settings/account',
    '/settings/notifications',
    `/profile/${bea.$id}`,
    '/',
  ]) {
    await page.goto(path)
    await expect(main(page).getByRole('heading').first()).toBeVisible()
  }
  await waitUntilHomeIsCached(page, 2)
  const stored = await readStorages(page)
  expect(stored).toContain('El mar de hoy')
  const secrets = [
    group.$id,
    'Grupo secreto',
    'Nadie lo sabe',
    secret.$id,
    secret.imageId,
    'Sólo para el grupo',
    'Un mensaje que nadie más lee',
    ana.email,
    bea.email,
    'started following',
  ]
  expect(secrets.filter((text) => stored.includes(text))).toEqual([])
  // The app stores one variant of each picture, never the original.
  const kept = stored
    .split('\n')
    .filter((line) => line.startsWith('juntas-kept ') && line.includes('/content'))
  expect(kept.length).toBeGreaterThanOrEqual(2)
  for (const line of kept) expect(line).toMatch(/\/content\?width=640$/)
  const original = await ana.request.get(`/v1/files/${posts[0]?.imageId}/content`)
  expect(stored.split('\n')).not.toContain(String((await original.body()).length))

  const switched = await bea.request.patch('/v1/me/privacy', {
    data: { isPrivate: true, earlierPosts: 'followers' },
  })
  expect(switched.ok(), await switched.text()).toBe(true)
  const isBeasKept = async () => (await readStorages(page)).includes('El mar de hoy')
  await expect(main(page).getByText('El mar de hoy')).toBeVisible()
  await expect.poll(isBeasKept).toBe(false)
  await page.reload()
  await expect(main(page).getByText('El mar de hoy')).toBeVisible()
  await waitUntilHomeIsCached(page, 0)
  expect(await isBeasKept()).toBe(false)
})

test('PWA-07 after Logout the browser stores nothing of ana except the appearance settings of the device', async ({
  signedUp,
  member,
}) => {
  const { ana, page } = await openKeptHome(signedUp, member)
  await page.evaluate(() => localStorage.setItem('appearance', '{"theme":"dark","textSize":"large"}'))
  await page.getByRole('button', { name: 'Logout' }).first().click()
  await expect(page).toHaveURL(/\/sign-in$/)
  await expect.poll(() => listStored(page, ana.context)).toEqual(['local appearance'])
})

test('PWA-07 after ana’s session ends elsewhere, the browser stores nothing of her, whether her page is open or closed', async ({
  signedUp,
  member,
}) => {
  const { ana, page } = await openKeptHome(signedUp, member)
  expect((await ana.request.delete('/v1/sessions/current')).ok()).toBe(true)
  await expect(page).toHaveURL(/\/sign-in$/)
  await expect.poll(() => listStored(page, ana.context)).toEqual([])

  const cora = await openKeptHome(signedUp, member)
  const conversation = await openConversationViaApi(cora.ana, cora.bea)
  await cora.page.goto(`/chat/${conversation}`)
  await locateMessageInput(cora.page).fill('Lo que nadie debe leer')
  await cora.page.goto('about:blank')
  expect((await cora.ana.request.delete('/v1/sessions/current')).ok()).toBe(true)
  await cora.page.goto('/sign-in')
  await expect.poll(() => listStored(cora.page, cora.ana.context)).toEqual([])
})

test('PWA-07 after an offline Logout the browser stores nothing of ana except the pending logout, and nothing once it is online', async ({
  signedUp,
  member,
}) => {
  const { ana, page } = await openKeptHome(signedUp, member)
  await ana.context.setOffline(true)
  await page.getByRole('button', { name: 'Logout' }).first().click()
  await expect(page).toHaveURL(/\/sign-in$/)
  // Scripts cannot access the server's cookie, so it remains.
  const stored = async () =>
    (await listStored(page, ana.context)).filter((name) => !name.startsWith('cookie '))
  await expect.poll(stored).toEqual(['local juntas:signing-out'])
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'We can’t reach Juntas' })).toBeVisible()
  await expect(page.getByText('El mar de hoy')).toHaveCount(0)
  await ana.context.setOffline(false)
  await page.reload()
  await expect(page).toHaveURL(/\/sign-in$/)
  await expect.poll(() => listStored(page, ana.context)).toEqual([])
})
