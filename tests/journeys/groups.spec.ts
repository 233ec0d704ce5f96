import { createPng } from '#scripts/harness/image-fixtures.ts'
import { expect, test, toastRegion, uploadExpectTimeoutOptions } from './fixtures.ts'
import { toUploadFilePayload } from './post-steps.ts'

test('GCRE-06 GCRE-07 GCRE-10 GCRE-11 ana creates a group with a photo, and it is first in the list @quick', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const { page } = ana
  const main = page.getByRole('main')
  await page.goto('/groups')
  await main.getByRole('link', { name: 'Create Group' }).click()
  await page.getByLabel('Name').fill(`Tejer ${ana.username}`)
  await page.getByLabel('Photo').setInputFiles(toUploadFilePayload(await createPng()))
  await main.getByRole('button', { name: 'Create Group' }).click()
  await expect(page).toHaveURL('/groups', uploadExpectTimeoutOptions)
  await expect(toastRegion(page).getByRole('listitem')).toContainText('Group created successfully!')
  const first = main.getByRole('article').first()
  await expect(first).toContainText(`Tejer ${ana.username}`)
  await expect(first).toContainText('1 member')
  await expect
    .poll(() => first.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
  await first.getByRole('link', { name: 'View Group' }).click()
  await expect(page.getByText("You're Admin")).toBeVisible()
})
