/** A forgotten password and an address to confirm: the letters, and the screens they lead to. */
import type { APIRequestContext, Page } from '@playwright/test'
import { clickSignInButton, fillSignIn } from './auth-form-steps.ts'
import { expect, signUpFormFixture, test } from './fixtures.ts'

const title = (page: Page) => page.getByRole('heading', { level: 1 })
const chosen = 'tres palabras sueltas'

/** The link of the newest letter to an address, as the person at this machine reads it. */
async function linkTo(request: APIRequestContext, email: string): Promise<URL> {
  const letters: { to: string; text: string }[] = await (await request.get('/dev/outbox')).json()
  const text = letters.findLast(({ to }) => to === email)?.text ?? ''
  return new URL(/https?:\S+/.exec(text)?.[0] ?? '')
}
const pathOf = ({ pathname, search }: URL) => pathname + search

async function askForLink(page: Page, email: string) {
  await page.goto('/recovery')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Enviar enlace' }).click()
  await expect(title(page)).toHaveText('Mira tu correo')
}

async function choosePassword(page: Page, password: string, again = password) {
  await page.getByLabel('Contraseña', { exact: true }).fill(password)
  await page.getByLabel('Otra vez').fill(again)
  await page.getByRole('button', { name: 'Guardar y entrar' }).click()
}

test('REC-01 REC-02 REC-03 ana asks for a link from the sign-in page; nobody learns whether she has an account', async ({
  page,
  member,
}) => {
  const ana = await member('ana')
  await page.goto('/sign-in')
  await page.getByRole('link', { name: '¿La olvidaste?' }).click()
  await expect(page).toHaveURL('/recovery')
  await expect(title(page)).toHaveText('Elige otra contraseña')
  const send = page.getByRole('button', { name: 'Enviar enlace' })
  await page.getByLabel('Email').fill('foo')
  await send.click()
  await expect(page.getByText('Invalid email')).toBeVisible()
  await page.getByLabel('Email').fill(ana.email)
  let answer = () => {}
  const held = new Promise<void>((go) => {
    answer = go
  })
  await page.route('**/v1/recovery', (route) => held.then(() => route.continue()))
  await send.click()
  await expect(page.getByRole('button', { name: 'Enviando...' })).toHaveAttribute('aria-busy', 'true')
  answer()
  const said = (email: string) =>
    `Si hay una cuenta con ${email}, el enlace ya va de camino. Vale una hora y una sola vez.`
  await expect(title(page)).toHaveText('Mira tu correo')
  await expect(title(page)).toBeFocused()
  await expect(page.getByText(said(ana.email))).toBeVisible()
  expect((await linkTo(ana.request, ana.email)).pathname).toBe('/recovery/new')
  await page.getByRole('button', { name: 'Usar otro correo' }).click()
  await page.getByLabel('Email').fill('nadie@juntas.test')
  await page.getByRole('button', { name: 'Enviar enlace' }).click()
  await expect(page.getByText(said('nadie@juntas.test'))).toBeVisible()
})

test('REC-04 another link can be asked for after a minute, and too many are refused', async ({
  page,
  member,
}) => {
  const { email } = await member('bea')
  await page.clock.install()
  await askForLink(page, email)
  const again = page.getByRole('button', { name: /^Enviar otro/ })
  await expect(again).toBeDisabled()
  await page.clock.runFor(2000)
  await expect(again).toHaveText('Enviar otro (58 s)')
  await page.clock.runFor(58_000)
  await expect(again).toHaveText('Enviar otro')
  await page.route('**/v1/recovery', (route) =>
    route.fulfill({
      status: 429,
      json: { message: 'too many', code: 429, type: 'general_rate_limit_exceeded' },
    }),
  )
  await again.click()
  await expect(page.getByRole('alert')).toHaveText('Has pedido muchos. Prueba dentro de una hora.')
})

test('REC-05 the secret leaves the address bar before anything else is asked for, and stands in no request but its own', async ({
  page,
  member,
}) => {
  const { email, request } = await member('carla')
  await askForLink(page, email)
  const link = await linkTo(request, email)
  const secret = link.searchParams.get('secret') ?? ''
  expect(secret).toHaveLength(64)
  const told: string[] = []
  page.on('request', (sent) => {
    const whole = [sent.url(), JSON.stringify(sent.headers()), sent.postData() ?? ''].join(' ')
    if (whole.includes(secret)) told.push(`${sent.method()} ${new URL(sent.url()).pathname}`)
  })
  await page.goto(pathOf(link))
  await expect(title(page)).toHaveText('Tu contraseña nueva')
  expect(new URL(page.url()).search).toBe('')
  // It outlives a reload.
  await page.reload()
  await choosePassword(page, chosen)
  await expect(page.getByRole('heading', { name: 'Following' })).toBeVisible()
  expect(told).toEqual(['GET /recovery/new', 'PUT /v1/recovery'])
})

test('REC-06 REC-07 dora chooses a password, which ends her other session, and is in @quick', async ({
  page,
  signedUp,
}) => {
  const dora = await signedUp('dora')
  await dora.page.goto('/')
  await expect(dora.page.getByRole('heading', { name: 'Following' })).toBeVisible()
  await askForLink(page, dora.email)
  await page.goto(pathOf(await linkTo(dora.request, dora.email)))
  await choosePassword(page, chosen, 'otras palabras sueltas')
  await expect(page.getByText('Las contraseñas no coinciden.')).toBeVisible()
  await choosePassword(page, 'password1')
  await expect(page.getByText('Esta contraseña la usa mucha gente. Elige otra.')).toBeVisible()
  await choosePassword(page, chosen)
  await expect(page.getByRole('heading', { name: 'Following' })).toBeVisible()
  await expect(page).toHaveURL('/')
  await expect(dora.page).toHaveURL('/sign-in')
  await fillSignIn(dora.page, { email: dora.email, password: chosen })
  await clickSignInButton(dora.page)
  await expect(dora.page.getByRole('heading', { name: 'Following' })).toBeVisible()
})

test('REC-08 a used, a damaged and an incomplete link say the same, and lead to another', async ({
  page,
  member,
}) => {
  const { email, request } = await member('eva')
  await askForLink(page, email)
  const link = await linkTo(request, email)
  const proof = Object.fromEntries(link.searchParams)
  expect((await request.put('/v1/recovery', { data: { ...proof, password: chosen } })).status()).toBe(200)
  const damaged = new URL(link)
  damaged.searchParams.set('secret', 'no-es')
  for (const old of [link, damaged]) {
    await page.goto(pathOf(old))
    await choosePassword(page, 'y otras tres palabras')
    await expect(title(page)).toHaveText('Este enlace ya no vale.')
  }
  await page.goto('/recovery')
  await page.goto('/recovery/new')
  await expect(title(page)).toHaveText('Este enlace ya no vale.')
  await page.getByRole('link', { name: 'Pedir otro' }).click()
  await expect(page).toHaveURL('/recovery')
})

test('REC-09 without a mail server this machine is shown where the letter is', async ({ page, member }) => {
  const { email } = await member('fara')
  await askForLink(page, email)
  const link = page.getByRole('link', { name: 'No hay servidor de correo: la carta está en /dev/outbox' })
  await expect(link).toHaveAttribute('href', '/dev/outbox')
  await page.route('**/v1/community', (route) =>
    route.fulfill({ json: { mail: true, outbox: false, contact: null } }),
  )
  await askForLink(page, email)
  await expect(link).toBeHidden()
})

test('REC-10 where no letters are sent the page says whom to write to', async ({ page }) => {
  const community = (contact: string | null) =>
    page.route('**/v1/community', (route) => route.fulfill({ json: { mail: false, outbox: false, contact } }))
  await community('hola@juntas.test')
  await page.goto('/recovery')
  await expect(page.getByText('Este lugar no envía correo. Escribe a hola@juntas.test.')).toBeVisible()
  await expect(page.getByLabel('Email')).toBeHidden()
  await community(null)
  await page.reload()
  await expect(page.getByText('Este lugar no envía correo.', { exact: true })).toBeVisible()

  await page.route('**/sign-in', async (route) => {
    const response = await route.fetch()
    const headers = { ...response.headers(), 'server-timing': 'no-recovery' }
    await route.fulfill({ response, headers })
  })
  await page.goto('/sign-in')
  await expect(page.getByLabel('Email')).toBeVisible()
  await expect(page.getByRole('link', { name: '¿La olvidaste?' })).toHaveCount(0)
})

test('REC-11 iria signs in by a link of a letter, which opening it does not spend', async ({
  page,
  member,
}) => {
  const { email, username, request } = await member('iria')
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Recibir un enlace por correo' }).click()
  await expect(title(page)).toHaveText('Entra con un enlace')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Enviar enlace' }).click()
  await expect(title(page)).toHaveText('Mira tu correo')
  const link = await linkTo(request, email)
  expect(link.pathname).toBe('/sign-in/link')
  for (let time = 0; time < 2; time += 1) await request.get(pathOf(link))
  await page.goto(pathOf(link))
  await expect(title(page)).toHaveText('Entra en Juntas')
  expect(new URL(page.url()).search).toBe('')
  await clickSignInButton(page)
  await expect(page.getByRole('heading', { name: 'Following' })).toBeVisible()
  await expect(page.getByRole('complementary', { name: 'Sidebar' }).getByText(`@${username}`)).toBeVisible()
  // Once more it is over.
  await page.goto(pathOf(link))
  await clickSignInButton(page)
  await expect(title(page)).toHaveText('Este enlace ya no vale.')
})

test('VER-02 the link of a letter only shows a button, which confirms the address in her own browser', async ({
  signedUp,
}) => {
  const { page, request, email } = await signedUp('gala')
  const asked = await request.post('/v1/account/verification', {
    data: { url: `${new URL((await request.get('/health/live')).url()).origin}/verify` },
  })
  expect(asked.status()).toBe(201)
  const link = await linkTo(request, email)
  // A scanner opens it.
  await request.get(pathOf(link))
  await page.goto(pathOf(link))
  await expect(title(page)).toHaveText('Confirma tu correo')
  expect(new URL(page.url()).search).toBe('')
  expect((await (await request.get('/v1/account')).json()).emailVerification).toBe(false)
  await page.getByRole('button', { name: 'Confirmar mi correo' }).click()
  await expect(title(page)).toHaveText('Correo confirmado')
  expect((await (await request.get('/v1/account')).json()).emailVerification).toBe(true)
  await page.getByRole('link', { name: 'Ir a Juntas' }).click()
  await expect(page.getByRole('heading', { name: 'Following' })).toBeVisible()
})

test('VER-02 where nobody is signed in, confirming leads to choosing the password', async ({
  page,
  member,
}) => {
  const { email, request } = await member('hana')
  await request.post('/v1/account/verification', {
    data: { url: `${new URL((await request.get('/health/live')).url()).origin}/verify` },
  })
  await page.goto(pathOf(await linkTo(request, email)))
  await page.getByRole('button', { name: 'Confirmar mi correo' }).click()
  await expect(title(page)).toHaveText('Correo confirmado')
  await page.getByRole('link', { name: 'Elegir contraseña' }).click()
  await choosePassword(page, chosen)
  await expect(page.getByRole('heading', { name: 'Following' })).toBeVisible()
})

test('VER-05 a changed address is confirmed with the account’s password, and undone by the letter to the old one', async ({
  page,
  member,
}) => {
  const { email, password, request } = await member('ines')
  const { origin } = new URL((await request.get('/health/live')).url())
  await request.post('/v1/account/verification', { data: { url: `${origin}/verify` } })
  const first = Object.fromEntries((await linkTo(request, email)).searchParams)
  const proof = ({ userId, secret }: Record<string, string>) => ({ userId, secret })
  expect((await request.put('/v1/email-confirmation', { data: proof(first) })).status()).toBe(200)
  const next = signUpFormFixture('ines').email
  expect((await request.patch('/v1/account/email', { data: { email: next, password } })).status()).toBe(200)
  const { search } = await linkTo(request, next)
  await page.goto(`/verify${search}`)
  const confirm = page.getByRole('button', { name: 'Confirmar mi correo' })
  await confirm.click()
  await expect(
    page.getByText('Aquí no has entrado en la cuenta. Escribe también su contraseña.'),
  ).toBeVisible()
  await page.getByLabel('Contraseña de la cuenta').fill(password)
  await confirm.click()
  await expect(title(page)).toHaveText('Correo confirmado')
  const undo = await linkTo(request, email)
  expect(undo.pathname).toBe('/email-undo')
  await page.goto(pathOf(undo))
  await page.getByRole('button', { name: 'Recuperar mi cuenta' }).click()
  await expect(page).toHaveURL('/recovery/new')
  await choosePassword(page, chosen)
  await expect(page.getByRole('heading', { name: 'Following' })).toBeVisible()
  const me = await (await page.request.get('/v1/account')).json()
  expect(me).toMatchObject({ email, emailVerification: true })
})
