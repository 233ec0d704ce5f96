import { clickSignInButton, fillSignIn } from './auth-form-steps.ts'
import { expect, signUpFormFixture, test, toastRegion } from './fixtures.ts'
import { collectRequestBodies } from './network-steps.ts'

const failed = 'Login failed. Please try again.'

test('SIN-08 SIN-10 the right password leads to Home, with an e-mail session of exactly two keys @quick', async ({
  member,
  page,
}) => {
  const ana = await member('ana')
  const sent = collectRequestBodies(page, '/v1/sessions')
  await page.goto('/explore')
  await fillSignIn(page, ana)
  await clickSignInButton(page)
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('heading', { name: 'Following' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  expect(sent.map((body) => JSON.parse(body))).toEqual([{ email: ana.email, password: ana.password }])
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Following' })).toBeVisible()
})

test('SIN-07 CACHE-03 a wrong password gives one toast; she stays, with her e-mail @quick', async ({
  member,
  page,
}) => {
  const ana = await member('ana')
  const sent = collectRequestBodies(page, '/v1/sessions')
  await page.goto('/sign-in')
  await fillSignIn(page, { email: ana.email, password: 'not her password' })
  await clickSignInButton(page)
  await expect(toastRegion(page).getByRole('listitem')).toHaveText(failed)
  await expect(page).toHaveURL('/sign-in')
  await expect(page.getByLabel('Email')).toHaveValue(ana.email)
  expect(sent).toHaveLength(1)
})

test('AUTH-10 AUTH-11 an account without a profile gets one on the fly', async ({ page }) => {
  const lucia = signUpFormFixture('lucia.m')
  const made = await page.request.post('/v1/account', {
    data: { userId: 'unique()', email: lucia.email, password: lucia.password, name: 'Lucía M' },
  })
  expect(made.status()).toBe(201)
  await page.goto('/sign-in')
  await fillSignIn(page, lucia)
  await clickSignInButton(page)
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' })
  await expect(sidebar.getByText(`@${lucia.email.split('@')[0]}`)).toBeVisible()
  await expect(sidebar.getByText('Lucía M')).toBeVisible()
})
