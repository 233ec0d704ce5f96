import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  type AccountExport,
  type AccountExports,
  createExportDownloadLinkOperation,
  discardExportOperation,
  getExportOperation,
  requestExportOperation,
} from '#contract/data-export/account-export.ts'
import { getDeletionOperation } from '#contract/deletion/deletion.ts'
import {
  answerAccountSettings,
  password,
  reauthenticationDialog,
  reauthenticationField,
  requireReauthentication,
} from '#tests/support/component/account-settings.ts'
import { refusal } from '#tests/support/component/fake-api.ts'
import { newId } from '#tests/support/component/fixtures.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'

const copy = page.getByRole('region', { name: 'Download your data' })
const gathering = page.getByRole('region', { name: 'Preparing your download' })
const ready = copy.getByText('Ready.')
const download = copy.getByRole('button', { name: /^Download/ })
const prepare = copy.getByRole('button', { name: 'Prepare a download' })
const tomorrow = 'You can prepare another download tomorrow.'

const makeExport = (given: Partial<AccountExport> = {}): AccountExport => ({
  $id: newId('export'),
  state: 'ready',
  askedAt: new Date().toISOString(),
  step: null,
  photosRead: 1,
  photos: 1,
  secondsLeft: null,
  bytes: 2_000_000,
  diesAt: '2026-12-13T10:00:00.000Z',
  outdated: false,
  ...given,
})

/** A requested export is ready immediately. @returns the exports on the server */
async function openCopy(found: AccountExport | null): Promise<AccountExports> {
  const kept: AccountExports = { export: found, earlier: [] }
  answerAccountSettings()
  api.answer(getExportOperation, () => ({ ...kept }))
  api.answer(requestExportOperation, () => {
    kept.export = makeExport()
    return { ...kept }
  })
  api.answer(discardExportOperation, () => {
    kept.export = null
  })
  await openApp('/settings/data')
  return kept
}

test('EXPT-01 a download in preparation shows its progress', async () => {
  await openCopy(
    makeExport({ state: 'gathering', step: 'photos', photosRead: 3, photos: 10, secondsLeft: 130 }),
  )
  await expect.element(gathering.getByText('3 of 10 photos')).toBeVisible()
  await expect.element(gathering.getByText('About 2 minutes')).toBeVisible()
  await expect
    .element(gathering.getByRole('progressbar', { name: 'Your data' }))
    .toHaveAttribute('aria-valuenow', '34')
  await expect.element(copy).not.toBeInTheDocument()
})

test('EXPT-06 a download requires re-authentication, and then starts without another press', async () => {
  await openCopy(makeExport())
  await downloadAfterReauthentication()
})

test('EXPT-06 DEL-06 hana can still download her data while her account is being deleted', async () => {
  await openClosingPage(true)
  await downloadAfterReauthentication()
})

test('EXPT-06 DEL-06 while her account is being deleted, hana re-authenticates by passkey if she has no password', async () => {
  await openClosingPage(false)
  api.refuse(createExportDownloadLinkOperation, 'user_challenge_required')
  await download.click()
  await expect.element(reauthenticationDialog.getByRole('button', { name: 'Use a passkey' })).toBeVisible()
  await expect.element(reauthenticationField).not.toBeInTheDocument()
})

test('EXPT-01 DEL-06 while her account is being deleted, hana reads that she finds the download by signing in', async () => {
  await openClosingPage(true, { state: 'gathering', step: 'photos' })
  await expect.element(gathering).toMatchTextContent('Sign in again later to download the file.')
})

/** The account's settings are not readable then. */
async function openClosingPage(asksForPassword: boolean, given: Partial<AccountExport> = {}): Promise<void> {
  api.answer(getDeletionOperation, {
    ...{ name: 'Hana', username: 'hana', asksForPassword, asksForCode: false },
    ...{ askedAt: '2026-11-29T10:00:00.000Z', eraseAfter: '2026-12-13T10:00:00.000Z' },
  })
  api.answer(getExportOperation, { export: makeExport(given), earlier: [] })
  await openApp('/sign-in/closing', { me: null })
  await page.getByRole('button', { name: 'Descárgalos' }).click()
}

async function downloadAfterReauthentication(): Promise<void> {
  const path = '/v1/me/export/hana/archive?key=geheim'
  requireReauthentication(createExportDownloadLinkOperation, () => ({ path }))
  const begun: string[] = []
  const stop = (event: MouseEvent) => {
    if (!(event.target instanceof HTMLAnchorElement) || !event.target.hasAttribute('download')) return
    event.preventDefault()
    begun.push(event.target.getAttribute('href') ?? '')
  }
  const click = HTMLAnchorElement.prototype.click
  HTMLAnchorElement.prototype.click = function () {
    this.addEventListener('click', stop)
    click.call(this)
  }
  try {
    await download.click()
    await reauthenticationField.fill(password)
    await reauthenticationDialog.getByRole('button', { name: 'Continue' }).click()
    await expect.poll(() => begun).toEqual([path])
  } finally {
    HTMLAnchorElement.prototype.click = click
  }
}

test('EXPT-08 EXPT-10 a download whose data has since been deleted must be prepared again, and a third one must wait until tomorrow', async () => {
  const kept = await openCopy(makeExport())
  await expect.element(ready).toBeVisible()
  api.answer(createExportDownloadLinkOperation, () => {
    kept.export = { ...(kept.export as AccountExport), outdated: true }
    return refusal('export_outdated')
  })
  await download.click()
  await expect
    .element(copy.getByText('Some of this data has since been deleted. Prepare a new download.').first())
    .toBeVisible()
  await prepare.click()
  await expect.element(ready).toBeVisible()
  await copy.getByRole('button', { name: 'Discard it' }).click()
  await expect.element(prepare).toBeVisible()
  api.refuse(requestExportOperation, 'export_too_soon', { message: tomorrow })
  await prepare.click()
  await expect.element(copy.getByText(tomorrow)).toBeVisible()
})

test('EXPT-09 a failed download says so and can be retried', async () => {
  await openCopy(makeExport({ state: 'failed', bytes: null, diesAt: null }))
  await expect.element(copy.getByText('Something went wrong. We have been notified.')).toBeVisible()
  await copy.getByRole('button', { name: 'Try again' }).click()
  await expect.element(ready).toBeVisible()
})

test('EXPT-12 earlier data exports are listed with the browser that downloaded them', async () => {
  const kept = await openCopy(null)
  expect(page.getByText('Earlier downloads').elements()).toEqual([])
  kept.earlier = [
    { askedAt: '2026-11-20T10:00:00.000Z', downloadedWith: { browser: 'Chrome', system: 'Linux' } },
    { askedAt: '2026-10-01T10:00:00.000Z', downloadedWith: null },
  ]
  await prepare.click()
  await expect.element(page.getByText('Earlier downloads')).toBeVisible()
  await expect.element(page.getByText('20 Nov 2026, downloaded from Chrome on Linux')).toBeVisible()
  await expect.element(page.getByText('1 Oct 2026, not downloaded')).toBeVisible()
})
