import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  changeUsernameOperation,
  reauthenticateOperation,
  requestEmailChangeOperation,
} from '#contract/account/account-settings.ts'
import { disconnectIdentityOperation } from '#contract/account/provider-sign-in.ts'
import { getCommunityOperation } from '#contract/community/community.ts'
import {
  createExportDownloadLinkOperation,
  getExportOperation,
} from '#contract/data-export/account-export.ts'
import type { Operation } from '#contract/operation.ts'
import {
  getPrivacySettingsOperation,
  updatePrivacySettingsOperation,
} from '#contract/people/privacy-settings.ts'
import {
  answerAccountSettings,
  reauthenticationDialog,
  reauthenticationField,
} from '#tests/support/component/account-settings.ts'
import { refusal } from '#tests/support/component/fake-api.ts'
import { makeCommunity, makePrivacySettings, newId } from '#tests/support/component/fixtures.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'

const main = page.getByRole('main')
const press = (name: string | RegExp) => main.getByRole('button', { name }).click()
const code = reauthenticationDialog.getByLabelText('Code', { exact: true })

const actions: [string, string, Operation, () => Promise<void>][] = [
  ['the download of her data', '/settings/data', createExportDownloadLinkOperation, () => press(/^Download/)],
  [
    'a new username',
    '/settings/profile',
    changeUsernameOperation,
    async () => {
      await main.getByRole('region', { name: 'Username' }).getByLabelText('Username').fill('ana.luz')
      await press('Change username')
    },
  ],
  [
    'disconnecting a provider',
    '/settings/account',
    disconnectIdentityOperation,
    async () => {
      await press('Disconnect GitLab')
      await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click()
    },
  ],
  [
    'a change of her unconfirmed email',
    '/settings/account',
    requestEmailChangeOperation,
    async () => {
      await press('Change email')
      const form = main.getByRole('region', { name: 'Change your email' })
      await form.getByLabelText('New email').fill('ana.luz@juntas.test')
      expect(form.getByLabelText('Password').elements()).toEqual([])
      await form.getByRole('button', { name: 'Change email' }).click()
    },
  ],
  [
    'sending the link of a new email again',
    '/settings/account',
    requestEmailChangeOperation,
    () => press('Send again'),
  ],
  [
    'a public account',
    '/settings/privacy',
    updatePrivacySettingsOperation,
    async () => {
      await main.getByRole('switch', { name: 'Private account' }).click()
      const question = page.getByRole('alertdialog')
      await question.getByRole('radio', { name: /^Keep my earlier posts/ }).click()
      await question.getByRole('button', { name: 'Make public' }).click()
    },
  ],
]

test.each(actions)(
  'MFA-25 with two-step verification on, %s asks ana for a code and not for her password',
  async (_, path, operation, act) => {
    api.answer(getCommunityOperation, makeCommunity())
    api.answer(getPrivacySettingsOperation, makePrivacySettings({ isPrivate: true }))
    answerAccountSettings({
      pendingEmail: 'ana.nueva@juntas.test',
      twoSteps: { on: true, since: '2026-11-01T10:00:00.000Z', recoveryCodesLeft: 10 },
      providers: [{ name: 'gitlab', label: 'GitLab' }],
      identities: [{ $id: newId('identity'), provider: 'gitlab', email: 'ana@juntas.test', usable: true }],
    })
    api.answer(getExportOperation, {
      export: {
        ...{
          $id: newId('export'),
          state: 'ready',
          askedAt: new Date().toISOString(),
          step: null,
          photosRead: 1,
        },
        ...{ photos: 1, secondsLeft: null, bytes: 1000, diesAt: '2026-12-13T10:00:00.000Z', outdated: false },
      },
      earlier: [],
    })
    const given: object[] = []
    api.answer(reauthenticateOperation, (input) => void given.push(input))
    api.answer(operation, () => refusal('user_challenge_required'))
    await openApp(path)
    await act()
    await expect.element(code).toBeVisible()
    expect(reauthenticationField.elements()).toEqual([])
    await code.fill('123456')
    await reauthenticationDialog.getByRole('button', { name: 'Continue' }).click()
    await expect.poll(() => given).toEqual([{ code: '123456' }])
  },
)
