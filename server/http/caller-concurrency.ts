/**
 * Rate limits count over minutes. Without a concurrency limit, a hundred allowed requests at once would all
 * be ahead of other members in the database queue.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createKeyedConcurrencyLimiter } from '../concurrency/keyed-concurrency-limiter.ts'
import type { Config } from '../config.ts'
import { throwFailure } from '../errors.ts'
import { type AnyRateLimitClass, getAccountForRateLimit, isRateLimitExempt } from './rate-limits.ts'

/**
 * Skips the work if the client has disconnected.
 * @param classes of the request
 * @throws Failure general_rate_limit_exceeded if too many requests wait, and errors of `work`
 */
export type CallerConcurrencyLimit = <T>(
  request: FastifyRequest,
  reply: FastifyReply,
  classes: readonly AnyRateLimitClass[],
  work: () => Promise<T>,
) => Promise<T>

const limits = { concurrency: 4, waiting: 100 }
/** A screen shows many pictures, some of which must be rendered first. */
const pictureLimits = { concurrency: 8, waiting: 300 }

/**
 * Leaves at least half of the database connections to the other accounts. Requests for pictures do not count,
 * because they hold a connection only briefly.
 */
const fitTo = (connections: number, { concurrency, waiting }: typeof limits) => ({
  concurrency: Math.min(concurrency, Math.floor(connections / 2)),
  waiting,
})

/** These requests are slow or wait for each other, and are limited elsewhere. */
const boundedElsewhere = new Set<AnyRateLimitClass>(['upload', 'upload-kilobytes', 'catch-up', 'archive'])
const pictureClasses = new Set<AnyRateLimitClass>(['image', 'remote-image'])

/** @param connections the database connections of all requests */
export function createCallerConcurrencyLimit(config: Config, connections: number): CallerConcurrencyLimit {
  const inTurn = createAccountLimiter(fitTo(connections, limits))
  const pictureInTurn = createAccountLimiter(pictureLimits)
  return (request, reply, classes, work) => {
    const account = getAccountForRateLimit(request)
    if (account === null || classes.some((each) => boundedElsewhere.has(each))) return work()
    if (isRateLimitExempt(config, request)) return work()
    const limit = classes.some((each) => pictureClasses.has(each)) ? pictureInTurn : inTurn
    return limit(account.id, async () => {
      if (reply.raw.destroyed) throwFailure('general_request_timeout')
      return work()
    })
  }
}

const createAccountLimiter = ({ concurrency, waiting }: typeof limits) =>
  createKeyedConcurrencyLimiter<number>({
    concurrency,
    waiting,
    full: () =>
      throwFailure('general_rate_limit_exceeded', {
        message: `At most ${concurrency + waiting} requests at a time. Please try again in a moment.`,
        retryAfter: 1,
      }),
  })
