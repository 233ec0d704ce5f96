import type { Page } from '@playwright/test'
import { expect, type JourneyMember, test } from './fixtures.ts'
import { fetchHomeFeedPosts, followMemberViaApi, publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const people = (page: Page) => main(page).getByRole('complementary', { name: 'People' })
const row = (page: Page, person: JourneyMember) =>
  people(page)
    .getByRole('listitem')
    .filter({ hasText: `@${person.username}` })

test.describe('the feed', () => {
  test('HOME-01 HOME-02 HOME-03 HOME-06 HOME-08 ana sees what bea and she posted, not what carla did @quick', async ({
    member,
    signedUp,
  }) => {
    const [ana, bea, carla] = [await signedUp('ana'), await member('bea'), await member('carla')]
    await followMemberViaApi(ana, bea)
    await publishPostViaApi(bea, { caption: 'La primera de bea' })
    await publishPostViaApi(carla, { caption: 'La de carla' })
    await publishPostViaApi(ana, { caption: 'La de ana' })
    await publishPostViaApi(bea, { caption: 'La segunda de bea' })

    await ana.page.goto('/')
    await expect(main(ana.page).getByRole('heading', { level: 1 })).toHaveText('Following')
    await expect(ana.page).toHaveTitle('Home · Juntas')
    const cards = main(ana.page).getByRole('article')
    await expect(cards).toHaveCount(3)
    await expect(cards.nth(0)).toContainText('La segunda de bea')
    await expect(cards.nth(1)).toContainText('La de ana')
    await expect(cards.nth(2)).toContainText('La primera de bea')
    await expect(ana.page.getByText('La de carla')).toHaveCount(0)
    await expect(main(ana.page).getByRole('link', { name: 'Explore more posts' })).toBeVisible()
  })

  test('HOME-06 HOME-07 HOME-20 of 25 posts the newest 20 are there, newest first, and the others as she scrolls', async ({
    member,
    signedUp,
  }) => {
    const [ana, bea] = [await signedUp('ana'), await member('bea')]
    await followMemberViaApi(ana, bea)
    for (let number = 1; number <= 25; number++)
      await publishPostViaApi(bea, { caption: `Foto número ${number}` })

    const captions = (await fetchHomeFeedPosts(ana)).map((post) => post.caption)
    expect(captions).toEqual(Array.from({ length: 20 }, (_, index) => `Foto número ${25 - index}`))
    await ana.page.goto('/')
    const cards = main(ana.page).getByRole('article')
    await expect(cards).toHaveCount(20)
    const end = main(ana.page).getByRole('link', { name: 'Explore more posts' })
    await expect(end).toHaveCount(0)
    await cards.last().scrollIntoViewIfNeeded()
    await expect(cards).toHaveCount(25)
    await expect(cards.last()).toContainText('Foto número 1')
    await expect(end).toBeVisible()
  })

  test('HOME-21 HOME-22 what bea posts meanwhile is offered, not pushed; Home pressed on Home loads it too @both', async ({
    member,
    signedUp,
  }) => {
    const [ana, bea] = [await signedUp('ana'), await member('bea')]
    await followMemberViaApi(ana, bea)
    await publishPostViaApi(bea, { caption: 'La de antes' })
    const { page } = ana
    await page.goto('/')
    const cards = main(page).getByRole('article')
    await expect(cards).toHaveCount(1)
    // The socket is up, and what came before it connected is loaded.
    await page.waitForLoadState('networkidle')
    await publishPostViaApi(bea, { caption: 'La de ahora' })
    const pill = main(page).getByRole('button', { name: 'New posts' })
    await expect(pill).toBeVisible()
    await expect(cards).toHaveCount(1)
    await pill.click()
    await expect(cards.first()).toContainText('La de ahora')
    await expect(pill).toHaveCount(0)

    await page.evaluate(() => scrollTo(0, 300))
    await publishPostViaApi(bea, { caption: 'La última' })
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click()
    await expect(cards.first()).toContainText('La última')
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  })
})

test.describe('people', () => {
  test('FOL-05 FOL-06 while it is under way the button says so and asks once', async ({
    member,
    signedUp,
  }) => {
    const bea = await member('bea')
    const { page } = await signedUp('ana')
    let asked = 0
    const answer = Promise.withResolvers<void>()
    await page.route(`**/v1/people/${bea.$id}/follow`, async (route) => {
      asked += 1
      await answer.promise
      await route.continue()
    })
    await page.goto('/')
    const button = row(page, bea).getByRole('button', { name: /ollow$/ })
    await expect(button).toBeVisible()
    const before = await button.boundingBox()
    await button.click()
    await expect(button).toHaveText('...')
    expect((await button.boundingBox())?.width).toBe(before?.width)
    await expect(button).toHaveAccessibleName('Follow')
    await expect(button).toHaveAttribute('aria-busy', 'true')
    await button.click()
    answer.resolve()
    await expect(button).toHaveText('Unfollow')
    expect(asked).toBe(1)
  })
})
