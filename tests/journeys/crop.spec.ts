import type { Page } from '@playwright/test'
import sharp, { type Sharp } from 'sharp'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import {
  choosePhotos,
  confirmCrop,
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
} from './crop-steps.ts'
import { expect, test, uploadExpectTimeoutOptions } from './fixtures.ts'
import { filesApiPath, openCreatePostForm, publishPostViaApi } from './post-steps.ts'

const tile = (page: Page, at: number) =>
  page.getByRole('main').getByRole('button', { name: new RegExp(`^Photo ${at}, `) })
const button = (page: Page, name: string) => cropDialog(page).getByRole('button', { name, exact: true })

test('CROP-01 CROP-03 Escape, Back and Cancel discard a crop, and a stored photo is cropped from its posted version @quick', async ({
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
  // Back now leaves the form, which asks again.
  await page.goBack()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click()
  const { stored } = await publishForm(ana)
  expect(await sharp(stored[0]).metadata()).toMatchObject({ width: 1200, height: 900 })
  expect((await readUploadedFiles(page)).map(sha256).filter((sum) => sum === sha256(picture))).toHaveLength(1)

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

const kinds = [
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((orientation) => ({ orientation, type: 'jpeg' as const })),
  { orientation: 1, type: 'png' as const },
]

test('CROP-06 cropped JPEGs and PNGs of every orientation are upright, with unchanged colours and pixels', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const page = await openCreatePostForm(ana)
  const upright = await drawMarkedPicture().png().toBuffer()
  const sources = await Promise.all(
    kinds.map(({ orientation, type }) => storedAs(upright, orientation, type)),
  )
  await page.getByLabel('Photo', { exact: true }).setInputFiles(
    kinds.map(({ type }, at) => ({
      name: `foto-${at}.${type}`,
      mimeType: `image/${type}`,
      buffer: sources[at] as Buffer,
    })),
  )
  for (const at of kinds.keys()) {
    await openCropDialog(page, at + 1)
    await selectCropAspectRatio(page, '1:1')
    await confirmCrop(page)
  }
  const { stored } = await publishForm(ana)
  for (const [at, { orientation, type }] of kinds.entries()) {
    const what = `${type} of orientation ${orientation}`
    const [picture, source] = [stored[at] as Buffer, sources[at] as Buffer]
    const { width, height, format, icc, orientation: left = 1 } = await sharp(picture).metadata()
    expect({ width, height, format, left }, what).toEqual({ width: 900, height: 900, format: type, left: 1 })
    expect(icc?.equals((await sharp(source).metadata()).icc as Buffer), what).toBe(true)
    const there = await sharp(source)
      .keepIccProfile()
      .autoOrient()
      .extract({ left: 150, top: 0, width: 900, height: 900 })
      .png()
      .toBuffer()
    expect(await meanDifference(there, picture), what).toBeLessThan(type === 'png' ? 0.01 : 1.5)
    if (type === 'jpeg') expect(lumaQuantiser(picture), what).toBe(3)
  }
})

test('CROP-05 an uncropped photo with a colour profile and an orientation is uploaded byte for byte', async ({
  signedUp,
}) => {
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

/** The orientation tag turns the rotated or mirrored picture upright. */
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

async function meanDifference(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all(
    [one, other].map((picture) => sharp(picture).keepIccProfile().removeAlpha().raw().toBuffer()),
  )
  if (!a || !b || a.length !== b.length) throw new Error('Not of one size')
  return a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0) / a.length
}

/** The first value of the first quantization table: 16 at quality 50, 3 at quality 92. */
function lumaQuantiser(jpeg: Buffer): number | undefined {
  return jpeg[jpeg.indexOf(Buffer.from([0xff, 0xdb])) + 5]
}
