import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Secret, TOTP } from 'otpauth'
import { SMTPServer } from 'smtp-server'
import { afterEach, expect, test } from 'vitest'
import { beginAuthenticatorOperation, turnOnTwoFactorOperation } from '#contract/account/account-settings.ts'
import { findFreePort } from '#scripts/harness/server-process.ts'
import { createInstanceKey } from '#server/auth/instance-key.ts'
import { readConfig } from '#server/config.ts'
import { requestTwoFactorRemoval } from '#server/features/account/operator-commands.ts'
import { carryOutDueTwoFactorRemovals } from '#server/features/account/two-factor-removal-requests.ts'
import { createServerLogger } from '#server/log.ts'
import { startSecondServerNode } from '#tests/support/second-node.ts'
import { createTestWorld, type TestWorld } from '#tests/support/world.ts'
import { listUndeliveredEmails } from './email-queue.ts'
import { createEmailSender } from './email-sender.ts'

let stop: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const each of stop.reverse()) await each()
  stop = []
})

const SECRET_KEY = Buffer.alloc(32, 7).toString('base64')
type Received = { to: string; subject: string }

/** @param refused the address of an unknown recipient */
async function startSmtpServer(port: number, refused = '') {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) =>
      done(
        address === refused ? Object.assign(new Error('no such mailbox'), { responseCode: 550 }) : undefined,
      ),
    onData(stream, session, done) {
      text(stream).then((message) => {
        const subject = /^Subject: (.*(?:\r\n .*)*)$/m.exec(message)?.[1] ?? ''
        received.push({ to: session.envelope.rcptTo[0]?.address ?? '', subject })
        done()
      })
    },
  })
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  stop.push(() => new Promise((closed) => server.close(closed)))
  return { received, port: (server.server.address() as AddressInfo).port }
}

async function begin(env: Record<string, string>): Promise<TestWorld> {
  const w = await createTestWorld({ SECRET_KEY, ...env })
  stop.push(() => w.end())
  return w
}

const readQueue = async (w: TestWorld) =>
  (await w.database.pool.query('select id, attempts, failed_at, sealed from emails order by id')).rows
const makeDue = (w: TestWorld) =>
  w.database.pool.query('update emails set next_attempt_at = clock_timestamp()')
const askToRecover = (w: TestWorld, email: string) =>
  w.visitor.request('POST', '/v1/account/recovery', { email, url: 'http://localhost:3000/v1/auth/recovery' })

test('OPS-08 ana receives her email after an outage, although the node that queued the email has ended', async () => {
  const port = await findFreePort()
  const env = { SMTP_URL: `smtp://127.0.0.1:${port}` }
  const w = await begin(env)
  await w.join('Ana')
  expect((await askToRecover(w, 'ana@juntas.test')).status).toBe(201)
  await expect.poll(async () => (await readQueue(w))[0]?.attempts).toBeGreaterThan(0)
  const [waiting] = await readQueue(w)
  expect(String(waiting.sealed)).not.toContain('ana@juntas.test')

  await w.app.close()
  const { received } = await startSmtpServer(port)
  await makeDue(w)
  const second = await startSecondServerNode(w.database, { SECRET_KEY, ...env })
  try {
    // The first email comes from ana's sign-up.
    await expect.poll(() => received.map(({ to }) => to)).toEqual(['ana@juntas.test', 'ana@juntas.test'])
    await expect.poll(() => readQueue(w)).toEqual([])
  } finally {
    await second.end()
  }
})

test('OPS-08 two nodes send each email once, and in order for each address', async () => {
  const port = await findFreePort()
  const env = { SMTP_URL: `smtp://127.0.0.1:${port}` }
  const w = await begin(env)
  const config = readConfig({ DATA_DIR: w.dataDir, SECRET_KEY, ...env })
  const instanceKey = createInstanceKey(config, w.database)
  const nodes = await Promise.all(
    [1, 2].map(() =>
      createEmailSender(config, createServerLogger('silent'), null, { database: w.database, instanceKey }),
    ),
  )
  const numbers = [1, 2, 3, 4, 5, 6]
  for (const number of numbers)
    for (const to of ['ana@juntas.test', 'bea@juntas.test'])
      await nodes[0]?.sendWithin(w.database.kysely, to, {
        kind: 'new-device',
        subject: `number ${number}`,
        text: '',
        html: '',
      })
  const { received } = await startSmtpServer(port)
  await makeDue(w)
  await Promise.all(nodes.map((node) => node.attempt()))
  await expect
    .poll(async () => {
      await makeDue(w)
      return (await readQueue(w)).length
    })
    .toBe(0)
  await Promise.all(nodes.map((node) => node.drain()))
  for (const name of ['ana', 'bea'])
    expect(received.filter(({ to }) => to.startsWith(name)).map(({ subject }) => subject)).toEqual(
      numbers.map((number) => `number ${number}`),
    )
})

/** No mail server is running. */
async function beginUnlock(smtpPort: number) {
  const w = await begin({})
  const ana = await w.join('Ana')
  const { secret } = await ana.call(beginAuthenticatorOperation, {})
  await ana.call(turnOnTwoFactorOperation, {
    code: new TOTP({ secret: Secret.fromBase32(secret) }).generate(),
  })
  const config = readConfig({ DATA_DIR: w.dataDir, SECRET_KEY, SMTP_URL: `smtp://127.0.0.1:${smtpPort}` })
  const instanceKey = createInstanceKey(config, w.database)
  const log = createServerLogger('silent')
  const emails = await createEmailSender(config, log, null, { database: w.database, instanceKey })
  stop.push(() => emails.drain())
  const context = { db: w.database.kysely, emails, publicUrl: 'http://localhost:3000' }
  const requests = async () => (await w.database.pool.query('select * from unlock_requests')).rows
  const carryOut = () => carryOutDueTwoFactorRemovals({ database: w.database, emails, config })
  return { w, context, emails, instanceKey, requests, carryOut }
}

/** Decodes the encoded words of a header. */
const decodeWords = (header: string) =>
  Buffer.from(
    header
      .replaceAll('_', ' ')
      .replace(/=\?UTF-8\?Q\?|\?=\s*/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()

test("OPS-09 the 72 hours of an account unlock begin when ana's email is delivered, and it names no earlier day", async () => {
  const port = await findFreePort()
  const { w, context, emails, requests, carryOut } = await beginUnlock(port)
  expect(await requestTwoFactorRemoval(context, 'ana')).toMatchObject({ waits: true })
  await w.database.pool.query(`
    update unlock_requests set asked_at = asked_at - interval '80 hours', due_at = due_at - interval '80 hours';
    update totp_secrets set verified_at = verified_at - interval '90 hours'`)
  await carryOut()
  expect(await requests()).toHaveLength(1)

  const { received } = await startSmtpServer(port)
  await expect
    .poll(async () => {
      await makeDue(w)
      await emails.attempt()
      return received.map(({ to }) => to)
    })
    .toEqual(['ana@juntas.test'])
  await expect.poll(async () => (await requests())[0]?.email_id).toBeNull()
  const { rows } = await w.database.pool.query(
    `select due_at > clock_timestamp() + interval '60 hours' as counts_anew from unlock_requests`,
  )
  expect(rows).toEqual([{ counts_anew: true }])
  const subject = decodeWords(received[0]?.subject ?? '')
  expect(subject).toContain('ends in three days')
  await carryOut()
  expect(await requests()).toHaveLength(1)
})

test("OPS-09 an account unlock ends if ana's mailbox refuses the email, and the operator's list shows the email", async () => {
  const { port } = await startSmtpServer(0, 'ana@juntas.test')
  const { w, context, instanceKey, requests } = await beginUnlock(port)
  expect(await requestTwoFactorRemoval(context, 'ana')).toMatchObject({ waits: true })
  await expect.poll(requests).toEqual([])
  const [failed] = await listUndeliveredEmails(w.database.kysely, instanceKey)
  expect(failed).toMatchObject({ kind: 'unlock-asked', to: 'ana@juntas.test', failed_at: expect.any(Date) })
  expect(failed?.last_error).toBe('The mail server refused the recipient: 550 no such mailbox')
})

test('OPS-08 the operator reads which error an email met, also after the email expired and when the mail server wrote a long response', async () => {
  const { w, context, emails, instanceKey } = await beginUnlock(await findFreePort())
  await requestTwoFactorRemoval(context, 'ana')
  const readReason = async () => (await listUndeliveredEmails(w.database.kysely, instanceKey))[0]?.last_error
  await expect.poll(readReason).toBe('The mail server refused the connection.')
  await w.database.pool.query(
    `update emails set last_error = left('The mail server refused the email: ' || repeat('ñ', 99), 117),
       expires_at = clock_timestamp(), next_attempt_at = clock_timestamp()`,
  )
  await emails.attempt()
  expect(await readReason()).toMatch(
    /^The email expired before the mail server accepted it\. The mail server refused the email: ñ+…$/,
  )
})

test('OPS-08 an email that expired during an outage is not sent', async () => {
  const port = await findFreePort()
  const { w, context, emails, requests } = await beginUnlock(port)
  await requestTwoFactorRemoval(context, 'ana')
  await w.database.pool.query(
    `update emails set expires_at = clock_timestamp(), next_attempt_at = clock_timestamp()`,
  )
  const { received } = await startSmtpServer(port)
  await emails.attempt()
  await expect.poll(requests).toEqual([])
  expect([received, (await readQueue(w)).map(({ failed_at }) => failed_at !== null)]).toEqual([[], [true]])
})

test('OPS-08 of 150 emails that expired during an outage none is sent', async () => {
  const { w, context, emails } = await beginUnlock(await findFreePort())
  await requestTwoFactorRemoval(context, 'ana')
  await w.database.pool.query(
    `insert into emails (kind, sealed, recipient_hash, expires_at, next_attempt_at)
     select kind, sealed, sha256(n::text::bytea), clock_timestamp(), clock_timestamp()
     from emails cross join generate_series(1, 150) n`,
  )
  await emails.attempt()
  await emails.attempt()
  const { rows } = await w.database.pool.query(
    'select last_error, count(*)::int from emails where failed_at is not null group by 1',
  )
  expect(rows).toEqual([{ last_error: 'The email expired before the mail server accepted it.', count: 150 }])
})
