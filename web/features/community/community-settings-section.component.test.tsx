import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { type CommunitySettings, getCommunitySettingsOperation } from '#contract/community/community.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'

const settings: CommunitySettings = {
  name: 'Juntas',
  registration: 'open',
  rules: [],
  rulesVersion: 0,
  rulesChangedAt: null,
  contact: null,
  applicationQuestion: null,
  fixed: ['registration'],
}

test('INV-09 a server setting locks who can join the community', async () => {
  api.answer(getCommunitySettingsOperation, settings)
  await openApp('/admin/community', { me: { operates: true } })
  await expect.element(page.getByText('Set in the server’s configuration')).toBeVisible()
  await expect.poll(() => page.getByText('Set in the server’s configuration').elements()).toHaveLength(1)
  const open = page.getByRole('radio', { name: 'Open' })
  await expect.element(open).toBeChecked()
  await expect.element(open).toBeDisabled()
  await expect.element(page.getByLabelText('Contact')).toBeEnabled()
})
