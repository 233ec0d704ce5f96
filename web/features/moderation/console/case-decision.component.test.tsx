import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { reauthenticateOperation } from '#contract/account/account-settings.ts'
import {
  claimCaseOperation,
  confirmSuspensionOperation,
  decideCaseOperation,
  declineSuspensionOperation,
  getCaseOperation,
  listCasesOperation,
  type ModerationCase,
  unlockModerationOperation,
} from '#contract/moderation/cases.ts'
import {
  answerAccountSettings,
  password,
  reauthenticationDialog,
} from '#tests/support/component/account-settings.ts'
import { refusal } from '#tests/support/component/fake-api.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'

const main = page.getByRole('main')
const panel = main.getByRole('region', { name: 'Decide' })
const proposed = main.getByRole('region', { name: 'Proposed suspension' })
const confirm = main.getByRole('button', { name: 'Confirm suspension' })

const about = { $id: 'eva', name: 'Eva', username: 'eva' }
const open: ModerationCase = {
  ...{ $id: 'case', $createdAt: '2026-11-20T10:00:00.000Z', kind: 'member', severity: 3, reportCount: 1 },
  ...{ status: 'open', claimed: null, decision: null, reason: 'threat', about, excerpt: null, group: null },
  ...{ furtherMessages: 0, deletedAt: null, claimedUntil: null, reports: [], review: null, text: null },
  ...{ earlier: [], log: [], proposal: null, can: { suspendAlone: false } },
}
const proposal = {
  ...{ $id: 'proposal', days: 7, text: 'Amenazas', proposedAt: new Date().toISOString() },
  ...{ by: 'other' as const, can: { confirm: true } },
}
const mine = { claimed: 'me' as const, claimedUntil: new Date(Date.now() + 1_200_000).toISOString() }
const serve = (shown: ModerationCase) => api.answer(getCaseOperation, shown)
const path = '/moderation/case'

beforeEach(() => serve(open))

test('MOD-23 mo proposes to suspend a moderator, and reads that another moderator has to confirm', async () => {
  serve({ ...open, ...mine })
  await openApp(path)
  const suspend = panel.getByRole('radio', { name: /^Suspend/ })
  await expect.element(panel).toMatchTextContent('another moderator has to confirm it')
  await suspend.click()
  await panel.getByRole('textbox', { name: 'Reason, as she will read it' }).fill('Amenazas')
  const own = { ...proposal, by: 'me' as const, can: { confirm: false } }
  api.answer(decideCaseOperation, { ...open, proposal: own })
  await panel.getByRole('button', { name: 'Propose suspension' }).click()
  await expect.element(proposed).toMatchTextContent('Proposed suspension for 7 days')
  await expect.element(proposed).toMatchTextContent('You proposed it just now')
  await expect.element(proposed).toMatchTextContent('It takes effect when another moderator confirms it.')
  await expect.element(confirm).not.toBeInTheDocument()
  await expect
    .poll(() => api.callsOf(decideCaseOperation))
    .toMatchObject([{ caseId: 'case', decision: 'suspend', text: 'Amenazas', days: 7 }])
})

test('MOD-23 mia claims a case, reads the proposed suspension and confirms it', async () => {
  serve({ ...open, proposal })
  await openApp(path)
  await expect.element(proposed).toMatchTextContent('Another moderator proposed it just now')
  await expect.element(proposed).toMatchTextContent('Amenazas')
  await expect.element(proposed).toMatchTextContent('Claim the case to confirm it.')
  api.answer(claimCaseOperation, { ...open, ...mine, proposal })
  await panel.getByRole('button', { name: 'Claim' }).click()
  api.answer(confirmSuspensionOperation, {
    ...open,
    ...{ status: 'decided', decision: 'suspend', text: 'Amenazas' },
  })
  await confirm.click()
  await expect.element(main.getByRole('heading', { name: 'Decided: Suspended' })).toBeVisible()
  await expect
    .poll(() => api.callsOf(confirmSuspensionOperation))
    .toMatchObject([{ caseId: 'case', proposalId: 'proposal' }])
})

test('MOD-23 mia reads why her confirmation was refused', async () => {
  serve({ ...open, ...mine, proposal })
  await openApp(path)
  api.refuse(confirmSuspensionOperation, 'suspension_not_proposed')
  await confirm.click()
  await expect.element(panel.getByRole('alert')).toMatchTextContent('La propuesta cambió: mírala otra vez')
})

test('MOD-23 the queue shows which case is waiting for a second moderator', async () => {
  api.answer(listCasesOperation, {
    documents: [{ ...open, proposal }],
    counts: { open: 1, reviews: 0 },
    until: new Date(Date.now() + 1_200_000).toISOString(),
    next: null,
  })
  await openApp('/moderation')
  await expect
    .element(main.getByRole('listitem').filter({ hasText: 'Member @eva' }))
    .toMatchTextContent('Waiting for a second moderator')
})

test('MOD-03 mia, who has two-step verification, unlocks moderation with her password and a code', async () => {
  answerAccountSettings({ twoSteps: { on: true, since: null, recoveryCodesLeft: 8 } })
  let stage: 'locked' | 'proven' | 'unlocked' = 'locked'
  api.answer(listCasesOperation, () =>
    stage === 'unlocked'
      ? {
          documents: [open],
          counts: { open: 1, reviews: 0 },
          until: new Date(Date.now() + 1_800_000).toISOString(),
          next: null,
        }
      : refusal('moderation_password_required'),
  )
  api.answer(unlockModerationOperation, () => {
    if (stage === 'locked') return refusal('user_challenge_required')
    stage = 'unlocked'
    return { until: new Date(Date.now() + 1_800_000).toISOString() }
  })
  api.answer(reauthenticateOperation, () => {
    stage = 'proven'
    return undefined
  })
  await openApp('/moderation')
  await main.getByLabelText('Password', { exact: true }).fill(password)
  await main.getByRole('button', { name: 'Enter' }).click()
  await reauthenticationDialog.getByLabelText('Code').fill('123456')
  await reauthenticationDialog.getByRole('button', { name: 'Continue' }).click()
  await expect.element(main.getByRole('listitem').filter({ hasText: 'Member @eva' })).toBeVisible()
  expect(api.callsOf(reauthenticateOperation)).toEqual([{ code: '123456' }])
  expect(api.callsOf(unlockModerationOperation)).toEqual([{ password }, { password }])
})

test('MOD-25 mia declines a proposed suspension, and the case stays open', async () => {
  serve({ ...open, ...mine, proposal })
  await openApp(path)
  api.answer(declineSuspensionOperation, { ...open, ...mine })
  await proposed.getByRole('button', { name: 'Decline' }).click()
  await expect.element(proposed).not.toBeInTheDocument()
  await expect.element(panel.getByRole('button', { name: 'Release' })).toBeVisible()
  await expect
    .poll(() => api.callsOf(declineSuspensionOperation))
    .toMatchObject([{ caseId: 'case', proposalId: 'proposal' }])
})
