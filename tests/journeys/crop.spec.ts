import type { Page } from '@playwright/test'
import sharp, { type Sharp } from 'sharp'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import {
  choosePhotos,
  colorAt,
  confirmCrop,
  countRedPixels,
  createMarkedJpeg,
  cropDialog,
  cropFrame,
  drawMarkedPicture,
  openCropDialog,
  publishForm,
  readUploadedFiles,
  recordUploadedFiles,
  selectCropAspectRatio,
  sha256,
  zoomOf,
} from './crop-steps.ts'
import { expect, test, uploadExpectTimeoutOptions } from './fixtures.ts'
import { filesApiPath, openCreatePostForm, publishPostViaApi } from './post-steps.ts'

const tile = (page: Page, at: number) =>
  page.getByRole('main').getByRole('button', { name: new RegExp(`^Photo ${at}, `) })
/** Where the photo lies under the frame, as the library sets it. */
const readTransform = (page: Page) =>
  cropDialog(page)
    .locator('.crop-area img')
    .evaluate((image) => (image as HTMLElement).style.transform)
const middleOf = async (page: Page) => {
  const { x, y, width, height } = (await cropFrame(page).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  return { x: x + width / 2, y: y + height / 2 }
}
const button = (page: Page, name: string) => cropDialog(page).getByRole('button', { name, exact: true })

test('CROP-01 ana moves and enlarges a photo under its frame by mouse, wheel and keys @quick', async ({
  signedUp,
}) => {
  const page = await openCreatePostForm(await signedUp('ana'))
  await choosePhotos(page, await createMarkedJpeg(), await createMarkedJpeg())
  await openCropDialog(page, 2)
  expect(await zoomOf(page)).toBe(1)
  await page.keyboard.press('+')
  await expect.poll(() => zoomOf(page)).toBeCloseTo(1.1, 2)
  await page.keyboard.press('-')
  await expect.poll(() => zoomOf(page)).toBe(1)

  const middle = await middleOf(page)
  await page.mouse.move(middle.x, middle.y)
  await page.mouse.wheel(0, -200)
  await expect.poll(() => zoomOf(page)).toBeGreaterThan(1.5)
  const before = await readTransform(page)
  await page.mouse.down()
  await page.mouse.move(middle.x + 60, middle.y + 30, { steps: 5 })
  await page.mouse.up()
  await expect.poll(() => readTransform(page)).not.toBe(before)
  const dragged = await readTransform(page)
  await cropFrame(page).focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => readTransform(page)).not.toBe(dragged)
  // A drag that ends beside the dialog leaves it open.
  await page.mouse.move(middle.x, middle.y)
  await page.mouse.down()
  await page.mouse.move(5, middle.y, { steps: 5 })
  await page.mouse.up()
  await expect(cropDialog(page)).toBeVisible()
})

test('CROP-01 CROP-03 Escape, Back and Cancel change nothing and lead back to the tile', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const { page } = ana
  await recordUploadedFiles(page)
  await page.goto('/')
  await page.getByRole('link', { name: 'Create Post' }).first().click()
  const picture = await createMarkedJpeg()
  await choosePhotos(page, picture, await createJpeg())
  for (const leave of [
    () => page.keyboard.press('Escape'),
    () => page.goBack(),
    () => button(page, 'Cancel').click(),
    () => button(page, 'Close').click(),
  ]) {
    await openCropDialog(page, 1)
    await selectCropAspectRatio(page, '1:1')
    await leave()
    await expect(cropDialog(page)).toHaveCount(0)
    await expect(tile(page, 1)).toBeFocused()
    await expect(page).toHaveURL('/create-post')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
  }
  // Back asks about the form again.
  await page.goBack()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click()
  const { stored } = await publishForm(ana)
  expect(await sharp(stored[0]).metadata()).toMatchObject({ width: 1200, height: 900 })
  expect((await readUploadedFiles(page)).map(sha256).filter((sum) => sum === sha256(picture))).toHaveLength(1)
})

test('CROP-01 a photo that takes its time to be drawn has a sign in its place', async ({ signedUp }) => {
  const ana = await signedUp('ana')
  await ana.page.addInitScript(() => {
    const { toBlob } = HTMLCanvasElement.prototype
    HTMLCanvasElement.prototype.toBlob = function (...given) {
      Object.assign(globalThis, { draw: () => toBlob.apply(this, given) })
    }
  })
  const page = await openCreatePostForm(ana)
  await choosePhotos(page, await createMarkedJpeg())
  await page.getByRole('button', { name: 'Crop photo 1' }).click()
  const sign = cropDialog(page).getByRole('status', { name: 'Loading photo' })
  await expect(button(page, 'Done')).toBeVisible()
  await expect(sign).toBeVisible()
  await page.evaluate(() => (globalThis as unknown as { draw: () => void }).draw())
  await expect(cropFrame(page)).toBeVisible()
  await expect(sign).toHaveCount(0)
})

test('CROP-01 the menu of a tile crops too, and a stored photo of a post is cropped from what was posted', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const { page } = ana
  const post = await publishPostViaApi(ana, { picture: await createMarkedJpeg() })
  await page.goto(`/update-post/${post.$id}`)
  await page.getByRole('button', { name: 'Options for photo 1' }).click()
  await page.getByRole('menu').getByRole('menuitem', { name: 'Crop', exact: true }).click()
  await expect(cropFrame(page)).toBeFocused()
  await expect(cropDialog(page).getByText('What you cut away is deleted when you save.')).toBeVisible()
  await selectCropAspectRatio(page, '16:9')
  await confirmCrop(page)
  await page.getByRole('main').getByRole('button', { name: 'Update Post' }).click()
  await expect(page).toHaveURL(`/posts/${post.$id}`, uploadExpectTimeoutOptions)
  const [photo] = (await (await ana.request.get(`/v1/posts/${post.$id}`)).json()).photos
  expect([photo.width, photo.height]).toEqual([1200, 675])
  const [before] = post.photos
  expect((await ana.request.get(`${filesApiPath}/${before?.id}/content`)).status()).toBe(404)
})

test('CROP-01 on a phone a finger moves the photo and two enlarge it @phone', async ({ signedUp }) => {
  const page = await openCreatePostForm(await signedUp('ana'))
  await choosePhotos(page, await createMarkedJpeg())
  await openCropDialog(page)
  const devtools = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints })
  const { x, y } = await middleOf(page)
  await touch('touchStart', { x: x - 20, y }, { x: x + 20, y })
  for (let step = 1; step <= 8; step += 1)
    await touch('touchMove', { x: x - 20 - 5 * step, y }, { x: x + 20 + 5 * step, y })
  await touch('touchEnd')
  await expect.poll(() => zoomOf(page)).toBeGreaterThan(1.5)
  const before = await readTransform(page)
  await touch('touchStart', { x, y })
  for (let step = 1; step <= 6; step += 1) await touch('touchMove', { x: x + 8 * step, y })
  await touch('touchEnd')
  await expect.poll(() => readTransform(page)).not.toBe(before)
  const [content, shown] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ])
  expect(content).toBe(shown)
})

test('CROP-02 each shape gives its ratio, and a photo is turned to the left and to the right', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const page = await openCreatePostForm(ana)
  const picture = await createMarkedJpeg()
  await choosePhotos(page, ...Array.from({ length: 7 }, () => picture))
  const crop = async (at: number, does: () => Promise<unknown>) => {
    await openCropDialog(page, at)
    await does()
    await expect(cropFrame(page)).toBeVisible()
    await confirmCrop(page)
  }
  await crop(1, () => selectCropAspectRatio(page, '1:1'))
  await crop(2, () => selectCropAspectRatio(page, '4:5'))
  await crop(3, () => selectCropAspectRatio(page, '16:9'))
  await crop(4, async () => {
    await page.keyboard.press('+')
    await page.keyboard.press('+')
    await page.keyboard.press('+')
    await expect.poll(() => zoomOf(page)).toBeGreaterThan(1.3)
  })
  await crop(5, () => button(page, 'Turn left').click())
  await crop(6, async () => {
    await button(page, 'Turn right').click()
    await expect(cropDialog(page).getByText('Turned right')).toHaveCount(1)
    await selectCropAspectRatio(page, '16:9')
  })
  let frame = { width: 0, height: 0 }
  await crop(7, async () => {
    await selectCropAspectRatio(page, 'Free')
    await expect(cropFrame(page)).toBeFocused()
    for (let times = 0; times < 5; times += 1) await page.keyboard.press('Shift+ArrowLeft')
    await page.keyboard.press('Shift+ArrowDown')
    const box = (await cropFrame(page).boundingBox()) ?? frame
    const corner = cropDialog(page).locator('[data-corner="bottom right"]')
    await corner.hover()
    const { x, y } = await middleOf(page)
    await page.mouse.down()
    await page.mouse.move(x + box.width / 2, y + 90, { steps: 4 })
    await page.mouse.up()
    await expect.poll(async () => (await cropFrame(page).boundingBox())?.height).toBeCloseTo(180, 0)
    frame = (await cropFrame(page).boundingBox()) ?? frame
  })
  const { post, stored } = await publishForm(ana)
  const sizes = post.photos.map(({ width, height }) => [width, height])
  expect(sizes.slice(0, 3)).toEqual([
    [900, 900],
    [720, 900],
    [1200, 675],
  ])
  const [, , , original, left, right, free] = sizes
  expect(Math.abs((original?.[0] ?? 0) - ((original?.[1] ?? 0) * 4) / 3)).toBeLessThanOrEqual(1)
  expect(original?.[0]).toBeLessThan(950)
  expect(left).toEqual([900, 1200])
  expect(right?.[0]).toBe(900)
  expect(Math.abs((right?.[0] ?? 0) - ((right?.[1] ?? 0) * 16) / 9)).toBeLessThanOrEqual(1)
  const ratio = frame.width / frame.height
  // The frame is measured in pixels of the screen, which are some four of the photo.
  expect((free?.[0] ?? 0) / (free?.[1] ?? 1)).toBeCloseTo(ratio, 1)
  expect(ratio).toBeGreaterThan(1.5)
  // The mark above on the left comes to stand below on the left.
  expect(await colorAt(stored[4] as Buffer, 0.02, 0.98)).toBe('red')
  expect(await colorAt(stored[4] as Buffer, 0.2, 0.1)).toBe('blue')
})

test('CROP-03 the frame stands as it was left when it is opened again, and Reset gives the whole photo back', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const page = await openCreatePostForm(ana)
  await recordUploadedFiles(page)
  await page.reload()
  const picture = await createMarkedJpeg()
  await choosePhotos(page, picture)
  await openCropDialog(page)
  await button(page, 'Turn right').click()
  await expect(cropDialog(page).getByText('Turned right')).toHaveCount(1)
  await selectCropAspectRatio(page, '4:5')
  for (const key of ['+', '+', '+', '+', 'ArrowLeft', 'ArrowLeft', 'ArrowUp']) {
    await cropFrame(page).focus()
    await page.keyboard.press(key)
  }
  const left = { zoom: await zoomOf(page), place: await readTransform(page) }
  expect(left.zoom).toBeGreaterThan(1.4)
  await confirmCrop(page)
  await openCropDialog(page)
  await expect(cropDialog(page).getByRole('radio', { name: '4:5', exact: true })).toBeChecked()
  expect(await zoomOf(page)).toBeCloseTo(left.zoom, 1)
  const numbers = (place: string) => (place.match(/-?[\d.]+(?=px)/g) ?? []).map(Number)
  const [x = 0, y = 0] = numbers(await readTransform(page))
  const [wasX = 0, wasY = 0] = numbers(left.place)
  expect(Math.abs(x - wasX)).toBeLessThan(2)
  expect(Math.abs(y - wasY)).toBeLessThan(2)
  await button(page, 'Reset').click()
  await expect.poll(() => zoomOf(page)).toBe(1)
  await confirmCrop(page)
  const { stored } = await publishForm(ana)
  expect(await sharp(stored[0]).metadata()).toMatchObject({ width: 1200, height: 900 })
  const sent = await readUploadedFiles(page)
  expect(sha256(sent.at(-1) as Buffer)).toBe(sha256(picture))
})

test('CROP-04 what is cut away is in no request, and of a photo that was up already it is deleted', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const { page } = ana
  await page.clock.install()
  await recordUploadedFiles(page)
  await openCreatePostForm(ana)
  await page.clock.pauseAt(Date.now() + 60_000)
  const picture = await createMarkedJpeg()
  await choosePhotos(page, picture)
  await page.getByRole('button', { name: 'Crop photo 1', exact: true }).click()
  await page.clock.runFor(60_000)
  await expect(cropFrame(page)).toBeVisible()
  await expect(cropDialog(page).getByText('What you cut away never leaves your device.')).toBeVisible()
  await selectCropAspectRatio(page, '1:1')
  await expect(async () => {
    await page.clock.runFor(100)
    await expect(cropFrame(page)).toBeVisible({ timeout: 500 })
  }).toPass()
  await button(page, 'Done').click()
  await expect(cropDialog(page)).toHaveCount(0)
  expect(await readUploadedFiles(page)).toHaveLength(0)
  await page.clock.resume()
  const { stored } = await publishForm(ana)
  const sent = await readUploadedFiles(page)
  expect(sent).toHaveLength(1)
  expect(await sharp(stored[0]).metadata()).toMatchObject({ width: 900, height: 900 })
  expect(await countRedPixels(picture)).toBeGreaterThan(5000)
  for (const bytes of [...sent, ...stored]) expect(await countRedPixels(bytes)).toBe(0)

  const files: string[] = []
  page.on('response', async (response) => {
    if (response.request().method() === 'POST' && response.url().endsWith(filesApiPath))
      files.push((await response.json()).$id)
  })
  await openCreatePostForm(ana)
  await choosePhotos(page, picture)
  await expect.poll(() => files.length, uploadExpectTimeoutOptions).toBe(1)
  await openCropDialog(page)
  await expect(
    cropDialog(page).getByText('This photo is uploaded already. That copy is deleted when you press Done.'),
  ).toBeVisible()
  await selectCropAspectRatio(page, '1:1')
  await confirmCrop(page)
  await expect
    .poll(async () => (await ana.request.get(`${filesApiPath}/${files[0]}/content`)).status())
    .toBe(404)
})

test('CROP-05 a photo that nobody touches is uploaded byte for byte', async ({ signedUp }) => {
  const ana = await signedUp('ana')
  await recordUploadedFiles(ana.page)
  const page = await openCreatePostForm(ana)
  const picture = await drawMarkedPicture()
    .withIccProfile('p3')
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  await choosePhotos(page, picture)
  await openCropDialog(page)
  await confirmCrop(page)
  await publishForm(ana)
  expect((await readUploadedFiles(page)).map(sha256)).toEqual([sha256(picture)])
})

for (const { orientation, type } of [
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((orientation) => ({ orientation, type: 'jpeg' as const })),
  { orientation: 1, type: 'png' as const },
]) {
  test(`CROP-06 a cropped ${type} of orientation ${orientation} keeps its colours, its upright side and its pixels`, async ({
    signedUp,
  }) => {
    const ana = await signedUp('ana')
    const page = await openCreatePostForm(ana)
    const upright = await drawMarkedPicture().png().toBuffer()
    const source = await storedAs(upright, orientation, type)
    await page
      .getByLabel('Photo', { exact: true })
      .setInputFiles({ name: `foto.${type}`, mimeType: `image/${type}`, buffer: source })
    await openCropDialog(page)
    await selectCropAspectRatio(page, '1:1')
    await confirmCrop(page)
    const { stored } = await publishForm(ana)
    const picture = stored[0] as Buffer
    const { width, height, format, icc, orientation: left = 1 } = await sharp(picture).metadata()
    expect({ width, height, format, left }).toEqual({ width: 900, height: 900, format: type, left: 1 })
    expect(icc?.equals((await sharp(source).metadata()).icc as Buffer)).toBe(true)
    const there = await sharp(source)
      .keepIccProfile()
      .autoOrient()
      .extract({ left: 150, top: 0, width: 900, height: 900 })
      .png()
      .toBuffer()
    const difference = await meanDifference(there, picture)
    expect(difference).toBeLessThan(type === 'png' ? 0.01 : 1.5)
    if (type === 'jpeg') expect(lumaQuantiser(picture)).toBe(3)
  })
}

/** Stores an upright picture so that its orientation turns it upright again. */
async function storedAs(upright: Buffer, orientation: number, type: 'jpeg' | 'png'): Promise<Buffer> {
  const turned: Record<number, Sharp> = {
    1: sharp(upright),
    2: sharp(upright).flop(),
    3: sharp(upright).rotate(180),
    4: sharp(upright).flip(),
    5: sharp(await sharp(upright).rotate(90).toBuffer()).flop(),
    6: sharp(upright).rotate(270),
    7: sharp(await sharp(upright).rotate(270).toBuffer()).flop(),
    8: sharp(upright).rotate(90),
  }
  const lying = await (turned[orientation] as Sharp).png().toBuffer()
  const profiled = sharp(lying).withMetadata({ orientation }).withIccProfile('p3')
  return type === 'png'
    ? sharp(lying).withIccProfile('p3').png().toBuffer()
    : profiled.jpeg({ quality: 95 }).toBuffer()
}

/** The mean difference of two pictures' numbers, whatever colours they mean. */
async function meanDifference(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all(
    [one, other].map((picture) => sharp(picture).keepIccProfile().removeAlpha().raw().toBuffer()),
  )
  if (!a || !b || a.length !== b.length) throw new Error('Not of one size')
  return a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0) / a.length
}

/** The first number of a JPEG's first quantisation table, which is 16 at quality 50 and 3 at 92. */
function lumaQuantiser(jpeg: Buffer): number | undefined {
  return jpeg[jpeg.indexOf(Buffer.from([0xff, 0xdb])) + 5]
}
