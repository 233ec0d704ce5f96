/**
 * How often one member or one address may do what (security reference §5.1); limits-store.ts counts it.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { RateLimiterRes } from 'rate-limiter-flexible'
import type { LimitClass } from '#contract/operation.ts'
import type { Config } from './config.ts'
import { fail } from './errors.ts'
import type { Counter, CounterStore, Rule } from './limits-store.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** The account door's own, counted by what they name: an e-mail address, a phone number, an account. */
type AccountLimitClass = 'sign-in-address' | 'letter' | 'letter-request' | 'password' | 'code'

/** Files: pictures that are shown, kilobytes that arrive, pictures fetched from elsewhere (security reference §5.6). */
type FileLimitClass = 'picture' | 'upload-kilobytes' | 'remote-picture'

/** What is sent to somebody who never wrote back, counted by the conversation and the sender. */
type ChatLimitClass = 'unanswered'

export type AnyLimitClass = LimitClass | AccountLimitClass | FileLimitClass | ChatLimitClass

/** What counts instead for whom less is open: who is not signed in, and accounts in their first week. */
type Narrower = 'visitor' | 'first-conversation'

/** For each member, or for each address where nobody is signed in. */
const classes: Record<AnyLimitClass | Narrower, readonly Rule[]> = {
  read: [{ points: 1500, seconds: 5 * minute }],
  /** Instead of `read` where nobody is signed in. */
  visitor: [{ points: 60, seconds: minute }],
  search: [{ points: 60, seconds: minute }],
  /** The list of all members, page by page. */
  people: [{ points: 60, seconds: minute }],
  write: [{ points: 300, seconds: 5 * minute }],
  'sign-up': [{ points: 5, seconds: 30 * minute }],
  'sign-in': [{ points: 25, seconds: 5 * minute }],
  /** Failures only: a success forgives them. */
  'sign-in-address': [{ points: 10, seconds: hour }],
  letter: [{ points: 5, seconds: hour }],
  'letter-request': [{ points: 25, seconds: 5 * minute }],
  password: [{ points: 10, seconds: 10 * minute }],
  code: [{ points: 10, seconds: hour }],
  post: [
    { points: 20, seconds: hour },
    { points: 60, seconds: day },
  ],
  // A chunk is a request: this is room for forty pictures of 12 megapixels or four of the largest.
  upload: [{ points: 120, seconds: 30 * minute }],
  'upload-kilobytes': [{ points: 200_000, seconds: day }],
  // A screen of posts and faces is fifty of them, which the browser then keeps for an hour.
  picture: [{ points: 1500, seconds: 5 * minute }],
  'remote-picture': [{ points: 10, seconds: minute }],
  like: [{ points: 300, seconds: hour }],
  follow: [
    { points: 60, seconds: hour },
    { points: 400, seconds: day },
  ],
  message: [{ points: 60, seconds: 2 * minute }],
  unanswered: [{ points: 20, seconds: day }],
  /** With somebody she has not talked with before. */
  conversation: [{ points: 10, seconds: day }],
  /** Instead of `conversation` for a new account: who was sent away comes back with one. */
  'first-conversation': [{ points: 5, seconds: day }],
  group: [{ points: 5, seconds: day }],
  'join-request': [{ points: 20, seconds: day }],
}

export type Limits = {
  /**
   * @param more.subject what is counted instead of who asks: an address that letters go to, say
   * @param more.cost how much it counts, where it is not one
   * @throws Failure 429 with the seconds to wait
   */
  count(
    request: FastifyRequest,
    reply: FastifyReply,
    limit: AnyLimitClass,
    more?: { subject?: string; cost?: number },
  ): Promise<void>
  /**
   * Counts what is done. Of what few are allowed, one that is refused counts as a `write` instead: mistakes in a form are
   * no posts, and are bounded all the same.
   * @throws Failure 429, and what `work` throws
   */
  counted<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    limit: AnyLimitClass,
    work: () => Promise<T>,
  ): Promise<T>
  /** Forgets what was counted for a subject. */
  forgive(limit: AccountLimitClass | ChatLimitClass, subject: string): Promise<void>
}

const forwardingHeaders = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via']

/**
 * Loopback is exempt outside production, and only when no proxy stands between: else a proxy would free everybody.
 */
export const isOwnMachine = (request: Pick<IncomingMessage, 'socket' | 'headers'>): boolean =>
  /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? '') &&
  forwardingHeaders.every((header) => request.headers[header] === undefined)

/** IPv6 addresses count by their /64, which one household or one attacker has whole. */
export function addressKey(ip: string): string {
  const [, fourInSix] = /^::ffff:([\d.]+)$/i.exec(ip) ?? []
  if (fourInSix || !ip.includes(':')) return fourInSix ?? ip
  const [before = [], after = []] = ip.split('::').map((half) => half.split(':').filter(Boolean))
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}

/** What begins without an account counts for the address, whoever is signed in: accounts are to be had in any number. */
const forAddress = new Set<AnyLimitClass>(['sign-up', 'sign-in', 'letter-request'])

/** Few in an hour or a day, of those that come about. */
const fewAllowed = new Set<AnyLimitClass>(['post', 'group', 'join-request'])

const whoAsks = ({ caller, ip }: FastifyRequest, limit: AnyLimitClass) =>
  caller && !forAddress.has(limit) ? `account:${caller.account.id}` : `address:${addressKey(ip)}`

function narrowed(limit: AnyLimitClass, { caller }: FastifyRequest): AnyLimitClass | Narrower {
  if (limit === 'read' && caller === null) return 'visitor'
  return limit === 'conversation' && caller?.account.isNew ? 'first-conversation' : limit
}

export function createLimits(config: Config, store: CounterStore): Limits {
  const counters = new Map<string, { rule: Rule; counter: Counter }[]>()
  for (const [name, rules] of Object.entries(classes)) {
    const counted = rules.map((rule) => ({ rule, counter: store.counter(`${name}:${rule.seconds}`, rule) }))
    counters.set(name, counted)
  }
  const isExempt = (request: FastifyRequest) =>
    !config.limits || (!config.production && isOwnMachine(request))

  const count: Limits['count'] = async (request, reply, limit, { subject, cost = 1 } = {}) => {
    if (isExempt(request)) return
    const key = subject ?? whoAsks(request, limit)
    const name = narrowed(limit, request)
    for (const { rule, counter } of counters.get(name) ?? []) {
      const { refused, left } = await consume(counter, key, cost)
      const reset = Math.ceil(left.msBeforeNext / 1000)
      reply.headers({
        'x-ratelimit-limit': rule.points,
        'x-ratelimit-remaining': Math.max(0, left.remainingPoints),
        'x-ratelimit-reset': Math.floor(Date.now() / 1000) + reset,
      })
      if (refused) fail('general_rate_limit_exceeded', { retryAfter: reset })
    }
  }

  return {
    count,
    async counted(request, reply, limit, work) {
      await count(request, reply, limit)
      if (!fewAllowed.has(limit)) return work()
      return work().catch(async (refusal: unknown) => {
        if (!isExempt(request)) {
          for (const { counter } of counters.get(limit) ?? []) await counter.reward(whoAsks(request, limit))
          await count(request, reply, 'write')
        }
        throw refusal
      })
    },
    async forgive(limit, subject) {
      for (const { counter } of counters.get(limit) ?? []) await counter.delete(subject)
    },
  }
}

async function consume(counter: Counter, key: string, cost: number) {
  try {
    return { refused: false, left: await counter.consume(key, cost) }
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return { refused: true, left: refusal }
    throw refusal
  }
}
