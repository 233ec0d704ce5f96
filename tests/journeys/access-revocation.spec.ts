/** Browser caches show nothing that a member may no longer see (attacks R02, F02). */
import type { Page } from '@playwright/test'
import type { Group } from '#contract/groups/groups.ts'
import type { Post } from '#contract/posts/posts.ts'
import { expect, type JourneyMemberWithPage, runInFullBrowser, test } from './fixtures.ts'
import { createGroupViaApi, removeMemberFromGroup } from './group-steps.ts'
import { appwriteBucketFilesPath, filesApiPath, publishPostViaApi } from './post-steps.ts'

// A reused window may not use the back/forward cache.
test.use({ fresh: true })
// Enables the back/forward cache, which Playwright disables.
runInFullBrowser({ ignoreDefaultArgs: ['--disable-back-forward-cache'] })
// All tests share one worker, with its server and browser.
test.describe.configure({ mode: 'default' })

const main = (page: Page) => page.getByRole('main')
const posts = (page: Page) => main(page).getByRole('article')
const closed = (page: Page) => main(page).getByRole('heading', { name: 'This is a private group' })
const picturesOf = (page: Page, post: Post) => page.locator(`img[src*="${post.imageId}"]`)

type Knit = { ana: JourneyMemberWithPage; bea: JourneyMemberWithPage; group: Group; post: Post; path: string }

async function knit(signedUp: (name: string) => Promise<JourneyMemberWithPage>): Promise<Knit> {
  const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
  const group = await createGroupViaApi(ana, {}, [bea])
  const post = await publishPostViaApi(ana, { caption: 'Secreto entre nosotras', groupId: group.$id })
  return { ana, bea, group, post, path: `/groups/${group.$id}` }
}

async function read(page: Page, { path, post }: Knit) {
  await page.goto(path)
  await expect(posts(page)).toContainText('Secreto entre nosotras')
  await expect(picturesOf(page, post)).toBeVisible()
}

/**
 * Returns the number of visible parts after a restore from the back/forward cache, otherwise the reason against it.
 */
async function watchRestoring(page: Page) {
  let restored = 'not told'
  const path = '/restored'
  // The page reloads and clears storage, so it reports through a beacon.
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === path) restored = searchParams.get('result') ?? ''
  })
  await page.addInitScript((address) => {
    const report = (result: string) => navigator.sendBeacon(`${address}?${new URLSearchParams({ result })}`)
    addEventListener('pageshow', ({ persisted }) => {
      const [load] = performance.getEntriesByType('navigation') as (PerformanceNavigationTiming & {
        notRestoredReasons?: unknown
      })[]
      if (persisted) {
        const parts = [...document.querySelectorAll('article, img, h1')]
        report(`${parts.filter((part) => part.checkVisibility()).length} parts seen`)
      } else if (load?.type === 'back_forward') report(`not kept: ${JSON.stringify(load.notRestoredReasons)}`)
    })
  }, path)
  return () => restored
}

/** A page with a running request is not cached. */
async function goElsewhere(page: Page, url: string): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.goto(`${url.replace('localhost', '127.0.0.1')}/sign-in`)
}
const back = (page: Page) => page.evaluate(() => void setTimeout(() => history.back()))

test('PERM-05 after bea is removed from a group, her open page and her three sockets receive no group content @quick', async ({
  signedUp,
}) => {
  const her = await knit(signedUp)
  const { ana, bea, group, post } = her
  const { page } = bea
  const received: string[] = []
  let sockets = 0
  page.on('websocket', (socket) => {
    sockets += 1
    socket.on('framereceived', ({ payload }) => received.push(String(payload)))
  })
  await read(page, her)
  await page.evaluate(() => {
    const address = `${location.origin.replace('http', 'ws')}/v1/realtime?project=juntas&channels[]=documents&channels[]=files`
    Object.assign(globalThis, { more: [new WebSocket(address), new WebSocket(address)] })
  })
  await expect.poll(() => sockets).toBe(3)
  await expect.poll(() => received.filter((frame) => frame.includes('"connected"')).length).toBe(3)
  const before = await publishPostViaApi(ana, { caption: 'Secreto de antes', groupId: group.$id })
  const framesWith = (text: string, from = 0) =>
    received.slice(from).filter((frame) => frame.includes(text)).length
  // The page's own socket receives only the post's id; the Appwrite sockets also its caption.
  await expect.poll(() => [framesWith(before.$id), framesWith(before.caption)]).toEqual([3, 2])
  await expect(posts(page)).toHaveCount(2)

  await removeMemberFromGroup(group, ana, bea)
  const removed = received.length
  const after = await publishPostViaApi(ana, { caption: 'Secreto de después', groupId: group.$id })
  await ana.request.patch(`/v1/posts/${post.$id}`, { data: { caption: 'Secreto cambiado' } })
  const shown = await publishPostViaApi(ana, { caption: 'Para todas' })

  await expect(closed(page)).toBeVisible()
  await expect(main(page).getByText(/You’re no longer a member of this group/)).toBeVisible()
  await expect(posts(page)).toHaveCount(0)
  for (const hidden of [post, before, after]) await expect(picturesOf(page, hidden)).toHaveCount(0)
  await expect(page.getByRole('alert')).toHaveCount(0)
  // Earlier events would have arrived before this last one, which is public.
  await expect.poll(() => framesWith(shown.$id, removed)).toBe(3)
  expect(framesWith('Secreto', removed)).toBe(0)
  expect([after.$id, after.imageId].map((hidden) => framesWith(hidden, removed))).toEqual([0, 0])
  for (const address of [
    `${filesApiPath}/${post.imageId}/content`,
    `${appwriteBucketFilesPath}/${post.imageId}/view`,
  ]) {
    expect(await page.evaluate(async (url) => (await fetch(url)).status, address)).toBe(404)
  }
})

test('PERM-05 Back and Forward show bea no content of a group that she was removed from', async ({
  signedUp,
}) => {
  const her = await knit(signedUp)
  const { ana, bea, group, post } = her
  const { page } = bea
  await read(page, her)
  await page.evaluate(() => document.body.setAttribute('data-same-load', 'yes'))
  await posts(page).getByRole('link', { name: post.caption }).first().click()
  await expect(page).toHaveURL(`/posts/${post.$id}`)
  await expect(main(page).getByText(post.caption)).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Home/ }).click()
  await expect(main(page).getByText(post.caption)).toBeVisible()

  await removeMemberFromGroup(group, ana, bea)
  await expect(main(page).getByText(post.caption)).toHaveCount(0)
  for (const address of [`/posts/${post.$id}`, her.path]) {
    await back(page)
    await expect(page).toHaveURL(address)
    await expect(main(page).getByRole('heading').first()).toBeVisible()
    await expect(page.getByText(post.caption)).toHaveCount(0)
    await expect(picturesOf(page, post)).toHaveCount(0)
  }
  await expect(closed(page)).toBeVisible()
  await expect(page.locator('body')).toHaveAttribute('data-same-load', 'yes')
})

test('PERM-05 F02 bea, removed from a group while on another site, presses Back and sees neither its posts nor its pictures', async ({
  signedUp,
  server,
}) => {
  const her = await knit(signedUp)
  const { ana, bea, group, post } = her
  const { page } = bea
  const picture = await bea.context.newPage()
  const address = `${filesApiPath}/${post.imageId}/content`
  await picture.goto(address)
  await expect(picture.locator('img')).toBeVisible()
  await goElsewhere(picture, server.url)
  const restored = await watchRestoring(page)
  await read(page, her)
  await goElsewhere(page, server.url)
  await removeMemberFromGroup(group, ana, bea)
  await back(page)
  await expect(closed(page)).toBeVisible()
  expect(restored()).toBe('0 parts seen')
  await expect(posts(page)).toHaveCount(0)
  await expect(picturesOf(page, post)).toHaveCount(0)
  await picture.goBack()
  await expect(picture).toHaveURL(address)
  await expect(picture.getByText('storage_file_not_found')).toBeVisible()
  await expect(picture.locator('img')).toHaveCount(0)
})

test('AUTH-13 after ana signs out on a device, Back shows none of her content', async ({
  signedUp,
  server,
}) => {
  const ana = await signedUp('ana')
  const post = await publishPostViaApi(ana)
  const { page } = ana
  const restored = await watchRestoring(page)
  await page.goto(`/posts/${post.$id}`)
  await expect(main(page).getByText(post.caption)).toBeVisible()
  await goElsewhere(page, server.url)
  // Pages that communicate with other tabs are not cached, so no second tab signs out.
  expect((await ana.request.delete('/v1/account/sessions/current')).status()).toBe(204)
  await back(page)
  await expect(page).toHaveURL(`${server.url}/sign-in`)
  await expect(page.getByRole('button', { name: 'Entrar', exact: true })).toBeVisible()
  expect(restored()).toBe('0 parts seen')
})

test('PCRE-05 after ana leaves the form for another site, Back does not ask about unsaved changes again', async ({
  signedUp,
  server,
}) => {
  const { page } = await signedUp('ana')
  const restored = await watchRestoring(page)
  const questions: string[] = []
  page.on('dialog', async (dialog) => {
    questions.push(dialog.type())
    await dialog.accept()
  })
  await page.goto('/create-post')
  await page.getByLabel('Caption').fill('Lo que no quiero perder')
  await goElsewhere(page, server.url)
  await expect(page.getByRole('button', { name: 'Entrar', exact: true })).toBeVisible()
  await back(page)
  await expect(page.getByLabel('Caption')).toHaveValue('')
  expect(restored()).toBe('0 parts seen')
  expect(questions).toEqual(['beforeunload'])
})
