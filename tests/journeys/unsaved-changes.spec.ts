/** A changed form is not dropped unasked, whichever way she leaves it. */
import type { Page } from '@playwright/test'
import { expect, type JourneyMemberWithPage, test } from './fixtures.ts'
import { publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const question = (page: Page) => page.getByRole('alertdialog', { name: 'Discard your changes?' })
const answer = (page: Page, name: string) => question(page).getByRole('button', { name, exact: true }).click()

type Form = {
  row: string
  /** Opens it by a link of the page before it. @returns that page's address */
  open: (ana: JourneyMemberWithPage) => Promise<string>
  /** The label of a text to change. */
  field: string
}

const forms: Record<string, Form> = {
  'Create Post': {
    row: 'PCRE-05',
    field: 'Caption',
    async open({ page }) {
      await page.goto('/saved')
      await navigation(page).getByRole('link', { name: 'Create Post' }).click()
      return '/saved'
    },
  },
  'Edit Post': {
    row: 'PEDT-12',
    field: 'Caption',
    async open(ana) {
      const { $id } = await publishPostViaApi(ana)
      await ana.page.goto(`/posts/${$id}`)
      await main(ana.page).getByRole('link', { name: 'Edit post' }).click()
      return `/posts/${$id}`
    },
  },
  'Edit Profile': {
    row: 'PUPD-08',
    field: 'Bio',
    async open({ page, $id }) {
      await page.goto(`/profile/${$id}`)
      await main(page).getByRole('link', { name: 'Edit Profile' }).click()
      return `/profile/${$id}`
    },
  },
  'Create Group': {
    row: 'GCRE-01',
    field: 'Description',
    async open({ page }) {
      await page.goto('/groups')
      await main(page).getByRole('link', { name: 'Create Group', exact: true }).first().click()
      return '/groups'
    },
  },
}

for (const [name, { row, open, field }] of Object.entries(forms)) {
  test(`${row} Back asks before it drops what she wrote: ${name}`, async ({ signedUp }) => {
    const ana = await signedUp('ana')
    const { page } = ana
    const before = await open(ana)
    const text = main(page).getByLabel(field, { exact: true })
    await expect(main(page).getByRole('heading', { level: 1 })).toHaveText(name)
    const address = page.url()
    await text.fill('Lo que no quiero perder')

    await page.evaluate(() => history.back())
    await expect(question(page)).toBeVisible()
    await expect(page).toHaveURL(address)
    await answer(page, 'Keep editing')
    await expect(text).toHaveValue('Lo que no quiero perder')

    await page.evaluate(() => history.back())
    await answer(page, 'Discard')
    await expect(page).toHaveURL(before)
    await page.evaluate(() => history.forward())
    await expect(page).toHaveURL(address)
    await expect(text).not.toHaveValue('Lo que no quiero perder')
  })
}

test('PCRE-05 Forward asks too, and an unchanged form lets her pass both ways', async ({ signedUp }) => {
  const ana = await signedUp('ana')
  const { page } = ana
  const before = await forms['Create Post']?.open(ana)
  const heading = main(page).getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('Create Post')
  await page.evaluate(() => history.back())
  await expect(page).toHaveURL(before ?? '')
  await page.evaluate(() => history.forward())
  await expect(heading).toHaveText('Create Post')
  await navigation(page).getByRole('link', { name: 'Explore' }).click()
  await expect(heading).toHaveText('Explore')
  await page.evaluate(() => history.back())

  await page.getByLabel('Caption').fill('Lo que no quiero perder')
  await page.evaluate(() => history.forward())
  await expect(question(page)).toBeVisible()
  await expect(page).toHaveURL('/create-post')
  await page.keyboard.press('Escape')
  await expect(page.getByLabel('Caption')).toHaveValue('Lo que no quiero perder')
  await page.evaluate(() => history.forward())
  await answer(page, 'Discard')
  await expect(page).toHaveURL('/explore')
  await expect(heading).toHaveText('Explore')
})

test('PCRE-05 however often she presses Back, the form stays until she has answered', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const { page } = ana
  await page.goto('/explore')
  await navigation(page).getByRole('link', { name: 'Saved' }).click()
  await navigation(page).getByRole('link', { name: 'Create Post' }).click()
  await page.getByLabel('Caption').fill('Lo que no quiero perder')
  await page.evaluate(() => {
    history.back()
    history.back()
  })
  await expect(question(page)).toBeVisible()
  await expect(page).toHaveURL('/create-post')
  await answer(page, 'Keep editing')
  await expect(page).toHaveURL('/create-post')
  await expect(page.getByLabel('Caption')).toHaveValue('Lo que no quiero perder')
})

test('PCRE-05 asked for once more from the navigation, the form begins anew when she says so', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const { page } = ana
  await forms['Create Post']?.open(ana)
  await page.getByLabel('Caption').fill('Lo que no quiero perder')
  await navigation(page).getByRole('link', { name: 'Create Post' }).click()
  await answer(page, 'Discard')
  await expect(page.getByLabel('Caption')).toHaveValue('')
  await page.getByLabel('Caption').fill('Otra cosa')
  await page.evaluate(() => history.back())
  await expect(question(page)).toBeVisible()
})

test('NAV-10 NAV-11 Logout asks before it drops what she wrote @both @quick', async ({ signedUp }) => {
  const { page } = await signedUp('ana')
  await page.goto('/create-post')
  await page.getByLabel('Caption').fill('Lo que no quiero perder')
  const logout = page.getByRole('button', { name: 'Logout' })
  await logout.click()
  await answer(page, 'Keep editing')
  await expect(page.getByLabel('Caption')).toHaveValue('Lo que no quiero perder')
  await logout.click()
  await answer(page, 'Discard')
  await expect(page).toHaveURL('/sign-in')
})
