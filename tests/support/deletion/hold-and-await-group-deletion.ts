import { sql } from 'kysely'
import type { Database } from '#server/database/open-database.ts'
import { waitFor } from '../wait-for.ts'

/** Keeps the posts from being deleted. @returns a function that releases the lock */
export async function lockGroupPosts({ pool }: Database, groupId: string): Promise<() => Promise<void>> {
  const client = await pool.connect()
  await client.query('begin')
  await client.query('set local idle_in_transaction_session_timeout = 0')
  await client.query(
    `select from posts where group_id = (select id from groups where public_id = $1) for key share`,
    [groupId],
  )
  return async () => {
    await client.query('commit')
    client.release()
  }
}

export const waitUntilDeletedGroupsCleared = ({ kysely }: Database): Promise<void> =>
  waitFor(async () => {
    const { rows } = await sql`select from deleted_groups`.execute(kysely)
    if (rows.length > 0) throw new Error(`${rows.length} deleted groups are left`)
  })
