import AxeBuilder from '@axe-core/playwright'
import type { Page, Route } from '@playwright/test'
import type { Post } from '#contract/posts.ts'
import { expect, type Person, test } from './fixtures.ts'
import { publish } from './posting.ts'

const main = (page: Page) => page.getByRole('main')
const tiles = (page: Page) => main(page).getByRole('listitem')
const box = (page: Page) => page.getByRole('searchbox', { name: 'Search Posts' })
const broken = (route: Route) => route.fulfill({ status: 500, json: { message: 'Server Error', code: 500 } })
/** Long enough for the three retries of a query (1, 2 and 4 s). */
const afterRetries = { timeout: 15_000 }

/** @returns newest first, as Explore shows them */
async function publishMany(person: Person, count: number, caption = 'Relleno'): Promise<Post[]> {
  const posts: Post[] = []
  for (let number = 1; number <= count; number++) {
    posts.unshift(await publish(person, { caption: `${caption} ${number} de ${person.username}` }))
  }
  return posts
}

const scrollToEnd = (page: Page) => page.evaluate(() => scrollTo(0, document.body.scrollHeight))

/** So low that the end of the first nine is out of sight until she scrolls. */
const low = { viewport: { width: 1440, height: 800 } }

test.describe('the feed', () => {
  test.use(low)

  test('EXP-01 EXP-03 EXP-04 GRID-01 GRID-02 GRID-03 ana sees what is popular: pictures that lead to posts, with name and likes', async ({
    signedUp,
  }) => {
    const [ana, bea] = [await signedUp('ana'), await signedUp('Bea Ortiz')]
    const post = await publish(bea, { caption: `Mar de bea ${'y más mar '.repeat(10)}` })
    await ana.request.put(`/v1/posts/${post.$id}/like`, { data: {} })
    await ana.page.goto('/explore')
    await expect(ana.page).toHaveTitle('Explore · Juntas')
    await expect(box(ana.page)).toHaveAttribute('placeholder', 'Search Posts')
    await expect(main(ana.page).getByRole('heading', { name: 'Popular Today' })).toBeVisible()
    const all = main(ana.page).getByText('All', { exact: true })
    await expect(all).toBeVisible()
    expect(await all.evaluate((chip) => chip.tabIndex)).toBe(-1)
    await expect(main(ana.page).getByRole('button', { name: 'All' })).toHaveCount(0)

    const tile = tiles(ana.page).first()
    await expect(tile).toContainText('Bea Ortiz')
    await expect(tile).toContainText('1 like')
    await expect(tile.getByRole('link')).toHaveAccessibleName(post.caption.slice(0, 80).trim())
    await expect(tile.getByRole('link')).toHaveAttribute('href', `/posts/${post.$id}`)
    await tile.getByRole('link').click()
    await expect(ana.page).toHaveURL(`/posts/${post.$id}`)
  })

  test('EXP-06 EXP-07 EXP-08 EXP-10 nine at a time as she scrolls, each post once, to the end; Back keeps them and her place', async ({
    signedUp,
  }) => {
    const dora = await signedUp('dora')
    const mine = await publishMany(dora, 20)
    const { page } = await signedUp('ana')
    await page.setViewportSize({ width: 1280, height: 720 })
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (pathname === '/v1/explore') asked.push(search)
    })
    await page.goto('/explore')
    await expect(tiles(page)).toHaveCount(9)
    await expect(main(page).getByText('Loading more posts')).toBeAttached()
    expect(asked).toEqual([''])
    await expect(main(page).getByText('You’ve seen everything for now.')).toHaveCount(0)
    await scrollToEnd(page)
    await expect(tiles(page)).toHaveCount(18)
    expect(asked[1]).toContain(mine[8]?.$id)
    await expect(main(page).getByRole('status').getByText('9 more posts loaded')).toBeAttached()

    const end = main(page).getByText('You’ve seen everything for now.')
    await expect(async () => {
      await scrollToEnd(page)
      await expect(end).toBeVisible({ timeout: 500 })
    }).toPass()
    await expect(main(page).getByText('Loading more posts')).toHaveCount(0)
    const links = await tiles(page)
      .getByRole('link')
      .evaluateAll((found) => found.map((link) => link.getAttribute('href')))
    expect(links.slice(0, 20)).toEqual(mine.map((post) => `/posts/${post.$id}`))
    expect(new Set(links).size).toBe(links.length)

    const left = mine[17] as Post
    const link = main(page).getByRole('link', { name: left.caption, exact: true })
    await link.scrollIntoViewIfNeeded()
    const place = await page.evaluate(() => scrollY)
    const requests = asked.length
    await link.click()
    await expect(main(page).getByRole('button', { name: 'Back' })).toBeVisible()
    await page.goBack()
    await expect(link).toBeFocused()
    expect(Math.abs((await page.evaluate(() => scrollY)) - place)).toBeLessThanOrEqual(2)
    await expect(tiles(page)).toHaveCount(links.length)
    expect(asked).toHaveLength(requests)
  })

  test('EXP-08 a page that fails can be asked for again, and what is there stays', async ({ signedUp }) => {
    await publishMany(await signedUp('dora'), 10)
    const { page } = await signedUp('ana')
    await page.route('**/v1/explore?cursor=**', broken)
    await page.goto('/explore')
    await expect(tiles(page)).toHaveCount(9)
    await scrollToEnd(page)
    const again = main(page).getByRole('button', { name: 'Try again' })
    await expect(again).toBeVisible(afterRetries)
    await expect(tiles(page)).toHaveCount(9)
    await page.unroute('**/v1/explore?cursor=**')
    await again.click()
    await expect(tiles(page).nth(9)).toBeVisible()
  })

  test('EXP-10 a feed that cannot be loaded says so', async ({ signedUp }) => {
    const { page } = await signedUp('ana')
    await publish(await signedUp('bea'))
    await page.route('**/v1/explore**', broken)
    await page.goto('/explore')
    await expect(main(page).getByText('We couldn’t load this.')).toBeVisible(afterRetries)
    await page.unroute('**/v1/explore**')
    await main(page).getByRole('button', { name: 'Try again' }).click()
    await expect(tiles(page).first()).toBeVisible()
  })

  test('EXP-03 a page of nine fills whole rows, with one larger picture where there are four or two columns', async ({
    signedUp,
  }) => {
    await publishMany(await signedUp('dora'), 9)
    const { page } = await signedUp('ana')
    for (const [width, columns, larger] of [
      [1440, 4, 1],
      [1000, 3, 0],
      [390, 2, 1],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto('/explore')
      await expect(tiles(page).nth(8)).toBeAttached()
      const boxes = await tiles(page).evaluateAll((found) =>
        found.slice(0, 9).map((tile) => tile.getBoundingClientRect()),
      )
      const least = Math.min(...boxes.map((tile) => tile.width))
      expect(boxes.filter((tile) => tile.width > least * 1.5)).toHaveLength(larger)
      for (const tile of boxes) expect(Math.abs(tile.width - tile.height)).toBeLessThan(1)
      expect(new Set(boxes.map((tile) => Math.round(tile.left))).size).toBe(columns)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    }
  })
})

test.describe('the search', () => {
  test.use(low)

  test('EXP-02 EXP-09 EXP-12 EXP-15 she searches half a second after the last letter, and clearing returns to the pages there were', async ({
    signedUp,
  }) => {
    const [dora, bea] = [await signedUp('dora'), await signedUp('bea')]
    const found = await publish(bea, { caption: `Atardecer en ${bea.username}`, tags: ['otro'] })
    await publishMany(dora, 20)
    const { page } = await signedUp('ana')
    await page.clock.install()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto('/explore')
    await expect(tiles(page)).toHaveCount(9)
    await scrollToEnd(page)
    await expect(tiles(page)).toHaveCount(18)
    const pages = asked.filter((path) => path === '/v1/explore').length

    const searches = () => asked.filter((path) => path === '/v1/search/posts').length
    await page.clock.pauseAt(Date.now() + 60_000)
    await box(page).pressSequentially(`ATARDECER en ${bea.username}`)
    await page.clock.runFor(499)
    expect(searches()).toBe(0)
    await page.clock.runFor(1)
    await expect.poll(searches).toBe(1)
    await page.clock.resume()
    await expect(main(page).getByRole('heading', { name: /^Results for “ATARDECER/ })).toBeVisible()
    await expect(tiles(page)).toHaveCount(1)
    await expect(tiles(page).getByRole('link')).toHaveAttribute('href', `/posts/${found.$id}`)
    await expect(main(page).getByRole('status').getByText('1 post found')).toBeAttached()
    await scrollToEnd(page)

    await main(page).getByRole('button', { name: 'Clear' }).click()
    await expect(main(page).getByRole('heading', { name: 'Popular Today' })).toBeVisible()
    await expect(box(page)).toBeFocused()
    await expect(tiles(page)).not.toHaveCount(1)
    expect(await tiles(page).count()).toBeGreaterThanOrEqual(18)
    expect(asked.filter((path) => path === '/v1/explore').length).toBeGreaterThanOrEqual(pages)
  })

  test('EXP-12 EXP-13 blanks are no search, nothing found says so, and Back from a post returns to what was found', async ({
    signedUp,
  }) => {
    const bea = await signedUp('bea')
    const post = await publish(bea, { caption: `Jacarandas de ${bea.username}` })
    const { page } = await signedUp('ana')
    await page.goto('/explore')
    await box(page).fill('   ')
    await expect(main(page).getByRole('heading', { name: 'Popular Today' })).toBeVisible()
    await box(page).fill('zzzz no hay')
    await expect(main(page).getByRole('status').getByText('No results found')).toBeVisible()

    await box(page).fill(`jacarandas de ${bea.username}`)
    await main(page).getByRole('link', { name: post.caption }).click()
    await expect(page).toHaveURL(`/posts/${post.$id}`)
    await page.goBack()
    await expect(box(page)).toHaveValue(`jacarandas de ${bea.username}`)
    await expect(tiles(page)).toHaveCount(1)
  })

  test('EXP-16 while a search runs, the boxes of what will come stand there', async ({ signedUp }) => {
    const bea = await signedUp('bea')
    await publish(bea)
    const { page } = await signedUp('ana')
    const answer = Promise.withResolvers<void>()
    await page.route('**/v1/search/posts**', async (route) => {
      await answer.promise
      await route.continue()
    })
    await page.goto('/explore')
    await box(page).fill(bea.name)
    await expect(main(page).locator('[aria-busy=true]').getByText('Loading…')).toBeAttached()
    answer.resolve()
    await expect(tiles(page).first()).toBeVisible()
  })
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing on Explore, full, searched and empty-handed, ${colorScheme} @both`, async ({
    signedUp,
  }) => {
    const bea = await signedUp('Bea de nombre largo '.repeat(5))
    await publish(bea)
    const { page } = await signedUp('ana')
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const violations = async () => (await new AxeBuilder({ page }).analyze()).violations
    await page.goto('/explore')
    await expect(tiles(page).first()).toBeVisible()
    expect(await violations()).toEqual([])
    await box(page).fill('zzzz no hay')
    await expect(main(page).getByText('No results found')).toBeVisible()
    expect(await violations()).toEqual([])
  })
}
