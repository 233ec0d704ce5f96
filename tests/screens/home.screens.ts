import { toastRegion } from '#tests/journeys/fixtures.ts'
import {
  defineScreenStateScreenshots,
  expect,
  failApiRequests,
  takeResponsiveScreenshots,
  test,
} from './screenshot-fixtures.ts'

defineScreenStateScreenshots({ name: 'home', by: 'lucia.ferrer', address: '/', asks: /feed|people/ })

test('Home', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await page.goto('/')
  await expect(page.getByRole('article').first()).toBeVisible()
  await takeResponsiveScreenshots(page, 'home', 'loaded')
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await takeResponsiveScreenshots(page, 'home', 'end')
})

test('Home of a new member', async ({ signedUp }) => {
  const { page } = await signedUp('Ana Sol')
  await page.goto('/')
  await expect(page.getByText('No posts available')).toBeVisible()
  await takeResponsiveScreenshots(page, 'home', 'empty')
})

test('Home when the feed fails', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await failApiRequests(page, /feed/)
  await page.goto('/')
  await expect(page.getByText('Something bad happened')).toBeVisible()
  await takeResponsiveScreenshots(page, 'home', 'half-failed')
})

test('a toast', async ({ neighbour }) => {
  const { page } = await neighbour('sofia.arce')
  await page.clock.install()
  await page.goto('/')
  const row = page.getByRole('complementary', { name: 'People' }).getByRole('listitem')
  await row.getByRole('button', { name: 'Follow', exact: true }).first().click()
  await expect(toastRegion(page).getByRole('listitem')).toContainText('You are now following')
  await page.clock.pauseAt(Date.now() + 1000)
  await takeResponsiveScreenshots(page, 'toast', 'success')
})

test('an error toast', async ({ neighbour }) => {
  const { page } = await neighbour('sofia.arce')
  await page.clock.install()
  await failApiRequests(page, /like/)
  await page.goto('/')
  await page
    .getByRole('button', { name: /^Like, / })
    .first()
    .click()
  await expect(toastRegion(page).getByRole('listitem')).toContainText('Something went wrong')
  await page.clock.pauseAt(Date.now() + 1000)
  await takeResponsiveScreenshots(page, 'toast', 'error')
})

test('an unknown URL', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await page.goto('/nowhere')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unexpected Application Error!')
  await takeResponsiveScreenshots(page, 'not-found', 'shown')
})
