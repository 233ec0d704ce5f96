import type { CDPSession, Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { clickSignInButton, fillSignIn } from './auth-form-steps.ts'
import { expect, test, toastRegion } from './fixtures.ts'

type Authenticator = {
  credentials(): Promise<unknown[]>
  add(credential: unknown): Promise<void>
}

async function plugIn(page: Page): Promise<Authenticator> {
  const client: CDPSession = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    credentials: async () => (await client.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    add: async (credential) => {
      await client.send('WebAuthn.addCredential', { authenticatorId, credential: credential as never })
    },
  }
}

/** An authenticator without prompts would accept a suggestion immediately. */
const offerNoneInField = (page: Page) =>
  page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })

const passkeyButton = (page: Page) => page.getByRole('button', { name: 'Entrar con llave de acceso' })
const following = (page: Page) => page.getByRole('heading', { name: 'Following' })

test('PKEY-01 PKEY-02 PKEY-03 PKEY-04 PKEY-07 ana adds a passkey, signs in with it in another browser, and removes it @quick', async ({
  signedUp,
  newBrowser,
}) => {
  const { page } = await signedUp('ana')
  const first = await plugIn(page)
  await page.goto('/settings/security')
  const main = page.getByRole('main')
  await expect(main.getByText('Sign in with your fingerprint, face or PIN, with no password.')).toBeVisible()
  await main.getByRole('link', { name: 'Add', exact: true }).click()
  await main.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Name your passkey' })
  await expect(dialog.getByLabel('Name')).toHaveValue(/^\w[\w ]* of \w+$/)
  await dialog.getByLabel('Name').fill('Pixel of Ana')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const mine = main.getByRole('region', { name: 'Your passkeys' })
  await expect(mine.getByText('Pixel of Ana')).toBeVisible()
  await expect(mine.getByText(/added \w{3} \d{1,2}, \d{4} · never used/)).toBeVisible()
  // An authenticator refuses a second passkey for the same account.
  await main.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(
    toastRegion(page).getByText('This device already has a passkey for your account.'),
  ).toBeVisible()
  const [credential] = await first.credentials()

  const other = await (await newBrowser()).newPage()
  await offerNoneInField(other)
  const second = await plugIn(other)
  await other.goto('/sign-in')
  await passkeyButton(other).click()
  await expect(passkeyButton(other)).not.toHaveAttribute('aria-busy', 'true')
  await expect(other.getByRole('alert').filter({ hasText: /./ })).toHaveCount(0)
  await second.add(credential)
  const held = Promise.withResolvers<void>()
  let challenges = 0
  await other.route('**/v1/sessions/passkey-options', async (route) => {
    challenges += 1
    await held.promise
    await route.continue()
  })
  await passkeyButton(other).click()
  await expect.poll(() => challenges).toBe(1)
  // A second press has no effect while the first is pending.
  await passkeyButton(other).click()
  held.resolve()
  await expect(following(other)).toBeVisible()
  expect(challenges).toBe(1)
  await other.goto('/settings/security/devices')
  await expect(other.getByRole('main').getByText(/with a passkey/)).toBeVisible()

  // The authenticator accepts the suggestion in the field.
  const third = await (await newBrowser()).newPage()
  const inField = await plugIn(third)
  // The copied passkey has the current counter.
  await inField.add((await second.credentials())[0])
  await third.goto('/sign-in')
  await expect(following(third)).toBeVisible()

  await main.getByRole('button', { name: 'Remove Pixel of Ana' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(toastRegion(page).getByText('Passkey removed.')).toBeVisible()
  await expect(mine.getByText('Pixel of Ana')).toBeHidden()

  await other.context().clearCookies()
  await other.goto('/sign-in')
  await passkeyButton(other).click()
  await expect(other.getByRole('alert').filter({ hasText: /./ })).toHaveText(
    'Juntas no reconoce esa llave. Entra de otra manera y añádela otra vez.',
  )
  await expect(other.getByRole('status').filter({ hasText: /./ })).toHaveCount(0)
})

test('PKEY-03 PKEY-07 PKEY-08 PKEY-10 fara uses a passkey as second step and to re-authenticate; at an IP address the page mentions no passkeys', async ({
  signedUp,
  newBrowser,
  baseURL,
}) => {
  const fara = await signedUp('fara')
  const { page } = fara
  const first = await plugIn(page)
  await page.goto('/settings/security/passkeys')
  await page.getByRole('main').getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Name your passkey' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  const [credential] = await first.credentials()
  const { secret } = (await (await page.request.post('/v1/me/authenticator', { data: {} })).json()) as {
    secret: string
  }
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  expect((await page.request.put('/v1/me/authenticator', { data: { code: totp.generate() } })).ok()).toBe(
    true,
  )

  const other = await (await newBrowser()).newPage()
  const second = await plugIn(other)
  await other.goto('/sign-in')
  await expect(passkeyButton(other)).toBeVisible()
  await expect(other.getByRole('alert')).toHaveCount(0)
  await expect(toastRegion(other).getByRole('listitem')).toHaveCount(0)
  await fillSignIn(other, fara)
  await clickSignInButton(other)
  await expect(other.getByRole('heading', { name: 'Un paso más' })).toBeVisible()
  await second.add(credential)
  await other.getByRole('button', { name: 'Usar una llave de acceso' }).click()
  await expect(following(other)).toBeVisible()

  await other.goto('/settings/security/passkeys')
  let demanded = false
  await other.route('**/v1/me/passkeys/*', (route) => {
    if (demanded || route.request().method() !== 'DELETE') return route.fallback()
    demanded = true
    return route.fulfill({
      status: 401,
      json: { message: 'prove it', code: 401, type: 'user_challenge_required' },
    })
  })
  await other.getByRole('button', { name: /^Remove / }).click()
  await other.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  const reauthentication = other.getByRole('dialog', { name: 'Confirm it’s you' })
  await reauthentication.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(toastRegion(other).getByText('Passkey removed.')).toBeVisible()
  await expect(reauthentication).toBeHidden()

  const byNumber = await (await newBrowser()).newPage()
  await byNumber.goto(`${baseURL?.replace('localhost', '127.0.0.1')}/sign-in`)
  await expect(byNumber.getByRole('link', { name: 'Recibir un enlace por correo' })).toBeVisible()
  await expect(byNumber.getByText(/llave|passkey/i)).toHaveCount(0)
})
