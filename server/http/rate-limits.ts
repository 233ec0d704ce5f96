/**
 * Defines the rate limits of members and addresses, and applies them to requests; rate-limit-store.ts keeps the counters.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { RateLimiterRes } from 'rate-limiter-flexible'
import type { RateLimitClass } from '#contract/operation.ts'
import type { Config } from '../config.ts'
import { throwFailure } from '../errors.ts'
import { isLocalRequest } from '../net/loopback-ip.ts'
import { getIpv6CustomerPrefix, toRateLimitAddress } from '../net/rate-limit-address.ts'
import type { RateCounterStore, RateLimitCounter, RateLimitRule } from './rate-limit-store.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Limits of the account routes, counted by e-mail address, phone number or account instead of caller. */
type AccountLimitClass = 'sign-in-address' | 'password' | 'code'

/** Limits of letters and text messages, counted by where they go and by who asks (account-message-limits.ts). */
type LetterLimitClass =
  | 'letter'
  | 'owner-letter'
  | 'recovery-letter'
  | 'notice'
  | 'new-device-letter'
  | 'deletion-letter'
  | 'mail-network'
  | 'sms-network'
  | 'mail-strangers'
  | 'sms-strangers'

/** Images fetched from other sites. */
type RemoteLimitClass = 'remote-image'

/** Messages to somebody who never wrote back, counted by conversation and sender (decision 0073). */
type ChatLimitClass = 'unanswered'

export type AnyRateLimitClass =
  | RateLimitClass
  | AccountLimitClass
  | LetterLimitClass
  | ChatLimitClass
  | RemoteLimitClass

/** Stricter limits that replace a class for visitors and for accounts in their first week. */
type StricterClass = 'visitor' | 'first-conversation' | 'first-report' | 'first-comment'

/** Counted beside a class, by an IPv6 address's /48. */
type NetworkClass = 'sign-up-network' | 'sign-in-network'

/** The rules of each class, for each account, or for each address when nobody is signed in. */
const rulesByClass: Record<AnyRateLimitClass | StricterClass | NetworkClass, readonly RateLimitRule[]> = {
  read: [{ points: 1500, seconds: 5 * minute }],
  /** Replaces `read` for visitors. */
  visitor: [{ points: 60, seconds: minute }],
  search: [{ points: 60, seconds: minute }],
  /** Pages of the list of all members. */
  people: [{ points: 60, seconds: minute }],
  write: [{ points: 300, seconds: 5 * minute }],
  /** Of a profile, post or group: each is told live to everybody. Likes of clients of the dialect are edits of posts. */
  edit: [
    { points: 30, seconds: minute },
    { points: 300, seconds: hour },
  ],
  'sign-up': [{ points: 5, seconds: 30 * minute }],
  'sign-in': [{ points: 25, seconds: 5 * minute }],
  // The sign-in page asks once when it opens and every nine minutes.
  'passkey-offer': [{ points: 60, seconds: 5 * minute }],
  'sign-up-network': [{ points: 25, seconds: 30 * minute }],
  'sign-in-network': [{ points: 125, seconds: 5 * minute }],
  /** Failed sign-ins only: a success resets them. */
  'sign-in-address': [{ points: 10, seconds: hour }],
  /** E-mails or text messages of one kind to one address or number. */
  letter: [{ points: 5, seconds: hour }],
  /** Those of one kind to one address that all browsers and networks which its account knows have together, apart from strangers'. */
  'owner-letter': [
    { points: 15, seconds: hour },
    { points: 50, seconds: day },
  ],
  /** Letters of recovery to one address, whoever asks: the ones before still open the account (decision 0123). */
  'recovery-letter': [{ points: 10, seconds: hour }],
  /** Notices that something opens an account from now on. */
  notice: [{ points: 10, seconds: day }],
  /** Letters to one address that a browser signed in which the account did not know. */
  'new-device-letter': [{ points: 10, seconds: day }],
  /** Letters to one address, or text messages to one number, that the deletion of an account was asked for. */
  'deletion-letter': [{ points: 10, seconds: day }],
  /** What one network may have sent to any addresses; of recovery, as much again. */
  'mail-network': [{ points: 50, seconds: day }],
  'sms-network': [{ points: 10, seconds: day }],
  /** To addresses and numbers that no account has proven, from everybody together: text messages cost money. */
  'mail-strangers': [{ points: 5000, seconds: day }],
  'sms-strangers': [{ points: 500, seconds: day }],
  'email-request': [{ points: 25, seconds: 5 * minute }],
  /** Wrong passwords of somebody who has a session, by that session: a right one resets them. */
  password: [{ points: 10, seconds: hour }],
  /** Wrong codes sent to one address or number, however many codes (decision 0125). */
  code: [
    { points: 10, seconds: hour },
    { points: 30, seconds: day },
  ],
  post: [
    { points: 20, seconds: hour },
    { points: 60, seconds: day },
  ],
  // One request per chunk: enough for forty images of 12 megapixels or four of the largest.
  upload: [{ points: 120, seconds: 30 * minute }],
  'upload-kilobytes': [{ points: 200_000, seconds: day }],
  // A screen of posts and avatars loads some fifty, which the browser caches for an hour.
  image: [{ points: 1500, seconds: 5 * minute }],
  'remote-image': [{ points: 10, seconds: minute }],
  // A download that breaks off goes on by a range; some clients ask for many.
  archive: [{ points: 300, seconds: 5 * minute }],
  comment: [
    { points: 30, seconds: 5 * minute },
    { points: 300, seconds: day },
  ],
  /** Replaces `comment` in an account's first week. */
  'first-comment': [
    { points: 30, seconds: 5 * minute },
    { points: 60, seconds: day },
  ],
  name: [{ points: 60, seconds: day }],
  like: [
    { points: 60, seconds: minute },
    { points: 300, seconds: hour },
  ],
  follow: [
    { points: 60, seconds: hour },
    { points: 400, seconds: day },
  ],
  block: [
    { points: 60, seconds: hour },
    { points: 300, seconds: day },
  ],
  /** Each switch to private is told live to everybody, up to a hundred posts at a time. */
  privacy: [{ points: 30, seconds: hour }],
  message: [{ points: 60, seconds: 2 * minute }],
  unanswered: [{ points: 20, seconds: day }],
  /** New conversations. */
  conversation: [{ points: 10, seconds: day }],
  /** Replaces `conversation` in an account's first week, because a blocked member may return with a new account. */
  'first-conversation': [{ points: 5, seconds: day }],
  group: [{ points: 5, seconds: day }],
  'join-request': [{ points: 20, seconds: day }],
  invite: [{ points: 10, seconds: day }],
  'push-test': [{ points: 5, seconds: hour }],
  /** A report is read by a person. The second replaces it in an account's first week. */
  report: [{ points: 20, seconds: day }],
  'first-report': [{ points: 10, seconds: day }],
  /** Once per connection of a socket, of which an account may open twenty a minute. */
  'catch-up': [{ points: 100, seconds: 5 * minute }],
}

export type RateLimits = {
  /**
   * Counts a request, and sets the `X-RateLimit` headers where they tell of the caller alone.
   * @param more.subject key to count by instead of the caller, such as an e-mail address
   * @param more.cost points it takes, by default one
   * @throws Failure 429 with the seconds to wait
   */
  consume(
    request: FastifyRequest,
    reply: FastifyReply,
    limit: AnyRateLimitClass,
    more?: { subject?: string; cost?: number },
  ): Promise<void>
  /**
   * Counts a request around `work`. In the classes with few points, a request that fails is refunded and counts as a
   * `write` instead: a mistake in a form is not a post, but must be limited too (decision 0074).
   * @throws Failure 429, and what `work` throws
   */
  consumeFor<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    limit: AnyRateLimitClass,
    work: () => Promise<T>,
  ): Promise<T>
  /** Counts as `consume`, and returns whether there was room instead of refusing. @param request null for what no request asks for */
  spend(request: FastifyRequest | null, limit: AnyRateLimitClass, subject: string): Promise<boolean>
  /** Resets the counters of a subject. */
  reset(limit: AccountLimitClass | ChatLimitClass, subject: string): Promise<void>
}

/** Counted by address even when signed in: accounts can be created in any number. */
const countedByAddress = new Set<AnyRateLimitClass>(['sign-up', 'sign-in', 'passkey-offer', 'email-request'])

const networkClass: Partial<Record<AnyRateLimitClass, NetworkClass>> = {
  'sign-up': 'sign-up-network',
  'sign-in': 'sign-in-network',
}

/**
 * Counted by an address, number or account that may be somebody else's: how many points are left would tell of it, such as where its owner has
 * signed in. The headers say so only once there are none, which the refusal tells anyway.
 */
const untold = new Set<keyof typeof rulesByClass>([
  'sign-in-address',
  'code',
  'letter',
  'mail-network',
  'sms-network',
])

/** Classes with few points per hour or day, of which only successes count. */
const refundedOnFailure = new Set<AnyRateLimitClass>(['post', 'group', 'join-request', 'invite'])

/** Whether only a request that succeeds costs a point of the class; such a one is counted around its handler. */
export const isRateLimitRefundedOnFailure = (limit: AnyRateLimitClass): boolean =>
  refundedOnFailure.has(limit)

/**
 * Finds the account that a request is counted by. Null for a visitor, and in a session that waits for its second step: whoever knows the
 * password alone uses up nothing of the owner's.
 */
export const getAccountForRateLimit = ({ caller }: FastifyRequest) =>
  caller && !caller.session.pending ? caller.account : null

function keyOf(request: FastifyRequest, limit: AnyRateLimitClass): string {
  const account = getAccountForRateLimit(request)
  return account && !countedByAddress.has(limit)
    ? `account:${account.id}`
    : `address:${toRateLimitAddress(request.ip)}`
}

function effectiveClass(
  limit: AnyRateLimitClass,
  request: FastifyRequest,
): AnyRateLimitClass | StricterClass {
  const account = getAccountForRateLimit(request)
  if (limit === 'read' && account === null) return 'visitor'
  if (!account?.isNew) return limit
  return limit === 'conversation' || limit === 'report' || limit === 'comment' ? `first-${limit}` : limit
}

/** Whether a request is not limited: outside production this machine's are not, so that development and tests are not counted. */
export const isRateLimitExempt = (config: Config, request: FastifyRequest | null): boolean =>
  !config.limits || (!config.production && request !== null && isLocalRequest(request))

export function createRateLimits(config: Config, store: RateCounterStore): RateLimits {
  const counters = new Map<string, { rule: RateLimitRule; counter: RateLimitCounter }[]>()
  for (const [name, rules] of Object.entries(rulesByClass)) {
    const counted = rules.map((rule) => ({ rule, counter: store.counter(`${name}:${rule.seconds}`, rule) }))
    counters.set(name, counted)
  }
  const isExempt = (request: FastifyRequest | null) => isRateLimitExempt(config, request)

  const consumeFrom = async (
    reply: FastifyReply,
    name: keyof typeof rulesByClass,
    key: string,
    cost: number,
  ) => {
    for (const { rule, counter } of counters.get(name) ?? []) {
      const { refused, left } = await consumePoints(counter, key, cost)
      const reset = Math.ceil(left.msBeforeNext / 1000)
      if (refused || !untold.has(name))
        reply.headers({
          'x-ratelimit-limit': rule.points,
          'x-ratelimit-remaining': Math.max(0, left.remainingPoints),
          'x-ratelimit-reset': Math.floor(Date.now() / 1000) + reset,
        })
      if (refused) throwFailure('general_rate_limit_exceeded', { retryAfter: reset })
    }
  }

  const consume: RateLimits['consume'] = async (request, reply, limit, { subject, cost = 1 } = {}) => {
    if (isExempt(request)) return
    const network = networkClass[limit] && getIpv6CustomerPrefix(request.ip)
    if (networkClass[limit] && network)
      await consumeFrom(reply, networkClass[limit], `network:${network}`, cost)
    await consumeFrom(reply, effectiveClass(limit, request), subject ?? keyOf(request, limit), cost)
  }

  return {
    consume,
    async consumeFor(request, reply, limit, work) {
      await consume(request, reply, limit)
      if (!refundedOnFailure.has(limit)) return work()
      return work().catch(async (refusal: unknown) => {
        if (!isExempt(request)) {
          for (const { counter } of counters.get(limit) ?? []) await counter.reward(keyOf(request, limit))
          await consume(request, reply, 'write')
        }
        throw refusal
      })
    },
    async spend(request, limit, subject) {
      if (isExempt(request)) return true
      for (const { counter } of counters.get(limit) ?? []) {
        if ((await consumePoints(counter, subject, 1)).refused) return false
      }
      return true
    },
    async reset(limit, subject) {
      for (const { counter } of counters.get(limit) ?? []) await counter.delete(subject)
    },
  }
}

async function consumePoints(counter: RateLimitCounter, key: string, cost: number) {
  try {
    return { refused: false, left: await counter.consume(key, cost) }
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return { refused: true, left: refusal }
    throw refusal
  }
}
