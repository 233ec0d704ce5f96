import { breakDown, expect, keepWaiting, photograph, test } from './camera.ts'

test('Home', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await page.goto('/')
  await expect(page.getByRole('article').first()).toBeVisible()
  await photograph(page, 'home', 'loaded')
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await photograph(page, 'home', 'end')
})

test('Home of somebody new', async ({ signedUp }) => {
  const { page } = await signedUp('Ana Sol')
  await page.goto('/')
  await expect(page.getByText('No posts available')).toBeVisible()
  await photograph(page, 'home', 'empty')
})

test('Home while it loads', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await keepWaiting(page, /feed|people/)
  await page.goto('/')
  await expect(page.getByText('Loading…').first()).toBeAttached()
  await photograph(page, 'home', 'loading')
  await expect(page.getByText('Still loading…').first()).toBeVisible()
  await photograph(page, 'home', 'slow')
})

test('Home that fails', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await breakDown(page, /feed|people/)
  await page.goto('/')
  await expect(page.getByText('Something bad happened')).toBeVisible()
  await photograph(page, 'home', 'failed')
  await page.unrouteAll()
  await breakDown(page, /feed/)
  await page.reload()
  await expect(page.getByText('Something bad happened')).toBeVisible()
  await photograph(page, 'home', 'half-failed')
})

test('Home offline', async ({ neighbour }) => {
  const { page, context } = await neighbour('lucia.ferrer')
  await page.goto('/')
  await expect(page.getByRole('article').first()).toBeVisible()
  await context.setOffline(true)
  await expect(page.getByText('You’re offline.')).toBeVisible()
  await photograph(page, 'home', 'offline')
})
