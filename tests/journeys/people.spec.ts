import { expect, test } from './fixtures.ts'
import { publishPostViaApi } from './post-steps.ts'

test("USR-02 USR-10 HOME-19 FOL-07 PROF-16 ana finds carla in People and follows her; carla’s profile and ana's Home show the follow @quick", async ({
  member,
  signedUp,
}) => {
  const [ana, carla] = [await signedUp('ana'), await member('Carla Nogués')]
  await publishPostViaApi(carla, { caption: 'La de carla' })
  const { page } = ana
  const main = page.getByRole('main')
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await page.goto('/')
  await expect(main.getByRole('heading', { name: 'No posts available' })).toBeVisible()
  await navigation.getByRole('link', { name: 'People' }).click()
  await expect(main.getByRole('listitem').first()).toContainText(`@${carla.username}`)
  await page.getByRole('searchbox', { name: 'Search people...' }).fill(carla.username)
  await expect(main.getByRole('status').getByText('1 person found')).toBeAttached()
  await main.getByRole('button', { name: 'Follow' }).click()
  await expect(main.getByRole('button', { name: 'Unfollow' })).toBeVisible()
  await main.getByRole('listitem').getByRole('link').click()
  await main.getByRole('link', { name: '1 Follower' }).click()
  await expect(page.getByRole('dialog', { name: 'Followers' }).getByRole('listitem')).toContainText(
    `@${ana.username}`,
  )
  await page.goBack()
  await navigation.getByRole('link', { name: 'Home' }).click()
  await expect(main.getByRole('article')).toContainText('La de carla')
})
