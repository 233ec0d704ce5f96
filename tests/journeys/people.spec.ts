import AxeBuilder from '@axe-core/playwright'
import type { Page, Route } from '@playwright/test'
import { png } from '#tests/pictures.ts'
import { hold } from './auth-pages.ts'
import { expect, type Person, pressTwice, test, toastRegion } from './fixtures.ts'
import { asFile, follow, publish } from './posting.ts'

const main = (page: Page) => page.getByRole('main')
const userCard = (page: Page, person: Person) =>
  main(page)
    .getByRole('listitem')
    .filter({ hasText: `@${person.username}` })
const broken = (route: Route) => route.fulfill({ status: 500, json: { message: 'Server Error', code: 500 } })
/** Long enough for the three retries of a query (1, 2 and 4 s). */
const afterRetries = { timeout: 15_000 }

test.describe('everybody', () => {
  test('USR-01 USR-02 USR-05 USR-06 USR-08 FOL-07 the grid has all members, newest first, herself without a way to follow', async ({
    signedUp,
  }) => {
    const [bea, ana] = [await signedUp('bea'), await signedUp('ana')]
    await ana.page.goto('/all-users')
    await expect(main(ana.page).getByRole('heading', { level: 1 })).toHaveText('People')
    const cards = main(ana.page).getByRole('listitem')
    await expect(cards.nth(0)).toContainText(`@${ana.username}`)
    await expect(cards.nth(1)).toContainText(`@${bea.username}`)
    await expect(userCard(ana.page, ana).getByRole('button', { name: 'Follow' })).toBeDisabled()
    await expect(userCard(ana.page, bea).getByRole('link')).toHaveAttribute('href', `/profile/${bea.$id}`)

    await userCard(ana.page, bea).getByRole('button', { name: 'Follow' }).click()
    await expect(toastRegion(ana.page)).toContainText(`You are now following ${bea.name}`)
    await expect(userCard(ana.page, bea).getByRole('button', { name: 'Unfollow' })).toBeVisible()
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
    signedUp,
    request,
  }) => {
    const [bea, ana] = [await signedUp('bea'), await signedUp('ana')]
    const release = await hold(ana.page, '/v1/me')
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
    await page.route('**/v1/people?*', broken)
    await page.route('**/v1/people', broken)
    await page.goto('/all-users')
    await expect(toastRegion(page)).toContainText('Something went wrong.', afterRetries)
    await expect(main(page).getByRole('listitem')).toHaveCount(0)
    await expect(main(page)).toHaveText('People')
    await page.unrouteAll()
    await toastRegion(page).getByRole('button', { name: 'Try again' }).click()
    await expect(main(page).getByRole('listitem').first()).toBeVisible()
  })

  test('HOME-19 FOL-07 whom she follows there is followed on Home, and her posts stand there without a reload', async ({
    signedUp,
  }) => {
    const [ana, carla] = [await signedUp('ana'), await signedUp('carla')]
    await publish(carla, { caption: 'La de carla' })
    await ana.page.goto('/')
    await expect(main(ana.page).getByRole('heading', { name: 'No posts available' })).toBeVisible()
    await ana.page.getByRole('link', { name: 'People', exact: true }).first().click()
    await userCard(ana.page, carla).getByRole('button', { name: 'Follow' }).click()
    await expect(toastRegion(ana.page)).toContainText('You are now following')
    await ana.page.getByRole('link', { name: 'Home', exact: true }).first().click()
    await expect(main(ana.page).getByText('La de carla')).toBeVisible()
  })
})

test.describe('a profile', () => {
  test('PROF-01 PROF-02 PROF-03 PROF-04 PROF-10 PROF-13 PROF-14 tells who bea is, and counts a new follower at once', async ({
    signedUp,
  }) => {
    const [ana, bea] = [await signedUp('ana'), await signedUp('Bea Ortiz')]
    const bio = 'Primera línea\nsegunda línea'
    await bea.request.patch(`/v1/people/${bea.$id}`, { data: { bio } })
    await publish(bea, { caption: 'La primera' })
    await publish(bea, { caption: 'La segunda' })

    await ana.page.goto(`/profile/${bea.$id}`)
    const page = main(ana.page)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bea Ortiz')
    await expect(page.getByText(`@${bea.username}`)).toBeVisible()
    await expect(page.getByText(bio)).toBeVisible()
    await expect(page.getByRole('definition')).toHaveText(['2', '0', '0'])
    await expect(page.getByRole('term')).toHaveText(['Posts', 'Followers', 'Following'])
    const tiles = page.getByRole('link', { name: /^La (primera|segunda)/ })
    await expect(tiles).toHaveCount(2)
    await expect(tiles.first()).toHaveAccessibleName(/La segunda/)

    await page.getByRole('button', { name: 'Follow' }).click()
    await expect(page.getByRole('definition')).toHaveText(['2', '1', '0'])
    await expect(page.getByRole('button', { name: 'Unfollow' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Edit Profile' })).toHaveCount(0)
    await expect(page.getByRole('navigation', { name: 'Profile' })).toHaveCount(0)
  })

  test('PROF-05 PROF-06 PROF-07 PROF-09 PROF-12 her own has a way to edit it and two tabs, and nothing to follow', async ({
    signedUp,
  }) => {
    const ana = await signedUp('ana')
    await ana.page.goto(`/profile/${ana.$id}`)
    const page = main(ana.page)
    await expect(page.getByRole('link', { name: 'Edit Profile' })).toHaveAttribute(
      'href',
      `/update-profile/${ana.$id}`,
    )
    await expect(page.getByRole('button', { name: /Follow|Chat/ })).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Posts', exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    )
    await page.getByRole('link', { name: 'Liked Posts' }).click()
    await expect(ana.page).toHaveURL(`/profile/${ana.$id}/liked-posts`)
    await expect(page.getByText('No liked posts')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Liked Posts' })).toHaveAttribute('aria-current', 'page')
  })

  test('LIKE-12 what she likes stands among her liked posts', async ({ signedUp }) => {
    const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
    const post = await publish(bea, { caption: 'Para gustar' })
    await ana.request.put(`/v1/posts/${post.$id}/like`, { data: {} })
    await ana.page.goto(`/profile/${ana.$id}/liked-posts`)
    await expect(main(ana.page).getByRole('link', { name: /Para gustar/ })).toHaveAttribute(
      'href',
      `/posts/${post.$id}`,
    )
  })

  test("PROF-08 bea's liked posts are nobody else's", async ({ signedUp }) => {
    const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
    await ana.page.goto(`/profile/${bea.$id}/liked-posts`)
    await expect(ana.page).toHaveURL(`/profile/${bea.$id}`)
    await expect(main(ana.page).getByText('No liked posts')).toHaveCount(0)
  })

  test('PROF-15 an id that nobody has says so calmly', async ({ signedUp }) => {
    const { page } = await signedUp('ana')
    await page.goto('/profile/nobody')
    await expect(main(page).getByRole('heading', { name: 'Profile not found', level: 2 })).toBeVisible()
  })
})

test('PROF-04 PROF-10 PROF-11 on a phone a long bio leaves what can be done with her in sight @phone', async ({
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
  const bio = `${'Hago cerámica y camino por el monte. '.repeat(12)}fin`
  expect((await bea.request.patch(`/v1/people/${bea.$id}`, { data: { bio } })).ok()).toBe(true)
  await ana.page.goto(`/profile/${bea.$id}`)
  const text = main(ana.page).getByText('Hago cerámica')
  const heights = () => text.evaluate((shown) => ({ seen: shown.clientHeight, whole: shown.scrollHeight }))
  const bottom = async () => {
    const box = await main(ana.page).getByRole('button', { name: 'Follow' }).boundingBox()
    return (box?.y ?? 0) + (box?.height ?? 0)
  }
  await main(ana.page).getByRole('button', { name: 'more' }).click()
  const open = await bottom()
  await main(ana.page).getByRole('button', { name: 'less' }).click()
  expect(await bottom()).toBeLessThan(open)
  const { seen, whole } = await heights()
  expect(seen).toBeLessThan(whole)
})

test.describe('her own profile, edited', () => {
  test('PUPD-01 PUPD-02 PUPD-04 PUPD-05 PUPD-11 name, bio and photo change everywhere; username and email stay', async ({
    signedUp,
  }) => {
    const ana = await signedUp('ana')
    const { page } = ana
    await page.goto(`/profile/${ana.$id}`)
    await main(page).getByRole('link', { name: 'Edit Profile' }).click()
    await expect(main(page).getByLabel('Username')).toBeDisabled()
    await expect(main(page).getByLabel('Username')).toHaveValue(ana.username)
    await expect(main(page).getByLabel('Email')).toBeDisabled()
    await expect(main(page).getByLabel('Email')).toHaveValue(ana.email)
    const chooser = page.waitForEvent('filechooser')
    await main(page).getByRole('button', { name: 'Change profile photo' }).click()
    await (await chooser).setFiles(asFile(await png()))
    await main(page).getByLabel('Name', { exact: true }).fill('Ana Sol')
    await main(page).getByLabel('Bio').fill('Barro y mar')
    await main(page).getByRole('button', { name: 'Update Profile' }).click()

    await expect(page).toHaveURL(`/profile/${ana.$id}`)
    await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('Ana Sol')
    await expect(main(page).getByText('Barro y mar')).toBeVisible()
    await expect(page.getByRole('complementary', { name: 'Sidebar' })).toContainText('Ana Sol')
    await expect(main(page).locator('img').first()).toHaveAttribute('src', /\/preview\?width=/)
  })

  test('PUPD-03 PUPD-08 a name too short is refused at its field; Cancel goes back', async ({ signedUp }) => {
    const ana = await signedUp('ana')
    const { page } = ana
    await page.goto(`/profile/${ana.$id}`)
    await main(page).getByRole('link', { name: 'Edit Profile' }).click()
    await main(page).getByLabel('Name', { exact: true }).fill('A')
    await main(page).getByRole('button', { name: 'Update Profile' }).click()
    await expect(main(page).getByText('Name must be at least 2 characters.')).toBeVisible()
    await main(page).getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect(page).toHaveURL(`/profile/${ana.$id}`)
  })

  test('PUPD-06 when it fails a toast says so and the form keeps everything', async ({ signedUp }) => {
    const ana = await signedUp('ana')
    const { page } = ana
    await page.goto(`/update-profile/${ana.$id}`)
    await main(page).getByLabel('Bio').fill('Se queda aquí')
    await page.route('**/v1/people/*', broken)
    await main(page).getByRole('button', { name: 'Update Profile' }).click()
    await expect(toastRegion(page)).toContainText('Update user failed. Please try again.')
    await expect(page).toHaveURL(`/update-profile/${ana.$id}`)
    await expect(main(page).getByLabel('Bio')).toHaveValue('Se queda aquí')
  })

  test('PUPD-05 two presses before the page has heard of either save once', async ({ signedUp }) => {
    const ana = await signedUp('ana')
    const { page } = ana
    await page.goto(`/update-profile/${ana.$id}`)
    await main(page).getByLabel('Bio').fill('Barro y mar')
    const saved: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') saved.push(new URL(request.url()).pathname)
    })
    await pressTwice(main(page).getByRole('button', { name: 'Update Profile' }))
    await expect(page).toHaveURL(`/profile/${ana.$id}`)
    expect(saved).toEqual([`/v1/people/${ana.$id}`])
  })

  test("PUPD-12 bea's form is not ana's to open", async ({ signedUp }) => {
    const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
    await ana.page.goto(`/update-profile/${bea.$id}`)
    await expect(ana.page).toHaveURL(`/profile/${bea.$id}`)
  })
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing on the pages of people, ${colorScheme} @both`, async ({ signedUp }) => {
    const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
    await follow(ana, bea)
    const post = await publish(bea)
    await ana.request.put(`/v1/posts/${post.$id}/like`, { data: {} })
    await ana.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const path of [
      '/all-users',
      `/profile/${bea.$id}`,
      `/profile/${ana.$id}`,
      `/profile/${ana.$id}/liked-posts`,
      `/update-profile/${ana.$id}`,
    ]) {
      await ana.page.goto(path)
      await expect(main(ana.page).getByRole('heading', { level: 1 })).toBeAttached()
      await ana.page.waitForLoadState('networkidle')
      const { violations } = await new AxeBuilder({ page: ana.page }).analyze()
      expect(violations.map(({ id, nodes }) => [path, id, nodes[0]?.html])).toEqual([])
    }
  })
}
