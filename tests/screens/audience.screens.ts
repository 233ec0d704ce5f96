import sharp from 'sharp'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { expect, takeResponsiveScreenshots, test } from './screenshot-fixtures.ts'

test('the audience of a post, an exact location and the receipt', async ({ neighbour }) => {
  const me = await neighbour('lucia.ferrer')
  const { page } = me
  await page.goto('/create-post')
  await page.getByLabel('Caption').fill('Primera taza con asa que no se cae.')
  const photo = await sharp(await createJpeg('#c8321e'))
    .withExif({ IFD0: { Make: 'Telefono' }, IFD3: { GPSLatitude: '19/1 25/1 5736/100' } })
    .jpeg()
    .toBuffer()
  await page
    .getByLabel('Photo', { exact: true })
    .setInputFiles({ name: 'taza.jpg', mimeType: 'image/jpeg', buffer: photo })
  await page.getByLabel('Location').fill('Calle Morelos 214, Tonalá, Jalisco')
  await page.getByLabel('Tags').fill('barro, taller')
  await expect(page.getByText('Place and camera data removed from your photo')).toBeVisible()
  await expect(page.getByText('This looks like an exact address')).toBeVisible()
  await page.getByLabel('Group').selectOption({ index: 1 })
  await expect(page.getByRole('button', { name: 'See who' })).toBeVisible()
  await takeResponsiveScreenshots(page, 'create-post', 'audience', { whole: true })
  await page.getByRole('button', { name: 'See who' }).click()
  await expect(page.getByRole('dialog').getByRole('listitem').first()).toBeVisible()
  await takeResponsiveScreenshots(page, 'create-post', 'see-who')
  await page.keyboard.press('Escape')
  const made = page.waitForResponse((response) => response.url().endsWith('/v1/posts'))
  await page.getByRole('main').getByRole('button', { name: 'Create Post' }).click()
  const { $id } = await (await made).json()
  await page.goto(`/posts/${$id}`, { waitUntil: 'networkidle' })
  await expect(page.getByRole('region', { name: 'How you shared this' })).toBeVisible()
  await takeResponsiveScreenshots(page, 'post', 'receipt', { whole: true })
})
