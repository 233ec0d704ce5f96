import { clickSignInButton, fillSignIn } from './auth-form-steps.ts'
import { expect, test } from './fixtures.ts'
import { collectRequestBodies } from './request-steps.ts'

test('SIN-07 SIN-08 SIN-10 ana signs in by sending only her email and password, and stays signed in @quick', async ({
  member,
  page,
}) => {
  const ana = await member('ana')
  const sent = collectRequestBodies(page, '/v1/sessions')
  await page.goto('/explore')
  await fillSignIn(page, { email: ana.email, password: 'not her password' })
  await clickSignInButton(page)
  await expect(page.getByText('El email o la contraseña no son correctos.')).toBeVisible()
  await expect(page).toHaveURL('/sign-in')
  sent.length = 0
  await fillSignIn(page, ana)
  await clickSignInButton(page)
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('heading', { name: 'Following' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  expect(sent.map((body) => JSON.parse(body))).toEqual([{ email: ana.email, password: ana.password }])
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Following' })).toBeVisible()
})
