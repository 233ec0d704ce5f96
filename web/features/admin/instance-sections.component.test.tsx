import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  discardEmailOperation,
  examineInstanceOperation,
  getInstanceOverviewOperation,
  getInstanceQueuesOperation,
  getInstanceStorageOperation,
  type InstanceOverview,
  type InstanceQueues,
  listUndeliveredEmailsOperation,
  retryEmailOperation,
  sendTestEmailOperation,
  type UndeliveredEmails,
} from '#contract/admin/instance.ts'
import { newId } from '#tests/support/component/fixtures.ts'
import { api, openApp, phone } from '#tests/support/component/open-app.tsx'

const main = page.getByRole('main')
const box = (name: string) => main.getByRole('region', { name })
const operator = { me: { operates: true as const } }
const at = '2026-11-29T10:00:00.000+00:00'

const overview: InstanceOverview = {
  version: '0.1.0',
  build: '1a2b3c4d5e6f',
  onDisk: null,
  startedAt: at,
  nodes: 2,
  members: 1234,
  database: { version: '18.1', embedded: true, bytes: 56_000_000 },
  files: { store: 'disk', freeBytes: 12_300_000_000 },
  lastBackup: { finishedAt: at, rows: 5000, files: 1, bytes: 7_000_000, encrypted: false, verified: true },
  backupIsOverdue: false,
  computedAt: at,
}
const queues: InstanceQueues = {
  emails: { waiting: 1, failed: 1, oldestSeconds: 1200, sentToday: 3, sentThisWeek: 17 },
  images: 0,
  liveBehind: 0.2,
  notificationsBehind: 2,
  deletions: { waiting: 1, erasing: 0 },
  exports: { gathering: 0, failed: 2 },
}
const failed: UndeliveredEmails['documents'][number] = {
  $id: '7',
  kind: 'recovery',
  to: 'a…@juntas.test',
  createdAt: at,
  failedAt: at,
  error: 'EENVELOPE 550',
  retriable: true,
  discardable: true,
}
const answerFindings = () =>
  api.answer(examineInstanceOperation, {
    findings: [
      { verdict: 'ok', sentence: 'Redis answers.' },
      { verdict: 'failure', sentence: 'The mail server refuses us.' },
    ],
    computedAt: at,
  })

test('OPD-05 the server page shows version, data and backup, and the health checks, worst first', async () => {
  api.answer(getInstanceOverviewOperation, overview)
  answerFindings()
  await openApp('/admin/instance', operator)
  await expect.element(box('Running')).toMatchTextContent('0.1.0Build 1a2b3c4d5e6f')
  await expect.element(box('Running')).toMatchTextContent('1,234')
  await expect.element(box('Data')).toMatchTextContent('56 MB')
  await expect.element(box('Data')).toMatchTextContent('5,000 rows · 1 photo · 7 MB · verified')
  const findings = box('Health checks').getByRole('listitem')
  await expect.element(findings.nth(0)).toMatchTextContent('Problem: The mail server refuses us.')
  await expect.element(findings.nth(1)).toMatchTextContent('OK: Redis answers.')
})

test('OPD-05 the server page shows a newer installed version and a missing backup', async () => {
  api.answer(getInstanceOverviewOperation, {
    ...overview,
    onDisk: '0.2.0',
    lastBackup: null,
    backupIsOverdue: true,
  })
  answerFindings()
  await openApp('/admin/instance', { ...operator, size: phone })
  await expect.element(main.getByText('Version 0.2.0 is installed: restart to use it.')).toBeVisible()
  await expect.element(box('Data').getByText('Never')).toBeVisible()
})

test('OPD-05 a part of the server page that fails can be reloaded, and the rest is shown', async () => {
  api.refuse(getInstanceOverviewOperation, 'general_argument_invalid')
  answerFindings()
  await openApp('/admin/instance', operator)
  await expect.element(main.getByRole('alert').first()).toMatchTextContent('We couldn’t load this.')
  await expect.element(main.getByText('Redis answers.')).toBeVisible()
  api.answer(getInstanceOverviewOperation, overview)
  await main.getByRole('button', { name: 'Try again' }).first().click()
  await expect.element(box('Running')).toMatchTextContent('0.1.0')
})

test('OPD-06 storage shows sizes by kind and account', async () => {
  const none = { kinds: [], exports: { files: 0, bytes: 0 }, accounts: [], computedAt: at }
  api.answer(getInstanceStorageOperation, {
    ...none,
    kinds: [{ kind: 'post', files: 2, bytes: 3_000_000 }],
    exports: { files: 1, bytes: 1_000_000 },
    accounts: [{ $id: newId('person'), name: 'Ana', username: 'ana', files: 1, bytes: 2_000_000 }],
  })
  await openApp('/admin/storage', operator)
  const kinds = box('By kind').getByRole('listitem')
  await expect.element(kinds.nth(0)).toMatchTextContent('Photos of posts3 MB · 2 files')
  await expect.element(kinds.nth(1)).toMatchTextContent('Data exports1 MB · 1 file')
  await expect
    .element(box('Largest accounts').getByRole('listitem').first())
    .toMatchTextContent('Ana@ana2 MB · 1 file')
})

test('OPD-06 the storage page says when there are no photos', async () => {
  api.answer(getInstanceStorageOperation, {
    kinds: [],
    exports: { files: 0, bytes: 0 },
    accounts: [],
    computedAt: at,
  })
  await openApp('/admin/storage', operator)
  await expect.element(main.getByText('No photos yet.')).toBeVisible()
})

test('OPD-07 olga resends an email, and confirms before discarding one', async () => {
  let documents = [failed, { ...failed, $id: '8', to: 'b…@juntas.test', failedAt: null, retriable: false }]
  api.answer(getInstanceQueuesOperation, queues)
  api.answer(listUndeliveredEmailsOperation, () => ({ documents, mail: true }))
  const drop = ({ emailId }: { emailId: unknown }) => {
    documents = documents.filter(({ $id }) => $id !== emailId)
  }
  api.answer(retryEmailOperation, drop)
  api.answer(discardEmailOperation, drop)
  await openApp('/admin/emails', operator)
  await expect.element(box('Email')).toMatchTextContent('Oldest waiting for 1,200 s')
  await expect.element(box('Jobs')).toMatchTextContent('2 failed')
  const rows = box('Emails not delivered').getByRole('listitem')
  await expect.element(rows.nth(0)).toMatchTextContent('a…@juntas.test recovery')
  await rows.nth(0).getByRole('button', { name: 'Send to a…@juntas.test again' }).click()
  await expect.poll(() => rows.elements()).toHaveLength(1)
  expect(api.callsOf(retryEmailOperation)).toEqual([{ emailId: '7' }])
  expect(
    rows
      .nth(0)
      .getByRole('button', { name: /again$/ })
      .elements(),
  ).toEqual([])
  await rows.nth(0).getByRole('button', { name: 'Discard the email to b…@juntas.test' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
  await expect
    .element(main.getByText('No emails are waiting, and none failed in the last 14 days.'))
    .toBeVisible()
})

test('OPD-07 olga cannot discard an email about the security of an account', async () => {
  api.answer(getInstanceQueuesOperation, queues)
  const email = { ...failed, kind: 'operator-recovery', discardable: false }
  api.answer(listUndeliveredEmailsOperation, { documents: [email], mail: true })
  await openApp('/admin/emails', operator)
  const row = box('Emails not delivered').getByRole('listitem')
  await expect.element(row.getByRole('button', { name: /again$/ })).toBeVisible()
  expect(row.getByRole('button', { name: /^Discard/ }).elements()).toEqual([])
})

test('OPD-08 the mail server’s answer to a test email is shown unchanged', async () => {
  api.answer(getInstanceQueuesOperation, queues)
  api.answer(listUndeliveredEmailsOperation, { documents: [], mail: true })
  api.answer(sendTestEmailOperation, {
    to: 'ana@juntas.test',
    accepted: false,
    answer: '550 5.7.1 Relaying denied',
  })
  await openApp('/admin/emails', operator)
  await main.getByRole('button', { name: 'Send a test email' }).click()
  await expect.element(main.getByText('Refused for ana@juntas.test')).toBeVisible()
  await expect.element(main.getByText('550 5.7.1 Relaying denied')).toBeVisible()
})

test('OPD-08 without a mail server the page says how to set one up', async () => {
  api.answer(getInstanceQueuesOperation, queues)
  api.answer(listUndeliveredEmailsOperation, { documents: [], mail: false })
  api.refuse(sendTestEmailOperation, 'general_smtp_disabled')
  await openApp('/admin/emails', operator)
  await expect.element(main.getByText(/^Email isn’t set up/)).toBeVisible()
  await main.getByRole('button', { name: 'Send a test email' }).click()
  await expect.element(box('Test email').getByRole('alert')).toBeVisible()
})

for (const section of ['appearance', 'instance', 'storage', 'emails'])
  test(`OPD-05 /admin/${section} is not found for ana, a moderator`, async () => {
    await openApp(`/admin/${section}`, { me: { moderates: true } })
    await expect.element(page.getByText('404 Not Found')).toBeVisible()
  })
