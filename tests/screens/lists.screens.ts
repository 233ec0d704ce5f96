import { everyState, expect, photograph, test } from './camera.ts'

everyState({ name: 'explore', by: 'lucia.ferrer', address: '/explore', asks: /explore/ })
everyState({ name: 'saved', by: 'lucia.ferrer', address: '/saved', asks: /saved/ })
everyState({ name: 'people', by: 'lucia.ferrer', address: '/all-users', asks: /people/ })

test('Explore', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await page.goto('/explore')
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  await photograph(page, 'explore', 'loaded')
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await expect(page.getByText('You’ve seen everything for now.')).toBeAttached()
  await photograph(page, 'explore', 'end', { whole: true })
})

test('Explore, searched', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await page.goto('/explore')
  const box = page.getByRole('searchbox', { name: 'Search Posts' })
  await box.fill('mar')
  await expect(page.getByRole('heading', { name: /^Results for/ })).toBeVisible()
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  await photograph(page, 'explore', 'found')
  await box.fill('nada que exista')
  await expect(page.getByText('No results found')).toBeVisible()
  await photograph(page, 'explore', 'not-found')
})

test('Explore where nobody has posted', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await page.route('**/v1/explore*', (route) => route.fulfill({ json: { documents: [], next: null } }))
  await page.goto('/explore')
  await expect(page.getByText('End of posts')).toBeVisible()
  await photograph(page, 'explore', 'empty')
})

test('Saved', async ({ neighbour, signedUp }) => {
  const { page } = await neighbour('lucia.ferrer')
  await page.goto('/saved')
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  await photograph(page, 'saved', 'loaded')
  const ana = await signedUp('Ana Sol')
  await ana.page.goto('/saved')
  await expect(ana.page.getByText('No available posts')).toBeVisible()
  await photograph(ana.page, 'saved', 'empty')
})

test('People', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await page.goto('/all-users')
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  await photograph(page, 'people', 'loaded')
  await photograph(page, 'people', 'whole', { whole: true })
})
