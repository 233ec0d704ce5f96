import type { Kysely } from 'kysely'
import { type Database, listConnectionCount, listStatementTimeoutMs } from '#server/database/open-database.ts'
import type { DatabaseTables } from '#server/database/schema.ts'
import { Failure, throwFailure } from '#server/errors.ts'
import { createFairQueue, type FairQueue } from './fair-queue.ts'
import { createKeyedConcurrencyLimiter } from './keyed-concurrency-limiter.ts'

/**
 * A list query that a caller composes can cost as much as a hundred other queries. At most two per member run
 * on reserved connections. Members with a recent slow list come last
 * (docs/topics/how-overload-is-handled.md).
 * @param memberId the caller's key
 * @throws Failure general_rate_limit_exceeded if too many lists wait, general_service_unavailable if no slot
 * becomes free, database_timeout for a slow statement
 */
export type ExpensiveListQueryLimiter = <T>(
  memberId: number,
  work: (db: Kysely<DatabaseTables>) => Promise<T>,
) => Promise<T>

const limits = { concurrency: 2, waiting: 30 }
/** If more than `total` lists wait, the member with the most waiting lists loses one. */
const queueLimits = { total: 200, maxWaitMs: 3_000 }
/** The full time of a statement. A lower limit would mark ordinary searches as slow under load. */
const slowMs = listStatementTimeoutMs
/** A slow list lowers its member's priority for this long. The rate limit allows sixty lists in that time. */
const slowForMs = 60_000
/** PostgreSQL's code after `statement_timeout`. */
const CANCELED = '57014'

export function createExpensiveListQueryLimiter(
  database: Database,
  { total, maxWaitMs } = queueLimits,
): ExpensiveListQueryLimiter {
  type Waiting = { memberId: number; queue: FairQueue<Waiting>; begin(): void; refuse(): void }
  const ordinary = createFairQueue<Waiting>({ total, perCaller: limits.concurrency })
  const slow = createFairQueue<Waiting>({ total, perCaller: limits.concurrency })
  const wasSlowLately = createRecentMembers(slowForMs)
  let free = listConnectionCount

  const enqueue = (waiting: Waiting) => {
    const { memberId } = waiting
    waiting.queue = wasSlowLately.has(memberId) ? slow : ordinary
    if (waiting.queue.push(memberId, waiting)) return
    waiting.queue.displace(memberId)?.refuse()
    if (!waiting.queue.push(memberId, waiting)) waiting.refuse()
  }
  const takeNext = (): Waiting | undefined => {
    for (let waiting = ordinary.shift(); waiting; waiting = ordinary.shift()) {
      if (!wasSlowLately.has(waiting.memberId)) return waiting
      enqueue(waiting)
    }
    return slow.shift()
  }
  const next = () => {
    while (free > 0) {
      const waiting = takeNext()
      if (!waiting) return
      free -= 1
      // The cost is charged in advance, so that members with no running list come first.
      waiting.queue.charge(waiting.memberId, listStatementTimeoutMs)
      waiting.begin()
    }
  }
  const waitForTurn = (memberId: number) =>
    new Promise<FairQueue<Waiting>>((resolve, reject) => {
      const waiting: Waiting = {
        memberId,
        queue: ordinary,
        begin() {
          clearTimeout(timer)
          resolve(waiting.queue)
        },
        refuse() {
          clearTimeout(timer)
          reject(new Failure('general_service_unavailable', { retryAfter: 2 }))
        },
      }
      const timer = setTimeout(() => {
        if (waiting.queue.remove(memberId, waiting)) waiting.refuse()
      }, maxWaitMs)
      enqueue(waiting)
      next()
    })
  const runInTurn: ExpensiveListQueryLimiter = async (memberId, work) => {
    const queue = await waitForTurn(memberId)
    const started = performance.now()
    try {
      return await database.withListConnection(work)
    } finally {
      const cost = performance.now() - started
      queue.charge(memberId, cost - listStatementTimeoutMs)
      if (cost >= slowMs) {
        wasSlowLately.add(memberId)
        if (queue !== slow) slow.charge(memberId, cost)
      }
      free += 1
      next()
    }
  }
  const limit = createKeyedConcurrencyLimiter<number>({
    ...limits,
    full: () =>
      throwFailure('general_rate_limit_exceeded', {
        message: `At most ${limits.concurrency + limits.waiting} lists at a time. Please try again in a moment.`,
        retryAfter: 1,
      }),
  })
  return (memberId, work) =>
    limit(memberId, () => runInTurn(memberId, work)).catch((error: { code?: unknown }) => {
      if (error.code !== CANCELED) throw error
      throw new Failure('database_timeout', { cause: error })
    })
}

function createRecentMembers(milliseconds: number) {
  const until = new Map<number, number>()
  return {
    add(memberId: number): void {
      const now = performance.now()
      for (const [each, end] of until) if (end <= now) until.delete(each)
      until.set(memberId, now + milliseconds)
    },
    has: (memberId: number): boolean => (until.get(memberId) ?? 0) > performance.now(),
  }
}
