import { clickSignInButton, fillSignIn } from './auth-form-steps.ts'
import { expect, test } from './fixtures.ts'

test('SIN-11 if the server stops while the sign-in page is open, a toast says that signing in failed', async ({
  page,
}) => {
  await page.goto('/sign-in')
  await expect(page.getByRole('heading', { name: 'Bienvenida de nuevo' })).toBeVisible()
  await page.route('**/*', (route) => route.abort('connectionrefused'))
  await fillSignIn(page, { email: 'ana@juntas.test', password: 'correcta caballo pila grapa' })
  await clickSignInButton(page)
  await expect(page.getByText('Login failed. Please try again.')).toBeVisible()
})
