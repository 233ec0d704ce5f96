/**
 * Bounds how many requests of one account are worked on at a time. The rate limits count requests over minutes; without this
 * bound a hundred permitted ones, sent at once, would all stand before everybody else's in the queue for the database.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createKeyedConcurrencyLimiter } from '../concurrency/keyed-concurrency-limiter.ts'
import type { Config } from '../config.ts'
import { throwFailure } from '../errors.ts'
import { type AnyRateLimitClass, getAccountForRateLimit, isRateLimitExempt } from './rate-limits.ts'

/**
 * Runs the work of a request, in its turn where as many of the account's are under way. Work whose client left while it waited
 * is not begun.
 * @param classes what the request counts as
 * @throws Failure general_rate_limit_exceeded when many wait already, and what `work` throws
 */
export type CallerConcurrencyLimit = <T>(
  request: FastifyRequest,
  reply: FastifyReply,
  classes: readonly AnyRateLimitClass[],
  work: () => Promise<T>,
) => Promise<T>

const limits = { concurrency: 4, waiting: 100 }
/** Pictures apart: a screen has many, and some wait until they are made. */
const pictureLimits = { concurrency: 8, waiting: 300 }

/** Requests that last as long as a line is slow, or wait for one another. Each class has a bound of its own. */
const boundedElsewhere = new Set<AnyRateLimitClass>(['upload', 'upload-kilobytes', 'catch-up', 'archive'])
const pictureClasses = new Set<AnyRateLimitClass>(['image', 'remote-image'])

export function createCallerConcurrencyLimit(config: Config): CallerConcurrencyLimit {
  const inTurn = createAccountLimiter(limits)
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
