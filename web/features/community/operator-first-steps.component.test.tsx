import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { sendTestEmailOperation } from '#contract/admin/instance.ts'
import { getFirstStepsOperation } from '#contract/community/first-steps.ts'
import { listPeopleOperation } from '#contract/people/people.ts'
import { getHomeFeedOperation } from '#contract/posts/posts.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'

const steps = page.getByRole('region', { name: 'Next steps' })
const emailStep = steps.getByRole('listitem').filter({ hasText: 'Test email' })

beforeEach(() => {
  api.answer(getHomeFeedOperation, { documents: [], next: null })
  api.answer(listPeopleOperation, { documents: [], next: null })
  api.answer(getFirstStepsOperation, { hidden: false, invited: true, hasModerator: true, email: 'untested' })
})

async function sendTestEmail(accepted: boolean, answer: string): Promise<void> {
  api.answer(sendTestEmailOperation, { to: 'ana@juntas.test', accepted, answer })
  await openApp('/', { me: { operates: true } })
  await emailStep.getByRole('button', { name: 'Test email' }).click()
  await expect.element(emailStep.getByText(answer)).toBeVisible()
}

test('INV-14 the email step sends an email on Home, and then leads to the confirmation of the address', async () => {
  await sendTestEmail(true, '250 2.0.0 Ok: queued')
  await expect.element(emailStep.getByText('Accepted for ana@juntas.test')).toBeVisible()
  await expect
    .element(emailStep.getByRole('link', { name: 'Confirm your email' }))
    .toHaveAttribute('href', '/settings/account')
})

test('INV-14 the email step shows the refusal of the mail server', async () => {
  await sendTestEmail(false, '550 5.7.1 Relaying denied')
  await expect.element(emailStep.getByText('Refused for ana@juntas.test')).toBeVisible()
  expect(emailStep.getByRole('link').elements()).toEqual([])
})
