import {
  defineScreenStateScreenshots,
  expect,
  takeResponsiveScreenshots,
  test,
} from './screenshot-fixtures.ts'

const own = { by: 'lucia.ferrer', address: (me: { $id: string }) => `/profile/${me.$id}` }

defineScreenStateScreenshots({ name: 'profile', ...own, asks: /people/ })

test("the viewer's own profile", async ({ neighbour }) => {
  const { page, $id } = await neighbour('lucia.ferrer')
  await page.goto(`/profile/${$id}`)
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  await takeResponsiveScreenshots(page, 'profile', 'own')
  await page.getByRole('link', { name: 'Liked Posts' }).click()
  await expect(page).toHaveURL(/liked-posts/)
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  await takeResponsiveScreenshots(page, 'profile', 'liked')
})

test('the profile of another member', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  const { $id } = await neighbour('paloma.r')
  await page.goto(`/profile/${$id}`)
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  await takeResponsiveScreenshots(page, 'profile', 'other')
})

test('the profile of a new member, and a profile that does not exist', async ({ signedUp }) => {
  const { page, $id } = await signedUp('Ana Sol')
  await page.goto(`/profile/${$id}`)
  await expect(page.getByText('No posts yet')).toBeVisible()
  await takeResponsiveScreenshots(page, 'profile', 'empty')
  await page.goto(`/profile/${$id}/liked-posts`)
  await expect(page.getByText('No liked posts')).toBeVisible()
  await takeResponsiveScreenshots(page, 'profile', 'none-liked')
  await page.goto('/profile/nobody')
  await expect(page.getByRole('main').getByText('Profile not found').last()).toBeVisible()
  await takeResponsiveScreenshots(page, 'profile', 'not-found')
})

test('Edit Profile', async ({ neighbour }) => {
  const { page, $id } = await neighbour('lucia.ferrer')
  await page.goto(`/update-profile/${$id}`)
  await expect(page.getByLabel('Bio')).toBeVisible()
  await takeResponsiveScreenshots(page, 'edit-profile', 'loaded')
  await takeResponsiveScreenshots(page, 'edit-profile', 'whole', { whole: true })
  await page.getByLabel('Name', { exact: true }).fill('L')
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await expect(page.getByLabel('Name', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await takeResponsiveScreenshots(page, 'edit-profile', 'invalid', { whole: true })
})
