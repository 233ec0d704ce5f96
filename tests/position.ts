/** Where the stream of changes stands. */
import { expect } from 'vitest'
import { catchUp } from '#contract/live.ts'
import type { Database } from '#server/database/open.ts'
import type { Person } from './person.ts'
import { until } from './until.ts'

/**
 * Where the stream stands once everything so far is behind it: a transaction of any other database of the same PostgreSQL
 * holds the position back, and what it holds back is told again.
 */
export async function positionNow({ pool }: Database, person: Person): Promise<string> {
  await until(async () => {
    const { rows } = await pool.query<{ behind: boolean }>(
      `select coalesce(max(xid::text::bigint), 0) < pg_snapshot_xmin(pg_current_snapshot())::text::bigint as behind
       from changes`,
    )
    expect(rows[0]?.behind).toBe(true)
  })
  return (await person.call(catchUp, {})).position
}
