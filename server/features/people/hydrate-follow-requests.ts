import { type Kysely, sql } from 'kysely'
import type { FollowRequest } from '#contract/people/follow-requests.ts'
import type { Config } from '../../config.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import { hideKeyArrayLengthFromPlanner } from '../../database/prepared-statements.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { memberKeyParameter, selectJoinedGroupKeys, whereMemberMayRead } from '../../policy/index.ts'
import {
  joinPersonSummaryRow,
  type PersonSummaryRecord,
  personSummaryColumns,
  toPersonSummary,
} from './person-summary.ts'

type FollowRequestRow = PersonSummaryRecord & {
  $id: string
  created_at: Date
  following: boolean
  groups_in_common: number
  joined_at: Date | null
}

export async function hydrateFollowRequests(
  db: Kysely<DatabaseTables>,
  config: Config,
  me: number,
  keys: readonly number[],
): Promise<FollowRequest[]> {
  if (keys.length === 0) return []
  const meParam = memberKeyParameter(me)
  const { rows } = await sql<FollowRequestRow>`
    select r.public_id as "$id", r.created_at, ${personSummaryColumns},
      exists (select from follows f where f.follower_id = ${meParam} and f.following_id = r.asker_id) as following,
      (select count(*)::int from group_members m
        where m.user_id = r.asker_id and m.group_id in ${selectJoinedGroupKeys(meParam)}) as groups_in_common,
      case when person.created_at > clock_timestamp() - interval '7 days' then person.created_at end as joined_at
    from unnest(${hideKeyArrayLengthFromPlanner(keys)}) with ordinality as wanted (id, position)
    join follow_requests r on r.id = wanted.id and ${whereMemberMayRead(meParam, 'follow_requests', 'r')}
    ${joinPersonSummaryRow(sql.ref('r.asker_id'))}
    order by wanted.position`.execute(db)
  return rows.map((row) => ({
    $id: row.$id,
    requestedAt: formatIsoTimestamp(row.created_at),
    person: toPersonSummary(config, row),
    why: {
      following: row.following,
      groupsInCommon: row.groups_in_common,
      joinedAt: row.joined_at && formatIsoTimestamp(row.joined_at),
    },
  }))
}
