/** Limits how many list queries that callers composed run at a time: one can cost as much as a hundred others. */
import type { Kysely } from 'kysely'
import type { Database } from '#server/database/open-database.ts'
import type { DatabaseTables } from '#server/database/schema.ts'
import { Failure, throwFailure } from '#server/errors.ts'
import { createKeyedConcurrencyLimiter } from './keyed-concurrency-limiter.ts'

/**
 * Runs a member's list: two at a time, the others in their turn, on connections that no other request waits for.
 * @param memberId key of the member who asks
 * @throws Failure general_rate_limit_exceeded when many wait already, database_timeout when a statement takes too long
 */
export type ExpensiveListQueryLimiter = <T>(
  memberId: number,
  work: (db: Kysely<DatabaseTables>) => Promise<T>,
) => Promise<T>

const limits = { concurrency: 2, waiting: 30 }
/** SQLSTATE of a statement that `statement_timeout` ended. */
const CANCELED = '57014'

export function createExpensiveListQueryLimiter(database: Database): ExpensiveListQueryLimiter {
  const limit = createKeyedConcurrencyLimiter<number>({
    ...limits,
    full: () =>
      throwFailure('general_rate_limit_exceeded', {
        message: `At most ${limits.concurrency + limits.waiting} lists at a time. Please try again in a moment.`,
        retryAfter: 1,
      }),
  })
  return (memberId, work) =>
    limit(memberId, () => database.withListConnection(work)).catch((error: { code?: unknown }) => {
      if (error.code !== CANCELED) throw error
      throw new Failure('database_timeout', { cause: error })
    })
}
