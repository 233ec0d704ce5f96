import type { Page } from '@playwright/test'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { expect, type JourneyMember, runInFullBrowser, test } from './fixtures.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'

// Only the full browser caches pictures in memory.
runInFullBrowser()
// All tests share one worker, with its server and browser.
test.describe.configure({ mode: 'default' })

const main = (page: Page) => page.getByRole('main')

const block = async (person: JourneyMember, other: JourneyMember) =>
  expect((await person.request.put(`/v1/people/${other.$id}/block`, { data: {} })).ok()).toBe(true)

const loads = (page: Page, url: string) =>
  page.evaluate(
    (src) =>
      new Promise<boolean>((resolve) => {
        const image = new Image()
        image.onload = () => resolve(true)
        image.onerror = () => resolve(false)
        image.src = src
      }),
    url,
  )

test("BLK-08 BLK-19 after ana blocks iria, iria's browser shows no cached picture of ana: not in a page, opened directly, by Back or by Forward", async ({
  signedUp,
  member,
}) => {
  const [iria, ana] = [await signedUp('Iria'), await member('Ana')]
  const post = await publishPostViaApi(ana)
  const whole = `/v1/files/${post.imageId}/content`
  const addresses = [whole, ...[320, 640, 1280].map((width) => `${whole}?width=${width}`)]
  const { page } = iria
  await page.goto('/explore')
  await expect(main(page).locator('[data-picture=shown]').first()).toBeVisible()
  for (const address of addresses) expect(await loads(page, address)).toBe(true)
  const alone = await iria.context.newPage()
  await alone.goto('/settings')
  for (const address of addresses) expect((await alone.goto(address))?.status()).toBe(200)
  await alone.goto('/settings')

  await block(ana, iria)
  // Only a shared cache could provide these pictures, because the new page has none in memory.
  const later = await iria.context.newPage()
  await later.goto('/settings')
  for (const address of addresses) {
    expect(await loads(later, address)).toBe(false)
    expect(await later.evaluate(async (url) => (await fetch(url)).status, address)).toBe(404)
  }
  for (const address of addresses.toReversed()) {
    const answer = await alone.goBack()
    expect([new URL(alone.url()).pathname + new URL(alone.url()).search, answer?.status()]).toEqual([
      address,
      404,
    ])
    await expect(alone.locator('img')).toHaveCount(0)
  }
  expect((await alone.goForward())?.status()).toBe(404)

  await page.goto('/settings')
  await page.goBack()
  await expect(main(page).getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator(`img[src*="${post.imageId}"]`)).toHaveCount(0)
})

const picturesInViewNotShown = (page: Page) =>
  page.evaluate(
    () =>
      [...document.querySelectorAll('main [data-picture]:not([data-picture=shown])')].filter((picture) => {
        const { top, bottom } = picture.getBoundingClientRect()
        return bottom > 0 && top < innerHeight
      }).length,
  )

/** @returns the pictures that were available but faded in */
const fadedAfterBack = (page: Page) =>
  page.evaluate(async () => {
    const faded = new Set<string>()
    const soon = 150
    const thereAt = new Map<HTMLImageElement, number>()
    const began = performance.now()
    history.back()
    for (;;) {
      await new Promise(requestAnimationFrame)
      const now = performance.now()
      const inView = [...document.querySelectorAll<HTMLImageElement>('main [data-picture] img')].filter(
        (image) => {
          const { top, bottom } = image.getBoundingClientRect()
          return bottom > 0 && top < innerHeight
        },
      )
      for (const image of inView) {
        const opacity = Number(getComputedStyle(image).opacity)
        if (image.complete && image.naturalWidth > 0 && !thereAt.has(image)) thereAt.set(image, now - began)
        if (opacity > 0 && opacity < 1 && (thereAt.get(image) ?? 0) < soon) faded.add(image.currentSrc)
      }
      const drawn = inView.filter((image) => thereAt.has(image) && getComputedStyle(image).opacity === '1')
      if (location.pathname.startsWith('/posts/')) continue
      if (document.body.textContent.includes('Picture couldn’t be loaded')) return ['not in memory']
      if (inView.length > 0 && drawn.length === inView.length) return [...faded]
      if (now - began > 60_000) return inView.map((image) => `not drawn: ${image.currentSrc}`)
    }
  })

const lists = [
  ['Explore', '/explore', (page: Page) => main(page).getByRole('listitem').getByRole('link').first()],
  [
    'Home',
    '/',
    (page: Page) => main(page).getByRole('article').first().locator('a[href^="/posts/"]').first(),
  ],
] as const

test('F02 after Back to Explore or Home, the pictures come from memory, without a request or fade-in', async ({
  signedUp,
  member,
}) => {
  const [iria, ana] = [await signedUp('Iria'), await member('Ana')]
  for (const [turn, color] of ['#a83232', '#32a852', '#3252a8', '#a8a032'].entries())
    await publishPostViaApi(ana, { caption: `Foto ${turn}`, picture: await createJpeg(color, 1200, 900) })
  await followMemberViaApi(iria, ana)
  const { page } = iria
  for (const [list, path, open] of lists) {
    await page.goto(path)
    await expect.poll(() => main(page).locator('[data-picture=shown]').count()).toBeGreaterThanOrEqual(2)
    await expect.poll(() => picturesInViewNotShown(page)).toBe(0)
    await page.waitForLoadState('networkidle')
    await open(page).click()
    await expect(page).toHaveURL(/\/posts\//)
    await expect(main(page).getByRole('button', { name: 'Back' })).toBeVisible()
    // Revalidating pictures would fail offline.
    await page.waitForLoadState('networkidle')
    await page.requestGC()
    // Request routing would disable the browser's caches.
    await iria.context.setOffline(true)
    expect(await fadedAfterBack(page), list).toEqual([])
    await iria.context.setOffline(false)
  }
})
