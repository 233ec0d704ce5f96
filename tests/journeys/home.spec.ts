import AxeBuilder from '@axe-core/playwright'
import type { Page, Route } from '@playwright/test'
import { expect, type Person, test, toastRegion } from './fixtures.ts'
import { feedOf, follow, publish } from './posting.ts'

const main = (page: Page) => page.getByRole('main')
const card = (page: Page, name: string) => main(page).getByRole('article', { name: `Post by ${name}` })
const people = (page: Page) => main(page).getByRole('complementary', { name: 'People' })
const row = (page: Page, person: Person) =>
  people(page)
    .getByRole('listitem')
    .filter({ hasText: `@${person.username}` })
const bad = 'Something bad happened'
const broken = (route: Route) => route.fulfill({ status: 500, json: { message: 'Server Error', code: 500 } })
/** Long enough for the three retries of a query (1, 2 and 4 s). */
const afterRetries = { timeout: 15_000 }

test.describe('the feed', () => {
  test('HOME-13 HOME-14 HOME-15 eva, who is new, is told where to begin', async ({ signedUp }) => {
    const { page } = await signedUp('eva')
    await page.goto('/')
    await expect(main(page).getByRole('heading', { name: 'No posts available' })).toBeVisible()
    await expect(
      main(page).getByText('Follow other users or create your first post to see content here.'),
    ).toBeVisible()
    await main(page).getByRole('link', { name: 'Explore users to follow →' }).click()
    await expect(page).toHaveURL('/explore')
  })

  test('HOME-01 HOME-02 HOME-03 HOME-06 HOME-08 ana sees what bea and she posted, not what carla did', async ({
    signedUp,
  }) => {
    const [ana, bea, carla] = [await signedUp('ana'), await signedUp('bea'), await signedUp('carla')]
    await follow(ana, bea)
    await publish(bea, { caption: 'La primera de bea' })
    await publish(carla, { caption: 'La de carla' })
    await publish(ana, { caption: 'La de ana' })
    await publish(bea, { caption: 'La segunda de bea' })

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

  test('HOME-06 HOME-07 of 25 posts the newest 20 are there, newest first', async ({ signedUp }) => {
    const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
    await follow(ana, bea)
    for (let number = 1; number <= 25; number++) await publish(bea, { caption: `Foto número ${number}` })

    const captions = (await feedOf(ana)).map((post) => post.caption)
    expect(captions).toEqual(Array.from({ length: 20 }, (_, index) => `Foto número ${25 - index}`))
    await ana.page.goto('/')
    await expect(main(ana.page).getByRole('article')).toHaveCount(20)
  })

  test('CARD-01 CARD-02 CARD-03 CARD-04 CARD-06 CARD-07 CARD-10 a card tells who, when, where and what', async ({
    signedUp,
  }) => {
    const [ana, bea] = [await signedUp('ana'), await signedUp('Bea Ortiz')]
    await follow(ana, bea)
    const post = await publish(bea, {
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
    await publish(ana, { caption: 'حديقتي الصغيرة' })
    await publish(ana, { caption: 'Mi pequeño jardín' })
    await ana.page.goto('/')
    await expect(main(ana.page).getByText('حديقتي الصغيرة')).toHaveCSS('direction', 'rtl')
    await expect(main(ana.page).getByText('Mi pequeño jardín')).toHaveCSS('direction', 'ltr')
  })

  test('CARD-05 only bea may edit what bea posted', async ({ signedUp }) => {
    const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
    await follow(ana, bea)
    const post = await publish(bea)

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
    await publish(ana, { caption: `${'una palabra '.repeat(60)}fin` })
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
    const post = await publish(ana)
    await ana.page.route(`**/files/${post.imageId}/preview**`, (route) => route.fulfill({ status: 404 }))
    await ana.page.goto('/')
    await expect(card(ana.page, 'ana').getByText('Picture couldn’t be loaded')).toBeVisible()
  })
})

test.describe('people', () => {
  test('HOME-09 HOME-10 HOME-11 HOME-12 the ten newest others are beside the feed, newest first', async ({
    signedUp,
  }) => {
    const others: Person[] = []
    for (let number = 1; number <= 11; number++) others.push(await signedUp(`dora ${number}`))
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

  test('HOME-09 on a phone they stand in a row after the first post @phone', async ({ signedUp }) => {
    const bea = await signedUp('bea')
    const ana = await signedUp('ana')
    await publish(ana, { caption: 'La de antes' })
    await publish(ana, { caption: 'La de ahora' })
    await ana.page.goto('/')
    const parts = main(ana.page).getByRole('article').or(people(ana.page))
    await expect(parts).toHaveCount(3)
    await expect(parts.nth(0)).toContainText('La de ahora')
    await expect(parts.nth(1)).toContainText(`@${bea.username}`)
    await expect(parts.nth(2)).toContainText('La de antes')
    expect(await ana.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })

  test('FOL-02 FOL-04 FOL-07 HOME-02 ana follows bea from the list, sees her posts, and unfollows her', async ({
    signedUp,
  }) => {
    const bea = await signedUp('Bea Ortiz')
    await publish(bea)
    const ana = await signedUp('ana')
    const { page } = ana
    await page.goto('/')
    await expect(main(page).getByText('No posts available')).toBeVisible()

    await row(page, bea).getByRole('button', { name: 'Follow', exact: true }).click()
    await expect(toastRegion(page).getByText('Success')).toBeVisible()
    await expect(toastRegion(page).getByText('You are now following Bea Ortiz')).toBeVisible()
    await expect(card(page, 'Bea Ortiz')).toBeVisible()
    expect(await feedOf(ana)).toHaveLength(1)

    await row(page, bea).getByRole('button', { name: 'Unfollow' }).click()
    await expect(toastRegion(page).getByText('You unfollowed Bea Ortiz')).toBeVisible()
    await expect(row(page, bea).getByRole('button', { name: 'Follow', exact: true })).toBeVisible()
    await expect(card(page, 'Bea Ortiz')).toHaveCount(0)
  })

  test('FOL-05 FOL-06 while it is under way the button says so and asks once', async ({ signedUp }) => {
    const bea = await signedUp('bea')
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
    await button.click()
    await expect(button).toHaveText('...')
    await expect(button).toHaveAccessibleName('Follow')
    await expect(button).toHaveAttribute('aria-busy', 'true')
    await button.click()
    answer.resolve()
    await expect(button).toHaveText('Unfollow')
    expect(asked).toBe(1)
  })

  test('FOL-08 a follow that fails is taken back', async ({ signedUp }) => {
    const bea = await signedUp('bea')
    const { page } = await signedUp('ana')
    await page.route(`**/v1/people/${bea.$id}/follow`, broken)
    await page.goto('/')
    await row(page, bea).getByRole('button', { name: 'Follow', exact: true }).click()
    await expect(toastRegion(page).getByText('Something went wrong. Please try again.')).toBeVisible()
    await expect(row(page, bea).getByRole('button', { name: /ollow$/ })).toHaveText('Follow')
  })
})

test.describe('waiting and failing', () => {
  test('HOME-18 while it loads, the boxes of what will come stand there', async ({ signedUp }) => {
    const ana = await signedUp('ana')
    await publish(ana)
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

  test('HOME-16 the feed fails in its own part, and can be asked for again', async ({ signedUp }) => {
    const bea = await signedUp('bea')
    const ana = await signedUp('ana')
    await publish(ana)
    await ana.page.route('**/v1/feed', broken)
    await ana.page.goto('/')
    await expect(main(ana.page).getByText(bad)).toBeVisible(afterRetries)
    await expect(row(ana.page, bea)).toBeVisible()

    await ana.page.unroute('**/v1/feed')
    await main(ana.page).getByRole('button', { name: 'Try again' }).click()
    await expect(card(ana.page, 'ana')).toBeVisible()
    await expect(main(ana.page).getByText(bad)).toHaveCount(0)
  })

  test('HOME-16 what was loaded before stays, under a word that it is old', async ({ signedUp }) => {
    const ana = await signedUp('ana')
    await publish(ana)
    await ana.page.goto('/')
    await expect(card(ana.page, 'ana')).toBeVisible()
    await ana.page.getByRole('navigation').getByRole('link', { name: 'Saved' }).click()
    await ana.page.route('**/v1/feed', broken)
    // What has come within the last second is not asked for again (CACHE-04).
    await ana.page.waitForTimeout(1100)
    await ana.page.getByRole('navigation').getByRole('link', { name: 'Home' }).click()
    const stale = main(ana.page).getByRole('status').filter({ hasText: 'We couldn’t load this.' })
    await expect(stale).toBeVisible(afterRetries)
    await expect(card(ana.page, 'ana')).toBeVisible()

    await ana.page.unroute('**/v1/feed')
    await stale.getByRole('button', { name: 'Try again' }).click()
    await expect(stale).toHaveCount(0)
  })

  test('HOME-17 people fail in their own part; when both fail it is said once', async ({ signedUp }) => {
    const bea = await signedUp('bea')
    const { page } = await signedUp('ana')
    await page.route('**/v1/people?*', broken)
    await page.goto('/')
    await expect(people(page).getByText(bad)).toBeVisible(afterRetries)
    await expect(main(page).getByText('No posts available')).toBeVisible()

    await page.route('**/v1/feed', broken)
    await page.reload()
    await expect(main(page).getByText(bad)).toHaveCount(1, afterRetries)
    await expect(people(page)).toHaveCount(0)
    await page.unrouteAll()
    await main(page).getByRole('button', { name: 'Try again' }).click()
    await expect(main(page).getByText('No posts available')).toBeVisible()
    await expect(row(page, bea)).toBeVisible()
  })
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing on Home, ${colorScheme} @both`, async ({ signedUp }) => {
    await signedUp('bea')
    const ana = await signedUp('ana')
    await publish(ana, { caption: 'Una foto', tags: ['sol'] })
    await ana.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await ana.page.goto('/')
    await expect(card(ana.page, 'ana').locator('[data-picture=shown]')).toBeVisible()
    await expect(people(ana.page).getByRole('listitem').first()).toBeVisible()
    expect((await new AxeBuilder({ page: ana.page }).analyze()).violations).toEqual([])
  })
}
