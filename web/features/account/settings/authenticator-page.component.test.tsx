import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  beginAuthenticatorOperation,
  requestEmailConfirmationOperation,
} from '#contract/account/account-settings.ts'
import { answerAccountSettings } from '#tests/support/component/account-settings.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'

const warning = /Until then, a password reset by email turns two-step verification off\./
const main = page.getByRole('main')

async function openSetup(emailVerified: boolean): Promise<void> {
  answerAccountSettings({ emailVerified })
  api.answer(beginAuthenticatorOperation, {
    secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    uri: 'otpauth://totp/Juntas:ana?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Juntas',
  })
  await openApp('/settings/security/code')
  await expect.element(page.getByRole('heading', { name: 'Scan this with your app' })).toBeVisible()
}

test('MFA-24 setting up an authenticator app first asks to confirm the email address, and says why', async () => {
  api.answer(requestEmailConfirmationOperation, undefined)
  await openSetup(false)
  await expect.element(page.getByText('Confirm your email first')).toBeVisible()
  await expect.poll(() => main.element().textContent).toMatch(warning)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect.element(page.getByText('We sent a link to ana@juntas.test.')).toBeVisible()
})

test('MFA-24 setting up an authenticator app does not ask again to confirm a confirmed email address', async () => {
  await openSetup(true)
  expect(main.element().textContent).not.toMatch(warning)
})
