import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { expect, test } from './fixtures.ts'
import { openCreatePostForm, toUploadFilePayload, uploadPhotoInForm } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const audience = (page: Page) => main(page).getByRole('region', { name: 'Who will see this' })
const receipt = (page: Page) => main(page).getByRole('region', { name: 'How you shared this' })

const phonePhoto = async () =>
  toUploadFilePayload(
    await sharp({ create: { width: 320, height: 240, channels: 3, background: '#c8321e' } })
      .withExif({ IFD0: { Make: 'Telefono' }, IFD3: { GPSLatitude: '19/1 25/1 5736/100' } })
      .jpeg()
      .toBuffer(),
    'playa.jpg',
    'image/jpeg',
  )

test('AUD-06 AUD-08 AUD-09 AUD-11 AUD-07 no audience warning stops ana from posting, and only ana sees the receipt of what she shared', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const bea = await signedUp('bea')
  const { page } = ana
  await page.route(/\/v1\/audience/, (route) => route.fulfill({ status: 403, json: {} }))
  await openCreatePostForm(ana)
  await expect(
    audience(page).getByText('We couldn’t check who will see this.', { exact: true }),
  ).toBeVisible()

  await page.getByLabel('Caption').fill('Una tarde juntas')
  await uploadPhotoInForm(page, await phonePhoto())
  await expect(
    main(page).getByText('Place and camera data removed from your photo', { exact: true }),
  ).toBeVisible()

  const asked: string[] = []
  page.on('request', (request) =>
    asked.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`),
  )
  const location = page.getByLabel('Location')
  await location.fill('Calle Morelos 214, Tonalá, Jalisco')
  const warning = main(page).getByRole('status').filter({ hasText: 'This looks like an exact address' })
  await expect(warning).toContainText('Everyone who sees the post will see it too.')
  await main(page).getByRole('button', { name: 'Use only “Tonalá, Jalisco”' }).click()
  await expect(location).toHaveValue('Tonalá, Jalisco')
  await expect(location).toBeFocused()
  await expect(warning).toHaveCount(0)
  await location.fill('Calle Morelos 214, Tonalá, Jalisco')
  await expect(warning).toBeVisible()
  expect(asked.filter((request) => /Morelos|Tonal/.test(request))).toEqual([])

  const made = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.status() === 201,
  )
  await main(page).getByRole('button', { name: 'Create Post' }).click()
  const { $id } = await (await made).json()
  await page.goto(`/posts/${$id}`)
  await expect(main(page).getByText('Calle Morelos 214, Tonalá, Jalisco')).toBeVisible()
  await expect(receipt(page).getByText('Shared with everyone', { exact: true })).toBeVisible()
  await expect(receipt(page).locator('time')).toContainText(String(new Date().getFullYear()))
  await expect(receipt(page)).toContainText('Removed from its photo: its place, camera data')

  await bea.page.goto(`/posts/${$id}`)
  await expect(main(bea.page).getByText('Una tarde juntas')).toBeVisible()
  await expect(receipt(bea.page)).toHaveCount(0)
})
