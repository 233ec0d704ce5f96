import type { Page } from '@playwright/test'
import type { Post } from '#contract/posts.ts'
import { expect, type JourneyMember, test } from './fixtures.ts'
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
