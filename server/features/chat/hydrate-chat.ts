import { type Kysely, sql } from 'kysely'
import type { Conversation } from '#contract/chat/conversations.ts'
import type { Message, MessagePhoto, Reaction } from '#contract/chat/messages.ts'
import { maxStrangerMessages, maxUnansweredMessages } from '#contract/limits.ts'
import type { Config } from '../../config.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import { hideKeyArrayLengthFromPlanner } from '../../database/prepared-statements.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import {
  memberKeyParameter,
  whereAccessRuleAllows,
  whereMaySeeReader,
  whereMemberHasAbility,
} from '../../policy/index.ts'
import { whereNotMuted } from '../people/mute-filter.ts'
import { joinPersonSummaryRow, type PersonSummaryRecord, toPersonSummary } from '../people/person-summary.ts'

/** A list row shows one line, and fifty whole messages would be 200 kB. */
const previewLength = 200
/** A quote shows one line. */
const quoteLength = 120

const sqlPhotosLabel = (alias: string) => {
  const count = sql.ref(`${alias}.photo_count`)
  return sql`case ${count} when 1 then 'Photo' else ${count} || ' photos' end`
}

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
  asked: boolean
  asking: boolean
  left: number | null
  restricted: boolean
  may_write: boolean
  may_block: boolean
  may_accept: boolean
  may_add_photos: boolean
}

/**
 * A hidden participant appears with the last known name and no picture, whatever the reason for hiding.
 * @param keys of `me`'s conversations
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
      case when newest.content = '' and newest.photo_count = 0 and newest.shares then 'Post'
        when newest.content = '' and newest.photo_count > 0 then ${sqlPhotosLabel('newest')}
        else left(newest.content, ${previewLength}) end as last_message, newest.created_at as last_time,
      newest.sender_id = ${meParam} as last_is_own,
      coalesce(newest.id > case c.low_id when ${meParam} then c.low_read_id else c.high_read_id end, false)
        and ${whereNotMuted(me, sql.ref('person.id'))} and not heard.quietly as unread,
      person.public_id as person_id, coalesce(known.other_name, person.name) as person_name,
      case when exists (select from accounts gone where gone.id = person.account_id and gone.erased_at is not null) then ''
        else coalesce(known.other_username, person.username) end as person_username,
      case when seen.visible and not heard.quietly then face.public_id end as person_image_id,
      seen.visible as other_visible, coalesce(c.asked_id = person.id, false) as asking,
      case when person.id in (c.asked_id, c.unanswered_by) then (
        select greatest(0, case when c.asked_id is null then ${maxStrangerMessages}::int else ${maxUnansweredMessages}::int end
          - count(*)::int) from messages m where m.conversation_id = c.id
      ) end as left,
      ${whereMemberHasAbility(meParam, 'isRestricted', 'conversations', 'c')} as restricted,
      ${whereMemberHasAbility(meParam, 'write', 'conversations', 'c')} as may_write, ${whereMemberHasAbility(meParam, 'block', 'conversations', 'c')} as may_block,
      ${whereMemberHasAbility(meParam, 'answer', 'conversations', 'c')} as asked,
      ${whereMemberHasAbility(meParam, 'accept', 'conversations', 'c')} as may_accept,
      ${whereMemberHasAbility(meParam, 'addPhotos', 'conversations', 'c')} as may_add_photos
    from unnest(${hideKeyArrayLengthFromPlanner(keys)}) with ordinality as wanted (id, position)
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
    standing: row.asking ? 'asking' : row.asked ? 'asked' : 'open',
    left: row.left,
    restricted: row.restricted,
    can: {
      write: row.may_write,
      addPhotos: row.may_write && row.may_add_photos,
      block: row.may_block,
      accept: row.may_accept,
    },
  }))
}

type MessageRow = {
  $id: string
  created_at: Date
  conversation_id: string
  sender_id: string
  other_id: string
  content: string
  other_key: number
  sender_sees_read: boolean
  other_sees_read: boolean
  unsent_at: Date | null
  reply_id: string | null
  reply_sender: string | null
  reply_content: string | null
  reply_unsent: boolean | null
  photos: MessagePhoto[] | null
  shares: boolean
  shared_post_id: string | null
  sender_sees_shared: boolean
  other_sees_shared: boolean
  reply_photos: number | null
  reply_image_id: string | null
  reactions: Reaction[] | null
}

export async function hydrateMessages(
  db: Kysely<DatabaseTables>,
  me: number,
  keys: readonly number[],
): Promise<Message[]> {
  return (await loadMessagesForBothParticipants(db, keys)).map((shownTo) => shownTo(me))
}

/** @returns a function that gives each participant's view, which is frozen and shared if both are equal */
export async function loadMessagesForBothParticipants(
  db: Kysely<DatabaseTables>,
  keys: readonly number[],
): Promise<((participant: number) => Message)[]> {
  if (keys.length === 0) return []
  const [sender, other] = [sql.ref<number>('sender.id'), sql.ref<number>('other.id')]
  const readBySender = whereMaySeeReader(sender, other, sql.ref('m.id'), 'c')
  const readByOther = whereMaySeeReader(other, other, sql.ref('m.id'), 'c')
  const { rows } = await sql<MessageRow>`
    select m.public_id as "$id", m.created_at, m.content, m.unsent_at, answered.public_id as reply_id,
      left(answered.content, ${quoteLength}) as reply_content, answered.unsent_at is not null as reply_unsent,
      (select s.public_id from users s where s.id = answered.sender_id) as reply_sender,
      answered.photo_count as reply_photos, case when answered.photo_count > 0 then (select af.public_id from message_photos ap
        join files af on af.id = ap.file_id where ap.message_id = answered.id and ap.position = 0) end as reply_image_id,
      case when m.photo_count > 0 then (
        select json_agg(json_build_object('id', pf.public_id, 'width', pf.width, 'height', pf.height,
          'thumbhash', translate(encode(pf.thumbhash, 'base64'), e'\n', ''), 'alt', mp.alt) order by mp.position)
        from message_photos mp join files pf on pf.id = mp.file_id where mp.message_id = m.id
      ) end as photos, c.public_id as conversation_id,
      sender.public_id as sender_id, other.public_id as other_id,
      (select jsonb_agg(jsonb_build_object('emoji', given.emoji, 'by', given.by) order by given.first, given.emoji) from (
        select r.emoji, array_agg(reacting.public_id order by r.created_at, r.user_id) as by, min(r.created_at) as first
        from message_reactions r join users reacting on reacting.id = r.user_id where r.message_id = m.id group by r.emoji
      ) given) as reactions,
      m.shares, shared.public_id as shared_post_id,
      shared.id is not null and ${whereAccessRuleAllows(sender, 'read', 'posts', 'shared')} as sender_sees_shared,
      shared.id is not null and ${whereAccessRuleAllows(other, 'read', 'posts', 'shared')} as other_sees_shared,
      other.id as other_key,
      m.unsent_at is null and ${readBySender} as sender_sees_read, m.unsent_at is null and ${readByOther} as other_sees_read
    from unnest(${hideKeyArrayLengthFromPlanner(keys)}) with ordinality as wanted (id, position)
    join messages m on m.id = wanted.id
    join conversations c on c.id = m.conversation_id
    left join messages answered on answered.id = m.reply_to_id
    left join posts shared on shared.id = m.shared_post_id
    join users sender on sender.id = m.sender_id
    join users other on other.id = case m.sender_id when c.low_id then c.high_id else c.low_id end
    order by wanted.position`.execute(db)
  return rows.map((row) => {
    const toSender = toMessage(row, row.sender_sees_read, row.sender_sees_shared)
    const toOther =
      row.other_sees_read === row.sender_sees_read && row.other_sees_shared === row.sender_sees_shared
        ? toSender
        : toMessage(row, row.other_sees_read, row.other_sees_shared)
    return (participant) => (participant === row.other_key ? toOther : toSender)
  })
}

const toMessage = (row: MessageRow, isRead: boolean, seesShared: boolean): Message =>
  Object.freeze({
    $id: row.$id,
    $createdAt: formatIsoTimestamp(row.created_at),
    conversationId: row.conversation_id,
    senderId: row.sender_id,
    content: row.content,
    photos: row.photos ?? [],
    shared: !row.shares
      ? null
      : seesShared && row.shared_post_id !== null
        ? { postId: row.shared_post_id }
        : { unavailable: true as const },
    type: 'text',
    readBy: isRead ? [row.sender_id, row.other_id] : [row.sender_id],
    replyTo:
      row.reply_id === null
        ? null
        : {
            $id: row.reply_id,
            senderId: row.reply_sender ?? '',
            content: row.reply_content ?? '',
            unsent: row.reply_unsent === true,
            ...(row.reply_photos &&
              row.reply_image_id !== null && {
                photos: { count: row.reply_photos, imageId: row.reply_image_id },
              }),
          },
    reactions: row.reactions ?? [],
    unsentAt: row.unsent_at && formatIsoTimestamp(row.unsent_at),
  })
