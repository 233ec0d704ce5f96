import { expect, test, toastRegion } from './fixtures.ts'
import { uploadPhotoInForm } from './post-steps.ts'

test('PCRE-19 a failure is shown for five seconds even if the code of toasts has not loaded, and as a toast once it has', async ({
  signedUp,
}) => {
  const { page } = await signedUp('ana')
  let reachable = false
  await page.route('**/assets/toaster-*.js', (route) => (reachable ? route.fallback() : route.abort()))
  await page.route('**/v1/posts', (route) => route.abort())
  await page.clock.install()
  await page.goto('/create-post')
  await page.getByLabel('Caption').fill('Una tarde')
  await uploadPhotoInForm(page)
  await page.getByLabel('Location').fill('Tonalá')
  await page.clock.runFor(2000)
  const submit = page.getByRole('main').getByRole('button', { name: 'Create Post' })
  const said = page.getByRole('alert').filter({ hasText: 'Create post failed. Please try again.' })
  await submit.click()
  await page.clock.runFor(1000)
  await expect(said).toBeVisible()
  await expect(toastRegion(page)).toHaveCount(0)
  await page.clock.runFor(5000)
  await expect(said).toHaveCount(0)

  reachable = true
  await submit.click()
  await page.clock.runFor(1000)
  await expect(toastRegion(page).getByRole('listitem')).toContainText('Create post failed')
  await expect(said).toHaveCount(0)
})
