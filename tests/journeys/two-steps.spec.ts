/** Two steps: setting an app up, the second step of signing in, a recovery code in place of the app. */
import { Secret, TOTP } from 'otpauth'
import { clickSignInButton, fillSignIn } from './auth-form-steps.ts'
import { expect, test } from './fixtures.ts'

test('MFA-01 MFA-02 MFA-03 MFA-05 MFA-10 ana sets an app up, signs in by both, and by a recovery code without it', async ({
  signedUp,
  newBrowser,
}) => {
  const { page, email, password } = await signedUp('ana')
  const secrets: string[] = []
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  await page.goto('/settings/security')
  const main = page.getByRole('main')
  await main.getByRole('link', { name: 'Turn on' }).click()
  await expect(main.getByRole('img', { name: 'QR code for your app' })).toBeVisible()
  const key = main.getByText(/^(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}$/)
  await expect(key).toBeVisible()
  const secret = ((await key.textContent()) ?? '').replaceAll(' ', '')
  secrets.push(secret)
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  await main.getByLabel('Code', { exact: true }).fill('000000')
  await main.getByRole('button', { name: 'Turn on' }).click()
  await expect(
    main.getByText('That code doesn’t match. Check that your phone’s clock is right.'),
  ).toBeVisible()
  await main.getByLabel('Code', { exact: true }).fill(totp.generate())
  await main.getByRole('button', { name: 'Turn on' }).click()
  await expect(main.getByText('Two steps are on.')).toBeVisible()
  const codes = main.getByRole('region', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const [first = ''] = await codes.allTextContents()
  await expect(main.getByRole('button', { name: 'Done' })).toBeDisabled()
  await main.getByLabel('I have kept them').check()
  await main.getByRole('button', { name: 'Done' }).click()
  await expect(main.getByText('10 of 10 left')).toBeVisible()
  expect(addresses.filter((address) => secrets.some((each) => address.includes(each)))).toEqual([])

  const other = await (await newBrowser()).newPage()
  await other.goto('/sign-in')
  await fillSignIn(other, { email, password })
  await clickSignInButton(other)
  await expect(other.getByRole('heading', { name: 'Un paso más' })).toBeVisible()
  await expect(other).toHaveURL('/sign-in/step')
  // A page of a member leads here until then.
  await other.goto('/')
  await expect(other.getByRole('heading', { name: 'Un paso más' })).toBeVisible()
  // The next period's: this one's may have been taken.
  await other.getByLabel('Código').fill(totp.generate({ timestamp: Date.now() + 30_000 }))
  await other.getByRole('button', { name: 'Entrar' }).click()
  await expect(other.getByRole('heading', { name: 'Following' })).toBeVisible()

  const third = await (await newBrowser()).newPage()
  await third.goto('/sign-in')
  await fillSignIn(third, { email, password })
  await clickSignInButton(third)
  await third.getByRole('button', { name: 'Usar un código de recuperación' }).click()
  await third.getByLabel('Código de recuperación').fill('mal-mal')
  await third.getByRole('button', { name: 'Entrar' }).click()
  await expect(third.getByRole('alert')).toContainText('Ese código no vale.')
  await third.getByLabel('Código de recuperación').fill(first.toUpperCase())
  await third.getByLabel(/^Ya no tengo esa aplicación/).check()
  await third.getByRole('button', { name: 'Entrar' }).click()
  await expect(third.getByRole('heading', { name: 'Following' })).toBeVisible()
  await third.goto('/settings/security')
  await expect(third.getByRole('main').getByText('Off. A password alone opens your account.')).toBeVisible()
})
