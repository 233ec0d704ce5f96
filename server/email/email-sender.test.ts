import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { afterEach, expect, test } from 'vitest'
import { fetchSentLinkSecret } from '#tests/support/sent-messages.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { createTestWorld, type TestWorld, testPassword } from '#tests/support/world.ts'

let stop: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const each of stop.reverse()) await each()
  stop = []
})

type Received = { from: string; to: string[]; message: string }

async function smtpServer(refuse: () => boolean = () => false) {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      text(stream).then((message) => {
        if (refuse()) return done(Object.assign(new Error('come back later'), { responseCode: 451 }))
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          message,
        })
        done()
      })
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  stop.push(() => new Promise((closed) => server.close(closed)))
  return { received, url: `smtp://127.0.0.1:${port}` }
}

async function begin(env: Record<string, string>): Promise<TestWorld> {
  const w = await createTestWorld(env)
  stop.push(() => w.end())
  return w
}

/** Uses the Appwrite API, which sends no email for a new account. */
const makeAccount = async (w: TestWorld, name = 'Ana') => {
  const given = { userId: 'unique()', email: recovery.email, password: testPassword, name }
  expect((await w.visitor.request('POST', '/v1/account', given)).status).toBe(201)
}

const recovery = { email: 'ana@juntas.test', url: 'http://localhost:3000/v1/auth/recovery' }

/** A slow machine may send an email twice. */
const firstOf = (received: Received[]) =>
  waitFor(() => {
    const [first, ...repeated] = received
    if (!first) throw new Error('No email has arrived.')
    for (const { from, to } of repeated) expect({ from, to }).toEqual({ from: first.from, to: first.to })
    return first
  })

function partOf(message: string, type: string): string {
  const [, part = ''] = message.split(new RegExp(`Content-Type: ${type}[^\\n]*\\r?\\n`))
  const [head = '', ...body] = part.split(/\r?\n\r?\n/)
  const encoded = body.join('\n\n').split('\r\n--')[0] ?? ''
  if (/base64/.test(head)) return Buffer.from(encoded, 'base64').toString()
  const bytes = encoded
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

test('a recovery email is sent through the configured server, in two languages, as text and HTML', async () => {
  const { received, url } = await smtpServer()
  const w = await begin({ SMTP_URL: url, MAIL_FROM: 'Juntas <hola@juntas.example>' })
  await makeAccount(w)
  const asked = await w.visitor.request('POST', '/v1/account/recovery', recovery)
  expect(asked.status).toBe(201)
  const email = await firstOf(received)
  expect(email).toMatchObject({ from: 'hola@juntas.example', to: ['ana@juntas.test'] })
  const { message } = email
  expect(message).toMatch(/^To: ana@juntas\.test\r?$/m)
  expect(message).toMatch(/^Auto-Submitted: auto-generated\r?$/m)
  const plain = partOf(message, 'text/plain')
  expect(plain).toContain('Alguien pidió cambiar la contraseña')
  expect(plain).toContain('Someone asked to change the password')
  const html = partOf(message, 'text/html')
  const link = /http:\S+/.exec(plain)?.[0] ?? ''
  expect(html).toContain(`href="${link.replaceAll('&', '&amp;')}"`)
  expect(html).not.toContain('<script')
  const { searchParams } = new URL(link)
  const done = await w.visitor.request('PUT', '/v1/account/recovery', {
    userId: searchParams.get('userId'),
    secret: searchParams.get('secret'),
    password: 'una nueva y larga',
  })
  expect(done.status).toBe(200)
})

test("S10 no email contains the member's name, and an email field accepts only one address", async () => {
  const { received, url } = await smtpServer()
  const w = await begin({ SMTP_URL: url })
  const name = '</a><a href=//evil.example>'
  await makeAccount(w, name)
  for (const email of ['x@juntas.test\r\nBcc: bea@juntas.test', 'x@juntas.test, bea@juntas.test']) {
    const answer = await w.visitor.request('POST', '/v1/account/recovery', { ...recovery, email })
    expect(answer).toMatchObject({ status: 400, body: { field: 'email' } })
  }
  await w.visitor.request('POST', '/v1/account/recovery', recovery)
  const email = await firstOf(received)
  expect(email.to).toEqual([recovery.email])
  expect(email.message).not.toContain('evil')
})

test('an email that a busy mail server refuses is sent again, and the caller does not wait for the email', async () => {
  let refusals = 1
  const { received, url } = await smtpServer(() => refusals-- > 0)
  const w = await begin({ SMTP_URL: url })
  await makeAccount(w)
  expect((await w.visitor.request('POST', '/v1/account/recovery', recovery)).status).toBe(201)
  expect((await firstOf(received)).to).toEqual([recovery.email])
  expect(refusals).toBeLessThan(0)
})

test('a missing mail server does not change the response, for a known or unknown address', async () => {
  const w = await begin({ SMTP_URL: 'smtp://127.0.0.1:9' })
  await w.join('Ana')
  for (const email of [recovery.email, 'nadie@juntas.test']) {
    expect((await w.visitor.request('POST', '/v1/account/recovery', { ...recovery, email })).status).toBe(201)
  }
})

test('in production without a mail server or SMS gateway, calls that send messages get 503 and store nothing', async () => {
  const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://juntas.example' }
  const w = await begin(production)
  const url = 'https://juntas.example/v1/auth/recovery'
  const userId = 'unique()'
  for (const [path, body, type] of [
    ['/recovery', { email: recovery.email, url }, 'general_smtp_disabled'],
    ['/sessions/magic-url', { userId, email: recovery.email }, 'general_smtp_disabled'],
    ['/tokens/email', { userId, email: recovery.email }, 'general_smtp_disabled'],
    ['/sessions/phone', { userId, phone: '+34600111222' }, 'general_phone_disabled'],
  ] as const) {
    const answer = await w.visitor.request('POST', `/v1/account${path}`, body)
    expect([path, answer.body]).toMatchObject([path, { code: 503, type }])
  }
  const { rows } = await w.database.pool.query('select count(*) from tokens')
  expect(rows[0].count).toBe(0)
  expect((await w.visitor.request('GET', '/dev/outbox')).status).toBe(404)
})

test('outside production every message goes to the outbox, which only this machine can read', async () => {
  const w = await begin({})
  await makeAccount(w)
  await w.visitor.request('POST', '/v1/account/recovery', recovery)
  expect((await fetchSentLinkSecret(w, recovery.email)).secret).toMatch(/^[0-9a-f]{64}$/)
  const outbox = await w.visitor.request<object[]>('GET', '/dev/outbox')
  expect(outbox.status).toBe(200)
  expect(outbox.body.map((entry) => Object.keys(entry))).toEqual([['to', 'subject', 'text', 'kind']])
  const forwarded: Record<string, string>[] = [
    { 'x-forwarded-for': '203.0.113.9' },
    { forwarded: 'for=203.0.113.9' },
    { 'x-real-ip': '127.0.0.1' },
    { via: '1.1 proxy' },
    { host: 'rebound.evil.example:3000' },
  ]
  for (const headers of forwarded) {
    const refused = await w.visitor.request(
      'GET',
      '/dev/outbox',
      undefined,
      headers as Record<string, string>,
    )
    expect(refused.body).toMatchObject({ code: 403, type: 'general_access_forbidden' })
  }
  const elsewhere = await w.app.inject({ url: '/dev/outbox', remoteAddress: '203.0.113.9' })
  expect(elsewhere.statusCode).toBe(403)
})
