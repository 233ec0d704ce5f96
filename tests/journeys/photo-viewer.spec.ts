import type { Locator, Page } from '@playwright/test'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { findAxeProblems } from './axe-steps.ts'
import { expect, type JourneyMemberWithPage, test } from './fixtures.ts'
import { publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const viewer = (page: Page) => page.getByRole('dialog', { name: /^Photo/ })
const shownPhoto = (page: Page, name: string) => viewer(page).getByRole('img', { name })
const boxOf = async (of: Locator) => (await of.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }

const doors = ['red', 'blue', 'green', 'yellow']
const nameOf = (color: string) => `The ${color} door`

async function publishDoors(author: JourneyMemberWithPage, caption: string) {
  const colors = ['#cc3344', '#3344cc', '#44cc33', '#ccaa33']
  const pictures = await Promise.all(
    doors.map(async (door, n) => ({ bytes: await createJpeg(colors[n], 800, 1000), alt: nameOf(door) })),
  )
  return publishPostViaApi(author, { caption, pictures })
}

/** Locates the post, without the author's other photos that follow it. */
const article = (page: Page) => main(page).getByRole('article')

async function openPost(page: Page, postId: string): Promise<void> {
  await page.goto(`/posts/${postId}`)
  await expect(article(page).getByRole('link', { name: nameOf('red') })).toBeVisible()
}

/** The post renders before the viewer's code has loaded. */
async function openPhotoByAddress(page: Page, postId: string, photo: number): Promise<void> {
  await page.goto(`/posts/${postId}?photo=${photo}`)
  await expect(page).toHaveTitle('Post by Bea Ortiz · Juntas')
}

async function openPhoto(page: Page, door = 'red'): Promise<void> {
  await article(page)
    .getByRole('link', { name: nameOf(door) })
    .click()
  await expect(shownPhoto(page, nameOf(door))).toBeInViewport({ ratio: 0.9 })
}

test('VIEW-01 ALT-02 a photo on the post page opens the viewer, loaded on demand, with its description; a photo on a card opens the post @both @quick', async ({
  signedUp,
}) => {
  const bea = await signedUp('Bea Ortiz')
  const post = await publishDoors(bea, 'Cuatro puertas de Bea')
  const { page } = bea
  const code: string[] = []
  page.on('request', (request) => {
    if (/\/photo-viewer-[\w-]+\.js$/.test(request.url())) code.push(request.url())
  })
  await page.goto('/')
  const card = main(page).getByRole('article').filter({ hasText: 'Cuatro puertas de Bea' })
  for (const door of doors) await expect(card.getByRole('img', { name: nameOf(door) })).toHaveCount(1)
  await card.getByRole('link', { name: nameOf('red') }).click()
  await expect(page).toHaveURL(`/posts/${post.$id}`)
  await expect(page).toHaveTitle('Post by Bea Ortiz · Juntas')
  for (const door of doors) await expect(main(page).getByRole('img', { name: nameOf(door) })).toHaveCount(1)
  expect(code).toEqual([])

  await openPhoto(page)
  expect(code).toHaveLength(1)
  await expect(viewer(page)).toHaveAccessibleName('Photo 1 of 4')
  await expect(viewer(page).getByText(nameOf('red'))).toBeVisible()
  await viewer(page).getByRole('button', { name: 'Show photo 3' }).click()
  await expect(viewer(page)).toHaveAccessibleName('Photo 3 of 4')
  await expect(shownPhoto(page, nameOf('green'))).toBeInViewport({ ratio: 0.9 })
  await expect(viewer(page).getByText(nameOf('green'))).toBeVisible()
  await expect(viewer(page).getByText(nameOf('red'))).toHaveCount(0)
  await viewer(page).getByRole('button', { name: 'Close' }).click()

  await page.goto('/explore')
  await expect(main(page).getByRole('img', { name: nameOf('red') })).toBeVisible()
})

test('VIEW-04 VIEW-05 VIEW-06 ALT-02 keys change photos, every way to close restores the focus, and a photo that fails to load says so', async ({
  signedUp,
}) => {
  const bea = await signedUp('Bea Ortiz')
  const post = await publishDoors(bea, 'Puertas por teclas')
  const { page } = bea
  await openPost(page, post.$id)
  const photo = article(page).getByRole('link', { name: nameOf('red') })
  const closings = {
    escape: () => page.keyboard.press('Escape'),
    cross: () => viewer(page).getByRole('button', { name: 'Close' }).press('Enter'),
    back: () => page.goBack(),
  }
  for (const close of Object.values(closings)) {
    await photo.focus()
    await page.keyboard.press('Enter')
    await expect(viewer(page)).toHaveAttribute('aria-modal', 'true')
    await expect(viewer(page).getByRole('button', { name: 'Close' })).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await expect(viewer(page)).toHaveAccessibleName('Photo 2 of 4')
    await page.keyboard.press('ArrowLeft')
    await expect(viewer(page)).toHaveAccessibleName('Photo 1 of 4')
    await close()
    await expect(viewer(page)).toHaveCount(0)
    await expect(page).toHaveURL(`/posts/${post.$id}`)
    await expect(photo).toBeFocused()
  }

  await page.keyboard.press('Enter')
  await expect(viewer(page).getByRole('button', { name: 'Close' })).toBeFocused()
  expect(await findAxeProblems(page)).toEqual([])
  for (let n = 0; n < 12; n += 1) {
    await page.keyboard.press('Tab')
    const isOutside = await page.evaluate(
      () => document.activeElement !== document.body && !document.activeElement?.closest('dialog'),
    )
    expect(isOutside).toBe(false)
  }
  await viewer(page).getByRole('button', { name: 'Next photo' }).click()
  await expect(viewer(page)).toHaveAccessibleName('Photo 2 of 4')
  await page.reload()
  await expect(viewer(page)).toHaveAccessibleName('Photo 1 of 4')
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(`/posts/${post.$id}`)
  await expect(viewer(page)).toHaveCount(0)

  await openPhotoByAddress(page, post.$id, 4)
  await expect(viewer(page)).toHaveAccessibleName('Photo 4 of 4')
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(`/posts/${post.$id}`)
  await expect(article(page).getByRole('link', { name: nameOf('red') })).toBeVisible()
  await page.goto(`/posts/${post.$id}?photo=5`)
  await expect(article(page).getByRole('link', { name: nameOf('red') })).toBeVisible()
  await expect(viewer(page)).toHaveCount(0)

  const alt = `Una puerta azul. ${'Y una pared de cal con sombras. '.repeat(30)}`.trim().slice(0, 1000)
  const described = await publishPostViaApi(bea, { pictures: [{ bytes: await createJpeg(), alt }] })
  await openPhotoByAddress(page, described.$id, 1)
  const words = viewer(page).locator('[data-description]')
  await expect(words).toContainText('Una puerta azul.')
  await expect(words).toHaveAttribute('tabindex', '0')
  await words.focus()
  await page.keyboard.press('End')
  await expect.poll(() => words.evaluate((element) => element.scrollTop)).toBeGreaterThan(0)

  await page.route(`**/files/${post.photos[1]?.id}/content*`, (route) => route.abort())
  await openPhotoByAddress(page, post.$id, 2)
  await expect(viewer(page)).toHaveAccessibleName('Photo 2 of 4')
  await expect(viewer(page).getByText('Picture couldn’t be loaded')).toBeInViewport()
  await page.keyboard.press('ArrowRight')
  await expect(viewer(page)).toHaveAccessibleName('Photo 3 of 4')
  await expect(shownPhoto(page, nameOf('green'))).toBeInViewport({ ratio: 0.9 })
})

async function watchZoom(page: Page, name: string): Promise<() => Promise<number>> {
  const photo = shownPhoto(page, name)
  await expect(photo).toBeInViewport({ ratio: 0.9 })
  const { width } = await boxOf(photo)
  return async () => Math.round(((await boxOf(photo)).width / width) * 100) / 100
}

test('VIEW-02 VIEW-03 wheel, double click and keys zoom up to four times; the mouse moves a zoomed photo and never changes photos', async ({
  signedUp,
}) => {
  const bea = await signedUp('Bea Ortiz')
  const post = await publishDoors(bea, 'Puertas de cerca')
  const { page } = bea
  await openPost(page, post.$id)
  await openPhoto(page)
  const zoom = await watchZoom(page, nameOf('red'))
  for (const expected of [2, 4, 4]) {
    await page.keyboard.press('+')
    await expect.poll(zoom).toBeCloseTo(expected, 1)
  }
  await page.keyboard.press('-')
  await expect.poll(zoom).toBeCloseTo(2, 1)
  await page.keyboard.press('0')
  await expect.poll(zoom).toBe(1)
  await viewer(page).getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(zoom).toBeCloseTo(2, 1)
  await viewer(page).getByRole('button', { name: 'Zoom out' }).click()
  await expect.poll(zoom).toBe(1)

  const { x, y, width, height } = await boxOf(shownPhoto(page, nameOf('red')))
  const middle = { x: x + width / 2, y: y + height / 2 }
  await page.mouse.move(middle.x, middle.y)
  for (let n = 0; n < 20; n += 1) await page.mouse.wheel(0, -100)
  await expect.poll(zoom).toBeCloseTo(4, 1)
  for (let n = 0; n < 20; n += 1) await page.mouse.wheel(0, 100)
  await expect.poll(zoom).toBe(1)
  await page.mouse.dblclick(middle.x, middle.y)
  await expect.poll(zoom).toBeCloseTo(2, 1)

  const before = await boxOf(shownPhoto(page, nameOf('red')))
  await page.mouse.move(middle.x, middle.y)
  await page.mouse.down()
  await page.mouse.move(middle.x - 60, middle.y + 40, { steps: 5 })
  await page.mouse.move(middle.x - 400, middle.y + 300, { steps: 10 })
  await page.mouse.up()
  await expect.poll(async () => (await boxOf(shownPhoto(page, nameOf('red')))).y).toBeGreaterThan(before.y)
  await expect(viewer(page)).toHaveAccessibleName('Photo 1 of 4')
  expect(await zoom()).toBeCloseTo(2, 1)
  // Arrow keys move an enlarged photo. At its initial size, they change the photo.
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowRight')
  await expect(viewer(page)).toHaveAccessibleName('Photo 1 of 4')
  await page.keyboard.press('0')
  await expect.poll(zoom).toBe(1)
  await page.keyboard.press('ArrowRight')
  await expect(viewer(page)).toHaveAccessibleName('Photo 2 of 4')
})

type Point = { x: number; y: number }

async function moveFingers(page: Page, lines: { from: Point; to: Point }[], steps = 12): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  for (let step = 0; step <= steps; step += 1) {
    const touchPoints = lines.map(({ from, to }, id) => ({
      id,
      x: from.x + ((to.x - from.x) * step) / steps,
      y: from.y + ((to.y - from.y) * step) / steps,
    }))
    await devtools.send('Input.dispatchTouchEvent', {
      type: step === 0 ? 'touchStart' : 'touchMove',
      touchPoints,
    })
  }
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await devtools.detach()
}

/** Two taps with timestamps a tenth of a second apart. */
async function doubleTap(page: Page, at: Point): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const began = Date.now() / 1000
  for (const timestamp of [began, began + 0.1]) {
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at], timestamp })
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [], timestamp })
  }
  await devtools.detach()
}

test('VIEW-02 VIEW-03 VIEW-04 fingers pinch, double-tap, move and swipe; swiping a zoomed photo neither changes photos nor closes the viewer @phone', async ({
  signedUp,
}) => {
  const bea = await signedUp('Bea Ortiz')
  const post = await publishDoors(bea, 'Puertas con los dedos')
  const { page } = bea
  await openPost(page, post.$id)
  await openPhoto(page)
  const zoom = await watchZoom(page, nameOf('red'))
  const { x, y, width, height } = await boxOf(shownPhoto(page, nameOf('red')))
  const middle = { x: x + width / 2, y: y + height / 2 }
  const beside = (dx: number, dy = 0) => ({ x: middle.x + dx, y: middle.y + dy })
  const swipe = (dx: number, dy: number) =>
    moveFingers(page, [{ from: beside(-dx / 2, -dy / 2), to: beside(dx / 2, dy / 2) }])

  await doubleTap(page, middle)
  await expect.poll(zoom).toBeCloseTo(2, 1)
  const before = await boxOf(shownPhoto(page, nameOf('red')))
  await swipe(-250, 0)
  await expect.poll(async () => (await boxOf(shownPhoto(page, nameOf('red')))).x).toBeLessThan(before.x)
  await swipe(0, 300)
  await expect(viewer(page)).toHaveAccessibleName('Photo 1 of 4')
  expect(await zoom()).toBeCloseTo(2, 1)

  await moveFingers(page, [
    { from: beside(-150), to: beside(-20) },
    { from: beside(150), to: beside(20) },
  ])
  await expect.poll(zoom).toBe(1)
  await moveFingers(page, [
    { from: beside(-40), to: beside(-80) },
    { from: beside(40), to: beside(80) },
  ])
  await expect.poll(zoom).toBeGreaterThan(1.9)
  await moveFingers(page, [
    { from: beside(-150), to: beside(-20) },
    { from: beside(150), to: beside(20) },
  ])
  await expect.poll(zoom).toBe(1)

  await swipe(-250, 0)
  await expect(viewer(page)).toHaveAccessibleName('Photo 2 of 4')
  await expect(shownPhoto(page, nameOf('blue'))).toBeInViewport({ ratio: 0.9 })
  await swipe(250, 0)
  await expect(viewer(page)).toHaveAccessibleName('Photo 1 of 4')
  await expect(shownPhoto(page, nameOf('red'))).toBeInViewport({ ratio: 0.9 })
  await swipe(0, 300)
  await expect(viewer(page)).toHaveCount(0)
  await expect(page).toHaveURL(`/posts/${post.$id}`)
})

/** Returns the requested widths. 0 stands for the original. */
function watchWidths(page: Page, imageId: string): () => number[] {
  const widths: number[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname.endsWith(`/files/${imageId}/content`)) widths.push(Number(searchParams.get('width')))
  })
  return () => widths
}

test.describe('in a browser with an empty cache', () => {
  test.use({ fresh: true })

  test("VIEW-06 the viewer loads a photo in steps, and the original once the photo is zoomed, unless bea's browser saves data", async ({
    signedUp,
  }) => {
    const bea = await signedUp('Bea Ortiz')
    const pictures = [
      { bytes: await createJpeg('#cc3344', 2400, 1600), alt: nameOf('red') },
      { bytes: await createJpeg('#3344cc', 2400, 1600), alt: nameOf('blue') },
    ]
    const { $id, photos } = await publishPostViaApi(bea, { pictures })
    const { page } = bea
    // The page's own pictures load first, to leave only the viewer's requests.
    await page.setViewportSize({ width: 1000, height: 800 })
    await openPost(page, $id)
    await expect(main(page).locator('[data-picture=shown]')).toHaveCount(2)
    const [first, second] = photos.map(({ id }) => watchWidths(page, id))
    await openPhoto(page)
    await expect(viewer(page).locator('[data-steps]').first()).toHaveAttribute('data-steps', '2')
    expect(first?.().filter((width) => width === 0 || width > 640)).toEqual([1920])
    expect(second?.().filter((width) => width === 0 || width > 640)).toEqual([])
    await page.mouse.move(500, 400)
    await page.mouse.wheel(0, -40)
    await expect.poll(() => zoomOf(page, nameOf('red'))).toBeCloseTo(1.4, 1)
    expect(first?.()).not.toContain(0)
    await page.keyboard.press('+')
    await expect(viewer(page).locator('[data-steps]').first()).toHaveAttribute('data-steps', '3')
    expect(first?.()).toContain(0)
    expect(second?.()).not.toContain(0)

    const saving = [{ bytes: await createJpeg('#cc3344', 2400, 1600), alt: nameOf('red') }]
    const large = await publishPostViaApi(bea, { pictures: saving })
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Emulation.setDataSaverOverride', { dataSaverEnabled: true })
    const widths = watchWidths(page, large.photos[0]?.id ?? '')
    await openPost(page, large.$id)
    await openPhoto(page)
    await page.keyboard.press('+')
    await page.keyboard.press('+')
    await expect.poll(() => zoomOf(page, nameOf('red'))).toBeCloseTo(4, 1)
    await expect(viewer(page).locator('[data-steps="2"]')).toHaveCount(1)
    expect(widths()).not.toContain(0)
  })
})

/** Returns the zoom that the viewer's library reports. */
const zoomOf = (page: Page, name: string) =>
  shownPhoto(page, name).evaluate(
    (image) => image.getBoundingClientRect().width / ((image as HTMLElement).offsetWidth || 1),
  )

test('VIEW-07 one press on “Whole photo” shows a cropped panorama or tall photo whole; an uncropped photo has no such link @both', async ({
  signedUp,
}) => {
  const bea = await signedUp('Bea Ortiz')
  const publish = async (caption: string, ...sizes: [number, number][]) =>
    publishPostViaApi(bea, {
      caption,
      pictures: await Promise.all(
        sizes.map(async ([width, height], n) => ({
          bytes: await createJpeg('#2255aa', width, height),
          alt: `${caption} ${n + 1}`,
        })),
      ),
    })
  const panorama = await publish('Panorama de la sierra', [1600, 400])
  await publish('La torre', [400, 1200])
  await publish('Una de cada día', [400, 500])
  await publish('Primero el mar', [1600, 400], [600, 400])
  const { page } = bea
  await page.goto('/')
  const card = (caption: string) =>
    main(page)
      .getByRole('article')
      .filter({ has: page.getByText(caption, { exact: true }) })
  const whole = (caption: string) => card(caption).getByRole('link', { name: 'Whole photo' })
  await expect(whole('La torre')).toBeVisible()
  await expect(card('Una de cada día').getByRole('img', { name: 'Una de cada día 1' })).toBeVisible()
  await expect(whole('Una de cada día')).toHaveCount(0)
  // Only cropped photos have this link.
  await expect(whole('Primero el mar')).toBeVisible()
  await card('Primero el mar').getByRole('link', { name: 'Primero el mar 1' }).press('ArrowRight')
  await expect(whole('Primero el mar')).toHaveCount(0)

  await whole('Panorama de la sierra').focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/posts/${panorama.$id}?photo=1`)
  await expect(viewer(page)).toHaveAccessibleName('Photo')
  const { width, height } = await boxOf(shownPhoto(page, 'Panorama de la sierra 1'))
  expect(width / height).toBeCloseTo(4, 1)
  await page.goBack()
  await expect(page).toHaveURL('/')
  await expect(whole('Panorama de la sierra')).toBeFocused()
})
