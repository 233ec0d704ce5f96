import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  listOperatorActsOperation,
  listPublicOperatorActsOperation,
  type OperatorActEntry,
} from '#contract/admin/operator-acts.ts'
import {
  confirmSuspensionProposalOperation,
  listSuspensionProposalsOperation,
  type SuspensionProposal,
} from '#contract/admin/suspension-proposals.ts'
import { getCommunitySettingsOperation } from '#contract/community/community.ts'
import { answerAccountSettings } from '#tests/support/component/account-settings.ts'
import { newId } from '#tests/support/component/fixtures.ts'
import { api, openApp, phone } from '#tests/support/component/open-app.tsx'

const main = page.getByRole('main')
const title = main.getByRole('heading', { level: 1 })
const sections = page.getByRole('navigation', { name: 'Administration' })
const sidebar = page.getByRole('complementary', { name: 'Sidebar' })

const operator = { me: { operates: true as const } }
const act = (entry: Partial<OperatorActEntry>): OperatorActEntry => ({
  $id: newId('act'),
  at: '2026-11-29T10:00:00.000Z',
  act: 'member.recover',
  by: null,
  systemUser: null,
  about: null,
  detail: {},
  ...entry,
})

const answerCommunity = () =>
  api.answer(getCommunitySettingsOperation, {
    name: 'Barro',
    registration: 'open',
    rules: [],
    rulesVersion: 0,
    rulesChangedAt: null,
    contact: null,
    applicationQuestion: null,
    fixed: [],
  })

test('ADM-01 olga opens administration from the sidebar and finds every section', async () => {
  answerAccountSettings()
  answerCommunity()
  await openApp('/settings', operator)
  await sidebar.getByRole('link', { name: 'Administration' }).click()
  await expect.element(title).toHaveTextContent('Administration')
  const introduction = main.getByText(/^You run this community/)
  await expect.element(introduction).toBeVisible()
  const boxOf = (locator: typeof introduction) => locator.element().getBoundingClientRect()
  expect(boxOf(sections).right).toBeLessThan(boxOf(introduction).left)
  expect(boxOf(introduction).top).toBeLessThan(boxOf(sections).top)
  await sections.getByRole('link', { name: 'Community' }).click()
  await expect.element(title).toHaveTextContent('Community')
  await expect.element(main.getByLabelText('Name')).toHaveValue('Barro')
  await expect
    .element(sections.getByRole('link', { name: 'Community' }))
    .toHaveAttribute('aria-current', 'page')
})

test('ADM-01 on a phone the settings link to administration, whose sections are a list', async () => {
  answerAccountSettings()
  answerCommunity()
  await openApp('/settings', { ...operator, size: phone })
  await main.getByRole('link', { name: 'Administration' }).click()
  await sections.getByRole('link', { name: 'Community' }).click()
  await expect.element(title).toHaveTextContent('Community')
  await main.getByRole('link', { name: 'Administration' }).click()
  await expect.poll(() => location.pathname).toBe('/admin')
})

test('ADM-01 the old path of the community’s settings redirects to the new path', async () => {
  answerCommunity()
  await openApp('/settings/community', operator)
  await expect.element(title).toHaveTextContent('Community')
  expect(location.pathname).toBe('/admin/community')
})

for (const path of ['/admin', '/admin/community', '/admin/log', '/settings/community'])
  test(`ADM-02 ${path} is not found for ana, a moderator`, async () => {
    answerAccountSettings()
    await openApp(path, { me: { moderates: true } })
    await expect.element(page.getByText('404 Not Found')).toBeVisible()
    expect(sidebar.getByRole('link', { name: 'Administration' }).elements()).toEqual([])
  })

test('ADM-06 the operator log shows each action, its operator, the member and the time', async () => {
  const person = { $id: newId('person'), name: 'Ana', username: 'ana' }
  api.answer(listOperatorActsOperation, {
    documents: [
      act({
        act: 'member.suspend',
        systemUser: 'maria',
        about: person,
        detail: { text: 'Amenazas', days: 1 },
      }),
      act({ act: 'registration.update', by: { ...person, username: 'olga' }, detail: { to: 'invite' } }),
      act({ act: 'something.new' }),
    ],
    next: null,
  })
  await openApp('/admin/log', operator)
  const rows = main.getByRole('list', { name: 'Operator log' }).getByRole('listitem')
  await expect
    .element(rows.nth(0))
    .toMatchTextContent('Suspended a member@ana · 1 day“Amenazas”Command, run by maria')
  await expect.element(rows.nth(1)).toMatchTextContent('Changed who can joinby invitation@olga')
  await expect.element(rows.nth(2)).toMatchTextContent('Did something elseDeleted account')
})

test('ADM-06 the operator log shows when it is loading or empty, and can be retried', async () => {
  const { release } = api.hold(listOperatorActsOperation)
  await openApp('/admin/log', { ...operator, waits: false })
  await expect.poll(() => main.element().querySelectorAll('[aria-busy=true]').length).toBeGreaterThan(0)
  api.refuse(listOperatorActsOperation, 'general_argument_invalid')
  release()
  await expect.element(main.getByRole('alert').first()).toMatchTextContent('We couldn’t load this.')
  api.answer(listOperatorActsOperation, { documents: [], next: null })
  await main.getByRole('button', { name: 'Try again' }).first().click()
  await expect.element(main.getByText('Nothing yet.')).toBeVisible()
})

const proposal: SuspensionProposal = {
  $id: 'proposal',
  about: { $id: 'eva', name: 'Eva', username: 'eva' },
  by: { $id: 'mo', name: 'Mo', username: 'mo' },
  text: 'Amenazas',
  days: 7,
  proposedAt: '2026-11-29T10:00:00.000Z',
  can: { confirm: true },
}

test('ADM-09 olga confirms a proposed suspension, and reads why a second one was refused', async () => {
  answerAccountSettings()
  api.answer(listSuspensionProposalsOperation, { documents: [proposal] })
  await openApp('/admin/suspensions', operator)
  const row = main.getByRole('list', { name: 'Proposed suspensions' }).getByRole('listitem')
  await expect.element(row).toMatchTextContent('Eva @eva7 days · proposed by @mo')
  api.refuse(confirmSuspensionProposalOperation, 'suspension_not_proposed')
  await row.getByRole('button', { name: 'Confirm suspension' }).click()
  await expect.element(row.getByRole('alert')).toMatchTextContent('La propuesta cambió: mírala otra vez')
  api.answer(confirmSuspensionProposalOperation, undefined)
  api.answer(listSuspensionProposalsOperation, { documents: [] })
  await row.getByRole('button', { name: 'Confirm suspension' }).click()
  await expect.element(main.getByText('No proposals waiting.')).toBeVisible()
})

test('ADM-09 olga can withdraw her own proposal but not confirm it', async () => {
  answerAccountSettings()
  api.answer(listSuspensionProposalsOperation, { documents: [{ ...proposal, can: { confirm: false } }] })
  await openApp('/admin/suspensions', operator)
  await expect.element(main.getByRole('button', { name: 'Withdraw' })).toBeVisible()
  expect(main.getByRole('button', { name: 'Confirm suspension' }).elements()).toEqual([])
})

test('ADM-07 ana reads what operators have done and on which day', async () => {
  api.answer(listPublicOperatorActsOperation, {
    documents: [{ $id: 'act', act: 'member.suspend', day: '2026-11-29' }],
    next: null,
  })
  await openApp('/operators')
  await expect.element(title).toHaveTextContent('What operators have done')
  const rows = main.getByRole('list', { name: 'What operators have done' }).getByRole('listitem')
  await expect.element(rows).toHaveTextContent('Suspended a member29 November 2026')
})

test('ADM-07 the public record of operators shows when it is empty, and can be retried', async () => {
  api.refuse(listPublicOperatorActsOperation, 'general_argument_invalid')
  await openApp('/operators')
  await expect.element(main.getByRole('alert').first()).toMatchTextContent('We couldn’t load this.')
  api.answer(listPublicOperatorActsOperation, { documents: [], next: null })
  await main.getByRole('button', { name: 'Try again' }).first().click()
  await expect.element(main.getByText('No operator actions yet.')).toBeVisible()
})
