/** Conversations and messages, as documents. */
import { type RawBuilder, sql } from 'kysely'
import { messageContentSchema } from '#contract/chat/conversations.ts'
import { throwFailure } from '#server/errors.ts'
import {
  limitNewConversation,
  markConversationRead,
  rateLimitUnansweredMessage,
} from '#server/features/conversations.ts'
import { isValidPublicId } from '#server/ids.ts'
import { conversationsOf } from '#server/policy.ts'
import { formatIsoTimestamp } from '#server/views/iso-timestamp.ts'
import {
  createQueryableExactText,
  createQueryableMemberList,
  createQueryableText,
  createQueryableTimestamp,
  type QueryableAttribute,
} from '../queries/sql-filters.ts'
import {
  type DocumentDefinition,
  defineActorIdField,
  defineConstantField,
  defineReferenceField,
  documentRowColumn,
  parseDocumentReference,
  serverDerivedWriteRule,
  type UpdateOwnEntry,
} from './field-types.ts'

const lastMessageColumn = (column: string): RawBuilder<unknown> =>
  sql`(select last.${sql.ref(column)} from messages last where last.id = t.last_message_id)`
const lastTime = lastMessageColumn('created_at')
const lastSender = sql`(select s.public_id from users s where s.id = ${lastMessageColumn('sender_id')})`

/** Drops the order: the value is null before the first message, and a cursor cannot be compared with null. */
const withoutOrder = (query: QueryableAttribute): QueryableAttribute => ({ ...query, order: undefined })

export const conversationDocumentDefinition: DocumentDefinition = {
  hasUpdatedAt: true,
  limit: 'message',
  /** One in which nothing was said is in nobody's list: the other must not learn that somebody opened it and left. */
  listFilter: () => sql`t.last_message_id is not null`,
  extraLimit: {
    limit: 'conversation',
    async count(ctx, me, { participants }) {
      // Anything but two people is refused later, as a wrong structure.
      if (!Array.isArray(participants) || participants.length !== 2) return
      const other = participants.find((id) => id !== me.publicId)
      if (isValidPublicId(other) && participants.includes(me.publicId))
        await limitNewConversation(ctx, me, other)
    },
  },
  fields: {
    participants: {
      read: () =>
        sql`array(select p.public_id::text from users p where p.id in (t.low_id, t.high_id) order by p.id)`,
      query: createQueryableMemberList((keys) => sql`(t.low_id = any(${keys}) or t.high_id = any(${keys}))`),
      write: { as: 'pair', columns: ['low_id', 'high_id'] },
    },
    type: defineConstantField('type', 'direct'),
    lastMessage: {
      read: () => lastMessageColumn('content'),
      query: withoutOrder(
        createQueryableText(lastMessageColumn('content'), lastMessageColumn('content_folded')),
      ),
      write: serverDerivedWriteRule,
    },
    lastMessageTime: {
      read: () => lastTime,
      show: (time) => (time === null ? null : formatIsoTimestamp(time as Date)),
      query: createQueryableTimestamp(lastTime, sql`coalesce(${lastTime}, t.created_at)`),
      write: serverDerivedWriteRule,
    },
    lastMessageSender: {
      read: () => lastSender,
      query: withoutOrder(createQueryableExactText(lastSender)),
      write: serverDerivedWriteRule,
    },
  },
}

/** Holds for the sender, and for everyone whose mark is at or past the message. */
const hasRead = (key: RawBuilder<unknown>) =>
  sql`(${key} = t.sender_id or case ${key} when c.low_id then c.low_read_id else c.high_read_id end >= t.id)`

/**
 * Moves the caller's read mark up to the message when the list has the caller; a list without the caller changes nothing.
 * @throws Failure when another member would be added
 */
const updateReadMark: UpdateOwnEntry = async (tx, me, { key, given, shown }) => {
  const added = given.filter((id) => !shown.includes(id))
  if (added.length === 0) return
  const { rows } = await sql<{ conversation: number; participants: string[] }>`
    select c.id as conversation,
      array(select u.public_id::text from users u where u.id in (c.low_id, c.high_id)) as participants
    from messages m join conversations c on c.id = m.conversation_id where m.id = ${key}`.execute(tx.db)
  const [message] = rows
  if (!message) return throwFailure('document_not_found')
  if (!added.every((id) => message.participants.includes(id))) {
    throwFailure('document_invalid_structure', {
      message: 'Invalid document structure: Attribute "readBy" has somebody who is not in the conversation',
      field: 'readBy',
    })
  }
  if (added.some((id) => id !== me.publicId)) throwFailure('user_unauthorized')
  await markConversationRead(tx, me.id, message.conversation, key)
}

export const messageDocumentDefinition: DocumentDefinition = {
  hasUpdatedAt: false,
  orderedByKey: true,
  limit: 'message',
  extraLimit: {
    limit: 'unanswered',
    async count(ctx, me, { conversationId }) {
      const id = parseDocumentReference(conversationId)
      if (isValidPublicId(id)) await rateLimitUnansweredMessage(ctx, me, id)
    },
  },
  validateBeforePermission: true,
  /** The same rows as the read rule leaves, found from the caller's conversations instead of from everybody's messages. */
  listFilter: (me) => sql`t.conversation_id = any(array${conversationsOf(me)})`,
  fields: {
    conversationId: defineReferenceField('conversation_id', 'conversations', { fixed: true }),
    senderId: defineActorIdField('sender_id'),
    content: {
      read: () => documentRowColumn('content'),
      query: createQueryableText(documentRowColumn('content'), documentRowColumn('content_folded')),
      write: { as: 'value', column: 'content', shape: messageContentSchema, fixed: true },
    },
    type: defineConstantField('type', 'text'),
    readBy: {
      read: () => sql`(
        select array(
          select u.public_id::text from users u
          where u.id in (c.low_id, c.high_id) and ${hasRead(sql`u.id`)} order by u.id = t.sender_id desc
        ) from conversations c where c.id = t.conversation_id)`,
      query: createQueryableMemberList(
        (keys) => sql`exists (
          select from conversations c, unnest(array[c.low_id, c.high_id]) as reader (id)
          where c.id = t.conversation_id and reader.id = any(${keys}) and ${hasRead(sql`reader.id`)})`,
      ),
      write: { as: 'link', link: updateReadMark },
    },
  },
}
