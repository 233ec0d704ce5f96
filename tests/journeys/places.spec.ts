import type { Page } from '@playwright/test'
import { expect, fulfillWithServerError, test, waitThroughQueryRetries } from './fixtures.ts'
import { followMemberViaApi, openCreatePostForm, publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const tiles = (page: Page) => main(page).getByRole('listitem').getByRole('link')
const title = (page: Page) => page.getByRole('heading', { level: 1 })

test('PLACE-01 PLACE-02 PLACE-04 CARD-04 a place on a card and on details leads to its page, where her own is at once @quick', async ({
  member,
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  await followMemberViaApi(ana, bea)
  const place = `Vejer de la Frontera ${bea.username}`
  const own = await publishPostViaApi(ana, { caption: 'La mía', location: place })
  const hers = await publishPostViaApi(bea, {
    caption: 'La de bea',
    location: place.replace('de', ' de ').toLowerCase(),
  })
  const { page } = ana
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  await page.goto('/')
  const card = main(page).getByRole('article').filter({ hasText: hers.caption })
  await card.getByRole('link', { name: hers.location.replace(/\s+/g, ' ') }).click()
  await expect(page).toHaveURL(`/places/${encodeURIComponent(hers.location)}`)
  await expect(title(page)).toHaveText(place)
  await expect(page).toHaveTitle(`${place} · Juntas`)
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Explore' }),
  ).toHaveAttribute('aria-current', 'page')
  await expect(main(page).getByText('Posts appear here a day after they were made')).toBeVisible()
  await expect(tiles(page)).toHaveCount(1)
  await expect(tiles(page)).toHaveAttribute('href', `/posts/${own.$id}`)
  await expect(main(page).getByText('you see your own here, and only you.')).toBeVisible()
  await tiles(page).click()
  await main(page).getByRole('article').getByRole('link', { name: place }).click()
  await expect(page).toHaveURL(`/places/${encodeURIComponent(place)}`)
  await expect(tiles(page)).toHaveCount(1)
  expect(hosts).toEqual(new Set([new URL(page.url()).host]))
})

test('PLACE-02 a place with a dot in its name opens by its address, and so does a tag', async ({
  signedUp,
}) => {
  const { page } = await signedUp('ana')
  for (const [address, name] of [
    ['/places/St.%20Gallen', 'St. Gallen'],
    ['/tags/v1.0', '#v1.0'],
  ] as const) {
    expect((await page.goto(address))?.status()).toBe(200)
    await expect(title(page)).toHaveText(name)
    await page.reload()
    await expect(title(page)).toHaveText(name)
  }
  expect((await page.request.get('/assets/missing.js')).status()).toBe(404)
  expect((await page.request.get('/missing.png')).status()).toBe(404)
})

test('PLACE-02 she keeps her posts off place pages from the page that says how they work', async ({
  signedUp,
}) => {
  const { page } = await signedUp('ana')
  await page.goto('/places/Barbate')
  await expect(title(page)).toHaveText('Barbate')
  await expect(main(page).getByText('Nothing here that you can see.')).toBeVisible()
  await expect(main(page).getByText('you see your own here, and only you.')).toBeHidden()
  await main(page).getByRole('link', { name: 'Keep mine off place pages' }).click()
  const choice = main(page).getByRole('switch', { name: 'Keep my posts off place pages' })
  await expect(choice).not.toBeChecked()
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await choice.click()
  await expect(choice).toBeChecked()
  expect(await (await saved).json()).toMatchObject({ onPlacePages: false })
  await page.reload()
  await expect(choice).toBeChecked()
})

test('PLACE-03 an unknown place says that there is nothing, a failure that it can be tried again', async ({
  signedUp,
}) => {
  const { page } = await signedUp('ana')
  await page.goto('/places/Ninguna%20parte')
  await expect(main(page).getByRole('heading', { name: 'Nothing here that you can see.' })).toBeVisible()
  await page.route('**/v1/places/posts?*', fulfillWithServerError)
  await page.clock.install()
  await page.goto('/places/Falla')
  await waitThroughQueryRetries(page, main(page).getByText('We couldn’t load this.'))
  await page.unrouteAll()
  await main(page).getByRole('button', { name: 'Try again' }).click()
  await expect(main(page).getByText('Nothing here that you can see.')).toBeVisible()
})

test('PLACE-05 the Location field offers places of posts she can see, by mouse and by keyboard', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const place = `Conil ${ana.username}`
  await publishPostViaApi(ana, { location: place })
  await publishPostViaApi(ana, { location: `${place}, Cádiz` })
  const page = await openCreatePostForm(ana)
  const field = main(page).getByLabel('Location')
  const offered = main(page).getByRole('list', { name: 'Suggested places' }).getByRole('button')
  await field.fill('c')
  await expect(offered).toHaveCount(0)
  await field.fill(place.toUpperCase())
  await expect(offered).toHaveText([place, `${place}, Cádiz`])
  await offered.last().click()
  await expect(field).toHaveValue(`${place}, Cádiz`)
  await expect(field).toBeFocused()
  await expect(offered).toHaveCount(0)
  await field.fill(place.slice(0, -1))
  await expect(offered).toHaveCount(2)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue(place)
})
