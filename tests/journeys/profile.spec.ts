import { createPng } from '#scripts/harness/image-fixtures.ts'
import { expect, test } from './fixtures.ts'
import { toUploadFilePayload } from './post-steps.ts'

test('PROF-01 PUPD-01 PUPD-05 PUPD-11 ana’s new name, bio and photo are on her profile and in the sidebar @quick', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const { page } = ana
  const main = page.getByRole('main')
  await page.goto(`/profile/${ana.$id}`)
  await main.getByRole('link', { name: 'Edit Profile' }).click()
  const chooser = page.waitForEvent('filechooser')
  await main.getByRole('button', { name: 'Change profile photo' }).click()
  await (await chooser).setFiles(toUploadFilePayload(await createPng()))
  const crop = page.getByRole('dialog', { name: 'Crop your profile photo' })
  await crop.getByRole('button', { name: 'Done' }).click()
  await expect(crop).toHaveCount(0)
  await main.getByLabel('Name', { exact: true }).fill('Ana Sol')
  await main.getByLabel('Bio').fill('Barro y mar')
  await main.getByRole('button', { name: 'Update Profile' }).click()

  await expect(page).toHaveURL(`/profile/${ana.$id}`)
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Ana Sol')
  await expect(main.getByText('Barro y mar')).toBeVisible()
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' })
  await expect(sidebar).toContainText('Ana Sol')
  for (const place of [main, sidebar]) {
    const photo = place.locator('img').first()
    await expect(photo).toHaveAttribute('src', /\/content\?width=/)
    expect(await photo.evaluate((image: HTMLImageElement) => image.decode().then(() => true))).toBe(true)
  }
})
