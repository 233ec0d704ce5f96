/** What the journeys through the account share: filling the forms, and holding back or counting what is asked. */
import type { Locator, Page, Route } from '@playwright/test'
import { expect, type newcomer } from './fixtures.ts'

export const fail = (route: Route) =>
  route.fulfill({ status: 500, json: { message: 'Server Error', code: 500 } })
export const refuse = (route: Route) =>
  route.fulfill({ status: 401, json: { message: 'no', code: 401, type: 'general_unauthorized_scope' } })

export async function fillSignIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Contraseña', { exact: true }).fill(password)
}

export async function fillSignUp(page: Page, form: ReturnType<typeof newcomer>) {
  await page.getByLabel('Nombre', { exact: true }).fill(form.name)
  await page.getByLabel('Nombre de usuaria').fill(form.username)
  await fillSignIn(page, form)
}

export const enter = (page: Page) => page.getByRole('button', { name: 'Entrar' }).click()
export const create = (page: Page) => page.getByRole('button', { name: 'Crear cuenta' }).click()

/** The bodies of what is sent to a path, as they are sent. */
export function countRequests(page: Page, path: string): string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === path) sent.push(request.postData() ?? '')
  })
  return sent
}

/** Holds back the answers of a path until the returned function is called. */
export async function hold(page: Page, path: string): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((go) => {
    release = go
  })
  await page.route(`**${path}`, (route) => held.then(() => route.continue()))
  return release
}

/** Lets the retries of a page whose clock is ours run out. */
export const outlast = (page: Page, seen: Locator) =>
  expect(async () => {
    await page.clock.runFor(4000)
    await expect(seen).toBeVisible({ timeout: 200 })
  }).toPass()
