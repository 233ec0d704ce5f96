import { type Kysely, sql } from 'kysely'
import type { MemberBlock } from '#contract/people/blocks.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import { hideKeyArrayLengthFromPlanner } from '../../database/prepared-statements.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import {
  memberKeyParameter,
  selectJoinedGroupKeys,
  whereMemberHasAbility,
  whereMemberMayRead,
} from '../../policy/index.ts'

type BlockRow = {
  $id: string
  created_at: Date
  person_id: string
  name: string
  username: string
  newer_accounts: boolean
  conversation_id: string | null
  groups_in_common: number
}

export async function hydrateBlocks(
  db: Kysely<DatabaseTables>,
  me: number,
  keys: readonly number[],
): Promise<MemberBlock[]> {
  if (keys.length === 0) return []
  const meParam = memberKeyParameter(me)
  const { rows } = await sql<BlockRow>`
    select b.public_id as "$id", b.created_at, b.newer_accounts, u.public_id as person_id,
      pair.other_name as name, pair.other_username as username, c.public_id as conversation_id,
      case when ${whereMemberHasAbility(meParam, 'observe', 'users', 'u')} then (
        select count(*)::int from group_members m where m.user_id = u.id and m.group_id in ${selectJoinedGroupKeys(meParam)}
      ) else 0 end as groups_in_common
    from unnest(${hideKeyArrayLengthFromPlanner(keys)}) with ordinality as wanted (id, position)
    join blocks b on b.id = wanted.id and ${whereMemberMayRead(meParam, 'blocks', 'b')}
    join users u on u.id = b.blocked_id
    join block_pairs pair on pair.block_id = b.id and pair.member_id = b.blocker_id and pair.other_id = b.blocked_id
    left join conversations c
      on c.low_id = least(b.blocker_id, b.blocked_id) and c.high_id = greatest(b.blocker_id, b.blocked_id)
      and c.last_message_id is not null
    order by wanted.position`.execute(db)
  return rows.map((row) => ({
    $id: row.$id,
    $createdAt: formatIsoTimestamp(row.created_at),
    person: { $id: row.person_id, name: row.name, username: row.username },
    newerAccounts: row.newer_accounts,
    conversationId: row.conversation_id,
    groupsInCommon: row.groups_in_common,
  }))
}
