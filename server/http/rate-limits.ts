/** The counters are stored by rate-limit-store.ts. */
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

/** These limits count by email address, phone number or account instead of the caller. */
type AccountLimitClass = 'sign-in-address' | 'password' | 'code'

/** Emails and text messages, counted by recipient and caller (account-message-limits.ts). */
type MessageLimitClass =
  | 'account-message'
  | 'owner-message'
  | 'recovery-email'
  | 'notice'
  | 'new-device-email'
  | 'deletion-email'
  | 'email-network'
  | 'sms-network'
  | 'email-strangers'
  | 'sms-strangers'

type RemoteLimitClass = 'remote-image'

/** Messages to someone who never answered, counted by conversation and sender. */
type ChatLimitClass = 'unanswered'

export type AnyRateLimitClass =
  | RateLimitClass
  | AccountLimitClass
  | MessageLimitClass
  | ChatLimitClass
  | RemoteLimitClass

/** These limits replace others for visitors and in an account's first week. */
type StricterClass = 'visitor' | 'first-conversation' | 'first-report' | 'first-comment'

/** These limits count by IPv6 /48 network, in addition to another class. */
type NetworkClass = 'sign-up-network' | 'application-network' | 'sign-in-network'

/** The rules count per account, or per address without a session. */
const rulesByClass: Record<AnyRateLimitClass | StricterClass | NetworkClass, readonly RateLimitRule[]> = {
  read: [{ points: 1500, seconds: 5 * minute }],
  visitor: [{ points: 60, seconds: minute }],
  search: [{ points: 60, seconds: minute }],
  people: [{ points: 60, seconds: minute }],
  write: [{ points: 300, seconds: 5 * minute }],
  /** Edits are broadcast live. Likes through the Appwrite API also count, because they edit the post. */
  edit: [
    { points: 30, seconds: minute },
    { points: 300, seconds: hour },
  ],
  'sign-up': [{ points: 5, seconds: 30 * minute }],
  /** A person reads each application. */
  application: [
    { points: 5, seconds: hour },
    { points: 10, seconds: day },
  ],
  'sign-in': [{ points: 25, seconds: 5 * minute }],
  // The sign-in page requests a challenge when it opens and every nine minutes.
  'passkey-offer': [{ points: 60, seconds: 5 * minute }],
  'sign-up-network': [{ points: 25, seconds: 30 * minute }],
  'application-network': [{ points: 30, seconds: day }],
  'sign-in-network': [{ points: 125, seconds: 5 * minute }],
  /** A successful sign-in resets the counter. */
  'sign-in-address': [{ points: 10, seconds: hour }],
  'account-message': [{ points: 5, seconds: hour }],
  /** Counts requests from known browsers and networks, apart from strangers. */
  'owner-message': [
    { points: 15, seconds: hour },
    { points: 50, seconds: day },
  ],
  /** Counts the requests of all callers together. After a refusal, links sent earlier still work. */
  'recovery-email': [{ points: 10, seconds: hour }],
  notice: [{ points: 10, seconds: day }],
  'new-device-email': [{ points: 10, seconds: day }],
  /** Counts per email address or phone number. */
  'deletion-email': [{ points: 10, seconds: day }],
  /** Recovery emails have a separate limit of the same size. */
  'email-network': [{ points: 50, seconds: day }],
  'sms-network': [{ points: 10, seconds: day }],
  /**
   * Counts emails and texts to unverified recipients, from all callers together, because text messages cost
   * money.
   */
  'email-strangers': [{ points: 5000, seconds: day }],
  'sms-strangers': [{ points: 500, seconds: day }],
  'email-request': [{ points: 25, seconds: 5 * minute }],
  /** Counts wrong passwords within a session. A correct password resets the counter. */
  password: [{ points: 10, seconds: hour }],
  /** Counts wrong codes per recipient (docs/topics/how-email-verification-works.md). */
  code: [
    { points: 10, seconds: hour },
    { points: 30, seconds: day },
  ],
  post: [
    { points: 20, seconds: hour },
    { points: 60, seconds: day },
  ],
  // The limit allows forty images of 12 megapixels or four of the largest.
  upload: [{ points: 120, seconds: 30 * minute }],
  'upload-kilobytes': [{ points: 200_000, seconds: day }],
  // A screen requests about fifty images, most of them only to revalidate.
  image: [{ points: 1500, seconds: 5 * minute }],
  'remote-image': [{ points: 10, seconds: minute }],
  // Resumed downloads send several requests, for ranges.
  archive: [{ points: 300, seconds: 5 * minute }],
  comment: [
    { points: 30, seconds: 5 * minute },
    { points: 300, seconds: day },
  ],
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
  /** Making an account private broadcasts up to a hundred posts. */
  privacy: [{ points: 30, seconds: hour }],
  message: [{ points: 60, seconds: 2 * minute }],
  unanswered: [{ points: 20, seconds: day }],
  conversation: [{ points: 10, seconds: day }],
  /** The limit applies in the first week, because a blocked member may return with a new account. */
  'first-conversation': [{ points: 5, seconds: day }],
  group: [{ points: 5, seconds: day }],
  'join-request': [{ points: 20, seconds: day }],
  invite: [{ points: 10, seconds: day }],
  'push-test': [{ points: 5, seconds: hour }],
  /** People read reports. */
  report: [{ points: 20, seconds: day }],
  'first-report': [{ points: 10, seconds: day }],
  'catch-up': [{ points: 100, seconds: 5 * minute }],
}

export type RateLimits = {
  /**
   * Sets `X-RateLimit` headers if the limit concerns only the caller.
   * @param more.subject key to count by
   * @param more.cost points, by default one
   * @throws Failure 429 with the seconds to wait
   */
  consume(
    request: FastifyRequest,
    reply: FastifyReply,
    limit: AnyRateLimitClass,
    more?: { subject?: string; cost?: number },
  ): Promise<void>
  /**
   * In scarce classes, a failed request is refunded and counts as a `write`: a mistake must cost little but
   * stay limited (decision 0082).
   * @throws Failure 429, and errors of `work`
   */
  consumeFor<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    limit: AnyRateLimitClass,
    work: () => Promise<T>,
  ): Promise<T>
  /** Counts the request and returns whether it is allowed. @param request null for a job */
  spend(request: FastifyRequest | null, limit: AnyRateLimitClass, subject: string): Promise<boolean>
  reset(limit: AccountLimitClass | ChatLimitClass, subject: string): Promise<void>
}

/** One person can have any number of accounts. */
const countedByAddress = new Set<AnyRateLimitClass>([
  'sign-up',
  'application',
  'sign-in',
  'passkey-offer',
  'email-request',
])

const networkClass: Partial<Record<AnyRateLimitClass, NetworkClass>> = {
  'sign-up': 'sign-up-network',
  application: 'application-network',
  'sign-in': 'sign-in-network',
}

/**
 * For these limits, the headers appear only with a refusal, because the remaining points may reveal another
 * person's activity.
 */
const withoutHeaders = new Set<keyof typeof rulesByClass>([
  'sign-in-address',
  'code',
  'account-message',
  'email-network',
  'sms-network',
])

const refundedOnFailure = new Set<AnyRateLimitClass>(['post', 'group', 'join-request', 'invite'])

/** A refunded limit must wrap the handler, because only successful requests count. */
export const isRateLimitRefundedOnFailure = (limit: AnyRateLimitClass): boolean =>
  refundedOnFailure.has(limit)

/**
 * Null for visitors and pending sessions, because the password alone must not suffice to use up the owner's
 * limits.
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

/** True for requests from this machine outside production. */
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
      if (refused || !withoutHeaders.has(name))
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
