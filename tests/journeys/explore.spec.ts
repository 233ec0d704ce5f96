import type { Page } from '@playwright/test'
import type { Post } from '#contract/posts/posts.ts'
import {
  expect,
  fulfillWithServerError,
  type JourneyMember,
  test,
  waitThroughQueryRetries,
} from './fixtures.ts'
import { createGroupViaApi } from './group-steps.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const tiles = (page: Page) => main(page).getByRole('listitem')
const box = (page: Page) => page.getByRole('searchbox', { name: 'Search Posts' })

/** @returns newest first, as Explore shows them */
async function publishMany(person: JourneyMember, count: number, caption = 'Relleno'): Promise<Post[]> {
  const posts: Post[] = []
  for (let number = 1; number <= count; number++) {
    posts.unshift(await publishPostViaApi(person, { caption: `${caption} ${number} de ${person.username}` }))
  }
  return posts
}

const scrollToEnd = (page: Page) => page.evaluate(() => scrollTo(0, document.body.scrollHeight))

/** So low that the end of the first nine is out of sight until she scrolls. */
const low = { viewport: { width: 1440, height: 800 } }

test.describe('the feed', () => {
  test.use(low)

  test('EXP-01 EXP-03 GRID-01 GRID-02 GRID-03 ana sees what is popular: pictures that lead to posts, with name and likes @quick', async ({
    member,
    signedUp,
  }) => {
    const [ana, bea] = [await signedUp('ana'), await member('Bea Ortiz')]
    const post = await publishPostViaApi(bea, { caption: `Mar de bea ${'y más mar '.repeat(10)}` })
    await ana.request.put(`/v1/posts/${post.$id}/like`, { data: {} })
    await ana.page.goto('/explore')
    await expect(ana.page).toHaveTitle('Explore · Juntas')
    await expect(box(ana.page)).toHaveAttribute('placeholder', 'Search Posts')
    await expect(main(ana.page).getByRole('heading', { name: 'Popular Today' })).toBeVisible()

    const tile = tiles(ana.page).first()
    await expect(tile).toContainText('Bea Ortiz')
    await expect(tile).toContainText('1 like')
    await expect(tile.getByRole('link')).toHaveAccessibleName(post.caption.slice(0, 80).trim())
    await expect(tile.getByRole('link')).toHaveAttribute('href', `/posts/${post.$id}`)
    await tile.getByRole('link').click()
    await expect(ana.page).toHaveURL(`/posts/${post.$id}`)
  })

  test('EXP-06 EXP-07 EXP-08 EXP-10 nine at a time as she scrolls, each post once, to the end; Back keeps them and her place', async ({
    member,
    signedUp,
  }) => {
    const dora = await member('dora')
    const mine = await publishMany(dora, 20)
    const { page } = await signedUp('ana')
    await page.setViewportSize({ width: 1280, height: 720 })
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (pathname === '/v1/explore' && !search.includes('order=loved')) asked.push(search)
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

  test('EXP-08 a page that fails can be asked for again, and what is there stays', async ({
    member,
    signedUp,
  }) => {
    await publishMany(await member('dora'), 10)
    const { page } = await signedUp('ana')
    await page.route('**/v1/explore?cursor=**', fulfillWithServerError)
    await page.clock.install()
    await page.goto('/explore')
    await expect(tiles(page)).toHaveCount(9)
    await scrollToEnd(page)
    const again = main(page).getByRole('button', { name: 'Try again' })
    await waitThroughQueryRetries(page, again)
    await expect(tiles(page)).toHaveCount(9)
    await page.unroute('**/v1/explore?cursor=**')
    await again.click()
    await expect(tiles(page).nth(9)).toBeVisible()
  })

  test('EXP-11 where nobody has posted it says that posts end here, and nothing of having seen everything', async ({
    signedUp,
  }) => {
    const { page } = await signedUp('ana')
    await page.route('**/v1/explore', (route) => route.fulfill({ json: { documents: [], next: null } }))
    await page.goto('/explore')
    await expect(main(page).getByText('End of posts', { exact: true })).toBeVisible()
    await expect(main(page).getByText('You’ve seen everything for now.')).toHaveCount(0)
    await expect(tiles(page)).toHaveCount(0)
  })

  test('EXP-10 a feed that cannot be loaded says so', async ({ member, signedUp }) => {
    const { page } = await signedUp('ana')
    await publishPostViaApi(await member('bea'))
    await page.route('**/v1/explore**', fulfillWithServerError)
    await page.clock.install()
    await page.goto('/explore')
    await waitThroughQueryRetries(page, main(page).getByText('We couldn’t load this.'))
    await page.unroute('**/v1/explore**')
    await main(page).getByRole('button', { name: 'Try again' }).click()
    await expect(tiles(page).first()).toBeVisible()
  })

  test('EXP-03 a page of nine fills whole rows, with one larger picture where there are four or two columns', async ({
    member,
    signedUp,
  }) => {
    await publishMany(await member('dora'), 9)
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

test('EXP-04 EXP-18 the filter shows whom she follows and what is in her groups, and is still chosen when she comes back', async ({
  member,
  signedUp,
}) => {
  const [ana, bea, carla] = [await signedUp('ana'), await member('bea'), await member('carla')]
  const { page } = ana
  const filter = (name: string) =>
    main(page).getByRole('group', { name: 'Posts from' }).getByRole('link', { name, exact: true })
  await page.goto('/explore')
  await expect(filter('All')).toHaveAttribute('aria-current', 'true')
  await filter('Following').click()
  await expect(main(page).getByText('What the people you follow post gathers here.')).toBeVisible()
  await filter('My groups').click()
  await expect(main(page).getByText('What is posted in your groups gathers here.')).toBeVisible()

  await followMemberViaApi(ana, bea)
  const group = await createGroupViaApi(carla, {}, [ana])
  const shared = await publishPostViaApi(carla, {
    caption: `Del grupo de ${carla.username}`,
    groupId: group.$id,
  })
  const hers = await publishPostViaApi(bea, { caption: `De ${bea.username}, a quien sigue` })
  await publishPostViaApi(carla, { caption: `De ${carla.username}, a quien no sigue` })
  await page.goto('/explore')
  await filter('Following').click()
  await expect(tiles(page)).toHaveCount(1)
  await expect(filter('Following')).toHaveAttribute('aria-current', 'true')
  await expect(filter('All')).not.toHaveAttribute('aria-current')
  await tiles(page).getByRole('link', { name: hers.caption }).click()
  await expect(main(page).getByRole('article')).toBeVisible()
  await page.goBack()
  await expect(filter('Following')).toHaveAttribute('aria-current', 'true')
  await expect(tiles(page)).toHaveCount(1)
  await filter('My groups').click()
  await expect(tiles(page).getByRole('link', { name: shared.caption })).toBeVisible()
  await expect(tiles(page)).toHaveCount(1)
  await filter('All').click()
  await expect(page).toHaveURL('/explore')
  await expect(tiles(page).nth(2)).toBeVisible()
})

test('EXP-18 a filter that cannot be loaded says so', async ({ signedUp }) => {
  const { page } = await signedUp('ana')
  await page.route('**/v1/explore?from=groups', fulfillWithServerError)
  await page.clock.install()
  await page.goto('/explore?from=groups')
  await waitThroughQueryRetries(page, main(page).getByText('We couldn’t load this.'))
  await page.unrouteAll()
  await main(page).getByRole('button', { name: 'Try again' }).click()
  await expect(main(page).getByText('What is posted in your groups gathers here.')).toBeVisible()
})

test('CARD-07 PDET-07 EXP-14 a tag leads to the posts that have it, and a search finds it', async ({
  member,
  signedUp,
}) => {
  const [ana, bea, carla] = [await signedUp('ana'), await member('bea'), await member('carla')]
  await followMemberViaApi(ana, bea)
  const tag = `ñandú${bea.username}`
  const post = await publishPostViaApi(bea, { caption: 'La primera', tags: [tag, 'otra'] })
  const second = await publishPostViaApi(carla, { caption: 'La segunda', tags: [tag.toUpperCase()] })
  const { page } = ana
  await page.goto('/')
  await main(page)
    .getByRole('article')
    .getByRole('link', { name: `#${tag}` })
    .click()
  await expect(page).toHaveURL(`/tags/${encodeURIComponent(tag)}`)
  await expect(tiles(page)).toHaveCount(2)
  await tiles(page).getByRole('link', { name: second.caption }).click()
  await main(page)
    .getByRole('article')
    .getByRole('link', { name: `#${tag.toUpperCase()}` })
    .click()
  await expect(tiles(page)).toHaveCount(2)
  await page.getByRole('navigation').getByRole('link', { name: 'Explore' }).click()
  await box(page).fill(`#${tag}`)
  await expect(main(page).getByRole('heading', { name: `Results for “#${tag}”` })).toBeVisible()
  await expect(tiles(page)).toHaveCount(2)
  await box(page).fill(`nandu${bea.username}`)
  await expect(tiles(page).getByRole('link', { name: post.caption })).toBeVisible()
  await page.getByRole('navigation').getByRole('link', { name: 'Explore' }).click()
  await expect(page).toHaveURL('/explore')
  await expect(box(page)).toHaveValue('')
  await expect(main(page).getByRole('heading', { name: 'Popular Today' })).toBeVisible()
})

test.describe('the search', () => {
  test.use(low)

  test('EXP-02 EXP-09 EXP-12 EXP-15 she searches half a second after the last letter, and clearing returns to the pages there were', async ({
    member,
    signedUp,
  }) => {
    const [dora, bea] = [await member('dora'), await member('bea')]
    const found = await publishPostViaApi(bea, { caption: `Atardecer en ${bea.username}`, tags: ['otro'] })
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
    member,
    signedUp,
  }) => {
    const bea = await member('bea')
    const post = await publishPostViaApi(bea, { caption: `Jacarandas de ${bea.username}` })
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

  test('EXP-16 while a search runs, the boxes of what will come stand there', async ({
    member,
    signedUp,
  }) => {
    const bea = await member('bea')
    await publishPostViaApi(bea)
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
