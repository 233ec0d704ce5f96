import type { Page } from '@playwright/test'
import { clickCreateAccountButton, clickSignInButton, fillSignUp } from './auth-form-steps.ts'
import {
  clickButtonTwice,
  expect,
  fulfillWithServerError,
  signUpFormFixture,
  test,
  toastRegion,
} from './fixtures.ts'
import { collectRequestBodies, holdRequestsToUrl } from './network-steps.ts'

const main = (page: Page) => page.getByRole('main')

test('SUP-01 SUP-02 SUP-04 GEN-02 the form is in Spanish and speaks to women', async ({ page }) => {
  await page.goto('/sign-up')
  await expect(page.locator('html')).toHaveAttribute('lang', 'es')
  await expect(page).toHaveTitle('Crea tu cuenta en Juntas')
  const names = await page
    .locator('form input')
    .evaluateAll((inputs) => inputs.map((input) => input.getAttribute('name')))
  expect(names).toEqual(['name', 'username', 'email', 'password'])
  for (const label of ['Nombre', 'Nombre de usuaria', 'Email', 'Contraseña']) {
    await expect(page.getByLabel(label, { exact: true })).toBeVisible()
  }
  await expect(page.getByText('Mínimo 8 caracteres.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Crear cuenta' })).toHaveText('Crear cuenta')
  await expect(page.getByRole('link', { name: 'Entra', exact: true })).toHaveAttribute('href', '/sign-in')
})

test('SUP-05 SUP-06 SUP-07 SUP-08 what is wrong is said under each field, until it is right', async ({
  page,
}) => {
  await page.goto('/sign-up')
  const eva = signUpFormFixture('Eva')
  await fillSignUp(page, { ...eva, name: ' A ', username: 'a', email: 'foo', password: '1234567' })
  await clickCreateAccountButton(page)
  const said = async (label: string, text: string) =>
    expect(page.getByLabel(label, { exact: true })).toHaveAccessibleDescription(new RegExp(text))
  await said('Nombre', 'Name must be at least 2 characters.')
  await said('Nombre de usuaria', 'Name must be at least 2 characters.')
  await said('Email', 'Invalid email')
  await said('Contraseña', 'Password must be at least 8 characters.')
  // Each once: not in English under the field and in Spanish beside it.
  await expect(page.getByText(/Al menos 2 caracteres|Mínimo 8 caracteres/)).toHaveCount(0)
  await expect(page.getByLabel('Nombre', { exact: true })).toBeFocused()
  await page.getByLabel('Nombre de usuaria').fill('dos palabras')
  await said('Nombre de usuaria', 'Usa solo letras')
  await fillSignUp(page, { ...eva, name: 'Al' })
  await expect(page.locator('[aria-invalid=true]')).toHaveCount(0)
})

test('SUP-13 SUP-15 SUP-16 eva signs up, is in, has her initials, and Back does not return to the form @quick', async ({
  page,
}) => {
  const sent = collectRequestBodies(page, '/v1/members')
  const eva = signUpFormFixture('María José')
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Crea tu cuenta' }).click()
  await fillSignUp(page, eva)
  await clickCreateAccountButton(page)
  await expect(page).toHaveURL('/')
  await expect(
    page.getByRole('complementary', { name: 'Sidebar' }).getByText(`@${eva.username}`),
  ).toBeVisible()
  expect(sent.map((body) => JSON.parse(body))).toEqual([eva])
  const me = await (await page.request.get('/v1/me')).json()
  expect(new URL(me.imageUrl).pathname).toBe('/v1/people/avatars/initials')
  await page.goBack()
  await expect(page).toHaveURL('/')
})

test('SUP-03 busy through all three steps', async ({ page }) => {
  await page.goto('/sign-up')
  await fillSignUp(page, signUpFormFixture('eva'))
  const steps = ['/v1/members', '/v1/sessions', '/v1/me/session']
  const answers = await Promise.all(steps.map((path) => holdRequestsToUrl(page, `**${path}`)))
  const asked = steps.map((path) => collectRequestBodies(page, path))
  await clickCreateAccountButton(page)
  for (const [at, answer] of answers.entries()) {
    await expect.poll(() => asked[at]).toHaveLength(1)
    await expect(page.getByRole('button', { name: 'Creando cuenta...' })).toHaveAttribute('aria-busy', 'true')
    answer()
  }
  await expect(page).toHaveURL('/')
})

test('SUP-03 a double click asks once', async ({ page }) => {
  await page.goto('/sign-up')
  await fillSignUp(page, signUpFormFixture('eva'))
  const asked = collectRequestBodies(page, '/v1/members')
  await page.getByRole('button', { name: 'Crear cuenta' }).dblclick()
  await expect(page).toHaveURL('/')
  expect(asked).toHaveLength(1)
  await expect(toastRegion(page).getByText('Sign up failed. Please try again.')).toHaveCount(0)
})

test('SUP-03 two presses before the page has heard of either register once', async ({ page }) => {
  await page.goto('/sign-up')
  await fillSignUp(page, signUpFormFixture('eva'))
  const asked = collectRequestBodies(page, '/v1/members')
  await clickButtonTwice(page.getByRole('button', { name: 'Crear cuenta' }))
  await expect(page).toHaveURL('/')
  expect(asked).toHaveLength(1)
})

test('SUP-09 the registration is refused: toast, she stays, and her words stay @quick', async ({
  member,
  page,
}) => {
  const ana = await member('ana')
  const eva = { ...signUpFormFixture('eva'), email: ana.email }
  await page.goto('/sign-up')
  await fillSignUp(page, eva)
  await clickCreateAccountButton(page)
  await expect(toastRegion(page).getByRole('listitem')).toHaveText('Sign up failed. Please try again.')
  await expect(page).toHaveURL('/sign-up')
  await expect(page.getByLabel('Nombre', { exact: true })).toHaveValue(eva.name)
  await expect(page.getByLabel('Contraseña', { exact: true })).toHaveValue(eva.password)
})

for (const { what, label, said } of [
  {
    what: 'username',
    label: 'Nombre de usuaria',
    said: 'Este nombre de usuaria ya lo tiene otra. Elige otro.',
  },
  { what: 'email', label: 'Email', said: 'Este email ya tiene una cuenta. Entra con ella.' },
] as const) {
  test(`SUP-09 SIN-13 somebody has her ${what} already: the form says so under it, until she takes another`, async ({
    member,
    page,
  }) => {
    const ana = await member('ana')
    const eva = signUpFormFixture('eva')
    await page.goto('/sign-up')
    await fillSignUp(page, { ...eva, [what]: ana[what] })
    await clickCreateAccountButton(page)
    const toasted = toastRegion(page).getByRole('listitem')
    await expect(toasted).toHaveText('Sign up failed. Please try again.')
    // The field alone alarms: beside it the toast is calm.
    await expect(toasted.locator('svg.lucide-circle-alert')).toHaveCount(0)
    await expect(page.getByLabel(label, { exact: true })).toHaveAccessibleDescription(new RegExp(said))
    await expect(page.getByLabel(label, { exact: true })).toBeFocused()
    await expect(page.getByText(said)).not.toHaveAttribute('lang', 'en')
    await expect(page.getByRole('link', { name: 'Entra con este email' })).toHaveCount(
      what === 'email' ? 1 : 0,
    )
    // Under the pointer it would stay.
    await toasted.hover()
    await page.getByLabel(label, { exact: true }).fill(eva[what])
    await expect(page.getByText(said)).toHaveCount(0)
    await expect(toasted).toHaveCount(0)
    await page.getByLabel(label, { exact: true }).press('Enter')
    await expect(page).toHaveURL('/')
  })
}

test('SUP-09 LANG-02 in a language that she chose, a taken username is said once: at its field, and by no toast', async ({
  member,
  page,
}) => {
  const ana = await member('ana')
  const eva = { ...signUpFormFixture('eva'), username: ana.username }
  await page.goto('/sign-in')
  const reloaded = page.waitForEvent('load')
  await page.getByRole('button', { name: 'English', exact: true }).click()
  await reloaded
  await page.goto('/sign-up')
  for (const [label, value] of [
    ['Name', eva.name],
    ['Username', eva.username],
    ['Email', eva.email],
    ['Password', eva.password],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(value)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByLabel('Username', { exact: true })).toHaveAccessibleDescription(
    'Somebody else has this username. Choose another.',
  )
  await expect(toastRegion(page).getByRole('listitem')).toHaveCount(0)
})

test('SUP-09 a password that most people choose is refused, and the form says why', async ({ page }) => {
  await page.goto('/sign-up')
  await fillSignUp(page, { ...signUpFormFixture('eva'), password: 'iloveyou' })
  await clickCreateAccountButton(page)
  await expect(toastRegion(page).getByRole('listitem')).toHaveText('Sign up failed. Please try again.')
  const said = 'Esta contraseña la usa mucha gente. Elige otra.'
  await expect(page.getByLabel('Contraseña', { exact: true })).toHaveAccessibleDescription(new RegExp(said))
  await expect(page.getByText(said)).not.toHaveAttribute('lang', 'en')
  await page.getByLabel('Contraseña', { exact: true }).fill('una clave larga')
  await clickCreateAccountButton(page)
  await expect(page).toHaveURL('/')
})

test('SUP-11 SUP-12 registered but not logged in: the toast stays while she lands on sign-in, e-mail filled in', async ({
  page,
}) => {
  const eva = signUpFormFixture('eva')
  await page.route('**/v1/sessions', fulfillWithServerError)
  await page.goto('/sign-up')
  await fillSignUp(page, eva)
  await clickCreateAccountButton(page)
  // Sign-up stands there a moment longer than its address, and has the same fields.
  await expect(page.getByRole('heading', { name: 'Bienvenida de nuevo' })).toBeVisible()
  await expect(page).toHaveURL('/sign-in')
  await expect(toastRegion(page).getByRole('listitem')).toHaveText(
    'Something went wrong. Please login your new account',
  )
  await expect(page.getByLabel('Email')).toHaveValue(eva.email)
  await expect(
    main(page).getByText('Ya tienes cuenta con este email. Entra con tu contraseña.'),
  ).toBeVisible()
  await page.unroute('**/v1/sessions')
  await page.getByLabel('Contraseña', { exact: true }).fill(eva.password)
  await clickSignInButton(page)
  await expect(page).toHaveURL('/')
})

test('SUP-14 the last check fails: toast, and she stays', async ({ page }) => {
  await page.goto('/sign-up')
  await fillSignUp(page, signUpFormFixture('eva'))
  await page.route('**/v1/me/session', fulfillWithServerError)
  await clickCreateAccountButton(page)
  await expect(toastRegion(page).getByRole('listitem')).toHaveText('Login failed. Please try again.')
  await expect(page).toHaveURL('/sign-up')
})
