import type { Locator, Page } from '@playwright/test'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { expect, test } from './fixtures.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const article = (page: Page, caption: string) => main(page).getByRole('article').filter({ hasText: caption })
const carousel = (within: Locator, count: number) => within.getByRole('region', { name: `${count} photos` })
const boxOf = async (of: Locator) => (await of.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }

type LayoutShift = PerformanceEntry & { value: number; hadRecentInput: boolean }

/** Uses the definition of https://web.dev/articles/cls. @returns a function that reads the current sum */
async function watchLayoutShift(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const shifts: LayoutShift[] = []
    const observer = new PerformanceObserver((entries) =>
      shifts.push(...(entries.getEntries() as LayoutShift[])),
    )
    observer.observe({ type: 'layout-shift', buffered: true })
    Object.assign(globalThis, {
      sumOfLayoutShifts: () =>
        [...shifts, ...(observer.takeRecords() as LayoutShift[])]
          .filter(({ hadRecentInput }) => !hadRecentInput)
          .reduce((sum, { value }) => sum + value, 0),
    })
  })
  return () =>
    page.evaluate(() => (globalThis as unknown as { sumOfLayoutShifts: () => number }).sumOfLayoutShifts())
}

test('PHOTO-12 PHOTO-14 ALT-03 all photos of a card fit the box of its cover, and each loads shortly before it is reached', async ({
  member,
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('Bea Ortiz')]
  await followMemberViaApi(ana, bea)
  const pictures = [
    { bytes: await createJpeg('#cc3344', 600, 400) },
    { bytes: await createJpeg('#3344cc', 360, 640) },
  ]
  for (let n = 2; n < 10; n += 1) pictures.push({ bytes: await createJpeg(`#22${n}${n}aa`, 300, 200) })
  const post = await publishPostViaApi(bea, { caption: 'Diez de una tarde', pictures })
  await publishPostViaApi(bea, { caption: 'Una sola de bea' })
  const { page } = ana
  const requested = new Set<string>()
  page.on('request', (request) => {
    const [, id] = /\/files\/([^/]+)\/content/.exec(request.url()) ?? []
    if (id && post.photos.some((photo) => photo.id === id)) requested.add(id)
  })
  const layoutShift = await watchLayoutShift(page)
  await page.goto('/')
  const card = article(page, 'Diez de una tarde')
  await card.scrollIntoViewIfNeeded()
  const photos = carousel(card, 10)
  await expect(photos.getByRole('img', { name: 'Diez de una tarde' })).toBeVisible()
  await expect(photos.locator('[data-picture=shown]').first()).toBeVisible()
  for (const n of [2, 3, 10])
    await expect(photos.getByRole('img', { name: `Photo ${n} of 10 by Bea Ortiz` })).toHaveCount(1)
  await page.waitForLoadState('networkidle')
  expect([...requested].toSorted()).toEqual(
    post.photos
      .slice(0, requested.size)
      .map(({ id }) => id)
      .toSorted(),
  )
  expect(requested.size).toBeLessThanOrEqual(2)

  const before = await boxOf(photos)
  expect(before.width / before.height).toBeCloseTo(600 / 400, 1)
  await photos.getByRole('link').first().focus()
  await page.keyboard.press('ArrowRight')
  const second = photos.getByRole('img', { name: 'Photo 2 of 10 by Bea Ortiz' })
  await expect(second).toBeInViewport({ ratio: 0.9 })
  const [box, picture] = [await boxOf(photos), await boxOf(second)]
  expect([box.width, box.height]).toEqual([before.width, before.height])
  expect(picture.width / picture.height).toBeCloseTo(360 / 640, 1)
  expect(picture.height).toBeCloseTo(box.height, 0)
  await expect.poll(() => requested.has(post.photos[2]?.id ?? '')).toBe(true)
  expect(await layoutShift()).toBeLessThanOrEqual(0.02)

  const single = article(page, 'Una sola de bea')
  await expect(single.getByRole('img', { name: 'Una sola de bea' })).toBeVisible()
  await expect(single.getByRole('region')).toHaveCount(0)
  await expect(single.getByRole('button', { name: 'Next photo' })).toHaveCount(0)
})

test("PHOTO-12 if the carousel's code does not load, a card shows only its cover, and all photos once the code has loaded", async ({
  signedUp,
}) => {
  const bea = await signedUp('Bea Ortiz')
  const pictures = [{ bytes: await createJpeg('#cc3344', 600, 400) }, { bytes: await createJpeg('#3344cc') }]
  await publishPostViaApi(bea, { caption: 'Dos de una tarde', pictures })
  const { page } = bea
  const chunk = '**/assets/ui-*.js'
  let refused = 0
  await page.route(chunk, (route) => {
    refused += 1
    return route.abort()
  })
  await page.goto('/')
  await expect(main(page).getByRole('img', { name: 'Dos de una tarde' })).toBeVisible()
  await expect.poll(() => refused).toBeGreaterThan(0)
  await expect(main(page).getByRole('heading', { name: 'Unexpected Application Error!' })).toHaveCount(0)
  await expect(carousel(main(page), 2)).toHaveCount(0)
  await page.unroute(chunk)
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(carousel(main(page), 2)).toBeVisible()
})

test('PHOTO-13 PHOTO-17 arrows, keys and swipes change photos in one tab stop; the post page and the viewer start at the pressed photo @both @quick', async ({
  member,
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('Bea Ortiz')]
  await followMemberViaApi(ana, bea)
  const colors = ['#cc3344', '#3344cc', '#44cc33', '#ccaa33']
  const pictures = await Promise.all(
    colors.map(async (color, n) => ({
      bytes: await createJpeg(color, 400, 500),
      alt: `The ${n + 1}. door`,
    })),
  )
  const post = await publishPostViaApi(bea, { caption: 'Cuatro puertas', pictures })
  const { page } = ana
  await page.goto('/')
  await expect(page).toHaveTitle('Home · Juntas')
  const onCard = carousel(article(page, 'Cuatro puertas'), 4)
  await expect(onCard.getByText('1/4')).toBeVisible()
  for (const n of [1, 2, 3, 4])
    await expect(onCard.getByRole('img', { name: `The ${n}. door` })).toHaveCount(1)
  await onCard.getByRole('link', { name: 'The 1. door' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(onCard.getByText('2/4')).toBeVisible()
  await expect(onCard.getByRole('link', { name: 'The 2. door' })).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(onCard.getByRole('link', { name: 'The 1. door' })).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(onCard.getByText('1/4')).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(onCard.getByRole('link', { name: /door/ }).and(page.locator(':focus'))).toHaveCount(0)
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/posts/${post.$id}`)

  await expect(page).toHaveTitle('Post by Bea Ortiz · Juntas')
  const whole = carousel(main(page).getByRole('article'), 4)
  await expect(whole.getByText('1/4')).toBeVisible()
  await swipeLeft(page, whole)
  await expect(whole.getByText('2/4')).toBeVisible()
  if (await page.evaluate(() => matchMedia('(hover:hover)').matches)) {
    await whole.hover()
    await whole.getByRole('button', { name: 'Next photo' }).click()
    await expect(whole.getByText('3/4')).toBeVisible()
    await whole.getByRole('button', { name: 'Previous photo' }).click()
    await expect(whole.getByText('2/4')).toBeVisible()
  }
  await whole.getByRole('list').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(whole.getByText('4/4')).toBeVisible()
  await expect(whole.getByRole('img', { name: 'The 4. door' })).toBeInViewport({ ratio: 0.9 })

  await page.goto('/explore')
  const tile = main(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: 'The 1. door' }) })
  await expect(tile.getByText('4 photos')).toBeAttached()
  await expect(tile.getByRole('img', { name: 'The 1. door' })).toBeVisible()

  await page.goto('/')
  await onCard.getByRole('link', { name: 'The 1. door' }).focus()
  for (const shown of ['2/4', '3/4', '4/4']) {
    await page.keyboard.press('ArrowRight')
    await expect(onCard.getByText(shown)).toBeVisible()
  }
  await onCard.getByRole('link', { name: 'The 4. door' }).click()
  await expect(page).toHaveURL(`/posts/${post.$id}`)
  await expect(whole.getByText('4/4')).toBeVisible()
  await expect(whole.getByRole('img', { name: 'The 4. door' })).toBeInViewport({ ratio: 0.9 })
  await whole.getByRole('link', { name: 'The 4. door' }).click()
  const viewer = page.getByRole('dialog', { name: /^Photo/ })
  await expect(viewer).toHaveAccessibleName('Photo 4 of 4')
  await page.keyboard.press('ArrowLeft')
  await expect(viewer).toHaveAccessibleName('Photo 3 of 4')
  await page.keyboard.press('Escape')
  await expect(viewer).toHaveCount(0)
  await expect(whole.getByText('3/4')).toBeVisible()
  await expect(whole.getByRole('img', { name: 'The 3. door' })).toBeInViewport({ ratio: 0.9 })
})

async function swipeLeft(page: Page, over: Locator): Promise<void> {
  await over.scrollIntoViewIfNeeded()
  const { x, y, width, height } = await boxOf(over)
  const from = { x: x + width * 0.8, y: y + height / 2 }
  if (!(await page.evaluate(() => matchMedia('(pointer: coarse)').matches))) {
    await page.mouse.move(from.x, from.y)
    await page.mouse.wheel(width * 0.7, 0)
    return
  }
  const devtools = await page.context().newCDPSession(page)
  for (let step = 0; step <= 12; step += 1) {
    await devtools.send('Input.dispatchTouchEvent', {
      type: step === 0 ? 'touchStart' : 'touchMove',
      touchPoints: [{ ...from, x: from.x - (width * 0.7 * step) / 12 }],
    })
  }
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await devtools.detach()
}
