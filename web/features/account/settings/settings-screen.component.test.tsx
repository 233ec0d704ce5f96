import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  beginAuthenticatorOperation,
  getAccountSettingsOperation,
  listDevicesOperation,
  listSecurityEventsOperation,
} from '#contract/account/account-settings.ts'
import { signInOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { listBlocksOperation } from '#contract/people/blocks.ts'
import {
  listMutedMembersOperation,
  listRestrictedMembersOperation,
} from '#contract/people/mutes-and-restrictions.ts'
import { getPrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import { answerAccountSettings } from '#tests/support/component/account-settings.ts'
import { makeMember, makePrivacySettings, newId } from '#tests/support/component/fixtures.ts'
import { api, openApp, phone, signInAtServer } from '#tests/support/component/open-app.tsx'
import { announceAccountChange } from '#web/features/account/account-change-broadcast.ts'

const main = page.getByRole('main')
const title = main.getByRole('heading', { level: 1 })
const sections = page.getByRole('navigation', { name: 'Settings' })
const glance = page.getByRole('region', { name: 'Your account at a glance' })
const section = (name: string) => sections.getByRole('link', { name: new RegExp(`^${name}`) })
const address = () => location.pathname

function answerSettingsPages(): void {
  answerAccountSettings()
  api.answer(beginAuthenticatorOperation, {
    secret: 'JBSWY3DPEHPK3PXP',
    uri: 'otpauth://totp/Juntas:ana?secret=JBSWY3DPEHPK3PXP',
  })
  api.answer(getPrivacySettingsOperation, makePrivacySettings())
  for (const operation of [listBlocksOperation, listMutedMembersOperation, listRestrictedMembersOperation])
    api.answer(operation, { documents: [], next: null })
}

test('SET-03 SET-06 the settings show their sections beside a summary of ana’s account', async () => {
  const settings = answerAccountSettings()
  const { me } = await openApp('/settings')
  await expect.element(title).toHaveTextContent('Settings')
  for (const name of ['Profile', 'Account', 'Security']) await expect.element(section(name)).toBeVisible()
  await expect.element(glance.getByRole('heading', { name: 'Your account at a glance' })).toBeVisible()
  for (const text of ['Confirm your email', 'ana@juntas.test', 'Only a password', '1 device'])
    await expect.element(glance.getByText(text, { exact: true })).toBeVisible()
  await expect
    .element(glance.getByRole('link', { name: 'Edit Profile' }))
    .toHaveAttribute('href', `/update-profile/${me.$id}`)
  Object.assign(settings, { emailVerified: true, passkeyCount: 2, deviceCount: 3 })
  announceAccountChange()
  for (const text of ['Email confirmed', '2 passkeys', '3 devices'])
    await expect.element(glance.getByText(text, { exact: true })).toBeVisible()
  await section('Profile').click()
  await expect.element(title).toHaveTextContent('Profile')
  await expect.element(title).toHaveFocus()
  await expect.element(section('Profile')).toHaveAttribute('aria-current', 'page')
  await expect.element(main.getByText(`@${me.username}`).last()).toBeVisible()
})

test('SET-04 on a phone the settings are a list, and every page links back to its parent', async () => {
  answerAccountSettings()
  await openApp('/settings', { size: phone })
  await expect.element(page.getByText('Only a password')).toBeVisible()
  await section('Security').click()
  await expect.element(title).toHaveTextContent('Security')
  await expect.element(section('Security')).not.toBeInTheDocument()
  await main.getByRole('link', { name: 'See all' }).click()
  await expect.element(title).toHaveTextContent('Devices')
  await expect.element(title).toHaveFocus()
  await main.getByRole('link', { name: 'Security', exact: true }).click()
  await expect.element(title).toHaveTextContent('Security')
  await main.getByRole('link', { name: 'Settings', exact: true }).click()
  await expect.element(title).toHaveTextContent('Settings')
  expect(address()).toBe('/settings')
  history.back()
  await expect.element(title).toHaveTextContent('Security')
})

for (const [path, operation] of [
  ['/settings', getAccountSettingsOperation],
  ['/settings/account', getAccountSettingsOperation],
  ['/settings/security', getAccountSettingsOperation],
  ['/settings/security/devices', listDevicesOperation],
  ['/settings/security/log', listSecurityEventsOperation],
] as const)
  test(`SET-15 ${path} shows that it is loading, and a failed load can be retried`, async () => {
    answerAccountSettings()
    const { release } = api.hold(operation)
    await openApp(path, { waits: false })
    await expect.poll(() => main.element().querySelectorAll('[aria-busy=true]').length).toBeGreaterThan(0)
    api.refuse(operation, 'general_argument_invalid')
    release()
    await expect.element(main.getByRole('alert').first()).toMatchTextContent('We couldn’t load this.')
    answerAccountSettings()
    await main.getByRole('button', { name: 'Try again' }).first().click()
    await expect.element(main.getByRole('alert')).not.toBeInTheDocument()
  })

const settingsPages = {
  '/settings': 'Settings',
  '/settings/profile': 'Profile',
  '/settings/account': 'Account',
  '/settings/security': 'Security',
  '/settings/security/devices': 'Devices',
  '/settings/security/code': 'Authenticator app',
  '/settings/security/log': 'Security log',
  '/settings/privacy': 'Privacy and safety',
  '/settings/blocked': 'Blocked people',
  '/settings/quiet': 'Muted and restricted',
  '/settings/language': 'Language and appearance',
}

for (const [path, name] of Object.entries(settingsPages))
  test(`SET-05 a visitor who opens ${path} signs in first and then reaches that page`, async () => {
    const me = makeMember()
    api.answer(signInOperation, () => {
      signInAtServer(me)
      return { $id: newId('session'), accountId: me.accountId, secondStep: false }
    })
    answerSettingsPages()
    await openApp(path, { me: null })
    await page.getByLabelText('Email').fill(me.email)
    expect(address()).toBe('/sign-in')
    await page.getByLabelText('Contraseña', { exact: true }).fill('una clave larga')
    await page.getByRole('button', { name: 'Entrar', exact: true }).click()
    await expect.element(title).toHaveTextContent(name)
    expect(address()).toBe(path)
  })
