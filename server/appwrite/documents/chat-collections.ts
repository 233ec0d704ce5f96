import { type RawBuilder, sql } from 'kysely'
import { messageContentSchema, reactionEmojis } from '#contract/chat/messages.ts'
import { formatIsoTimestamp } from '#server/database/iso-timestamp.ts'
import { throwFailure } from '#server/errors.ts'
import {
  markConversationRead,
  rateLimitNewConversation,
  rateLimitUnansweredMessage,
} from '#server/features/chat/conversation-routes.ts'
import { setReaction } from '#server/features/chat/reaction-routes.ts'
import { isValidPublicId } from '#server/ids.ts'
import {
  type MemberKeyExpression,
  selectOwnConversationKeys,
  whereMaySeeReader,
} from '#server/policy/index.ts'
import { buildAppwriteFilePreviewUrl } from '../picture-urls.ts'
import {
  createQueryableExactText,
  createQueryableMemberList,
  createQueryableText,
  createQueryableTimestamp,
  type QueryableAttribute,
} from '../queries/queryable-attributes.ts'
import {
  type DocumentDefinition,
  defineActorIdField,
  defineConstantField,
  defineReferenceField,
  documentRowColumn,
  readRelatedDocumentId,
  serverDerivedWriteRule,
  type UpdateOwnListEntry,
} from './field-definitions.ts'
import { failAttributeNotInEnum } from './validate-document.ts'

/**
 * Describes unsent messages, photos and shared posts in words, for clients that do not know them. Searches
 * ignore these words.
 */
const shownText = (alias: string) => {
  const of = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`case when ${of('unsent_at')} is not null then 'Message unsent' when ${of('content')} <> '' then ${of('content')}
    when ${of('photo_count')} > 0 then 'Photo' else 'Post' end`
}

const lastMessageColumn = (column: string): RawBuilder<unknown> =>
  sql`(select last.${sql.ref(column)} from messages last where last.id = t.last_message_id)`
const lastMessageText = sql`(select ${shownText('last')}
  from messages last where last.id = t.last_message_id)`
const lastTime = lastMessageColumn('created_at')
const lastSender = sql`(select s.public_id from users s where s.id = ${lastMessageColumn('sender_id')})`

/** Cursors cannot compare null, the value before the first message. */
const withoutOrder = (query: QueryableAttribute): QueryableAttribute => ({ ...query, order: undefined })

export const conversationDocumentDefinition: DocumentDefinition = {
  hasUpdatedAt: true,
  limit: 'message',
  /** The other participant must not learn that somebody opened a conversation. */
  listFilter: () => sql`t.last_message_id is not null`,
  extraLimit: {
    limit: 'conversation',
    async consumeFor(ctx, me, { participants }, create) {
      // Any other list is refused later, because it does not name two people including the caller.
      if (Array.isArray(participants) && participants.length === 2 && participants.includes(me.publicId)) {
        const other = participants.find((id) => id !== me.publicId)
        if (isValidPublicId(other)) await rateLimitNewConversation(ctx, me, other)
      }
      return create()
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
      read: () => lastMessageText,
      query: withoutOrder(createQueryableText(lastMessageText, lastMessageColumn('content_folded'))),
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

const messageText = shownText('t')

const listPhotoIds = sql`array(select pf.public_id::text from message_photos mp join files pf on pf.id = mp.file_id
  where mp.message_id = t.id order by mp.position)`

/** True for the sender, and for readers whose read marks `me` may see. */
const hasRead = (me: MemberKeyExpression, key: RawBuilder<unknown>) =>
  sql`(${key} = t.sender_id or t.unsent_at is null and ${whereMaySeeReader(me, key, documentRowColumn('id'), 'c')})`

/**
 * Marks the conversation as read if the client added the caller to the list.
 * @throws Failure if the client added another member
 */
const updateReadMark: UpdateOwnListEntry = async (tx, me, { key, given, shown }) => {
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

/** Matches an emoji and a member's id, as in `reactions`. */
const entryPattern = /^(\S+) (\S+)$/

/** Ignores other members' entries in the list. */
const updateOwnReaction: UpdateOwnListEntry = async (tx, me, { id, given, shown }) => {
  const ownOf = (entries: readonly string[]) =>
    entries
      .map((entry) => entryPattern.exec(entry))
      .flatMap((found) => (found?.[2] === me.publicId ? [found[1]] : []))
  const [before] = ownOf(shown)
  const wanted = ownOf(given)
  const [emoji = null] = [...wanted.filter((own) => own !== before), ...wanted]
  if (emoji === (before ?? null)) return
  const known = reactionEmojis.find((one) => one === emoji)
  if (emoji !== null && !known) failAttributeNotInEnum('reactions', reactionEmojis)
  await setReaction(tx, me.id, id, known ?? null)
}

export const messageDocumentDefinition: DocumentDefinition = {
  hasUpdatedAt: false,
  neverUpdated: true,
  orderedByKey: true,
  limit: 'message',
  extraLimit: {
    limit: 'unanswered',
    consumeFor(ctx, me, { conversationId }, create) {
      const id = readRelatedDocumentId(conversationId)
      return isValidPublicId(id) ? rateLimitUnansweredMessage(ctx, me, id, create) : create()
    },
  },
  validateBeforePermission: true,
  /** Selects the same rows as the read rule does, but finds them through the caller's conversations. */
  listFilter: (me) => sql`t.conversation_id = any(array${selectOwnConversationKeys(me)})`,
  fields: {
    conversationId: defineReferenceField('conversation_id', 'conversations', { fixed: true }),
    senderId: defineActorIdField('sender_id'),
    content: {
      read: () => messageText,
      query: createQueryableText(messageText, documentRowColumn('content_folded')),
      write: { as: 'value', column: 'content', shape: messageContentSchema, fixed: true },
    },
    type: defineConstantField('type', 'text'),
    imageIds: { read: () => listPhotoIds, write: serverDerivedWriteRule },
    imageUrls: {
      read: () => listPhotoIds,
      show: (ids, config) => (ids as string[]).map((id) => buildAppwriteFilePreviewUrl(config, id)),
      write: serverDerivedWriteRule,
    },
    readBy: {
      read: (me) => sql`(
        select array(
          select u.public_id::text from users u
          where u.id in (c.low_id, c.high_id) and ${hasRead(me, sql`u.id`)} order by u.id = t.sender_id desc
        ) from conversations c where c.id = t.conversation_id)`,
      query: createQueryableMemberList(
        (keys, { me }) => sql`exists (
          select from conversations c, unnest(array[c.low_id, c.high_id]) as reader (id)
          where c.id = t.conversation_id and reader.id = any(${keys}) and ${hasRead(me, sql`reader.id`)})`,
      ),
      write: { as: 'link', link: updateReadMark },
    },
    reactions: {
      read: () => sql`array(select r.emoji || ' ' || u.public_id from message_reactions r join users u on u.id = r.user_id
        where r.message_id = t.id order by r.created_at, r.user_id)`,
      write: { as: 'link', link: updateOwnReaction },
    },
  },
}
