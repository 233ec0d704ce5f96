/** From keys to what the chat shows: conversations and messages, each list in one statement. */
import { type Kysely, sql } from 'kysely'
import type { Conversation, Message } from '#contract/chat.ts'
import type { Config } from './config.ts'
import type { Tables } from './database/schema.ts'
import { unseen } from './database/statements.ts'
import { asMe } from './policy.ts'
import { joinPortrait, type PortraitRow, portraitColumns, toPortrait } from './portraits.ts'
import { toInstant } from './views.ts'

/** Of the newest message a list row shows one line: fifty whole messages would be 200 kB. */
const previewLength = 200

type ConversationRow = PortraitRow & {
  $id: string
  created_at: Date
  updated_at: Date
  me_id: string
  me_first: boolean
  last_message: string | null
  last_time: Date | null
  last_is_hers: boolean | null
  unread: boolean
}

/**
 * Conversations by key, in the order of the keys.
 * @param keys of conversations `me` takes part in
 */
export async function hydrateConversations(
  db: Kysely<Tables>,
  config: Config,
  me: number,
  keys: readonly number[],
): Promise<Conversation[]> {
  if (keys.length === 0) return []
  const asking = asMe(me)
  const { rows } = await sql<ConversationRow>`
    select c.public_id as "$id", c.created_at, c.updated_at, self.public_id as me_id, c.low_id = ${asking} as me_first,
      left(newest.content, ${previewLength}) as last_message, newest.created_at as last_time,
      newest.sender_id = ${asking} as last_is_hers,
      coalesce(newest.id > case c.low_id when ${asking} then c.low_read_id else c.high_read_id end, false) as unread,
      ${portraitColumns}
    from unnest(${unseen(keys)}) with ordinality as wanted (id, position)
    join conversations c on c.id = wanted.id
    join users self on self.id = ${asking}
    left join messages newest on newest.id = c.last_message_id
    ${joinPortrait(sql`case c.low_id when ${asking} then c.high_id else c.low_id end`)}
    order by wanted.position`.execute(db)
  return rows.map((row) => ({
    $id: row.$id,
    $createdAt: toInstant(row.created_at),
    $updatedAt: toInstant(row.updated_at),
    participants: row.me_first ? [row.me_id, row.person_id] : [row.person_id, row.me_id],
    type: 'direct',
    other: toPortrait(config, row),
    lastMessage: row.last_message,
    lastMessageTime: row.last_time && toInstant(row.last_time),
    lastMessageSender: row.last_is_hers === null ? null : row.last_is_hers ? row.me_id : row.person_id,
    unread: row.unread,
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
 * Messages by key, in the order of the keys. Who has read one follows from the marks of its conversation (reading R-09).
 */
export async function hydrateMessages(db: Kysely<Tables>, keys: readonly number[]): Promise<Message[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<MessageRow>`
    select m.public_id as "$id", m.created_at, m.content, c.public_id as conversation_id,
      sender.public_id as sender_id, other.public_id as other_id,
      case m.sender_id when c.low_id then c.high_read_id else c.low_read_id end >= m.id as read_by_other
    from unnest(${unseen(keys)}) with ordinality as wanted (id, position)
    join messages m on m.id = wanted.id
    join conversations c on c.id = m.conversation_id
    join users sender on sender.id = m.sender_id
    join users other on other.id = case m.sender_id when c.low_id then c.high_id else c.low_id end
    order by wanted.position`.execute(db)
  return rows.map((row) => ({
    $id: row.$id,
    $createdAt: toInstant(row.created_at),
    conversationId: row.conversation_id,
    senderId: row.sender_id,
    content: row.content,
    type: 'text',
    readBy: row.read_by_other ? [row.sender_id, row.other_id] : [row.sender_id],
  }))
}
