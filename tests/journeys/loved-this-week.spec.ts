import type { Page } from '@playwright/test'
import type { Post } from '#contract/posts/posts.ts'
import type { RunningServer } from '#scripts/harness/server-process.ts'
import { connectToDatabase } from '#server/database/open-database.ts'
import { rankTrendingPosts } from '#server/features/posts/trending/rank-trending-posts.ts'
import { createServerLogger } from '#server/log.ts'
import {
  expect,
  fulfillWithServerError,
  type JourneyMember,
  test,
  waitThroughQueryRetries,
} from './fixtures.ts'
import { publishPostViaApi } from './post-steps.ts'

// What others loved would stand among it.
test.use({ ownServer: 'loved' })
// In one worker, which starts the server and the browser once.
test.describe.configure({ mode: 'default' })

const main = (page: Page) => page.getByRole('main')
const tiles = (page: Page) => main(page).getByRole('listitem')
const tab = (page: Page, name: string) => main(page).getByRole('tab', { name })
const filter = (page: Page) => main(page).getByRole('group', { name: 'Posts from' })

/** Lets five minutes pass for the ranking. @param only begins anew, with none of the rankings before */
async function rank(server: RunningServer, { only = false } = {}): Promise<void> {
  const database = connectToDatabase({ url: server.databaseUrl(), log: createServerLogger('silent') })
  if (only) await database.pool.query('truncate trending_rankings cascade')
  await rankTrendingPosts(database.kysely)
  await database.close()
}

/** As if everything so far had been long ago. */
async function forget(server: RunningServer): Promise<void> {
  const database = connectToDatabase({ url: server.databaseUrl(), log: createServerLogger('silent') })
  await database.pool.query(`update post_likes set created_at = created_at - interval '30 days'`)
  await database.close()
  await rank(server, { only: true })
}

/** @returns the last, which is the youngest and so the most loved, first */
async function publishLoved(author: JourneyMember, by: JourneyMember, count: number): Promise<Post[]> {
  const posts: Post[] = []
  for (let n = 1; n <= count; n += 1) {
    const post = await publishPostViaApi(author, { caption: `Querida ${n} de ${author.username}` })
    expect((await by.request.put(`/v1/posts/${post.$id}/like`, { data: {} })).ok()).toBe(true)
    posts.unshift(post)
  }
  return posts
}

const linksOf = (page: Page) =>
  tiles(page)
    .getByRole('link')
    .evaluateAll((found) => found.map((link) => link.getAttribute('href')))
const pathsOf = (posts: readonly Post[]) => posts.map(({ $id }) => `/posts/${$id}`)

test('TREND-01 TREND-02 beside Recent, which is chosen, she finds what was loved this week, and comes back to it', async ({
  member,
  server,
  signedUp,
}) => {
  await forget(server)
  const [dora, ana] = [await member('dora'), await signedUp('ana')]
  const posts = await publishLoved(dora, ana, 9)
  const quiet = await publishPostViaApi(dora, { caption: `Sin corazones de ${dora.username}` })
  await rank(server, { only: true })
  const { page } = ana
  await page.goto('/explore')
  await expect(main(page).getByRole('heading', { name: 'Popular Today' })).toBeVisible()
  await expect(main(page).getByRole('tablist').getByRole('tab')).toHaveText(['Recent', 'Loved this week'])
  await expect(tab(page, 'Recent')).toHaveAttribute('aria-selected', 'true')
  await expect(filter(page)).toBeVisible()
  expect((await linksOf(page))[0]).toBe(`/posts/${quiet.$id}`)

  await tab(page, 'Loved this week').click()
  await expect(page).toHaveURL('/explore?order=loved')
  await expect(tab(page, 'Loved this week')).toHaveAttribute('aria-selected', 'true')
  await expect(main(page).getByRole('tabpanel', { name: 'Loved this week' })).toBeVisible()
  await expect(filter(page)).toHaveCount(0)
  await expect.poll(() => linksOf(page)).toEqual(pathsOf(posts))
  const end = main(page).getByText('That’s what was loved this week.')
  await expect(async () => {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await expect(end).toBeVisible({ timeout: 500 })
  }).toPass()

  await tiles(page).nth(3).getByRole('link').click()
  await expect(page).toHaveURL(`/posts/${posts[3]?.$id}`)
  await page.goBack()
  await expect(tab(page, 'Loved this week')).toHaveAttribute('aria-selected', 'true')
  await expect(tiles(page)).toHaveCount(9)

  await tab(page, 'Loved this week').focus()
  await page.keyboard.press('ArrowLeft')
  await expect(tab(page, 'Recent')).toBeFocused()
  await expect(page).toHaveURL('/explore')
  await expect(filter(page)).toBeVisible()
  await expect(tiles(page).first().getByRole('link')).toHaveAttribute('href', `/posts/${quiet.$id}`)
})

test('TREND-05 as she scrolls each post comes once, also when it is ranked anew meanwhile or the ranking is long gone', async ({
  member,
  server,
  signedUp,
}) => {
  await forget(server)
  const [dora, ana] = [await member('dora'), await signedUp('ana')]
  const posts = await publishLoved(dora, ana, 20)
  await rank(server, { only: true })
  const { page } = ana
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.goto('/explore?order=loved')
  await expect(tiles(page)).toHaveCount(9)
  await rank(server)
  const scroll = () => page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await scroll()
  await expect(tiles(page)).toHaveCount(18)
  expect(await linksOf(page)).toEqual(pathsOf(posts.slice(0, 18)))
  await rank(server, { only: true })
  await expect(async () => {
    await scroll()
    await expect(tiles(page)).toHaveCount(20, { timeout: 500 })
  }).toPass()
  expect(await linksOf(page)).toEqual(pathsOf(posts))
})

test('TREND-06 of fewer than nine posts there is nothing but Recent', async ({
  member,
  server,
  signedUp,
}) => {
  await forget(server)
  const [dora, ana] = [await member('dora'), await signedUp('ana')]
  await publishLoved(dora, ana, 8)
  await rank(server, { only: true })
  const { page } = ana
  const asked = page.waitForResponse(/\/v1\/explore\?order=loved/)
  await page.goto('/explore')
  await asked
  await expect(main(page).getByRole('tab')).toHaveText(['Recent'])
  await page.goto('/explore?order=loved')
  await expect(main(page).getByRole('tab')).toHaveText(['Recent'])
  await expect(tab(page, 'Recent')).toHaveAttribute('aria-selected', 'true')
  await expect(filter(page)).toBeVisible()
  await expect(tiles(page).nth(7)).toBeVisible()
})

test('TREND-01 what was loved this week can be asked for again when it cannot be loaded', async ({
  member,
  server,
  signedUp,
}) => {
  await forget(server)
  const [dora, ana] = [await member('dora'), await signedUp('ana')]
  await publishLoved(dora, ana, 9)
  await rank(server, { only: true })
  const { page } = ana
  await page.route('**/v1/explore?order=loved', fulfillWithServerError)
  await page.clock.install()
  await page.goto('/explore?order=loved')
  await waitThroughQueryRetries(page, main(page).getByText('We couldn’t load this.'))
  await page.unrouteAll()
  await main(page).getByRole('button', { name: 'Try again' }).click()
  await expect(tiles(page)).toHaveCount(9)
})
