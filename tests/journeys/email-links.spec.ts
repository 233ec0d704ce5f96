import type { APIRequestContext } from '@playwright/test'
import { clickSignInButton, fillSignIn } from './auth-form-steps.ts'
import { expect, test } from './fixtures.ts'

const chosen = 'tres palabras sueltas'

async function linkTo(request: APIRequestContext, email: string): Promise<URL> {
  const emails: { to: string; text: string }[] = await (await request.get('/dev/outbox')).json()
  const text = emails.findLast(({ to }) => to === email)?.text ?? ''
  return new URL(/https?:\S+/.exec(text)?.[0] ?? '')
}

test('REC-01 REC-03 REC-05 REC-06 REC-07 REC-11 dora resets her password with a link that no other request contains, and signs in with another link @quick', async ({
  page,
  signedUp,
}) => {
  const { page: hers, email, request, username } = await signedUp('dora')
  const title = page.getByRole('heading', { level: 1 })
  const sendLink = async () => {
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Enviar enlace' }).click()
    await expect(title).toHaveText('Revisa tu correo')
    return linkTo(request, email)
  }
  await hers.goto('/')
  await expect(hers.getByRole('heading', { name: 'Following' })).toBeVisible()
  await page.goto('/sign-in')
  await page.getByRole('link', { name: '¿La olvidaste?' }).click()
  await expect(title).toHaveText('Elige otra contraseña')
  const recovery = await sendLink()
  expect(recovery.pathname).toBe('/recovery/new')
  const secret = recovery.searchParams.get('secret') ?? ''
  expect(secret).toHaveLength(64)
  const requests: string[] = []
  page.on('request', (sent) => {
    const whole = [sent.url(), JSON.stringify(sent.headers()), sent.postData() ?? ''].join(' ')
    if (whole.includes(secret)) requests.push(`${sent.method()} ${new URL(sent.url()).pathname}`)
  })
  await page.goto(recovery.pathname + recovery.search)
  await expect(title).toHaveText('Tu contraseña nueva')
  expect(new URL(page.url()).search).toBe('')
  await page.reload()
  await page.getByLabel('Contraseña', { exact: true }).fill(chosen)
  await page.getByLabel('Repite la contraseña').fill(chosen)
  await page.getByRole('button', { name: 'Guardar y entrar' }).click()
  await expect(page.getByRole('heading', { name: 'Following' })).toBeVisible()
  await expect(page).toHaveURL('/')
  expect(requests).toEqual(['GET /recovery/new', 'PUT /v1/recovery'])
  await expect(hers).toHaveURL('/sign-in')
  await fillSignIn(hers, { email, password: chosen })
  await clickSignInButton(hers)
  await expect(hers.getByRole('heading', { name: 'Following' })).toBeVisible()

  await page.context().clearCookies()
  await page.goto('/sign-in/link')
  await expect(title).toHaveText('Entra con un enlace')
  const link = await sendLink()
  expect(link.pathname).toBe('/sign-in/link')
  // Opens the link without a browser, as a mail scanner does.
  for (let time = 0; time < 2; time += 1) await request.get(link.pathname + link.search)
  await page.goto(link.pathname + link.search)
  await clickSignInButton(page)
  await expect(page.getByRole('complementary', { name: 'Sidebar' }).getByText(`@${username}`)).toBeVisible()
})
