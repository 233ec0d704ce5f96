/** Conversations and messages, as documents (spec §3 Conversation, Message). */
import { type RawBuilder, sql } from 'kysely'
import { messageContent } from '#contract/chat.ts'
import { fail } from '../errors.ts'
import { countConversation, countUnanswered, markRead } from '../features/chat.ts'
import { isId } from '../ids.ts'
import { toInstant } from '../views.ts'
import {
  actor,
  constant,
  type DocumentCollection,
  derived,
  idIn,
  type Link,
  reference,
  t,
} from './document-fields.ts'
import { exact, members, moment, type Queryable, words } from './query-conditions.ts'

const ofLast = (column: string): RawBuilder<unknown> =>
  sql`(select last.${sql.ref(column)} from messages last where last.id = t.last_message_id)`
const lastTime = ofLast('created_at')
const lastSender = sql`(select s.public_id from users s where s.id = ${ofLast('sender_id')})`

/** Null where nothing was said yet, so a cursor could not be compared with it. */
const unordered = ({ compare }: Queryable): Queryable => ({ compare })

export const conversations: DocumentCollection = {
  name: 'conversations',
  table: 'conversations',
  edited: true,
  limit: 'message',
  counted: {
    limit: 'conversation',
    async count(asking, me, { participants }) {
      // What are no two people is refused for that.
      if (!Array.isArray(participants) || participants.length !== 2) return
      const other = participants.find((id) => id !== me.publicId)
      if (isId(other) && participants.includes(me.publicId)) await countConversation(asking, me, other)
    },
  },
  fields: {
    participants: {
      read: () =>
        sql`array(select p.public_id::text from users p where p.id in (t.low_id, t.high_id) order by p.id)`,
      query: members((keys) => sql`(t.low_id = any(${keys}) or t.high_id = any(${keys}))`),
      write: { as: 'pair', columns: ['low_id', 'high_id'] },
    },
    type: constant('type', 'direct'),
    lastMessage: {
      read: () => ofLast('content'),
      query: unordered(words(ofLast('content'))),
      write: derived,
    },
    lastMessageTime: {
      read: () => lastTime,
      show: (time) => (time === null ? null : toInstant(time as Date)),
      query: moment(lastTime, sql`coalesce(${lastTime}, t.created_at)`),
      write: derived,
    },
    lastMessageSender: { read: () => lastSender, query: unordered(exact(lastSender)), write: derived },
  },
}

/** The sender, and everyone whose mark is at or past the message (reading R-09). */
const hasRead = (key: RawBuilder<unknown>) =>
  sql`(${key} = t.sender_id or case ${key} when c.low_id then c.low_read_id else c.high_read_id end >= t.id)`

/**
 * Adding oneself moves one's mark up to the message; leaving oneself out takes nothing back.
 * @throws Failure when somebody else would be added: only she can read for herself (security reference A05)
 */
const read: Link = async (writing, me, { key, given, shown }) => {
  const added = given.filter((id) => !shown.includes(id))
  if (added.length === 0) return
  const { rows } = await sql<{ conversation: number; participants: string[] }>`
    select c.id as conversation,
      array(select u.public_id::text from users u where u.id in (c.low_id, c.high_id)) as participants
    from messages m join conversations c on c.id = m.conversation_id where m.id = ${key}`.execute(writing.db)
  const [of] = rows
  if (!of) return fail('document_not_found')
  if (!added.every((id) => of.participants.includes(id))) {
    fail('document_invalid_structure', {
      message: 'Invalid document structure: Attribute "readBy" has somebody who is not in the conversation',
      field: 'readBy',
    })
  }
  if (added.some((id) => id !== me.publicId)) fail('user_unauthorized')
  await markRead(writing, me.id, of.conversation, key)
}

export const messages: DocumentCollection = {
  name: 'messages',
  table: 'messages',
  edited: false,
  orderedByKey: true,
  limit: 'message',
  counted: {
    limit: 'unanswered',
    async count(asking, me, { conversationId }) {
      const id = idIn(conversationId)
      if (isId(id)) await countUnanswered(asking, me, id)
    },
  },
  structureFirst: true,
  /** The same rows as the read rule leaves, found from her conversations instead of from everybody's messages. */
  listed: (me) => sql`t.conversation_id = any(array(
    select c.id from conversations c where c.low_id = ${me} union all
    select c.id from conversations c where c.high_id = ${me}))`,
  fields: {
    conversationId: reference('conversation_id', 'conversations', { fixed: true }),
    senderId: actor('sender_id'),
    content: {
      read: () => t('content'),
      query: words(t('content')),
      write: { as: 'value', column: 'content', shape: messageContent, fixed: true },
    },
    type: constant('type', 'text'),
    readBy: {
      read: () => sql`(
        select array(
          select u.public_id::text from users u
          where u.id in (c.low_id, c.high_id) and ${hasRead(sql`u.id`)} order by u.id = t.sender_id desc
        ) from conversations c where c.id = t.conversation_id)`,
      query: members(
        (keys) => sql`exists (
          select from conversations c, unnest(array[c.low_id, c.high_id]) as reader (id)
          where c.id = t.conversation_id and reader.id = any(${keys}) and ${hasRead(sql`reader.id`)})`,
      ),
      write: { as: 'link', link: read },
    },
  },
}
