import { toastRegion } from '#tests/journeys/fixtures.ts'
import {
  expect,
  failApiRequests,
  leaveApiRequestsPending,
  takeResponsiveScreenshots,
  test,
} from './screenshot-fixtures.ts'

test('Sign in', async ({ page }) => {
  await page.goto('/sign-in', { waitUntil: 'networkidle' })
  await takeResponsiveScreenshots(page, 'sign-in', 'loaded')
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true')
  await takeResponsiveScreenshots(page, 'sign-in', 'invalid')
  await page.getByLabel('Email').fill('lucia.ferrer@juntas.example')
  await page.getByLabel('Contraseña', { exact: true }).fill('juntas-juntas')
  await leaveApiRequestsPending(page, /sessions/)
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Entrando...' })).toBeVisible()
  await takeResponsiveScreenshots(page, 'sign-in', 'busy')
})

test('Sign in that fails', async ({ page }) => {
  await page.clock.install()
  await page.goto('/sign-in', { waitUntil: 'networkidle' })
  await page.getByLabel('Email').fill('lucia.ferrer@juntas.example')
  await page.getByLabel('Contraseña', { exact: true }).fill('otra clave')
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect(toastRegion(page).getByRole('listitem')).toBeVisible()
  await page.clock.pauseAt(Date.now() + 1000)
  await takeResponsiveScreenshots(page, 'sign-in', 'failed')
})

test('Sign in offline', async ({ page, context }) => {
  await page.goto('/sign-in', { waitUntil: 'networkidle' })
  await context.setOffline(true)
  await expect(page.getByText('Estás sin conexión.')).toBeVisible()
  await takeResponsiveScreenshots(page, 'sign-in', 'offline')
})

test('Sign up', async ({ page }) => {
  await page.goto('/sign-up', { waitUntil: 'networkidle' })
  await takeResponsiveScreenshots(page, 'sign-up', 'loaded')
  await page.getByRole('button', { name: 'Crear cuenta' }).click()
  await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true')
  await takeResponsiveScreenshots(page, 'sign-up', 'invalid', { whole: true })
})

test('The splash screen while the session loads, and after loading fails', async ({ page }) => {
  await leaveApiRequestsPending(page, /me\/session/)
  await page.goto('/')
  await expect(page.getByText('Still loading…')).toBeAttached()
  await takeResponsiveScreenshots(page, 'splash', 'loading')
  await page.unrouteAll()
  await failApiRequests(page, /me\/session/)
  await page.reload()
  await expect(page.getByText('We can’t reach Juntas')).toBeVisible()
  await takeResponsiveScreenshots(page, 'splash', 'failed')
})

test('a forgotten password', async ({ page }) => {
  await page.goto('/recovery', { waitUntil: 'networkidle' })
  await takeResponsiveScreenshots(page, 'recovery', 'loaded')
  await page.getByLabel('Email').fill('lucia.ferrer@juntas.example')
  await page.clock.install()
  await page.getByRole('button', { name: 'Enviar enlace' }).click()
  await expect(page.getByRole('heading', { name: 'Revisa tu correo' })).toBeVisible()
  await page.clock.pauseAt(Date.now() + 1000)
  await takeResponsiveScreenshots(page, 'recovery', 'sent')
  await page.goto('/recovery/new?userId=lucia&secret=usado', { waitUntil: 'networkidle' })
  await takeResponsiveScreenshots(page, 'recovery', 'new-password')
  await page.goto('/verify?userId=lucia&secret=usado', { waitUntil: 'networkidle' })
  await takeResponsiveScreenshots(page, 'verify', 'loaded')
  await page.clock.resume()
  await page.getByRole('button', { name: 'Confirmar mi correo' }).click()
  await expect(page.getByRole('heading', { name: 'Este enlace ya no vale.' })).toBeVisible()
  await takeResponsiveScreenshots(page, 'verify', 'over')
})

test('the settings of the account', async ({ signedUp }) => {
  const { page } = await signedUp('Lucía Ferrer')
  await page.goto('/settings/account', { waitUntil: 'networkidle' })
  await page.getByRole('button', { name: 'Change email' }).click()
  await takeResponsiveScreenshots(page, 'settings', 'account')
  for (const name of ['profile', 'security', 'security/devices', 'security/log', 'data', 'data/delete']) {
    await page.goto(`/settings/${name}`, { waitUntil: 'networkidle' })
    await takeResponsiveScreenshots(page, 'settings', name.replace('/', '-'))
  }
})

test('an account that is being deleted', async ({ signedUp, page }) => {
  const { request, username, email, password } = await signedUp('Lucía Ferrer')
  const asked = await request.post('/v1/me/deletion', { data: { username, password } })
  const { receiptId } = await asked.json()
  await page.goto(`/receipt/${receiptId}`, { waitUntil: 'networkidle' })
  await takeResponsiveScreenshots(page, 'receipt', 'waiting')
  await page.request.post('/v1/sessions', { data: { email, password } })
  await page.goto('/sign-in/closing', { waitUntil: 'networkidle' })
  await page.getByRole('button', { name: 'Bórrala ya' }).click()
  await takeResponsiveScreenshots(page, 'sign-in', 'closing')
  await page.request.put('/v1/me/deletion', { data: { username, password } })
  await page.goto(`/receipt/${receiptId}`)
  await expect(page.getByRole('heading', { name: 'Recibo de borrado' })).toBeVisible({ timeout: 30_000 })
  await takeResponsiveScreenshots(page, 'receipt', 'done')
})
