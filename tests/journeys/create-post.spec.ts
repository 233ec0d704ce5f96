import type { Page } from '@playwright/test'
import sharp, { type Metadata } from 'sharp'
import { imageVariantWidthsPx } from '#contract/limits.ts'
import type { Post } from '#contract/posts/posts.ts'
import { createPhoneJpegWithGps, gpsPositionFixture } from '#scripts/harness/image-fixtures.ts'
import { clickCreateAccountButton, fillSignUp } from './auth-form-steps.ts'
import { expect, signUpFormFixture, test } from './fixtures.ts'
import {
  appwriteBucketFilesPath,
  filesApiPath,
  followMemberViaApi,
  toUploadFilePayload,
  uploadPhotoInForm,
} from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const submit = (page: Page) => main(page).getByRole('button', { name: 'Create Post' })

test('ana signs up and posts a picture; bea sees a placeholder, then the picture, upright and without its location @quick', async ({
  page,
  signedUp,
}) => {
  test.slow()
  const ana = signUpFormFixture('ana')
  await page.goto('/sign-up')
  await fillSignUp(page, ana)
  await clickCreateAccountButton(page)
  await expect(main(page).getByRole('heading', { name: 'No posts available' })).toBeVisible()

  const picture = await createPhoneJpegWithGps()
  expect(picture.length).toBeGreaterThan(5 * 1024 * 1024)
  expect(picture.includes(gpsPositionFixture)).toBe(true)
  await page.getByRole('navigation').getByRole('link', { name: 'Create Post' }).click()
  await page.getByLabel('Caption').fill('Desde mi ventana')
  await page.getByLabel('Location').fill('Tonalá')
  await uploadPhotoInForm(page, toUploadFilePayload(picture, 'IMG_0001.JPG', 'image/jpeg'))
  const late = Promise.withResolvers<void>()
  await page.route('**/content**', async (route) => {
    await late.promise
    await route.continue()
  })
  await submit(page).click()

  const box = main(page)
    .getByRole('article', { name: `Post by ${ana.name}` })
    .locator('[data-picture]')
  await expect(box).toHaveAttribute('data-picture', 'waiting')
  await expect(async () => {
    const { width, height } = (await box.boundingBox()) ?? { width: 0, height: 0 }
    expect(width / height).toBeCloseTo(0.8, 1)
  }).toPass()
  const miniature = await box.evaluate((element) => getComputedStyle(element).backgroundImage)
  await expectUpright(Buffer.from(/base64,([^"]+)/.exec(miniature)?.[1] ?? '', 'base64'))
  late.resolve()
  await expect(box).toHaveAttribute('data-picture', 'shown')
  await expectUpright(await box.screenshot())

  const bea = await signedUp('bea')
  const [post] = (await (await page.request.get('/v1/feed')).json()).documents as [Post]
  expect(post.image).toMatchObject({ width: 3024, height: 4032 })
  await expectNoTrace(page, post)

  await bea.page.goto('/')
  await expect(main(bea.page).getByText('No posts available')).toBeVisible()
  await followMemberViaApi(bea, { ...bea, $id: post.creator?.$id ?? '' })
  await bea.page.reload()
  const seen = main(bea.page).getByRole('article', { name: `Post by ${ana.name}` })
  await expect(seen).toContainText('Desde mi ventana')
  await expect(seen.locator('[data-picture=shown]')).toBeVisible()
  await expectUpright(await seen.locator('[data-picture]').screenshot())
})

async function expectUpright(picture: Buffer) {
  const pixels = await sharp(picture).removeAlpha().resize(1, 4, { fit: 'fill' }).raw().toBuffer()
  const [red = 0, , blue = 0] = pixels.subarray(0, 3)
  const [redBelow = 0, , blueBelow = 0] = pixels.subarray(9, 12)
  expect(red).toBeGreaterThan(blue + 40)
  expect(blueBelow).toBeGreaterThan(redBelow + 40)
}

/** The location is neither in a text nor in a GPS directory. */
async function expectNoTrace(page: Page, post: Post) {
  const file = `${filesApiPath}/${post.imageId}`
  const inBucket = `${appwriteBucketFilesPath}/${post.imageId}`
  const widths = imageVariantWidthsPx.map((width) => `width=${width}`)
  for (const accept of ['image/webp,*/*', 'image/jpeg']) {
    for (const url of [
      ...['content', ...widths.map((width) => `content?${width}`)].map((path) => `${file}/${path}`),
      ...['view', 'download', 'preview'].map((path) => `${inBucket}/${path}`),
      ...widths.map((width) => `${inBucket}/preview?${width}`),
    ]) {
      const answer = await page.request.get(url, { headers: { accept } })
      expect(answer.status(), url).toBe(200)
      const bytes = await answer.body()
      expect(bytes.includes(gpsPositionFixture), url).toBe(false)
      expect(gpsDirectory(await sharp(bytes).metadata()), url).toBe(false)
    }
  }
  for (const url of [file, inBucket])
    expect(JSON.stringify(await (await page.request.get(url)).json())).not.toContain(gpsPositionFixture)
}

/** A GPS pointer (0x8825) in either byte order. */
function gpsDirectory({ exif }: Metadata): boolean {
  return Boolean(
    exif && (exif.includes(Buffer.from([0x88, 0x25])) || exif.includes(Buffer.from([0x25, 0x88]))),
  )
}
