import { clickSignInButton, fillSignIn } from './auth-form-steps.ts'
import { expect, signUpFormFixture, test, toastRegion } from './fixtures.ts'
import { collectRequestBodies, fulfillWithUnauthorized, holdRequestsToUrl } from './network-steps.ts'

const failed = 'Login failed. Please try again.'

test('SIN-01 SIN-02 SIN-04 GEN-02 the form is in Spanish and speaks to women', async ({ page }) => {
  await page.goto('/sign-in')
  await expect(page.locator('html')).toHaveAttribute('lang', 'es')
  await expect(page).toHaveTitle('Entra en Juntas')
  await expect(page.getByRole('heading', { level: 1, name: 'Bienvenida de nuevo' })).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveAttribute('name', 'email')
  await expect(page.getByLabel('Email')).toHaveAttribute('type', 'email')
  const password = page.getByLabel('Contraseña', { exact: true })
  await expect(password).toHaveAttribute('name', 'password')
  await expect(password).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Mostrar contraseña' }).click()
  await expect(password).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Ocultar contraseña' }).click()
  await expect(password).toHaveAttribute('type', 'password')
  await expect(page.getByRole('button', { name: 'Entrar', exact: true })).toHaveText('Entrar')
  await expect(page.getByRole('link', { name: 'Crea tu cuenta' })).toHaveAttribute('href', '/sign-up')
  await expect(page.getByRole('navigation')).toHaveCount(0)
})

test('SIN-05 SIN-06 SIN-12 wrong fields are named under them, the first gets the focus, nothing is sent', async ({
  page,
}) => {
  const sent = collectRequestBodies(page, '/v1/sessions')
  await page.goto('/sign-in')
  await clickSignInButton(page)
  await expect(page.getByText('Invalid email')).toBeVisible()
  await expect(page.getByText('Password must be at least 8 characters.')).toBeVisible()
  await expect(page.getByLabel('Email')).toBeFocused()

  await fillSignIn(page, { email: 'foo', password: '1234567' })
  await expect(page.getByText('Invalid email')).toBeVisible()
  await expect(page.getByText('Password must be at least 8 characters.')).toBeVisible()
  await fillSignIn(page, { email: 'foo@juntas.test', password: '1234567' })
  await expect(page.getByText('Invalid email')).toHaveCount(0)
  await clickSignInButton(page)
  await expect(page.getByLabel('Contraseña', { exact: true })).toBeFocused()
  await expect(page.getByLabel('Contraseña', { exact: true })).toHaveAccessibleDescription(
    'Password must be at least 8 characters.',
  )
  expect(sent).toHaveLength(0)
  await page.getByLabel('Contraseña', { exact: true }).fill('12345678')
  await clickSignInButton(page)
  await expect.poll(() => sent.length).toBe(1)
})

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

test('SIN-03 while busy it says so and cannot be pressed twice', async ({ member, page }) => {
  const ana = await member('ana')
  const answer = await holdRequestsToUrl(page, '**/v1/sessions')
  const sent = collectRequestBodies(page, '/v1/sessions')
  await page.goto('/sign-in')
  await fillSignIn(page, ana)
  await clickSignInButton(page)
  const busy = page.getByRole('button', { name: 'Entrando...' })
  await expect(busy).toHaveAttribute('aria-busy', 'true')
  await expect(busy).toHaveText('Entrando...')
  await busy.click()
  await page.getByLabel('Email').press('Enter')
  answer()
  await expect(page).toHaveURL('/')
  expect(sent).toHaveLength(1)
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

test('SIN-13 the next try takes away what was said of the last, at the form and over it', async ({
  member,
  page,
}) => {
  const ana = await member('ana')
  await page.goto('/sign-in')
  await fillSignIn(page, { email: ana.email, password: 'not her password' })
  await clickSignInButton(page)
  const said = page.getByText('El email o la contraseña no son correctos.')
  await expect(said).toBeVisible()
  // Under the pointer the toast would stay.
  await toastRegion(page).getByRole('listitem').hover()
  const answer = await holdRequestsToUrl(page, '**/v1/sessions')
  await page.getByLabel('Contraseña', { exact: true }).fill(ana.password)
  await page.getByLabel('Contraseña', { exact: true }).press('Enter')
  await expect(page.getByRole('button', { name: 'Entrando...' })).toBeVisible()
  await expect(said).toHaveCount(0)
  await expect(toastRegion(page).getByRole('listitem')).toHaveCount(0)
  answer()
  await expect(page.getByRole('heading', { name: 'Following' })).toBeVisible()
  await expect(toastRegion(page).getByRole('listitem')).toHaveCount(0)
})

test('SIN-09 the check after the log in fails: the same toast, and she stays', async ({ member, page }) => {
  const ana = await member('ana')
  await page.goto('/sign-in')
  await fillSignIn(page, ana)
  await page.route('**/v1/me/session', fulfillWithUnauthorized)
  await clickSignInButton(page)
  await expect(toastRegion(page).getByRole('listitem')).toHaveText(failed)
  await expect(page).toHaveURL('/sign-in')
})

test('SIN-11 no network gives the same toast', async ({ member, page }) => {
  const ana = await member('ana')
  await page.goto('/sign-in')
  await fillSignIn(page, ana)
  await page.route('**/v1/sessions', (route) => route.abort())
  await clickSignInButton(page)
  await expect(toastRegion(page).getByRole('listitem')).toHaveText(failed)
  await expect(page).toHaveURL('/sign-in')
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
