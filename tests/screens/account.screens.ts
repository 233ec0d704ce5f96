import { toastRegion } from '#tests/journeys/fixtures.ts'
import { breakDown, expect, keepWaiting, photograph, test } from './camera.ts'

test('Sign in', async ({ page }) => {
  await page.goto('/sign-in', { waitUntil: 'networkidle' })
  await photograph(page, 'sign-in', 'loaded')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true')
  await photograph(page, 'sign-in', 'invalid')
  await page.getByLabel('Email').fill('lucia.ferrer@juntas.example')
  await page.getByLabel('Contraseña', { exact: true }).fill('juntas-juntas')
  await keepWaiting(page, /sessions/)
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page.getByRole('button', { name: 'Entrando...' })).toBeVisible()
  await photograph(page, 'sign-in', 'busy')
})

test('Sign in that fails', async ({ page }) => {
  await page.clock.install()
  await page.goto('/sign-in', { waitUntil: 'networkidle' })
  await page.getByLabel('Email').fill('lucia.ferrer@juntas.example')
  await page.getByLabel('Contraseña', { exact: true }).fill('otra clave')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(toastRegion(page).getByRole('listitem')).toBeVisible()
  await page.clock.pauseAt(Date.now() + 1000)
  await photograph(page, 'sign-in', 'failed')
})

test('Sign in offline', async ({ page, context }) => {
  await page.goto('/sign-in', { waitUntil: 'networkidle' })
  await context.setOffline(true)
  await expect(page.getByText('Estás sin conexión.')).toBeVisible()
  await photograph(page, 'sign-in', 'offline')
})

test('Sign up', async ({ page }) => {
  await page.goto('/sign-up', { waitUntil: 'networkidle' })
  await photograph(page, 'sign-up', 'loaded')
  await page.getByRole('button', { name: 'Crear cuenta' }).click()
  await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true')
  await photograph(page, 'sign-up', 'invalid', { whole: true })
})

test('nobody is known yet', async ({ page }) => {
  await keepWaiting(page, /account/)
  await page.goto('/')
  await expect(page.getByText('Still loading…')).toBeAttached()
  await photograph(page, 'splash', 'loading')
  await page.unrouteAll()
  await breakDown(page, /account/)
  await page.reload()
  await expect(page.getByText('We can’t reach Juntas')).toBeVisible()
  await photograph(page, 'splash', 'failed')
})
