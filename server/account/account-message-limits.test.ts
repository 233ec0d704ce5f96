/** What the limits of letters tell whoever asks for them about whose an address is. */
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { toFailure } from '#server/errors.ts'
import { openRateCounterStore } from '#server/http/rate-limit-store.ts'
import { createRateLimits } from '#server/http/rate-limits.ts'
import { createServerLogger } from '#server/log.ts'
import { createTestWorld, type TestWorld } from '#tests/support/world.ts'
import { consumeAccountMessageLimit } from './account-message-limits.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

test('VER-06 S25 once no letter is sent to strangers today, a change to a member’s address is refused as one to an address nobody has', async () => {
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
  while (await limits.spend(null, 'mail-strangers', 'all')) spent += 1
  // Both letters above were two of the five thousand, so that what is left does not tell either.
  expect(spent).toBe(4998)
  const [refused, other] = await both()
  expect([refused?.sent.type, other]).toEqual(['general_rate_limit_exceeded', refused])
  await app.close()
})
