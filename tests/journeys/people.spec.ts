/** The grid of everybody, its search, and following from it. */
import type { Page } from '@playwright/test'
import {
  expect,
  fulfillWithServerError,
  type JourneyMember,
  test,
  toastRegion,
  waitThroughQueryRetries,
} from './fixtures.ts'
import { holdRequestsToUrl } from './network-steps.ts'
import { publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const userCard = (page: Page, person: JourneyMember) =>
  main(page)
    .getByRole('listitem')
    .filter({ hasText: `@${person.username}` })

test.describe('everybody', () => {
  test('USR-01 USR-02 USR-05 USR-06 USR-08 FOL-07 the grid has all members, newest first, herself without a way to follow @quick', async ({
    member,
    signedUp,
  }) => {
    const [bea, ana] = [await member('bea'), await signedUp('ana')]
    await ana.page.goto('/all-users')
    await expect(main(ana.page).getByRole('heading', { level: 1 })).toHaveText('People')
    const cards = main(ana.page).getByRole('listitem')
    await expect(cards.nth(0)).toContainText(`@${ana.username}`)
    await expect(cards.nth(1)).toContainText(`@${bea.username}`)
    await expect(userCard(ana.page, ana).getByRole('button', { name: 'Follow' })).toBeDisabled()
    await expect(main(ana.page).getByText('You', { exact: true })).toHaveCount(1)
    await expect(userCard(ana.page, ana).getByText('You', { exact: true })).toBeVisible()
    const profile = userCard(ana.page, bea).getByRole('link')
    await expect(profile).toHaveAttribute('href', `/profile/${bea.$id}`)
    await expect(profile.getByText(bea.name, { exact: true })).toBeVisible()
    await expect(profile.getByText(`@${bea.username}`, { exact: true })).toBeVisible()
    await expect(profile.locator('[data-generated=B]')).toBeVisible()

    await userCard(ana.page, bea).getByRole('button', { name: 'Follow' }).click()
    await expect(toastRegion(ana.page)).toContainText(`You are now following ${bea.name}`)
    await expect(userCard(ana.page, bea).getByRole('button', { name: 'Unfollow' })).toBeVisible()
  })

  test('REQ-01 REQ-02 following a private account is asking to; pressed again the request is withdrawn', async ({
    member,
    signedUp,
  }) => {
    const [bea, ana] = [await member('bea'), await signedUp('ana')]
    expect((await bea.request.patch('/v1/me/privacy', { data: { isPrivate: true } })).status()).toBe(200)
    await ana.page.goto('/all-users')
    await userCard(ana.page, bea).getByRole('button', { name: 'Follow' }).click()
    await expect(toastRegion(ana.page)).toContainText('Request sent')
    await expect(toastRegion(ana.page)).toContainText(`${bea.name} decides whether you follow her.`)
    const count = async () => (await (await bea.request.get('/v1/me/follow-requests/count')).json()).count
    expect(await count()).toBe(1)
    await ana.page.reload()
    await userCard(ana.page, bea).getByRole('button', { name: 'Requested' }).click()
    await ana.page
      .getByRole('alertdialog', { name: 'Withdraw your request?' })
      .getByRole('button', { name: 'Withdraw' })
      .click()
    await expect(userCard(ana.page, bea).getByRole('button', { name: 'Follow', exact: true })).toBeVisible()
    expect(await count()).toBe(0)
  })

  test('USR-02 the grid goes on as she scrolls, and everybody comes once', async ({ signedUp, request }) => {
    const ana = await signedUp('ana')
    for (let number = 0; number < 22; number++) {
      const username = `vecina${process.pid}n${number}`
      const form = {
        name: `Vecina ${number}`,
        username,
        email: `${username}@juntas.test`,
        password: 'una clave larga',
      }
      expect((await request.post('/v1/members', { data: form })).status()).toBe(201)
    }
    await ana.page.goto('/all-users')
    await expect(main(ana.page).getByRole('listitem')).toHaveCount(20)
    await ana.page.mouse.wheel(0, 20_000)
    await expect(userCard(ana.page, ana)).toBeVisible()
    const names = await main(ana.page).getByRole('listitem').allInnerTexts()
    expect(new Set(names).size).toBe(names.length)
  })

  test('FOL-09 until it is known who she is there is nobody to follow, and a follow of nobody is stored for nobody', async ({
    member,
    signedUp,
    request,
  }) => {
    const [bea, ana] = [await member('bea'), await signedUp('ana')]
    const release = await holdRequestsToUrl(ana.page, '**/v1/me')
    await ana.page.goto('/all-users')
    await expect(ana.page.getByRole('complementary', { name: 'Sidebar' })).toBeVisible()
    await expect(main(ana.page).getByRole('button')).toHaveCount(0)
    release()
    await expect(userCard(ana.page, bea).getByRole('button', { name: 'Follow' })).toBeEnabled()

    const refused = await request.put(`/v1/people/${bea.$id}/follow`, { data: {} })
    expect(refused.status()).toBe(401)
    const profile = await ana.request.get(`/v1/people/${bea.$id}`)
    expect((await profile.json()).followerCount).toBe(0)
  })

  test('USR-03 USR-04 when they cannot be loaded a toast says so, and nothing else is there', async ({
    signedUp,
  }) => {
    const { page } = await signedUp('ana')
    await page.route('**/v1/people?*', fulfillWithServerError)
    await page.route('**/v1/people', fulfillWithServerError)
    await page.clock.install()
    await page.goto('/all-users')
    await waitThroughQueryRetries(page, toastRegion(page).getByText('Something went wrong.'))
    await expect(main(page).getByRole('listitem')).toHaveCount(0)
    await expect(main(page)).toHaveText('People')
    await page.unrouteAll()
    await toastRegion(page).getByRole('button', { name: 'Try again' }).click()
    await expect(main(page).getByRole('listitem').first()).toBeVisible()
  })

  test('USR-10 a search finds people by name and username, says when nobody is found, and can be tried again', async ({
    member,
    signedUp,
  }) => {
    const [ana, bea] = [await signedUp('ana'), await member('Bea Nogués')]
    const { page } = ana
    await page.goto('/all-users')
    const box = page.getByRole('searchbox', { name: 'Search people...' })
    await box.fill('nogues')
    await expect(main(page).getByRole('listitem').filter({ hasText: 'Bea Nogués' }).first()).toBeVisible()
    await box.fill(bea.username)
    await expect(main(page).getByRole('listitem')).toHaveCount(1)
    await expect(main(page).getByRole('status').getByText('1 person found')).toBeAttached()
    await userCard(page, bea).getByRole('button', { name: 'Follow' }).click()
    await expect(userCard(page, bea).getByRole('button', { name: 'Unfollow' })).toBeVisible()
    await userCard(page, bea).getByRole('link').click()
    await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('Bea Nogués')
    await page.goBack()
    await expect(box).toHaveValue(bea.username)
    await expect(main(page).getByRole('listitem')).toHaveCount(1)

    await box.fill('nadie se llama así')
    await expect(main(page).getByRole('heading', { name: 'Nobody found' })).toBeVisible()
    await main(page).getByRole('button', { name: 'Clear' }).click()
    await expect(main(page).getByRole('listitem').nth(1)).toBeVisible()
    await expect(page).toHaveURL('/all-users')

    await page.route('**/v1/search/people**', fulfillWithServerError)
    await page.clock.install()
    await page.goto('/all-users?search=bea')
    await waitThroughQueryRetries(page, main(page).getByText('We couldn’t load this.'))
    await page.unrouteAll()
    await main(page).getByRole('button', { name: 'Try again' }).click()
    await expect(main(page).getByRole('listitem').first()).toBeVisible()
  })

  test('HOME-19 FOL-07 whom she follows there is followed on Home, and her posts stand there without a reload @quick', async ({
    member,
    signedUp,
  }) => {
    const [ana, carla] = [await signedUp('ana'), await member('carla')]
    await publishPostViaApi(carla, { caption: 'La de carla' })
    await ana.page.goto('/')
    await expect(main(ana.page).getByRole('heading', { name: 'No posts available' })).toBeVisible()
    await ana.page.getByRole('link', { name: 'People', exact: true }).first().click()
    await userCard(ana.page, carla).getByRole('button', { name: 'Follow' }).click()
    await expect(toastRegion(ana.page)).toContainText('You are now following')
    await ana.page.getByRole('link', { name: 'Home', exact: true }).first().click()
    await expect(main(ana.page).getByText('La de carla')).toBeVisible()
  })
})
