import type { Page } from '@playwright/test'
import { expect, takeResponsiveScreenshots, test } from './screenshot-fixtures.ts'

const json = (page: Page, path: RegExp, body: unknown) =>
  page.route(
    (url) => url.pathname.startsWith('/v1/') && path.test(url.pathname),
    async (route) => {
      if (body === null) return route.fulfill({ status: 204 })
      if (typeof body !== 'function') return route.fulfill({ json: body })
      const answer = await route.fetch()
      return route.fulfill({ response: answer, json: body(await answer.json()) })
    },
  )

const community = (given: object) => (answer: object) => ({ ...answer, registration: 'approval', ...given })

async function apply(page: Page, mail: boolean) {
  await json(page, /\/community$/, community({ mail, outbox: false }))
  await json(page, /\/applications$/, null)
  await page.goto('/sign-up', { waitUntil: 'networkidle' })
  await page.getByLabel('Nombre', { exact: true }).fill('Rosa Mena')
  await page.getByLabel('Nombre de usuaria').fill('rosa')
  await page.getByLabel('Email').fill('rosa.mena@juntas.example')
  await page.getByLabel('Contraseña', { exact: true }).fill('correcta caballo pila grapa')
  await page.getByLabel('¿Cómo nos conociste y por qué quieres unirte?').fill('Me habló Ana.')
  await page.clock.install()
  await page.getByRole('button', { name: 'Enviar solicitud' }).click()
}

test('an application that was sent', async ({ page }) => {
  await apply(page, true)
  await expect(page.getByRole('heading', { name: 'Confirma tu correo' })).toBeVisible()
  await page.clock.pauseAt(Date.now() + 1000)
  await takeResponsiveScreenshots(page, 'application', 'sent')
})

test('an application in a community without email', async ({ page }) => {
  await apply(page, false)
  await expect(page.getByRole('heading', { name: 'Tu solicitud está en espera' })).toBeVisible()
  await takeResponsiveScreenshots(page, 'application', 'without-email')
})

test('the link that confirms an application', async ({ page }) => {
  const link = '/sign-up/confirm?userId=rosa&secret=usado'
  await page.goto(link, { waitUntil: 'networkidle' })
  await takeResponsiveScreenshots(page, 'confirm-application', 'loaded', { whole: true })
  await page.route(/applications\/confirmation/, (route) =>
    route.fulfill({ status: 401, json: { code: 401, type: 'user_invalid_credentials', message: '' } }),
  )
  await page.getByLabel('Contraseña de tu solicitud').fill('otra')
  await page.getByRole('button', { name: 'Confirmar mi solicitud' }).click()
  await expect(page.getByText('No es la contraseña de esta solicitud.')).toBeVisible()
  await takeResponsiveScreenshots(page, 'confirm-application', 'wrong-password', { whole: true })
  await page.unrouteAll()
  await page.getByRole('button', { name: 'No fui yo: borrarla' }).click()
  await expect(page.getByRole('heading', { name: 'Este enlace ya no vale.' })).toBeVisible()
  await takeResponsiveScreenshots(page, 'confirm-application', 'over')
  await json(page, /applications\/(confirmation|removal)$/, null)
  await page.goto(link, { waitUntil: 'networkidle' })
  await page.getByRole('button', { name: 'No fui yo: borrarla' }).click()
  await expect(page.getByRole('heading', { name: 'La solicitud se borró' })).toBeVisible()
  await takeResponsiveScreenshots(page, 'confirm-application', 'removed')
  await page.goto(link, { waitUntil: 'networkidle' })
  await page.getByLabel('Contraseña de tu solicitud').fill('otra clave')
  await page.getByRole('button', { name: 'Confirmar mi solicitud' }).click()
  await expect(page.getByRole('heading', { name: 'Tu solicitud está en espera' })).toBeVisible()
  await takeResponsiveScreenshots(page, 'confirm-application', 'confirmed')
})

const at = new Date().toISOString()
const waiting = [
  { $id: 'rosa', $createdAt: at, username: 'rosa', emailConfirmed: false },
  { $id: 'eva', $createdAt: at, username: 'eva', emailConfirmed: true },
]

test('the operators’ queue of applications', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  const documents = waiting.map((application) => ({
    ...application,
    name: 'Rosa Mena',
    answer: 'Me habló Ana. Tejo desde niña.',
    voucher: { username: 'ana', name: 'Ana', vouched: null },
  }))
  await json(page, /\/me$/, (me: object) => ({ ...me, operates: true }))
  await json(page, /\/community$/, community({ mail: false }))
  await json(page, /\/admin\/applications$/, { documents, total: 2, next: null })
  await page.goto('/admin/applications', { waitUntil: 'networkidle' })
  await expect(page.getByText('Email address not confirmed')).toBeVisible()
  await takeResponsiveScreenshots(page, 'applications', 'loaded')
})

test('the applicants who name a member', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await json(page, /\/vouch-requests$/, { documents: waiting })
  await page.goto('/vouch-requests', { waitUntil: 'networkidle' })
  await expect(page.getByText('Email address not confirmed')).toBeVisible()
  await takeResponsiveScreenshots(page, 'vouch-requests', 'loaded')
  await page.getByRole('button', { name: 'Don’t ask me again' }).click()
  await takeResponsiveScreenshots(page, 'vouch-requests', 'asking')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.unrouteAll()
  await json(page, /\/me\/privacy$/, (settings: object) => ({ ...settings, takesVouchRequests: false }))
  await page.goto('/vouch-requests', { waitUntil: 'networkidle' })
  await expect(page.getByRole('button', { name: 'Ask me again' })).toBeVisible()
  await takeResponsiveScreenshots(page, 'vouch-requests', 'turned-off')
})
