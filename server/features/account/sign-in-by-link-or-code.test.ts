import cookie from '@fastify/cookie'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { issueOneTimeCode } from '#server/auth/one-time-tokens.ts'
import { readConfig } from '#server/config.ts'
import { toFailure } from '#server/errors.ts'
import { openRateCounterStore } from '#server/http/rate-limit-store.ts'
import { createRateLimits, type RateLimits } from '#server/http/rate-limits.ts'
import { createServerLogger } from '#server/log.ts'
import { createTestWorld, type TestWorld } from '#tests/support/world.ts'
import { consumeRateLimitedOneTimeCode } from './sign-in-by-link-or-code.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

const hers = 'ana@juntas.test'
const own = 'bruno@juntas.test'
const userId = 'one'

test.each([
  ['to an address of the guesser’s', true],
  ['to nobody', false],
])(
  'S26 an attempt under a user id that belonged %s cannot match a code emailed to a member meanwhile',
  async (_, hadOne) => {
    const { database } = w
    const db = database.kysely
    await db.deleteFrom('tokens').execute()
    const config = readConfig({})
    const log = createServerLogger('silent')
    const limits = createRateLimits(config, await openRateCounterStore({ config, database, log }))
    const emailTo = (sentTo: string) =>
      issueOneTimeCode(db, 'email', { accountId: null, sentTo, shownUserId: userId })
    if (hadOne) await emailTo(own)

    const counted: unknown[] = []
    const app = Fastify()
    await app.register(cookie)
    app.get('/', async (request, reply) => {
      const consume: RateLimits['consume'] = async (request, reply, limit, more) => {
        counted.push(more?.subject)
        await emailTo(hers)
        await limits.consume(request, reply, limit, more)
      }
      const ctx = { request, reply, config, database, limits: { ...limits, consume } }
      return consumeRateLimitedOneTimeCode(ctx as never, ['email'], userId, 'wrong!').then(
        () => 'opened',
        (error: unknown) => toFailure(error)?.type,
      )
    })
    const answer = await app.inject({ url: '/', remoteAddress: '198.51.100.9' })
    expect(answer.body).toBe('user_invalid_token')
    expect(counted).toEqual([hadOne ? own : userId])
    const tokens = await db.selectFrom('tokens').select(['sent_to', 'attempts', 'used_at']).execute()
    expect(tokens.filter(({ sent_to }) => sent_to === hers)).toEqual([
      { sent_to: hers, attempts: 0, used_at: null },
    ])
    expect(tokens.filter(({ sent_to }) => sent_to === own).map(({ attempts }) => attempts)).toEqual(
      hadOne ? [1] : [],
    )
    await app.close()
  },
)
