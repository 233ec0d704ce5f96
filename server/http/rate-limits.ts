/** Defines rate limits and applies them to requests; rate-limit-store.ts keeps the counters. */
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

/** Account limits counted by email address, phone number or account instead of caller. */
type AccountLimitClass = 'sign-in-address' | 'password' | 'code'

/** Email and text message limits, counted by recipient and caller (account-message-limits.ts). */
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

/** Messages to someone who never answered, counted by conversation and sender. */
type ChatLimitClass = 'unanswered'

export type AnyRateLimitClass =
  | RateLimitClass
  | AccountLimitClass
  | LetterLimitClass
  | ChatLimitClass
  | RemoteLimitClass

/** Stricter replacements for visitors and an account's first week. */
type StricterClass = 'visitor' | 'first-conversation' | 'first-report' | 'first-comment'

/** Counted by IPv6 /48 beside a class. */
type NetworkClass = 'sign-up-network' | 'application-network' | 'sign-in-network'

/** Rules per account, or per address without a session. */
const rulesByClass: Record<AnyRateLimitClass | StricterClass | NetworkClass, readonly RateLimitRule[]> = {
  read: [{ points: 1500, seconds: 5 * minute }],
  /** Replaces `read` for visitors. */
  visitor: [{ points: 60, seconds: minute }],
  search: [{ points: 60, seconds: minute }],
  /** Pages of the member list. */
  people: [{ points: 60, seconds: minute }],
  write: [{ points: 300, seconds: 5 * minute }],
  /**
   * Edits of profiles, posts or groups, each broadcast live. Likes through the Appwrite API are edits of
   * posts.
   */
  edit: [
    { points: 30, seconds: minute },
    { points: 300, seconds: hour },
  ],
  'sign-up': [{ points: 5, seconds: 30 * minute }],
  /** Somebody reads each one. */
  application: [
    { points: 5, seconds: hour },
    { points: 10, seconds: day },
  ],
  'sign-in': [{ points: 25, seconds: 5 * minute }],
  // The sign-in page sends one on opening and every nine minutes.
  'passkey-offer': [{ points: 60, seconds: 5 * minute }],
  'sign-up-network': [{ points: 25, seconds: 30 * minute }],
  'application-network': [{ points: 30, seconds: day }],
  'sign-in-network': [{ points: 125, seconds: 5 * minute }],
  /** Failed sign-ins only: success resets them. */
  'sign-in-address': [{ points: 10, seconds: hour }],
  /** Emails or texts of one kind to one recipient. */
  letter: [{ points: 5, seconds: hour }],
  /**
   * The same for browsers and networks that the account knows, counted together and separately from
   * strangers'.
   */
  'owner-letter': [
    { points: 15, seconds: hour },
    { points: 50, seconds: day },
  ],
  /** Recovery emails to one address from any caller: earlier links keep working. */
  'recovery-letter': [{ points: 10, seconds: hour }],
  /** Notices about a new way to sign in. */
  notice: [{ points: 10, seconds: day }],
  /** Notices about an unknown browser signing in. */
  'new-device-letter': [{ points: 10, seconds: day }],
  /** Account-deletion emails per address, or texts per number. */
  'deletion-letter': [{ points: 10, seconds: day }],
  /** All emails that one network causes; recovery has the same again. */
  'mail-network': [{ points: 50, seconds: day }],
  'sms-network': [{ points: 10, seconds: day }],
  /** To unverified addresses and numbers, by everyone: text messages cost money. */
  'mail-strangers': [{ points: 5000, seconds: day }],
  'sms-strangers': [{ points: 500, seconds: day }],
  'email-request': [{ points: 25, seconds: 5 * minute }],
  /** Wrong passwords within a session: a right one resets them. */
  password: [{ points: 10, seconds: hour }],
  /** Wrong codes per recipient, across codes (docs/topics/how-email-verification-works.md). */
  code: [
    { points: 10, seconds: hour },
    { points: 30, seconds: day },
  ],
  post: [
    { points: 20, seconds: hour },
    { points: 60, seconds: day },
  ],
  // Requests are chunks: forty images of 12 megapixels or four of the largest.
  upload: [{ points: 120, seconds: 30 * minute }],
  'upload-kilobytes': [{ points: 200_000, seconds: day }],
  // A screen loads about fifty images, cached for an hour.
  image: [{ points: 1500, seconds: 5 * minute }],
  'remote-image': [{ points: 10, seconds: minute }],
  // Resumed downloads use ranges, some clients many.
  archive: [{ points: 300, seconds: 5 * minute }],
  comment: [
    { points: 30, seconds: 5 * minute },
    { points: 300, seconds: day },
  ],
  /** Replaces `comment` in the first week. */
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
  /** Going private broadcasts up to a hundred posts. */
  privacy: [{ points: 30, seconds: hour }],
  message: [{ points: 60, seconds: 2 * minute }],
  unanswered: [{ points: 20, seconds: day }],
  conversation: [{ points: 10, seconds: day }],
  /** Replaces `conversation` in the first week, because a blocked member may return with a new account. */
  'first-conversation': [{ points: 5, seconds: day }],
  group: [{ points: 5, seconds: day }],
  'join-request': [{ points: 20, seconds: day }],
  invite: [{ points: 10, seconds: day }],
  'push-test': [{ points: 5, seconds: hour }],
  /** People read reports. The second applies in the first week. */
  report: [{ points: 20, seconds: day }],
  'first-report': [{ points: 10, seconds: day }],
  /** Once per socket connection; an account may open twenty a minute. */
  'catch-up': [{ points: 100, seconds: 5 * minute }],
}

export type RateLimits = {
  /**
   * Counts a request and sets `X-RateLimit` headers if they concern only the caller.
   * @param more.subject key to count by, such as an email address
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
   * Counts a request around `work`. In scarce classes a failed request is refunded and counts as a `write`:
   * mistakes must be cheap but limited (decision 0082).
   * @throws Failure 429, and errors of `work`
   */
  consumeFor<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    limit: AnyRateLimitClass,
    work: () => Promise<T>,
  ): Promise<T>
  /** Like `consume`, but returns whether there was room. @param request null for a job */
  spend(request: FastifyRequest | null, limit: AnyRateLimitClass, subject: string): Promise<boolean>
  reset(limit: AccountLimitClass | ChatLimitClass, subject: string): Promise<void>
}

/** Counted by address even with a session, because accounts are unlimited. */
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
 * Limits by a subject that may be someone else's: remaining points would reveal their activity. Headers
 * appear only with the refusal.
 */
const untold = new Set<keyof typeof rulesByClass>([
  'sign-in-address',
  'code',
  'letter',
  'mail-network',
  'sms-network',
])

/** Scarce classes that count only successes. */
const refundedOnFailure = new Set<AnyRateLimitClass>(['post', 'group', 'join-request', 'invite'])

/** Whether only success costs a point, so the count wraps the handler. */
export const isRateLimitRefundedOnFailure = (limit: AnyRateLimitClass): boolean =>
  refundedOnFailure.has(limit)

/**
 * The account to count by. Null for visitors and sessions waiting for their second step: someone with only
 * the password must not use up the owner's limits.
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

/** Outside production, exempts this machine for development and tests. */
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
