import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { listSecurityEventsOperation, type SecurityEventKind } from '#contract/account/account-settings.ts'
import { answerAccountSettings } from '#tests/support/component/account-settings.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'

const main = page.getByRole('main')
const events: SecurityEventKind[] = [
  'verification.update',
  'verification.create',
  'session.create',
  'user.create',
]
const shownEvents = [
  'Confirmed by a link or code',
  'Asked for a confirmation link',
  'Signed in',
  'Your account was created',
]

test('SESS-09 hana reads the three newest events in Security, and all events on a separate page', async () => {
  answerAccountSettings()
  const client = { browser: 'Chrome', system: 'Linux', kind: 'computer' as const, country: null }
  api.answer(listSecurityEventsOperation, {
    documents: events.map((event) => ({ event, at: new Date().toISOString(), ...client })),
    next: null,
  })
  await openApp('/settings/security')
  const box = main.getByRole('region', { name: 'Security log' })
  const shown = (inside: typeof main) => () =>
    shownEvents
      .flatMap((text) => inside.getByText(text, { exact: true }).elements())
      .sort((one, other) => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))
      .map((element) => element.textContent)
  await expect.poll(shown(box)).toEqual(shownEvents.slice(0, 3))
  await box.getByRole('link', { name: 'See everything' }).click()
  await expect.element(main.getByRole('heading', { level: 1 })).toHaveTextContent('Security log')
  await expect.poll(shown(main)).toEqual(shownEvents)
})
