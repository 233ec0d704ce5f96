import { type Kysely, sql } from 'kysely'
import type { MessageRequest } from '#contract/chat/message-requests.ts'
import type { Config } from '../../config.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import { hideKeyArrayLengthFromPlanner } from '../../database/prepared-statements.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { memberKeyParameter, selectJoinedGroupKeys, whereAccessRuleAllows } from '../../policy/index.ts'
import { hydrateConversations, hydrateMessages } from './hydrate-chat.ts'

/** A sender may send only this many messages before the recipient answers. */
const shownMessages = 3

type RequestRow = {
  visible: boolean
  follows_me: boolean
  groups_in_common: number
  joined_at: Date
  messages: number[]
}

export async function hydrateMessageRequests(
  db: Kysely<DatabaseTables>,
  config: Config,
  me: number,
  keys: readonly number[],
): Promise<MessageRequest[]> {
  if (keys.length === 0) return []
  const meParam = memberKeyParameter(me)
  const { rows } = await sql<RequestRow>`
    select ${whereAccessRuleAllows(meParam, 'read', 'users', 'person')} as visible,
      exists (select from follows f where f.follower_id = person.id and f.following_id = ${meParam}) as follows_me,
      (select count(*)::int from group_members m
        where m.user_id = person.id and m.group_id in ${selectJoinedGroupKeys(meParam)}) as groups_in_common,
      person.created_at as joined_at,
      array(
        select m.id from messages m
        where m.conversation_id = c.id and m.sender_id = person.id and m.unsent_at is null
        order by m.id desc limit ${shownMessages}
      ) as messages
    from unnest(${hideKeyArrayLengthFromPlanner(keys)}) with ordinality as wanted (id, position)
    join conversations c on c.id = wanted.id
    join users person on person.id = case c.low_id when ${meParam} then c.high_id else c.low_id end
    order by wanted.position`.execute(db)
  const conversations = await hydrateConversations(db, config, me, keys)
  const messages = await hydrateMessages(
    db,
    me,
    rows.flatMap((row) => row.messages.toReversed()),
  )
  return conversations.map((conversation, index) => {
    const row = rows[index]
    return {
      conversation,
      why: row?.visible
        ? {
            followsMe: row.follows_me,
            groupsInCommon: row.groups_in_common,
            joinedAt: formatIsoTimestamp(row.joined_at),
          }
        : null,
      messages: messages.filter(({ conversationId }) => conversationId === conversation.$id),
    }
  })
}
