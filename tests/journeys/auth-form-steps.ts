import type { Page } from '@playwright/test'
import type { signUpFormFixture } from './fixtures.ts'

export async function fillSignIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Contraseña', { exact: true }).fill(password)
}

export async function fillSignUp(page: Page, form: ReturnType<typeof signUpFormFixture>) {
  await page.getByLabel('Nombre', { exact: true }).fill(form.name)
  await page.getByLabel('Nombre de usuaria').fill(form.username)
  await fillSignIn(page, form)
}

export const clickSignInButton = (page: Page) =>
  page.getByRole('button', { name: 'Entrar', exact: true }).click()
export const clickCreateAccountButton = (page: Page) =>
  page.getByRole('button', { name: 'Crear cuenta' }).click()
