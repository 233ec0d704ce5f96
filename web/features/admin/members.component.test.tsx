import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { reauthenticateOperation } from '#contract/account/account-settings.ts'
import {
  type AdminMember,
  createRecoveryLinkOperation,
  getAdminMemberOperation,
  listAdminMembersOperation,
  setModeratorOperation,
  suspendMemberOperation,
} from '#contract/admin/members.ts'
import { answerAccountSettings } from '#tests/support/component/account-settings.ts'
import { api, openApp, phone } from '#tests/support/component/open-app.tsx'

const main = page.getByRole('main')
const operator = { me: { operates: true as const } }
const link = 'https://juntas.test/recovery/new?userId=a&secret=b'

const member: AdminMember = {
  $id: 'bea',
  name: 'Bea Ruiz',
  username: 'bea',
  email: 'b…@juntas.test',
  emailVerified: true,
  joinedOn: '2026-11-01',
  activeOn: '2026-11-29',
  state: 'open',
  moderates: false,
  operates: false,
  suspension: null,
  proposed: false,
  storage: [{ purpose: 'post', files: 3, bytes: 4_200_000 }],
  signInMethods: { password: true, passkeys: 1, twoSteps: true, phone: false, providers: ['google'] },
  sessions: 2,
  can: { moderate: true, suspend: true, suspendAlone: true, reopen: false, recover: true, signOut: true },
}

async function openMember(shown: Partial<AdminMember> = {}) {
  answerAccountSettings()
  api.answer(getAdminMemberOperation, { ...member, ...shown })
  await openApp('/admin/members/bea', operator)
  await expect.element(main.getByText('@bea')).toBeVisible()
}

test('ADM-03 olga searches and filters members', async () => {
  api.answer(listAdminMembersOperation, ({ term, filter }) => ({
    documents:
      filter === 'suspended'
        ? []
        : term === 'bea'
          ? [member]
          : [member, { ...member, $id: 'eva', name: 'Eva', moderates: true }],
    next: null,
  }))
  await openApp('/admin/members', { ...operator, size: phone })
  await expect.element(main.getByRole('link', { name: 'Eva' })).toBeVisible()
  await expect.element(main.getByText('Moderator', { exact: true })).toBeVisible()
  await main.getByRole('searchbox').fill('bea')
  await expect.element(main.getByRole('link', { name: 'Eva' })).not.toBeInTheDocument()
  await expect
    .element(main.getByRole('link', { name: 'Bea Ruiz' }))
    .toHaveAttribute('href', '/admin/members/bea')
  await main.getByRole('combobox', { name: 'Show' }).selectOptions('Suspended')
  await expect.element(main.getByText('Nobody found.')).toBeVisible()
})

test('ADM-03 the list of members shows that it is loading, and can be retried', async () => {
  const { release } = api.hold(listAdminMembersOperation)
  await openApp('/admin/members', { ...operator, waits: false })
  await expect.poll(() => main.element().querySelectorAll('[aria-busy=true]').length).toBeGreaterThan(0)
  api.refuse(listAdminMembersOperation, 'general_argument_invalid')
  release()
  await expect.element(main.getByRole('alert').first()).toMatchTextContent('We couldn’t load this.')
  api.answer(listAdminMembersOperation, { documents: [member], next: null })
  await main.getByRole('button', { name: 'Try again' }).first().click()
  await expect.element(main.getByRole('link', { name: 'Bea Ruiz' })).toBeVisible()
})

test('ADM-04 a member’s page shows her state, sign-in methods and storage', async () => {
  await openMember({
    state: 'suspended',
    suspension: { reason: 'Amenazas', since: '2026-11-28T10:00:00.000Z', until: null },
  })
  for (const text of [
    'b…@juntas.test',
    'Joined 1 November 2026',
    'Last active 29 November 2026',
    'password, 1 passkey, two-step verification, google',
    'Suspended for good: “Amenazas”',
  ])
    await expect.element(main.getByText(text)).toBeVisible()
  await expect.element(main.getByText(/^Posts: 3 \(4\.2 MB\)$/)).toBeVisible()
})

test('ADM-04 the page of an unknown member says that the account does not exist', async () => {
  api.refuse(getAdminMemberOperation, 'user_not_found')
  answerAccountSettings()
  await openApp('/admin/members/nobody', operator)
  await expect.element(main.getByText('This account does not exist.')).toBeVisible()
})

test('ADM-05 creating a recovery link requires re-authentication, and shows the link once', async () => {
  await openMember()
  api.refuse(createRecoveryLinkOperation, 'user_challenge_required')
  api.answer(reauthenticateOperation, () => {
    api.answer(createRecoveryLinkOperation, { link })
  })
  await main.getByRole('button', { name: 'Create a link' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Create link' }).click()
  const reauthentication = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await reauthentication.getByLabelText('Password', { exact: true }).fill('una clave larga')
  await reauthentication.getByRole('button', { name: 'Continue' }).click()
  await expect.element(main.getByLabelText(/^Give her this link yourself/)).toHaveValue(link)
})

test('ADM-05 olga suspends bea with a reason; a refused suspension keeps the text', async () => {
  await openMember()
  await main.getByRole('button', { name: 'Suspend', exact: true }).click()
  const reason = main.getByLabelText('Reason, as she will read it')
  await reason.fill('Amenazas')
  api.refuse(suspendMemberOperation, 'admin_account_suspended')
  const submit = main.getByRole('button', { name: 'Suspend', exact: true }).last()
  await submit.click()
  await expect.element(main.getByRole('alert')).toHaveTextContent('This account is already suspended.')
  await expect.element(reason).toHaveValue('Amenazas')
  api.answer(suspendMemberOperation, ({ text, days }) => {
    expect({ text, days }).toEqual({ text: 'Amenazas', days: 7 })
    return member
  })
  await submit.click()
  await expect.element(reason).not.toBeInTheDocument()
})

test('ADM-05 an operator can only propose to suspend a moderator, and can remove her as a moderator', async () => {
  await openMember({ moderates: true, can: { ...member.can, suspendAlone: false } })
  await expect.element(main.getByRole('button', { name: 'Propose', exact: true })).toBeVisible()
  api.answer(setModeratorOperation, { ...member, moderates: false })
  await main.getByRole('button', { name: 'Remove' }).click()
  const question = page.getByRole('alertdialog')
  await expect.element(question).toMatchTextContent('Remove Bea Ruiz as a moderator?')
  api.answer(getAdminMemberOperation, member)
  await question.getByRole('button', { name: 'Remove' }).click()
  await expect.element(main.getByRole('button', { name: 'Make moderator' })).toBeVisible()
})

test.each([
  [
    'a moderator cannot get a recovery link in the app',
    { moderates: true, can: { ...member.can, recover: false } },
    'She is a moderator or operator: npm run account -- recover on the server creates a link.',
  ],
  [
    'a member without an email address cannot get a recovery link',
    { email: null, can: { ...member.can, recover: false } },
    'Her account has no email address.',
  ],
  [
    'a suspension that two people decided does not end in the app',
    { state: 'suspended', can: { ...member.can, recover: false, suspend: false, reopen: false } },
    'Two people decided it: a review ends it, or npm run account -- reopen on the server.',
  ],
  [
    'olga cannot suspend a member whom she reported',
    { can: { ...member.can, suspend: false } },
    'Another person decides: this is your own account, or you reported or blocked her.',
  ],
] as const)('ADM-14 the page says why %s', async (_, shown, reason) => {
  await openMember(shown)
  await expect.element(main.getByText(reason)).toBeVisible()
})
