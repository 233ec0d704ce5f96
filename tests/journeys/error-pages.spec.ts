import { expect, test } from './fixtures.ts'

test('ERR-01 ERR-02 a page that crashes shows the error, and other pages still work @quick', async ({
  signedUp,
}) => {
  const { page } = await signedUp('ana')
  const breaks = "export const GroupsScreen = () => { throw new Error('The list broke') }"
  await page.route('**/assets/groups-screen-*.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: breaks }),
  )
  await page.goto('/saved')
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await navigation.getByRole('link', { name: 'Groups' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Unexpected Application Error!' })).toBeVisible()
  await expect(page.getByText('The list broke')).toBeVisible()
  await navigation.getByRole('link', { name: 'Saved' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Saved Posts' })).toBeVisible()
})
