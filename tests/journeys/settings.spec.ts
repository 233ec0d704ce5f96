import type { APIRequestContext, Page } from '@playwright/test'
import { clickSignInButton, fillSignIn } from './auth-form-steps.ts'
import { expect, type JourneyMember, signUpFormFixture, test, toastRegion } from './fixtures.ts'

const main = (page: Page) => page.getByRole('main')
const title = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 })
const chosen = 'tres palabras sueltas'

async function linkTo(request: APIRequestContext, email: string): Promise<URL> {
  const emails: { to: string; text: string }[] = await (await request.get('/dev/outbox')).json()
  const text = emails.findLast(({ to }) => to === email)?.text ?? ''
  return new URL(/https?:\S+/.exec(text)?.[0] ?? '')
}

async function elsewhere(page: Page, { email }: JourneyMember, password: string): Promise<Page> {
  await page.goto('/sign-in')
  await fillSignIn(page, { email, password })
  await clickSignInButton(page)
  await expect(page.getByRole('heading', { name: 'Following' })).toBeVisible()
  return page
}

test('SET-10 SESS-03 SESS-05 SESS-07 bea signs out her other browser with a new password, from the device list and with “Log out all others”; a closed account reopens @quick', async ({
  signedUp,
  newBrowser,
}) => {
  const bea = await signedUp('bea')
  const { page } = bea
  const other = await elsewhere(await (await newBrowser()).newPage(), bea, bea.password)
  await page.goto('/settings/account')
  await main(page).getByRole('button', { name: 'Change password' }).click()
  const form = page.getByRole('region', { name: 'Change your password' })
  await form.getByLabel('Current password').fill(bea.password)
  await form.getByLabel('New password').fill(chosen)
  await form.getByRole('button', { name: 'Change password' }).click()
  await expect(toastRegion(page)).toContainText('Your password was changed.')
  await expect(other).toHaveURL('/sign-in')

  await elsewhere(other, bea, chosen)
  await page.goto('/settings/security/devices')
  await expect(main(page).getByText('This device')).toHaveCount(1)
  await main(page)
    .getByRole('button', { name: /^Log out Chrome on / })
    .click()
  await expect(other).toHaveURL('/sign-in')
  await expect(page).toHaveURL('/settings/security/devices')

  await elsewhere(other, bea, chosen)
  await page.reload()
  let demanded = false
  await page.route('**/v1/me/devices', (route) => {
    if (demanded || route.request().method() === 'GET') return route.fallback()
    demanded = true
    return route.fulfill({
      status: 401,
      json: { message: 'prove it', code: 401, type: 'user_challenge_required' },
    })
  })
  await main(page).getByRole('button', { name: 'Log out all others' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click()
  const reauthentication = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await reauthentication.getByLabel('Password', { exact: true }).fill(chosen)
  await reauthentication.getByRole('button', { name: 'Continue' }).click()
  await expect(toastRegion(page)).toContainText('Logged out everywhere else.')
  await expect(other).toHaveURL('/sign-in')

  await page.goto('/settings/account')
  await main(page).getByRole('button', { name: 'Close for a while' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Close for a while' }).click()
  await expect(page).toHaveURL(/\/sign-in/)
  await fillSignIn(page, { email: bea.email, password: chosen })
  await clickSignInButton(page)
  await expect(title(page)).toHaveText('Account')
  await expect(main(page).getByText(bea.email)).toBeVisible()
})

test('VER-01 VER-02 VER-03 VER-04 VER-05 dora verifies her email address and changes it; a link to the former address undoes the change', async ({
  signedUp,
}) => {
  const dora = await signedUp('dora')
  const { page, email, password, request, context } = dora
  const openLink = async (opened: Page, to: string, button: string) => {
    const { pathname, search } = await linkTo(request, to)
    await opened.goto(pathname + search)
    expect(new URL(opened.url()).search).toBe('')
    await opened.getByRole('button', { name: button }).click()
  }
  await page.goto('/settings/account')
  const notice = main(page).getByText('Confirm your email')
  await main(page).getByRole('button', { name: 'Send the link' }).click()
  await expect(main(page).getByText(`We sent a link to ${email}.`)).toBeVisible()
  const tab = await context.newPage()
  await openLink(tab, email, 'Confirmar mi correo')
  await expect(title(tab)).toHaveText('Correo confirmado')
  await expect(notice).toBeHidden()
  await tab.getByRole('link', { name: 'Ir a Juntas' }).click()
  await expect(tab.getByRole('heading', { name: 'Following' })).toBeVisible()

  const next = signUpFormFixture('dora').email
  await main(page).getByRole('button', { name: 'Change email' }).click()
  const form = page.getByRole('region', { name: 'Change your email' })
  await form.getByLabel('New email').fill(next)
  await form.getByLabel('Password', { exact: true }).fill(password)
  await form.getByRole('button', { name: 'Send the link' }).click()
  await expect(main(page).getByText(`Confirm ${next}.`)).toBeVisible()
  await openLink(tab, next, 'Confirmar mi correo')
  await expect(title(tab)).toHaveText('Correo confirmado')
  await expect(main(page).getByText(next)).toBeVisible()
  await expect(main(page).getByText(`Confirm ${next}.`)).toHaveCount(0)

  await context.clearCookies()
  await openLink(tab, email, 'Recuperar mi cuenta')
  await expect(tab).toHaveURL('/recovery/new')
  await tab.getByLabel('Contraseña', { exact: true }).fill(chosen)
  await tab.getByLabel('Repite la contraseña').fill(chosen)
  await tab.getByRole('button', { name: 'Guardar y entrar' }).click()
  await expect(tab.getByRole('heading', { name: 'Following' })).toBeVisible()
  const me = await (await tab.request.get('/v1/account')).json()
  expect(me).toMatchObject({ email, emailVerification: true })
})
