/** Loads conversations and messages by key as the chat shows them, each list in one statement. */
import { type Kysely, sql } from 'kysely'
import type { Conversation, Message } from '#contract/chat/conversations.ts'
import { maxUnansweredMessages } from '#contract/limits.ts'
import type { Config } from '../config.ts'
import { planIndependentKeyArray } from '../database/prepared-statements.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { memberKeyParameter, whereAccessRuleAllows, whereMemberHasAbility } from '../policy.ts'
import { formatIsoTimestamp } from './iso-timestamp.ts'
import { whereNotMuted } from './mute-filter.ts'
import { joinPersonSummaryRow, type PersonSummaryRecord, toPersonSummary } from './person-summary.ts'

/** Of the newest message a list row shows one line: fifty whole messages would be 200 kB. */
const previewLength = 200

type ConversationRow = PersonSummaryRecord & {
  $id: string
  created_at: Date
  updated_at: Date
  me_id: string
  me_first: boolean
  last_message: string | null
  last_time: Date | null
  last_is_own: boolean | null
  unread: boolean
  other_visible: boolean
  asking: boolean
  left: number | null
  restricted: boolean
  may_write: boolean
  may_block: boolean
  may_accept: boolean
}

/**
 * Loads conversations by key, in the order of the keys. The other who is out of sight, for whatever reason, has the names that
 * the caller knew, and no picture: what has become of that member shows nowhere.
 * @param keys of conversations `me` takes part in
 */
export async function hydrateConversations(
  db: Kysely<DatabaseTables>,
  config: Config,
  me: number,
  keys: readonly number[],
): Promise<Conversation[]> {
  if (keys.length === 0) return []
  const meParam = memberKeyParameter(me)
  const { rows } = await sql<ConversationRow>`
    select c.public_id as "$id", c.created_at, c.updated_at, self.public_id as me_id, c.low_id = ${meParam} as me_first,
      left(newest.content, ${previewLength}) as last_message, newest.created_at as last_time,
      newest.sender_id = ${meParam} as last_is_own,
      coalesce(newest.id > case c.low_id when ${meParam} then c.low_read_id else c.high_read_id end, false)
        and ${whereNotMuted(me, sql.ref('person.id'))} and not heard.quietly as unread,
      person.public_id as person_id, coalesce(known.other_name, person.name) as person_name,
      coalesce(known.other_username, person.username) as person_username,
      case when seen.visible and not heard.quietly then face.public_id end as person_image_id,
      seen.visible as other_visible, coalesce(c.asked_id = person.id, false) as asking,
      case when c.asked_id = person.id then (
        select ${maxUnansweredMessages} - count(*)::int from messages m where m.conversation_id = c.id
      ) end as left,
      ${whereMemberHasAbility(meParam, 'isRestricted', 'conversations', 'c')} as restricted,
      ${whereMemberHasAbility(meParam, 'write', 'conversations', 'c')} as may_write, ${whereMemberHasAbility(meParam, 'block', 'conversations', 'c')} as may_block,
      ${whereMemberHasAbility(meParam, 'answer', 'conversations', 'c')} as may_accept
    from unnest(${planIndependentKeyArray(keys)}) with ordinality as wanted (id, position)
    join conversations c on c.id = wanted.id
    join users self on self.id = ${meParam}
    left join messages newest on newest.id = c.last_message_id
    ${joinPersonSummaryRow(sql`case c.low_id when ${meParam} then c.high_id else c.low_id end`)}
    cross join lateral (select ${whereAccessRuleAllows(meParam, 'read', 'users', 'person')} as visible) as seen
    cross join lateral (select ${whereMemberHasAbility(meParam, 'readQuietly', 'conversations', 'c')} as quietly) as heard
    left join lateral (
      select p.other_name, p.other_username from block_pairs p
      where p.member_id = ${meParam} and p.other_id = person.id order by p.block_id limit 1
    ) known on true
    order by wanted.position`.execute(db)
  return rows.map((row) => ({
    $id: row.$id,
    $createdAt: formatIsoTimestamp(row.created_at),
    $updatedAt: formatIsoTimestamp(row.updated_at),
    participants: row.me_first ? [row.me_id, row.person_id] : [row.person_id, row.me_id],
    type: 'direct',
    other: { ...toPersonSummary(config, row), visible: row.other_visible },
    lastMessage: row.last_message,
    lastMessageTime: row.last_time && formatIsoTimestamp(row.last_time),
    lastMessageSender: row.last_is_own === null ? null : row.last_is_own ? row.me_id : row.person_id,
    unread: row.unread,
    standing: row.asking ? 'asking' : row.may_accept ? 'asked' : 'open',
    left: row.left,
    restricted: row.restricted,
    can: { write: row.may_write, block: row.may_block, accept: row.may_accept },
  }))
}

type MessageRow = {
  $id: string
  created_at: Date
  conversation_id: string
  sender_id: string
  other_id: string
  content: string
  read_by_other: boolean
}

/**
 * Loads messages by key, in the order of the keys. Who has read one follows from the marks of its conversation.
 */
export async function hydrateMessages(
  db: Kysely<DatabaseTables>,
  keys: readonly number[],
): Promise<Message[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<MessageRow>`
    select m.public_id as "$id", m.created_at, m.content, c.public_id as conversation_id,
      sender.public_id as sender_id, other.public_id as other_id,
      case m.sender_id when c.low_id then c.high_read_id else c.low_read_id end >= m.id as read_by_other
    from unnest(${planIndependentKeyArray(keys)}) with ordinality as wanted (id, position)
    join messages m on m.id = wanted.id
    join conversations c on c.id = m.conversation_id
    join users sender on sender.id = m.sender_id
    join users other on other.id = case m.sender_id when c.low_id then c.high_id else c.low_id end
    order by wanted.position`.execute(db)
  return rows.map((row) => ({
    $id: row.$id,
    $createdAt: formatIsoTimestamp(row.created_at),
    conversationId: row.conversation_id,
    senderId: row.sender_id,
    content: row.content,
    type: 'text',
    readBy: row.read_by_other ? [row.sender_id, row.other_id] : [row.sender_id],
  }))
}
