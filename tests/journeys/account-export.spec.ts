import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from '@playwright/test'
import {
  checkZipWithInstalledReaders,
  readZipFiles,
} from '#scripts/harness/check-zip-with-installed-readers.ts'
import { expectNoAxeProblems } from './axe-steps.ts'
import { openConversationViaApi, sendMessageViaApi } from './chat-steps.ts'
import { expect, test } from './fixtures.ts'
import { createGroupViaApi } from './group-steps.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const copy = (page: Page) => main(page).getByRole('region', { name: 'Download your data' })
const ready = (page: Page) => copy(page).getByText('Ready.')

test('EXPT-01 EXPT-02 EXPT-04 EXPT-07 EXPT-12 hana prepares a download, closes the page, downloads her data and reads it offline @quick', async ({
  signedUp,
  member,
  browser,
}, info) => {
  test.slow()
  const hana = await signedUp('hana')
  const bea = await member('bea')
  const { page } = hana
  const post = await publishPostViaApi(hana)
  await followMemberViaApi(hana, bea)
  await createGroupViaApi(hana, {}, [bea])
  const conversation = await openConversationViaApi(hana, bea)
  await sendMessageViaApi(hana, conversation, 'Nos vemos a las ocho')

  await page.goto('/settings/data')
  await copy(page).getByRole('button', { name: 'Prepare a download' }).click()
  const gathering = main(page).getByRole('region', { name: 'Preparing your download' })
  await expect(gathering).toBeVisible()
  await expect(gathering.getByText(/^[01] of 1 photo$/)).toBeVisible()
  await expect(gathering.getByRole('progressbar', { name: 'Your data' })).toBeVisible()
  await page.goto('/notifications')
  await expect(main(page).getByText('Tus datos están listos')).toBeVisible()
  await main(page).getByRole('link', { name: 'Tus datos están listos' }).click()
  await expect(page).toHaveURL('/settings/data')
  await expect(ready(page)).toBeVisible()
  await expect(copy(page).getByText('1 photo,')).toBeVisible()
  const emails: { to: string; subject: string }[] = await (await hana.request.get('/dev/outbox')).json()
  expect(emails.findLast(({ to }) => to === hana.email)?.subject).toContain('Tus datos están listos')

  const saving = page.waitForEvent('download')
  await copy(page)
    .getByRole('button', { name: /^Download [\d.]+ [kM]?B$/ })
    .click()
  const saved = await saving
  expect(saved.suggestedFilename()).toMatch(/^juntas-\d{4}-\d\d-\d\d\.zip$/)
  const zip = info.outputPath('copy.zip')
  await saved.saveAs(zip)
  checkZipWithInstalledReaders(zip)
  const folder = info.outputPath('copy')
  for (const [name, bytes] of readZipFiles(readFileSync(zip))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), bytes)
  }

  const offline = await browser.newContext({ offline: true })
  const reader = await offline.newPage()
  const asked: string[] = []
  reader.on('request', (request) => asked.push(request.url()))
  await reader.goto(pathToFileURL(join(folder, 'LEEME.html')).href)
  await expect(reader.getByRole('heading', { level: 1 })).toHaveText(hana.name)
  const photo = reader.getByRole('article').getByRole('img')
  await photo.scrollIntoViewIfNeeded()
  await expect
    .poll(() => photo.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0))
    .toBe(true)
  await expect(reader.getByText(post.caption)).toBeVisible()
  await expect(reader.getByRole('region', { name: 'Sigues', exact: true })).toContainText(bea.name)
  await expect(reader.getByRole('region', { name: 'Grupos' })).toContainText('lo administras')
  await reader.getByRole('region', { name: 'Conversaciones' }).getByText(bea.name).first().click()
  await expect(reader.getByText('Nos vemos a las ocho')).toBeVisible()
  expect(asked.filter((url) => !url.startsWith('file:'))).toEqual([])
  await expectNoAxeProblems(reader, 'the copy')
  await offline.close()

  await expect(main(page).getByText('Earlier downloads')).toHaveCount(0)
  await copy(page).getByRole('button', { name: 'Discard it' }).click()
  await expect(copy(page).getByRole('button', { name: 'Prepare a download' })).toBeVisible()
  await expect(main(page).getByText('Earlier downloads')).toBeVisible()
  await expect(main(page).getByText(/^\d+ [A-Z][a-z]+ \d{4}, downloaded from Chrome/)).toBeVisible()
  expect((await (await hana.request.get('/v1/me/export')).json()).export).toBeNull()
})
