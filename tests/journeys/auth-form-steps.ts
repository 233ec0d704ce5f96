import type { Page } from '@playwright/test'
import type { signUpFormFixture } from './fixtures.ts'

export async function fillSignIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Contraseña', { exact: true }).fill(password)
}

export async function fillSignUp(page: Page, form: ReturnType<typeof signUpFormFixture>) {
  const welcome = page.getByRole('dialog', { name: /^(Welcome|Hola), / })
  // The sheet may leave the page before the click, which would otherwise wait for it until the test ends. If the sheet is
  // still there, the handler runs again.
  await page.addLocatorHandler(welcome, () =>
    welcome
      .getByRole('button', { name: /^(Not now|Ahora no)$/ })
      .click({ timeout: 5000 })
      .catch(() => {}),
  )
  await page.getByLabel('Nombre', { exact: true }).fill(form.name)
  await page.getByLabel('Nombre de usuaria').fill(form.username)
  await fillSignIn(page, form)
}

export const clickSignInButton = (page: Page) =>
  page.getByRole('button', { name: 'Entrar', exact: true }).click()
export const clickCreateAccountButton = (page: Page) =>
  page.getByRole('button', { name: 'Crear cuenta' }).click()
