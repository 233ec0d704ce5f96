import { type Selectable, sql } from 'kysely'
import type { DatabaseTables } from '../../database/schema.ts'
import type { StoreTransaction } from '../../store/store-transaction.ts'

type Follow = Selectable<DatabaseTables['follows']>

/** Records that a former follower can no longer read followers-only posts. */
export const beforeFollowRemoved = (
  tx: StoreTransaction,
  { follower_id, following_id }: Follow,
): Promise<void> =>
  tx.recordAccessLoss(
    'posts',
    sql`t.creator_id = ${following_id} and t.group_id is null and t.followers_only and t.hidden_by is null and t.withheld_by is null`,
    sql`array[${follower_id}]::bigint[]`,
  )
