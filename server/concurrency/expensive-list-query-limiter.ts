/**
 * Limits how many list queries that callers composed run at a time, and shares their connections among members: one can cost as
 * much as a hundred others.
 */
import type { Kysely } from 'kysely'
import { type Database, listConnectionCount, listStatementTimeoutMs } from '#server/database/open-database.ts'
import type { DatabaseTables } from '#server/database/schema.ts'
import { Failure, throwFailure } from '#server/errors.ts'
import { createFairQueue, type FairQueue } from './fair-queue.ts'
import { createKeyedConcurrencyLimiter } from './keyed-concurrency-limiter.ts'

/**
 * Runs a member's list: two at a time, the others in their turn, on connections that no other request waits for. Where more wait
 * than there are connections, members take turns, and those whose lists were slow lately come after the others (decision 0213).
 * @param memberId key of the member who asks
 * @throws Failure general_rate_limit_exceeded when many of the member's wait already, general_service_unavailable when its
 * turn does not come, database_timeout when a statement takes too long
 */
export type ExpensiveListQueryLimiter = <T>(
  memberId: number,
  work: (db: Kysely<DatabaseTables>) => Promise<T>,
) => Promise<T>

const limits = { concurrency: 2, waiting: 30 }
/** For a connection. What exceeds `total` is refused, of the member who has most there; so is what waits for longer. */
const queueLimits = { total: 200, maxWaitMs: 3_000 }
/** A list that keeps its connection for as long as a statement may take is slow. Less makes ordinary searches slow while many are sent. */
const slowMs = listStatementTimeoutMs
/** How long a member with a slow list comes after the others. In that time the rate limit allows sixty. */
const slowForMs = 60_000
/** SQLSTATE of a statement that `statement_timeout` ended. */
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
      // Charged in advance, so that a member with none under way comes first.
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

/** Remembers members for a while. */
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
