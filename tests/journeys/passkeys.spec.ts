/** Passkeys, with a virtual authenticator of Chromium's: adding, signing in, proving, the second step, and where there are none. */
import type { CDPSession, Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { clickSignInButton, fillSignIn } from './auth-form-steps.ts'
import { expect, type JourneyMemberWithPage, test, toastRegion } from './fixtures.ts'

type Authenticator = {
  credentials(): Promise<unknown[]>
  add(credential: unknown): Promise<void>
}

/** Plugs an authenticator in that asks for a finger and gets one. */
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

/** Where the field offers none, the button alone signs in; else an authenticator that asks nobody answers the field at once. */
const offerNoneInField = (page: Page) =>
  page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })

/** Adds a passkey in the settings, under the name that is proposed. @returns the name */
async function addPasskey({ page }: JourneyMemberWithPage): Promise<string> {
  await page.goto('/settings/security/passkeys')
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Name your passkey' })
  await expect(dialog.getByLabel('Name')).toHaveValue(/ of /)
  const name = await dialog.getByLabel('Name').inputValue()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  return name
}

test('PKEY-01 PKEY-07 ana adds a passkey, calls it something else and removes it', async ({ signedUp }) => {
  const ana = await signedUp('ana')
  const { page } = ana
  await plugIn(page)
  await page.goto('/settings/security')
  const main = page.getByRole('main')
  await expect(main.getByText('Sign in with your finger, face or PIN, with no password.')).toBeVisible()
  await main.getByRole('link', { name: 'Add', exact: true }).click()
  await main.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Name your passkey' })
  await expect(dialog.getByLabel('Name')).toHaveValue(/^\w[\w ]* of \w+$/)
  await dialog.getByLabel('Name').fill('Pixel of Ana')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const mine = main.getByRole('region', { name: 'Your passkeys' })
  await expect(mine.getByText('Pixel of Ana')).toBeVisible()
  await expect(mine.getByText(/added \w{3} \d{1,2}, \d{4} · never used/)).toBeVisible()
  await page.goto('/settings')
  const glance = page.getByRole('region', { name: 'Your account at a glance' })
  await expect(glance.getByText('1 passkey', { exact: true })).toBeVisible()
  await page.goto('/settings/security/passkeys')
  // The authenticator makes no second one for the same account.
  await main.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(
    toastRegion(page).getByText('This device has a passkey for your account already.'),
  ).toBeVisible()
  await main.getByRole('button', { name: 'Remove Pixel of Ana' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(toastRegion(page).getByText('The passkey is removed.')).toBeVisible()
  await expect(mine.getByText('Pixel of Ana')).toBeHidden()
})

test('PKEY-02 PKEY-04 gema signs in by a passkey without typing; cancelled it says nothing, and removed it says so @quick', async ({
  signedUp,
  newBrowser,
}) => {
  const gema = await signedUp('gema')
  const first = await plugIn(gema.page)
  const name = await addPasskey(gema)
  const [credential] = await first.credentials()

  const page = await (await newBrowser()).newPage()
  await offerNoneInField(page)
  const second = await plugIn(page)
  await page.goto('/sign-in')
  const button = page.getByRole('button', { name: 'Entrar con llave de acceso' })
  await expect(button).toBeVisible()
  await button.click()
  // There is none on this device: the browser's dialog ends, and the form is as it was.
  await expect(button).not.toHaveAttribute('aria-busy', 'true')
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveCount(0)
  await second.add(credential)
  await button.click()
  await expect(page.getByRole('heading', { name: 'Following' })).toBeVisible()
  await page.goto('/settings/security/devices')
  await expect(page.getByRole('main').getByText(/with a passkey/)).toBeVisible()

  await gema.page.getByRole('button', { name: `Remove ${name}` }).click()
  await gema.page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(toastRegion(gema.page).getByText('The passkey is removed.')).toBeVisible()
  const third = await (await newBrowser()).newPage()
  await offerNoneInField(third)
  const old = await plugIn(third)
  await third.goto('/sign-in')
  await expect(third.getByRole('button', { name: 'Entrar con llave de acceso' })).toBeVisible()
  await old.add(credential)
  await third.getByRole('button', { name: 'Entrar con llave de acceso' }).click()
  await expect(third.getByRole('alert')).toHaveText(
    'Juntas no conoce esa llave. Entra de otra manera y añádela otra vez.',
  )
  await expect(third.getByRole('status').filter({ hasText: /./ })).toHaveCount(0)
})

test('PKEY-02 a second press, while the first waits for its challenge, takes nothing away from it', async ({
  signedUp,
  newBrowser,
}) => {
  const ida = await signedUp('ida')
  const first = await plugIn(ida.page)
  await addPasskey(ida)
  const [credential] = await first.credentials()

  const page = await (await newBrowser()).newPage()
  await offerNoneInField(page)
  await (await plugIn(page)).add(credential)
  const held = Promise.withResolvers<void>()
  const challenges: string[] = []
  await page.route('**/v1/sessions/passkey-options', async (route) => {
    challenges.push(route.request().url())
    await held.promise
    await route.continue()
  })
  await page.goto('/sign-in')
  const button = page.getByRole('button', { name: 'Entrar con llave de acceso' })
  await button.click()
  await expect.poll(() => challenges.length).toBe(1)
  await button.click()
  held.resolve()
  await expect(page.getByRole('heading', { name: 'Following' })).toBeVisible()
  expect(challenges).toHaveLength(1)
})

test('PKEY-03 passkeys are among the suggestions of the e-mail field; where there is none the form is as it was', async ({
  signedUp,
  newBrowser,
}) => {
  const gala = await signedUp('gala')
  const first = await plugIn(gala.page)
  await addPasskey(gala)
  const [credential] = await first.credentials()

  const without = await (await newBrowser()).newPage()
  await plugIn(without)
  await without.goto('/sign-in')
  await expect(without.getByRole('button', { name: 'Entrar con llave de acceso' })).toBeVisible()
  await expect(without.getByRole('alert')).toHaveCount(0)
  await expect(toastRegion(without).getByRole('listitem')).toHaveCount(0)
  await fillSignIn(without, gala)
  await clickSignInButton(without)
  await expect(without.getByRole('heading', { name: 'Following' })).toBeVisible()

  // The virtual authenticator chooses what the member would choose in the field.
  const page = await (await newBrowser()).newPage()
  const second = await plugIn(page)
  await second.add(credential)
  await page.goto('/sign-in')
  await expect(page.getByRole('heading', { name: 'Following' })).toBeVisible()
})

test('PKEY-08 fara proves by a passkey that it is her, and takes the second step by it', async ({
  signedUp,
  newBrowser,
}) => {
  const fara = await signedUp('fara')
  const { page } = fara
  const first = await plugIn(page)
  await addPasskey(fara)
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
  await fillSignIn(other, fara)
  await clickSignInButton(other)
  await expect(other.getByRole('heading', { name: 'Un paso más' })).toBeVisible()
  await second.add(credential)
  await other.getByRole('button', { name: 'Usar una llave de acceso' }).click()
  await expect(other.getByRole('heading', { name: 'Following' })).toBeVisible()
})

test('PKEY-07 PKEY-08 removing one asks for a proof, which a passkey gives', async ({ signedUp }) => {
  const hana = await signedUp('hana')
  const { page } = hana
  await plugIn(page)
  const name = await addPasskey(hana)
  let demanded = false
  await page.route('**/v1/me/passkeys/*', (route) => {
    if (demanded || route.request().method() !== 'DELETE') return route.fallback()
    demanded = true
    return route.fulfill({
      status: 401,
      json: { message: 'prove it', code: 401, type: 'user_challenge_required' },
    })
  })
  await page.getByRole('button', { name: `Remove ${name}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  const proof = page.getByRole('dialog', { name: 'Show that it is you' })
  await expect(proof.getByLabel('Password', { exact: true })).toBeFocused()
  await proof.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(toastRegion(page).getByText('The passkey is removed.')).toBeVisible()
  await expect(proof).toBeHidden()
})

test('PKEY-10 without https and in browsers without passkeys no word about them stands anywhere', async ({
  newBrowser,
  baseURL,
  signedUp,
}) => {
  const words = /llave|passkey/i
  const byNumber = await (await newBrowser()).newPage()
  await byNumber.goto(`${baseURL?.replace('localhost', '127.0.0.1')}/sign-in`)
  await expect(byNumber.getByRole('link', { name: 'Recibir un enlace por correo' })).toBeVisible()
  await expect(byNumber.getByText(words)).toHaveCount(0)
  const iria = await signedUp('iria')
  await iria.page.addInitScript(() => {
    Reflect.deleteProperty(window, 'PublicKeyCredential')
  })
  await iria.page.goto('/settings/security')
  await expect(iria.page.getByText('Code from an app')).toBeVisible()
  await expect(iria.page.getByText(words)).toHaveCount(0)
  const visitor = await (await newBrowser()).newPage()
  await visitor.addInitScript(() => {
    Reflect.deleteProperty(window, 'PublicKeyCredential')
  })
  await visitor.goto('/sign-in')
  await expect(visitor.getByRole('link', { name: 'Recibir un enlace por correo' })).toBeVisible()
  await expect(visitor.getByText(words)).toHaveCount(0)
})
