import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { beginPasskeySignInOperation } from '#contract/account/passkeys.ts'
import { answerAccountSettings } from '#tests/support/component/account-settings.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'

const words = page.getByText(/llave|passkey/i)

beforeEach(() => {
  vi.stubGlobal('PublicKeyCredential', undefined)
  Reflect.deleteProperty(window, 'PublicKeyCredential')
})
afterEach(() => vi.unstubAllGlobals())

test('PKEY-10 in a browser without passkeys the sign-in page does not mention them', async () => {
  await openApp('/sign-in', { me: null })
  await expect.element(page.getByRole('link', { name: 'Recibir un enlace por correo' })).toBeVisible()
  expect(words.elements()).toEqual([])
  expect(api.callsOf(beginPasskeySignInOperation)).toEqual([])
})

test('PKEY-10 in a browser without passkeys the security settings do not mention them', async () => {
  answerAccountSettings({ passkeyCount: 1, passwordUpdatedAt: '2026-11-01T10:00:00.000Z' })
  await openApp('/settings/security')
  await expect.element(page.getByText('Authenticator app')).toBeVisible()
  expect(words.elements()).toEqual([])
})
