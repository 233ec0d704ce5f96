import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { MemberClient } from '#api-client/member-client.ts'
import {
  discardEmailOperation,
  examineInstanceOperation,
  getInstanceOverviewOperation,
  getInstanceQueuesOperation,
  getInstanceStorageOperation,
  listUndeliveredEmailsOperation,
  retryEmailOperation,
  sendTestEmailOperation,
} from '#contract/admin/instance.ts'
import { createRecoveryLinkOperation } from '#contract/admin/members.ts'
import { listOperatorActsOperation } from '#contract/admin/operator-acts.ts'
import { createPostOperation } from '#contract/posts/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { promoteToOperator } from '#server/features/community/promote-to-operator.ts'
import { addModerator } from '#server/features/moderation/moderators.ts'
import { createTestWorld, type TestWorld } from '#tests/support/world.ts'
import { runningVersion } from '../../version.ts'

const password = 'a-mail-password'

let refusal: string | null
let received: string[]
let smtp: SMTPServer
let w: TestWorld
let ana: MemberClient
let mia: MemberClient
let olga: MemberClient
beforeAll(async () => {
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (_auth, _session, done) => done(null, { user: 'juntas' }),
    onRcptTo: ({ address }, _session, done) => {
      if (refusal) return done(Object.assign(new Error(refusal), { responseCode: 550 }))
      received.push(address)
      done()
    },
    onData: (stream, _session, done) => stream.resume().on('end', () => done()),
  })
  smtp.on('error', () => {})
  smtp.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
  const { port } = smtp.server.address() as AddressInfo
  refusal = null
  received = []
  w = await createTestWorld({ SMTP_URL: `smtp://juntas:${password}@127.0.0.1:${port}` })
  ana = await w.join('Ana')
  mia = await w.join('Mia')
  olga = await w.join('Olga')
  await addModerator(w.database.kysely, 'mia2', 'the operator')
  await promoteToOperator(w.database.kysely, 'olga3')
  await vi.waitUntil(async () => (await countEmails()) === 0, { timeout: 60_000 })
})
afterAll(async () => {
  await w.end()
  await new Promise<void>((closed) => smtp.close(() => closed()))
})
beforeEach(async () => {
  refusal = null
  received = []
  await w.database.pool.query('delete from emails')
})

const countEmails = async () =>
  (await w.database.pool.query('select count(*)::int as waiting from emails')).rows[0].waiting
const askToRecover = (email: string) =>
  w.visitor.request('POST', '/v1/account/recovery', { email, url: 'http://localhost:3000/v1/auth/recovery' })

/** Creates an email that the mail server refuses permanently. */
async function failedEmail(): Promise<string> {
  refusal = 'no such mailbox'
  await askToRecover(ana.email)
  await expect
    .poll(async () => (await olga.call(listUndeliveredEmailsOperation, {})).documents[0]?.failedAt)
    .toBeTruthy()
  refusal = null
  return (await olga.call(listUndeliveredEmailsOperation, {})).documents[0]?.$id ?? ''
}

test('OPD-05 only an operator sees the instance; visitors, members and moderators are refused', async () => {
  const emailId = Number(await failedEmail())
  for (const [operation, input] of [
    [getInstanceOverviewOperation, {}],
    [getInstanceStorageOperation, {}],
    [getInstanceQueuesOperation, {}],
    [examineInstanceOperation, {}],
    [listUndeliveredEmailsOperation, {}],
    [retryEmailOperation, { emailId }],
    [discardEmailOperation, { emailId }],
    [sendTestEmailOperation, {}],
  ] as const) {
    for (const who of [ana, mia])
      expect(await who.refusal(operation, input as never), operation.name).toMatchObject({
        code: 404,
        type: 'general_route_not_found',
      })
    expect(await w.visitor.refusal(operation, input as never), operation.name).toMatchObject({ code: 401 })
  }
  expect(received).toEqual([])
  expect(await countEmails()).toBe(1)
})

test('OPD-05 olga sees version, members and database, and that no backup exists', async () => {
  const overview = await olga.call(getInstanceOverviewOperation, {})
  expect(overview).toMatchObject({
    version: runningVersion.version,
    onDisk: null,
    members: 3,
    files: { store: 'disk', freeBytes: expect.any(Number) },
    lastBackup: null,
    backupIsOverdue: true,
  })
  expect(overview.database.bytes).toBeGreaterThan(1_000_000)
  expect(Date.parse(overview.startedAt)).toBeLessThan(Date.now())
})

test('OPD-06 olga sees storage by kind and account, without addresses, file names or pictures', async () => {
  const imageId = await ana.upload(await createJpeg(), 'unas-vacaciones.jpg')
  await ana.call(createPostOperation, { caption: 'En la playa', location: 'Aquí', tags: [], imageId })
  await mia.upload(await createJpeg())
  const storage = await olga.call(getInstanceStorageOperation, {})
  expect(storage.kinds.map(({ kind, files }) => [kind, files]).sort()).toEqual([
    ['post', 1],
    ['unused', 1],
  ])
  expect(storage.accounts.map(({ username, files }) => [username, files]).sort()).toEqual([
    ['ana', 1],
    ['mia2', 1],
  ])
  expect(storage.accounts.every(({ bytes }) => bytes > 0)).toBe(true)
  expect(JSON.stringify(storage)).not.toMatch(/vacaciones|playa|@|imageId/)
  // The storage is computed at most once a minute.
  await mia.upload(await createJpeg())
  expect(await olga.call(getInstanceStorageOperation, {})).toEqual(storage)
})

test('OPD-07 olga sees undelivered emails with masked addresses only, and sends one again', async () => {
  const emailId = Number(await failedEmail())
  const { documents } = await olga.call(listUndeliveredEmailsOperation, {})
  expect(documents).toMatchObject([
    { kind: 'recovery', to: 'a…@juntas.test', error: expect.stringContaining('550'), retriable: true },
  ])
  const before = (await olga.call(getInstanceQueuesOperation, {})).emails
  expect(before).toMatchObject({ waiting: 0, failed: 1 })
  await olga.call(retryEmailOperation, { emailId })
  await expect.poll(countEmails).toBe(0)
  expect(received).toEqual([ana.email])
  await expect
    .poll(async () => (await olga.call(getInstanceQueuesOperation, {})).emails)
    .toMatchObject({ failed: 0, sentToday: before.sentToday + 1, sentThisWeek: before.sentThisWeek + 1 })
  expect(await olga.refusal(retryEmailOperation, { emailId })).toMatchObject({ code: 404 })
  expect(await olga.refusal(retryEmailOperation, { emailId: 0 })).toMatchObject({
    code: 400,
    field: 'emailId',
  })
})

test('OPD-07 an email whose link has expired is not sent again', async () => {
  const emailId = Number(await failedEmail())
  await w.database.pool.query(`update emails set expires_at = now() - interval '1 minute'`)
  expect((await olga.call(listUndeliveredEmailsOperation, {})).documents[0]?.retriable).toBe(false)
  expect(await olga.refusal(retryEmailOperation, { emailId })).toMatchObject({
    code: 409,
    type: 'email_expired',
  })
})

test('OPD-07 only one of two operators who discard the same email succeeds, and the log records it once', async () => {
  const emailId = Number(await failedEmail())
  const answers = await Promise.all([1, 2].map(() => olga.ask(discardEmailOperation, { emailId })))
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 404])
  const { documents } = await olga.call(listOperatorActsOperation, {})
  expect(documents.filter(({ act }) => act === 'email.discard')).toMatchObject([
    { by: { $id: olga.id }, about: { $id: ana.id }, detail: { kind: 'recovery' } },
  ])
})

test('OPD-07 olga cannot discard the email that tells ana about a recovery link, nor other security emails', async () => {
  refusal = 'no such mailbox'
  await olga.call(createRecoveryLinkOperation, { memberId: ana.id })
  const list = () => olga.call(listUndeliveredEmailsOperation, {})
  await expect.poll(async () => (await list()).documents[0]?.failedAt).toBeTruthy()
  const [email] = (await list()).documents
  expect(email).toMatchObject({ kind: 'operator-recovery', discardable: false })
  const emailId = Number(email?.$id)
  const log = () => olga.call(listOperatorActsOperation, {})
  const before = await log()
  for (const kind of [
    'operator-recovery',
    'two-steps-off',
    'email-undo',
    'deletion-asked',
    'new-device',
    'unheard',
  ]) {
    await w.database.pool.query('update emails set kind = $1', [kind])
    expect([kind, await olga.refusal(discardEmailOperation, { emailId })]).toMatchObject([
      kind,
      { code: 409, type: 'email_protects_account' },
    ])
  }
  expect(await countEmails()).toBe(1)
  expect(await log()).toEqual(before)
})

test('OPD-08 olga sends a test email to herself and reads the mail server’s answer, without secrets', async () => {
  expect(await olga.call(sendTestEmailOperation, {})).toMatchObject({
    to: olga.email,
    accepted: true,
    answer: expect.stringMatching(/^250 /),
  })
  expect(received).toEqual([olga.email])
  refusal = `juntas with ${password} may not send`
  expect(await olga.call(sendTestEmailOperation, {})).toEqual({
    to: olga.email,
    accepted: false,
    answer: '550 [hidden] with [hidden] may not send',
  })
})

test('OPD-09 olga reads the findings of `juntas doctor`, without secrets', async () => {
  const { findings } = await olga.call(examineInstanceOperation, {})
  const sentences = findings.map(({ sentence }) => sentence)
  expect(sentences).toContain('The mail server accepts our connection.')
  expect(sentences).toContain('Pictures can be decoded.')
  expect(sentences.join()).not.toContain(password)
})
