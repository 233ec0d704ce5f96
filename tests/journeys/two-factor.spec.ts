import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { SMTPServer } from 'smtp-server'
import { runProgram } from '#scripts/run-tool.ts'
import { clickSignInButton, fillSignIn } from './auth-form-steps.ts'
import { expect, test } from './fixtures.ts'

const visibleLines = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter(
        (element) => element.childElementCount === 0 && element.checkVisibility({ visibilityProperty: true }),
      )
      .map((element) => element.textContent.trim())
      .filter((text) => text !== ''),
  )

test('MFA-01 MFA-02 MFA-03 MFA-04 MFA-05 MFA-10 ana sets up an authenticator app, signs in with password and code, and with a recovery code instead @quick', async ({
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
  await expect(main.getByText('Two-step verification is on.')).toBeVisible()
  const codes = main.getByRole('region', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const shown = await codes.allTextContents()
  const [first = ''] = shown
  const kept = `Juntas\n\n${shown.join('\n')}\n`
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await main.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(kept)
  const saving = page.waitForEvent('download')
  await main.getByRole('button', { name: 'Save as text' }).click()
  expect(await readFile(await (await saving).path(), 'utf8')).toBe(kept)
  await page.emulateMedia({ media: 'print' })
  expect(await visibleLines(page)).toEqual(['Juntas', ...shown])
  await page.emulateMedia({ media: 'screen' })
  await expect(main.getByText('Juntas', { exact: true })).toBeHidden()
  await expect(main.getByRole('button', { name: 'Done' })).toBeDisabled()
  await main.getByLabel('I’ve saved them').check()
  await main.getByRole('button', { name: 'Done' }).click()
  await expect(main.getByText('10 of 10 left')).toBeVisible()
  expect(addresses.filter((address) => secrets.some((each) => address.includes(each)))).toEqual([])

  const other = await (await newBrowser()).newPage()
  await other.goto('/sign-in')
  await fillSignIn(other, { email, password })
  await clickSignInButton(other)
  await expect(other.getByRole('heading', { name: 'Un paso más' })).toBeVisible()
  await expect(other).toHaveURL('/sign-in/step')
  // Until the second step, member pages redirect here.
  await other.goto('/')
  await expect(other.getByRole('heading', { name: 'Un paso más' })).toBeVisible()
  // The current period's code may already be used.
  await other.getByLabel('Código').fill(totp.generate({ timestamp: Date.now() + 30_000 }))
  await other.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect(other.getByRole('heading', { name: 'Following' })).toBeVisible()

  const third = await (await newBrowser()).newPage()
  await third.goto('/sign-in')
  await fillSignIn(third, { email, password })
  await clickSignInButton(third)
  await third.getByRole('button', { name: 'Usar un código de recuperación' }).click()
  await third.getByLabel('Código de recuperación').fill('mal-mal')
  await third.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect(third.getByRole('alert')).toContainText('Ese código no vale.')
  await third.getByLabel('Código de recuperación').fill(first.toUpperCase())
  await third.getByLabel(/^Ya no tengo esa aplicación/).check()
  await third.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect(third.getByRole('heading', { name: 'Following' })).toBeVisible()
  await third.goto('/settings/security')
  await expect(third.getByRole('main').getByText('Off. Your password is enough to sign in.')).toBeVisible()
})

test('MFA-15 ana cancels the removal of her two-factor authentication with the emailed link; a second use of the link fails', async ({
  page,
  member,
  server,
}) => {
  const { username, email, request } = await member('ana')
  const { secret } = await (await request.post('/v1/me/authenticator', { data: {} })).json()
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  expect((await request.put('/v1/me/authenticator', { data: { code } })).ok()).toBe(true)
  const messages: string[] = []
  const smtpServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      void text(stream).then((message) => {
        messages.push(message)
        done()
      })
    },
  })
  await new Promise<void>((listening) => smtpServer.listen(0, '127.0.0.1', listening))
  const { port } = smtpServer.server.address() as AddressInfo
  const settings = { DATA_DIR: server.dataDir, PUBLIC_URL: server.url, SMTP_URL: `smtp://127.0.0.1:${port}` }
  const asked = await runProgram(process.execPath, ['scripts/account.ts', 'unlock', username], {
    env: { DATABASE_URL: '', LOG_LEVEL: 'error', ...settings },
  })
  smtpServer.close()
  expect(asked).toMatchObject({
    status: 0,
    output: expect.stringMatching(/^Two-factor authentication of ana\d+ ends after \d{4}-/m),
  })
  expect(messages).toHaveLength(1)
  expect(messages[0]).toContain(email)
  const [message = ''] = messages
  const unfolded = message.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
  const link = /\/sign-in\/keep-two-steps\?userId=\w+&secret=[0-9a-f]{64}/.exec(unfolded)?.[0] ?? ''
  await page.goto(link)
  await expect(page).toHaveURL('/sign-in/keep-two-steps')
  await page.getByRole('button', { name: 'Mantenerla' }).click()
  await expect(
    page.getByRole('heading', { name: 'La verificación en dos pasos sigue activada' }),
  ).toBeFocused()
  await page.goto(link)
  await page.getByRole('button', { name: 'Mantenerla' }).click()
  await expect(page.getByRole('heading', { name: 'Este enlace ya no vale.' })).toBeVisible()
})
