import type { APIRequestContext, Page } from '@playwright/test'
import { startServer } from '#scripts/harness/server-process.ts'
import { clickCreateAccountButton, clickSignInButton, fillSignIn, fillSignUp } from './auth-form-steps.ts'
import { expect, signUpFormFixture, test, toastRegion } from './fixtures.ts'

const main = (page: Page) => page.getByRole('main')
const title = (page: Page) => main(page).getByRole('heading', { level: 1 })
const day = (language: string, month: 'long' | 'short') =>
  new Date(Date.now() + 7 * 86_400_000).toLocaleDateString(language, {
    day: 'numeric',
    month,
    timeZone: 'UTC',
  })

test('INV-10 INV-13 INV-14 INV-15 INV-17 INV-09 INV-01 INV-02 INV-08 INV-03 INV-04 INV-06 INV-07 APR-01 APR-07 APR-09 olga sets a community up and admits amina @quick', async ({
  browser,
}) => {
  test.slow()
  await using server = await startServer({ durable: false, env: { LIMITS: 'off' } })
  const newPage = async (locale?: string) => {
    const context = await browser.newContext({
      baseURL: server.url,
      ...(locale ? { locale } : {}),
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    return context.newPage()
  }
  const setup = /^Set your community up at (\S+)$/m.exec(server.printed())?.[1] ?? ''

  const olga = await newPage('es-MX')
  await olga.goto(setup)
  await expect(title(olga)).toHaveText('Prepara tu comunidad')
  await expect(olga.getByText('sin configurar, no se envían correos')).toBeVisible()
  await olga.getByRole('button', { name: 'English' }).click()
  await expect(title(olga)).toHaveText('Set up your community')
  await olga.getByLabel('Community name').fill('Juntas Jalisco')
  await expect(olga.getByRole('radio', { name: 'By invitation' })).toBeChecked()
  await olga.getByRole('button', { name: 'Continue' }).click()
  await olga.getByLabel('Rules').fill('Lo que se ve aquí se queda aquí.\nNada de odio.')
  await olga.getByLabel('Contact').fill('Colectiva Barro')
  await olga.getByRole('button', { name: 'Español' }).click()
  await expect(olga.getByLabel('Contacto')).toHaveValue('Colectiva Barro')
  await olga.getByRole('button', { name: 'English' }).click()
  await expect(olga.getByLabel('Rules')).toHaveValue(/Nada de odio/)
  await olga.getByRole('button', { name: 'Continue' }).click()
  await fillFirstAccountInEnglish(olga)
  await expect(olga.getByRole('heading', { name: 'Following' })).toBeVisible()

  const steps = olga.getByRole('region', { name: 'Next steps' })
  await expect(steps.getByRole('listitem')).toHaveText([
    /^Invite people/,
    /^Choose a moderator/,
    /^Test email/,
  ])
  await expect(olga).toHaveTitle('Home · Juntas Jalisco')
  await expect(olga.getByRole('link', { name: 'Juntas Jalisco' })).toBeVisible()
  await steps.getByRole('link', { name: 'Invite people' }).click()
  await olga.getByRole('button', { name: 'New reusable link' }).click()
  await expect(olga.getByText(/^Reusable · until .* · 0 joined$/)).toBeVisible()
  await olga.getByRole('button', { name: 'Revoke' }).click()
  await olga.goto('/')
  await expect(steps.getByRole('listitem').first()).toHaveText('Invite peopleDone')
  await steps.getByRole('button', { name: 'Hide next steps' }).click()
  await expect(steps).toHaveCount(0)

  // The operator who wrote the rules need not confirm them.
  await olga.goto('/settings/invitations')
  await expect(olga.getByText('New members of Juntas Jalisco need an invitation.')).toBeVisible()
  await expect(olga.getByRole('dialog')).toHaveCount(0)
  await olga.getByRole('button', { name: 'New invitation' }).click()
  await expect(olga.getByText(`Open · until ${day('en-GB', 'short')}`)).toBeVisible()
  await olga.getByRole('button', { name: 'Copy' }).click()
  await expect(toastRegion(olga).getByText('Copied.')).toBeVisible()
  const address = await olga.evaluate(() => navigator.clipboard.readText())
  expect(address).toMatch(new RegExp(`^${server.url}/join/[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{5}$`))

  const amina = await newPage()
  await amina.goto('/sign-up')
  await expect(title(amina)).toHaveText('Aquí se entra con invitación.')
  await expect(amina.getByLabel('Email')).toHaveCount(0)
  const late = await newPage()
  for (const page of [amina, late]) {
    await page.goto(address)
    await expect(
      page.getByText(
        `Olga Ruiz te invita a Juntas Jalisco. La invitación vale hasta el ${day('es', 'long')}.`,
      ),
    ).toBeVisible()
    await fillSignUp(page, signUpFormFixture(page === amina ? 'Amina Haddad' : 'Tarde'))
    await clickCreateAccountButton(page)
    await expect(page.getByText('Lee las normas de la casa antes de entrar.')).toBeVisible()
    await page.getByRole('checkbox', { name: 'He leído las' }).check()
  }
  const [rules] = await Promise.all([
    amina.context().waitForEvent('page'),
    amina.getByRole('link', { name: 'normas de la casa' }).click(),
  ])
  await expect(title(rules)).toHaveText('Normas de la casa')
  await expect(rules.getByRole('listitem')).toHaveText([
    '1Lo que se ve aquí se queda aquí.',
    '2Nada de odio.',
  ])
  await expect(rules.getByText('Contacto: Colectiva Barro')).toBeVisible()
  await rules.close()
  await clickCreateAccountButton(amina)
  await expect(amina.getByRole('heading', { name: 'Following' })).toBeVisible()
  await expect(amina.getByRole('dialog')).toHaveCount(0)

  // A refused visitor keeps her input.
  await clickCreateAccountButton(late)
  await expect(main(late).getByText('Esta invitación ya no vale.')).toBeVisible()
  await expect(late.getByLabel('Nombre', { exact: true })).toHaveValue('Tarde')
  await late.goto(address)
  await expect(title(late)).toHaveText('Esta invitación ya no vale.')

  await olga.reload()
  await expect(olga.getByText(/^Joined on \d+ \w+ with your invitation$/)).toBeVisible()
  await expect(main(olga).getByText('Amina Haddad')).toBeVisible()
  await olga.getByRole('button', { name: 'New invitation' }).click()
  await olga.getByRole('button', { name: 'Revoke' }).click()
  await expect(olga.getByText('Nobody used it')).toBeVisible()

  await amina.goto('/admin/community')
  await expect(amina.getByText('Not Found')).toBeVisible()

  await olga.goto('/settings/community')
  await olga.getByRole('radio', { name: 'Closed' }).check()
  await olga.getByLabel('House rules').fill('Nada de odio.\nSi algo te pesa, repórtalo.')
  await olga.getByRole('button', { name: 'Save' }).click()
  await expect(toastRegion(olga).getByText('Saved.')).toBeVisible()
  await amina.goto('/')
  const asked = amina.getByRole('dialog', { name: 'The house rules' })
  await expect(asked.getByText('Si algo te pesa, repórtalo.')).toBeVisible()
  await asked.getByRole('button', { name: 'I’ve read them' }).click()
  await expect(asked).toHaveCount(0)
  await amina.reload()
  await expect(amina.getByRole('heading', { name: 'Following' })).toBeVisible()
  await expect(amina.getByRole('dialog')).toHaveCount(0)

  await late.goto('/sign-up')
  await expect(title(late)).toHaveText('Este lugar no admite cuentas nuevas.')
  await expect(late.getByText('Escribe a Colectiva Barro.')).toBeVisible()

  // If approval is required, Eva signs in after Olga has approved her.
  await olga.goto('/admin/community')
  await olga.getByRole('button', { name: 'I’ve read them' }).click()
  await olga.getByRole('radio', { name: 'With approval' }).check()
  await olga.getByRole('button', { name: 'Save' }).click()
  await expect(toastRegion(olga).getByText('Saved.')).toBeVisible()
  const eva = signUpFormFixture('Eva Soler')
  await late.goto('/sign-up')
  await fillSignUp(late, eva)
  await late.getByLabel('¿Cómo nos conociste y por qué quieres unirte?').fill('Me habló Amina.')
  await late.getByRole('checkbox', { name: 'He leído las' }).check()
  await late.getByRole('button', { name: 'Enviar solicitud' }).click()
  await expect(title(late)).toHaveText('Confirma tu correo')
  await olga.goto('/admin/applications')
  await expect(main(olga).getByText('Nobody is waiting')).toBeVisible()
  await late.goto(await fetchNewestLinkTo(late.request, eva.email))
  await late.getByLabel('Contraseña de tu solicitud').fill(eva.password)
  await late.getByRole('button', { name: 'Confirmar mi solicitud' }).click()
  await expect(title(late)).toHaveText('Tu solicitud está en espera')
  await late.getByRole('link', { name: 'Entra', exact: true }).click()
  await fillSignIn(late, eva)
  await clickSignInButton(late)
  await expect(late.getByText('Tu solicitud está en espera. Todavía no hay respuesta.')).toBeVisible()
  await olga.goto('/admin/applications')
  await expect(main(olga).getByText('Me habló Amina.')).toBeVisible()
  await olga.getByRole('button', { name: 'Approve Eva Soler' }).click()
  await olga.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click()
  await expect(toastRegion(olga).getByText('Eva Soler can sign in now.')).toBeVisible()
  await clickSignInButton(late)
  await expect(late.getByRole('heading', { name: 'Following' })).toBeVisible()
  await late.context().clearCookies()

  // This page is in the visitor's browser language. Other visitor pages are Spanish.
  await late.goto(setup)
  await expect(title(late)).toHaveText('This link is no longer valid')
})

/** The path of the link in the newest email to an address. */
async function fetchNewestLinkTo(request: APIRequestContext, email: string): Promise<string> {
  const emails: { to: string; text: string }[] = await (await request.get('/dev/outbox')).json()
  const { pathname, search } = new URL(
    /https?:\S+/.exec(emails.findLast(({ to }) => to === email)?.text ?? '')?.[0] ?? '',
  )
  return `${pathname}${search}`
}

async function fillFirstAccountInEnglish(page: Page) {
  const { name, username, email, password } = signUpFormFixture('Olga Ruiz')
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
}
