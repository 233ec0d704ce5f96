import cookie from '@fastify/cookie'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { toFailure } from '#server/errors.ts'
import { openRateCounterStore } from '#server/http/rate-limit-store.ts'
import { createRateLimits } from '#server/http/rate-limits.ts'
import { createServerLogger } from '#server/log.ts'
import { extractCookieHeader, fetchSentMessagesTo } from '#tests/support/sent-messages.ts'
import { createTestWorld, type TestWorld, testPassword } from '#tests/support/world.ts'
import { consumeAccountMessageLimit } from './account-message-limits.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

test('VER-06 S25 once the quota for emails to strangers is used up, changing to a taken address is refused like changing to a free one', async () => {
  const bea = await w.join('Bea')
  await w.database.pool.query('update accounts set email_verified = true where public_id = $1', [
    bea.accountId,
  ])
  const { database } = w
  const config = readConfig({})
  const log = createServerLogger('silent')
  const limits = createRateLimits(config, await openRateCounterStore({ config, database, log }))
  const app = Fastify()
  app.get<{ Querystring: { to: string } }>('/', async (request, reply) => {
    const ctx = { request, reply, limits, database, log, config }
    const sent = await consumeAccountMessageLimit(ctx, 'email-change', request.query.to).catch(toFailure)
    return { sent, headers: reply.getHeaders() }
  })
  const ask = async (to: string, remoteAddress: string) => {
    const { sent, headers } = (await app.inject({ url: '/', query: { to }, remoteAddress })).json()
    const { 'x-ratelimit-reset': _, ...rest } = headers
    return { sent, rest }
  }
  const both = async () => [
    await ask(bea.email, '198.51.100.1'),
    await ask('nadie@juntas.test', '198.51.100.2'),
  ]
  const [member, nobody] = await both()
  expect([member?.sent, nobody]).toEqual([true, member])
  let spent = 0
  while (await limits.spend(null, 'email-strangers', 'all')) spent += 1
  // Both emails counted against the daily quota of five thousand.
  expect(spent).toBe(4998)
  const [refused, other] = await both()
  expect([refused?.sent.type, other]).toEqual(['general_rate_limit_exceeded', refused])
  await app.close()
})

/** Sends a forwarding header, because this machine would otherwise be exempt from the limits. */
const post = (path: string, payload: object, remoteAddress: string, cookie = '') =>
  w.app.inject({
    method: 'POST',
    url: `/v1/account${path}`,
    payload,
    remoteAddress,
    headers: { host: 'localhost:3000', 'x-forwarded-for': '203.0.113.1', ...(cookie && { cookie }) },
  })

/** @returns the cookie of a browser that the account now knows */
async function makeKnownBrowser(email: string, site: string): Promise<string> {
  const answer = await post('/sessions/email', { email, password: testPassword }, site)
  expect(answer.statusCode).toBe(201)
  const cookies = [answer.headers['set-cookie'] ?? []].flat().join('\n')
  return extractCookieHeader({ headers: { 'set-cookie': cookies } })
    .split('; ')
    .filter((cookie) => cookie.startsWith('device_'))
    .join('; ')
}

const askedFor: [string, (to: string) => [string, object]][] = [
  ['recovery', (email) => ['/recovery', { email, url: 'http://localhost:3000/' }]],
  ['magic-url', (email) => ['/tokens/magic-url', { userId: 'unique()', email }]],
  ['email-code', (email) => ['/tokens/email', { userId: 'unique()', email }]],
]

/** Sends as many requests as six networks with three known browsers each may make. */
async function flood(email: string, block: string, [path, body]: [string, object]): Promise<number> {
  const before = (await fetchSentMessagesTo(w, email)).length
  for (let network = 1; network <= 6; network += 1) {
    const site = `2001:db8:${block}${network}::1`
    for (let browser = 0; browser < 3; browser += 1) {
      const device = await makeKnownBrowser(email, site)
      for (let message = 0; message < 5; message += 1) await post(path, body, site, device)
    }
  }
  const kinds = new Set(['recovery', 'magic-url', 'code'])
  const messages = (await fetchSentMessagesTo(w, email)).slice(before)
  return messages.filter(({ kind }) => kinds.has(kind)).length
}

test.each(askedFor)(
  "S24 repeated sign-ups and sign-ins with a stranger's address do not raise its quota of %s emails",
  async (kind, ask) => {
    const bruno = await w.join('Bruno')
    const most = kind === 'recovery' ? 10 : 5
    expect(
      await flood(bruno.email, `1${askedFor.findIndex(([name]) => name === kind)}`, ask(bruno.email)),
    ).toBe(most)
  },
  120_000,
)

test.each(askedFor)(
  "S24 someone who knows a member's password can send only a few %s emails to her mailbox and cannot block her recovery",
  async (kind, ask) => {
    const ana = await w.join('Ana')
    await w.database.pool.query('update accounts set email_verified = true where public_id = $1', [
      ana.accountId,
    ])
    const strangers = kind === 'recovery' ? 10 : 5
    const block = `2${askedFor.findIndex(([name]) => name === kind)}`
    expect(await flood(ana.email, block, ask(ana.email))).toBe(15 + strangers)
    if (kind !== 'recovery') return
    // A request from elsewhere gets the same response, sends no further email, and leaves earlier emails valid.
    const [path, body] = ask(ana.email)
    expect((await post(path, body, '192.0.2.50')).statusCode).toBe(201)
    const { text } =
      (await fetchSentMessagesTo(w, ana.email)).findLast((one) => one.kind === 'recovery') ?? {}
    const { userId, secret } = Object.fromEntries(
      new URL(/https?:\S+/.exec(text ?? '')?.[0] ?? '').searchParams,
    )
    const chosen = { userId, secret, password: 'una nueva y larga' }
    expect((await w.visitor.request('PUT', '/v1/account/recovery', chosen)).status).toBe(200)
  },
  120_000,
)

test('S25 an unverified address receives no recovery email once the quota for emails to strangers is used up', async () => {
  const world = await createTestWorld()
  try {
    const [dora, eva] = [await world.join('Dora'), await world.join('Eva')]
    await world.database.pool.query('update accounts set email_verified = true where public_id = $1', [
      eva.accountId,
    ])
    const { database } = world
    const config = readConfig({})
    const log = createServerLogger('silent')
    const limits = createRateLimits(config, await openRateCounterStore({ config, database, log }))
    while (await limits.spend(null, 'email-strangers', 'all'));
    const app = Fastify()
    await app.register(cookie)
    app.get<{ Querystring: { to: string } }>('/', async (request, reply) => ({
      sent: await consumeAccountMessageLimit(
        { request, reply, limits, database, log, config },
        'recovery',
        request.query.to,
      ),
    }))
    const ask = async (to: string) =>
      (await app.inject({ url: '/', query: { to }, remoteAddress: '198.51.100.9' })).json()
    expect([await ask(dora.email), await ask(eva.email)]).toEqual([{ sent: false }, { sent: true }])
    await app.close()
  } finally {
    await world.end()
  }
})

test("S26 an account that holds a stranger's address unverified gets no extra attempts at a code sent to that address", async () => {
  const bruno = await w.join('Bruno')
  const answers: number[] = []
  for (let browser = 0; browser < 3; browser += 1) {
    const site = `2001:db8:30${browser}::1`
    const device = await makeKnownBrowser(bruno.email, site)
    const userId = `guess${browser}`
    await post('/tokens/email', { userId, email: bruno.email }, site)
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const { statusCode } = await post('/sessions/token', { userId, secret: 'wrong!' }, site, device)
      answers.push(statusCode)
    }
  }
  expect(answers).toEqual([...Array(10).fill(401), ...Array(5).fill(429)])
})
