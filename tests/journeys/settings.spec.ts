/** The settings: what the account is like, its username, password, e-mail address, devices and log, and the proof before some of it. */
import type { APIRequestContext, Page } from '@playwright/test'
import { clickSignInButton, fillSignIn } from './auth-form-steps.ts'
import { expect, type JourneyMember, signUpFormFixture, test, toastRegion } from './fixtures.ts'

const main = (page: Page) => page.getByRole('main')
const title = (page: Page) => main(page).getByRole('heading', { level: 1 })
const sections = (page: Page) => page.getByRole('navigation', { name: 'Settings' })
const chosen = 'tres palabras sueltas'

async function linkTo(request: APIRequestContext, email: string): Promise<URL> {
  const letters: { to: string; text: string }[] = await (await request.get('/dev/outbox')).json()
  const text = letters.findLast(({ to }) => to === email)?.text ?? ''
  return new URL(/https?:\S+/.exec(text)?.[0] ?? '')
}

/** Confirms her address, in her own browser. */
async function prove({ request, email }: JourneyMember) {
  expect((await request.post('/v1/me/email-confirmation')).status()).toBe(204)
  const { userId, secret } = Object.fromEntries((await linkTo(request, email)).searchParams)
  const answer = await request.put('/v1/email-confirmation', { data: { userId, secret } })
  expect(answer.status()).toBe(200)
}

/** Signs her in once more, in a browser of its own. */
async function elsewhere(page: Page, { email }: JourneyMember, password: string): Promise<Page> {
  await page.goto('/sign-in')
  await fillSignIn(page, { email, password })
  await clickSignInButton(page)
  await expect(page.getByRole('heading', { name: 'Following' })).toBeVisible()
  return page
}

/** Answers the next call as if the proof were old, and lets those after it through. */
async function demandProof(page: Page, path: string) {
  let demanded = false
  await page.route(`**${path}`, (route) => {
    if (demanded || route.request().method() === 'GET') return route.fallback()
    demanded = true
    return route.fulfill({
      status: 401,
      json: { message: 'prove it', code: 401, type: 'user_challenge_required' },
    })
  })
}

test('SET-03 SET-06 the sections stand beside what ana’s account is like', async ({ signedUp }) => {
  const ana = await signedUp('ana')
  const { page, email, username, $id } = ana
  await page.goto('/settings')
  await expect(title(page)).toHaveText('Settings')
  for (const name of ['Profile', 'Account', 'Security'])
    await expect(sections(page).getByRole('link', { name })).toBeVisible()
  const glance = page.getByRole('region', { name: 'Your account at a glance' })
  await expect(glance.getByRole('heading', { name: 'Your account at a glance' })).toBeVisible()
  await expect(glance.getByText('Confirm your e-mail')).toBeVisible()
  await expect(glance.getByText(email)).toBeVisible()
  await expect(glance.getByText('Only a password')).toBeVisible()
  await expect(glance.getByText('1 device', { exact: true })).toBeVisible()
  await expect(glance.getByRole('link', { name: 'Edit Profile' })).toHaveAttribute(
    'href',
    `/update-profile/${$id}`,
  )
  await prove(ana)
  await page.reload()
  await expect(glance.getByText('E-mail confirmed')).toBeVisible()
  await sections(page).getByRole('link', { name: 'Profile' }).click()
  await expect(title(page)).toHaveText('Profile')
  await expect(title(page)).toBeFocused()
  await expect(sections(page).getByRole('link', { name: 'Profile' })).toHaveAttribute('aria-current', 'page')
  await expect(main(page).getByText(`@${username}`).last()).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('SET-04 the settings are a list, and every page leads back to what it is under', async ({
    signedUp,
  }) => {
    const { page } = await signedUp('bea')
    await page.goto('/settings')
    await expect(page.getByText('Only a password')).toBeVisible()
    await sections(page).getByRole('link', { name: 'Security' }).click()
    await expect(title(page)).toHaveText('Security')
    await expect(sections(page)).toBeHidden()
    await main(page).getByRole('link', { name: 'See all' }).click()
    await expect(title(page)).toHaveText('Devices')
    await expect(title(page)).toBeFocused()
    await main(page).getByRole('link', { name: 'Security', exact: true }).click()
    await expect(title(page)).toHaveText('Security')
    await main(page).getByRole('link', { name: 'Settings', exact: true }).click()
    await expect(page).toHaveURL('/settings')
    await expect(title(page)).toHaveText('Settings')
    await page.goBack()
    await expect(title(page)).toHaveText('Security')
  })
})

test('SET-07 SET-08 bea takes another username, once in two weeks', async ({ signedUp }) => {
  const { page, username } = await signedUp('bea')
  await page.goto('/settings/profile')
  const form = page.getByRole('region', { name: 'Username' })
  const field = form.getByLabel('Username', { exact: true })
  const button = form.getByRole('button', { name: 'Change username' })
  await expect(field).toHaveValue(username)
  await expect(button).toBeDisabled()
  await field.fill(`${username}.luz`)
  await button.click()
  await expect(toastRegion(page)).toContainText(`Your username is now @${username}.luz`)
  await expect(page.getByRole('paragraph').filter({ hasText: `@${username}.luz` })).toBeVisible()
  await field.fill(`${username}.mar`)
  await button.click()
  await expect(form.getByText(/^You can change it again on /)).toBeVisible()
})

test('gala closes her account for a while, keeps it open when she thinks again, and is back as soon as she signs in', async ({
  signedUp,
}) => {
  const gala = await signedUp('gala')
  const { page } = gala
  await page.goto('/settings/account')
  const open = main(page).getByRole('button', { name: 'Close for a while' })
  const question = page.getByRole('alertdialog', { name: 'Close your account for a while?' })
  await open.click()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  await open.click()
  await question.getByRole('button', { name: 'Close for a while' }).click()
  await expect(page).toHaveURL(/\/sign-in/)
  await fillSignIn(page, gala)
  await clickSignInButton(page)
  await expect(title(page)).toHaveText('Account')
  await expect(main(page).getByText(gala.email)).toBeVisible()
})

test('SET-10 bea changes her password, which signs her other browser out @quick', async ({
  signedUp,
  newBrowser,
}) => {
  const bea = await signedUp('bea')
  const { page } = bea
  const other = await elsewhere(await (await newBrowser()).newPage(), bea, bea.password)
  await page.goto('/settings/account')
  await main(page).getByRole('button', { name: 'Change password' }).click()
  const form = page.getByRole('region', { name: 'Change your password' })
  const change = async (present: string, next: string) => {
    await form.getByLabel('Present password').fill(present)
    await form.getByLabel('New password').fill(next)
    await form.getByRole('button', { name: 'Change password' }).click()
  }
  await change('no es la mía', chosen)
  await expect(form.getByText('That is not your password.')).toBeVisible()
  await change(bea.password, 'password1')
  await expect(form.getByText('Many people use this password. Choose another.')).toBeVisible()
  await change(bea.password, chosen)
  await expect(
    toastRegion(page).getByText('Your password is changed. Other devices are signed out.'),
  ).toBeVisible()
  await expect(form).toBeHidden()
  await expect(other).toHaveURL('/sign-in')
  await elsewhere(other, bea, chosen)
})

test('VER-01 carla is asked to confirm her address, and is sent the link', async ({ signedUp }) => {
  const carla = await signedUp('carla')
  const { page, email, request } = carla
  await page.goto('/settings/account')
  await expect(main(page).getByText('Confirm your e-mail')).toBeVisible()
  await main(page).getByRole('button', { name: 'Send the link' }).click()
  await expect(main(page).getByText(`We sent a link to ${email}.`)).toBeVisible()
  const { pathname, search } = await linkTo(request, email)
  expect(pathname).toBe('/verify')
  await page.goto(pathname + search)
  await page.getByRole('button', { name: 'Confirmar mi correo' }).click()
  await expect(page.getByRole('heading', { name: 'Correo confirmado' })).toBeVisible()
  await page.goto('/settings/account')
  await expect(main(page).getByText('Confirmed', { exact: true })).toBeVisible()
  await expect(main(page).getByText('Confirm your e-mail')).toHaveCount(0)
})

test('VER-03 a tab that shows the notice loses it when the link is opened in another', async ({
  signedUp,
}) => {
  const carla = await signedUp('carla')
  const { page, email, request, context } = carla
  expect((await request.post('/v1/me/email-confirmation')).status()).toBe(204)
  await page.goto('/settings/account')
  const notice = main(page).getByText('Confirm your e-mail')
  await expect(notice).toBeVisible()
  const other = await context.newPage()
  const { pathname, search } = await linkTo(request, email)
  await other.goto(pathname + search)
  await other.getByRole('button', { name: 'Confirmar mi correo' }).click()
  await expect(other.getByRole('heading', { name: 'Correo confirmado' })).toBeVisible()
  await expect(notice).toBeHidden()
})

test('VER-04 dora’s address changes when the letter to the new one is opened; until then she can give it up', async ({
  signedUp,
}) => {
  const dora = await signedUp('dora')
  const { page, email, password, request } = dora
  await prove(dora)
  const next = signUpFormFixture('dora').email
  await page.goto('/settings/account')
  await main(page).getByRole('button', { name: 'Change e-mail' }).click()
  const form = page.getByRole('region', { name: 'Change your e-mail' })
  await form.getByLabel('New e-mail').fill(next)
  await form.getByLabel('Password', { exact: true }).fill('no es la mía')
  await form.getByRole('button', { name: 'Send the link' }).click()
  await expect(form.getByText('That is not your password.')).toBeVisible()
  await form.getByLabel('Password', { exact: true }).fill(password)
  await form.getByRole('button', { name: 'Send the link' }).click()
  const waits = main(page).getByText(`Confirm ${next}.`)
  await expect(waits).toBeVisible()
  await expect(main(page).getByText(`sign in with ${email}`)).toBeVisible()
  await main(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(waits).toBeHidden()

  await main(page).getByRole('button', { name: 'Change e-mail' }).click()
  await form.getByLabel('New e-mail').fill(next)
  await form.getByLabel('Password', { exact: true }).fill(password)
  await form.getByRole('button', { name: 'Send the link' }).click()
  await expect(waits).toBeVisible()
  await main(page).getByRole('button', { name: 'Send again' }).click()
  await expect(toastRegion(page).getByText(`We sent a link to ${next}.`)).toBeVisible()
  const { pathname, search } = await linkTo(request, next)
  await page.goto(pathname + search)
  await page.getByRole('button', { name: 'Confirmar mi correo' }).click()
  await expect(page.getByRole('heading', { name: 'Correo confirmado' })).toBeVisible()
  await page.goto('/settings/account')
  await expect(main(page).getByText(next)).toBeVisible()
  await expect(waits).toHaveCount(0)
})

test('SESS-01 SESS-03 eva sees where she is signed in and ends one, whose page leads to sign-in @quick', async ({
  signedUp,
  newBrowser,
}) => {
  const eva = await signedUp('eva')
  const { page } = eva
  const other = await elsewhere(await (await newBrowser()).newPage(), eva, eva.password)
  await page.goto('/settings/security/devices')
  await expect(main(page).getByText('This device')).toHaveCount(1)
  await expect(main(page).getByText(/^now · signed in .* with password$/)).toBeVisible()
  const end = main(page).getByRole('button', { name: /^End Chrome on / })
  await expect(end).toHaveCount(1)
  // On this machine no country is known: none is shown, nor that it is not.
  const guess = 'The country is guessed from the network and can be wrong.'
  await expect(main(page).getByText(guess)).toHaveCount(0)
  await page.route('**/v1/me/devices', async (route) => {
    const answer = await route.fetch()
    const { documents } = await answer.json()
    documents[1].country = 'MX'
    await route.fulfill({ response: answer, json: { documents } })
  })
  await page.reload()
  await expect(main(page).getByText(/^Mexico · .+ · signed in .* with password$/)).toHaveCount(1)
  await expect(main(page).getByText(guess)).toBeVisible()
  await page.unroute('**/v1/me/devices')
  await end.click()
  await expect(end).toHaveCount(0)
  await expect(other).toHaveURL('/sign-in')
  await expect(page).toHaveURL('/settings/security/devices')
})

test('SESS-05 SESS-07 ending all others is asked about, wants a proof, and then happens without another press', async ({
  signedUp,
  newBrowser,
}) => {
  const fara = await signedUp('fara')
  const { page } = fara
  const other = await elsewhere(await (await newBrowser()).newPage(), fara, fara.password)
  await demandProof(page, '/v1/me/devices')
  await page.goto('/settings/security/devices')
  await main(page).getByRole('button', { name: 'End all others' }).click()
  const question = page.getByRole('alertdialog', { name: 'Sign out everywhere else?' })
  await question.getByRole('button', { name: 'Sign out' }).click()
  const proof = page.getByRole('dialog', { name: 'Show that it is you' })
  await expect(proof.getByLabel('Password', { exact: true })).toBeFocused()
  await proof.getByLabel('Password', { exact: true }).fill('no es la mía')
  await proof.getByRole('button', { name: 'Continue' }).click()
  await expect(proof.getByText('That is not your password.')).toBeVisible()
  await proof.getByLabel('Password', { exact: true }).fill(fara.password)
  await proof.getByRole('button', { name: 'Continue' }).click()
  await expect(toastRegion(page).getByText('Signed out everywhere else.')).toBeVisible()
  await expect(proof).toBeHidden()
  await expect(other).toHaveURL('/sign-in')
  await expect(main(page).getByRole('button', { name: 'End all others' })).toHaveCount(0)
})

test('SESS-07 whoever gives the proof up changes nothing', async ({ signedUp, newBrowser }) => {
  const gala = await signedUp('gala')
  const { page } = gala
  const other = await elsewhere(await (await newBrowser()).newPage(), gala, gala.password)
  await demandProof(page, '/v1/me/devices')
  await page.goto('/settings/security/devices')
  await main(page).getByRole('button', { name: 'End all others' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(main(page).getByRole('button', { name: 'End all others' })).not.toHaveAttribute('aria-busy')
  await other.reload()
  await expect(other.getByRole('heading', { name: 'Following' })).toBeVisible()
})

test('SESS-09 hana reads what happened, newest first, and the rest on a page of its own', async ({
  signedUp,
}) => {
  const hana = await signedUp('hana')
  const { page } = hana
  await prove(hana)
  await page.goto('/settings/security')
  const box = main(page).getByRole('region', { name: 'What happened' })
  await expect(box.getByText('Confirmed by a link or code')).toBeVisible()
  await box.getByRole('link', { name: 'See everything' }).click()
  await expect(title(page)).toHaveText('What happened')
  const told = main(page).getByText(
    /^(Confirmed by a link or code|Asked for a link to confirm|Signed in|Your account was opened)$/,
  )
  await expect(told).toHaveText([
    'Confirmed by a link or code',
    'Asked for a link to confirm',
    'Signed in',
    'Your account was opened',
  ])
})

test('SET-15 what cannot be loaded says so and can be tried again', async ({ signedUp }) => {
  const { page } = await signedUp('ines')
  await page.route(/\/v1\/me\/(settings|devices|log)/, (route) =>
    route.fulfill({ status: 400, json: { message: 'no', code: 400, type: 'general_argument_invalid' } }),
  )
  for (const path of [
    '/settings',
    '/settings/account',
    '/settings/security/devices',
    '/settings/security/log',
  ]) {
    await page.goto(path)
    await expect(main(page).getByRole('alert').first()).toHaveText('We couldn’t load this.')
  }
  await page.unrouteAll()
  await main(page).getByRole('button', { name: 'Try again' }).click()
  await expect(main(page).getByText('Signed in', { exact: true })).toBeVisible()
})
