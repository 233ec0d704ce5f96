import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  cancelEmailChangeOperation,
  changePasswordOperation,
  changeUsernameOperation,
  closeAccountOperation,
  requestEmailChangeOperation,
  requestEmailConfirmationOperation,
} from '#contract/account/account-settings.ts'
import { getDeletionPlanOperation } from '#contract/deletion/deletion.ts'
import { answerAccountSettings, password } from '#tests/support/component/account-settings.ts'
import { refusal } from '#tests/support/component/fake-api.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'
import { toasts } from '#tests/support/component/post-form.ts'
import { announceAccountChange } from '#web/features/account/account-change-broadcast.ts'

const main = page.getByRole('main')
const passwordForm = page.getByRole('region', { name: 'Change your password' })
const emailForm = page.getByRole('region', { name: 'Change your email' })
const notice = main.getByText('Confirm your email', { exact: true })

test('SET-07 SET-08 bea changes her username, at most once in two weeks', async () => {
  const settings = answerAccountSettings()
  const { me } = await openApp('/settings/profile')
  const form = page.getByRole('region', { name: 'Username' })
  const field = form.getByLabelText('Username', { exact: true })
  const button = form.getByRole('button', { name: 'Change username' })
  await expect.element(field).toHaveValue(me.username)
  await expect.element(button).toBeDisabled()
  api.answer(changeUsernameOperation, ({ username }) => {
    settings.usernameFixedUntil = '2026-12-13T10:00:00.000Z'
    return { username }
  })
  const next = `${me.username}.luz`
  await field.fill(next)
  await button.click()
  await expect.element(toasts).toMatchTextContent(`Your username is now @${next}`)
  expect(
    main
      .getByRole('paragraph')
      .elements()
      .map((each) => each.textContent),
  ).toContain(`@${next}`)
  await expect.element(button).toBeDisabled()
  api.refuse(changeUsernameOperation, 'username_too_soon')
  await field.fill(`${me.username}.mar`)
  await button.click()
  await expect.element(form.getByText(/^You can change it again on /)).toMatchTextContent('13')
})

test('SET-10 bea changes her password, and each refusal is shown at its field', async () => {
  answerAccountSettings()
  api.answer(changePasswordOperation, (given) => {
    if (given.currentPassword !== password) return refusal('user_invalid_credentials')
    if (given.password === 'password1') return refusal('password_too_common', { field: 'password' })
    return undefined
  })
  await openApp('/settings/account')
  await main.getByRole('button', { name: 'Change password' }).click()
  const change = async (present: string, next: string) => {
    await passwordForm.getByLabelText('Current password').fill(present)
    await passwordForm.getByLabelText('New password').fill(next)
    await passwordForm.getByRole('button', { name: 'Change password' }).click()
  }
  await change('no es la mía', 'tres palabras sueltas')
  await expect
    .element(passwordForm.getByLabelText('Current password'))
    .toHaveAccessibleDescription('That is not your password.')
  await change(password, 'password1')
  await expect
    .element(passwordForm.getByLabelText('New password'))
    .toHaveAccessibleDescription(/Many people use this password\. Choose another\./)
  await change(password, 'tres palabras sueltas')
  await expect
    .element(toasts.getByText('Your password was changed. Other devices were logged out.'))
    .toBeVisible()
  await expect.element(passwordForm).not.toBeInTheDocument()
})

test('VER-01 VER-03 carla is asked to confirm her email address until she confirms, even in another tab', async () => {
  const settings = answerAccountSettings()
  api.answer(requestEmailConfirmationOperation, undefined)
  await openApp('/settings/account')
  await expect.element(notice).toBeVisible()
  await main.getByRole('button', { name: 'Send the link' }).click()
  await expect.element(main.getByText('We sent a link to ana@juntas.test.')).toBeVisible()
  settings.emailVerified = true
  announceAccountChange()
  await expect.element(notice).not.toBeInTheDocument()
  await expect.element(main.getByText('Confirmed', { exact: true })).toBeVisible()
})

test('VER-04 dora requests a new email address with her password, resends the link and cancels the change', async () => {
  const settings = answerAccountSettings({ emailVerified: true })
  const email = 'otra@juntas.test'
  api.answer(requestEmailChangeOperation, (given) => {
    if (settings.pendingEmail === null && given.password !== password)
      return refusal('user_invalid_credentials')
    settings.pendingEmail = given.email
    return { email: 'ana@juntas.test', pendingEmail: given.email }
  })
  api.answer(cancelEmailChangeOperation, () => {
    settings.pendingEmail = null
  })
  await openApp('/settings/account')
  await main.getByRole('button', { name: 'Change email' }).click()
  const ask = async (given: string) => {
    await emailForm.getByLabelText('Password', { exact: true }).fill(given)
    await emailForm.getByRole('button', { name: 'Send the link' }).click()
  }
  await emailForm.getByLabelText('New email').fill(email)
  await ask('no es la mía')
  await expect.element(emailForm.getByText('That is not your password.')).toBeVisible()
  await ask(password)
  const waits = main.getByText(`Confirm ${email}.`)
  await expect.element(waits).toBeVisible()
  await expect.element(main.getByText(/sign in with ana@juntas\.test/)).toBeVisible()
  await main.getByRole('button', { name: 'Send again' }).click()
  await expect.element(toasts.getByText(`We sent a link to ${email}.`)).toBeVisible()
  await expect.poll(() => api.callsOf(requestEmailChangeOperation).at(-1)).toEqual({ email })
  await main.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(waits).not.toBeInTheDocument()
})

test('ana reads that she cannot change a confirmed email address while no email is sent', async () => {
  answerAccountSettings({ emailVerified: true, mail: false })
  await openApp('/settings/account')
  await main.getByRole('button', { name: 'Change email' }).click()
  await expect
    .element(emailForm)
    .toMatchTextContent('can only be changed by email, and this community sends none.')
  expect(emailForm.getByRole('button').elements()).toEqual([])
})

test('closing the account for a while asks first, and Cancel keeps it open', async () => {
  answerAccountSettings()
  api.answer(getDeletionPlanOperation, {
    eraseAfter: '2026-12-13T10:00:00.000Z',
    counts: { posts: 0, photos: 0, likes: 0, saves: 0, comments: 0, messages: 0 },
    groups: [],
    asksForPassword: true,
    asksForCode: false,
  })
  await openApp('/settings/account')
  await main.getByRole('button', { name: 'Close for a while' }).click()
  const question = page.getByRole('alertdialog', { name: 'Close your account for a while?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(question).not.toBeInTheDocument()
  expect(api.callsOf(closeAccountOperation)).toEqual([])
})
