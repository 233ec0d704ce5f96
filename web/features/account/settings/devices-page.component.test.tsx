import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  type Device,
  listDevicesOperation,
  signOutDeviceOperation,
  signOutOtherDevicesOperation,
} from '#contract/account/account-settings.ts'
import {
  answerAccountSettings,
  makeDevice,
  password,
  reauthenticationDialog,
  reauthenticationField,
  requireReauthentication,
} from '#tests/support/component/account-settings.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'
import { toasts } from '#tests/support/component/post-form.ts'

const main = page.getByRole('main')
const attempt = main.getByText(/The country is estimated from the IP address and can be wrong\./)
const endOthers = main.getByRole('button', { name: 'Log out all others' })

async function openDevices(...others: Device[]): Promise<{ devices: Device[] }> {
  answerAccountSettings()
  const kept = { devices: [makeDevice({ current: true }), ...others] }
  api.answer(listDevicesOperation, () => ({ documents: kept.devices }))
  await openApp('/settings/security/devices')
  await expect.element(main.getByText('This device')).toBeVisible()
  return kept
}

async function askToEndOthers(): Promise<void> {
  await endOthers.click()
  await page
    .getByRole('alertdialog', { name: 'Log out everywhere else?' })
    .getByRole('button', { name: 'Log out' })
    .click()
}

test('SESS-01 SESS-03 eva sees where she is signed in, and signs out one device', async () => {
  const kept = await openDevices(makeDevice({ browser: 'Firefox' }))
  const other = kept.devices[1] as Device
  api.answer(signOutDeviceOperation, () => void kept.devices.pop())
  await expect.poll(() => main.getByText('This device').elements()).toHaveLength(1)
  await expect.element(main.getByText(/^now · signed in .* with password$/)).toBeVisible()
  await expect.element(attempt).not.toBeInTheDocument()
  const end = main.getByRole('button', { name: 'Log out Firefox on Linux' })
  await end.click()
  await expect.element(end).not.toBeInTheDocument()
  await expect.poll(() => api.callsOf(signOutDeviceOperation)).toEqual([{ deviceId: other.$id }])
})

test('SESS-01 SESS-02 a known country is shown as an estimate', async () => {
  await openDevices(makeDevice({ country: 'MX' }))
  await expect.element(main.getByText(/^Mexico · .+ · signed in .* with password$/)).toBeVisible()
  await expect.element(attempt).toBeVisible()
})

test('SESS-05 SESS-07 signing out all other devices asks first, requires re-authentication, and then needs no second press', async () => {
  const kept = await openDevices(makeDevice())
  requireReauthentication(signOutOtherDevicesOperation, () => void kept.devices.pop())
  await askToEndOthers()
  await expect.element(reauthenticationField).toHaveFocus()
  await reauthenticationField.fill('no es la mía')
  await reauthenticationDialog.getByRole('button', { name: 'Continue' }).click()
  await expect.element(reauthenticationDialog.getByText('That is not your password.')).toBeVisible()
  await reauthenticationField.fill(password)
  await reauthenticationDialog.getByRole('button', { name: 'Continue' }).click()
  await expect.element(toasts.getByText('Logged out everywhere else.')).toBeVisible()
  await expect.element(reauthenticationDialog).not.toBeInTheDocument()
  await expect.element(endOthers).not.toBeInTheDocument()
})

test('SESS-07 a member who cancels re-authentication changes nothing', async () => {
  await openDevices(makeDevice())
  requireReauthentication(signOutOtherDevicesOperation)
  await askToEndOthers()
  await reauthenticationDialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(reauthenticationDialog).not.toBeInTheDocument()
  await expect.element(endOthers).not.toHaveAttribute('aria-busy')
  await expect.poll(() => api.callsOf(signOutOtherDevicesOperation)).toHaveLength(1)
  expect(toasts.getByRole('listitem').elements()).toEqual([])
})
