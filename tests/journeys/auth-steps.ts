/** What the journeys through the account share: filling the forms, and holding back or counting what is asked. */
import type { Page, Route } from '@playwright/test'
import type { signUpFormFixture } from './fixtures.ts'

export const fulfillWithUnauthorized = (route: Route) =>
  route.fulfill({ status: 401, json: { message: 'no', code: 401, type: 'general_unauthorized_scope' } })

export async function fillSignIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Contraseña', { exact: true }).fill(password)
}

export async function fillSignUp(page: Page, form: ReturnType<typeof signUpFormFixture>) {
  await page.getByLabel('Nombre', { exact: true }).fill(form.name)
  await page.getByLabel('Nombre de usuaria').fill(form.username)
  await fillSignIn(page, form)
}

export const clickSignInButton = (page: Page) => page.getByRole('button', { name: 'Entrar' }).click()
export const clickCreateAccountButton = (page: Page) =>
  page.getByRole('button', { name: 'Crear cuenta' }).click()

/** The bodies of what is sent to a path, as they are sent. */
export function collectRequestBodies(page: Page, path: string): string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === path) sent.push(request.postData() ?? '')
  })
  return sent
}

/** Holds back the answers of a path until the returned function is called. */
export async function holdResponsesOfPath(page: Page, path: string): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((go) => {
    release = go
  })
  await page.route(`**${path}`, (route) => held.then(() => route.continue()))
  return release
}
