import {
  locateMessageList,
  openConversationPage,
  openConversationViaApi,
} from '#tests/journeys/chat-steps.ts'
import { toastRegion } from '#tests/journeys/fixtures.ts'
import { expect, takeForcedColorsScreenshots, test } from './screenshot-fixtures.ts'

test('Sign in with forced colors', async ({ page }) => {
  await page.goto('/sign-in', { waitUntil: 'networkidle' })
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true')
  await takeForcedColorsScreenshots(page, 'sign-in', 'invalid')
})

test('Home with forced colors: a liked and saved post, people with and without Follow, and a toast', async ({
  neighbour,
}) => {
  const { page } = await neighbour('sofia.arce')
  await page.clock.install()
  await page.goto('/')
  const people = page.getByRole('complementary', { name: 'People' })
  await people.getByRole('button', { name: 'Follow', exact: true }).first().click()
  await expect(toastRegion(page).getByRole('listitem')).toContainText('You are now following')
  const card = page.getByRole('article').first()
  for (const name of [/^Like, /, 'Save']) {
    const button = card.getByRole('button', { name })
    if ((await button.getAttribute('aria-pressed')) === 'false') await button.click()
    await expect(button).toHaveAttribute('aria-pressed', 'true')
  }
  await page.clock.pauseAt(Date.now() + 1000)
  await takeForcedColorsScreenshots(page, 'home', 'loaded')
})

test('Explore with forced colors', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await page.goto('/explore')
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  await takeForcedColorsScreenshots(page, 'explore', 'loaded')
})

test('People with forced colors', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await page.goto('/all-users')
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  await takeForcedColorsScreenshots(page, 'people', 'loaded')
})

test('A conversation with forced colors', async ({ neighbour }) => {
  const [lucia, marisol] = [await neighbour('lucia.ferrer'), await neighbour('marisol.barro')]
  const page = await openConversationPage(lucia, await openConversationViaApi(lucia, marisol))
  await expect(locateMessageList(page)).toHaveCSS('opacity', '1')
  await takeForcedColorsScreenshots(page, 'chat', 'thread')
})

test('A confirmation with forced colors', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await page.goto('/create-post')
  await page.getByLabel('Caption').fill('Un domingo en la huerta')
  await page.getByRole('link', { name: 'Home' }).first().click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await takeForcedColorsScreenshots(page, 'leaving', 'asked')
})
