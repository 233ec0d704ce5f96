import { page } from 'vitest/browser'
import {
  type Device,
  getAccountSettingsOperation,
  listDevicesOperation,
  listSecurityEventsOperation,
  reauthenticateOperation,
} from '#contract/account/account-settings.ts'
import type { Operation, OperationInput, OperationOutput } from '#contract/operation.ts'
import { refusal } from './fake-api.ts'
import { newId } from './fixtures.ts'
import { api } from './open-app.tsx'

type AccountSettings = OperationOutput<typeof getAccountSettingsOperation>

export const password = 'una clave larga'
export const reauthenticationDialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
export const reauthenticationField = reauthenticationDialog.getByLabelText('Password', { exact: true })

const makeAccountSettings = (given: Partial<AccountSettings> = {}): AccountSettings => ({
  email: 'ana@juntas.test',
  emailVerified: false,
  pendingEmail: null,
  hasPassword: true,
  passwordUpdatedAt: null,
  deviceCount: 1,
  newestDevice: null,
  mail: true,
  twoSteps: { on: false, since: null, recoveryCodesLeft: 0 },
  passkeyCount: 0,
  usernameFixedUntil: null,
  identities: [],
  providers: [],
  ...given,
})

export const makeDevice = (given: Partial<Device> = {}): Device => ({
  $id: newId('device'),
  browser: 'Chrome',
  system: 'Linux',
  kind: 'computer',
  country: null,
  signedInWith: 'password',
  signedInAt: new Date().toISOString(),
  lastSeenAt: new Date().toISOString(),
  current: false,
  rings: false,
  ...given,
})

/** @returns the server's settings, which a test can change */
export function answerAccountSettings(given: Partial<AccountSettings> = {}): AccountSettings {
  const settings = makeAccountSettings(given)
  api.answer(getAccountSettingsOperation, () => ({ ...settings }))
  api.answer(listDevicesOperation, { documents: [makeDevice({ current: true })] })
  api.answer(listSecurityEventsOperation, { documents: [], next: null })
  return settings
}

/** Refuses until the member has re-authenticated; then `answer` handles the operation. */
export function requireReauthentication<O extends Operation>(
  operation: O,
  answer: (input: OperationInput<O>) => unknown = () => undefined,
): void {
  let isVerified = false
  api.answer(reauthenticateOperation, (input) => {
    if (input.password !== password) return refusal('user_invalid_credentials')
    isVerified = true
    return undefined
  })
  api.answer(operation, (input: OperationInput<O>) =>
    isVerified ? answer(input) : refusal('user_challenge_required'),
  )
}
