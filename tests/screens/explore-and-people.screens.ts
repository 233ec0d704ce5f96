import { connectToDatabase } from '#server/database/open-database.ts'
import { rankTrendingPosts } from '#server/features/posts/trending/rank-trending-posts.ts'
import { createServerLogger } from '#server/log.ts'
import {
  defineScreenStateScreenshots,
  expect,
  takeResponsiveScreenshots,
  test,
} from './screenshot-fixtures.ts'

defineScreenStateScreenshots({ name: 'explore', by: 'lucia.ferrer', address: '/explore', asks: /explore/ })
defineScreenStateScreenshots({ name: 'saved', by: 'lucia.ferrer', address: '/saved', asks: /saved/ })
defineScreenStateScreenshots({ name: 'people', by: 'lucia.ferrer', address: '/all-users', asks: /people/ })

test('Explore', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await page.goto('/explore')
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  await takeResponsiveScreenshots(page, 'explore', 'loaded')
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await expect(page.getByText('You’ve seen everything for now.')).toBeAttached()
  await takeResponsiveScreenshots(page, 'explore', 'end', { whole: true })
})

test('Explore, loved this week', async ({ neighbour, server }) => {
  const { page } = await neighbour('lucia.ferrer')
  const database = connectToDatabase({ url: server.databaseUrl(), log: createServerLogger('silent') })
  await rankTrendingPosts(database.kysely)
  await database.close()
  await page.goto('/explore?order=loved')
  await expect(page.getByRole('tab', { name: 'Loved this week' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  await takeResponsiveScreenshots(page, 'explore', 'loved')
})

test('Explore, searched', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await page.goto('/explore')
  const box = page.getByRole('searchbox', { name: 'Search Posts' })
  await box.fill('mar')
  await expect(page.getByRole('heading', { name: /^Results for/ })).toBeVisible()
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  await takeResponsiveScreenshots(page, 'explore', 'found')
  await box.fill('nada que exista')
  await expect(page.getByText('No results found')).toBeVisible()
  await takeResponsiveScreenshots(page, 'explore', 'not-found')
})

test('Explore without posts', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await page.route('**/v1/explore*', (route) => route.fulfill({ json: { documents: [], next: null } }))
  await page.goto('/explore')
  await expect(page.getByText('End of posts')).toBeVisible()
  await takeResponsiveScreenshots(page, 'explore', 'empty')
})

test('Saved', async ({ neighbour, signedUp }) => {
  const { page } = await neighbour('lucia.ferrer')
  await page.goto('/saved')
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  await takeResponsiveScreenshots(page, 'saved', 'loaded')
  const ana = await signedUp('Ana Sol')
  await ana.page.goto('/saved')
  await expect(ana.page.getByText('No available posts')).toBeVisible()
  await takeResponsiveScreenshots(ana.page, 'saved', 'empty')
})

test('People', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await page.goto('/all-users')
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  await takeResponsiveScreenshots(page, 'people', 'loaded')
  await takeResponsiveScreenshots(page, 'people', 'whole', { whole: true })
})

test('Explore from some authors', async ({ neighbour, signedUp }) => {
  const { page } = await neighbour('lucia.ferrer')
  for (const from of ['following', 'groups']) {
    await page.goto(`/explore?from=${from}`)
    await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
    await takeResponsiveScreenshots(page, 'explore', from)
  }
  const ana = await signedUp('Ana Sol')
  await ana.page.goto('/explore?from=following')
  await expect(ana.page.getByText('Posts by the people you follow appear here.')).toBeVisible()
  await takeResponsiveScreenshots(ana.page, 'explore', 'following-none')
})

test('People, searched', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await page.goto('/all-users?search=mar')
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  await takeResponsiveScreenshots(page, 'people', 'found')
  await page.goto('/all-users?search=nadie se llama así')
  await expect(page.getByText('Nobody found')).toBeVisible()
  await takeResponsiveScreenshots(page, 'people', 'not-found')
})

test('lists of people in a dialog', async ({ neighbour, signedUp }) => {
  const { page, $id } = await neighbour('lucia.ferrer')
  const rows = page.getByRole('dialog').getByRole('listitem')
  await page.goto(`/profile/${$id}?list=followers`)
  await expect(rows.first()).toBeVisible()
  await takeResponsiveScreenshots(page, 'people-list', 'followers')
  const posts = await (await page.request.get(`/v1/people/${$id}/posts`)).json()
  const liked = posts.documents.find((post: { likeCount: number }) => post.likeCount > 0)
  await page.goto(`/posts/${liked.$id}?list=likers`)
  await expect(rows.first()).toBeVisible()
  await takeResponsiveScreenshots(page, 'people-list', 'likers')
  const ana = await signedUp('Ana Sol')
  await ana.page.goto(`/profile/${ana.$id}?list=followers`)
  await expect(ana.page.getByRole('dialog').getByText('No followers yet')).toBeVisible()
  await takeResponsiveScreenshots(ana.page, 'people-list', 'nobody')
})
