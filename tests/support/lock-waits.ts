import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#server/database/open-database.ts'

export async function waitForLockWaits(
  { pool }: Pick<Database, 'pool'>,
  count: number,
  work?: Promise<unknown>,
): Promise<void> {
  let done = false
  const settle = () => {
    done = true
  }
  void work?.then(settle, settle)
  while (!done) {
    const { rows } = await pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (rows.length >= count) return
    await pause(5)
  }
}

/** The first transaction to wait times out; the second is its retry. */
export async function waitForSecondLockWait({ pool }: Pick<Database, 'pool'>): Promise<void> {
  const begun = new Set<number>()
  while (begun.size < 2) {
    const { rows } = await pool.query<{ begun: Date }>(
      `select xact_start as begun from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    for (const row of rows) begun.add(row.begun.getTime())
    await pause(5)
  }
}
