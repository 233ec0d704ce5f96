import type { Page } from '@playwright/test'
import { expect, fulfillWithServerError, test, waitThroughQueryRetries } from './fixtures.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const tiles = (page: Page) =>
  main(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('img') })

test('TAG-01 TAG-02 CARD-07 a tag on a card and on details leads to its page, and from there to tags often with it @quick', async ({
  member,
  signedUp,
}) => {
  const [ana, bea, carla] = [await signedUp('ana'), await member('bea'), await member('carla')]
  await followMemberViaApi(ana, bea)
  const tag = `verano${bea.username}`
  const shore = `orilla${bea.username}`
  const old = await publishPostViaApi(carla, { caption: 'La de antes', tags: [tag, shore] })
  const post = await publishPostViaApi(bea, { caption: 'La primera', tags: [tag.toUpperCase(), shore] })
  const last = await publishPostViaApi(carla, { caption: 'La última', tags: [tag, 'sola'] })
  const { page } = ana
  await page.goto('/')
  const card = main(page).getByRole('article')
  await card.getByRole('link', { name: `#${tag.toUpperCase()}` }).click()
  await expect(page).toHaveURL(`/tags/${tag.toUpperCase()}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`#${tag}`)
  await expect(page).toHaveTitle(`#${tag} · Juntas`)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Explore' }),
  ).toHaveAttribute('aria-current', 'page')
  await expect(tiles(page).getByRole('link')).toHaveCount(3)
  const shown = tiles(page).getByRole('link')
  for (const [place, { $id }] of [last, post, old].entries())
    await expect(shown.nth(place)).toHaveAttribute('href', `/posts/${$id}`)
  await expect(main(page).getByText(/\b3 posts\b/)).toHaveCount(0)
  const often = main(page).getByRole('navigation', { name: 'Often with' })
  await expect(often.getByRole('link')).toHaveText([`#${shore}`])
  await often.getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`#${shore}`)
  await expect(shown).toHaveCount(2)
  await shown.first().click()
  await main(page)
    .getByRole('article')
    .getByRole('link', { name: `#${tag.toUpperCase()}` })
    .click()
  await expect(page).toHaveURL(`/tags/${tag.toUpperCase()}`)
  await expect(shown).toHaveCount(3)
})

test('TAG-03 an unknown tag says that there is nothing, a failure that it can be tried again', async ({
  signedUp,
}) => {
  const { page } = await signedUp('ana')
  await page.goto('/tags/nadalotiene')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('#nadalotiene')
  await expect(main(page).getByRole('heading', { name: 'Nothing here that you can see.' })).toBeVisible()
  await page.route('**/v1/tags/falla/posts', fulfillWithServerError)
  await page.clock.install()
  await page.goto('/tags/falla')
  await waitThroughQueryRetries(page, main(page).getByText('We couldn’t load this.'))
  await page.unrouteAll()
  await main(page).getByRole('button', { name: 'Try again' }).click()
  await expect(main(page).getByText('Nothing here that you can see.')).toBeVisible()
})

test('TAG-06 PDET-14 under a post stand others like it once there are four, beside its author’s own', async ({
  member,
  signedUp,
}) => {
  const [ana, bea, carla] = [await signedUp('ana'), await member('bea'), await member('carla')]
  const tag = `barro${bea.username}`
  const post = await publishPostViaApi(bea, { caption: 'Un cuenco', tags: [tag, 'torno'] })
  const own = await publishPostViaApi(bea, { caption: 'Otro cuenco', tags: [tag] })
  for (let n = 0; n < 3; n += 1) await publishPostViaApi(carla, { caption: `Taza ${n}`, tags: [tag] })
  const { page } = ana
  const answered = () => page.waitForResponse((response) => response.url().includes(`/${post.$id}/similar`))
  const first = answered()
  await page.goto(`/posts/${post.$id}`)
  await first
  const related = page.getByRole('region', { name: 'More Related Posts' })
  await expect(related.getByRole('listitem').getByRole('link')).toHaveAttribute('href', `/posts/${own.$id}`)
  const similar = page.getByRole('region', { name: 'More like this' })
  await expect(similar).toHaveCount(0)
  await publishPostViaApi(carla, { caption: 'Taza tres', tags: [tag.toUpperCase()] })
  await page.reload()
  await expect(similar.getByRole('listitem')).toHaveCount(4)
  await expect(similar.getByText('Un cuenco')).toHaveCount(0)
})
