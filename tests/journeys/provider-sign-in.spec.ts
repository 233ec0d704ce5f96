import { startServer } from '#scripts/harness/server-process.ts'
import { reserveFakeOAuthProvider } from '../doubles/oauth-provider.ts'
import { expect, test } from './fixtures.ts'

test('OIDC-02 bea returns from the identity provider signed in, and signs in with the provider again after signing out', async ({
  newBrowser,
}) => {
  const reserved = await reserveFakeOAuthProvider()
  await using server = await startServer({
    durable: false,
    env: {
      LIMITS: 'off',
      OAUTH_CASA_ID: 'juntas-at-the-provider',
      OAUTH_CASA_SECRET: 'a secret between the two',
      OAUTH_CASA_ISSUER: reserved.issuer,
      OAUTH_CASA_LABEL: 'La Casa',
    },
  })
  const callback = `${server.url}/v1/sign-in-providers/casa/callback`
  const provider = reserved.serve(callback, { bea: 'bea@proveedora.test' })
  const page = await (await newBrowser()).newPage()
  const main = page.getByRole('main')

  await page.goto(`${server.url}/sign-up`)
  await main.getByRole('button', { name: 'Crear cuenta con La Casa' }).click()
  // These are the provider's own sign-in form and consent.
  await page.getByPlaceholder('Enter any login').fill('bea')
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(`${server.url}/`)
  await expect(page.getByRole('heading', { name: 'Following' })).toBeVisible()

  await page.goto(`${server.url}/settings/account`)
  await expect(main.getByText('bea@proveedora.test').first()).toBeVisible()
  await expect(main.getByRole('button', { name: 'Disconnect La Casa' })).toBeVisible()

  await page.context().clearCookies({ name: /^a_session_/ })
  await page.goto(`${server.url}/sign-in`)
  await main.getByRole('button', { name: 'Entrar con La Casa' }).click()
  await expect(page).toHaveURL(`${server.url}/`)
  await expect(page.getByRole('heading', { name: 'Following' })).toBeVisible()
  await provider.stop()
})
