import type { Page } from '@playwright/test'
import type { Post } from '#contract/posts/posts.ts'
import { expect, test } from './fixtures.ts'
import { publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const tiles = (page: Page) => main(page).getByRole('listitem')

test('EXP-06 EXP-07 EXP-08 EXP-14 PDET-07 ana scrolls through Explore, returns to the same position with Back, and finds posts by tag @quick', async ({
  member,
  signedUp,
}) => {
  const dora = await member('dora')
  const tag = `ñandú${dora.username}`
  const posts: Post[] = []
  for (let number = 1; number <= 12; number += 1)
    posts.unshift(
      await publishPostViaApi(dora, { caption: `Foto ${number} de ${dora.username}`, tags: [tag] }),
    )
  const { page } = await signedUp('ana')
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.goto('/explore')
  await expect(tiles(page)).toHaveCount(9)
  const link = (post: Post | undefined) =>
    main(page).getByRole('link', { name: post?.caption ?? '', exact: true })
  await expect(async () => {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await expect(link(posts[11])).toBeVisible({ timeout: 500 })
  }).toPass()
  const hrefs = await tiles(page)
    .getByRole('link')
    .evaluateAll((found) => found.map((each) => each.getAttribute('href')))
  expect(hrefs.slice(0, 12)).toEqual(posts.map(({ $id }) => `/posts/${$id}`))
  expect(new Set(hrefs).size).toBe(hrefs.length)

  await link(posts[9]).scrollIntoViewIfNeeded()
  const place = await page.evaluate(() => scrollY)
  await link(posts[9]).click()
  await expect(page).toHaveURL(`/posts/${posts[9]?.$id}`)
  await page.goBack()
  await expect(link(posts[9])).toBeFocused()
  expect(Math.abs((await page.evaluate(() => scrollY)) - place)).toBeLessThanOrEqual(2)

  await page.getByRole('searchbox', { name: 'Search Posts' }).fill(`#${tag}`)
  await expect(main(page).getByRole('heading', { name: `Results for “#${tag}”` })).toBeVisible()
  await expect(tiles(page)).toHaveCount(12)
  await link(posts[0]).click()
  await main(page)
    .getByRole('article')
    .getByRole('link', { name: `#${tag}` })
    .click()
  await expect(page).toHaveURL(`/tags/${encodeURIComponent(tag)}`)
  await expect(tiles(page)).toHaveCount(12)
})
