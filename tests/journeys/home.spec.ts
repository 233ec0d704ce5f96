import type { Page } from '@playwright/test'
import {
  blockPageLiveUpdates,
  expect,
  fulfillWithServerError,
  type JourneyMember,
  test,
  toastRegion,
  waitThroughQueryRetries,
} from './fixtures.ts'
import { fetchHomeFeedPosts, followMemberViaApi, publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const card = (page: Page, name: string) => main(page).getByRole('article', { name: `Post by ${name}` })
const people = (page: Page) => main(page).getByRole('complementary', { name: 'People' })
const row = (page: Page, person: JourneyMember) =>
  people(page)
    .getByRole('listitem')
    .filter({ hasText: `@${person.username}` })
const bad = 'Something bad happened'

test.describe('the feed', () => {
  test('HOME-13 HOME-14 HOME-15 eva, who is new, is told where to begin, and led to people to follow @both', async ({
    member,
    signedUp,
  }) => {
    const bea = await member('bea')
    const { page } = await signedUp('eva')
    await page.goto('/')
    await expect(main(page).getByRole('heading', { name: 'No posts available' })).toBeVisible()
    await expect(
      main(page).getByText('Follow other users or create your first post to see content here.'),
    ).toBeVisible()
    await main(page).getByRole('link', { name: 'Explore users to follow →' }).click()
    await expect(page).toHaveURL('/explore')
    const people = main(page).getByRole('complementary', { name: 'People' })
    await expect(people.getByText(`@${bea.username}`)).toBeVisible()
    await people.getByRole('button', { name: 'Follow' }).first().click()
    await expect(people.getByRole('button', { name: 'Unfollow' })).toBeVisible()
    await people.getByRole('link', { name: 'See everyone' }).click()
    await expect(page).toHaveURL('/all-users')
  })

  test('HOME-01 HOME-02 HOME-03 HOME-06 HOME-08 ana sees what bea and she posted, not what carla did', async ({
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

  test('CARD-01 CARD-02 CARD-03 CARD-04 CARD-06 CARD-07 CARD-10 a card tells who, when, where and what', async ({
    member,
    signedUp,
  }) => {
    const [ana, bea] = [await signedUp('ana'), await member('Bea Ortiz')]
    await followMemberViaApi(ana, bea)
    const post = await publishPostViaApi(bea, {
      caption: 'Primera línea\nsegunda línea',
      location: 'Oaxaca',
      tags: ['sol', 'mar'],
    })

    await ana.page.goto('/')
    const shown = card(ana.page, 'Bea Ortiz')
    const toBea = shown.getByRole('link', { name: 'Bea Ortiz' })
    await expect(toBea).toHaveCount(2)
    for (const link of await toBea.all()) await expect(link).toHaveAttribute('href', `/profile/${bea.$id}`)
    await expect(shown.getByRole('time')).toHaveText('Just now')
    await expect(shown.getByRole('time')).toHaveAttribute('datetime', post.$createdAt)
    await expect(shown.getByRole('time')).toHaveAttribute('title', / at \d+:\d\d [AP]M$/)
    await expect(shown.getByText('Oaxaca')).toBeVisible()
    const caption = shown.getByText('Primera línea')
    expect(await caption.textContent()).toBe('Primera línea\nsegunda línea')
    await expect(caption).toHaveCSS('white-space', 'pre-line')
    await expect(shown.getByText('#sol')).toBeVisible()
    await expect(shown.getByText('#mar')).toBeVisible()

    const picture = shown.getByRole('img', { name: 'Primera línea segunda línea' })
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0)
    await expect(shown.getByRole('link', { name: 'Primera línea segunda línea' })).toHaveAttribute(
      'href',
      `/posts/${post.$id}`,
    )
  })

  test('CARD-06 a caption runs the way its script does, on a page that runs the other', async ({
    signedUp,
  }) => {
    const ana = await signedUp('ana')
    await publishPostViaApi(ana, { caption: 'حديقتي الصغيرة' })
    await publishPostViaApi(ana, { caption: 'Mi pequeño jardín' })
    await ana.page.goto('/')
    await expect(main(ana.page).getByText('حديقتي الصغيرة')).toHaveCSS('direction', 'rtl')
    await expect(main(ana.page).getByText('Mi pequeño jardín')).toHaveCSS('direction', 'ltr')
  })

  test('CARD-05 only bea may edit what bea posted', async ({ signedUp }) => {
    const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
    await followMemberViaApi(ana, bea)
    const post = await publishPostViaApi(bea)

    await bea.page.goto('/')
    await expect(card(bea.page, 'bea').getByRole('link', { name: 'Edit post' })).toHaveAttribute(
      'href',
      `/update-post/${post.$id}`,
    )
    await ana.page.goto('/')
    await expect(card(ana.page, 'bea')).toBeVisible()
    await expect(ana.page.getByRole('link', { name: 'Edit post' })).toHaveCount(0)
  })

  test('CARD-06 a long caption shows four lines, and the rest on demand', async ({ signedUp }) => {
    const ana = await signedUp('ana')
    await publishPostViaApi(ana, { caption: `${'una palabra '.repeat(60)}fin` })
    await ana.page.goto('/')
    const caption = card(ana.page, 'ana').getByText('una palabra')
    const more = card(ana.page, 'ana').getByRole('button', { name: 'more' })
    const folded = await caption.evaluate((text) => text.clientHeight)
    await more.click()
    expect(await caption.evaluate((text) => text.clientHeight)).toBeGreaterThan(folded)
    await card(ana.page, 'ana').getByRole('button', { name: 'less' }).click()
    expect(await caption.evaluate((text) => text.clientHeight)).toBe(folded)
  })

  test('CARD-10 a picture that cannot be loaded says so', async ({ signedUp }) => {
    const ana = await signedUp('ana')
    const post = await publishPostViaApi(ana)
    await ana.page.route(`**/files/${post.imageId}/content**`, (route) => route.fulfill({ status: 404 }))
    await ana.page.goto('/')
    await expect(card(ana.page, 'ana').getByText('Picture couldn’t be loaded')).toBeVisible()
  })
})

test.describe('people', () => {
  test('HOME-09 HOME-10 HOME-11 HOME-12 the ten newest others are beside the feed, newest first', async ({
    member,
    signedUp,
  }) => {
    const others: JourneyMember[] = []
    for (let number = 1; number <= 11; number++) others.push(await member(`dora ${number}`))
    const ana = await signedUp('ana')

    await ana.page.goto('/')
    await expect(people(ana.page).getByRole('heading', { name: 'People' })).toBeVisible()
    const newest = others.toReversed().slice(0, 10)
    const rows = people(ana.page).getByRole('listitem')
    await expect(rows).toHaveCount(10)
    for (const [position, other] of newest.entries()) {
      await expect(rows.nth(position)).toContainText(`@${other.username}`)
    }
    await expect(people(ana.page).getByText(`@${ana.username}`)).toHaveCount(0)
    await expect(rows.first().getByRole('link')).toHaveAttribute('href', `/profile/${newest[0]?.$id}`)
    await people(ana.page).getByRole('link', { name: 'See everyone' }).click()
    await expect(ana.page).toHaveURL('/all-users')
  })

  test('HOME-09 HOME-11 where she is the only one the list says so @both', async ({ signedUp }) => {
    const { page } = await signedUp('eva')
    await page.route('**/v1/people?*', (route) => route.fulfill({ json: { documents: [], next: null } }))
    await page.goto('/')
    await expect(people(page).getByText('Nobody here yet', { exact: true })).toBeVisible()
    await expect(people(page).getByRole('list')).toHaveCount(0)
  })

  test('HOME-09 on a phone they stand in a row after the first post @phone', async ({ member, signedUp }) => {
    const bea = await member('bea')
    const ana = await signedUp('ana')
    await publishPostViaApi(ana, { caption: 'La de antes' })
    await publishPostViaApi(ana, { caption: 'La de ahora' })
    await ana.page.goto('/')
    const parts = main(ana.page).getByRole('article').or(people(ana.page))
    await expect(parts).toHaveCount(3)
    await expect(parts.nth(0)).toContainText('La de ahora')
    await expect(parts.nth(1)).toContainText(`@${bea.username}`)
    await expect(parts.nth(2)).toContainText('La de antes')
    expect(await ana.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })

  test('FOL-02 FOL-04 FOL-07 HOME-02 ana follows bea from the list, sees her posts, and unfollows her', async ({
    member,
    signedUp,
  }) => {
    const bea = await member('Bea Ortiz')
    await publishPostViaApi(bea)
    const ana = await signedUp('ana')
    const { page } = ana
    await page.goto('/')
    await expect(main(page).getByText('No posts available')).toBeVisible()

    await row(page, bea).getByRole('button', { name: 'Follow', exact: true }).click()
    await expect(toastRegion(page).getByText('Success')).toBeVisible()
    await expect(toastRegion(page).getByText('You are now following Bea Ortiz')).toBeVisible()
    await expect(card(page, 'Bea Ortiz')).toBeVisible()
    expect(await fetchHomeFeedPosts(ana)).toHaveLength(1)

    await row(page, bea).getByRole('button', { name: 'Unfollow' }).click()
    await expect(toastRegion(page).getByText('You unfollowed Bea Ortiz')).toBeVisible()
    await expect(row(page, bea).getByRole('button', { name: 'Follow', exact: true })).toBeVisible()
    await expect(card(page, 'Bea Ortiz')).toHaveCount(0)
  })

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

  test('FOL-08 a follow that fails is taken back', async ({ member, signedUp }) => {
    const bea = await member('bea')
    const { page } = await signedUp('ana')
    await page.route(`**/v1/people/${bea.$id}/follow`, fulfillWithServerError)
    await page.goto('/')
    await row(page, bea).getByRole('button', { name: 'Follow', exact: true }).click()
    await expect(toastRegion(page).getByText('Something went wrong. Please try again.')).toBeVisible()
    await expect(row(page, bea).getByRole('button', { name: /ollow$/ })).toHaveText('Follow')
  })
})

test.describe('waiting and failing', () => {
  test('HOME-18 while it loads, the boxes of what will come stand there', async ({ signedUp }) => {
    const ana = await signedUp('ana')
    await publishPostViaApi(ana)
    const answer = Promise.withResolvers<void>()
    await ana.page.route('**/v1/feed', async (route) => {
      await answer.promise
      await route.continue()
    })
    await ana.page.goto('/')
    const loading = main(ana.page).locator('[aria-busy=true]')
    await expect(loading.getByText('Loading…')).toBeAttached()
    await expect(main(ana.page).getByRole('heading', { level: 1 })).toHaveText('Following')
    answer.resolve()
    await expect(card(ana.page, 'ana')).toBeVisible()
    await expect(loading).toHaveCount(0)
  })

  test('HOME-16 the feed fails in its own part, and can be asked for again', async ({ member, signedUp }) => {
    const bea = await member('bea')
    const ana = await signedUp('ana')
    await publishPostViaApi(ana)
    await ana.page.route('**/v1/feed', fulfillWithServerError)
    await ana.page.clock.install()
    await ana.page.goto('/')
    await waitThroughQueryRetries(ana.page, main(ana.page).getByText(bad))
    await expect(row(ana.page, bea)).toBeVisible()

    await ana.page.unroute('**/v1/feed')
    await main(ana.page).getByRole('button', { name: 'Try again' }).click()
    await expect(card(ana.page, 'ana')).toBeVisible()
    await expect(main(ana.page).getByText(bad)).toHaveCount(0)
  })

  test('HOME-16 what was loaded before stays, under a word that it is old', async ({ signedUp }) => {
    const ana = await signedUp('ana')
    await publishPostViaApi(ana)
    // The socket's greeting asks for the feed again, at a moment of its own: what came then would still be new below.
    await blockPageLiveUpdates(ana.page)
    await ana.page.clock.install()
    await ana.page.goto('/')
    await expect(card(ana.page, 'ana')).toBeVisible()
    await ana.page.getByRole('navigation').getByRole('link', { name: 'Saved' }).click()
    await ana.page.route('**/v1/feed', fulfillWithServerError)
    // What has come within the last second is not asked for again (CACHE-04).
    await ana.page.clock.runFor(1100)
    await ana.page.getByRole('navigation').getByRole('link', { name: 'Home' }).click()
    const stale = main(ana.page).getByRole('status').filter({ hasText: 'We couldn’t load this.' })
    await waitThroughQueryRetries(ana.page, stale)
    await expect(card(ana.page, 'ana')).toBeVisible()

    await ana.page.unroute('**/v1/feed')
    await stale.getByRole('button', { name: 'Try again' }).click()
    await expect(stale).toHaveCount(0)
  })

  test('HOME-17 people fail in their own part; when both fail it is said once', async ({
    member,
    signedUp,
  }) => {
    const bea = await member('bea')
    const { page } = await signedUp('ana')
    await page.route('**/v1/people?*', fulfillWithServerError)
    await page.clock.install()
    await page.goto('/')
    await waitThroughQueryRetries(page, people(page).getByText(bad))
    await expect(main(page).getByText('No posts available')).toBeVisible()

    await page.route('**/v1/feed', fulfillWithServerError)
    await page.reload()
    await waitThroughQueryRetries(page, main(page).getByText(bad))
    await expect(main(page).getByText(bad)).toHaveCount(1)
    await expect(people(page)).toHaveCount(0)
    await page.unrouteAll()
    await main(page).getByRole('button', { name: 'Try again' }).click()
    await expect(main(page).getByText('No posts available')).toBeVisible()
    await expect(row(page, bea)).toBeVisible()
  })
})
