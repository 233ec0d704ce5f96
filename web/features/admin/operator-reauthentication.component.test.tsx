import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { reauthenticateOperation } from '#contract/account/account-settings.ts'
import {
  discardEmailOperation,
  getInstanceQueuesOperation,
  listUndeliveredEmailsOperation,
  retryEmailOperation,
  sendTestEmailOperation,
} from '#contract/admin/instance.ts'
import {
  approveApplicationOperation,
  declineApplicationOperation,
  listApplicationsOperation,
} from '#contract/community/applications.ts'
import {
  getCommunityOperation,
  getCommunitySettingsOperation,
  updateCommunityOperation,
} from '#contract/community/community.ts'
import {
  getCommunityIdentityOperation,
  removeCommunityLogoOperation,
  setCommunityLogoOperation,
  updateCommunityIdentityOperation,
} from '#contract/community/community-identity.ts'
import { createInvitationOperation, listInvitationsOperation } from '#contract/community/invitations.ts'
import type { Operation } from '#contract/operation.ts'
import {
  answerAccountSettings,
  password,
  requireReauthentication,
} from '#tests/support/component/account-settings.ts'
import { makeCommunity, newId } from '#tests/support/component/fixtures.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'
import { chooseFiles, createPicture } from '#tests/support/component/pictures.ts'
import { keepUploads } from '#tests/support/component/post-form.ts'

const main = page.getByRole('main')
const press = (name: string) => main.getByRole('button', { name, exact: true }).click()
const confirm = (name: string) =>
  page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click()
const at = '2026-11-29T10:00:00.000+00:00'

const settings = {
  ...{ name: 'Juntas', registration: 'open' as const, rules: [], rulesVersion: 0, rulesChangedAt: null },
  ...{ contact: null, applicationQuestion: null, fixed: [] },
}
const identity = { accent: null, logo: '0123456789abcdef', announcement: '', announcedAt: null }
const application = {
  ...{ $id: newId('application'), $createdAt: at, name: 'Eva', username: 'eva', answer: 'Soy Eva.' },
  emailConfirmed: true,
  voucher: null,
}
const invitation = {
  ...{ $id: newId('invitation'), state: 'open' as const, reusable: true, uses: 0, createdAt: at },
  ...{ code: 'aaaa-bbbb-ccccc', at, guest: null },
}
const email = {
  ...{ $id: '7', kind: 'summary', to: 'a…@juntas.test', createdAt: at, failedAt: at, error: 'EENVELOPE 550' },
  ...{ retriable: true, discardable: true },
}
const queues = {
  emails: { waiting: 0, failed: 1, oldestSeconds: 0, sentToday: 0, sentThisWeek: 0 },
  ...{ images: 0, liveBehind: 0, notificationsBehind: 0 },
  deletions: { waiting: 0, erasing: 0 },
  exports: { gathering: 0, failed: 0 },
}

function answerScreens() {
  answerAccountSettings()
  api.answer(getCommunityOperation, makeCommunity())
  api.answer(getCommunitySettingsOperation, settings)
  api.answer(getCommunityIdentityOperation, identity)
  api.answer(listApplicationsOperation, { documents: [application], total: 1, next: null })
  api.answer(listInvitationsOperation, { documents: [], canInvite: true })
  api.answer(getInstanceQueuesOperation, queues)
  api.answer(listUndeliveredEmailsOperation, { documents: [email], mail: true })
  keepUploads()
}

type Change = {
  title: string
  path: string
  operation: Operation
  answer?: unknown
  act: () => Promise<void>
}

const changes: Change[] = [
  {
    title: 'approves an application',
    path: '/admin/applications',
    operation: approveApplicationOperation,
    act: async () => {
      await press('Approve Eva')
      await confirm('Approve')
    },
  },
  {
    title: 'declines an application',
    path: '/admin/applications',
    operation: declineApplicationOperation,
    act: async () => {
      await press('Decline Eva')
      await confirm('Decline')
    },
  },
  {
    title: 'saves the settings',
    path: '/admin/community',
    operation: updateCommunityOperation,
    answer: settings,
    act: () => press('Save'),
  },
  {
    title: 'saves the announcement',
    path: '/admin/appearance',
    operation: updateCommunityIdentityOperation,
    answer: identity,
    act: async () => {
      await main.getByLabelText('Announcement').fill('El sábado nos vemos')
      await press('Save')
    },
  },
  {
    title: 'changes the logo',
    path: '/admin/appearance',
    operation: setCommunityLogoOperation,
    answer: identity,
    act: async () => {
      const field = main.getByLabelText('Logo', { exact: true })
      await expect.element(field).toBeInTheDocument()
      chooseFiles(field, await createPicture({ type: 'image/png' }))
    },
  },
  {
    title: 'removes the logo',
    path: '/admin/appearance',
    operation: removeCommunityLogoOperation,
    answer: { ...identity, logo: null },
    act: () => press('Remove logo'),
  },
  {
    title: 'creates a reusable link',
    path: '/settings/invitations',
    operation: createInvitationOperation,
    answer: invitation,
    act: () => press('New reusable link'),
  },
  {
    title: 'sends an email again',
    path: '/admin/emails',
    operation: retryEmailOperation,
    act: () => press('Send to a…@juntas.test again'),
  },
  {
    title: 'discards an email',
    path: '/admin/emails',
    operation: discardEmailOperation,
    act: async () => {
      await press('Discard the email to a…@juntas.test')
      await confirm('Discard')
    },
  },
  {
    title: 'sends a test email',
    path: '/admin/emails',
    operation: sendTestEmailOperation,
    answer: { to: 'olga@juntas.test', accepted: true, answer: '250 OK' },
    act: () => press('Send a test email'),
  },
]

const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })

test.each(changes)('olga re-authenticates, and then $title', async ({ path, operation, answer, act }) => {
  answerScreens()
  let accepted = 0
  requireReauthentication(operation, () => {
    accepted += 1
    return answer
  })
  await openApp(path, { me: { operates: true, invites: true } })
  await act()
  await expect.element(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => dialog.elements()).toEqual([])
  expect(main.getByRole('alert').elements()).toEqual([])
  await act()
  await dialog.getByLabelText('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect.poll(() => accepted).toBe(1)
  await expect.poll(() => dialog.elements()).toEqual([])
  // The dialog lies outside the forms, so its own form submits nothing else.
  expect(api.callsOf(operation)).toHaveLength(3)
})

test('with two-step verification, olga gives a code before she saves the settings', async () => {
  answerScreens()
  answerAccountSettings({ twoSteps: { on: true, since: at, recoveryCodesLeft: 8 } })
  api.refuse(updateCommunityOperation, 'user_challenge_required')
  api.answer(reauthenticateOperation, ({ code }) => {
    expect(code).toBe('123456')
    api.answer(updateCommunityOperation, settings)
  })
  await openApp('/admin/community', { me: { operates: true } })
  await press('Save')
  await dialog.getByLabelText('Code').fill('123456')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect.poll(() => api.callsOf(updateCommunityOperation)).toHaveLength(2)
})
